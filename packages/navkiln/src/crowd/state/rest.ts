/**
 * What of an agent's status is rest. One that is blocked rests, too, and is not done: it asks for a way every so often, and so
 * never sleeps.
 *
 * Based on: own.
 */
import { STATUS_ARRIVED, STATUS_GAVE_UP, STATUS_IDLE, STATUS_SETTLED } from './types.ts';

/** Is it at rest: nothing makes it move but others? @internal */
export function isRestStatus(status: number): boolean {
  return status === STATUS_IDLE || status >= STATUS_ARRIVED;
}

/** Is it done with what it was told? @internal */
export function isDoneStatus(status: number): boolean {
  return status === STATUS_ARRIVED || status === STATUS_SETTLED || status === STATUS_GAVE_UP;
}

/** Has it nothing to do: was it told nothing, or is it done? @internal */
export function isIdleOrDone(status: number): boolean {
  return status === STATUS_IDLE || isDoneStatus(status);
}
