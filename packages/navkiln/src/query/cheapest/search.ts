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
import {
  isLinkCrossing,
  linkEndCrossing,
  linkLength,
  linkOf,
  otherEnd,
  portalCrossing,
  portalOf,
} from '../../mesh/crossing.ts';
import { FAR, NEAR, countShares, setLinkPlace } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { estimateScale, passesFilter, passesLinkEnd, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import type { SearchState } from '../search-state.ts';
import { clearPolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import {
  CONE_LEFT,
  CONE_RIGHT,
  END_LEFT,
  END_RIGHT,
  GOAL_SCALE,
  LEAST_COST,
  MOST_SAMPLES,
  POLY_COST,
  estimateFrom,
  openEdge,
  openLink,
  openPortal,
  restOfLink,
  setPortalEnds,
  span,
} from './gates.ts';
import {
  COUNT,
  CROSSING,
  FIRST,
  FLAGS,
  GATE,
  GATE_STRIDE,
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
  SAMPLE_COST,
  SAMPLE_REST,
  SAMPLE_STRIDE,
  SAMPLE_X,
  SAMPLE_Z,
  STAMP,
  TWIN,
  WEIGHT,
  addWindow,
  clearCheapest,
  reserveSamples,
} from './state.ts';
import type { CheapestState } from './state.ts';

/** A factor of estimates that keeps them far below all costs. */
const NO_ESTIMATE = 1e-200;
/** A cost must be lower by this share to replace another, so that rounding starts no new windows. */
const ROUNDING = 1e-12;
/** Offset in `SearchState.goal`: the smallest estimate so far. */
const GOAL_NEAREST = 4;
const START = -1;

/** Roots of the window that is expanded: x, z, cost; and the window that each has got on the current gate. */
const root = new Float64Array(3 * (MOST_SAMPLES + 8));
const rootWindow = new Int32Array(MOST_SAMPLES + 8);
/** Corners of the polygon that is expanded: x, z, cost to reach it; and its root. */
let corner = new Float64Array(48);
let cornerRoot = new Int32Array(16);
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
  const { num, int, gates, samples, sampleOwner } = state;
  const g = GATE_STRIDE * int[INT_STRIDE * window + GATE];
  const first = gates[g + FIRST];
  const end = first + (gates[g + COUNT] >> 1);
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
    const isReversed = (gates[g + COUNT] & 1) !== 0;
    setSideRoot(state, 3, n + LEFT_X, at.leftIsEnd, isReversed ? a : b);
    setSideRoot(state, 6, n + RIGHT_X, at.rightIsEnd, isReversed ? b : a);
    return true;
  }
  let count = 0;
  for (let i = a; i <= b; i++) {
    if (sampleOwner[i] !== window) continue;
    for (let k = 0; k < 3; k++) root[3 * count + k] = samples[SAMPLE_STRIDE * i + k];
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
    for (let k = 0; k < 3; k++) root[r + k] = state.samples[SAMPLE_STRIDE * sample + k];
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
  const { gates } = state;
  const { edgeNeighbor, portalNext } = mesh;
  span[POLY_COST] = filter.areaCosts[mesh.polyArea[poly]];
  const back = window < 0 ? -1 : gates[GATE_STRIDE * state.int[INT_STRIDE * window + GATE] + TWIN];
  // Along the gate itself, where this side is the cheaper one.
  const isAlong = window >= 0 && at.rootCount > 0 && span[POLY_COST] < state.num[NUM_STRIDE * window + WEIGHT];
  if (poly === state.endPoly) offerTarget(state);
  const first = mesh.polyEdgeStart[poly];
  const count = mesh.polyVertexCount[poly];
  const roots = at.rootCount === 0 ? 3 : at.rootCount;
  let least = Infinity;
  for (let k = 0; k < roots; k++) if (root[3 * k + 2] < least) least = root[3 * k + 2];
  span[LEAST_COST] = least;
  reachCorners(mesh, first, count);
  for (let k = 0; k < count; k++) {
    const e = first + k;
    const other = edgeNeighbor[e];
    if (other < 0 || (e === back && !isAlong)) continue;
    const next = k + 1 === count ? 0 : k + 1;
    const g = GATE_STRIDE * e;
    const isNew = gates[g + STAMP] !== state.stamp;
    if (!isNew && gates[g + FIRST] < 0) continue;
    for (let c = 0; c < 2; c++) {
      span[END_RIGHT + c] = corner[3 * k + c];
      span[END_LEFT + c] = corner[3 * next + c];
    }
    if (isNew) openEdge(state, mesh, filter, e, other);
    if (gates[g + FIRST] >= 0) spreadEdge(state, e, other, k, next);
  }
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = portalNext[portal]) {
    const gate = mesh.edgeCount + portal;
    if (gate === back && !isAlong) continue;
    const e = mesh.portalEdge[portal];
    setPortalEnds(mesh, portal, e, e + 1 === first + count ? first : e + 1);
    if (gates[GATE_STRIDE * gate + STAMP] !== state.stamp) openPortal(state, mesh, filter, portal);
    if (gates[GATE_STRIDE * gate + FIRST] >= 0) spread(state, gate, portalCrossing(portal), mesh.portalPoly[portal]);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    spreadLink(state, mesh, filter, linkEnd);
  }
}

