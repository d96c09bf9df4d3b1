/**
 * How far is it from a node to a point, at least? The shortest way from the root through the interval to the point, as if there
 * were no walls beyond: straight, or around the interval's nearer end. A point on the root's side is mirrored first. In the
 * polygon that is entered this is no estimate, but the way.
 *
 * With up to four targets the estimate is the least of theirs; with more, the distance to the interval. Where links may be
 * shorter than they look, it is scaled down as far as they are, but not below the distance to the interval.
 * Cost: two or three roots.
 * Based on: Cui, Harabor, Grastien, 2017; the interval heuristic is that of Zhao, Taniar, Harabor, 2018.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { ESTIMATE, FLAGS, IS_FAN, LEFT, LENGTH, MAY_BE_FLAT, POLY, RIGHT, ROOT } from './state.ts';
import type { OptimalState } from './state.ts';

/** Targets up to which each is looked at. */
const MAX_TARGETS_EACH = 4;
/** What roundings may make of a point on a line, as a share of its coordinates. */
const ROUNDING = 2e-15;

/** The way that was last asked for. */
export const way: Float64Array = new Float64Array(1);
/** Where it turns: 0 nowhere, 1 at the interval's right end, -1 at its left. */
export const turn: Int8Array = new Int8Array(1);

/** Sets `way` to the length from the node's root through its interval to the point x, z at `place` of an array. */
export function setWayTo(state: OptimalState, item: number, points: Float64Array, place: number): void {
  const { node } = state;
  const at = 16 * item;
  const rx = node[at + ROOT];
  const rz = node[at + ROOT + 1];
  const x = points[place];
  const z = points[place + 1];
  turn[0] = 0;
  // From the root on.
  let wx = x - rx;
  let wz = z - rz;
  if ((state.link[8 * item + FLAGS] & IS_FAN) !== 0) {
    way[0] = Math.sqrt(wx * wx + wz * wz);
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
  const rootSide = dz * ux - dx * uz;
  const side = dx * (z - rightZ) - dz * (x - rightX);
  if ((rootSide > 0 && side > 0) || (rootSide < 0 && side < 0)) {
    const twice = (2 * side) / lengthSq;
    wx += twice * dz;
    wz -= twice * dx;
  }
  let isStraight: boolean;
  const flags = state.link[8 * item + FLAGS];
  const hair = ROUNDING * ((rx < 0 ? -rx : rx) + (rz < 0 ? -rz : rz));
  if ((flags & MAY_BE_FLAT) !== 0 && lengthSq > 0 && (rootSide >= 0 || rootSide * rootSide <= hair * hair * lengthSq)) {
    // On the line of the interval, or by a rounding beyond it.
    const along = -(ux * dx + uz * dz);
    isStraight = along >= 0 && along <= lengthSq;
  } else {
    const right = ux * wz - uz * wx;
    const left = vx * wz - vz * wx;
    // Where both are 0, the interval is as narrow as a rounding, and the point may lie behind.
    isStraight = right <= 0 && left >= 0 && (right < 0 || left > 0 || ux * wx + uz * wz >= 0);
  }
  if (isStraight) {
    way[0] = Math.sqrt(wx * wx + wz * wz);
    return;
  }
  const right = Math.sqrt(ux * ux + uz * uz) + Math.sqrt((wx - ux) * (wx - ux) + (wz - uz) * (wz - uz));
  const left = Math.sqrt(vx * vx + vz * vz) + Math.sqrt((wx - vx) * (wx - vx) + (wz - vz) * (wz - vz));
  way[0] = right < left ? right : left;
  turn[0] = right < left ? 1 : -1;
}

/** Sets `way` to the squared distance of a node's interval from a point: the root's, or that at `place` of an array. */
function setGapSq(state: OptimalState, item: number, points: Float64Array, place: number): void {
  const { node } = state;
  const at = 16 * item;
  const isFan = (state.link[8 * item + FLAGS] & IS_FAN) !== 0;
  const x = points[place];
  const z = points[place + 1];
  const ax = node[at + (isFan ? ROOT : RIGHT)];
  const az = node[at + (isFan ? ROOT : RIGHT) + 1];
  const dx = isFan ? 0 : node[at + LEFT] - ax;
  const dz = isFan ? 0 : node[at + LEFT + 1] - az;
  const lengthSq = dx * dx + dz * dz;
  let t = lengthSq > 0 ? ((x - ax) * dx + (z - az) * dz) / lengthSq : 0;
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  const ex = ax + t * dx - x;
  const ez = az + t * dz - z;
  way[0] = ex * ex + ez * ez;
}

/** Sets a node's estimate of the whole path, and notes the node that has come nearest when there is a budget. */
export function estimate(state: OptimalState, mesh: NavMesh, item: number): void {
  const { node, targets, targetCount } = state;
  const { linkScale } = mesh;
  const at = 16 * item;
  let rest = 0;
  if (targetCount <= MAX_TARGETS_EACH) {
    rest = Infinity;
    for (let k = 0; k < targetCount; k++) {
      setWayTo(state, item, targets, 2 * k);
      if (way[0] < rest) rest = way[0];
    }
  }
  if (targetCount > MAX_TARGETS_EACH || linkScale < 1) {
    setGapSq(state, item, node, at + ROOT);
    const gap = Math.sqrt(way[0]);
    rest = linkScale * rest > gap ? linkScale * rest : gap;
  }
  node[at + ESTIMATE] = node[at + LENGTH] + rest;
  if (state.isBudgeted && targetCount > 0) {
    setGapSq(state, item, targets, 0);
    if (way[0] < state.nearest[0]) {
      state.nearest[0] = way[0];
      state.nearestNode = item;
    }
  }
}

/** The node's polygon has goals: is the way to one of them the best so far? */
export function offerGoals(state: OptimalState, item: number): void {
  const { goalTarget, goalNext, best, node } = state;
  for (let goal = state.polyGoal[state.link[8 * item + POLY]]; goal >= 0; goal = goalNext[goal]) {
    setWayTo(state, item, state.targets, 2 * goalTarget[goal]);
    const length = node[16 * item + LENGTH] + way[0];
    if (length < best[0]) {
      best[0] = length;
      state.bestNode = item;
      state.bestTarget = goalTarget[goal];
    }
  }
}
