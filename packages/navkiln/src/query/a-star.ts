/**
 * Polygon corridor: which polygons lead from one point to another at the least cost.
 *
 * A* over polygons. A node stands where the path enters its polygon: the midpoint of an edge or portal, or the far anchor of a
 * link; a step costs its length times the cost of the area it crosses, the last one goes on to the end point. A link adds its
 * own cost or its length, times the cost of its area. The estimate is the straight distance times the smallest cost of any area
 * times HEURISTIC_SCALE, and times the mesh's `linkScale`, as links may be shorter than they look. When the end is not reached,
 * the corridor leads to the node that came nearest to it. Closed nodes are opened again when a cheaper way is found.
 * In: two polygons and points on them. Out: the corridor and its crossings. Cost: O(n log n) in the nodes visited, no allocation
 * after warm-up. A search can stop after any number of nodes and go on later: beginCorridor, runCorridor, writeCorridor.
 *
 * Based on: Peter Hart, Nils Nilsson, Bertram Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
 * Paths, 1968, in the form of Detour's findPath (Mikko Mononen), the same in costs and order. Its quirk is kept
 * too: a node stays at the midpoint through which it was *first* found, even when a cheaper way comes through another
 * edge; so the corridor is not always the best one. (A cheaper link does move it.) Other than there: doubles, no limit on nodes
 * unless asked for, an estimate that holds for costs below 1 and for teleporters, and heap positions instead of a search through
 * the heap. The best node found from the one at hand is kept out of the heap, as it is mostly the next: a tenth faster, at the
 * price that nodes of exactly equal keys may come in another order.
 * Tried and lost: edge midpoints computed beforehand, and a heap without positions that passes over stale entries (no
 * measurable difference, either; a polygon looked at costs some 70 ns).
 */
import { HEURISTIC_SCALE } from '../constants.ts';
import { hookOf, setCrossingEnds } from '../navmesh/crossing.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { costOf, passesFilter, passesHook, smallestCost } from './filter.ts';
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
  /** Of the search: over the midpoints of what is crossed, to the end point when it was reached. */
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
  beginCorridor(state, mesh, filter, startPoly, startPoint, endPoly, endPoint);
  runCorridor(state, mesh, filter, maxNodes, Infinity);
  writeCorridor(out, state);
}

/** Kernel. Makes a state ready for `runCorridor`. */
export function beginCorridor(
  state: SearchState, mesh: NavMesh, filter: QueryFilter, startPoly: number, startPoint: Float64Array, endPoly: number,
  endPoint: Float64Array,
): void {
  const scale = HEURISTIC_SCALE * smallestCost(filter) * mesh.linkScale;
  beginSearch(state, mesh);
  const { node, goal } = state;
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    goal[k] = endPoint[k];
    node[4 * startPoly + k] = startPoint[k];
    sum += (endPoint[k] - startPoint[k]) * (endPoint[k] - startPoint[k]);
  }
  const length = Math.sqrt(sum);
  goal[3] = scale;
  goal[4] = node[4 * startPoly + 3] = scale * length;
  state.nodeCost[startPoly] = startPoly !== endPoly ? 0 :
    filter.cost === undefined ? filter.areaCosts[mesh.polyArea[startPoly]] * length : costOf(filter, mesh, startPoly, length);
  state.nodeStamp[startPoly] = state.stamp;
  state.nodeParent[startPoly] = state.nodeHeapIndex[startPoly] = -1;
  state.endPoly = endPoly;
  state.best = state.nearest = startPoly;
  state.visitedCount = 1;
  state.isShort = false;
}

/**
 * Kernel. Expands at most `steps` nodes, and looks at no more than `maxNodes` in all; true when the search is over. The mesh and
 * the filter must be as they were.
 */