/** Sets the corners of the polygon, the cost to reach each, and its root. */
function reachCorners(mesh: NavMesh, first: number, count: number): void {
  const { vertices, edgeVertex } = mesh;
  if (cornerRoot.length < count) {
    corner = new Float64Array(6 * count);
    cornerRoot = new Int32Array(2 * count);
  }
  for (let k = 0; k < count; k++) {
    const v = 3 * edgeVertex[first + k];
    reached[0] = corner[3 * k] = vertices[v];
    reached[1] = corner[3 * k + 1] = vertices[v + 2];
    cornerRoot[k] = reach();
    corner[3 * k + 2] = reached[2];
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
  const r = reach();
  if (reached[2] >= target[2]) return;
  target[2] = reached[2];
  state.targetWindow = at.window;
  state.targetRoot[0] = root[3 * r];
  state.targetRoot[1] = root[3 * r + 1];
}

/** Offers the roots to the samples of an edge between corners `k` and `next`. */
function spreadEdge(state: CheapestState, edge: number, poly: number, k: number, next: number): void {
  const { gates, samples } = state;
  const first = gates[GATE_STRIDE * edge + FIRST];
  const count = gates[GATE_STRIDE * edge + COUNT];
  const last = first + (count >> 1) - 1;
  const a = (count & 1) !== 0 ? next : k;
  const b = (count & 1) !== 0 ? k : next;
  const firstWindow = state.windowCount;
  reached[2] = corner[3 * a + 2];
  offer(state, edge, edge, poly, first, cornerRoot[a], firstWindow);
  // Samples that no root can reach soon enough are left out.
  const most = state.target[2] - span[LEAST_COST];
  for (let i = first + 1; i < last; i++) {
    const s = SAMPLE_STRIDE * i;
    if (samples[s + SAMPLE_REST] >= most) continue;
    reached[0] = samples[s + SAMPLE_X];
    reached[1] = samples[s + SAMPLE_Z];
    const r = reach();
    offer(state, edge, edge, poly, i, r, firstWindow);
  }
  reached[2] = corner[3 * b + 2];
  offer(state, edge, edge, poly, last, cornerRoot[b], firstWindow);
  for (let window = firstWindow; window < state.windowCount; window++) pushItem(state.heap, window, state.key);
}

/** Offers the roots to the samples of the current gate. */
function spread(state: CheapestState, gate: number, crossing: number, poly: number): void {
  const { gates, samples } = state;
  const first = gates[GATE_STRIDE * gate + FIRST];
  const end = first + (gates[GATE_STRIDE * gate + COUNT] >> 1);
  const firstWindow = state.windowCount;
  for (let i = first; i < end; i++) {
    reached[0] = samples[SAMPLE_STRIDE * i + SAMPLE_X];
    reached[1] = samples[SAMPLE_STRIDE * i + SAMPLE_Z];
    const r = reach();
    offer(state, gate, crossing, poly, i, r, firstWindow);
  }
  for (let window = firstWindow; window < state.windowCount; window++) pushItem(state.heap, window, state.key);
}

/** Offers root r to sample i, at the cost in `reached`. */
// oxlint-disable-next-line max-params -- numbers
function offer(
  state: CheapestState,
  gate: number,
  crossing: number,
  poly: number,
  i: number,
  r: number,
  firstWindow: number,
): void {
  const { goal, samples } = state;
  const cost = reached[2];
  const s = SAMPLE_STRIDE * i;
  if (!(cost < samples[s + SAMPLE_COST] * (1 - ROUNDING))) return;
  const estimate = samples[s + SAMPLE_REST];
  if (cost + estimate >= state.target[2]) return;
  let window = rootWindow[r];
  if (window < firstWindow || window >= state.windowCount || state.int[INT_STRIDE * window + FLAGS] >> 2 !== r) {
    window = rootWindow[r] = openWindow(state, gate, crossing, poly, r);
  }
  samples[s + SAMPLE_COST] = cost;
  state.sampleOwner[i] = window;
  if (cost + estimate < state.key[window]) state.key[window] = cost + estimate;
  if (estimate < goal[GOAL_NEAREST]) {
    goal[GOAL_NEAREST] = estimate;
    state.nearest = window;
  }
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
  const isBackward = state.guide !== null;
  const entered = isBackward ? otherEnd(linkEnd) : linkEnd;
  const near = isBackward ? FAR : NEAR;
  const far = isBackward ? NEAR : FAR;
  const gate = mesh.edgeCount + mesh.portalCount + entered;
  const other = mesh.linkPoly[otherEnd(linkEnd)];
  const shares = countShares(mesh, linkOf(linkEnd));
  if (state.gates[GATE_STRIDE * gate + STAMP] !== state.stamp) {
    const isOpen = other >= 0 && passesLinkEnd(filter, mesh, entered) && passesFilter(filter, mesh, other);
    openLink(state, gate, isOpen ? state.sampleCount : -1, shares);
    if (!isOpen) return;
    reserveSamples(state, shares);
    for (let k = 0; k < shares; k++) state.samples[SAMPLE_STRIDE * state.sampleCount++ + SAMPLE_COST] = Infinity;
  }
  const { samples } = state;
  const first = state.gates[GATE_STRIDE * gate + FIRST];
  if (first < 0) return;
  const linkCost = linkLength(mesh, entered) * filter.areaCosts[mesh.linkArea[linkOf(linkEnd)]];
  for (let k = 0; k < shares; k++) {
    setLinkPlace(place, mesh, entered, k, shares);
    reached[0] = place[near];
    reached[1] = place[near + 2];
    reach();
    const cost = reached[2] + linkCost;
    const s = SAMPLE_STRIDE * (first + k);
    if (!(cost < samples[s + SAMPLE_COST] * (1 - ROUNDING))) continue;
    const x = place[far];
    const z = place[far + 2];
    let estimate = estimateFrom(state, x, z);
    if (state.guide !== null) estimate = Math.max(estimate, restOfLink(state.guide, gate, k, x, z, linkCost));
    if (cost + estimate >= state.target[2]) continue;
    const window = addWindow(state);
    const { num, int, goal } = state;
    const n = NUM_STRIDE * window;
    // A cone without width: the root sees everything.
    num[n + ROOT_X] = num[n + LEFT_X] = num[n + RIGHT_X] = samples[s + SAMPLE_X] = x;
    num[n + ROOT_Z] = num[n + LEFT_Z] = num[n + RIGHT_Z] = samples[s + SAMPLE_Z] = z;
    num[n + ROOT_COST] = samples[s + SAMPLE_COST] = cost;
    num[n + WEIGHT] = filter.areaCosts[mesh.polyArea[other]];
    const i = INT_STRIDE * window;
    int[i + POLY] = other;
    int[i + CROSSING] = linkEndCrossing(entered);
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
export function writeCheapest(out: Corridor, base: SearchState, mesh: NavMesh): void {
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
  const isBackward = state.guide !== null;
  let w = last;
  for (let i = count - 1; i > 0; i--) {
    const crossing = int[INT_STRIDE * w + CROSSING];
    const poly = int[INT_STRIDE * w + POLY];
    out.polys[isBackward ? count - 1 - i : i] = poly;
    out.crossings[isBackward ? count - 1 - i : i - 1] = isBackward ? reversed(state, mesh, crossing) : crossing;
    w = int[INT_STRIDE * w + PARENT];
  }
  out.polys[isBackward ? count - 1 : 0] = state.startPoly;
}

/** Returns the crossing that leads back. Links keep theirs, since a search from the end stores it so. */
function reversed(state: CheapestState, mesh: NavMesh, crossing: number): number {
  if (crossing >= 0) return state.gates[GATE_STRIDE * crossing + TWIN];
  return isLinkCrossing(crossing) ? crossing : portalCrossing(mesh.portalBack[portalOf(crossing)]);
}
