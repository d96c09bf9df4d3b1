/**
 * Recognizes triangles without area along a wall. Bakes leave them where several polygons meet at a straight border.
 *
 *      P  |  Q          Triangle abc has no area. Its long side ac is a wall, P and Q lie beyond the other two. A path along the
 *   a-----b------c      triangle is also one along the sides of P and Q and through b. Where an obstacle touches the wall in b, b is a
 *   ///////////////     corner. So paths between positions elsewhere need no other corners than usual.
 *
 * In: a mesh, a polygon.
 * Out: whether it is such a triangle.
 * Cost: constant.
 * Based on: own.
 */
import { sideOfPoints } from '../../base/math/predicates.ts';
import type { NavMesh } from '../../mesh/types.ts';

const xs = new Float64Array(3);
const zs = new Float64Array(3);

/** Returns whether a polygon that is not exactly convex is a triangle without area along a wall, as above. */
export function isSliver(mesh: NavMesh, poly: number): boolean {
  const { edgeVertex, edgeNeighbor } = mesh;
  if (mesh.polyVertexCount[poly] !== 3) return false;
  const first = mesh.polyEdgeStart[poly];
  for (let k = 0; k < 3; k++) {
    // Edges c to a, a to b and b to c.
    const wall = first + k;
    const before = first + ((k + 1) % 3);
    const after = first + ((k + 2) % 3);
    if (edgeNeighbor[wall] !== -1 || edgeNeighbor[before] < -1 || edgeNeighbor[after] < -1) continue;
    if (isStrictlyBetween(mesh, edgeVertex[before], edgeVertex[after], edgeVertex[wall])) return true;
  }
  return false;
}

/** Returns whether vertex b is between a and c, exactly on the line through them. */
function isStrictlyBetween({ vertices }: NavMesh, a: number, b: number, c: number): boolean {
  [a, b, c].forEach((vertex, k) => {
    xs[k] = vertices[3 * vertex];
    zs[k] = vertices[3 * vertex + 2];
  });
  const along = (xs[1] - xs[0]) * (xs[2] - xs[1]) + (zs[1] - zs[0]) * (zs[2] - zs[1]);
  return along > 0 && sideOfPoints(xs, zs, 0, 1, 2) === 0;
}
