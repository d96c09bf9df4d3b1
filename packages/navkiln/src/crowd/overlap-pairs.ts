/**
 * Lists the pairs of agents that may overlap in this tick, with the share of the separation that each of the
 * two makes.
 *
 * Two agents form a pair when both are on the mesh, stand on the same floor (floor.ts), and are so near that
 * they may touch while they are pushed. The share of an agent is its weight over the weight of both. A moving
 * agent of priority 0 has weight 1; see `REST_WEIGHT` and `TOP_PRIORITY_WEIGHT` for others. Agents that users
 * place, agents asleep and agents without avoidance have weight 0. An agent whose mask excludes the other
 * one is not pushed by it; the other one moves the whole distance.
 *
 * Pairs come from a list that is kept over some ticks (near-pairs.ts), in the order of the slots.
 *
 * In: planned positions, bodies, layers and masks.
 * Out: `pairs`, `groundAgents`, valid within the tick.
 * Cost: linear in the agents and the listed pairs. Lists of pairs grow with the densest crowd; no other
 * allocation once there was room for `maxAgents`.
 * Based on: own.
 * Tried: pairs from the lists of neighbors where these are complete, and from a grid in each tick elsewhere: one packed cluster
 * made the whole crowd pay for the grid (docs/notes/crowd.md).
 */
import { NEAR_MEAN, NEAR_MOVE, NEAR_SMALLEST, makeNearPairs, nearPairsOf } from './near-pairs.ts';
import type { NearPairs } from './near-pairs.ts';
import { isOnFloor, readFloorLimits } from './nearby/floor.ts';
import { isIdleOrDone } from './state/rest.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AGENT_USER_OWNED, AVOID_NONE, STATE_GROUND } from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/**
 * Farthest that separation moves an agent from its planned position in a tick, in its radii. More resolves
 * clusters in fewer ticks but makes them visibly jump.
 */
export const MAX_PUSH = 0.35;
/** Weight of an agent at rest compared with a moving one: agents at rest give way less. */
const REST_WEIGHT = 0.3;
/** Weight of an agent of priority 1 compared with one of priority 0. */
const TOP_PRIORITY_WEIGHT = 0.1;

// Layout of a row of `shares`.
/** Shares of the first and second agent: 0 .. 1, their sum is 1. */
export const PAIR_SHARE_A = 0;
export const PAIR_SHARE_B = 1;
/** Distance at which the two touch: the sum of their radii. */
export const PAIR_APART = 2;
export const PAIR_STRIDE = 3;

export interface PairList {
  count: number;
  /** Two slots per pair. */
  slots: Int32Array;
  /** One row per pair; see the `PAIR_` offsets. */
  shares: Float64Array;
}

/** The pairs of the last `listPairs`. Scratch that is shared by all crowds. */
export const pairs: PairList = { count: 0, slots: new Int32Array(0), shares: new Float64Array(0) };

export interface GroundAgents {
  count: number;
  /** The first `count` are slots of agents on the mesh, ascending. */
  slots: Int32Array;
  /** Their smallest radius, mean radius and farthest move; see the `NEAR_` offsets. */
  sizes: Float64Array;
  /** Their largest radius, at index 0. In an array, because V8 may allocate a number stored elsewhere. */
  largestRadius: Float64Array;
}

/** The agents of the last `listPairs`. Scratch that is shared by all crowds. */
export const groundAgents: GroundAgents = {
  count: 0,
  slots: new Int32Array(0),
  sizes: new Float64Array(3),
  largestRadius: new Float64Array(1),
};

/** Per slot: its weight. */
let weights = new Float64Array(0);
const floor = new Float64Array(2);

/**
 * Fills `pairs` and `groundAgents`. `planned` has xz per slot; positions of agents that are not on the mesh
 * are not read.
 */
export function listPairs(crowd: Crowd, planned: Float64Array): void {
  if (weights.length < crowd.maxAgents) {
    weights = new Float64Array(crowd.maxAgents);
    groundAgents.slots = new Int32Array(crowd.maxAgents);
  }
  const near = nearPairsOf(crowd);
  pairs.count = 0;
  if (!collect(crowd, planned, near)) makeNearPairs(near, crowd, groundAgents, planned, 1 + MAX_PUSH);
  readFloorLimits(floor, crowd.mesh.agent);
  choosePairs(crowd.agents, planned, near);
}

