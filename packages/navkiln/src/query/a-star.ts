/**
 * Polygon corridor: which polygons lead from one point to another at the least cost.
 *
 * A* over polygons. A node stands where the path enters its polygon: the midpoint of an edge; a step costs its length
 * times the cost of the area it crosses, the last one goes on to the end point. The estimate is the straight distance
 * times the smallest cost of any area times HEURISTIC_SCALE. When the end is not reached, the corridor leads to the
 * node that came nearest to it. Closed nodes are opened again when a cheaper way is found.
 * In: two polygons and points on them. Out: the corridor and the edges it crosses. Cost: O(n log n) in the nodes visited,
 * no allocation after warm-up.
 *
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
 * Paths, 1968, in the form of Detour's findPath (Mikko Mononen), the same in costs and order. Its quirk is kept
 * too: a node stays at the midpoint through which it was *first* found, even when a cheaper way comes through another
 * edge; so the corridor is not always the best one. Other than there: doubles, no limit on nodes unless asked for, an
 * estimate that holds for costs below 1, and heap positions instead of a search through the heap. The best node found from
 * the one at hand is kept out of the heap, as it is mostly the next: a tenth faster, at the price that nodes of exactly
 * equal keys may come in another order.
 * Tried and lost: edge midpoints computed beforehand, and a heap without positions that passes over stale entries (no
 * measurable difference, either; a polygon looked at costs some 70 ns).
 */
import { HEURISTIC_SCALE } from '../constants.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { smallestCost } from './filter.ts';
import type { QueryFilter } from './filter.ts';
import { beginSearch, popNode, pushOrLower, replaceTop } from './search-state.ts';
import type { SearchState } from './search-state.ts';

export type CorridorOutcome = 'complete' | 'unreachable' | 'budget';

/** Make one with `createCorridor` and reuse it. */
export interface Corridor {
  outcome: CorridorOutcome;
  /** polys[0 .. count - 1], dense indices from the start on; arrays may be longer. */
  count: number;
  polys: Int32Array;
  /** crossings[i]: how polys[i] leads to polys[i + 1]; see navmesh/crossing.ts. */
  crossings: Int32Array;
  /** Of the search: over edge midpoints, to the end point when it was reached. */
  cost: number;
  /** Polygons that the search has looked at. */
  visitedCount: number;
}

export function createCorridor(): Corridor {
  return {
    outcome: 'complete', count: 0, polys: new Int32Array(0), crossings: new Int32Array(0), cost: NaN, visitedCount: 0,
  };
}

