/**
 * Pushes overlapping agents apart, in case avoidance has not kept them from walking into each other.
 *
 * Two agents of a pair (overlap-pairs.ts) push each other when they overlap by more than `ALLOWED_OVERLAP`, and then
 * until they touch. Each moves by its share. Two agents at the same position separate in a direction that depends only
 * on their slots.
 *
 * Each round finds all pushes from the same positions. An agent takes the sum of its pushes, or twice their mean when
 * more than two agents push it, and stays within `MAX_PUSH` of its planned position. So a dense cluster separates over
 * some ticks and does not burst. In a pile, as where many agents are added at one position, all of it is repeated
 * from the positions reached. Pushes are summed as whole multiples of a small power of two. This is exact, so the
 * result depends on neither the order of slots nor the order of cells.
 *
 * In: planned positions after the tick (xz per slot), bodies and neighbors.
 * Out: the planned positions, moved apart. Walls come later (integrate.ts).
 * Cost: linear in the pairs, per round; nothing when no two agents can touch. No allocation once grown.
 * Based on: Thomas Jakobsen, Advanced Character Physics, 2001, and Matthias Müller et al., Position Based
 * Dynamics, 2006, for moving positions apart in rounds. Own: shares, limits and exact sums.
 * Tried: the plain sum of all pushes. Without space, agents then tremble by as much as they may move.
 */
import {
  MAX_PUSH,
  PAIR_APART,
  PAIR_SHARE_A,
  PAIR_SHARE_B,
  PAIR_STRIDE,
  groundAgents,
  listPairs,
  pairs,
  resolvePair,
} from './overlap-pairs.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';

/**
 * Overlap that separation leaves alone, in radii of the smaller agent. 0 would keep packed crowds moving
 * forever.
 */
export const ALLOWED_OVERLAP = 0.01;
/** Overlap that no step may cause, in radii of the smaller agent: steps that do are undone. */
const MAX_NEW_OVERLAP = 0.04;
/** Squared distance of two centers in a pile, as a share of the squared sum of their radii. */
const PILED = 0.5;
/** Pairs of a pile. Fewer, as two agents that are added at one position, part in more ticks. */
const PILE = 8;
/** How often in a tick agents in a pile separate. With 1, a hundred of them at one point overlap for 0.7 seconds. */
export const PILE_PASSES = 3;
/**
 * Relative epsilon for comparing squared distances, and of the distance below which two centers count as one
 * point.
 */
const EPSILON = 1e-9;

/** Per slot: xz of the planned position before separation, and the sum of pushes. */
let wanted = new Float64Array(0);
let pushes = new Float64Array(0);
/** Per slot: its deepest overlap before the tick, world units. */
let overlapBefore = new Float64Array(0);
/** Per slot: how many agents push it. All 0 between rounds. */
let pushCount = new Int32Array(0);
/** Per slot: the last call of `separateAgain` in which it was pushed. */
let pushedIn = new Int32Array(0);
let call = 0;
/** Pairs of the last round that overlapped deeply. */
let deep = 0;
/** The slots that are pushed in a round. */
let pushed = new Int32Array(0);
let pushedCount = 0;

/**
 * Separates planned positions (xz per slot) in at most `iterations` rounds. Positions of agents that are not on the
 * mesh are not read.
 */
export function separate(crowd: Crowd, planned: Float64Array, iterations: number): void {
  if (pushCount.length < crowd.maxAgents) {
    wanted = new Float64Array(2 * crowd.maxAgents);
    pushes = new Float64Array(2 * crowd.maxAgents);
    pushCount = new Int32Array(crowd.maxAgents);
    pushedIn = new Int32Array(crowd.maxAgents);
    pushed = new Int32Array(crowd.maxAgents);
    overlapBefore = new Float64Array(crowd.maxAgents);
  }
  deep = PILE;
  for (let pass = 0; pass < PILE_PASSES && deep >= PILE; pass++) {
    deep = 0;
    listPairs(crowd, planned);
    separateAgain(crowd, planned, iterations);
  }
}

/**
 * Separates the pairs of the last `separate` once more in the same tick, after walls have held back some of
 * the agents. Returns the number of rounds that moved agents.
 */
export function separateAgain(crowd: Crowd, planned: Float64Array, iterations: number): number {
  if (pairs.count === 0) return 0;
  call = (call + 1) | 0;
  let round = 0;
  while (round < iterations && pushApart(crowd.agents, planned) > 0) round++;
  return round;
}

