/**
 * Finds the corners where a shortest path may turn, and classifies polygons for an exact search.
 *
 * A path turns only where the walkable surface ends. The search walks clockwise around a vertex (or a portal
 * end) from polygon to polygon, through passable edges and portals. If it returns to its start, there is no
 * wall and no corner. Otherwise the position where a wall stops it becomes the corner's key. All polygons of
 * that sector share the key. Other sectors of the same vertex have keys of their own, because obstacles that
 * touch in a point leave two corners.
 *
 * In: a polygon and an edge or portal.
 * Out: the key of a corner, or -1; the bits of a polygon.
 * Cost: linear in the polygons around the position, once per search and vertex.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { blockUp } from './blocks.ts';
import { ROUGH, SLIVER, pieceOf } from './pieces.ts';
import { DEAD_END, DENTED, GOAL, KNOWN, OPEN, portalKey, reserveFans } from './state.ts';
import type { OptimalState } from './state.ts';
import { EDGE_SLACK, withRoom } from '../walk/open-edges.ts';

/** Edges whose start the walk has passed. */
let passed: Int32Array = new Int32Array(16);
/** Fraction of the current edge where the walk is. */
const along = new Float64Array(1);

/**
 * Returns the bits of a polygon, computed on the first call of a search. A path may leave a polygon that is convex only
 * up to rounding, pass a corner through a dead end, and return.
 */
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
      if ((bits & GOAL) === 0 && isDeadEnd(state, mesh, filter, poly)) bits |= DEAD_END;
    } else {
      const block = blockUp(blocks, mesh, poly);
      if (
        block >= 0 &&
        state.blockStamp[block] !== stamp &&
        state.topStamp[poly] !== stamp &&
        pieceOf(state.pieces, mesh, blocks.top[block]) < 0
      ) {
        bits |= DEAD_END;
      }
    }
    const piece = pieceOf(state.pieces, mesh, poly);
    if (piece >= 0) {
      bits |= DENTED;
      reserveFans(state.pieceFans, state.pieces.pieceCount);
    } else if (piece === ROUGH || piece === SLIVER) {
      state.hasFlat = true;
      if (piece === ROUGH) state.hasRough = true;
    }
  }
  polyStamp[poly] = stamp;
  polyBits[poly] = bits;
  return bits;
}

/** Returns whether the polygon has one neighbor at most and no link. The caller checks for goals. */
function isDeadEnd(state: OptimalState, mesh: NavMesh, filter: QueryFilter, poly: number): boolean {
  if (mesh.polyLink[poly] >= 0) return false;
  const { edgeNeighbor } = mesh;
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  let neighborCount = 0;
  for (let e = first; e < end; e++) {
    const other = edgeNeighbor[e];
    if (other < 0 || !passesFilter(filter, mesh, other)) continue;
    if (++neighborCount > 1 || pieceOf(state.pieces, mesh, other) >= 0) return false;
  }
  for (let l = mesh.polyPortal[poly]; l >= 0; l = mesh.portalNext[l]) {
    if (passesFilter(filter, mesh, mesh.portalPoly[l]) && ++neighborCount > 1) return false;
  }
  return true;
}

/** Returns the key of the corner at the start of an edge of `poly`, or -1 if there is no corner. */
export function cornerAt(state: OptimalState, mesh: NavMesh, filter: QueryFilter, poly: number, edge: number): number {
  if (state.cornerStamp[edge] === state.stamp) return state.cornerKey[edge];
  along[0] = 0;
  return goAround(state, mesh, filter, poly, edge);
}

/**
 * Returns the key of the corner at an end of the portal of `poly`, or -1 if there is no corner. The start of the
 * portal's span is on the left for a path that enters here.
 */
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
        // Usually the portal starts here. Where portals overlap, the walk may meet it between its ends.
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

/** Returns the key of a position inside a border edge: that of the portal that ends or starts there. */
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
