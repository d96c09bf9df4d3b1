/**
 * Tests whether one position is visible from another, for positions inside their polygons.
 *
 * The ray from start to end goes from polygon to polygon until it enters the polygon of the end or hits a wall. Because
 * the end lies inside its polygon, the ray's length need not be tested in each polygon. Where the ray passes a vertex
 * or the end of a portal, up to rounding, the result is "unsure", and the caller casts a ray that handles these cases
 * (query/ray).
 *
 * In: two positions strictly inside of polygons.
 * Out: 1 if the end is visible, 0 if a wall blocks the view, -1 if unsure. -2 if the blocking edge may be open with
 * other filters, or was open before tiles were removed.
 * Cost: about half of the edges of each polygon that the ray crosses.
 * Based on: own; as query/ray/raycast.ts.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../filter.ts';
import type { QueryFilter } from '../../filter.ts';
import { EDGE_SLACK } from '../../walk/open-edges.ts';

/**
 * Safe bound for the error of the determinant below, as a share of the sum of its terms (more than twice the error).
 */
const DOUBT = 1e-15;

/** Kernel. Tests whether the end is visible from the start. ends[0 .. 3] are x and z of the start and of the end. */
export function seesEnd(
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  endPoly: number,
  ends: Float64Array,
): number {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const sx = ends[0];
  const sz = ends[1];
  const dx = ends[2] - sx;
  const dz = ends[3] - sz;
  let poly = startPoly;
  for (let steps = mesh.edgeCount; steps > 0; steps--) {
    const first = polyEdgeStart[poly];
    const stop = first + polyVertexCount[poly];
    // The ray leaves through the edge that starts on its right and ends on its left.
    let v = 3 * edgeVertex[stop - 1];
    let l = (vertices[v] - sx) * dz;
    let r = (vertices[v + 2] - sz) * dx;
    let before = l - r;
    let isUnsure = before <= DOUBT * Math.abs(l) && before >= -DOUBT * Math.abs(l);
    let exit = -1;
    let side = 0;
    for (let e = first; e < stop; e++) {
      v = 3 * edgeVertex[e];
      l = (vertices[v] - sx) * dz;
      r = (vertices[v + 2] - sz) * dx;
      side = l - r;
      const doubt = DOUBT * (Math.abs(l) + Math.abs(r));
      if (side <= doubt && side >= -doubt) isUnsure = true;
      if (before < 0 && side > 0) {
        exit = e;
        break;
      }
      before = side;
    }
    if (isUnsure || exit < 0) return -1;
    const edge = exit === first ? stop - 1 : exit - 1;
    let next = edgeNeighbor[edge];
    if (next === -1) return 0;
    if (next < -1) {
      next = portalBehind(mesh, filter, poly, edge, before / (before - side));
      if (next < 0) return next === NO_PORTAL ? -2 : -1;
    }
    if (!passesFilter(filter, mesh, next)) return -2;
    if (next === endPoly) return 1;
    poly = next;
  }
  return -1;
}

const NO_PORTAL = -1;
const PORTAL_END = -2;

/** Returns the polygon behind a border edge at a fraction of it, or a negative reason. */
function portalBehind(mesh: NavMesh, filter: QueryFilter, poly: number, edge: number, at: number): number {
  const { portalNext, portalEdge, portalPoly, portalSpan } = mesh;
  let found: number = NO_PORTAL;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = portalNext[l]) {
    if (portalEdge[l] !== edge || !passesFilter(filter, mesh, portalPoly[l])) continue;
    const low = portalSpan[2 * l];
    const high = portalSpan[2 * l + 1];
    if (at > low + EDGE_SLACK && at < high - EDGE_SLACK) return portalPoly[l];
    if (at >= low - EDGE_SLACK && at <= high + EDGE_SLACK) found = PORTAL_END;
  }
  return found;
}
