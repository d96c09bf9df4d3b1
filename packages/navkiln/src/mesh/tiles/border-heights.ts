/**
 * The heights of the surface along an edge on a tile's border.
 *
 * The line of an edge may lie far from the surface: it is straight over a ridge. Extra vertices of the polygon's detail that lie on the
 * edge follow the surface. A detail vertex at an end of the edge replaces that end: over a step, the end has the height of the upper side.
 *
 * In: an edge on a border. Out: positions along the border with their heights.
 * Cost: linear in the detail vertices of the polygon.
 * Based on: own.
 */
import type { NavMesh } from '../types.ts';

/** Positions along the border in ascending order, each followed by the height of the surface there. */
export type Heights = readonly number[];

/** Returns the heights along an edge of a polygon, from the vertex at offset `from` to that at `to`; `along`: 0 for x, 2 for z. */
// oxlint-disable-next-line max-params -- an edge and a border
export function heightsAlong(
  mesh: NavMesh,
  poly: number,
  from: number,
  to: number,
  along: number,
  slack: number,
): Heights {
  const { vertices, detailVertices } = mesh;
  const [a, b] = vertices[from + along] <= vertices[to + along] ? [from, to] : [to, from];
  const out = [vertices[a + along], vertices[a + 1], vertices[b + along], vertices[b + 1]];
  const [low, , high] = out;
  const end = 3 * (mesh.polyDetailVertexStart[poly] + mesh.polyDetailVertexCount[poly]);
  for (let v = 3 * mesh.polyDetailVertexStart[poly]; v < end; v += 3) {
    const u = detailVertices[v + along];
    const across = detailVertices[v + 2 - along] - vertices[a + 2 - along];
    if (Math.abs(across) > slack || u < low - slack || u > high + slack) continue;
    let k = 0;
    while (out[k] < u - slack) k += 2;
    out.splice(k, out[k] <= u + slack ? 2 : 0, u, detailVertices[v + 1]);
  }
  return out;
}

/** Returns the height at a position. */
function heightAt(heights: Heights, u: number): number {
  let k = 0;
  while (k + 4 < heights.length && heights[k + 2] < u) k += 2;
  const share = (u - heights[k]) / (heights[k + 2] - heights[k]);
  // Not a number where the edge has no length.
  return heights[k + 1] + (share > 0 ? Math.min(1, share) : 0) * (heights[k + 3] - heights[k + 1]);
}

/** Returns whether two surfaces are within `reach` of each other in height, or cross, somewhere from `low` to `high`. */
export function areHeightsNear(a: Heights, b: Heights, low: number, high: number, reach: number): boolean {
  // True for most edges.
  if (Math.abs(heightAt(a, low) - heightAt(b, low)) <= reach) return true;
  const stops = [...a, ...b].filter((u, k) => k % 2 === 0 && u > low && u < high).sort((u, v) => u - v);
  let rise = 0;
  return [low, ...stops, high].some((u) => {
    const before = rise;
    rise = heightAt(a, u) - heightAt(b, u);
    return Math.abs(rise) <= reach || before * rise < 0;
  });
}
