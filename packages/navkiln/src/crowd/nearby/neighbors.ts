/**
 * Who is near whom: the true nearest neighbours of every agent on its floor; and who may sleep, because nobody near moves.
 *
 * In: agents' positions, bodies, layers and masks. Out: `neighbors`, `neighborCount`, `neighborDistanceSq`; `AGENT_ASLEEP`.
 *
 * An agent's neighbours are, of those it feels, the `MAX_NEIGHBORS` nearest in the plane, centre to centre; of equally near ones
 * the lower slots. It feels another that is on the ground, one of whose `layers` is in its `mask`, that is on the same floor
 * (floor.ts), and no farther than its reach and both radii: reach is what it walks in its `horizon` at full speed, but at least
 * `LEAST_REACH` and at most `MOST_REACH` of its radii. Agents on links, or without ground, feel nobody and are felt by nobody;
 * those asleep feel nobody and are felt.
 *
 * Agents are put into a grid by cells (grid.ts). Those of one cell ask one after the other, each for blocks of cells around it
 * that double in size until what lies outside is farther than the farthest neighbour it knows: where it is crowded that is the
 * first block of 3 x 3, where nobody is near it is its reach. What comes out depends neither on the cells nor on the guess, from
 * its last neighbours, of how far it has to look.
 *
 * An agent sleeps when it stands, having nothing to do or having arrived, and neither feels one that does not, nor overlaps with
 * one on its floor.
 *
 * Cost: 0.2 µs an agent of a packed crowd, 0.35 of one strewn at random at that density, 0.1 where few are near; from 100 to
 * 10,000 agents the same. Storeys above each other are looked through, too: four cost twice as much. No allocation once there was
 * room for `maxAgents`.
 *
 * Tried and lost: no guess of how far to look, 1.15 to 1.25 times; to collect without branches all within the guess, then sort
 * by counting ranks, 1.0 to 1.3 times, twice with few agents; to look in every other turn only where nobody is near, 0.96 to
 * 1.0 times in a town, 1.03 to 1.07 in a crush.
 *
 * Based on: own.
 */
import { isOnFloor, readFloorLimits } from './floor.ts';
import { blockRuns, createPointGrid, indexPoints, runCapacity } from './grid.ts';
import type { PointGrid } from './grid.ts';
import { isIdleOrDone } from '../state/rest.ts';
import { AGENT_ASLEEP, AGENT_AVOID_ONLY, AGENT_USER_OWNED, MAX_NEIGHBORS, STATE_GROUND } from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';

/** Radii an agent feels others in at least, and at most, besides both radii. */
export const LEAST_REACH = 4;
export const MOST_REACH = 32;
/** Overlap of resting agents that keeps them awake, radii of the smaller one. */
const UNEASY = 0.03;
/** Of the squared distance of the farthest neighbour in the last tick: how far to look for as many in this one. */
const GUESS = 1.2;
/** Share of all from which on those who do not rest are looked for among all. */
const MOST_STIR = 0.3;
/** Nobody pushes these. */
const FIXED = AGENT_AVOID_ONLY | AGENT_USER_OWNED;

const bodies = createPointGrid();
const stirring = createPointGrid();
/** Of each body in the grid's order: y, radius, height, layers. */
let shapes = new Float64Array(0);
/** A slot: 1, its neighbours are looked for; all 0 between. */
let isDue = new Uint8Array(0);
/** A slot: 1, it is on the ground and does not rest. */
let stirs = new Uint8Array(0);
/** Slots to index. */
let slots = new Int32Array(0);
let runs = new Int32Array(0);
let ringRuns = new Int32Array(0);
const floor = new Float64Array(2);
/** 0: largest radius of bodies, 1: smallest, 2: mean reach with twice the radius. */
const sizes = new Float64Array(3);

/**
 * Step: first who sleeps, then the neighbours of those who do not and whose turn it is (`thinking`). The others keep those they
 * know, with the distances they had; one of these may have left the ground since.
 */
