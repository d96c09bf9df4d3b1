/**
 * Remembers for each settled agent the agent that it settled beside, and checks whether that one still rests
 * there.
 *
 * Without it, an agent would stay where it settled when the others have left the goal, or after it was pushed
 * away from them.
 *
 * In: positions and statuses. Out: `settledBy`, `settledGap`, `settledPushes`; `retryTick` of settled agents.
 * Cost: a few comparisons. No allocation.
 * Based on: own.
 */
import { isRestStatus } from './state/rest.ts';
import { AGENT_ASLEEP, STATE_GROUND, STATUS_GAVE_UP } from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/** Distance up to which a settled agent stays beside another one, as a share of the sum of radii. */
export const STAY_SHARE = 1.25;
/** Time without an agent to settle beside after which a settled agent goes on, seconds. */
const PATIENCE_SECONDS = 1;
/**
 * How often a settled agent that is pushed away comes back. It waits twice as long each time, and stays where
 * it is after the last. Otherwise two agents whose places overlap would push each other for ever.
 */
const MAX_PUSHES = 5;

/** Notes that `slot` rests because of `other`, as long as that one is no farther away than `gap`. @internal */
export function noteSettledBy(crowd: Crowd, slot: number, other: number, gap: number): void {
  crowd.agents.settledBy[slot] = other + 1;
  crowd.agents.settledGap[slot] = gap;
}

/**
 * Returns whether an agent and the one beside which it settled both sleep: nothing moves an agent in its
 * sleep. A quick test before `checkSettledBy`. @internal
 */
export function isAsleepBeside({ settledBy, flags }: AgentArrays, slot: number): boolean {
  const other = settledBy[slot] - 1;
  return other >= 0 && (flags[slot] & flags[other] & AGENT_ASLEEP) !== 0;
}

/**
 * Returns whether the agent beside which `slot` settled still rests there, or will return. If not, or if
 * `slot` was pushed away from it, it is forgotten. @internal
 */
export function checkSettledBy(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, status, settledGap, settledPushes: pushes } = agents;
  const other = agents.settledBy[slot] - 1;
  if (other < 0) return false;
  const isThere = agents.state[other] === STATE_GROUND && isRestStatus(status[other]);
  if (!isThere || status[other] === STATUS_GAVE_UP) {
    pushes[slot] = 0;
    forgetSettledBy(crowd, slot, PATIENCE_SECONDS);
    return false;
  }
  if (agents.yieldTo[other] >= 0) return true;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  const distanceSq = dx * dx + dz * dz;
  if (distanceSq <= settledGap[slot] * settledGap[slot]) return true;
  if (pushes[slot] === MAX_PUSHES) {
    pushes[slot] = 0;
    settledGap[slot] = STAY_SHARE * Math.sqrt(distanceSq);
    return true;
  }
  forgetSettledBy(crowd, slot, PATIENCE_SECONDS * (1 << pushes[slot]));
  pushes[slot]++;
  return false;
}

/** Forgets beside whom an agent settled. It goes on when it finds nobody else for so many seconds. */
function forgetSettledBy({ agents, tick, stepSeconds }: Crowd, slot: number, seconds: number): void {
  agents.settledBy[slot] = 0;
  agents.retryTick[slot] = tick + Math.round(seconds / stepSeconds);
}
