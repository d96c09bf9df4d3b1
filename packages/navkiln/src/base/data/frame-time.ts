/** The time of a frame, as callers measure it. */
import { refuse } from './refuse.ts';

/**
 * Returns the seconds of a frame, 0 or more. A time between -1 and 0 counts as 0: the timestamp of a page's first frame may lie some
 * milliseconds before the start of a timer.
 *
 * @throws RangeError for -1 or less, infinity and values that are no number, in the name of `caller`
 */
export function frameSeconds(caller: string, path: string, seconds: unknown): number {
  if (typeof seconds !== 'number' || !(seconds > -1 && seconds < Infinity))
    refuse(caller, path, seconds, 'finite and >= 0');
  return seconds > 0 ? seconds : 0;
}
