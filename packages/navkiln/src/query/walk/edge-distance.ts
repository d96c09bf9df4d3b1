/**
 * Measures the distance from a point to a part of an edge, seen from above.
 *
 * In: an edge of the mesh, a point, a part of the edge.
 * Out: the squared distance and the fraction of the edge where its nearest point lies. Both are written to an array,
 * because V8 may allocate returned numbers.
 * Cost: constant.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';

/** Layout of the result of `measureEdge`. */
export const DISTANCE_SQ = 0;
export const FRACTION = 1;

/**
 * Writes squared distance and fraction of the nearest point between the fractions part[0] and part[1] of an
 * edge. `next` is the edge that starts where this one ends.
 */
export function measureEdge(
  out: Float64Array,
  mesh: NavMesh,
  edge: number,
  next: number,
  point: Float64Array,
  part: Float64Array,
): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const ax = vertices[a] - point[0];
  const az = vertices[a + 2] - point[2];
  const ux = vertices[b] - vertices[a];
  const uz = vertices[b + 2] - vertices[a + 2];
  const lengthSq = ux * ux + uz * uz;
  let t = lengthSq > 0 ? -(ax * ux + az * uz) / lengthSq : 0;
  t = t < part[0] ? part[0] : t > part[1] ? part[1] : t;
  const x = ax + t * ux;
  const z = az + t * uz;
  out[DISTANCE_SQ] = x * x + z * z;
  out[FRACTION] = t;
}

/** Writes the point that was measured: x to out[0], z to out[zAt]. Exact at the edge's end. */
export function writeOnEdge(
  out: Float64Array,
  zAt: number,
  mesh: NavMesh,
  edge: number,
  next: number,
  measured: Float64Array,
): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[edge];
  const b = 3 * edgeVertex[next];
  const t = measured[FRACTION];
  out[0] = t === 1 ? vertices[b] : vertices[a] + t * (vertices[b] - vertices[a]);
  out[zAt] = t === 1 ? vertices[b + 2] : vertices[a + 2] + t * (vertices[b + 2] - vertices[a + 2]);
}
