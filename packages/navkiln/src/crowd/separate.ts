/**
 * Pushes overlapping agents apart: what avoidance has not prevented, none of them walks into another.
 *
 * In: where agents would be after the tick (xz a slot), their bodies, and their neighbours of this tick. Out: the same places,
 * moved. Called before they are brought onto the mesh.
 *
 * Two push each other when both are on the ground and on the same floor (floor.ts) and overlap by more than `SLACK` of the
 * smaller radius; then until they touch, so that who has been pushed apart is left alone. Of the two each makes room by its
 * share: its weight over both. Weights: 1 who moves, `RESTING` who stands and has nothing to do; of that 1 at priority 0 down to
 * `FIRST` at priority 1; 0 for those that users place and those asleep. Who does not feel the other (mask) gives no way to it,
 * and the other makes all the room. Centres at one point part in a direction that their slots say.
 *
 * In each round all pushes are found from the same places. An agent takes their sum, or twice their mean when more than two push
 * it, and never is farther than `FARTHEST` of its radius from where it wanted to be: a pile comes apart in some ticks and is not
 * blown up. Pushes are added as whole multiples of a small power of two, which is exact: neither slots' order nor that of cells
 * shows.
 *
 * When no agent has a neighbour that it could touch in this tick, nothing is done.
 *
 * Pairs come from the lists of neighbours where these say all: where none is full of agents nearer than the largest could touch.
 * Elsewhere (piles, few large agents among many small ones) they come from a grid over the places.
 *
 * Cost: 0.02 µs an agent when nobody can touch another, 0.06 where some may, 0.35 with the grid in a crowd that overlaps all
 * over, four rounds. Four rounds leave 2 % of a radius where all of a packed crowd step into each other by a quarter, and 1 %
 * a tick later. No allocation once there was room for `maxAgents`, but for lists of pairs, which grow with the densest crowd.
 *
 * Tried and lost: the sum of pushes of however many, as fast where there is room, but without room agents tremble by all they
 * are allowed to move; pairs always from the grid, 1.6 times in a loose crowd.
 *
 * Based on: own; moving positions apart in rounds is from Thomas Jakobsen, Advanced Character Physics, 2001, and Matthias
 * Müller et al., Position Based Dynamics, 2006.
 */
import { isOnFloor, readFloorLimits } from './nearby/floor.ts';
import { blockRuns, createPointGrid, indexPoints, runCapacity } from './nearby/grid.ts';
import { LEAST_REACH } from './nearby/neighbors.ts';
import { isIdleOrDone } from './state/rest.ts';
import { ticksOfTurn } from './turns.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AGENT_USER_OWNED, MAX_NEIGHBORS, STATE_GROUND } from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/** Overlap that is left alone, radii of the smaller one. */
export const SLACK = 0.01;
/** Farthest from where it wanted to be, radii. */
export const FARTHEST = 0.35;
/** Overlap that no step may bring about, radii of the smaller one. */
export const HOLD = 0.04;
const RESTING = 0.3;
const FIRST = 0.1;

const grid = createPointGrid();
let slots = new Int32Array(0);
let runs = new Int32Array(0);
/** A slot: its weight, and how far it moves in this tick. */
let weights = new Float64Array(0);
let moves = new Float64Array(0);
/** A slot: xz where it wanted to be; sum of its pushes; how many push it. */
let wanted = new Float64Array(0);
let pushes = new Float64Array(0);
let pushCount = new Int32Array(0);
/** A slot: the last entry that listed a pair with it. */
let listedBy = new Int32Array(0);
/** Two slots a pair; of each pair its share of the first, of the second, and how far apart they are to be. */
let pairs = new Int32Array(0);
let shares = new Float64Array(0);
let pairCount = 0;
/** Of those on the ground, at the last `separate`. */
let slotCount = 0;
const floor = new Float64Array(2);
/** 0: largest radius, 1: smallest, 2: farthest move, 3: sum of radii, 4: highest speed. */
const sizes = new Float64Array(5);

/**
 * Moves places (xz a slot, where agents would be; those of agents that are not on the ground are not read) apart, in at most so
 * many rounds. Reads neighbours: they have been found while agents stood at `previous`. Returns how many pairs overlapped before
 * the last round; 0: none does.
 */
