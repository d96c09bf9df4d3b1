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
 * When no agent has a neighbor that it could touch in this tick, the list stays empty. The lists of neighbors
 * give the pairs where they are complete, that is, where none of them is full of agents nearer than the
 * largest agent could touch. Elsewhere (clusters, a few large agents among many small ones) a grid over the
 * planned positions gives them.
 *
 * In: planned positions, bodies, layers and masks, neighbors found while agents stood at `previous`.
 * Out: `pairs`, `groundSlots`, valid within the tick.
 * Cost: linear in the agents and their neighbors. Lists of pairs grow with the densest crowd; no other
 * allocation once there was room for `maxAgents`.
 * Based on: own.
 * Tried: pairs always from the grid; slower in a loose crowd (`npm run bench -- --only crowd`).
 */
import { isOnFloor, readFloorLimits } from './nearby/floor.ts';
import {
  blockRuns,
  cellsWithin,
  createPointGrid,
  indexPoints,
  limitCells,
  reserveGrid,
  runsEnd,
} from './nearby/grid.ts';
import { leastReachOf } from './nearby/reach.ts';
import { isIdleOrDone } from './state/rest.ts';
import { ticksOfEasyTurn, ticksOfLowTurn } from './state/turn-ticks.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  AVOID_NONE,
  MAX_NEIGHBORS,
  MODE_LOW_DETAIL,
  STATE_GROUND,
} from './state/types.ts';
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
  /** The first `count` are slots of agents on the mesh. */
  slots: Int32Array;
  /** Their largest radius, at index 0. In an array, because V8 may allocate a number stored elsewhere. */
  largestRadius: Float64Array;
}

/** The agents on the mesh in the last `listPairs`. Scratch that is shared by all crowds. */
export const groundAgents: GroundAgents = {
  count: 0,
  slots: new Int32Array(0),
  largestRadius: new Float64Array(1),
};

const grid = createPointGrid();
/** Per slot: its weight, and how far it moves in this tick. */
let weights = new Float64Array(0);
let moves = new Float64Array(0);
/** Per slot: the last entry of the grid that listed a pair with it. */
let listedBy = new Int32Array(0);
const floor = new Float64Array(2);

// Layout of `sizes`: what `collect` measures of the agents on the mesh.
const LARGEST_RADIUS = 0;
const SMALLEST_RADIUS = 1;
const FARTHEST_MOVE = 2;
const RADIUS_SUM = 3;
const FARTHEST_APPROACH = 4;
/** What those of low detail may have approached in addition. */
const LOW_APPROACH = 5;
const sizes = new Float64Array(6);

// Answers of `chooseSource`: nobody touches another; neighbors know all pairs; the grid has to be searched.
const SOURCE_NONE = 0;
const SOURCE_NEIGHBORS = 1;
const SOURCE_GRID = 2;

/**
 * Fills `pairs` and `groundAgents`. `planned` has xz per slot; positions of agents that are not on the mesh
 * are not read.
 */
export function listPairs(crowd: Crowd, planned: Float64Array): void {
  reserve(crowd.maxAgents);
  const count = collect(crowd, planned);
  groundAgents.count = count;
  groundAgents.slots = grid.slots;
  groundAgents.largestRadius[0] = sizes[LARGEST_RADIUS];
  pairs.count = 0;
  const source = chooseSource(crowd, count);
  if (source === SOURCE_NONE) return;
  if (source === SOURCE_NEIGHBORS) {
    listFromNeighbors(crowd.agents, planned, count);
    return;
  }
  readFloorLimits(floor, crowd.mesh.agent);
  limitCells(grid, sizes[SMALLEST_RADIUS], (4 * sizes[RADIUS_SUM]) / count);
  indexPoints(grid, planned, 2, count);
  listFromGrid(crowd.agents);
}

/**
 * Notes the slots of agents on the mesh, their weights and moves, and `sizes`. Returns how many there are.
 */
function collect(crowd: Crowd, planned: Float64Array): number {
  const { agents, active, activeCount } = crowd;
  const { state, status, flags, avoidance, radius, priority, previous, maxSpeed } = agents;
  const { slots } = grid;
  let count = 0;
  let largest = 0;
  let smallest = Infinity;
  let farthest = 0;
  let fastest = 0;
  let sum = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    listedBy[slot] = -1;
    const r = radius[slot];
    sum += r;
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
    if (maxSpeed[slot] > fastest) fastest = maxSpeed[slot];
    const dx = planned[2 * slot] - previous[3 * slot];
    const dz = planned[2 * slot + 1] - previous[3 * slot + 2];
    const move = Math.sqrt(dx * dx + dz * dz);
    moves[slot] = move;
    if (move > farthest) farthest = move;
    const isFixed =
      (flags[slot] & (AGENT_AVOID_ONLY | AGENT_USER_OWNED | AGENT_ASLEEP)) !== 0 || avoidance[slot] === AVOID_NONE;
    weights[slot] = isFixed
      ? 0
      : (isIdleOrDone(status[slot]) ? REST_WEIGHT : 1) * (1 - (1 - TOP_PRIORITY_WEIGHT) * priority[slot]);
  }
  sizes[LARGEST_RADIUS] = largest;
  sizes[SMALLEST_RADIUS] = smallest;
  sizes[FARTHEST_MOVE] = farthest;
  sizes[RADIUS_SUM] = sum;
  // Neighbors may be some ticks old; both agents may have approached since then.
  const { stepSeconds } = crowd;
  const easyTicks = ticksOfEasyTurn(stepSeconds);
  sizes[FARTHEST_APPROACH] = farthest + 2 * fastest * (easyTicks - 1) * stepSeconds;
  sizes[LOW_APPROACH] = 2 * fastest * (ticksOfLowTurn(stepSeconds) - easyTicks) * stepSeconds;
  return count;
}