export function findNeighbors(crowd: Crowd): void {
  if (isAllAsleep(crowd)) {
    for (let k = 0; k < crowd.activeCount; k++) crowd.agents.neighborCount[crowd.active[k]] = 0;
    return;
  }
  indexBodies(crowd);
  markSleepers(crowd);
  listNeighbors(crowd);
}

/** Then nothing changes. */
function isAllAsleep(crowd: Crowd): boolean {
  const { agents, active, activeCount } = crowd;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if ((agents.flags[slot] & AGENT_ASLEEP) === 0 || agents.state[slot] !== STATE_GROUND || !isAtRest(agents, slot))
      return false;
  }
  return true;
}

/** Has it come to rest, with nothing to do? */
function isAtRest(agents: AgentArrays, slot: number): boolean {
  const { velocity, yieldTo, status } = agents;
  if (velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0 || yieldTo[slot] >= 0) return false;
  return isIdleOrDone(status[slot]);
}

/** How far it feels others, besides both radii. */
function reachOf({ maxSpeed, horizon, radius }: AgentArrays, slot: number): number {
  return Math.min(Math.max(maxSpeed[slot] * horizon[slot], LEAST_REACH * radius[slot]), MOST_REACH * radius[slot]);
}

function indexBodies(crowd: Crowd): void {
  const { agents, active, activeCount } = crowd;
  const { state, radius, position } = agents;
  if (slots.length < crowd.maxAgents) slots = new Int32Array(crowd.maxAgents);
  if (isDue.length < crowd.maxAgents) isDue = new Uint8Array(crowd.maxAgents);
  readFloorLimits(floor, crowd.mesh.agent);
  let count = 0;
  let largest = 0;
  let smallest = Infinity;
  let sum = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND) continue;
    slots[count++] = slot;
    const r = radius[slot];
    if (r > largest) largest = r;
    if (r < smallest) smallest = r;
    sum += reachOf(agents, slot) + 2 * r;
  }
  sizes[0] = largest;
  sizes[1] = smallest;
  sizes[2] = sum / count;
  if (count > 0) {
    bodies.size[2] = smallest;
    bodies.size[3] = sizes[2];
  }
  indexPoints(bodies, position, 3, slots, count, crowd.maxAgents);
  reserveRuns(bodies);
  if (shapes.length < 4 * count) shapes = new Float64Array(4 * crowd.maxAgents);
  const { height, layers } = agents;
  for (let e = 0; e < count; e++) {
    const one = bodies.slot[e];
    shapes[4 * e] = position[3 * one + 1];
    shapes[4 * e + 1] = radius[one];
    shapes[4 * e + 2] = height[one];
    shapes[4 * e + 3] = layers[one];
  }
}

function reserveRuns(grid: PointGrid): void {
  const room = runCapacity(grid);
  if (runs.length >= room) return;
  runs = new Int32Array(2 * room);
  ringRuns = new Int32Array(2 * room);
}

