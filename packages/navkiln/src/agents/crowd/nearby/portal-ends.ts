/**
 * Tells whether a portal lies between walls: both its ends are corners of walls. Portals in open space, as in meshes of
 * small polygons, do not.
 *
 * In: a polygon and a crossing of it. Out: a boolean.
 * Cost: a walk around both ends, over the polygons that meet there. No allocation.
 * Based on: own.
 */
import { portalOf } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';

/** Maximum number of polygons visited around a corner. */
const MAX_AROUND = 16;

/** Returns whether both ends of the crossing's edge or portal touch walls. */
export function isBetweenWalls(mesh: NavMesh, poly: number, crossing: number): boolean {
  if (crossing >= 0) return touchesWall(mesh, poly, crossing, -1) && touchesWall(mesh, poly, crossing, 1);
  const portal = portalOf(crossing);
  const back = mesh.portalBack[portal];
  const edge = mesh.portalEdge[portal];
  const backPoly = mesh.portalPoly[portal];
  const backEdge = mesh.portalEdge[back];
  // Seen from the other side, the ends are swapped.
  return (
    (mesh.portalSpan[2 * portal] > 0 ||
      touchesWall(mesh, poly, edge, -1) ||
      touchesWall(mesh, backPoly, backEdge, 1)) &&
    (mesh.portalSpan[2 * portal + 1] < 1 ||
      touchesWall(mesh, poly, edge, 1) ||
      touchesWall(mesh, backPoly, backEdge, -1))
  );
}

/** Returns whether the start (side -1) or the end (side 1) of an edge is the corner of a wall. */
function touchesWall(mesh: NavMesh, poly: number, edge: number, side: number): boolean {
  if (isWallAround(mesh, poly, edge, side)) return true;
  const across = mesh.edgeNeighbor[edge];
  return across >= 0 && isWallAround(mesh, across, twinOf(mesh, poly, edge, across), -side);
}

/** Goes around one end of an edge, from polygon to polygon. Returns whether it meets a wall. */
function isWallAround(mesh: NavMesh, poly: number, edge: number, side: number): boolean {
  const { edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  let at = poly;
  let from = edge;
  for (let k = 0; k < MAX_AROUND; k++) {
    const first = polyEdgeStart[at];
    const count = polyVertexCount[at];
    const next = first + ((from - first + side + count) % count);
    const other = edgeNeighbor[next];
    if (other === -1) return true;
    if (other < 0) return mesh.polyPortal[at] < 0;
    from = twinOf(mesh, at, next, other);
    at = other;
    if (at === poly) return false;
  }
  return false;
}

/** Returns the edge of `other` that lies on edge `edge` of `poly`. */
function twinOf(mesh: NavMesh, poly: number, edge: number, other: number): number {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const first = polyEdgeStart[other];
  const end = first + polyVertexCount[other];
  for (let e = first; e < end; e++) {
    const last = e + 1 === end ? first : e + 1;
    if (edgeNeighbor[e] === poly && edgeVertex[last] === edgeVertex[edge]) return e;
  }
  return first;
}
