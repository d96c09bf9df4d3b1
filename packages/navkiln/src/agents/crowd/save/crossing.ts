/**
 * Converts crossings to their saved form and back. Edges and portals are counted within their polygon. Link ends keep
 * their numbers, which do not change in a saved mesh.
 *
 * Cost: linear in the portals of the polygon.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, linkOf, otherEnd, portalCrossing, portalOf } from '../../../mesh/crossing.ts';
import { LINK_USED } from '../../../mesh/types.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { NO_CROSSING } from '../../../query/path/corridor.ts';

/** Returns the saved form of a crossing; `NO_CROSSING` when the polygon no longer has it. */
export function localCrossingOf(mesh: NavMesh, poly: number, crossing: number): number {
  if (crossing >= 0) {
    const edge = crossing - mesh.polyEdgeStart[poly];
    return edge >= 0 && edge < mesh.polyVertexCount[poly] ? edge : NO_CROSSING;
  }
  if (isLinkCrossing(crossing)) return linkCrossingAt(mesh, poly, crossing);
  const portal = portalOf(crossing);
  let index = 0;
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (l === portal) return portalCrossing(index);
    index++;
  }
  return NO_CROSSING;
}

/** Returns a link crossing when it begins at the polygon; otherwise `NO_CROSSING`. */
function linkCrossingAt(mesh: NavMesh, poly: number, crossing: number): number {
  const linkEnd = linkEndOf(crossing);
  const isThere = linkEnd >= 0 && linkEnd < 2 * mesh.linkCount && (mesh.linkState[linkOf(linkEnd)] & LINK_USED) !== 0;
  return isThere && mesh.linkPoly[linkEnd] === poly ? crossing : NO_CROSSING;
}

/**
 * Returns the crossing for a number of `localCrossingOf`; `NO_CROSSING` if the number is not a crossing of the polygon.
 */
export function crossingAt(mesh: NavMesh, poly: number, local: number): number {
  if ((local | 0) !== local) return NO_CROSSING;
  if (local >= 0) return local < mesh.polyVertexCount[poly] ? mesh.polyEdgeStart[poly] + local : NO_CROSSING;
  if (isLinkCrossing(local)) return linkCrossingAt(mesh, poly, local);
  let portal = mesh.polyPortal[poly];
  for (let left = portalOf(local); left > 0 && portal >= 0; left--) portal = mesh.portalNext[portal];
  return portal < 0 ? NO_CROSSING : portalCrossing(portal);
}

/** Returns the polygon behind a crossing of `crossingAt`, or -1. */
export function neighborOver(mesh: NavMesh, crossing: number): number {
  if (crossing === NO_CROSSING) return -1;
  if (crossing >= 0) return mesh.edgeNeighbor[crossing];
  if (isLinkCrossing(crossing)) return mesh.linkPoly[otherEnd(linkEndOf(crossing))];
  return mesh.portalPoly[portalOf(crossing)];
}
