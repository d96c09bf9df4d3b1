/**
 * Finds the vertex at each end of a portal.
 *
 * A portal ends where one of its two edges ends, so a vertex of this tile or of the other tile lies there. With
 * vertices as ends, portals need no coordinates of their own, and all sides of lines are decided exactly.
 *
 * In: a mesh.
 * Out: two vertices for each portal.
 * Cost: linear in the portals; quadratic in the portals of one edge.
 * Based on: own.
 */
import { portalCrossing, setCrossingEnds } from '../../../mesh/crossing.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { EDGE_SLACK } from '../../walk/open-edges.ts';
import type { PathIndexReason } from '../types.ts';

/** Maximum distance between the two sides of a portal, as a share of their coordinates. */
const MAX_GAP = 1e-12;

/** Per portal: the vertices at the start and the end of its span. */
export interface PortalEnds {
  vertices: Int32Array;
  /** Why the portals cannot be used, or ''. If they overlap, all vertices are found nevertheless. */
  reason: PathIndexReason;
}

const ends = new Float64Array(6);

/** Returns the vertices at the ends of all portals, or of some if one is degenerate. */
export function findPortalEnds(mesh: NavMesh): PortalEnds {
  const { portalSpan, portalBack, portalPoly, portalEdge, portalNext } = mesh;
  const out: PortalEnds = { vertices: new Int32Array(2 * mesh.portalCount).fill(-1), reason: '' };
  for (let portal = 0; portal < mesh.portalCount; portal++) {
    if (portalPoly[portal] < 0) continue;
    const back = portalBack[portal];
    const poly = portalPoly[back];
    for (let side = 0; side < 2; side++) {
      const here = vertexAt(mesh, poly, portalEdge[portal], portalSpan[2 * portal + side]);
      // The reverse portal has the opposite direction.
      const there = vertexAt(mesh, portalPoly[portal], portalEdge[back], portalSpan[2 * back + 1 - side]);
      const vertex = here >= 0 ? here : there;
      if (vertex < 0) return { ...out, reason: 'degenerate' };
      out.vertices[2 * portal + side] = vertex;
      setCrossingEnds(ends, mesh, poly, portalCrossing(portal));
      if (!isNear(mesh, vertex, side)) return { ...out, reason: 'degenerate' };
    }
    for (let other = mesh.polyPortal[poly]; other >= 0; other = portalNext[other]) {
      if (other === portal || portalEdge[other] !== portalEdge[portal]) continue;
      const isApart =
        portalSpan[2 * other] >= portalSpan[2 * portal + 1] - EDGE_SLACK ||
        portalSpan[2 * other + 1] <= portalSpan[2 * portal] + EDGE_SLACK;
      if (!isApart) out.reason = 'overlap';
    }
  }
  return out;
}

/** Returns the vertex at an end of an edge, or -1 between its ends. */
function vertexAt(mesh: NavMesh, poly: number, edge: number, at: number): number {
  if (at === 0) return mesh.edgeVertex[edge];
  if (at !== 1) return -1;
  const first = mesh.polyEdgeStart[poly];
  return mesh.edgeVertex[edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1];
}

/** Returns whether a vertex is at this end of the portal in `ends`. */
function isNear(mesh: NavMesh, vertex: number, side: number): boolean {
  const x = mesh.vertices[3 * vertex];
  const z = mesh.vertices[3 * vertex + 2];
  const reach = MAX_GAP * (Math.abs(x) + Math.abs(z) + 1);
  return Math.abs(ends[3 * side] - x) <= reach && Math.abs(ends[3 * side + 2] - z) <= reach;
}
