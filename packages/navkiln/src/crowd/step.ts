/**
 * A tick: the steps in their order. See types.ts for the record, and each step's file for what it reads and writes.
 *
 *   followMesh      the mesh has changed: agents find their ground again
 *   updateGoals     targets that moved, searches that are due
 *   runSearches     as many polygons as the budget allows
 *   chooseThinking  whose turn it is to decide
 *   findNeighbors   who is near, on the same floor, and who may sleep
 *   findWalls       which walls are near
 *   steer           where paths lead
 *   keepLanes       which side of narrow places to keep to
 *   avoid           what others and walls leave of it
 *   integrate       moving, on the ground
 *   useLinks        links entered, crossed, left
 *   updateTraffic   arriving, settling, giving way, giving up
 *
 * Neighbours, walls, steering, lanes, avoidance and traffic are for those whose turn it is (turns.ts); all else is for all, in
 * each tick.
 *
 * Based on: own.
 */
import { avoid } from './avoid.ts';
import { followMesh, updateGoals } from './goals.ts';
import { integrate } from './integrate.ts';
import { keepLanes } from './lanes.ts';
import { useLinks } from './link-queue.ts';
import { findNeighbors } from './nearby/neighbors.ts';
import { runSearches } from './search/searches.ts';
import { steer } from './steer.ts';
import { updateTraffic } from './traffic.ts';
import { chooseThinking } from './turns.ts';
import { STATE_FREE } from './state/types.ts';
import type { Crowd } from './state/types.ts';
import { findWalls } from './nearby/walls.ts';

/** Ticks that `advanceCrowd` catches up with at most; time beyond is dropped. */
const MAX_CATCH_UP = 8;

/** One tick of `stepSeconds`. Allocates nothing once corridors have grown. */
export function stepCrowd(crowd: Crowd): void {
  crowd.events.count = 0;
  tick(crowd);
}

function tick(crowd: Crowd): void {
  const { agents, active } = crowd;
  crowd.tick++;
  let count = 0;
  for (let slot = 0; slot < crowd.slotCount; slot++) if (agents.state[slot] !== STATE_FREE) active[count++] = slot;
  crowd.activeCount = count;
  if (count === 0) return;
  followMesh(crowd);
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

/**
 * Lets so many seconds go by: as many ticks as fit, the rest is kept for the next call. Returns how far the time is into the next
 * tick, 0 .. 1, for `interpolateInto`. More than eight ticks' at once is dropped (a tab that was hidden); events are those of
 * all its ticks. Throws a RangeError for what is no time; 0 is one.
 */
export function advanceCrowd(crowd: Crowd, seconds: number): number {
  if (!(seconds >= 0 && seconds < Infinity)) {
    throw new RangeError(
      `advanceCrowd: seconds is ${seconds}; give the time since the last call, finite and not negative`,
    );
  }
  const { time, stepSeconds } = crowd;
  time[0] = Math.min(time[0] + seconds, (MAX_CATCH_UP + 0.999) * stepSeconds);
  crowd.events.count = 0;
  while (time[0] >= stepSeconds) {
    time[0] -= stepSeconds;
    tick(crowd);
  }
  return time[0] / stepSeconds;
}

/** Writes where an agent is to be drawn, between the last two ticks (`alpha`, from `advanceCrowd`): xyz at out[0 .. 2]. */
export function interpolateAgentInto(out: Float64Array, crowd: Crowd, slot: number, alpha: number): void {
  const { position, previous } = crowd.agents;
  for (let k = 0; k < 3; k++) {
    const from = previous[3 * slot + k];
    out[k] = from + alpha * (position[3 * slot + k] - from);
  }
}
