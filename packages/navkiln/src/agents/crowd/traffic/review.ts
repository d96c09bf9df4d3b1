/**
 * Reviews agents at rest: an agent that settled, or was pushed away from its goal, continues when it can get nearer.
 *
 * A settled agent stays while the agent beside which it settled, its *reason*, rests there (settled-by.ts). When the
 * reason has left, or the settled agent was pushed away from it, the agent looks for another reason. This may be an
 * agent at rest on its goal, or an agent with the same goal that is nearer to it. Agents that rest because of the
 * settled agent itself, directly or through others, do not count. Without a new reason for a second, the agent
 * continues to its goal. An agent that rests far outside its cluster, because members have left, also continues, a few
 * times. So each chain of reasons ends at an agent that has not settled or is on the goal, and a cluster closes up when
 * its middle leaves.
 *
 * When agents continue one after the other because their reasons left, the chain ends after `MAX_LEVEL` agents: the
 * next one stays while an agent stands ahead of it. An order starts a new chain. So every crowd comes to rest, even
 * when its goals are close together.
 *
 * In: goals, positions and statuses of neighbors. Out: `status`, `settled*`, `progress*`, `rest*`.
 * Cost: constant for a settled agent that is awake; linear in the neighbors when its reason has left. No allocation.
 * Based on: own.
 */
import { ahead, findAhead } from '../rest/ahead.ts';
import { aimAtGoal } from '../search/aim.ts';
import {
  isNearer,
  isOnGoalOf,
  isOutsideCluster,
  isSettledAtGoal,
  isWithinCluster,
  restsBecauseOf,
} from '../rest/settle.ts';
import {
  MAX_LEVEL,
  MAX_PUSHES,
  STAY_IN_CLUSTER_SHARE,
  checkSettledBy,
  leaveReason,
  measureDistance,
  measureStay,
  noteSettledBy,
  restart,
  restsForGood,
  stay,
} from '../rest/settled-by.ts';
import { isRestStatus } from '../state/rest.ts';
import { ticksOfTurn } from '../state/turn-ticks.ts';
import { CHANGE_GOAL_FREE, CHANGE_PUSHED_OFF, changeStatus, restartProgress } from '../state/status.ts';
import { GOAL_AGENT, GOAL_POINT, MAX_NEIGHBORS, STATUS_GAVE_UP } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { OUTSIDE_SECONDS } from './times.ts';

/** An agent at rest continues when it is farther from its goal than the arrive distance plus this, in radii. */
const AWAY_RADII = 1;
/** Distance within which an agent is next to another one, as a share of the sum of radii. */
const NEAR_GAP = 1.25;
/** A settled agent compares its distance from the goal with its cluster once in twice this many turns. */
const OUTSIDE_TURNS = 15;

/** Lets a settled agent continue when no other agent keeps it away from its goal any longer. */
export function reviewSettled(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (checkSettledBy(crowd, slot)) {
    if (restsForGood(agents, slot)) {
      if (!isHeldOff(crowd, slot)) restart(crowd, slot);
      return;
    }
    if (restsBecauseOf(crowd, agents.settledBy[slot] - 1, slot)) {
      // The agent that stood on the goal was pushed off it, and all others rest because of each other.
      leaveReason(crowd, slot, agents.settledPushes[slot]);
      return;
    }
    if (!isLeftOutside(crowd, slot)) return;
    agents.settledPushes[slot]++;
    goOn(crowd, slot);
    return;
  }
  if (findReason(crowd, slot)) return;
  if (crowd.tick >= agents.retryTick[slot]) goOn(crowd, slot);
}

/** Returns whether an agent at rest stands between an agent and its goal. */
function isHeldOff(crowd: Crowd, slot: number): boolean {
  const { target } = crowd.corridors[slot];
  ahead[0] = target[0] - crowd.agents.position[3 * slot];
  ahead[1] = target[2] - crowd.agents.position[3 * slot + 2];
  return findAhead(crowd, slot, STAY_IN_CLUSTER_SHARE, isResting) >= 0;
}

function isResting({ agents }: Crowd, _: number, other: number): boolean {
  return isRestStatus(agents.status[other]);
}

