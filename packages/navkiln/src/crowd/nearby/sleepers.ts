/**
 * Decides which agents sleep: those at rest that neither have an agent that is awake within four radii (less, if
 * their `queryRange` is) nor overlap with another body.
 *
 * Sleeping agents skip neighbors, walls and avoidance. An agent is at rest when it stands still and has no
 * order, or has finished it. All other agents on the mesh are awake.
 *
 * In: `bodies`; velocities, statuses, layers and masks.
 * Out: `AGENT_ASLEEP`.
 * Cost: one grid query per agent at rest, in a grid of the awake agents unless these are many. No allocation
 * once grown.
 * Based on: own.
 */
import { checkSettledBy, isAsleepBeside } from '../settled-by.ts';
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
import { bodies } from './bodies.ts';
import { isOnFloor } from './floor.ts';
import {
  ALL_ENTRIES,
  SIZE_PER_UNIT,
  SIZE_SIDE,
  blockRuns,
  cellsWithin,
  copyCellLimits,
  createPointGrid,
  distanceToCellEdge,
  indexPoints,
  reserveGrid,
  runsEnd,
} from './grid.ts';
import type { PointGrid } from './grid.ts';
import { leastReachOf } from './reach.ts';

/**
 * Overlap that keeps agents at rest awake, in radii of the smaller one. It is above `ALLOWED_OVERLAP` of
 * separate.ts, which leaves smaller overlaps alone: otherwise a packed crowd would never sleep.
 */
const WAKING_OVERLAP = 0.03;
/**
 * Share of awake agents above which they are searched for in the grid of all bodies, instead of one of their
 * own.
 */
const MAX_AWAKE_SHARE = 0.3;
/** Agents that nobody pushes. */
const FIXED = AGENT_AVOID_ONLY | AGENT_USER_OWNED;

const awakeBodies = createPointGrid();
/** Per slot: 1 when the agent is on the mesh and not at rest, 2 when it rests and has to stay awake. */
let isAwake = new Uint8Array(0);

/** Returns whether all agents sleep and none has a reason to wake. Then nothing changes in this tick. */
export function areAllAsleep(crowd: Crowd): boolean {
  const { agents, active, activeCount } = crowd;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const sleeps = (agents.flags[slot] & AGENT_ASLEEP) !== 0 && agents.state[slot] === STATE_GROUND;
    if (!sleeps || !isAtRest(agents, slot)) return false;
    if (agents.status[slot] !== STATUS_SETTLED || isAsleepBeside(agents, slot)) continue;
    if (!checkSettledBy(crowd, slot)) return false;
  }
  return true;
}

/** Returns whether an agent stands still and has nothing to do. */
function isAtRest(agents: AgentArrays, slot: number): boolean {
  const { velocity, yieldTo, status } = agents;
  if (velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0 || yieldTo[slot] >= 0) return false;
  return isIdleOrDone(status[slot]);
}

/** Returns whether a settled agent may have to go on, which is decided awake: its place is new, or what it rests beside has left. */
function hasToReview(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  return agents.restTick[slot] < 0 || (!isAsleepBeside(agents, slot) && !checkSettledBy(crowd, slot));
}

/** Sets and clears `AGENT_ASLEEP`. Call `indexBodies` first. */
export function markSleepers(crowd: Crowd): void {
  const { agents, active, activeCount } = crowd;
  const { state, status, flags, radius, position } = agents;
  if (isAwake.length < crowd.maxAgents) isAwake = new Uint8Array(crowd.maxAgents);
  reserveGrid(awakeBodies, crowd.maxAgents);
  const { slots } = awakeBodies;
  const { grid: all } = bodies;
  let count = 0;
  let largest = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const isGround = state[slot] === STATE_GROUND;
    isAwake[slot] = 0;
    if (isGround && isAtRest(agents, slot)) {
      if (status[slot] === STATUS_SETTLED && hasToReview(crowd, slot)) {
        flags[slot] &= ~AGENT_ASLEEP;
        isAwake[slot] = 2;
      }
      continue;
    }
    flags[slot] &= ~AGENT_ASLEEP;
    if (!isGround) continue;
    slots[count++] = slot;
    isAwake[slot] = 1;
    if (radius[slot] > largest) largest = radius[slot];
  }
  if (count === all.count) return;
  const isSmallShare = count <= MAX_AWAKE_SHARE * all.count;
  if (isSmallShare) {
    copyCellLimits(awakeBodies, all);
    indexPoints(awakeBodies, position, 3, count);
  }
  const searched = isSmallShare ? awakeBodies : all;
  for (let e = 0; e < all.count; e++) {
    const slot = all.slot[e];
    if (isAwake[slot] !== 0) continue;
    // An agent that slept overlapped with nobody when it fell asleep, and nothing near it has moved since.
    if (count > 0 && isNearAwake(agents, e, searched, largest)) flags[slot] &= ~AGENT_ASLEEP;
    else if ((flags[slot] & AGENT_ASLEEP) === 0 && !wakeOverlapping(agents, e)) flags[slot] |= AGENT_ASLEEP;
  }
}

