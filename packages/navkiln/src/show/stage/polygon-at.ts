/**
 * Finds the polygon of a tile's stage records over or under a point, and the height of its surface there.
 *
 * In: stage records and a point. Out: the polygon nearest in height.
 * Cost: linear in the tile's polygons.
 * Based on: own.
 */
import type { StageRecords } from './records.ts';

/**
 * Returns the polygon over or under a point whose surface is nearest in height, in local coordinates.
 * `distance` is the vertical distance. Without such a polygon, `index` is -1 and `distance` is Infinity.
 */
export function polygonAt(
  { polyMesh, detail }: StageRecords,
  x: number,
  y: number,
  z: number,
): { index: number; distance: number } {
  const { boundsMin, cellSize, cellHeight, maxVerticesPerPoly: size, polys, vertices } = polyMesh;
  let index = -1;
  let distance = Infinity;
  const p: number[] = [];
  for (let poly = 0; poly < polyMesh.polyCount; poly++) {
    p.length = 0;
    for (let k = poly * size; k < (poly + 1) * size && polys[k] !== -1; k++) {
      const v = 3 * polys[k];
      p.push(
        boundsMin[0] + vertices[v] * cellSize,
        boundsMin[1] + vertices[v + 1] * cellHeight,
        boundsMin[2] + vertices[v + 2] * cellSize,
      );
    }
    if (!isInside(p, x, z)) continue;
    const start = detail.vertexStart[poly];
    for (let i = 3 * start; i < 3 * detail.vertexStart[poly + 1]; i++) p.push(detail.vertices[i]);
    for (let t = 4 * detail.triStart[poly]; t < 4 * detail.triStart[poly + 1]; t += 4) {
      const height = heightOn(p, 3 * detail.tris[t], 3 * detail.tris[t + 1], 3 * detail.tris[t + 2], x, z);
      if (Math.abs(height - y) < distance) {
        distance = Math.abs(height - y);
        index = poly;
      }
    }
  }
  return { index, distance };
}

/** Returns whether a point is in a convex ring of either direction, border included. */
function isInside(p: readonly number[], x: number, z: number): boolean {
  let left = false;
  let right = false;
  for (let i = 0; i < p.length; i += 3) {
    const j = i + 3 === p.length ? 0 : i + 3;
    const side = (p[j] - p[i]) * (z - p[i + 2]) - (p[j + 2] - p[i + 2]) * (x - p[i]);
    left ||= side > 0;
    right ||= side < 0;
  }
  return !(left && right);
}

/** Returns the height of a triangle at (x, z); NaN when the point is not over it. */
function heightOn(p: readonly number[], a: number, b: number, c: number, x: number, z: number): number {
  const ux = p[b] - p[a];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vz = p[c + 2] - p[a + 2];
  const wx = x - p[a];
  const wz = z - p[a + 2];
  const area = ux * vz - uz * vx;
  const s = (wx * vz - wz * vx) / area;
  const t = (ux * wz - uz * wx) / area;
  const rim = -1e-6;
  return s >= rim && t >= rim && s + t <= 1 - rim
    ? p[a + 1] + s * (p[b + 1] - p[a + 1]) + t * (p[c + 1] - p[a + 1])
    : NaN;
}