export function separate(crowd: Crowd, place: Float64Array, iterations: number): number {
  reserve(crowd.maxAgents);
  slotCount = collect(crowd, place);
  const where = whereToLook(crowd, slotCount);
  pairCount = 0;
  if (where === NOBODY) return 0;
  if (where === NEIGHBORS) {
    pairsOfNeighbors(crowd.agents, place, slotCount);
  } else {
    readFloorLimits(floor, crowd.mesh.agent);
    grid.size[2] = sizes[1];
    grid.size[3] = Math.max(sizes[1], (4 * sizes[3]) / slotCount);
    indexPoints(grid, place, 2, slots, slotCount, crowd.maxAgents);
    if (runs.length < runCapacity(grid)) runs = new Int32Array(2 * runCapacity(grid));
    pairsOfGrid(crowd.agents);
  }
  return separateAgain(crowd, place, iterations);
}

/** Once more in the same tick, with the same pairs: places have changed by no more than walls have held somebody. */
export function separateAgain(crowd: Crowd, place: Float64Array, iterations: number): number {
  if (pairCount === 0) return 0;
  for (let k = 0; k < slotCount; k++) {
    const at = 2 * slots[k];
    wanted[at] = place[at];
    wanted[at + 1] = place[at + 1];
  }
  let overlapping = 0;
  for (let round = 0; round < iterations; round++) {
    overlapping = pushApart(crowd.agents, place, slotCount);
    if (overlapping === 0) break;
  }
  return overlapping;
}

/**
 * Takes back the steps of those who would be pressed into others: of two that overlap by more than `HOLD` of the smaller radius,
 * and deeper than before the tick, whoever came nearer by more stays where it stood; and so on, as that may be in a third one's
 * way. At `previous` nothing was deeper than it was, so it ends. Sets `place`, held[slot] to 1; returns how many are held. Pairs
 * are those of the last `separate` in this tick.
 */
export function holdPressed(crowd: Crowd, place: Float64Array, held: Uint8Array): number {
  const { radius, previous } = crowd.agents;
  let count = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (let p = 0; p < pairCount; p++) {
      const a = pairs[2 * p];
      const b = pairs[2 * p + 1];
      const least = shares[3 * p + 2] - HOLD * (radius[a] < radius[b] ? radius[a] : radius[b]);
      const dx = place[2 * a] - place[2 * b];
      const dz = place[2 * a + 1] - place[2 * b + 1];
      const d = dx * dx + dz * dz;
      if (d >= least * least) continue;
      const wasX = previous[3 * a] - previous[3 * b];
      const wasZ = previous[3 * a + 2] - previous[3 * b + 2];
      const was = wasX * wasX + wasZ * wasZ;
      if (d >= was * (1 - 1e-9)) continue;
      const canHoldA = shares[3 * p] > 0 && held[a] === 0;
      const canHoldB = shares[3 * p + 1] > 0 && held[b] === 0;
      if (!canHoldA && !canHoldB) continue;
      const axd = previous[3 * a] - place[2 * b];
      const azd = previous[3 * a + 2] - place[2 * b + 1];
      const bxd = place[2 * a] - previous[3 * b];
      const bzd = place[2 * a + 1] - previous[3 * b + 2];
      const withA = axd * axd + azd * azd;
      const withB = bxd * bxd + bzd * bzd;
      const bound = Math.min(least * least, was) * (1 - 1e-9);
      const isA = canHoldA && (!canHoldB || withA >= withB);
      const both = (isA ? withA : withB) < bound;
      if (isA || (both && canHoldA)) count += hold(crowd, place, held, a);
      if (!isA || (both && canHoldB)) count += hold(crowd, place, held, b);
      changed = true;
    }
  }
  return count;
}

function hold(crowd: Crowd, place: Float64Array, held: Uint8Array, slot: number): number {
  const { previous } = crowd.agents;
  held[slot] = 1;
  place[2 * slot] = previous[3 * slot];
  place[2 * slot + 1] = previous[3 * slot + 2];
  return 1;
}

/** Slots on the ground, with their weights and moves; sizes. Returns how many. */
function collect(crowd: Crowd, place: Float64Array): number {
  const { agents, active, activeCount } = crowd;
  const { state, status, flags, radius, priority, previous, maxSpeed } = agents;
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
    const dx = place[2 * slot] - previous[3 * slot];
    const dz = place[2 * slot + 1] - previous[3 * slot + 2];
    const move = Math.sqrt(dx * dx + dz * dz);
    moves[slot] = move;
    if (move > farthest) farthest = move;
    const isFixed = (flags[slot] & (AGENT_AVOID_ONLY | AGENT_USER_OWNED | AGENT_ASLEEP)) !== 0;
    weights[slot] = isFixed ? 0 : (isIdleOrDone(status[slot]) ? RESTING : 1) * (1 - (1 - FIRST) * priority[slot]);
  }
  sizes[0] = largest;
  sizes[1] = smallest;
  sizes[2] = farthest;
  sizes[3] = sum;
  sizes[4] = fastest;
  return count;
}

