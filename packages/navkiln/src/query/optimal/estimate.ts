/**
 * Estimates the length of a path from a node's root through its interval to a target.
 *
 * The estimate is the shortest path without further walls: straight, or around the nearer end of the interval. A target
 * on the root's side of the interval is mirrored first. Inside the entered polygon it is the exact length.
 *
 * With up to four targets, the estimate is the smallest over the targets; with more, it is the distance to the
 * interval. Where links may cost less than their length, it is scaled by the mesh's `linkScale`, but stays at least the
 * distance to the interval.
 *
 * In: a node, a point or the targets.
 * Out: lengths and estimates.
 * Cost: two or three square roots for each target.
 * Based on: Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation Mesh,
 * 2017; interval heuristic by Shizhe Zhao, David Taniar, Daniel Harabor, Fast k-Nearest Neighbor on a
 * Navigation Mesh, 2018.
 */
import type { NavMesh } from '../../mesh/types.ts';
import {
  ESTIMATE,
  FLAGS,
  IS_FAN,
  LEFT,
  LENGTH,
  LINK_STRIDE,
  MAY_BE_FLAT,
  NODE_STRIDE,
  POLY,
  RIGHT,
  RIGHT_IS_END,
  ROOT,
} from './state.ts';
import type { OptimalState } from './state.ts';

/** Maximum number of targets for which each has its own estimate. */
const MAX_TARGETS_EACH = 4;
/** Maximum rounding error of a point on a line, as a share of its coordinates. */
const ROUNDING = 2e-15;

/** An interval is a point when it is not longer than this share of its coordinates. */
const NARROW = 4e-15;

/** The result of `setPathTo` (a length) or `setGapSq` (a squared distance). */
export const result: Float64Array = new Float64Array(1);
/** Where that path turns: 0 it is straight, 1 at the interval's right end, -1 at its left end. */
export const turn: Int8Array = new Int8Array(1);

/**
 * Sets `result` to the length from the node's root through its interval to the point x, z at offset `from` of
 * `points`.
 */
export function setPathTo(state: OptimalState, item: number, points: Float64Array, from: number): void {
  const { node } = state;
  const at = NODE_STRIDE * item;
  const rx = node[at + ROOT];
  const rz = node[at + ROOT + 1];
  const x = points[from];
  const z = points[from + 1];
  turn[0] = 0;
  // The point relative to the root.
  let wx = x - rx;
  let wz = z - rz;
  if ((state.link[LINK_STRIDE * item + FLAGS] & IS_FAN) !== 0) {
    result[0] = Math.sqrt(wx * wx + wz * wz);
    return;
  }
  const rightX = node[at + RIGHT];
  const rightZ = node[at + RIGHT + 1];
  const ux = rightX - rx;
  const uz = rightZ - rz;
  const vx = node[at + LEFT] - rx;
  const vz = node[at + LEFT + 1] - rz;
  const dx = node[at + LEFT] - rightX;
  const dz = node[at + LEFT + 1] - rightZ;
  const lengthSq = dx * dx + dz * dz;
  const flags = state.link[LINK_STRIDE * item + FLAGS];
  const narrow = NARROW * (Math.abs(rightX) + Math.abs(rightZ));
  if (lengthSq <= narrow * narrow) {
    // The ends differ only by rounding errors, so the interval has no direction, and the path turns there.
    result[0] = Math.sqrt(ux * ux + uz * uz) + Math.sqrt((wx - ux) * (wx - ux) + (wz - uz) * (wz - uz));
    turn[0] = (flags & RIGHT_IS_END) !== 0 ? 1 : -1;
    return;
  }
  const rootSide = dz * ux - dx * uz;
  const side = dx * (z - rightZ) - dz * (x - rightX);
  if ((rootSide > 0 && side > 0) || (rootSide < 0 && side < 0)) {
    const twice = (2 * side) / lengthSq;
    wx += twice * dz;
    wz -= twice * dx;
  }
  let isStraight: boolean;
  const epsilon = ROUNDING * (Math.abs(rx) + Math.abs(rz));
  if ((flags & MAY_BE_FLAT) !== 0 && (rootSide >= 0 || rootSide * rootSide <= epsilon * epsilon * lengthSq)) {
    // The root lies on the line of the interval, or beyond it by a rounding error.
    const along = -(ux * dx + uz * dz);
    isStraight = along >= 0 && along <= lengthSq;
  } else {
    const right = ux * wz - uz * wx;
    const left = vx * wz - vz * wx;
    // If both are 0, the interval is as narrow as a rounding error, and the point may lie behind the root.
    isStraight = right <= 0 && left >= 0 && (right < 0 || left > 0 || ux * wx + uz * wz >= 0);
  }
  if (isStraight) {
    result[0] = Math.sqrt(wx * wx + wz * wz);
    return;
  }
  const right = Math.sqrt(ux * ux + uz * uz) + Math.sqrt((wx - ux) * (wx - ux) + (wz - uz) * (wz - uz));
  const left = Math.sqrt(vx * vx + vz * vz) + Math.sqrt((wx - vx) * (wx - vx) + (wz - vz) * (wz - vz));
  result[0] = right < left ? right : left;
  turn[0] = right < left ? 1 : -1;
}

