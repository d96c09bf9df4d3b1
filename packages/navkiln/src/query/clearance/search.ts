/**
 * Searches the shortest path of an agent with a radius between the triangles of a clearance.
 *
 * A node is a set of straight lines that leave a root and enter a triangle. The root is the start, or a circle of the radius around a
 * corner. The lines lie between two limits; each limit touches the circle of another corner. The corner of the next triangle narrows the
 * limits. If a limit touches a circle, the path may turn around it, and the circle becomes the root of further nodes. The search expands
 * nodes in the order of the least possible length of a path through them, so the first node at the goal is the shortest path.
 *
 * The search never crosses edges that are too narrow. Other edges need no test against walls: a path that is tight around the corners of the
 * triangles it crosses is never too near to walls behind them, except on its first and last line (see ends.ts).
 *
 * In: a clearance, the start and the goal with their triangles, a radius, in cells.
 * Out: the corners around which the shortest path turns.
 * Cost: that of an exact search on a map built for the radius, but with fewer edges.
 * Based on: Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation Mesh, 2017, for agents without a radius.
 * Circles in place of points are own.
 */
import { popItem, pushItem } from '../../base/data/min-heap.ts';
import { mayLead } from './bridges.ts';
import {
  ARRIVAL,
  FREE,
  NODE_FLOATS,
  NODE_INTS,
  ROOT_FLOATS,
  ROOT_INTS,
  copyLimit,
  pushNode,
  pushRoot,
} from './search-memory.ts';
import {
  NEARLY,
  addRootOnLimit,
  along,
  alongRoot,
  isInWay,
  lengthTo,
  limit,
  narrows,
  roomOf,
  setLimit,
  touch,
  touchPoint,
} from './search-lines.ts';
import { estimate, isWorse, queueNode } from './search-queue.ts';
import type { ClearSearch, Run, SearchEnds } from './search-memory.ts';
import { setTangent } from './tangent.ts';
import { beforeOf, nextOf } from './types.ts';
import type { Clearance } from './types.ts';

const direction = new Float64Array(2);

/** Begins a search with one node for each edge of the start's triangle, and one for the goal if it is in that triangle. */
export function beginSearch(state: ClearSearch, clearance: Clearance, ends: SearchEnds): Run {
  const halfCount = 3 * clearance.triangleCount;
  if (state.best.length < 2 * halfCount) {
    state.best = new Int32Array(2 * halfCount);
    state.bestStamp = new Int32Array(2 * halfCount);
    state.stamp = 0;
  }
  state.stamp++;
  state.rootCount = 0;
  state.nodeCount = 0;
  state.heap.count = 0;
  const run = { state, clearance, ends };
  const root = pushRoot(state, -1, 0, -1);
  const at = ROOT_FLOATS * root;
  state.rootFloats[at] = 0;
  state.rootFloats[at + 1] = ends.startX;
  state.rootFloats[at + 2] = ends.startV;
  const { twin, corner } = clearance;
  const first = 3 * ends.startTriangle;
  if (ends.startTriangle === ends.goalTriangle) pushGoal(run, root);
  for (let h = first; h < first + 3; h++) {
    if (!isOpen(run, h)) continue;
    // Seen from the other side, the half-edge starts at its left end.
    const half = twin[h];
    beginAt(run, root, half, corner[half], corner[nextOf(half)]);
  }
  return run;
}

/** Pushes the nodes of an edge of the start's triangle: straight through it, and around the nearer end if that blocks all lines. */
function beginAt(run: Run, root: number, half: number, left: number, right: number): void {
  const node = pushNode(run.state, root, half);
  touch(run, root, left, 1);
  setLimit(run, node, 1, left);
  touch(run, root, right, -1);
  if (!isInWay(run, node, 1, right)) {
    setLimit(run, node, -1, right);
    queueNode(run, node);
    return;
  }
  // No line passes both ends, so the path turns around the end that it reaches first.
  const { state } = run;
  const isLeftFirst = along(run, node, 1, left) <= along(run, node, 1, right);
  const [near, far, side] = isLeftFirst ? [left, right, 1] : [right, left, -1];
  if (side < 0) setLimit(run, node, 1, right);
  const other = addRootOnLimit(run, root, node, 1, near, side);
  state.nodeCount--;
  if (other < 0 || isWorse(run, half, side, other)) return;
  const turned = pushNode(state, other, half);
  touch(run, other, far, -side);
  setLimit(run, turned, -side, far);
  state.nodeInts[NODE_INTS * turned + (side > 0 ? 2 : 3)] = FREE;
  queueNode(run, turned);
}

