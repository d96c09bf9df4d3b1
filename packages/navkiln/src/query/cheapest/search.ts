/**
 * Searches the cheapest corridor across areas with costs: A* over windows, which are what a root sees of a gate.
 *
 *        root                 A gate is an edge, a portal or a link end, with a few sample points (x). A window spreads
 *         o                   from its gate over the polygon behind: each sample of another gate takes the root that
 *        / \                  reaches it at the least cost. A root that gains samples there has a window there.
 *     --x---x---x--  gate
 *      /     \      \         Where both polygons of a gate have one cost, the root stays, so lines are straight across
 *    -x---x---x---x--         any number of polygons. The ends of the gate become roots for samples outside of the
 *                             cone. Where the cost changes, each sample that a window owns becomes a root, since
 *                             paths bend there.
 *
 * A window whose samples all went to others is skipped. Samples of a gate where costs change are also reached along the
 * gate itself, at the cost of its cheaper side.
 *
 * In: two polygons and a point on each, a filter, the spacing of samples, a budget.
 * Out: a corridor, whose line the refinement moves (refine.ts).
 * Cost: O(s log w) for s samples and w windows that the search visits. No allocation after warm-up.
 * Based on: own; with ideas of Joseph Mitchell and Christos Papadimitriou, The Weighted Region Problem, 1991
 *   (intervals with a root), and Lyudmil Aleksandrov, Anil Maheshwari, Jörg-Rüdiger Sack, Determining Approximate
 *   Shortest Paths on Weighted Polyhedral Surfaces, 2005 (points on edges).
 */
