/**
 * The clock of a crowd: the number of the tick, and the columns that hold such numbers.
 *
 * Numbers of ticks have 32 bits. After `LAST_TICK` (207 days at 60 ticks per second), the same number is subtracted
 * from all of them, so that a crowd can run forever. Ages and waits are differences of ticks and stay the same.
 *
 * Based on: own.
 */
import type { AgentArrays, Crowd } from './types.ts';

/** The largest number of a tick. A wait that begins there still ends at a number of 32 bits. */
export const LAST_TICK: number = 2 ** 30 - 1;
/**
 * Number of ticks subtracted after the last tick. It is a multiple of 1 .. 16, so that most agents keep their turns.
 */
const TURN_BACK = 500 * 720_720;

/** The columns of ticks. In some of them, numbers up to 0 have another meaning. */
const TICK_COLUMNS = [
  'patrolTick',
  'progressTick',
  'orderTick',
  'retryTick',
  'searchTick',
  'yieldUntil',
  'restTick',
  'queueTick',
  'counterTick',
  'wayTick',
  'passageTick',
] as const satisfies (keyof AgentArrays)[];

/** Begins the next tick. */
export function advanceClock(crowd: Crowd): void {
  if (crowd.tick >= LAST_TICK) turnBack(crowd);
  crowd.tick++;
}

function turnBack(crowd: Crowd): void {
  const { agents, searches } = crowd;
  for (const name of TICK_COLUMNS) turnBackTicks(agents[name]);
  turnBackTicks(searches.fieldBegun);
  turnBackTicks(searches.fieldUsed);
  searches.landed.tick = -1;
  crowd.tick -= TURN_BACK;
}

/** Sets numbers of ticks back as `advanceClock` does after `LAST_TICK`. Numbers up to 0 do not change. */
export function turnBackTicks(ticks: Int32Array): void {
  for (let i = 0; i < ticks.length; i++) if (ticks[i] > 0) ticks[i] = Math.max(1, ticks[i] - TURN_BACK);
}

/** Returns a time in ticks, at most `LAST_TICK`. */
export function ticksOf(seconds: number, stepSeconds: number): number {
  return Math.min(Math.round(seconds / stepSeconds), LAST_TICK);
}
