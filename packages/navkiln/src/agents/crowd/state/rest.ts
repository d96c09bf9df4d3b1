/**
 * Groups of agent statuses.
 *
 * A blocked agent is at rest but not done: it retries, and therefore never sleeps.
 *
 * Based on: own.
 */
import { STATUS_ARRIVED, STATUS_GAVE_UP, STATUS_IDLE, STATUS_SETTLED } from './types.ts';

/** Returns true for an agent at rest: it moves only to yield or to return to its resting position. @internal */
export function isRestStatus(status: number): boolean {
  return status === STATUS_IDLE || status >= STATUS_ARRIVED;
}

/** Returns true for an agent that has finished its order. @internal */
export function isDoneStatus(status: number): boolean {
  return status === STATUS_ARRIVED || status === STATUS_SETTLED || status === STATUS_GAVE_UP;
}

/** Returns true for an agent without an order, or with a finished one. @internal */
export function isIdleOrDone(status: number): boolean {
  return status === STATUS_IDLE || isDoneStatus(status);
}