import { popItem, pushItem } from '../../base/data/min-heap.ts';
import { linkEndCrossing, linkLength, linkOf, otherEnd, portalCrossing } from '../../mesh/crossing.ts';
import { FAR, NEAR, countShares, setLinkPlace } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { estimateScale, passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { SearchState } from '../search-state.ts';
import { clearPolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import {
  BORDER,
  BY_COST,
  CROSSING,
  FLAGS,
  GATE,
  INNER,
  INT_STRIDE,
  LEFT_IS_END,
  LEFT_X,
  LEFT_Z,
  NO_WINDOW,
  NUM_STRIDE,
  PARENT,
  POLY,
  RIGHT_IS_END,
  RIGHT_X,
  RIGHT_Z,
  ROOT_COST,
  ROOT_X,
  ROOT_Z,
  WEIGHT,
  addWindow,
  clearCheapest,
  reserveSamples,
} from './state.ts';
import type { CheapestState } from './state.ts';

/** Most samples on a gate. */
const MOST_SAMPLES = 64;
/** A factor of estimates that keeps them far below all costs. */
const NO_ESTIMATE = 1e-200;
/** A cost must be lower by this share to replace another, so that rounding starts no new windows. */
const ROUNDING = 1e-12;
/** Offsets in `SearchState.goal`: the factor of estimates, and the smallest estimate so far. */
const GOAL_SCALE = 3;
const GOAL_NEAREST = 4;
const START = -1;

/** Roots of the window that is expanded: x, z, cost; and the window that each has got on the current gate. */
const root = new Float64Array(3 * (MOST_SAMPLES + 8));
const rootWindow = new Int32Array(MOST_SAMPLES + 8);
/** The window that is expanded. */
const at = {
  window: START,
  poly: 0,
  /** Number of roots if all of them see the polygon; 0: root 0 sees a cone, roots 1 and 2 lie to its left and right. */
  rootCount: 0,
  /** Number of the first roots that are samples of one window, in order, and the one that was best last. */
  chainCount: 0,
  nearest: 0,
  leftIsEnd: false,
  rightIsEnd: false,
};
/** Cost of the polygon that is expanded, the limits of the cone, the ends of the current gate: right, left. */
const span = new Float64Array(9);
const POLY_COST = 0;
const CONE_LEFT = 1;
const CONE_RIGHT = 3;
const END_RIGHT = 5;
const END_LEFT = 7;
/** The point to reach, and the cost to reach it. */
const reached = new Float64Array(3);
const place = new Float64Array(6);

/** Prepares a search; the caller has set `spacing`. */
// oxlint-disable-next-line max-params -- the signature of `beginCorridor`
export function beginCheapest(
  base: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  startPoint: Float64Array,
  endPoly: number,
  endPoint: Float64Array,
): void {
  refuseInMethod('findCheapestPath');
  const state = base as CheapestState;
  const { goal, target } = state;
  clearCheapest(state, mesh);
  target[2] = state.limit;
  goal[GOAL_SCALE] = Math.max(estimateScale(filter) * mesh.linkScale, NO_ESTIMATE);
  target[0] = goal[0] = endPoint[0];
  target[1] = goal[2] = endPoint[2];
  state.startPoint.set(startPoint);
  state.startPoly = startPoly;
  state.endPoly = endPoly;
  state.nearest = START;
  goal[GOAL_NEAREST] = estimateFrom(state, startPoint[0], startPoint[2]);
  state.visitedCount = 1;
  state.expandedCount = 0;
  state.isShort = false;
  state.best = START;
}

function estimateFrom({ goal }: CheapestState, x: number, z: number): number {
  const dx = x - goal[0];
  const dz = z - goal[2];
  return goal[GOAL_SCALE] * Math.sqrt(dx * dx + dz * dz);
}

/** Expands at most `steps` windows. Returns true when the search is over. */
export function runCheapest(
  base: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxNodes: number,
  steps: number,
): boolean {
  const state = base as CheapestState;
  const { heap, target } = state;
  if (state.best === START) {
    state.best = 0;
    setStartRoots(state);
    expand(state, mesh, filter);
  }
  for (let step = 0; step < steps; step++) {
    if (heap.count === 0 || heap.keys[0] >= target[2]) return true;
    if (state.visitedCount >= maxNodes) {
      state.isShort = true;
      return true;
    }
    const window = popItem(heap);
    if (!setRoots(state, mesh, filter, window)) continue;
    state.visitedCount++;
    expand(state, mesh, filter);
  }
  return false;
}

function setStartRoots({ startPoint, startPoly }: CheapestState): void {
  at.window = START;
  at.poly = startPoly;
  at.rootCount = 1;
  at.chainCount = 0;
  root[0] = startPoint[0];
  root[1] = startPoint[2];
  root[2] = 0;
}

/** Sets the roots of a window. Returns false if it owns no samples. */
function setRoots(state: CheapestState, mesh: NavMesh, filter: QueryFilter, window: number): boolean {
  const { num, int, sampleOwner, sampleX, sampleZ, sampleCost } = state;
  const gate = int[INT_STRIDE * window + GATE];
  const first = state.gateFirst[gate];
  const end = first + state.gateCount[gate];
  let a = first;
  while (a < end && sampleOwner[a] !== window) a++;
  if (a === end) return false;
  let b = end - 1;
  while (sampleOwner[b] !== window) b--;
  const n = NUM_STRIDE * window;
  at.window = window;
  at.poly = int[INT_STRIDE * window + POLY];
  const flags = int[INT_STRIDE * window + FLAGS];
  at.leftIsEnd = (flags & LEFT_IS_END) !== 0;
  at.rightIsEnd = (flags & RIGHT_IS_END) !== 0;
  const weight = num[n + WEIGHT];
  if (weight === filter.areaCosts[mesh.polyArea[at.poly]]) {
    at.rootCount = 0;
    for (let k = 0; k < 3; k++) root[k] = num[n + k];
    for (let k = 0; k < 4; k++) span[CONE_LEFT + k] = num[n + LEFT_X + k];
    // The samples of a gate run in one of both directions.
    const lx = num[n + LEFT_X];
    const lz = num[n + LEFT_Z];
    const isReversed =
      (sampleX[b] - sampleX[a]) * (lx - num[n + RIGHT_X]) + (sampleZ[b] - sampleZ[a]) * (lz - num[n + RIGHT_Z]) < 0;
    setSideRoot(state, 3, n + LEFT_X, at.leftIsEnd, isReversed ? a : b);
    setSideRoot(state, 6, n + RIGHT_X, at.rightIsEnd, isReversed ? b : a);
    return true;
  }
  let count = 0;
  for (let i = a; i <= b; i++) {
    if (sampleOwner[i] !== window) continue;
    root[3 * count] = sampleX[i];
    root[3 * count + 1] = sampleZ[i];
    root[3 * count + 2] = sampleCost[i];
    count++;
  }
  at.chainCount = count;
  at.nearest = 0;
  if (at.leftIsEnd) setSideRoot(state, 3 * count++, n + LEFT_X, true, a);
  if (at.rightIsEnd) setSideRoot(state, 3 * count++, n + RIGHT_X, true, a);
  at.rootCount = count;
  return true;
}

/** Sets a root to a limit of the window whose row in `num` contains `limit`, or to a sample. */
function setSideRoot(state: CheapestState, r: number, limit: number, isEnd: boolean, sample: number): void {
  const { num } = state;
  if (!isEnd) {
    root[r] = state.sampleX[sample];
    root[r + 1] = state.sampleZ[sample];
    root[r + 2] = state.sampleCost[sample];
    return;
  }
  const n = NUM_STRIDE * at.window;
  const dx = num[limit] - num[n + ROOT_X];
  const dz = num[limit + 1] - num[n + ROOT_Z];
  root[r] = num[limit];
  root[r + 1] = num[limit + 1];
  root[r + 2] = num[n + ROOT_COST] + num[n + WEIGHT] * Math.sqrt(dx * dx + dz * dz);
}

/** Spreads the window in `at` over its polygon. */
function expand(state: CheapestState, mesh: NavMesh, filter: QueryFilter): void {
  const { poly, window } = at;
  const { edgeNeighbor, portalNext } = mesh;
  span[POLY_COST] = filter.areaCosts[mesh.polyArea[poly]];
  const back = window < 0 ? -1 : backGateOf(state, mesh, window);
  // Along the gate itself, where this side is the cheaper one.
  const isAlong = window >= 0 && at.rootCount > 0 && span[POLY_COST] < state.num[NUM_STRIDE * window + WEIGHT];
  if (poly === state.endPoly) offerTarget(state);
  const first = mesh.polyEdgeStart[poly];
  const end = first + mesh.polyVertexCount[poly];
  for (let e = first; e < end; e++) {
    const other = edgeNeighbor[e];
    if (other < 0 || (e === back && !isAlong)) continue;
    if (state.gateStamp[e] !== state.stamp) openEdge(state, mesh, filter, e, other);
    if (state.gateFirst[e] < 0) continue;
    setEdge(mesh, e, e + 1 === end ? first : e + 1, 0, 1);
    spread(state, e, e, other);
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
    const gate = mesh.edgeCount + portal;
    if (gate === back && !isAlong) continue;
    const e = mesh.portalEdge[portal];
    setEdge(mesh, e, e + 1 === end ? first : e + 1, mesh.portalSpan[2 * portal], mesh.portalSpan[2 * portal + 1]);
    if (state.gateStamp[gate] !== state.stamp) openPortal(state, mesh, filter, portal);
    if (state.gateFirst[gate] >= 0) spread(state, gate, portalCrossing(portal), mesh.portalPoly[portal]);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    spreadLink(state, mesh, filter, linkEnd);
  }
}

/** Sets the ends of the current gate: the part from `from` to `to` of an edge. */
function setEdge(mesh: NavMesh, e: number, next: number, from: number, to: number): void {
  const { vertices, edgeVertex } = mesh;
  const a = 3 * edgeVertex[e];
  const b = 3 * edgeVertex[next];
  const dx = vertices[b] - vertices[a];
  const dz = vertices[b + 2] - vertices[a + 2];
  span[END_RIGHT] = from === 0 ? vertices[a] : vertices[a] + from * dx;
  span[END_RIGHT + 1] = from === 0 ? vertices[a + 2] : vertices[a + 2] + from * dz;
  span[END_LEFT] = to === 1 ? vertices[b] : vertices[a] + to * dx;
  span[END_LEFT + 1] = to === 1 ? vertices[b + 2] : vertices[a + 2] + to * dz;
}

/** Returns the gate that leads straight back through the crossing of a window, or -1. */
function backGateOf({ int }: CheapestState, mesh: NavMesh, window: number): number {
  const gate = int[INT_STRIDE * window + GATE];
  if (gate < mesh.edgeCount) return twinOf(mesh, gate);
  const portal = gate - mesh.edgeCount;
  return portal < mesh.portalCount ? mesh.edgeCount + mesh.portalBack[portal] : -1;
}

/** Returns the other side of an inner edge. */
function twinOf(mesh: NavMesh, edge: number): number {
  const { edgeVertex, edgeNeighbor, polyEdgeStart, polyVertexCount } = mesh;
  const other = edgeNeighbor[edge];
  const first = polyEdgeStart[other];
  const last = first + polyVertexCount[other] - 1;
  const vertex = edgeVertex[edge];
  for (let e = first; e <= last; e++) {
    if (edgeVertex[e === last ? first : e + 1] !== vertex || edgeNeighbor[e] < 0) continue;
    const start = polyEdgeStart[edgeNeighbor[e]];
    if (edge >= start && edge < start + polyVertexCount[edgeNeighbor[e]]) return e;
  }
  return -1;
}

function openEdge(state: CheapestState, mesh: NavMesh, filter: QueryFilter, edge: number, other: number): void {
  const twin = twinOf(mesh, edge);
  const first = mesh.polyEdgeStart[at.poly];
  setEdge(mesh, edge, edge + 1 === first + mesh.polyVertexCount[at.poly] ? first : edge + 1, 0, 1);
  openGate(state, mesh, filter, edge, other);
  if (twin >= 0) shareGate(state, edge, twin);
}

function openPortal(state: CheapestState, mesh: NavMesh, filter: QueryFilter, portal: number): void {
  const gate = mesh.edgeCount + portal;
  openGate(state, mesh, filter, gate, mesh.portalPoly[portal]);
  shareGate(state, gate, mesh.edgeCount + mesh.portalBack[portal]);
}

function shareGate(state: CheapestState, gate: number, other: number): void {
  state.gateStamp[other] = state.stamp;
  state.gateFirst[other] = state.gateFirst[gate];
  state.gateCount[other] = state.gateCount[gate];
}

/** Places the samples of a gate whose ends are set, unless the polygon behind is closed. */
function openGate(state: CheapestState, mesh: NavMesh, filter: QueryFilter, gate: number, other: number): void {
  state.gateStamp[gate] = state.stamp;
  state.gateFirst[gate] = -1;
  state.gateCount[gate] = 0;
  if (!passesFilter(filter, mesh, other)) return;
  const dx = span[END_LEFT] - span[END_RIGHT];
  const dz = span[END_LEFT + 1] - span[END_RIGHT + 1];
  const otherCost = filter.areaCosts[mesh.polyArea[other]];
  const isBorder = otherCost !== span[POLY_COST];
  let spacing = state.spacing[isBorder ? BORDER : INNER];
  if (state.spacing[BY_COST] !== 0) spacing /= Math.max(span[POLY_COST], otherCost);
  const wanted = Math.ceil(Math.sqrt(dx * dx + dz * dz) / spacing);
  const count = wanted < MOST_SAMPLES ? Math.max(wanted + 1, 2) : MOST_SAMPLES;
  reserveSamples(state, count);
  const first = state.sampleCount;
  state.sampleCount += count;
  state.gateFirst[gate] = first;
  state.gateCount[gate] = count;
  for (let i = 0; i < count; i++) {
    const t = i / (count - 1);
    state.sampleX[first + i] = span[END_RIGHT] + t * dx;
    state.sampleZ[first + i] = span[END_RIGHT + 1] + t * dz;
    state.sampleCost[first + i] = Infinity;
    state.sampleOwner[first + i] = -1;
  }
}

/** Writes the cost to reach the point in `reached`, and returns the number of the root. */
function reach(): number {
  const x = reached[0];
  const z = reached[1];
  const weight = span[POLY_COST];
  let best = 0;
  if (at.rootCount === 0) {
    const ux = x - root[0];
    const uz = z - root[1];
    if ((span[CONE_LEFT + 1] - root[1]) * ux - (span[CONE_LEFT] - root[0]) * uz > 0) best = 1;
    else if ((span[CONE_RIGHT + 1] - root[1]) * ux - (span[CONE_RIGHT] - root[0]) * uz < 0) best = 2;
    const dx = x - root[3 * best];
    const dz = z - root[3 * best + 1];
    reached[2] = root[3 * best + 2] + weight * Math.sqrt(dx * dx + dz * dz);
    return best;
  }
  // Along the samples of one window, the cost is convex, since it is a distance from the window's root.
  const { chainCount, rootCount } = at;
  let least = Infinity;
  if (chainCount > 0) {
    best = at.nearest;
    least = costFrom(best, x, z, weight);
    for (let side = -1; side <= 1; side += 2) {
      for (let k = best + side; k >= 0 && k < chainCount; k += side) {
        const cost = costFrom(k, x, z, weight);
        if (cost > least) break;
        least = cost;
        best = k;
      }
    }
    at.nearest = best;
  }
  for (let k = chainCount; k < rootCount; k++) {
    const cost = costFrom(k, x, z, weight);
    if (cost >= least) continue;
    least = cost;
    best = k;
  }
  reached[2] = least;
  return best;
}

/** Returns the cost to reach a point from root k. */
function costFrom(k: number, x: number, z: number, weight: number): number {
  const dx = x - root[3 * k];
  const dz = z - root[3 * k + 1];
  return root[3 * k + 2] + weight * Math.sqrt(dx * dx + dz * dz);
}

function offerTarget(state: CheapestState): void {
  const { target } = state;
  reached[0] = target[0];
  reached[1] = target[1];
  reach();
  if (reached[2] >= target[2]) return;
  target[2] = reached[2];
  state.targetWindow = at.window;
}

/** Offers the roots to the samples of the current gate. */
function spread(state: CheapestState, gate: number, crossing: number, poly: number): void {
  const { goal, sampleX, sampleZ, sampleCost, sampleOwner } = state;
  const first = state.gateFirst[gate];
  const end = first + state.gateCount[gate];
  const firstWindow = state.windowCount;
  for (let i = first; i < end; i++) {
    reached[0] = sampleX[i];
    reached[1] = sampleZ[i];
    const r = reach();
    const cost = reached[2];
    if (!(cost < sampleCost[i] * (1 - ROUNDING))) continue;
    const dx = sampleX[i] - goal[0];
    const dz = sampleZ[i] - goal[2];
    const estimate = goal[GOAL_SCALE] * Math.sqrt(dx * dx + dz * dz);
    if (cost + estimate >= state.target[2]) continue;
    let window = rootWindow[r];
    if (window < firstWindow || window >= state.windowCount || state.int[INT_STRIDE * window + FLAGS] >> 2 !== r) {
      window = rootWindow[r] = openWindow(state, gate, crossing, poly, r);
    }
    sampleCost[i] = cost;
    sampleOwner[i] = window;
    if (cost + estimate < state.key[window]) state.key[window] = cost + estimate;
    if (estimate < goal[GOAL_NEAREST]) {
      goal[GOAL_NEAREST] = estimate;
      state.nearest = window;
    }
  }
  for (let window = firstWindow; window < state.windowCount; window++) pushItem(state.heap, window, state.key);
}

/** Adds the window of root `r` on the current gate. */
function openWindow(state: CheapestState, gate: number, crossing: number, poly: number, r: number): number {
  const window = addWindow(state);
  const { num, int } = state;
  const n = NUM_STRIDE * window;
  const i = INT_STRIDE * window;
  for (let k = 0; k < 3; k++) num[n + k] = root[3 * r + k];
  for (let k = 0; k < 2; k++) {
    num[n + LEFT_X + k] = span[END_LEFT + k];
    num[n + RIGHT_X + k] = span[END_RIGHT + k];
  }
  num[n + WEIGHT] = span[POLY_COST];
  let flags = LEFT_IS_END | RIGHT_IS_END;
  if (at.rootCount === 0 && r === 0) {
    // A gate may touch the cone with one end only.
    if (turn(CONE_LEFT, END_RIGHT) > 0) {
      flags -= RIGHT_IS_END;
      num[n + RIGHT_X] = span[CONE_LEFT];
      num[n + RIGHT_Z] = span[CONE_LEFT + 1];
    } else if (turn(CONE_RIGHT, END_RIGHT) < 0) {
      flags -= RIGHT_IS_END;
      num[n + RIGHT_X] = span[CONE_RIGHT];
      num[n + RIGHT_Z] = span[CONE_RIGHT + 1];
    }
    if (turn(CONE_RIGHT, END_LEFT) < 0) {
      flags -= LEFT_IS_END;
      num[n + LEFT_X] = span[CONE_RIGHT];
      num[n + LEFT_Z] = span[CONE_RIGHT + 1];
    } else if (turn(CONE_LEFT, END_LEFT) > 0) {
      flags -= LEFT_IS_END;
      num[n + LEFT_X] = span[CONE_LEFT];
      num[n + LEFT_Z] = span[CONE_LEFT + 1];
    }
  }
  int[i + POLY] = poly;
  int[i + CROSSING] = crossing;
  int[i + GATE] = gate;
  int[i + PARENT] = at.window;
  int[i + FLAGS] = flags | (r << 2);
  state.key[window] = Infinity;
  return window;
}

/** Returns the side of point b of `span` when going from root 0 to point a: above 0 left. */
function turn(a: number, b: number): number {
  return (span[a + 1] - root[1]) * (span[b] - root[0]) - (span[a] - root[0]) * (span[b + 1] - root[1]);
}

/** Offers the roots to the shares of a link. Each share that takes one becomes a window behind the link. */
function spreadLink(state: CheapestState, mesh: NavMesh, filter: QueryFilter, linkEnd: number): void {
  const gate = mesh.edgeCount + mesh.portalCount + linkEnd;
  const other = mesh.linkPoly[otherEnd(linkEnd)];
  const shares = countShares(mesh, linkOf(linkEnd));
  if (state.gateStamp[gate] !== state.stamp) {
    state.gateStamp[gate] = state.stamp;
    state.gateFirst[gate] = -1;
    if (other < 0 || !passesLinkEnd(filter, mesh, linkEnd) || !passesFilter(filter, mesh, other)) return;
    reserveSamples(state, shares);
    state.gateFirst[gate] = state.sampleCount;
    state.gateCount[gate] = shares;
    state.sampleCost.fill(Infinity, state.sampleCount, state.sampleCount + shares);
    state.sampleCount += shares;
  }
  const first = state.gateFirst[gate];
  if (first < 0) return;
  const linkCost = linkLength(mesh, linkEnd) * filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
  for (let k = 0; k < shares; k++) {
    setLinkPlace(place, mesh, linkEnd, k, shares);
    reached[0] = place[NEAR];
    reached[1] = place[NEAR + 2];
    reach();
    const cost = reached[2] + linkCost;
    if (!(cost < state.sampleCost[first + k] * (1 - ROUNDING))) continue;
    const x = place[FAR];
    const z = place[FAR + 2];
    const estimate = estimateFrom(state, x, z);
    if (cost + estimate >= state.target[2]) continue;
    const window = addWindow(state);
    const { num, int, goal } = state;
    const n = NUM_STRIDE * window;
    // A cone without width: the root sees everything.
    num[n + ROOT_X] = num[n + LEFT_X] = num[n + RIGHT_X] = state.sampleX[first + k] = x;
    num[n + ROOT_Z] = num[n + LEFT_Z] = num[n + RIGHT_Z] = state.sampleZ[first + k] = z;
    num[n + ROOT_COST] = state.sampleCost[first + k] = cost;
    num[n + WEIGHT] = filter.areaCosts[mesh.polyArea[other]];
    const i = INT_STRIDE * window;
    int[i + POLY] = other;
    int[i + CROSSING] = linkEndCrossing(linkEnd);
    int[i + GATE] = gate;
    int[i + PARENT] = at.window;
    int[i + FLAGS] = 0;
    state.sampleOwner[first + k] = window;
    state.key[window] = cost + estimate;
    pushItem(state.heap, window, state.key);
    if (estimate < goal[GOAL_NEAREST]) {
      goal[GOAL_NEAREST] = estimate;
      state.nearest = window;
    }
  }
}

/** Writes the corridor to the end, or to the window nearest to it. */
export function writeCheapest(out: Corridor, base: SearchState): void {
  const state = base as CheapestState;
  const { int, targetWindow } = state;
  const isComplete = targetWindow !== NO_WINDOW && !state.isShort;
  const last = targetWindow !== NO_WINDOW ? targetWindow : state.nearest;
  out.outcome = targetWindow !== NO_WINDOW ? 'complete' : state.isShort ? 'budget' : 'unreachable';
  out.cost = isComplete ? state.target[2] : NaN;
  out.visitedCount = state.visitedCount;
  let count = 1;
  for (let w = last; w >= 0; w = int[INT_STRIDE * w + PARENT]) count++;
  clearPolys(out, count);
  out.count = count;
  let w = last;
  for (let i = count - 1; i > 0; i--) {
    out.polys[i] = int[INT_STRIDE * w + POLY];
    out.crossings[i - 1] = int[INT_STRIDE * w + CROSSING];
    w = int[INT_STRIDE * w + PARENT];
  }
  out.polys[0] = state.startPoly;
}
