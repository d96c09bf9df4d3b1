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
import { isSettledAtGoal } from './settle.ts';
import { isRestStatus } from './state/rest.ts';
import { AGENT_ASLEEP, AGENT_PARTIAL, STATE_GROUND, STATUS_GAVE_UP } from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/**
 * Distance up to which a settled agent stays next to one that stands on its goal, and next to one of its cluster,
 * as a share of the sum of radii.
 */
const STAY_SHARE = 1.25;
const STAY_IN_CLUSTER_SHARE = 1.8;
/** Time after which a settled agent without a settled neighbor continues to its goal, seconds. */
const PATIENCE_SECONDS = 1;
/**
 * How often a settled agent that is pushed away comes back, and how often an agent at rest makes room for others
 * that return to their place. It waits twice as long each time, and stays where
 * it is after the last. Otherwise two agents whose places overlap would push each other for ever.
 */
export const MAX_PUSHES = 2;

/**
 * The distance up to which a settled agent stays next to another one, at index 0. In an array, because V8 may allocate
 * numbers that are passed on. @internal
 */
export const stay: Float64Array = new Float64Array(1);

/** Sets `stay` for an agent next to `other`. @internal */
export function measureStay(crowd: Crowd, slot: number, other: number): void {
  const { radius } = crowd.agents;
  const share = isSettledAtGoal(crowd, slot, other) ? STAY_IN_CLUSTER_SHARE : STAY_SHARE;
  stay[0] = share * (radius[slot] + radius[other]);
}

/** Notes that `slot` rests because of `other`, as long as that one is no farther away than `stay`. @internal */
export function noteSettledBy({ agents }: Crowd, slot: number, other: number): void {
  agents.settledBy[slot] = other + 1;
  agents.settledGap[slot] = stay[0];
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
    // In a crowd of agents that cannot reach their goals, some always move.
    if ((agents.flags[slot] & AGENT_PARTIAL) === 0) pushes[slot] = 0;
    forgetSettledBy(crowd, slot, PATIENCE_SECONDS);
    return false;
  }
  if (agents.yieldTo[other] >= 0) return true;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  const distanceSq = dx * dx + dz * dz;
  if (distanceSq <= settledGap[slot] * settledGap[slot]) return true;
  if (pushes[slot] === MAX_PUSHES) {
    settledGap[slot] = STAY_SHARE * Math.sqrt(distanceSq);
    return true;
  }
  forgetSettledBy(crowd, slot, PATIENCE_SECONDS * (1 << pushes[slot]));
  pushes[slot]++;
  return false;
}

/**
 * Clears the agent next to which `slot` settled. After `seconds`, `slot` continues to its goal unless it has settled next to another
 * agent. @internal
 */
export function forgetSettledBy(
  { agents, tick, stepSeconds }: Crowd,
  slot: number,
  seconds: number = PATIENCE_SECONDS,
): void {
  agents.settledBy[slot] = 0;
  agents.retryTick[slot] = tick + Math.round(seconds / stepSeconds);
}