/** Takes the next node and expands it. Returns the node if it is the goal, -1 if it is not, and -2 if no node is left. */
export function stepSearch(run: Run): number {
  const { state } = run;
  const { heap } = state;
  if (heap.count === 0) return -2;
  let node = popItem(heap);
  if (state.nodeInts[NODE_INTS * node + 1] < 0) return node;
  // A single successor replaces its node directly, without a length test. Of several successors, the shortest replaces it, if no queued node
  // is shorter.
  for (;;) {
    pendingCount = 0;
    expand(run, node);
    if (pendingCount === 1) {
      node = pending[0];
      continue;
    }
    if (pendingCount === 0) return -1;
    let best = -1;
    for (let k = 0; k < pendingCount; k++) {
      estimate(run, pending[k]);
      if (best < 0 || state.keys[pending[k]] < state.keys[best]) best = pending[k];
    }
    const isNext = heap.count === 0 || state.keys[best] < heap.keys[0];
    for (let k = 0; k < pendingCount; k++) {
      if (!isNext || pending[k] !== best) pushItem(heap, pending[k], state.keys);
    }
    if (!isNext) return -1;
    node = best;
  }
}

/** Successors of the expanded node. */
const pending = new Int32Array(16);
let pendingCount = 0;

function expand(run: Run, node: number): void {
  const { state } = run;
  const half = passOn(run, node);
  if (half < 0) return;
  if (((half / 3) | 0) === run.ends.goalTriangle) reachGoal(run, node);
  wrapped[0] = wrapped[1] = -2;
  leave(run, node, 1);
  leave(run, node, -1);
  if (!isGoalNear(run, half)) return;
  if (isPassed(run, node)) passApex(run, state.nodeInts[NODE_INTS * node], half);
  if (wrapped[0] >= 0) passApex(run, wrapped[0], half);
  if (wrapped[1] >= 0) passApex(run, wrapped[1], half);
}

/**
 * Moves a node from triangle to triangle as long as `leave` would make exactly one node without a turn. Returns the half-edge that the node
 * then enters, or -1 if it has no successor.
 */
// oxlint-disable-next-line max-lines-per-function -- hot loop: most triangles end here, and calls for its steps take twice the time
function passOn(run: Run, node: number): number {
  const { state, clearance, ends } = run;
  const { nodeInts, nodeFloats } = state;
  const { xs, vs, corner, twin } = clearance;
  const { radius } = ends;
  const ints = NODE_INTS * node;
  let half = nodeInts[ints + 1];
  if (nodeInts[ints + 2] < 0 || nodeInts[ints + 3] < 0) return half;
  const root = nodeInts[ints];
  const at = NODE_FLOATS * node;
  const goalFirst = 3 * ends.goalTriangle;
  const room = roomOf(ends);
  const doubt = NEARLY * (radius - room);
  for (;;) {
    const first = half - (half % 3);
    if (first === goalFirst || isGoalNear(run, half)) break;
    const after = half === first + 2 ? first : half + 1;
    const before = half === first ? first + 2 : half - 1;
    const isOpenLeft = isOpen(run, before);
    const isOpenRight = isOpen(run, after);
    if (!isOpenLeft && !isOpenRight) return -1;
    const c = corner[before];
    const x = xs[c];
    const v = vs[c];
    const left = nodeInts[ints + 2];
    const right = nodeInts[ints + 3];
    // Distances of the apex to the left of each limit.
    const lx = nodeFloats[at];
    const lv = nodeFloats[at + 1];
    const ofLeft = lx * v - lv * x - nodeFloats[at + 2];
    const rx = nodeFloats[at + 3];
    const rv = nodeFloats[at + 4];
    const ofRight = rx * v - rv * x - nodeFloats[at + 5];
    // The only edge through which to leave (1 left, -1 right), and whether the apex narrows the limit on the other side.
    let side = 0;
    let isBinding = false;
    if (isOpenLeft) {
      if (ofLeft > -room && isInWay(run, node, 1, c)) {
        if (corner[half] === left || lx * (x - xs[left]) + lv * (v - vs[left]) < 0) break;
      } else {
        const inside = radius + ofRight;
        side = 1;
        isBinding = inside >= doubt || (inside > -doubt && narrows(run, node, -1, c));
        if (!isBinding && right === corner[after]) break;
      }
    }
    if (isOpenRight) {
      if (ofRight < room && isInWay(run, node, -1, c)) {
        if (corner[after] === right || rx * (x - xs[right]) + rv * (v - vs[right]) < 0) break;
      } else {
        if (side !== 0) break;
        const inside = radius - ofLeft;
        side = -1;
        isBinding = inside >= doubt || (inside > -doubt && narrows(run, node, 1, c));
        if (!isBinding && left === corner[half]) break;
      }
    }
    if (side === 0) return -1;
    if (isBinding) {
      touch(run, root, c, -side);
      if (!mayLeave(state, root)) break;
      setLimit(run, node, -side, c);
    }
    half = twin[side > 0 ? before : after];
  }
  nodeInts[ints + 1] = half;
  return half;
}