/** Runs one round. Returns how many pairs overlapped before it. */
function pushApart(agents: AgentArrays, planned: Float64Array): number {
  const { radius } = agents;
  const { slots: pairSlots, shares, count } = pairs;
  const largest = groundAgents.largestRadius[0];
  // Adding and subtracting `coarse` rounds a push to a multiple of 2^-52 * `coarse`, so that sums of pushes are exact.
  let coarse = 1;
  while (coarse < 1048576 * largest) coarse *= 2;
  while (coarse > 2097152 * largest) coarse /= 2;
  coarse *= 1.5;
  let overlapping = 0;
  deep = 0;
  for (let p = 0; p < count; p++) {
    const a = pairSlots[2 * p];
    const b = pairSlots[2 * p + 1];
    const apart = shares[PAIR_STRIDE * p + PAIR_APART];
    const dx = planned[2 * a] - planned[2 * b];
    const dz = planned[2 * a + 1] - planned[2 * b + 1];
    const distanceSq = dx * dx + dz * dz;
    const allowed = apart - ALLOWED_OVERLAP * radius[b];
    if (distanceSq >= allowed * allowed || !resolvePair(agents, p)) continue;
    overlapping++;
    if (distanceSq < PILED * apart * apart) deep++;
    const distance = Math.sqrt(distanceSq);
    let pushX: number;
    let pushZ: number;
    if (distance > EPSILON * apart) {
      const scale = (apart - distance) / distance;
      pushX = dx * scale;
      pushZ = dz * scale;
    } else {
      const low = a < b ? a : b;
      const mixed = Math.imul(Math.imul(low, 0x9e3779b1) ^ (a ^ b), 0x85ebca6b);
      const u = ((mixed >>> 8) & 0xff) - 127.5;
      const v = ((mixed >>> 16) & 0xff) - 127.5;
      const scale = (a < b ? apart : -apart) / Math.sqrt(u * u + v * v);
      pushX = u * scale;
      pushZ = v * scale;
    }
    const shareA = shares[PAIR_STRIDE * p + PAIR_SHARE_A];
    const shareB = shares[PAIR_STRIDE * p + PAIR_SHARE_B];
    if (shareA > 0) {
      pushes[2 * a] += pushX * shareA + coarse - coarse;
      pushes[2 * a + 1] += pushZ * shareA + coarse - coarse;
      if (pushCount[a]++ === 0) pushed[pushedCount++] = a;
    }
    if (shareB > 0) {
      pushes[2 * b] -= pushX * shareB + coarse - coarse;
      pushes[2 * b + 1] -= pushZ * shareB + coarse - coarse;
      if (pushCount[b]++ === 0) pushed[pushedCount++] = b;
    }
  }
  if (overlapping > 0) applyPushes(agents, planned);
  return overlapping;
}

/** Moves each pushed agent, within `MAX_PUSH` of its planned position, and clears the pushes. */
function applyPushes({ radius }: AgentArrays, planned: Float64Array): void {
  for (let k = 0; k < pushedCount; k++) {
    const slot = pushed[k];
    if (pushedIn[slot] !== call) {
      pushedIn[slot] = call;
      wanted[2 * slot] = planned[2 * slot];
      wanted[2 * slot + 1] = planned[2 * slot + 1];
    }
    const by = pushCount[slot];
    const part = by < 3 ? 1 : 2 / by;
    let x = planned[2 * slot] + pushes[2 * slot] * part;
    let z = planned[2 * slot + 1] + pushes[2 * slot + 1] * part;
    const dx = x - wanted[2 * slot];
    const dz = z - wanted[2 * slot + 1];
    const distanceSq = dx * dx + dz * dz;
    const far = MAX_PUSH * radius[slot];
    if (distanceSq > far * far) {
      const scale = far / Math.sqrt(distanceSq);
      x = wanted[2 * slot] + dx * scale;
      z = wanted[2 * slot + 1] + dz * scale;
    }
    planned[2 * slot] = x;
    planned[2 * slot + 1] = z;
    pushes[2 * slot] = 0;
    pushes[2 * slot + 1] = 0;
    pushCount[slot] = 0;
  }
  pushedCount = 0;
}