/** Nobody touches another in this tick; all that may are neighbours, and one of them knows it; or the grid has to say. */
const NOBODY = 0;
const NEIGHBORS = 1;
const GRID = 2;

/** Where are those to be looked for that may touch in this tick? */
function whereToLook({ agents, stepSeconds }: Crowd, count: number): number {
  const { flags, radius, neighbors, neighborCount, neighborDistanceSq } = agents;
  const largest = sizes[0];
  // Neighbours were found some ticks ago: since then both may have come nearer.
  const farthest = sizes[2] + 2 * sizes[4] * (ticksOfTurn(stepSeconds) - 1) * stepSeconds;
  let touch = false;
  let isKnown = true;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    if ((flags[slot] & AGENT_ASLEEP) !== 0) continue;
    const mine = radius[slot];
    const moved = moves[slot] + farthest;
    const base = MAX_NEIGHBORS * slot;
    const known = neighborCount[slot];
    for (let n = base; !touch && n < base + known; n++) {
      const near = mine + radius[neighbors[n]] + moved;
      touch = neighborDistanceSq[n] < near * near;
    }
    // Those it does not know are farther than the last that it knows, or than all it could feel.
    const seen =
      known === MAX_NEIGHBORS ? neighborDistanceSq[base + known - 1] : LEAST_REACH * LEAST_REACH * mine * mine;
    const near = mine + largest + moved;
    if (seen >= near * near * (1 + FARTHEST) * (1 + FARTHEST)) continue;
    isKnown = false;
    if (seen < near * near) touch = true;
    if (touch) return GRID;
  }
  return !touch ? NOBODY : isKnown ? NEIGHBORS : GRID;
}

/** Adds a pair, if one of them gives way to the other. */
function addPair(agents: AgentArrays, a: number, b: number): void {
  const { radius, layers, mask } = agents;
  const weightA = (mask[a] & layers[b]) !== 0 ? weights[a] : 0;
  const weightB = (mask[b] & layers[a]) !== 0 ? weights[b] : 0;
  const both = weightA + weightB;
  if (both === 0) return;
  if (2 * pairCount + 2 > pairs.length) growPairs();
  pairs[2 * pairCount] = a;
  pairs[2 * pairCount + 1] = b;
  shares[3 * pairCount] = weightA / both;
  shares[3 * pairCount + 1] = weightB / both;
  shares[3 * pairCount + 2] = radius[a] + radius[b];
  pairCount++;
}

/** Pairs that may come to overlap while agents are pushed, each from the list of one that knows the other. */
function pairsOfNeighbors(agents: AgentArrays, place: Float64Array, count: number): void {
  const { radius, state, neighbors, neighborCount } = agents;
  pairCount = 0;
  for (let k = 0; k < count; k++) {
    const me = slots[k];
    const x = place[2 * me];
    const z = place[2 * me + 1];
    const base = MAX_NEIGHBORS * me;
    const end = base + neighborCount[me];
    for (let n = base; n < end; n++) {
      const other = neighbors[n];
      const dx = place[2 * other] - x;
      const dz = place[2 * other + 1] - z;
      const near = (radius[me] + radius[other]) * (1 + FARTHEST);
      if (dx * dx + dz * dz >= near * near || state[other] !== STATE_GROUND) continue;
      // The lower one adds it, if it knows the other.
      if (other < me && knows(agents, other, me)) continue;
      addPair(agents, me, other);
    }
  }
}

function knows(agents: AgentArrays, me: number, other: number): boolean {
  const { neighbors, neighborCount } = agents;
  const base = MAX_NEIGHBORS * me;
  for (let n = base; n < base + neighborCount[me]; n++) if (neighbors[n] === other) return true;
  return false;
}