/** Fills `groundAgents` and `weights`. Returns whether `near` is up to date. */
function collect(crowd: Crowd, planned: Float64Array, near: NearPairs): boolean {
  const { agents, active, activeCount } = crowd;
  const { state, status, flags, avoidance, radius, priority, previous } = agents;
  const { slots, sizes } = groundAgents;
  const { madeAt, madeRadius, movedSq } = near;
  const limit = movedSq[0];
  let count = 0;
  let largest = 0;
  let smallest = Infinity;
  let farthestSq = 0;
  let sum = 0;
  let isMade = true;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    const r = radius[slot];
    sum += r;
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
    const x = planned[2 * slot];
    const z = planned[2 * slot + 1];
    const dx = x - previous[3 * slot];
    const dz = z - previous[3 * slot + 2];
    const moveSq = dx * dx + dz * dz;
    if (moveSq > farthestSq) farthestSq = moveSq;
    const ax = x - madeAt[2 * slot];
    const az = z - madeAt[2 * slot + 1];
    // Also false for one that was not on the mesh.
    if (!(ax * ax + az * az <= limit) || r !== madeRadius[slot]) isMade = false;
    const isFixed =
      (flags[slot] & (AGENT_AVOID_ONLY | AGENT_USER_OWNED | AGENT_ASLEEP)) !== 0 || avoidance[slot] === AVOID_NONE;
    weights[slot] = isFixed
      ? 0
      : (isIdleOrDone(status[slot]) ? REST_WEIGHT : 1) * (1 - (1 - TOP_PRIORITY_WEIGHT) * priority[slot]);
  }
  groundAgents.count = count;
  groundAgents.largestRadius[0] = largest;
  sizes[NEAR_SMALLEST] = smallest;
  sizes[NEAR_MEAN] = sum / count;
  sizes[NEAR_MOVE] = Math.sqrt(farthestSq);
  return isMade;
}

/** Lists the pairs of `near` that are near enough in this tick. */
function choosePairs(agents: AgentArrays, planned: Float64Array, near: NearPairs): void {
  const { state } = agents;
  const { slots, count } = groundAgents;
  const { start, others, nearSq } = near;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const end = start[slot + 1];
    const x = planned[2 * slot];
    const z = planned[2 * slot + 1];
    const isFixed = weights[slot] === 0;
    for (let n = start[slot]; n < end; n++) {
      const other = others[n];
      if (isFixed && weights[other] === 0) continue;
      const dx = planned[2 * other] - x;
      const dz = planned[2 * other + 1] - z;
      const distanceSq = dx * dx + dz * dz;
      if (distanceSq >= nearSq[n] || state[other] !== STATE_GROUND) continue;
      if (isOnFloor(floor, agents, slot, other, distanceSq)) addPair(agents, slot, other);
    }
  }
}

/** Adds a pair, if at least one of the two gives way to the other. */
function addPair(agents: AgentArrays, a: number, b: number): void {
  const { radius, layers, mask } = agents;
  const weightA = (mask[a] & layers[b]) !== 0 ? weights[a] : 0;
  const weightB = (mask[b] & layers[a]) !== 0 ? weights[b] : 0;
  const sum = weightA + weightB;
  if (sum === 0) return;
  const { count } = pairs;
  if (2 * count + 2 > pairs.slots.length) growPairs();
  const { slots, shares } = pairs;
  slots[2 * count] = a;
  slots[2 * count + 1] = b;
  shares[PAIR_STRIDE * count + PAIR_SHARE_A] = weightA / sum;
  shares[PAIR_STRIDE * count + PAIR_SHARE_B] = weightB / sum;
  shares[PAIR_STRIDE * count + PAIR_APART] = radius[a] + radius[b];
  pairs.count = count + 1;
}

function growPairs(): void {
  const room = Math.max(256, pairs.slots.length);
  const slots = new Int32Array(2 * room);
  slots.set(pairs.slots);
  pairs.slots = slots;
  const shares = new Float64Array(PAIR_STRIDE * room);
  shares.set(pairs.shares);
  pairs.shares = shares;
}
