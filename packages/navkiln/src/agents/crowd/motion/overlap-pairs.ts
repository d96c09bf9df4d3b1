/**
 * Lists the pairs of agents that may overlap in this tick, with the share of the separation that each of the two takes.
 *
 * Two agents form a pair when both are on the mesh, stand on the same floor (floor.ts), and are so near that they may
 * touch while they are pushed. The share of an agent is its weight over the weight of both. A moving agent of priority
 * 0 has weight 1; see `REST_WEIGHT` and `TOP_PRIORITY_WEIGHT` for other weights. Agents that callers move, agents
 * asleep and agents without avoidance have weight 0. An agent whose mask excludes the other agent is not pushed by it;
 * the other agent moves the whole distance.
 *
 * Pairs come from a list that is kept over some ticks (near-pairs.ts), in the order of the slots.
 *
 * In: planned positions, bodies, layers and masks.
 * Out: `pairs`, `groundAgents`, valid within the tick.
 * Cost: linear in the agents and the listed pairs. Lists of pairs grow with the densest crowd; there is no other
 * allocation after the first tick.
 * Based on: own.
 * Tried: pairs from complete lists of neighbors, and from a grid in each tick elsewhere. One packed cluster then made
 * the whole crowd pay for the grid (docs/notes/crowd.md).
 */
import { makeNearPairs, nearPairsOf } from './near-pairs.ts';
import type { NearPairs } from './near-pairs.ts';
import { isOnFloor, readFloorLimits } from '../nearby/floor.ts';
import { isIdleOrDone } from '../state/rest.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AGENT_USER_OWNED, AVOID_NONE, STATE_GROUND } from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';

/**
 * Maximum distance that separation moves an agent from its planned position in a tick, in radii. A larger value
 * resolves clusters in fewer ticks but makes agents visibly jump.
 */
export const MAX_PUSH = 0.35;
/** Weight of an agent at rest compared with a moving one: agents at rest give way less. */
const REST_WEIGHT = 0.3;
/** Weight of an agent of priority 1 compared with one of priority 0. */
const TOP_PRIORITY_WEIGHT = 0.1;

// Layout of a row of `shares`.
/** Shares of the first and second agent: 0 .. 1, their sum is 1. NaN until `resolvePair`; 0 if neither gives way. */
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
  /** Their largest radius, at index 0. An array, because V8 may allocate a number stored in an object. */
  largestRadius: Float64Array;
}

/** The agents of the last `listPairs`. Scratch that is shared by all crowds. */
export const groundAgents: GroundAgents = { count: 0, slots: new Int32Array(0), largestRadius: new Float64Array(1) };

/** Agents that separation never pushes. */
const FIXED = AGENT_AVOID_ONLY | AGENT_USER_OWNED | AGENT_ASLEEP;
/** Factor of the sum of radii below which two agents may touch while they are pushed. */
const NEAR = 1 + MAX_PUSH;

const floor = new Float64Array(2);

/**
 * Fills `pairs` and `groundAgents`. `planned` has xz per slot; positions of agents that are not on the mesh
 * are not read.
 */
export function listPairs(crowd: Crowd, planned: Float64Array): void {
  if (groundAgents.slots.length < crowd.maxAgents) groundAgents.slots = new Int32Array(crowd.maxAgents);
  pairs.count = 0;
  const near = nearPairsOf(crowd);
  if (!collect(crowd, planned, near)) makeNearPairs(crowd, groundAgents.slots, groundAgents.count, planned, NEAR);
  readFloorLimits(floor, crowd.mesh.agent);
  choosePairs(crowd.agents, planned, near);
}

/** Fills `groundAgents`. Returns whether `near` is up to date. */
function collect({ agents, active, activeCount }: Crowd, planned: Float64Array, near: NearPairs): boolean {
  const { state, radius } = agents;
  const { slots } = groundAgents;
  const { madeAt, madeRadius, movedSq } = near;
  const limit = movedSq[0];
  let count = 0;
  let largest = 0;
  let isMade = true;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    const r = radius[slot];
    if (r > largest) largest = r;
    const dx = planned[2 * slot] - madeAt[2 * slot];
    const dz = planned[2 * slot + 1] - madeAt[2 * slot + 1];
    // Also false for an agent that was not on the mesh.
    if (!(dx * dx + dz * dz <= limit) || r !== madeRadius[slot]) isMade = false;
  }
  groundAgents.count = count;
  groundAgents.largestRadius[0] = largest;
  return isMade;
}

/** Lists the pairs of `near` that are near enough in this tick. */
function choosePairs({ state, flags }: AgentArrays, planned: Float64Array, near: NearPairs): void {
  const { slots, count } = groundAgents;
  const { start, others, apart } = near;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const end = start[slot + 1];
    const x = planned[2 * slot];
    const z = planned[2 * slot + 1];
    const isFixed = (flags[slot] & FIXED) !== 0;
    for (let n = start[slot]; n < end; n++) {
      const other = others[n];
      const dx = planned[2 * other] - x;
      const dz = planned[2 * other + 1] - z;
      const touching = apart[n];
      if (dx * dx + dz * dz >= NEAR * NEAR * touching * touching || state[other] !== STATE_GROUND) continue;
      if (isFixed && (flags[other] & FIXED) !== 0) continue;
      if (2 * pairs.count + 2 > pairs.slots.length) growPairs();
      const at = pairs.count++;
      pairs.slots[2 * at] = slot;
      pairs.slots[2 * at + 1] = other;
      pairs.shares[PAIR_STRIDE * at + PAIR_SHARE_A] = NaN;
      pairs.shares[PAIR_STRIDE * at + PAIR_APART] = touching;
    }
  }
}

/**
 * Finds the shares of a pair. Returns false when neither agent gives way: they are on different floors, or both are
 * fixed.
 */
export function resolvePair(agents: AgentArrays, pair: number): boolean {
  const { slots, shares } = pairs;
  const at = PAIR_STRIDE * pair;
  if (shares[at + PAIR_SHARE_A] === shares[at + PAIR_SHARE_A]) {
    return shares[at + PAIR_SHARE_A] + shares[at + PAIR_SHARE_B] > 0;
  }
  const { layers, mask } = agents;
  const a = slots[2 * pair];
  const b = slots[2 * pair + 1];
  // Floors follow from the positions before the tick.
  const isTogether = isOnFloor(floor, agents, a, b);
  const weightA = isTogether && (mask[a] & layers[b]) !== 0 ? weightOf(agents, a) : 0;
  const weightB = isTogether && (mask[b] & layers[a]) !== 0 ? weightOf(agents, b) : 0;
  const sum = weightA + weightB;
  shares[at + PAIR_SHARE_A] = sum > 0 ? weightA / sum : 0;
  shares[at + PAIR_SHARE_B] = sum > 0 ? weightB / sum : 0;
  return sum > 0;
}

/** Returns the weight with which an agent gives way, relative to other agents. */
function weightOf({ flags, avoidance, status, priority }: AgentArrays, slot: number): number {
  if ((flags[slot] & FIXED) !== 0 || avoidance[slot] === AVOID_NONE) return 0;
  return (isIdleOrDone(status[slot]) ? REST_WEIGHT : 1) * (1 - (1 - TOP_PRIORITY_WEIGHT) * priority[slot]);
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
