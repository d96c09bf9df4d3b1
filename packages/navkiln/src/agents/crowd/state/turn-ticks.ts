/**
 * How often an agent decides: thirty times per second, or less often at ease, for any length of a tick.
 *
 * Based on: own.
 */

/** Seconds between two decisions of an agent. Longer turns save time; reactions come later. */
const TURN_SECONDS: number = 1 / 30;

/** Maximum factor by which several turns may take longer when the tick length does not divide them. */
const MOST_LONGER = 1.25;

/** Returns the ticks between two turns of an agent, at least 1. */
export function ticksOfTurn(stepSeconds: number): number {
  return Math.max(1, Math.round(TURN_SECONDS / stepSeconds));
}

/** Returns the ticks between two turns of an agent at ease: two turns. */
export function ticksOfEasyTurn(stepSeconds: number): number {
  return slowTicks(stepSeconds, 2);
}

/** Returns the ticks between two turns of an agent at ease of low detail: four turns. */
export function ticksOfLowTurn(stepSeconds: number): number {
  return slowTicks(stepSeconds, 4);
}

/**
 * Returns the ticks of `turns` turns, a power of two. Halves the turns while long ticks would make them take much more
 * time.
 */
function slowTicks(stepSeconds: number, turns: number): number {
  const ticks = ticksOfTurn(stepSeconds);
  const most = MOST_LONGER * turns * TURN_SECONDS;
  let count = turns;
  while (count > 1 && count * ticks * stepSeconds > most) count /= 2;
  return count * ticks;
}
