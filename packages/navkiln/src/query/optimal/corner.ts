/**
 * Corners a shortest path may turn at, and what an exact search knows of polygons.
 *
 * A path turns only where ground ends. Around a vertex (or an end of a portal) one goes clockwise from polygon to polygon,
 * through edges and portals that are open to the filter. Who comes back to where he began has met no wall: that is no corner.
 * Else the place where a wall stopped him is the corner's key, the same from each polygon of that sector, and another one in
 * other sectors of the same vertex: two obstacles that touch in a point leave two corners there, with lengths of their own.
 * Cost: linear in the polygons around the place, once a search for vertices.
 * Based on: own.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { blockUp } from './blocks.ts';
import { DEAD_END, GOAL, KNOWN, OPEN, portalKey } from './state.ts';
import type { OptimalState } from './state.ts';
import { EDGE_SLACK, withRoom } from '../walk/open-edges.ts';

/** Edges whose start was passed on the way around. */
let passed: Int32Array = new Int32Array(16);
/** Where on the edge at hand the place is. */
const along = new Float64Array(1);

/** What is known of a polygon: its bits, found out when it is asked for the first time. */
export function bitsOf(state: OptimalState, mesh: NavMesh, filter: QueryFilter, poly: number): number {
  const { polyStamp, polyBits, stamp } = state;
  let bits = polyStamp[poly] === stamp ? polyBits[poly] : 0;
  if ((bits & KNOWN) !== 0) return bits;
  bits |= KNOWN;
  if (passesFilter(filter, mesh, poly)) {
    bits |= OPEN;
    state.reached[state.reachedCount++] = poly;
    const { blocks } = state;
    if (blocks === undefined) {
      if ((bits & GOAL) === 0 && isDeadEnd(mesh, filter, poly)) bits |= DEAD_END;
    } else {
      const block = blockUp(blocks, mesh, poly);
      if (block >= 0 && state.blockStamp[block] !== stamp && state.topStamp[poly] !== stamp) bits |= DEAD_END;
    }
  }
  polyStamp[poly] = stamp;
  polyBits[poly] = bits;
  return bits;
}

/** One way in and no link, and no goal is there. */
function isDeadEnd(mesh: NavMesh, filter: QueryFilter, poly: number): boolean {
  if (mesh.polyLink[poly] >= 0) return false;
  const { edgeNeighbor } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let ways = 0;
  for (let e = first; e < end; e++) {
    if (edgeNeighbor[e] >= 0 && passesFilter(filter, mesh, edgeNeighbor[e]) && ++ways > 1) return false;
  }
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (passesFilter(filter, mesh, mesh.portalPoly[l]) && ++ways > 1) return false;
  }
  return true;
}

/** The key of the corner at the start of an edge of `poly`; -1: ground all around. */
export function cornerAt(state: OptimalState, mesh: NavMesh, filter: QueryFilter, poly: number, edge: number): number {
  if (state.cornerStamp[edge] === state.stamp) return state.cornerKey[edge];
  along[0] = 0;
  return goAround(state, mesh, filter, poly, edge);
}

/** The same at an end of the portal of `poly` on `edge`: its start as seen from there (left for who comes in), or its end. */
export function cornerAtPortal(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  portal: number,
  isEnd: boolean,
): number {
  const edge = mesh.portalEdge[portal];
  const at = mesh.portalSpan[2 * portal + (isEnd ? 1 : 0)];
  if (at >= 1 - EDGE_SLACK) {
    const first = mesh.polyEdgeStart[poly];
    return cornerAt(state, mesh, filter, poly, edge + 1 === first + mesh.polyVertexCount[poly] ? first : edge + 1);
  }
  if (at <= EDGE_SLACK) return cornerAt(state, mesh, filter, poly, edge);
  along[0] = at;
  return goAround(state, mesh, filter, poly, edge);
}

function goAround(
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startEdge: number,
): number {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, portalEdge, portalPoly, portalSpan } = mesh;
  const startAlong = along[0];
  let poly = startPoly;
  let edge = startEdge;
  let count = 0;
  let key = -1;
  for (let steps = 0; ; steps++) {
    const at = along[0];
    if (steps > 0 && edge === startEdge && Math.abs(at - startAlong) <= EDGE_SLACK) break;
    if (at === 0) {
      passed = withRoom(passed, count + 1);
      passed[count++] = edge;
    }
    const other = edgeNeighbor[edge];
    let next = -1;
    if (other >= 0 && passesFilter(filter, mesh, other)) {
      const vertex = edgeVertex[edge];
      const first = polyEdgeStart[other];
      const end = first + polyVertexCount[other];
      for (let e = first; e < end; e++) if (edgeVertex[e] === vertex) next = e;
      poly = other;
      along[0] = 0;
    } else if (other <= -2) {
      for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
        if (portalEdge[l] !== edge || portalSpan[2 * l] > at + EDGE_SLACK || portalSpan[2 * l + 1] <= at + EDGE_SLACK)
          continue;
        if (!passesFilter(filter, mesh, portalPoly[l])) continue;
        const back = mesh.portalBack[l];
        const low = portalSpan[2 * back];
        const high = portalSpan[2 * back + 1];
        // Mostly the portal starts here; where portals overlap, it may be in its midst.
        const share = (at - portalSpan[2 * l]) / (portalSpan[2 * l + 1] - portalSpan[2 * l]);
        const there = share > EDGE_SLACK ? high - share * (high - low) : high;
        next = portalEdge[back];
        poly = portalPoly[l];
        if (there >= 1 - EDGE_SLACK) {
          const first = polyEdgeStart[poly];
          next = next + 1 === first + polyVertexCount[poly] ? first : next + 1;
          along[0] = 0;
        } else {
          along[0] = there > EDGE_SLACK ? there : 0;
        }
        break;
      }
    }
    if (next < 0 || steps > mesh.edgeCount) {
      key = at === 0 ? edge : keyOnEdge(mesh, poly, edge, at);
      break;
    }
    edge = next;
  }
  for (let i = 0; i < count; i++) {
    state.cornerStamp[passed[i]] = state.stamp;
    state.cornerKey[passed[i]] = key;
  }
  return key;
}

/** The key of a place in the midst of a border edge: that of the portal that ends there, or starts there. */
function keyOnEdge(mesh: NavMesh, poly: number, edge: number, at: number): number {
  for (let side = 1; side >= 0; side--) {
    for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
      if (mesh.portalEdge[l] === edge && Math.abs(mesh.portalSpan[2 * l + side] - at) <= EDGE_SLACK) {
        return portalKey(mesh, l, side === 1);
      }
    }
  }
  return edge;
}
