/**
 * Lists the polygons that can be entered from a polygon.
 *
 * In: a mesh and a polygon. Out: dense indices.
 * Cost: linear in the polygon's edges, portals and links.
 * Based on: own.
 */
import { linkOf, otherEnd } from '../crossing.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../types.ts';
import type { NavMesh } from '../types.ts';

/**
 * Returns the dense indices of the polygons that can be entered from a polygon over edges, tile borders and
 * enabled links in their direction. Each is listed once, in that order. @internal
 */
export function neighborPolysOf(mesh: NavMesh, poly: number): Set<number> {
  const out = new Set<number>();
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    if (mesh.edgeNeighbor[e] >= 0) out.add(mesh.edgeNeighbor[e]);
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    out.add(mesh.portalPoly[portal]);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const state = mesh.linkState[linkOf(linkEnd)];
    const isStart = (linkEnd & 1) === 0;
    const isOpen = (state & LINK_ENABLED) !== 0 && (isStart || (state & LINK_BOTH_WAYS) !== 0);
    const other = mesh.linkPoly[otherEnd(linkEnd)];
    if (isOpen && other >= 0) out.add(other);
  }
  return out;
}
