/**
 * How often an agent decides: thirty times per second, whatever the length of a tick.
 *
 * Based on: own.
 */

/** Seconds between two decisions of an agent. Longer turns save time; reactions come later. */
export const TURN_SECONDS: number = 1 / 30;

/** Returns the ticks between two turns of an agent, at least 1. */
export function ticksOfTurn(stepSeconds: number): number {
  return Math.max(1, Math.round(TURN_SECONDS / stepSeconds));
}
