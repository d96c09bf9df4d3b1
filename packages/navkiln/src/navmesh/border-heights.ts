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
import type { NavMesh } from './types.ts';

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
  const low = vertices[a + along];
  const high = vertices[b + along];
  const out = [low, vertices[a + 1], high, vertices[b + 1]];
  const end = 3 * (mesh.polyDetailVertexStart[poly] + mesh.polyDetailVertexCount[poly]);
  for (let v = 3 * mesh.polyDetailVertexStart[poly]; v < end; v += 3) {
    const u = detailVertices[v + along];
    if (!(Math.abs(detailVertices[v + 2 - along] - vertices[a + 2 - along]) <= slack)) continue;
    if (!(u >= low - slack && u <= high + slack)) continue;
    let k = 0;
    while (k < out.length && out[k] < u - slack) k += 2;
    if (k < out.length && out[k] <= u + slack) out[k + 1] = detailVertices[v + 1];
    else out.splice(k, 0, u, detailVertices[v + 1]);
  }
  return out;
}

/** Returns the height at a position. */
function heightAt(heights: Heights, u: number): number {
  let k = 2;
  while (k + 2 < heights.length && heights[k] < u) k += 2;
  const from = heights[k - 2];
  const length = heights[k] - from;
  const share = length > 0 ? Math.min(1, Math.max(0, (u - from) / length)) : 0;
  return heights[k - 1] + share * (heights[k + 1] - heights[k - 1]);
}

/** Returns whether two surfaces are within `reach` of each other in height, or cross, somewhere from `low` to `high`. */
export function areHeightsNear(a: Heights, b: Heights, low: number, high: number, reach: number): boolean {
  let i = 0;
  let k = 0;
  let rise = 0;
  for (let u = low; ;) {
    const next = heightAt(a, u) - heightAt(b, u);
    if (Math.abs(next) <= reach || rise * next < 0) return true;
    if (u >= high) return false;
    rise = next;
    while (i < a.length && a[i] <= u) i += 2;
    while (k < b.length && b[k] <= u) k += 2;
    u = Math.min(high, i < a.length ? a[i] : high, k < b.length ? b[k] : high);
  }
}
