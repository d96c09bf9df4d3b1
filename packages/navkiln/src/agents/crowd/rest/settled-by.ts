/**
 * Remembers for each settled agent the agent that it settled beside, and checks whether the latter still rests there.
 *
 * Without it, an agent would stay where it settled after the other agents have left the goal, or after it was pushed
 * away from them.
 *
 * In: positions and statuses. Out: `settledBy`, `settledGap`, `settledPushes`; `retryTick` of settled agents.
 * Cost: a few comparisons. No allocation.
 * Based on: own.
 */
import { isOnGoalOf, isSettledAtGoal } from './settle.ts';
import { isRestStatus } from '../state/rest.ts';
import { AGENT_ASLEEP, STATE_FREE, STATE_GROUND, STATUS_GAVE_UP } from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';

/**
 * Distances up to which a settled agent stays next to an agent on its goal, and next to an agent of its cluster, as
 * shares of the sum of radii.
 */
const STAY_SHARE = 1.25;
export const STAY_IN_CLUSTER_SHARE = 1.8;
/** Time after which a settled agent without a settled neighbor continues to its goal, seconds. */
const PATIENCE_SECONDS = 1;
/**
 * How often a settled agent comes back after it was pushed away, and how often an agent at rest steps aside for agents
 * that return to their position. After that, it stays where it is. Otherwise two agents whose resting positions overlap
 * would push each other forever.
 */
export const MAX_PUSHES = 2;
/**
 * Longest chain of agents that continue because the agent beside them continued. Without this limit, agents whose goals
 * are closer together than their bodies would set each other in motion forever. It is above the number of rings of a
 * cluster that closes up.
 */
export const MAX_LEVEL = 8;

/**
 * The distance up to which a settled agent stays next to another one, at index 0. An array, because V8 may allocate
 * numbers passed between functions. @internal
 */
export const stay: Float64Array = new Float64Array(1);

/** Sets `stay` for an agent next to `other`. @internal */
export function measureStay(crowd: Crowd, slot: number, other: number): void {
  const { radius } = crowd.agents;
  const share = isSettledAtGoal(crowd, slot, other) ? STAY_IN_CLUSTER_SHARE : STAY_SHARE;
  stay[0] = share * (radius[slot] + radius[other]);
}

/** Sets `stay` to a little more than the current distance of an agent from `other`. @internal */
export function measureDistance({ agents }: Crowd, slot: number, other: number): void {
  const { position } = agents;
  const dx = position[3 * other] - position[3 * slot];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  stay[0] = STAY_SHARE * Math.sqrt(dx * dx + dz * dz);
}

/** Notes that `slot` rests because of `other`, while `other` is no farther away than `stay`. @internal */
export function noteSettledBy({ agents }: Crowd, slot: number, other: number): void {
  agents.settledBy[slot] = other + 1;
  agents.settledGap[slot] = stay[0];
}

/** Returns whether a settled agent has a reason to stay. If not, it forgets the agent beside which it settled. @internal */
export function staysSettled(crowd: Crowd, slot: number): boolean {
  const { settledBy, flags } = crowd.agents;
  const other = settledBy[slot] - 1;
  // Sleeping agents do not move.
  return (other >= 0 && (flags[slot] & flags[other] & AGENT_ASLEEP) !== 0) || checkSettledBy(crowd, slot);
}

/**
 * Returns whether the agent beside which `slot` settled still rests there, or will return. If not, or if `slot` was
 * pushed away from it, `slot` forgets it. @internal
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
  // The other agent stood on the goal and was pushed aside.
  if (!isOnGoalOf(crowd, slot, other) && !isSettledAtGoal(crowd, slot, other))
    return leaveReason(crowd, slot, pushes[slot]);
  return true;
}

/**
 * Forgets the agent beside which `slot` settled, so that `slot` continues soon. `level` is the length of the chain of
 * agents that have continued before. At `MAX_LEVEL`, `slot` rests for good instead, and the result is true. @internal
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

/** Returns whether an agent rests for good, without another agent as its reason. @internal */
export function restsForGood({ settledBy }: AgentArrays, slot: number): boolean {
  return settledBy[slot] === slot + 1;
}

/** Lets an agent that rests for good continue. @internal */
export function restart(crowd: Crowd, slot: number): void {
  crowd.agents.settledPushes[slot] = 0;
  forgetSettledBy(crowd, slot);
}

/** Clears the agent next to which `slot` settled. Soon, `slot` continues to its goal unless it has settled next to another one. */
function forgetSettledBy({ agents, tick, stepSeconds }: Crowd, slot: number): void {
  agents.settledBy[slot] = 0;
  agents.retryTick[slot] = tick + Math.round(PATIENCE_SECONDS / stepSeconds);
}
