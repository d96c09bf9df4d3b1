/**
 * Tells whether an agent knows of counterflow: agents that come from the opposite direction.
 *
 * Based on: own.
 */
import type { Crowd } from '../state/types.ts';

/**
 * Time for which an agent remembers counterflow, seconds. Longer keeps lanes when oncoming agents leave gaps.
 */
const MEMORY_SECONDS = 2;

/** Returns whether an agent has noticed counterflow lately (lanes.ts sets `counterTick`). */
export function knowsOfCounterflow(crowd: Crowd, slot: number): boolean {
  const last = crowd.agents.counterTick[slot];
  return last > 0 && (crowd.tick - last) * crowd.stepSeconds < MEMORY_SECONDS;
}