/** Returns whether a path may cross a half-edge, because it is wide enough and may lead to the goal. */
function isOpen({ clearance, ends }: Run, half: number): boolean {
  return (
    clearance.twin[half] >= 0 &&
    clearance.width[half] >= 2 * ends.radius &&
    (clearance.bridge[half] === 0 || mayLead(clearance, half, ends.goalTriangle))
  );
}

/** Returns whether the goal may lie beside the apex of a triangle and outside of it: the goal is no farther from the apex than another corner. */
function isGoalNear(
  { clearance: { xs, vs, corner }, ends: { goalTriangle, goalX, goalV } }: Run,
  half: number,
): boolean {
  const first = half - (half % 3);
  if (first === 3 * goalTriangle) return false;
  const a = corner[half];
  const b = corner[half === first + 2 ? first : half + 1];
  const c = corner[half === first ? first + 2 : half - 1];
  const x = xs[c];
  const v = vs[c];
  const toGoal = (goalX - x) * (goalX - x) + (goalV - v) * (goalV - v);
  const toA = (xs[a] - x) * (xs[a] - x) + (vs[a] - v) * (vs[a] - v);
  const toB = (xs[b] - x) * (xs[b] - x) + (vs[b] - v) * (vs[b] - v);
  return toGoal <= toA || toGoal <= toB;
}

/** Adds the straight path to a goal that lies before the apex of a triangle, where the limits at the apex would exclude it. */
function passApex(run: Run, root: number, half: number): void {
  const { clearance, ends, state } = run;
  const { xs, vs, corner, twin } = clearance;
  const { goalX, goalV, radius } = ends;
  touchPoint(run, root, goalX, goalV, 0);
  const dx = limit[0];
  const dv = limit[1];
  const k = limit[2];
  const apex = corner[beforeOf(half)];
  const isBeside = Math.abs(dx * vs[apex] - dv * xs[apex] - k) < radius;
  if (!isBeside || dx * xs[apex] + dv * vs[apex] <= dx * goalX + dv * goalV || !mayLeave(state, root)) return;
  // Follows the line from triangle to triangle.
  for (let h = half; ((h / 3) | 0) !== ends.goalTriangle;) {
    const c = corner[beforeOf(h)];
    const isLeft = dx * vs[c] - dv * xs[c] - k > 0;
    const exit = isLeft ? nextOf(h) : beforeOf(h);
    if (twin[exit] < 0) return;
    const a = corner[exit];
    const b = corner[nextOf(exit)];
    // The goal must lie beyond the edge.
    if ((xs[b] - xs[a]) * (goalV - vs[a]) - (vs[b] - vs[a]) * (goalX - xs[a]) > 0) return;
    h = twin[exit];
  }
  pushGoal(run, root);
}

/** The roots around the left and right end of the expanded node's edge: -2 not made yet, -1 none. */
const wrapped = new Int32Array(2);

/**
 * Returns the root around the end of a node's edge on a side. Returns -1 if the limit on that side does not touch that end, or if another root
 * there is better.
 */
function wrap(run: Run, node: number, side: number): number {
  const slot = side > 0 ? 0 : 1;
  if (wrapped[slot] !== -2) return wrapped[slot];
  const { nodeInts } = run.state;
  const root = nodeInts[NODE_INTS * node];
  const half = nodeInts[NODE_INTS * node + 1];
  const end = endOf(run.clearance, half, side);
  let made = -1;
  if (nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)] === end) {
    made = addRootOnLimit(run, root, node, side, end, side);
    if (made >= 0 && isWorse(run, half, side, made)) made = -1;
  }
  wrapped[slot] = made;
  return made;
}

/** Returns the left (1) or right (-1) end of an entered half-edge. */
function endOf({ corner }: Clearance, half: number, side: number): number {
  return side > 0 ? corner[half] : corner[nextOf(half)];
}

/**
 * Adds the nodes that leave the triangle of a node through its left (side 1) or right (-1) edge. The apex is on the other side of the path.
 */
