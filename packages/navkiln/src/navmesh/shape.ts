/**
 * Is a polygon what a polygon must be? Convex, wound once, and known to its neighbours. What loading and validating share.
 *
 * In: polygons whose edges name vertices that there are, of finite coordinates. Cost: linear in the polygon and its neighbours.
 *
 * Based on: own.
 */
import type { NavMesh } from './types.ts';

/** How far a corner may be dented, relative to its coordinates: the rounding of positions that once were float32. */
const DENT = 2 ** -22;

/**
 * The edge at whose start the polygon is dented or wound twice, or -1. Each corner turns the same way or not at all, the fan
 * around the first vertex never turns back, and all of it lies on one side of the first edge. That way is counter-clockwise seen
 * from above, but for what contours give that run back over themselves (in Recast, too): triangles of no area or turned around.
 * Queries can live with them.
 */
export function dentedEdge(mesh: NavMesh, poly: number): number {
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
  const way = count === 3 && turn(vertices, a, b, edgeVertex[first + 2], 0, 1) < 0 ? -1 : 1;
  let u = a;
  let v = b;
  for (let k = 0; k < count; k++) {
    const w = edgeVertex[first + ((k + 2) % count)];
    if (
      !(
        turn(vertices, u, v, w, dent, way) >= 0 &&
        turn(vertices, a, u, v, dent, way) >= 0 &&
        turn(vertices, a, b, v, dent, way) >= 0
      )
    )
      return first + ((k + 1) % count);
    u = v;
    v = w;
  }
  return -1;
}

/**
 * Twice the area of the triangle of vertices a, b, c, positive when c is left of a -> b seen from above (or right: way -1);
 * how far c may be on the other side, times the length of a -> b, is added.
 */
function turn(points: Float64Array, a: number, b: number, c: number, dent: number, way: number): number {
  const dx = points[3 * b] - points[3 * a];
  const dz = points[3 * b + 2] - points[3 * a + 2];
  return (
    way * (dz * (points[3 * c] - points[3 * a]) - dx * (points[3 * c + 2] - points[3 * a + 2])) +
    dent * (Math.abs(dx) + Math.abs(dz))
  );
}

/** Does the polygon behind an edge have the same edge the other way round, with this polygon behind it? */
export function isMutual(mesh: NavMesh, poly: number, edge: number): boolean {
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