/**
 * Sets `result` to the squared distance from a node's interval to the point x, z at offset `from` of
 * `points`.
 */
function setGapSq(state: OptimalState, item: number, points: Float64Array, from: number): void {
  const { node } = state;
  const at = NODE_STRIDE * item;
  const isFan = (state.link[LINK_STRIDE * item + FLAGS] & IS_FAN) !== 0;
  const x = points[from];
  const z = points[from + 1];
  const ax = node[at + (isFan ? ROOT : RIGHT)];
  const az = node[at + (isFan ? ROOT : RIGHT) + 1];
  const dx = isFan ? 0 : node[at + LEFT] - ax;
  const dz = isFan ? 0 : node[at + LEFT + 1] - az;
  const lengthSq = dx * dx + dz * dz;
  let t = lengthSq > 0 ? ((x - ax) * dx + (z - az) * dz) / lengthSq : 0;
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  const ex = ax + t * dx - x;
  const ez = az + t * dz - z;
  result[0] = ex * ex + ez * ez;
}

/** Sets a node's estimate of the whole path. */
export function estimate(state: OptimalState, mesh: NavMesh, item: number): void {
  const { node, targets, targetCount } = state;
  const { linkScale } = mesh;
  const at = NODE_STRIDE * item;
  let rest = 0;
  if (targetCount <= MAX_TARGETS_EACH) {
    rest = Infinity;
    for (let k = 0; k < targetCount; k++) {
      setPathTo(state, item, targets, 2 * k);
      if (result[0] < rest) rest = result[0];
    }
  }
  if (targetCount > MAX_TARGETS_EACH || linkScale < 1) {
    setGapSq(state, item, node, at + ROOT);
    const gap = Math.sqrt(result[0]);
    rest = linkScale * rest > gap ? linkScale * rest : gap;
  }
  node[at + ESTIMATE] = node[at + LENGTH] + rest;
}

/** Returns the node whose interval is nearest to the first target, among all nodes of the search. */
export function nearestNodeOf(state: OptimalState): number {
  let nearest = 0;
  let best = Infinity;
  for (let item = 0; item < state.nodeCount; item++) {
    setGapSq(state, item, state.targets, 0);
    if (result[0] >= best) continue;
    best = result[0];
    nearest = item;
  }
  return nearest;
}

/** Records the path to each goal on the node's polygon if it is the best so far. */
export function offerGoals(state: OptimalState, item: number): void {
  const { goalTarget, goalNext, best, node } = state;
  for (let goal = state.polyGoal[state.link[LINK_STRIDE * item + POLY]]; goal >= 0; goal = goalNext[goal]) {
    setPathTo(state, item, state.targets, 2 * goalTarget[goal]);
    const length = node[NODE_STRIDE * item + LENGTH] + result[0];
    if (length < best[0]) {
      best[0] = length;
      state.bestNode = item;
      state.bestTarget = goalTarget[goal];
    }
  }
}