function leave(run: Run, node: number, side: number): void {
  const { state, clearance } = run;
  const ints = NODE_INTS * node;
  const root = state.nodeInts[ints];
  const half = state.nodeInts[ints + 1];
  const exit = side > 0 ? beforeOf(half) : nextOf(half);
  if (!isOpen(run, exit)) return;
  const next = clearance.twin[exit];
  const apex = clearance.corner[beforeOf(half)];
  const kept = state.nodeInts[ints + (side > 0 ? 2 : 3)];
  const changed = state.nodeInts[ints + (side > 0 ? 3 : 2)];
  if (kept !== FREE && isInWay(run, node, side, apex)) {
    // The apex blocks all lines.
    if (kept === ARRIVAL) return;
    const at = along(run, node, side, apex);
    const isBefore = at < along(run, node, side, kept) && at > alongRoot(run, node, side, root);
    if (isBefore && !mayTurnTo(run, node, side, apex)) {
      turnAtApex(run, root, { next, apex, kept, side });
    } else {
      const other = wrap(run, node, side);
      if (other < 0) return;
      const made = pushNode(state, other, next);
      state.nodeInts[NODE_INTS * made + (side > 0 ? 2 : 3)] = FREE;
      touch(run, other, apex, -side);
      setLimit(run, made, -side, apex);
      queueTurning(run, made, next, side, other);
    }
    return;
  }
  const isBinding = changed === FREE || narrows(run, node, -side, apex);
  if (isBinding) {
    touch(run, root, apex, -side);
    if (!mayLeave(state, root)) {
      // If the apex is ahead, other nodes pass it without a turn at this root. If it is behind the root, it blocks the path before the root.
      if (changed !== ARRIVAL || along(run, node, -side, apex) >= alongRoot(run, node, -side, root)) return;
      const parent = state.rootInts[ROOT_INTS * root + 2];
      turnAtApex(run, parent, { next, apex, kept: state.rootInts[ROOT_INTS * root], side });
      return;
    }
  }
  const made = pushNode(state, root, next);
  copyLimit(state, node, made, side);
  if (isBinding) setLimit(run, made, -side, apex);
  else copyLimit(state, node, made, -side);
  if (kept === FREE) queueTurning(run, made, next, side, root);
  else pending[pendingCount++] = made;
  // A turn around the common end of both edges is made later, if the next apex requires it.
  if (isBinding || changed < 0) return;
  if (changed === endOf(clearance, half, -side)) turnBeforeApex(run, node, { next, apex, side });
}

interface Corner {
  next: number;
  apex: number;
  side: number;
}

/** Adds the node that turns around the other end of the node's edge and passes the apex on the same side. */
function turnBeforeApex(run: Run, node: number, { next, apex, side }: Corner): void {
  const other = wrap(run, node, -side);
  if (other < 0) return;
  const made = pushNode(run.state, other, next);
  copyLimit(run.state, node, made, -side, side);
  run.state.nodeInts[NODE_INTS * made + (side > 0 ? 2 : 3)] = ARRIVAL;
  touch(run, other, apex, -side);
  setLimit(run, made, -side, apex);
  pending[pendingCount++] = made;
}

/** Adds the node that turns around the apex before it reaches the corner `kept`. */
function turnAtApex(run: Run, root: number, { next, apex, kept, side }: Corner & { kept: number }): void {
  const { state } = run;
  touch(run, root, apex, -side);
  // The path does not touch a root that it would leave on the wrong side.
  while (!mayLeave(state, root)) {
    root = state.rootInts[ROOT_INTS * root + 2];
    touch(run, root, apex, -side);
  }
  const made = pushNode(state, root, next);
  setLimit(run, made, -side, apex);
  const other = addRootOnLimit(run, root, made, -side, apex, -side);
  state.nodeCount--;
  if (other < 0) return;
  touch(run, other, kept, side);
  if (!mayLeave(state, other)) return;
  const turned = pushNode(state, other, next);
  setLimit(run, turned, side, kept);
  state.nodeInts[NODE_INTS * turned + (side > 0 ? 3 : 2)] = FREE;
  queueTurning(run, turned, next, -side, other);
}

/** Returns whether the path may leave a root in the direction of `limit`, because it turns to the root's side there. */
function mayLeave({ rootInts, rootFloats }: ClearSearch, root: number): boolean {
  const side = rootInts[ROOT_INTS * root + 1];
  const at = ROOT_FLOATS * root;
  return side * (rootFloats[at + 3] * limit[1] - rootFloats[at + 4] * limit[0]) >= -1e-9;
}