/**
 * Returns whether an agent rests outside the radius of its cluster, for example after members have left. Checks once in
 * 2 * `OUTSIDE_TURNS` turns.
 */
function isLeftOutside(crowd: Crowd, slot: number): boolean {
  const { settledBy, settledPushes, restTick } = crowd.agents;
  if ((crowd.tick + slot) % (2 * ticksOfTurn(crowd.stepSeconds) * OUTSIDE_TURNS) !== 0) return false;
  const hasRested = crowd.tick - restTick[slot] >= OUTSIDE_SECONDS / crowd.stepSeconds;
  if (!hasRested || settledPushes[slot] >= MAX_PUSHES) return false;
  const other = settledBy[slot] - 1;
  return isSettledAtGoal(crowd, slot, other) && !isOnGoalOf(crowd, slot, other) && isOutsideCluster(crowd, slot);
}

/**
 * Lets an agent that rests away from its goal continue. Returns false when it is at its goal, has no goal, or stays for
 * good.
 */
export function goOnIfAway(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, goal, goalKind } = agents;
  if (goalKind[slot] !== GOAL_POINT && goalKind[slot] !== GOAL_AGENT) return false;
  const around = goalKind[slot] === GOAL_AGENT ? agents.followDistance[slot] : agents.arriveDistance[slot];
  const far = around + AWAY_RADII * agents.radius[slot];
  const dx = goal[3 * slot] - position[3 * slot];
  const dz = goal[3 * slot + 2] - position[3 * slot + 2];
  if (dx * dx + dz * dz <= far * far) return false;
  if (leaveReason(crowd, slot, agents.settledPushes[slot])) {
    changeStatus(crowd, slot, CHANGE_PUSHED_OFF);
    return false;
  }
  goOn(crowd, slot);
  return true;
}

/**
 * Returns whether a blocked agent away from the end of its new path, which does not lead to its goal, stays where it is.
 * It stays beside agents that rest there. Otherwise it continues, but after a few times only when no agent is in front
 * of it. Without this limit, blocked agents would push each other forever, and hold up agents whose
 * goals are among them.
 */
export function staysBlocked(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { target } = crowd.corridors[slot];
  if (findReason(crowd, slot)) return true;
  const pushes = agents.settledPushes[slot];
  ahead[0] = target[0] - agents.position[3 * slot];
  ahead[1] = target[2] - agents.position[3 * slot + 2];
  if (pushes >= MAX_LEVEL || (pushes >= MAX_PUSHES && isBehindAnother(crowd, slot))) return true;
  agents.settledPushes[slot]++;
  return false;
}

/** Returns whether another agent is close in the direction `ahead`. @internal */
export function isBehindAnother(crowd: Crowd, slot: number): boolean {
  return findAhead(crowd, slot, NEAR_GAP, () => true) >= 0;
}

/** Lets an agent at rest continue to its goal. */
function goOn(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  changeStatus(crowd, slot, CHANGE_GOAL_FREE);
  restartProgress(crowd, slot);
  agents.restTick[slot] = -1;
  agents.yieldTo[slot] = -1;
  aimAtGoal(crowd, slot, true);
}

/** Finds another agent that keeps a settled agent away from its goal, and notes it. Returns false if there is none. */
function findReason(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { neighbors, neighborCount, neighborDistanceSq, status } = agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (!isRestStatus(status[other]) || status[other] === STATUS_GAVE_UP || restsBecauseOf(crowd, other, slot))
      continue;
    measureStay(crowd, slot, other);
    const isNear = neighborDistanceSq[n] <= stay[0] * stay[0];
    if (isNear && isOnGoalOf(crowd, slot, other)) {
      noteSettledBy(crowd, slot, other);
      return true;
    }
    if (!isSettledAtGoal(crowd, slot, other)) continue;
    if (!isNearer(crowd, slot, other) || !(isNear || isWithinCluster(crowd, slot))) continue;
    if (!isNear) measureDistance(crowd, slot, other);
    noteSettledBy(crowd, slot, other);
    return true;
  }
  return false;
}