/** Returns where to look for pairs in this tick, one of the `SOURCE_` values. */
function chooseSource({ agents }: Crowd, count: number): number {
  const { flags, modes, radius, neighbors, neighborCount, neighborDistanceSq } = agents;
  const { slots } = grid;
  const largest = sizes[LARGEST_RADIUS];
  const farthest = sizes[FARTHEST_APPROACH];
  let canTouch = false;
  let isComplete = true;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    if ((flags[slot] & AGENT_ASLEEP) !== 0) continue;
    const mine = radius[slot];
    let moved = moves[slot] + farthest;
    if ((modes[slot] & MODE_LOW_DETAIL) !== 0) moved += sizes[LOW_APPROACH];
    const base = MAX_NEIGHBORS * slot;
    const known = neighborCount[slot];
    const farSq = (mine + largest + moved) * (mine + largest + moved);
    // Nearest first: those after the first that is too far are farther.
    for (let n = base; !canTouch && n < base + known && neighborDistanceSq[n] < farSq; n++) {
      const near = mine + radius[neighbors[n]] + moved;
      canTouch = neighborDistanceSq[n] < near * near;
    }
    // Agents that are not listed are farther than the last one that is, or than the reach.
    let coveredSq = 0;
    if (known === MAX_NEIGHBORS) coveredSq = neighborDistanceSq[base + known - 1];
    else {
      const reach = leastReachOf(agents, slot);
      coveredSq = reach * reach;
    }
    if (coveredSq >= farSq * (1 + MAX_PUSH) * (1 + MAX_PUSH)) continue;
    isComplete = false;
    if (coveredSq < farSq) canTouch = true;
    if (canTouch) return SOURCE_GRID;
  }
  return !canTouch ? SOURCE_NONE : isComplete ? SOURCE_NEIGHBORS : SOURCE_GRID;
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

/** Lists each pair once, from the neighbors of an agent that knows the other one. */
function listFromNeighbors(agents: AgentArrays, planned: Float64Array, count: number): void {
  const { radius, state, modes, neighbors, neighborCount, neighborDistanceSq } = agents;
  const { slots } = grid;
  const largest = sizes[LARGEST_RADIUS];
  const approach = sizes[FARTHEST_APPROACH];
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const x = planned[2 * slot];
    const z = planned[2 * slot + 1];
    const base = MAX_NEIGHBORS * slot;
    const end = base + neighborCount[slot];
    let far = (radius[slot] + largest) * (1 + MAX_PUSH) + moves[slot] + approach;
    if ((modes[slot] & MODE_LOW_DETAIL) !== 0) far += sizes[LOW_APPROACH];
    for (let n = base; n < end && neighborDistanceSq[n] < far * far; n++) {
      const other = neighbors[n];
      const dx = planned[2 * other] - x;
      const dz = planned[2 * other + 1] - z;
      const near = (radius[slot] + radius[other]) * (1 + MAX_PUSH);
      if (dx * dx + dz * dz >= near * near || state[other] !== STATE_GROUND) continue;
      // The lower slot adds the pair if it knows the other agent.
      if (other < slot && isNeighbor(agents, other, slot)) continue;
      addPair(agents, slot, other);
    }
  }
}

/** Returns whether `other` is in the list of neighbors of `slot`. */
function isNeighbor(agents: AgentArrays, slot: number, other: number): boolean {
  const { neighbors, neighborCount } = agents;
  const base = MAX_NEIGHBORS * slot;
  for (let n = base; n < base + neighborCount[slot]; n++) if (neighbors[n] === other) return true;
  return false;
}

/** Lists each pair once, from the grid: the larger agent, or the higher slot, finds the other one. */
function listFromGrid(agents: AgentArrays): void {
  const { radius } = agents;
  const { count, slot: slotOf, xz, cell, runs } = grid;
  for (let e = 0; e < count; e++) {
    const slot = slotOf[e];
    const mine = radius[slot];
    const far = 2 * mine * (1 + MAX_PUSH);
    const end = runsEnd(blockRuns(runs, grid, cell[2 * e], cell[2 * e + 1], -1, cellsWithin(grid, far)));
    const x = xz[2 * e];
    const z = xz[2 * e + 1];
    for (let n = 0; n < end; n += 2) {
      const to = runs[n + 1];
      for (let j = runs[n]; j < to; j++) {
        const dx = xz[2 * j] - x;
        const dz = xz[2 * j + 1] - z;
        const distanceSq = dx * dx + dz * dz;
        if (distanceSq >= far * far) continue;
        const other = slotOf[j];
        const theirs = radius[other];
        if (theirs > mine || (theirs === mine && other >= slot) || other === slot) continue;
        const near = (mine + theirs) * (1 + MAX_PUSH);
        if (distanceSq >= near * near || !isOnFloor(floor, agents, slot, other, distanceSq)) continue;
        // A block may list an entry twice.
        if (listedBy[other] === e) continue;
        listedBy[other] = e;
        addPair(agents, slot, other);
      }
    }
  }
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

function reserve(capacity: number): void {
  reserveGrid(grid, capacity);
  if (weights.length >= capacity) return;
  weights = new Float64Array(capacity);
  moves = new Float64Array(capacity);
  listedBy = new Int32Array(capacity);
}
