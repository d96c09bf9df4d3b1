/**
 * The steps of a tick that only some orders need. These orders bring them, so that pages without such orders have none of their code.
 *
 * In: the steps, set by orders and `restoreCrowd`. Out: the same, for the tick. Based on: own.
 */
import type { Crowd } from './types.ts';

export interface OptionalSteps {
  /** Continues the patrols: orders/patrol-step.ts. */
  continuePatrols: (crowd: Crowd) => void;
  /** Measures the paths left of groups: orders/group-pace.ts. */
  measureGroups: (crowd: Crowd) => void;
  /** Returns the speed of a member of a group in this tick. */
  paceOf: (crowd: Crowd, slot: number) => number;
}

/** A crowd that was copied to another thread without `restoreCrowd`. */
function refuse(): never {
  throw new Error(
    'stepCrowd: the orders of the crowd were given in another thread; pass it by saveCrowd and restoreCrowd',
  );
}

export const optionalSteps: OptionalSteps = { continuePatrols: refuse, measureGroups: refuse, paceOf: refuse };
