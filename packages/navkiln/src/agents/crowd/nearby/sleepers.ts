/**
 * Decides which agents sleep. An agent at rest sleeps unless an awake agent is within four radii (or its `queryRange`,
 * if that is less), or another body overlaps with it.
 *
 * Sleeping agents skip neighbors, walls and avoidance. An agent is at rest when it stands still and has no
 * order, or has finished it. All other agents on the mesh are awake.
 *
 * In: `Bodies`; velocities, statuses, layers and masks.
 * Out: `AGENT_ASLEEP`.
 * Cost: one grid query per agent at rest or per awake agent, whichever are fewer. No allocation once grown.
 * Based on: own.
 */
import { isIdleOrDone } from '../state/rest.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_USER_OWNED,
  AVOID_NONE,
  STATE_GROUND,
  STATUS_SETTLED,
} from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';
import { lastBodiesOf } from './bodies.ts';
import type { Bodies } from './bodies.ts';
import { isOnFloor } from './floor.ts';
import { ALL_ENTRIES, SIZE_SIDE, blockRuns, cellOf, cellsWithin, distanceToCellEdge, runsEnd } from './grid.ts';
import { LEAST_REACH, leastReachOf } from './reach.ts';

/**
 * Overlap that keeps agents at rest awake, in radii of the smaller one. It is above `ALLOWED_OVERLAP` of
 * separate.ts, which leaves smaller overlaps alone: otherwise a packed crowd would never sleep.
 */
const WAKING_OVERLAP = 0.03;
/** Agents that the crowd never pushes. */
const FIXED = AGENT_AVOID_ONLY | AGENT_USER_OWNED;

/** Per slot: one of the values below. */
let wakefulness = new Uint8Array(0);
/** The agent rests, or is not on the mesh. */
const RESTS = 0;
/** The agent is on the mesh and does not rest. */
const AWAKE = 1;
/** The agent rests but has to stay awake. */
const STAYS_AWAKE = 2;
/** The agent rests near an awake agent. */
const NEAR_AWAKE = 3;
/** The slots of awake agents. */
let awake = new Int32Array(0);
/**
 * The sought entries of the grid, and for each entry of the grid the number of sought entries before it, with one more
 * element at the end.
 */
let soughtEntries = new Int32Array(0);
let soughtBefore = new Int32Array(1);

/** Returns whether all agents sleep and none has a reason to wake. Then nothing changes in this tick. */
export function areAllAsleep(crowd: Crowd): boolean {
  const { agents, active, activeCount } = crowd;
  const { staysSettled } = crowd.behaviors;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const sleeps = (agents.flags[slot] & AGENT_ASLEEP) !== 0 && agents.state[slot] === STATE_GROUND;
    if (!sleeps || !isAtRest(agents, slot)) return false;
    if (agents.status[slot] === STATUS_SETTLED && staysSettled?.(crowd, slot) === false) return false;
  }
  return true;
}

/** Returns whether an agent stands still and has nothing to do. */
function isAtRest(agents: AgentArrays, slot: number): boolean {
  const { velocity, yieldTo, status } = agents;
  if (velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0 || yieldTo[slot] >= 0) return false;
  return isIdleOrDone(status[slot]);
}

/** Sets and clears `AGENT_ASLEEP`. The bodies of this tick must be indexed. */
export function markSleepers(crowd: Crowd): void {
  const bodies = lastBodiesOf(crowd);
  const { agents, active, activeCount } = crowd;
  const { state, status, flags } = agents;
  const { staysSettled } = crowd.behaviors;
  const { grid } = bodies;
  if (wakefulness.length < crowd.maxAgents) {
    wakefulness = new Uint8Array(crowd.maxAgents);
    awake = new Int32Array(crowd.maxAgents);
    soughtEntries = new Int32Array(crowd.maxAgents);
    soughtBefore = new Int32Array(crowd.maxAgents + 1);
  }
  let count = 0;
  let restCount = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const isGround = state[slot] === STATE_GROUND;
    wakefulness[slot] = RESTS;
    if (isGround && isAtRest(agents, slot)) {
      restCount++;
      // A settled agent wakes up when its resting position is new, and when the agent that it settled beside has left.
      const isSettled = status[slot] === STATUS_SETTLED && staysSettled !== undefined;
      if (isSettled && (agents.restTick[slot] < 0 || !staysSettled(crowd, slot))) {
        flags[slot] &= ~AGENT_ASLEEP;
        wakefulness[slot] = STAYS_AWAKE;
      }
      continue;
    }
    flags[slot] &= ~AGENT_ASLEEP;
    if (!isGround) continue;
    awake[count++] = slot;
    wakefulness[slot] = AWAKE;
  }
  if (restCount === 0) return;
  // The smaller group searches for the other one.
  listSought(bodies, count < restCount ? RESTS : AWAKE);
  if (count < restCount) for (let k = 0; k < count; k++) isNear(agents, bodies, awake[k], RESTS);
  for (let e = 0; e < grid.count; e++) {
    const slot = grid.slot[e];
    const is = wakefulness[slot];
    if (is === AWAKE || is === STAYS_AWAKE) continue;
    // An agent that slept overlapped with no agent when it fell asleep, and nothing near it has moved since.
    if (is === NEAR_AWAKE || (count >= restCount && isNear(agents, bodies, slot, AWAKE))) flags[slot] &= ~AGENT_ASLEEP;
    else if ((flags[slot] & AGENT_ASLEEP) === 0 && !wakeOverlapping(agents, bodies, slot)) flags[slot] |= AGENT_ASLEEP;
  }
}