function listNeighbors(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, thinkingCount } = crowd;
  const { state, flags, mask } = agents;
  const { neighbors, neighborCount, neighborDistanceSq } = agents;
  const { count, slot: slotOf, xz, cell } = bodies;
  const side = bodies.size[0];
  const perUnit = bodies.size[1];
  const slack = side * 1e-6;
  const largest = sizes[0];
  const slopeSq = floor[0];
  const step = floor[1];
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if (state[slot] !== STATE_GROUND || (flags[slot] & AGENT_ASLEEP) !== 0) neighborCount[slot] = 0;
  }
  for (let k = 0; k < thinkingCount; k++) isDue[thinking[k]] = 1;

  let cellX = 0;
  let cellZ = 0;
  let cellRuns = 0;
  for (let e = 0; e < count; e++) {
    const me = slotOf[e];
    if ((flags[me] & AGENT_ASLEEP) !== 0 || isDue[me] === 0) continue;
    const cx = cell[2 * e];
    const cz = cell[2 * e + 1];
    if (cellRuns === 0 || cx !== cellX || cz !== cellZ) {
      cellX = cx;
      cellZ = cz;
      cellRuns = blockRuns(runs, bodies, cx, cz, -1, 1);
    }
    const x = xz[2 * e];
    const z = xz[2 * e + 1];
    const y = shapes[4 * e];
    const myRadius = shapes[4 * e + 1];
    const myHeight = shapes[4 * e + 2];
    const myMask = mask[me];
    const reach = reachOf(agents, me) + myRadius;
    const base = MAX_NEIGHBORS * me;
    const last = base + MAX_NEIGHBORS - 1;
    let found = base;
    const limit = (reach + largest) * (reach + largest);
    // Those of the last time are about as far away now. If that proves wrong, all is done again without it.
    const guess = neighborCount[me] === MAX_NEIGHBORS ? GUESS * neighborDistanceSq[last] : limit;
    let worst = guess < limit ? guess : limit;
    // Lower corner of its cell, in cells' own numbers: those of cells wrap.
    const lowX = Math.floor(x * perUnit) * side;
    const lowZ = Math.floor(z * perUnit) * side;
    const toX = Math.min(x - lowX, lowX + side - x);
    const toZ = Math.min(z - lowZ, lowZ + side - z);
    const toEdge = (toX < toZ ? toX : toZ) - slack;

    let list = runs;
    let length = cellRuns;
    let outer = 1;
    for (;;) {
      const end = length < 0 ? 2 : length;
      for (let n = 0; n < end; n += 2) {
        const to = list[n + 1];
        for (let j = list[n]; j < to; j++) {
          const dx = xz[2 * j] - x;
          const dz = xz[2 * j + 1] - z;
          const d = dx * dx + dz * dz;
          if (d > worst) continue;
          if (j === e || (myMask & shapes[4 * j + 3]) === 0) continue;
          const within = reach + shapes[4 * j + 1];
          if (d > within * within) continue;
          const dy = shapes[4 * j] - y;
          if (dy !== 0) {
            const rise = dy < 0 ? -dy : dy;
            if (rise >= (dy < 0 ? shapes[4 * j + 2] : myHeight)) continue;
            const above = rise - step;
            if (above > 0 && above * above > d * slopeSq) continue;
          }
          const other = slotOf[j];
          // Into its place among those found: by distance, then slot. One that was met before stands there already.
          let at = found;
          while (at > base) {
            const before = neighborDistanceSq[at - 1];
            if (d > before || (d === before && other >= neighbors[at - 1])) break;
            at--;
          }
          if (at > base && neighbors[at - 1] === other) continue;
          if (at > last) continue;
          if (found <= last) found++;
          for (let m = found - 1; m > at; m--) {
            neighborDistanceSq[m] = neighborDistanceSq[m - 1];
            neighbors[m] = neighbors[m - 1];
          }
          neighborDistanceSq[at] = d;
          neighbors[at] = other;
          if (found > last) worst = neighborDistanceSq[last];
        }
      }
      // How far all has been seen.
      const seen = toEdge + outer * side;
      if (length >= 0 && (seen <= 0 || seen * seen <= worst)) {
        list = ringRuns;
        length = blockRuns(ringRuns, bodies, cx, cz, outer, 2 * outer);
        outer *= 2;
        continue;
      }
      if (found > last || worst === limit) break;
      worst = limit;
      found = base;
      outer = 1;
      list = runs;
      length = cellRuns;
    }
    neighborCount[me] = found - base;
  }
  isDue.fill(0, 0, crowd.slotCount);
}

/**
 * Each that rests looks for one that does not and that it feels: in a grid of these, or, when they are many, in the grid of all,
 * which there is already.
 */