/** The same from the grid: of two the larger finds the other. */
function pairsOfGrid(agents: AgentArrays): void {
  const { radius } = agents;
  const { count, slot: slotOf, xz, cell } = grid;
  const perUnit = grid.size[1];
  pairCount = 0;
  for (let e = 0; e < count; e++) {
    const me = slotOf[e];
    const mine = radius[me];
    const far = 2 * mine * (1 + FARTHEST);
    const outer = Math.ceil(far * perUnit + 1e-6);
    const length = blockRuns(runs, grid, cell[2 * e], cell[2 * e + 1], -1, outer);
    const end = length < 0 ? 2 : length;
    const x = xz[2 * e];
    const z = xz[2 * e + 1];
    for (let n = 0; n < end; n += 2) {
      const to = runs[n + 1];
      for (let j = runs[n]; j < to; j++) {
        const dx = xz[2 * j] - x;
        const dz = xz[2 * j + 1] - z;
        const d = dx * dx + dz * dz;
        if (d >= far * far) continue;
        const other = slotOf[j];
        const theirs = radius[other];
        if (theirs > mine || (theirs === mine && other >= me) || other === me) continue;
        const near = (mine + theirs) * (1 + FARTHEST);
        if (d >= near * near || !isOnFloor(floor, agents, me, other, d)) continue;
        // Blocks may show an entry twice.
        if (listedBy[other] === e) continue;
        listedBy[other] = e;
        addPair(agents, me, other);
      }
    }
  }
}

/** One round. Returns how many pairs overlapped before it. */
function pushApart(agents: AgentArrays, place: Float64Array, count: number): number {
  const { radius } = agents;
  // Adding and taking away this rounds to a multiple of 2^-52 of it, so that sums of pushes are exact.
  let coarse = 1;
  while (coarse < 1048576 * sizes[0]) coarse *= 2;
  while (coarse > 2097152 * sizes[0]) coarse /= 2;
  coarse *= 1.5;
  let overlapping = 0;
  for (let p = 0; p < pairCount; p++) {
    const a = pairs[2 * p];
    const b = pairs[2 * p + 1];
    const apart = shares[3 * p + 2];
    const dx = place[2 * a] - place[2 * b];
    const dz = place[2 * a + 1] - place[2 * b + 1];
    const d = dx * dx + dz * dz;
    const least = apart - SLACK * radius[b];
    if (d >= least * least) continue;
    overlapping++;
    const distance = Math.sqrt(d);
    let pushX: number;
    let pushZ: number;
    if (distance > 1e-9 * apart) {
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
    const shareA = shares[3 * p];
    const shareB = shares[3 * p + 1];
    if (shareA > 0) {
      pushes[2 * a] += pushX * shareA + coarse - coarse;
      pushes[2 * a + 1] += pushZ * shareA + coarse - coarse;
      pushCount[a]++;
    }
    if (shareB > 0) {
      pushes[2 * b] -= pushX * shareB + coarse - coarse;
      pushes[2 * b + 1] -= pushZ * shareB + coarse - coarse;
      pushCount[b]++;
    }
  }
  if (overlapping === 0) return 0;
  for (let k = 0; k < count; k++) {
    const slot = slots[k];
    const pushed = pushCount[slot];
    if (pushed === 0) continue;
    const part = pushed < 3 ? 1 : 2 / pushed;
    let x = place[2 * slot] + pushes[2 * slot] * part;
    let z = place[2 * slot + 1] + pushes[2 * slot + 1] * part;
    const dx = x - wanted[2 * slot];
    const dz = z - wanted[2 * slot + 1];
    const d = dx * dx + dz * dz;
    const far = FARTHEST * radius[slot];
    if (d > far * far) {
      const scale = far / Math.sqrt(d);
      x = wanted[2 * slot] + dx * scale;
      z = wanted[2 * slot + 1] + dz * scale;
    }
    place[2 * slot] = x;
    place[2 * slot + 1] = z;
    pushes[2 * slot] = 0;
    pushes[2 * slot + 1] = 0;
    pushCount[slot] = 0;
  }
  return overlapping;
}

function growPairs(): void {
  const room = Math.max(256, pairs.length);
  const more = new Int32Array(2 * room);
  more.set(pairs);
  pairs = more;
  const moreShares = new Float64Array(3 * room);
  moreShares.set(shares);
  shares = moreShares;
}

function reserve(capacity: number): void {
  if (slots.length >= capacity) return;
  slots = new Int32Array(capacity);
  weights = new Float64Array(capacity);
  moves = new Float64Array(capacity);
  wanted = new Float64Array(2 * capacity);
  pushes = new Float64Array(2 * capacity);
  pushCount = new Int32Array(capacity);
  listedBy = new Int32Array(capacity);
}
