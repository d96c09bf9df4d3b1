/**
 * How far an agent senses others: its `queryRange`, or the distance that it covers within its horizon at full
 * speed, between two limits.
 *
 * Based on: own.
 */
import type { AgentArrays } from '../state/types.ts';

/**
 * Smallest and largest reach, in radii of the agent. A larger minimum finds more neighbors of slow agents; a
 * smaller maximum saves time for fast agents, which then react later.
 */
export const LEAST_REACH = 4;
export const MOST_REACH = 32;

/** Returns a gap that the agent's reach is never below, world units. Costs less than `reachOf`. */
export function leastReachOf({ radius, queryRange }: AgentArrays, slot: number): number {
  const least = LEAST_REACH * radius[slot];
  return queryRange[slot] > 0 && queryRange[slot] < least ? queryRange[slot] : least;
}

/** Returns the gap between two bodies up to which the agent senses the other one, world units. */
export function reachOf({ maxSpeed, horizon, radius, queryRange }: AgentArrays, slot: number): number {
  if (queryRange[slot] > 0) return queryRange[slot];
  return Math.min(Math.max(maxSpeed[slot] * horizon[slot], LEAST_REACH * radius[slot]), MOST_REACH * radius[slot]);
}
