/**
 * The steps of a tick that only some orders and settings need. Those orders register them here, so that programs
 * without these orders contain none of their code.
 *
 * In: the steps, set by orders and `restoreCrowd`. Out: the same, for the tick. Based on: own.
 */
import type { Crowd, LinkTraffic } from './types.ts';

export interface OptionalSteps {
  /** Continues the patrols: orders/patrol-step.ts. */
  continuePatrols: (crowd: Crowd) => void;
  /** Measures the remaining paths of groups: orders/group-pace.ts. */
  measureGroups: (crowd: Crowd) => void;
  /** Returns the speed of a member of a group in this tick. */
  paceOf: (crowd: Crowd, slot: number) => number;
  /** Moves the goal of a follower to the agent that it follows: search/pursue.ts. */
  pursue: (crowd: Crowd, slot: number) => void;
  /** Returns the settings of a link (index), or undefined when it has none: link-queue.ts. */
  linkTrafficOf: (crowd: Crowd, link: number) => LinkTraffic | undefined;
  /** Lets an agent whose next corner is a link with limited capacity join its queue. */
  queueAtLink: (crowd: Crowd, slot: number) => void;
  /** Lets waiting agents enter links with limited capacity. */
  serveLinks: (crowd: Crowd) => void;
}

/** Throws for a crowd that was copied to another thread without `restoreCrowd`. */
function refuse(): never {
  throw new Error('stepCrowd: the orders of the crowd were given in another thread; use restoreCrowd');
}

export const optionalSteps: OptionalSteps = {
  continuePatrols: refuse,
  measureGroups: refuse,
  paceOf: refuse,
  pursue: refuse,
  linkTrafficOf: refuse,
  queueAtLink: refuse,
  serveLinks: refuse,
};
