/**
 * A tick: runs the steps of the crowd in a fixed order. The record is described in state/types.ts. The header
 * of each step's file says what it reads and writes.
 *
 *   followMesh      follow-mesh.ts       changes of the mesh: agents find their polygons again
 *   continuePatrols patrol.ts            agents on patrol leave for their next point
 *   updateGoals     goals.ts             goals that moved, searches that are due
 *   runSearches     search/searches.ts   path searches, within the budget of polygons
 *   chooseThinking  turns.ts             the agents that decide in this tick
 *   findNeighbors   nearby/neighbors.ts  the nearest agents on the same floor, and the agents that sleep
 *   findWalls       nearby/walls.ts      the nearest walls
 *   steer           steer.ts             corridor -> desired velocity
 *   keepLanes       lanes.ts             desired velocity, kept to one side in narrow passages
 *   avoid           avoid.ts             desired -> chosen velocity, free of collisions
 *   integrate       integrate.ts         chosen velocity -> position, on the mesh
 *   useLinks        link-queue.ts        entering, crossing and leaving links
 *   updateTraffic   traffic.ts           arriving, settling, yielding, giving up
 *
 * Neighbors, walls, steering, lanes, avoidance and traffic run for the agents whose turn it is (`thinking`).
 * All other steps run for all agents in each tick.
 *
 * Cost: linear in the agents, plus the searches' budget. No allocation once corridors and lists have grown.
 * Based on: own.
 */
import { refuse } from '../data/refuse.ts';
import { avoid } from './avoid.ts';
import { followMesh } from './follow-mesh.ts';
import { updateGoals } from './goals.ts';
import { integrate } from './integrate.ts';
import { keepLanes } from './lanes.ts';
import { useLinks } from './link-queue.ts';
import { findNeighbors } from './nearby/neighbors.ts';
import { findWalls } from './nearby/walls.ts';
import { continuePatrols } from './patrol.ts';
import { runSearches } from './search/searches.ts';
import { STATE_FREE } from './state/types.ts';
import type { Crowd } from './state/types.ts';
import { steer } from './steer.ts';
import { updateTraffic } from './traffic.ts';
import { chooseThinking } from './turns.ts';

/** Ticks that one call of `advanceCrowd` runs at most; time beyond them is dropped. */
const MAX_CATCH_UP = 8;
/**
 * Part of a tick that may remain after the last of these ticks. Below 1, so that no further tick becomes due.
 */
const MAX_REMAINDER = 0.999;

/**
 * Advances the crowd by one tick of `crowd.stepSeconds` seconds. The events of earlier ticks are discarded;
 * `listEvents` returns those of this one. Never throws, and does not allocate once corridors have grown.
 *
 * Use `advanceCrowd` instead when frames have a varying length.
 */
export function stepCrowd(crowd: Crowd): void {
  crowd.events.count = 0;
  tick(crowd);
}

function tick(crowd: Crowd): void {
  crowd.tick++;
  listActive(crowd);
  if (crowd.activeCount === 0) return;
  followMesh(crowd);
  continuePatrols(crowd);
  updateGoals(crowd);
  runSearches(crowd);
  chooseThinking(crowd);
  findNeighbors(crowd);
  findWalls(crowd);
  steer(crowd);
  keepLanes(crowd);
  avoid(crowd);
  integrate(crowd);
  useLinks(crowd);
  updateTraffic(crowd);
}

/** Lists the slots of all agents, ascending. */
function listActive(crowd: Crowd): void {
  const { agents, active, slotCount } = crowd;
  let count = 0;
  for (let slot = 0; slot < slotCount; slot++) if (agents.state[slot] !== STATE_FREE) active[count++] = slot;
  crowd.activeCount = count;
}

/**
 * Advances the crowd by `seconds`, the time since the last call: runs as many ticks as fit, and keeps the
 * rest for the next call. `listEvents` returns the events of all these ticks.
 *
 * Returns the fraction of the next tick that has passed, 0 .. 1, for `interpolateAgentInto`. At most eight
 * ticks run at once; time beyond them is dropped, as after a pause of a browser tab.
 *
 * Throws a RangeError when `seconds` is negative, infinite or not a number. 0 is allowed.
 */
export function advanceCrowd(crowd: Crowd, seconds: number): number {
  if (!(seconds >= 0 && seconds < Infinity)) {
    refuse('advanceCrowd', 'seconds', seconds, 'a finite time since the last call, 0 or more');
  }
  const { time, stepSeconds } = crowd;
  time[0] = Math.min(time[0] + seconds, (MAX_CATCH_UP + MAX_REMAINDER) * stepSeconds);
  crowd.events.count = 0;
  while (time[0] >= stepSeconds) {
    time[0] -= stepSeconds;
    tick(crowd);
  }
  return time[0] / stepSeconds;
}

/**
 * Writes the position of an agent between the last two ticks to out[0 .. 2], in world units: the position of
 * the previous tick at `alpha` 0, the current one at 1. `alpha` comes from `advanceCrowd`. A kernel: `slot`
 * is a slot of the crowd (0 .. `crowd.slotCount` - 1), not an agent id, and nothing is checked. The position
 * in an unused slot is meaningless.
 */
export function interpolateAgentInto(out: Float64Array, crowd: Crowd, slot: number, alpha: number): void {
  const { position, previous } = crowd.agents;
  for (let k = 0; k < 3; k++) {
    const from = previous[3 * slot + k];
    out[k] = from + alpha * (position[3 * slot + k] - from);
  }
}