/** Kernel. Points are on the polygons named. At most `maxNodes` polygons are looked at. */
export function findCorridor(
  out: Corridor, state: SearchState, mesh: NavMesh, filter: QueryFilter, startPoly: number, startPoint: Float64Array,
  endPoly: number, endPoint: Float64Array, maxNodes: number,
): void {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, polyArea, polyFlags } = mesh;
  const { areaCosts, includeFlags, excludeFlags } = filter;
  const scale = HEURISTIC_SCALE * smallestCost(filter);
  beginSearch(state, mesh);
  const { node, nodeStamp, nodeCost, nodeParent, nodeCrossing, nodeHeapIndex, stamp } = state;
  const endX = endPoint[0];
  const endY = endPoint[1];
  const endZ = endPoint[2];

  let visited = 1;
  let isShort = false;
  let nearest = startPoly;
  const sx = endX - startPoint[0];
  const sy = endY - startPoint[1];
  const sz = endZ - startPoint[2];
  const straight = Math.sqrt(sx * sx + sy * sy + sz * sz);
  let nearestEstimate = scale * straight;
  node[4 * startPoly] = startPoint[0];
  node[4 * startPoly + 1] = startPoint[1];
  node[4 * startPoly + 2] = startPoint[2];
  node[4 * startPoly + 3] = nearestEstimate;
  nodeCost[startPoly] = 0;
  nodeStamp[startPoly] = stamp;
  nodeParent[startPoly] = -1;
  nodeHeapIndex[startPoly] = -1;

  let best = startPoly;
  while (best !== endPoly) {
    // The most promising node found from here: it stays out of the heap as long as it may be the next one.
    let held = -1;
    let heldKey = 0;
    const bestCost = nodeCost[best];
    const bx = node[4 * best];
    const by = node[4 * best + 1];
    const bz = node[4 * best + 2];
    const areaCost = areaCosts[polyArea[best]];
    const first = polyEdgeStart[best];
    const end = first + polyVertexCount[best];
    for (let e = first; e < end; e++) {
      const other = edgeNeighbor[e];
      if (other < 0) continue;
      const at = 4 * other;
      const isNew = nodeStamp[other] !== stamp;
      if (isNew) {
        const flags = polyFlags[other];
        if ((flags & includeFlags) === 0 || (flags & excludeFlags) !== 0) continue;
        if (visited >= maxNodes) {
          isShort = true;
          continue;
        }
        visited++;
        const a = 3 * edgeVertex[e];
        const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
        const x = (vertices[a] + vertices[b]) * 0.5;
        const y = (vertices[a + 1] + vertices[b + 1]) * 0.5;
        const z = (vertices[a + 2] + vertices[b + 2]) * 0.5;
        node[at] = x;
        node[at + 1] = y;
        node[at + 2] = z;
        const ex = endX - x;
        const ey = endY - y;
        const ez = endZ - z;
        node[at + 3] = other === endPoly ? 0 : scale * Math.sqrt(ex * ex + ey * ey + ez * ez);
        nodeStamp[other] = stamp;
        nodeHeapIndex[other] = -1;
      } else if (bestCost >= nodeCost[other]) {
        // The way back, mostly: it cannot be cheaper.
        continue;
      }
      const dx = node[at] - bx;
      const dy = node[at + 1] - by;
      const dz = node[at + 2] - bz;
      const estimate = node[at + 3];
      let cost = bestCost + areaCost * Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (other === endPoly) {
        const ex = endX - node[at];
        const ey = endY - node[at + 1];
        const ez = endZ - node[at + 2];
        cost += areaCosts[polyArea[other]] * Math.sqrt(ex * ex + ey * ey + ez * ez);
      }
      const key = cost + estimate;
      if (!isNew && key >= nodeCost[other] + estimate) continue;
      nodeCost[other] = cost;
      nodeParent[other] = best;
      nodeCrossing[other] = e;
      if (estimate < nearestEstimate) {
        nearestEstimate = estimate;
        nearest = other;
      }
      if (nodeHeapIndex[other] >= 0 || (held >= 0 && key >= heldKey)) {
        pushOrLower(state, other);
        continue;
      }
      if (held >= 0) pushOrLower(state, held);
      held = other;
      heldKey = key;
    }
    if (held < 0) {
      if (state.heapSize === 0) break;
      best = popNode(state);
    } else {
      best = state.heapSize === 0 || heldKey < state.heapKey[0] ? held : replaceTop(state, held);
    }
  }
  if (best === endPoly) nearest = endPoly;

  out.outcome = nearest === endPoly ? 'complete' : isShort ? 'budget' : 'unreachable';
  out.cost = startPoly === endPoly ? areaCosts[polyArea[startPoly]] * straight : nodeCost[nearest];
  out.visitedCount = visited;
  writeCorridor(out, state, nearest);
}

/** Follows the parents back from the last node. */
function writeCorridor(out: Corridor, state: SearchState, last: number): void {
  const { nodeParent, nodeCrossing } = state;
  let count = 0;
  for (let at = last; at >= 0; at = nodeParent[at]) count++;
  if (out.polys.length < count) {
    const capacity = Math.max(count, 2 * out.polys.length, 32);
    out.polys = new Int32Array(capacity);
    out.crossings = new Int32Array(capacity);
  }
  out.count = count;
  let i = count - 1;
  let at = last;
  while (i > 0) {
    out.polys[i] = at;
    out.crossings[--i] = nodeCrossing[at];
    at = nodeParent[at];
  }
  out.polys[0] = at;
}