function markSleepers(crowd: Crowd): void {
  const { agents, active, activeCount } = crowd;
  const { state, flags, radius, position, layers, mask } = agents;
  if (stirs.length < crowd.maxAgents) stirs = new Uint8Array(crowd.maxAgents);
  let count = 0;
  let largest = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const isGround = state[slot] === STATE_GROUND;
    stirs[slot] = 0;
    if (isGround && isAtRest(agents, slot)) continue;
    flags[slot] &= ~AGENT_ASLEEP;
    if (!isGround) continue;
    slots[count++] = slot;
    stirs[slot] = 1;
    if (radius[slot] > largest) largest = radius[slot];
  }
  if (count === bodies.count) return;
  const isOfAll = count > MOST_STIR * bodies.count;
  if (!isOfAll) {
    stirring.size[2] = bodies.size[2];
    stirring.size[3] = bodies.size[3];
    indexPoints(stirring, position, 3, slots, count, crowd.maxAgents);
  }
  const seenIn = isOfAll ? bodies : stirring;
  const side = seenIn.size[0];
  const perUnit = seenIn.size[1];
  const slack = side * 1e-6;

  for (let e = 0; e < bodies.count; e++) {
    const me = bodies.slot[e];
    if (stirs[me] === 1) continue;
    const x = bodies.xz[2 * e];
    const z = bodies.xz[2 * e + 1];
    const myRadius = radius[me];
    const reach = reachOf(agents, me) + myRadius;
    const far = (reach + largest) * (reach + largest);
    const cx = Math.floor(x * perUnit);
    const cz = Math.floor(z * perUnit);
    const toX = Math.min(x - cx * side, cx * side + side - x);
    const toZ = Math.min(z - cz * side, cz * side + side - z);
    let inner = -1;
    let feels = false;
    for (let outer = 1; count > 0 && !feels; outer *= 2) {
      const length = blockRuns(ringRuns, seenIn, cx | 0, cz | 0, inner, outer);
      const end = length < 0 ? 2 : length;
      search: for (let n = 0; n < end; n += 2) {
        for (let j = ringRuns[n]; j < ringRuns[n + 1]; j++) {
          const dx = seenIn.xz[2 * j] - x;
          const dz = seenIn.xz[2 * j + 1] - z;
          const d = dx * dx + dz * dz;
          if (d > far) continue;
          const other = seenIn.slot[j];
          if (stirs[other] === 0) continue;
          const within = reach + radius[other];
          if (d > within * within || (mask[me] & layers[other]) === 0 || !isOnFloor(floor, agents, me, other, d))
            continue;
          feels = true;
          break search;
        }
      }
      const seen = Math.min(toX, toZ) + outer * side - slack;
      if (length < 0 || (seen > 0 && seen * seen > far)) break;
      inner = outer;
    }
    // One that slept has been looked at already, and since then nobody near it has moved.
    if (feels) flags[me] &= ~AGENT_ASLEEP;
    else if ((flags[me] & AGENT_ASLEEP) === 0 && !isUneasy(agents, e)) flags[me] |= AGENT_ASLEEP;
  }
}

/** Does the resting agent at entry `e` overlap with another, of which one can be moved? Wakes those it overlaps with. */
function isUneasy(agents: AgentArrays, e: number): boolean {
  const { radius, flags, layers, mask } = agents;
  const { slot: slotOf, xz } = bodies;
  const side = bodies.size[0];
  const me = slotOf[e];
  const isFixed = (flags[me] & FIXED) !== 0;
  let isOverlapping = false;
  const outer = Math.ceil((radius[me] + sizes[0]) / side);
  const length = blockRuns(ringRuns, bodies, bodies.cell[2 * e], bodies.cell[2 * e + 1], -1, outer);
  const end = length < 0 ? 2 : length;
  for (let n = 0; n < end; n += 2) {
    for (let j = ringRuns[n]; j < ringRuns[n + 1]; j++) {
      const other = slotOf[j];
      const dx = xz[2 * j] - xz[2 * e];
      const dz = xz[2 * j + 1] - xz[2 * e + 1];
      const d = dx * dx + dz * dz;
      const apart = radius[me] + radius[other] - UNEASY * Math.min(radius[me], radius[other]);
      if (d >= apart * apart || other === me || (isFixed && (flags[other] & FIXED) !== 0)) continue;
      if (!isOnFloor(floor, agents, me, other, d)) continue;
      if ((mask[me] & layers[other]) !== 0) isOverlapping = true;
      if ((mask[other] & layers[me]) !== 0) flags[other] &= ~AGENT_ASLEEP;
    }
  }
  return isOverlapping;
}