/** Lists the entries of the grid that are `sought`. */
function listSought({ grid: { count, slot } }: Bodies, sought: number): void {
  let found = 0;
  for (let e = 0; e < count; e++) {
    soughtBefore[e] = found;
    if (wakefulness[slot[e]] === sought) soughtEntries[found++] = e;
  }
  soughtBefore[count] = found;
}

/**
 * Returns whether an agent at rest has an `AWAKE` agent near it. For an awake agent, marks agents at rest near it as
 * `NEAR_AWAKE`, and returns false.
 */
function isNear(agents: AgentArrays, bodies: Bodies, slot: number, sought: number): boolean {
  const { radius, layers, mask, position } = agents;
  const { floor, grid, largestRadius } = bodies;
  const { slot: slotOf, xz, ringRuns } = grid;
  const side = grid.size[SIZE_SIDE];
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const own = sought === AWAKE ? leastReachOf(agents, slot) + radius[slot] : radius[slot];
  const farthest = own + (sought === AWAKE ? 1 : 1 + LEAST_REACH) * largestRadius[0];
  const far = farthest * farthest;
  const cx = cellOf(grid, x);
  const cz = cellOf(grid, z);
  const toEdge = distanceToCellEdge(grid, x, z) - bodies.drift[0];
  let inner = -1;
  for (let outer = 1; ; outer *= 2) {
    const length = blockRuns(ringRuns, grid, cx, cz, inner, outer);
    const end = runsEnd(length);
    for (let n = 0; n < end; n += 2) {
      const last = soughtBefore[ringRuns[n + 1]];
      for (let k = soughtBefore[ringRuns[n]]; k < last; k++) {
        const j = soughtEntries[k];
        const dx = xz[2 * j] - x;
        const dz = xz[2 * j + 1] - z;
        const distanceSq = dx * dx + dz * dz;
        if (distanceSq > far) continue;
        const other = slotOf[j];
        if (wakefulness[other] !== sought) continue;
        const sleeper = sought === AWAKE ? slot : other;
        const waker = sought === AWAKE ? other : slot;
        const within = leastReachOf(agents, sleeper) + radius[sleeper] + radius[waker];
        if (distanceSq > within * within || (mask[sleeper] & layers[waker]) === 0) continue;
        if (!isOnFloor(floor, agents, sleeper, waker)) continue;
        if (sought === AWAKE) return true;
        wakefulness[other] = NEAR_AWAKE;
      }
    }
    const covered = toEdge + outer * side;
    if (length === ALL_ENTRIES || (covered > 0 && covered * covered > far)) return false;
    inner = outer;
  }
}

/**
 * Wakes the agents that overlap with an agent, if at least one of the two can be moved. Returns whether it gives way to
 * one of them itself.
 */
function wakeOverlapping(agents: AgentArrays, bodies: Bodies, slot: number): boolean {
  const { radius, flags, avoidance, layers, mask, position } = agents;
  const { grid, floor, largestRadius } = bodies;
  const { slot: slotOf, xz, ringRuns } = grid;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const isFixed = (flags[slot] & FIXED) !== 0 || avoidance[slot] === AVOID_NONE;
  let isOverlapping = false;
  const outer = cellsWithin(grid, radius[slot] + largestRadius[0] + bodies.drift[0]);
  const end = runsEnd(blockRuns(ringRuns, grid, cellOf(grid, x), cellOf(grid, z), -1, outer));
  for (let n = 0; n < end; n += 2) {
    for (let j = ringRuns[n]; j < ringRuns[n + 1]; j++) {
      const other = slotOf[j];
      const dx = xz[2 * j] - x;
      const dz = xz[2 * j + 1] - z;
      const distanceSq = dx * dx + dz * dz;
      const apart = radius[slot] + radius[other] - WAKING_OVERLAP * Math.min(radius[slot], radius[other]);
      if (distanceSq >= apart * apart || other === slot) continue;
      const isOtherFixed = (flags[other] & FIXED) !== 0 || avoidance[other] === AVOID_NONE;
      if ((isFixed && isOtherFixed) || !isOnFloor(floor, agents, slot, other)) continue;
      if ((mask[slot] & layers[other]) !== 0) isOverlapping = true;
      if ((mask[other] & layers[slot]) !== 0) flags[other] &= ~AGENT_ASLEEP;
    }
  }
  return isOverlapping;
}