/**
 * Returns whether an awake agent of `searched`, whose radii are at most `largest`, is near the body at entry e.
 */
function isNearAwake(agents: AgentArrays, e: number, searched: PointGrid, largest: number): boolean {
  const { radius, layers, mask } = agents;
  const { floor } = bodies;
  const { slot: slotOf, xz, ringRuns } = searched;
  const side = searched.size[SIZE_SIDE];
  const perUnit = searched.size[SIZE_PER_UNIT];
  const slot = bodies.grid.slot[e];
  const x = bodies.grid.xz[2 * e];
  const z = bodies.grid.xz[2 * e + 1];
  const reach = leastReachOf(agents, slot) + radius[slot];
  const far = (reach + largest) * (reach + largest);
  const cx = Math.floor(x * perUnit) | 0;
  const cz = Math.floor(z * perUnit) | 0;
  const toEdge = distanceToCellEdge(searched, x, z);
  let inner = -1;
  for (let outer = 1; ; outer *= 2) {
    const length = blockRuns(ringRuns, searched, cx, cz, inner, outer);
    const end = runsEnd(length);
    for (let n = 0; n < end; n += 2) {
      for (let j = ringRuns[n]; j < ringRuns[n + 1]; j++) {
        const dx = xz[2 * j] - x;
        const dz = xz[2 * j + 1] - z;
        const distanceSq = dx * dx + dz * dz;
        if (distanceSq > far) continue;
        const other = slotOf[j];
        if (isAwake[other] !== 1) continue;
        const within = reach + radius[other];
        if (distanceSq > within * within || (mask[slot] & layers[other]) === 0) continue;
        if (isOnFloor(floor, agents, slot, other, distanceSq)) return true;
      }
    }
    const covered = toEdge + outer * side;
    if (length === ALL_ENTRIES || (covered > 0 && covered * covered > far)) return false;
    inner = outer;
  }
}

/**
 * Wakes the agents that overlap with the body at entry e, when at least one of the two can be moved. Returns
 * whether there is one that it gives way to itself.
 */
function wakeOverlapping(agents: AgentArrays, e: number): boolean {
  const { radius, flags, avoidance, layers, mask } = agents;
  const { grid, floor, largestRadius } = bodies;
  const { slot: slotOf, xz, cell, ringRuns } = grid;
  const slot = slotOf[e];
  const isFixed = (flags[slot] & FIXED) !== 0 || avoidance[slot] === AVOID_NONE;
  let isOverlapping = false;
  const outer = cellsWithin(grid, radius[slot] + largestRadius[0]);
  const end = runsEnd(blockRuns(ringRuns, grid, cell[2 * e], cell[2 * e + 1], -1, outer));
  for (let n = 0; n < end; n += 2) {
    for (let j = ringRuns[n]; j < ringRuns[n + 1]; j++) {
      const other = slotOf[j];
      const dx = xz[2 * j] - xz[2 * e];
      const dz = xz[2 * j + 1] - xz[2 * e + 1];
      const distanceSq = dx * dx + dz * dz;
      const apart = radius[slot] + radius[other] - WAKING_OVERLAP * Math.min(radius[slot], radius[other]);
      if (distanceSq >= apart * apart || other === slot) continue;
      const isOtherFixed = (flags[other] & FIXED) !== 0 || avoidance[other] === AVOID_NONE;
      if ((isFixed && isOtherFixed) || !isOnFloor(floor, agents, slot, other, distanceSq)) continue;
      if ((mask[slot] & layers[other]) !== 0) isOverlapping = true;
      if ((mask[other] & layers[slot]) !== 0) flags[other] &= ~AGENT_ASLEEP;
    }
  }
  return isOverlapping;
}
