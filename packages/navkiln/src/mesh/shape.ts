/**
 * Checks the shape of one polygon: convex, wound once, and mutual with its neighbors. Loading, validating and
 * `addTile` share it.
 *
 * In: a polygon whose edges name existing vertices with finite coordinates.
 * Out: the first wrong edge, or -1.
 * Cost: linear in the polygon and its neighbors.
 * Based on: own.
 */
import type { NavMesh } from './types.ts';

/** The arrays of the polygons of a mesh, or of a tile. */
export type PolyArrays = Pick<
  NavMesh,
  'vertices' | 'edgeVertex' | 'edgeNeighbor' | 'polyEdgeStart' | 'polyVertexCount'
>;

/**
 * How far a corner may be dented, relative to its coordinates: the rounding of positions that once were
 * float32.
 */
const DENT = 2 ** -22;

/**
 * Returns the edge at whose start the polygon is dented or wound twice, or -1. Each corner must turn the same
 * way or not at all, the fan around the first vertex must never turn back, and the polygon must lie on one
 * side of its first edge. It is counter-clockwise seen from above, except for the empty or reversed triangles
 * that self-touching contours give (in Recast, too). Queries handle those.
 */
export function dentedEdge(mesh: PolyArrays, poly: number): number {
  const { vertices, edgeVertex } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  let size = 0;
  for (let e = first; e < first + count; e++) {
    const v = 3 * edgeVertex[e];
    size = Math.max(size, Math.abs(vertices[v]), Math.abs(vertices[v + 2]));
  }
  const dent = DENT * size;
  const a = edgeVertex[first];
  const b = edgeVertex[first + 1];
  const sign = count === 3 && turn(vertices, a, b, edgeVertex[first + 2], 0, 1) < 0 ? -1 : 1;
  let u = a;
  let v = b;
  for (let k = 0; k < count; k++) {
    const w = edgeVertex[first + ((k + 2) % count)];
    if (
      !(
        turn(vertices, u, v, w, dent, sign) >= 0 &&
        turn(vertices, a, u, v, dent, sign) >= 0 &&
        turn(vertices, a, b, v, dent, sign) >= 0
      )
    )
      return first + ((k + 1) % count);
    u = v;
    v = w;
  }
  return -1;
}

/**
 * Returns twice the area of triangle a, b, c: positive when c is left of a -> b seen from above (right with
 * sign -1). Adds the tolerance times the length of a -> b.
 */
function turn(points: Float64Array, a: number, b: number, c: number, dent: number, sign: number): number {
  const dx = points[3 * b] - points[3 * a];
  const dz = points[3 * b + 2] - points[3 * a + 2];
  return (
    sign * (dz * (points[3 * c] - points[3 * a]) - dx * (points[3 * c + 2] - points[3 * a + 2])) +
    dent * (Math.abs(dx) + Math.abs(dz))
  );
}

/** Returns whether the polygon behind an edge has the same edge in reverse, with this polygon behind it. */
export function isMutual(mesh: PolyArrays, poly: number, edge: number): boolean {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const from = polyEdgeStart[poly];
  const other = edgeNeighbor[edge];
  const first = polyEdgeStart[other];
  const end = first + polyVertexCount[other];
  const a = edgeVertex[edge];
  const b = edgeVertex[edge + 1 === from + polyVertexCount[poly] ? from : edge + 1];
  for (let e = first; e < end; e++) {
    if (edgeNeighbor[e] === poly && edgeVertex[e] === b && edgeVertex[e + 1 === end ? first : e + 1] === a) return true;
  }
  return false;
}