/** Returns whether the path can turn around the corner of a limit and pass an apex on its other side, with at most half a turn. */
function mayTurnTo(
  { state, clearance: { xs, vs }, ends: { radius } }: Run,
  node: number,
  side: number,
  c: number,
): boolean {
  const kept = state.nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)];
  const at = NODE_FLOATS * node + (side > 0 ? 0 : 3);
  setTangent(direction, xs[kept], vs[kept], side * radius, xs[c], vs[c], -side * radius);
  return side * (state.nodeFloats[at] * direction[1] - state.nodeFloats[at + 1] * direction[0]) >= -1e-9;
}

/** Returns whether the line to the goal passes a node's limits: no corner of a limit blocks it before the goal. */
function isPassed(run: Run, node: number): boolean {
  return blockerBeforeGoal(run, node) === 0;
}

/** Adds the goal's node: straight, or around an end of the node's edge. */
function reachGoal(run: Run, node: number): void {
  const { state, clearance } = run;
  const root = state.nodeInts[NODE_INTS * node];
  const side = blockerBeforeGoal(run, node);
  if (side === 0) pushGoal(run, root);
  if (side === 0 || side === 2) return;
  const blocker = state.nodeInts[NODE_INTS * node + (side > 0 ? 2 : 3)];
  if (blocker !== endOf(clearance, state.nodeInts[NODE_INTS * node + 1], side)) return;
  const other = addRootOnLimit(run, root, node, side, blocker, side);
  if (other >= 0) pushGoal(run, other);
}

/** Returns the side (1 or -1) of the limit whose corner blocks the line to the goal; 0 if none does, 2 if the line does not leave the root. */
function blockerBeforeGoal(run: Run, node: number): number {
  const { state, clearance, ends } = run;
  const { nodeInts } = state;
  const at = NODE_INTS * node;
  const root = nodeInts[at];
  const { goalX, goalV } = ends;
  touchPoint(run, root, goalX, goalV, 0);
  const goalAt = limit[0] * goalX + limit[1] * goalV;
  const own = state.rootInts[ROOT_INTS * root];
  const rootAt =
    limit[0] * (own < 0 ? ends.startX : clearance.xs[own]) + limit[1] * (own < 0 ? ends.startV : clearance.vs[own]);
  for (let side = 1; side >= -1; side -= 2) {
    const blocker = nodeInts[at + (side > 0 ? 2 : 3)];
    if (blocker === FREE) continue;
    if (blocker === ARRIVAL) {
      if (!mayLeave(state, root)) return 2;
      continue;
    }
    const x = clearance.xs[blocker];
    const v = clearance.vs[blocker];
    const across = side * (limit[0] * v - limit[1] * x - limit[2]);
    const blockerAt = limit[0] * x + limit[1] * v;
    if (across >= roomOf(ends) || blockerAt <= rootAt) continue;
    // A corner behind the goal blocks the line only if the line passes it on the wrong side.
    if (blockerAt >= goalAt && across >= 0) continue;
    return side;
  }
  return 0;
}

/** Pushes a node for the goal, straight from a root. */
function pushGoal(run: Run, root: number): void {
  const { state, ends } = run;
  const node = pushNode(state, root, -1);
  touchPoint(run, root, ends.goalX, ends.goalV, 0);
  const length = lengthTo(run, root, ends.goalX, ends.goalV);
  // A path that leaves its last circle on the wrong side does not turn around it. Its key is a lower bound; its length is computed later.
  state.keys[node] = mayLeave(state, root) ? length : Math.max(0, length - 2 * Math.PI * ends.radius);
  pushItem(state.heap, node, state.keys);
}

/** Queues a node of the goal with a known path length. */
export function queueGoal({ state }: Run, root: number, length: number): number {
  const node = pushNode(state, root, -1);
  state.keys[node] = length;
  pushItem(state.heap, node, state.keys);
  return node;
}

/** Returns the corners of a path and the sides on which it passes them, beginning at the start. */
export function rootsOf({ state, clearance }: Run, node: number): { corner: number[]; side: number[] } {
  const { rootInts } = state;
  const corner: number[] = [];
  const side: number[] = [];
  for (let root = state.nodeInts[NODE_INTS * node]; root > 0; root = rootInts[ROOT_INTS * root + 2]) {
    if (clearance.isTurn[rootInts[ROOT_INTS * root]] === 0) continue;
    corner.push(rootInts[ROOT_INTS * root]);
    side.push(rootInts[ROOT_INTS * root + 1]);
  }
  return { corner: corner.reverse(), side: side.reverse() };
}

/** Queues a node whose root is at the end of its edge, unless another root there is at least as good. */
// oxlint-disable-next-line max-params -- kernel
function queueTurning(run: Run, node: number, half: number, side: number, root: number): void {
  if (isWorse(run, half, side, root)) run.state.nodeCount--;
  else pending[pendingCount++] = node;
}