export function runCorridor(state: SearchState, mesh: NavMesh, filter: QueryFilter, maxNodes: number, steps: number): boolean {
  const { vertices, edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount, polyArea, polyFlags, polyPortal, polyLink } = mesh;
  const { areaCosts, includeFlags, excludeFlags } = filter;
  const hasMethods = filter.passes !== undefined || filter.cost !== undefined;
  const { node, nodeStamp, nodeCost, nodeParent, nodeCrossing, nodeHeapIndex, stamp, goal, endPoly } = state;
  const endX = goal[0];
  const endY = goal[1];
  const endZ = goal[2];
  const scale = goal[3];
  let nearestEstimate = goal[4];
  let { visitedCount, nearest, best, isShort } = state;
  for (let step = 0; best !== endPoly && best >= 0 && step < steps; step++) {
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
    let portal = polyPortal[best];
    let hook = polyLink[best];
    for (let e = first; ; e++) {
      let other: number;
      let crossing = e;
      if (e < end) {
        other = edgeNeighbor[e];
        if (other < 0) continue;
      } else if (portal >= 0) {
        crossing = -2 - 2 * portal;
        other = mesh.portalPoly[portal];
        portal = mesh.portalNext[portal];
      } else if (hook >= 0) {
        crossing = -3 - 2 * hook;
        other = mesh.linkPoly[hook ^ 1];
        hook = mesh.linkNext[hook];
        if (other < 0 || !passesHook(filter, mesh, hookOf(crossing))) continue;
      } else {
        break;
      }
      const at = 4 * other;
      const isNew = nodeStamp[other] !== stamp;
      // The way back, mostly: it cannot be cheaper.
      if (!isNew && bestCost >= nodeCost[other]) continue;
      let x = node[at];
      let y = node[at + 1];
      let z = node[at + 2];
      let estimate = node[at + 3];
      const isLink = e >= end && (crossing & 1) !== 0;
      if (isNew || isLink) {
        if (isNew) {
          if (hasMethods) {
            if (!passesFilter(filter, mesh, other)) continue;
          } else {
            const flags = polyFlags[other];
            if ((flags & includeFlags) === 0 || (flags & excludeFlags) !== 0) continue;
          }
          if (visitedCount >= maxNodes) {
            isShort = true;
            continue;
          }
        }
        if (e < end) {
          const a = 3 * edgeVertex[e];
          const b = 3 * edgeVertex[e + 1 === end ? first : e + 1];
          x = (vertices[a] + vertices[b]) * 0.5;
          y = (vertices[a + 1] + vertices[b + 1]) * 0.5;
          z = (vertices[a + 2] + vertices[b + 2]) * 0.5;
        } else {
          setEntry(mesh, best, crossing);
          x = entry[0];
          y = entry[1];
          z = entry[2];
        }
        const ex = endX - x;
        const ey = endY - y;
        const ez = endZ - z;
        estimate = other === endPoly ? 0 : scale * Math.sqrt(ex * ex + ey * ey + ez * ez);
      }
      const dx = (isLink ? entry[3] : x) - bx;
      const dy = (isLink ? entry[4] : y) - by;
      const dz = (isLink ? entry[5] : z) - bz;
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      let cost = bestCost + (hasMethods ? costOf(filter, mesh, best, length) : areaCost * length);
      if (isLink) cost += entry[6] * areaCosts[mesh.linkArea[(-3 - crossing) >> 2]];
      if (other === endPoly) {
        const ex = endX - x;
        const ey = endY - y;
        const ez = endZ - z;
        const rest = Math.sqrt(ex * ex + ey * ey + ez * ez);
        cost += hasMethods ? costOf(filter, mesh, other, rest) : areaCosts[polyArea[other]] * rest;
      }
      const key = cost + estimate;
      if (isNew) {
        visitedCount++;
        nodeStamp[other] = stamp;
        nodeHeapIndex[other] = -1;
      } else if (cost >= nodeCost[other] || key >= nodeCost[other] + node[at + 3]) {
        continue;
      }
      if (isNew || isLink) {
        node[at] = x;
        node[at + 1] = y;
        node[at + 2] = z;
        node[at + 3] = estimate;
      }
      nodeCost[other] = cost;
      nodeParent[other] = best;
      nodeCrossing[other] = crossing;
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
    if (held >= 0) best = state.heapSize === 0 || heldKey < state.heapKey[0] ? held : replaceTop(state, held);
    else best = state.heapSize === 0 ? -1 : popNode(state);
  }
  state.best = best;
  state.nearest = best === endPoly ? endPoly : nearest;
  goal[4] = nearestEstimate;
  state.visitedCount = visitedCount;
  state.isShort = isShort;
  return best === endPoly || best < 0;
}

/** Where a path enters that takes a portal or link (0 .. 2); of a link, where it leaves (3 .. 5), and its length (6). */
const entry = new Float64Array(7);
const ends = new Float64Array(6);

function setEntry(mesh: NavMesh, poly: number, crossing: number): void {
  if ((crossing & 1) === 0) {
    setCrossingEnds(ends, mesh, poly, crossing);
    for (let k = 0; k < 3; k++) entry[k] = (ends[k] + ends[k + 3]) * 0.5;
    return;
  }
  const { linkAnchors } = mesh;
  const hook = hookOf(crossing);
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const near = 6 * hook + k;
    const far = 6 * (hook ^ 1) + k;
    entry[k] = (linkAnchors[far] + linkAnchors[far + 3]) * 0.5;
    entry[k + 3] = (linkAnchors[near] + linkAnchors[near + 3]) * 0.5;
    const d = entry[k] - entry[k + 3];
    sum += d * d;
  }
  const cost = mesh.linkCost[hook >> 1];
  entry[6] = cost >= 0 ? cost : Math.sqrt(sum);
}

/** The corridor to the end, or to the node nearest to it, by following the parents back. */
export function writeCorridor(out: Corridor, state: SearchState): void {
  const { nodeParent, nodeCrossing, nearest } = state;
  out.outcome = nearest === state.endPoly ? 'complete' : state.isShort || state.best >= 0 ? 'budget' : 'unreachable';
  out.cost = state.nodeCost[nearest];
  out.visitedCount = state.visitedCount;
  let count = 0;
  for (let at = nearest; at >= 0; at = nodeParent[at]) count++;
  if (out.polys.length < count) {
    const capacity = Math.max(count, 2 * out.polys.length, 32);
    out.polys = new Int32Array(capacity);
    out.crossings = new Int32Array(capacity);
  }
  out.count = count;
  for (let at = nearest, i = count - 1; i >= 0; i--) {
    out.polys[i] = at;
    if (i > 0) out.crossings[i - 1] = nodeCrossing[at];
    at = nodeParent[at];
  }
}