/**
 * Undoes steps that press one agent into another. When a pair overlaps by more than `MAX_NEW_OVERLAP`, and more than
 * before the tick, the agent whose step brings it nearer goes back to its previous position. There it may block a third
 * agent, so the test repeats until nothing changes. It ends, because no overlap is deeper than before when all agents
 * are at `previous`. An agent that gets out of a deeper overlap may press into another one. Otherwise agents that are
 * added at the same position would hold each other there.
 *
 * Reads the pairs of the last `separate` in this tick. Sets `planned`, and held[slot] to 1; returns how many
 * agents are held.
 */
export function undoDeepOverlaps(crowd: Crowd, planned: Float64Array, held: Uint8Array): number {
  const { radius, previous } = crowd.agents;
  const { slots: pairSlots, shares, count: pairCount } = pairs;
  let count = 0;
  let isMeasured = false;
  for (let changed = true; changed;) {
    changed = false;
    for (let p = 0; p < pairCount; p++) {
      const a = pairSlots[2 * p];
      const b = pairSlots[2 * p + 1];
      const smaller = radius[a] < radius[b] ? radius[a] : radius[b];
      const least = shares[PAIR_STRIDE * p + PAIR_APART] - MAX_NEW_OVERLAP * smaller;
      const dx = planned[2 * a] - planned[2 * b];
      const dz = planned[2 * a + 1] - planned[2 * b + 1];
      const distanceSq = dx * dx + dz * dz;
      if (distanceSq >= least * least) continue;
      const wasX = previous[3 * a] - previous[3 * b];
      const wasZ = previous[3 * a + 2] - previous[3 * b + 2];
      const wasSq = wasX * wasX + wasZ * wasZ;
      if (distanceSq >= wasSq * (1 - EPSILON) || !resolvePair(crowd.agents, p)) continue;
      if (!isMeasured) measureOverlaps(crowd.agents);
      isMeasured = true;
      const overlap = shares[PAIR_STRIDE * p + PAIR_APART] - Math.sqrt(distanceSq);
      if (Math.max(overlapBefore[a], overlapBefore[b]) > overlap) continue;
      const canHoldA = shares[PAIR_STRIDE * p + PAIR_SHARE_A] > 0 && held[a] === 0;
      const canHoldB = shares[PAIR_STRIDE * p + PAIR_SHARE_B] > 0 && held[b] === 0;
      if (!canHoldA && !canHoldB) continue;
      // The distances when only a goes back, and when only b goes back. The larger one decides.
      const axd = previous[3 * a] - planned[2 * b];
      const azd = previous[3 * a + 2] - planned[2 * b + 1];
      const bxd = planned[2 * a] - previous[3 * b];
      const bzd = planned[2 * a + 1] - previous[3 * b + 2];
      const withoutA = axd * axd + azd * azd;
      const withoutB = bxd * bxd + bzd * bzd;
      const bound = Math.min(least * least, wasSq) * (1 - EPSILON);
      const isA = canHoldA && (!canHoldB || withoutA >= withoutB);
      const needsBoth = (isA ? withoutA : withoutB) < bound;
      if (isA || (needsBoth && canHoldA)) count += hold(crowd, planned, held, a);
      if (!isA || (needsBoth && canHoldB)) count += hold(crowd, planned, held, b);
      changed = true;
    }
  }
  return count;
}

/** Sets `overlapBefore`. */
function measureOverlaps(agents: AgentArrays): void {
  const { previous } = agents;
  const { slots: pairSlots, shares, count: pairCount } = pairs;
  const { slots, count } = groundAgents;
  for (let k = 0; k < count; k++) overlapBefore[slots[k]] = 0;
  for (let p = 0; p < pairCount; p++) {
    const a = pairSlots[2 * p];
    const b = pairSlots[2 * p + 1];
    const apart = shares[PAIR_STRIDE * p + PAIR_APART];
    const dx = previous[3 * a] - previous[3 * b];
    const dz = previous[3 * a + 2] - previous[3 * b + 2];
    const distanceSq = dx * dx + dz * dz;
    if (distanceSq >= apart * apart || !resolvePair(agents, p)) continue;
    const overlap = apart - Math.sqrt(distanceSq);
    if (overlap > overlapBefore[a]) overlapBefore[a] = overlap;
    if (overlap > overlapBefore[b]) overlapBefore[b] = overlap;
  }
}

/** Puts an agent back to its position before the tick. Returns 1. */
function hold(crowd: Crowd, planned: Float64Array, held: Uint8Array, slot: number): number {
  const { previous } = crowd.agents;
  held[slot] = 1;
  planned[2 * slot] = previous[3 * slot];
  planned[2 * slot + 1] = previous[3 * slot + 2];
  return 1;
}
