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
import { isOnGoalOf, isSettledAtGoal } from './settle.ts';
import { isRestStatus } from './state/rest.ts';
import { AGENT_ASLEEP, STATE_FREE, STATE_GROUND, STATUS_GAVE_UP } from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/**
 * Distance up to which a settled agent stays next to one that stands on its goal, and next to one of its cluster,
 * as a share of the sum of radii.
 */
const STAY_SHARE = 1.25;
export const STAY_IN_CLUSTER_SHARE = 1.8;
/** Time after which a settled agent without a settled neighbor continues to its goal, seconds. */
const PATIENCE_SECONDS = 1;
/**
 * How often a settled agent that is pushed away comes back, and how often an agent at rest makes room for others
 * that return to their place. It stays where it is after the last. Otherwise two agents whose places overlap would push each other for ever.
 */
export const MAX_PUSHES = 2;
/**
 * How often in a row agents go on because others, which have gone on, have left them. Otherwise the agents of a crowd whose goals
 * are nearer to each other than their bodies would send each other on for ever. It is above the rings of a cluster that closes up.
 */
export const MAX_LEVEL = 8;

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

/** Sets `stay` to a little more than the present distance of an agent from `other`. @internal */
export function measureDistance({ agents }: Crowd, slot: number, other: number): void {
  const { position } = agents;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  stay[0] = STAY_SHARE * Math.sqrt(dx * dx + dz * dz);
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
  if (restsForGood(agents, slot)) return true;
  const isThere = agents.state[other] === STATE_GROUND && isRestStatus(status[other]);
  if (!isThere || status[other] === STATUS_GAVE_UP)
    return leaveReason(crowd, slot, agents.state[other] === STATE_FREE ? 0 : pushes[other]);
  if (agents.yieldTo[other] >= 0) return true;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  if (dx * dx + dz * dz > settledGap[slot] * settledGap[slot]) {
    if (pushes[slot] >= MAX_PUSHES) {
      measureDistance(crowd, slot, other);
      noteSettledBy(crowd, slot, other);
      return true;
    }
    forgetSettledBy(crowd, slot);
    pushes[slot]++;
    return false;
  }
  // It stood on the goal and was moved to the side.
  if (!isOnGoalOf(crowd, slot, other) && !isSettledAtGoal(crowd, slot, other))
    return leaveReason(crowd, slot, pushes[slot]);
  return true;
}

/**
 * Forgets the agent beside which `slot` settled, so that it goes on soon. `level` is how often agents have gone on in a row, each
 * because another one did. When that is often enough, it rests where it is for good, and this returns true. @internal
 */
export function leaveReason(crowd: Crowd, slot: number, level: number): boolean {
  const { agents } = crowd;
  if (level >= MAX_LEVEL) {
    agents.settledBy[slot] = slot + 1;
    return true;
  }
  agents.settledPushes[slot] = level + 1;
  forgetSettledBy(crowd, slot);
  return false;
}

/** Returns whether an agent rests without another one as its reason. @internal */
export function restsForGood({ settledBy }: AgentArrays, slot: number): boolean {
  return settledBy[slot] === slot + 1;
}

/** Lets an agent that rests for good go on again. @internal */
export function restart(crowd: Crowd, slot: number): void {
  crowd.agents.settledPushes[slot] = 0;
  forgetSettledBy(crowd, slot);
}

/** Clears the agent next to which `slot` settled. Soon, `slot` continues to its goal unless it has settled next to another one. */
function forgetSettledBy({ agents, tick, stepSeconds }: Crowd, slot: number): void {
  agents.settledBy[slot] = 0;
  agents.retryTick[slot] = tick + Math.round(PATIENCE_SECONDS / stepSeconds);
}
