/**
 * Step: decides when agents arrive, settle, yield and give up.
 *
 *   arrived   within `arriveDistance` of the goal, or within the follow distance of a followed agent
 *   settled   without progress, next to agents that rest at the same goal (settle.ts), until these leave
 *             (review.ts)
 *   blocked   at the end of a partial path, or beside agents that rest there
 *   yielding  out of the way of another agent for a moment (yielding.ts)
 *   queueing  behind standing agents with the same direction
 *   gave-up   no progress for half a minute, or two minutes in a jam, in spite of yielding and new searches
 *
 * An agent that has not arrived goes through rules, one after the other, until one of them decides (`advance`). All of
 * them depend on the time since its last progress; times.ts lists these times.
 *
 * Progress means a shorter remaining path. The best length is forgotten slowly, so that an agent that other agents
 * carry away has time to come back. An agent that was carried far, or that comes back from far, starts over instead of
 * giving up.
 *
 * In: positions, corners, corridors, neighbors, statuses, `progress*`.
 * Out: `status`, `progress*`, `rest*`, `yield*`, `retryTick`; events; requests for paths.
 * Cost: a few comparisons per agent; linear in the neighbors for agents without progress. No allocation.
 * Based on: own.
 */
import { CORNER_NONE } from '../../corridor/types.ts';
import { ahead } from '../rest/ahead.ts';
import { arrive, block, comeToRest } from '../rest/arrive.ts';
import { findWay, keepsToWay, noteHeldUp, resetHeldUp } from './go-around.ts';
import { findAgentAhead } from './in-line.ts';
import { isAimStale } from '../search/aim.ts';
import { requestPath } from '../search/record.ts';
import { isBehindAnother, reviewSettled } from './review.ts';
import { findSettleReason, lengthLeft, resetClusters } from '../rest/settle.ts';
import { measureDistance, measureStay, noteSettledBy } from '../rest/settled-by.ts';
import { findGoalTaker } from './taken-goal.ts';
import { isRestStatus } from '../state/rest.ts';
import {
  CHANGE_ASIDE_OVER,
  CHANGE_GOAL_TAKEN,
  CHANGE_IN_LINE,
  CHANGE_LINE_MOVED,
  CHANGE_NO_PROGRESS,
  changeStatus,
  isWaitingForTurn,
} from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_REPORTED_BLOCKED,
  GOAL_AGENT,
  GOAL_POINT,
  MAX_NEIGHBORS,
  STATE_GROUND,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_SETTLED,
  STATUS_YIELDING,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import {
  ASK_AT_LINK_SECONDS,
  ASK_SECONDS,
  BLOCKED_AGAIN_SECONDS,
  GIVE_UP_SECONDS,
  JAM_GIVE_UP_SECONDS,
  LINE_SECONDS,
  LOOSE_SECONDS,
  MAX_LINE_SECONDS,
  PASS_ON_SECONDS,
  SEARCH_AGAIN_SECONDS,
  SETTLE_SECONDS,
} from './times.ts';
import { passOnRequest, requestRoom } from './yielding.ts';

/** Length by which the remaining path has to shrink to count as progress, in radii. */
const PROGRESS_RADII = 0.2;
/** Increase of the remaining path length from which an agent counts as carried away by others, in radii. */
const CARRIED_RADII = 4;
/** Speed at which the best length is forgotten, as a share of the maximum speed. */
const FORGET_SHARE = 0.12;
/** Share of its desired speed above which an agent counts as walking. */
const WALKING_SHARE = 0.5;
/** Distance to another moving agent within which both are in a jam, as a share of the sum of radii. */
const JAM_SHARE = 2;

/** Step: updates the statuses of the agents whose turn it is. */
export function updateTraffic(crowd: Crowd): void {
  const { agents, thinking, thinkingCount } = crowd;
  const { state, flags, goalKind, status } = agents;
  resetClusters();
  resetHeldUp();
  const passOnTicks = Math.max(1, Math.round(PASS_ON_SECONDS / crowd.stepSeconds));
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if (goalKind[slot] !== GOAL_POINT && goalKind[slot] !== GOAL_AGENT && !isRestStatus(status[slot])) continue;
    if (status[slot] === STATUS_YIELDING && crowd.tick >= agents.yieldUntil[slot])
      changeStatus(crowd, slot, CHANGE_ASIDE_OVER);
    if (isRestStatus(status[slot])) {
      if (agents.yieldTo[slot] >= 0) {
        if ((crowd.tick + slot) % passOnTicks === 0) passOnRequest(crowd, slot);
      } else if (status[slot] === STATUS_SETTLED && agents.restTick[slot] >= 0) {
        reviewSettled(crowd, slot);
      }
      continue;
    }
    if (agents.cornerKind[slot] === CORNER_NONE || isAimStale(crowd, slot)) continue;
    if (!arrive(crowd, slot)) advance(crowd, slot);
  }
  findWay(crowd);
}

/** Applies the rules to an agent that has not arrived, until one of them decides what it does. */
function advance(crowd: Crowd, slot: number): void {
  if (isStillOnOldPath(crowd, slot) || isOnDetour(crowd, slot) || makesProgress(crowd, slot)) return;
  const seconds = (crowd.tick - crowd.agents.progressTick[slot]) * crowd.stepSeconds;
  if (waitsInLine(crowd, slot, seconds)) return;
  if (seconds >= SETTLE_SECONDS && settle(crowd, slot, seconds >= LOOSE_SECONDS)) return;
  if (staysBehindOthers(crowd, slot, seconds)) return;
  noteHeldUp(crowd, slot);
  asksForRoom(crowd, slot, seconds);
  searchesAgain(crowd, slot, seconds);
  givesUp(crowd, slot, seconds);
}

/**
 * Rule: an agent whose corridor still leads to the goal of its previous order waits for its path. A short remaining
 * path to that goal is not progress.
 */
function isStillOnOldPath({ agents, tick }: Crowd, slot: number): boolean {
  if (agents.progressLeft[slot] !== Infinity || (agents.flags[slot] & AGENT_AWAITS_PATH) === 0) return false;
  agents.progressTick[slot] = tick;
  return true;
}

/** Rule: an agent on a detour around standing bodies follows it. */
function isOnDetour(crowd: Crowd, slot: number): boolean {
  return crowd.agents.wayCount[slot] > 0 && keepsToWay(crowd, slot, isWalking(crowd, slot));
}

/** Rule: an agent that came nearer to its goal goes on, and so does one that is paused or waits for its turn. */
function makesProgress(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { progressLeft, progressFar } = agents;
  const left = lengthLeft(crowd, slot);
  const isPaused = agents.maxSpeed[slot] === 0 || isWaitingForTurn(crowd, slot);
  if (left < progressLeft[slot] - PROGRESS_RADII * agents.radius[slot] || isPaused) {
    measureFrom(crowd, slot, left);
    return true;
  }
  const forgotten = FORGET_SHARE * agents.maxSpeed[slot] * crowd.stepSeconds;
  if (left > progressLeft[slot]) progressLeft[slot] = Math.min(left, progressLeft[slot] + forgotten);
  progressFar[slot] = Math.max(left, progressFar[slot] - forgotten);
  return false;
}

/** Measures the progress of an agent from a remaining length on. */
function measureFrom({ agents, tick }: Crowd, slot: number, left: number): void {
  agents.progressLeft[slot] = left;
  agents.progressFar[slot] = left;
  agents.progressTick[slot] = tick;
}

/**
 * Rule: an agent behind another one with the same direction stands in line. The agents at the front have to make
 * progress. This agent waits as long as necessary.
 */
function waitsInLine(crowd: Crowd, slot: number, seconds: number): boolean {
  const { agents, tick, stepSeconds } = crowd;
  const status = agents.status[slot];
  if (agents.queueLinkEnd[slot] >= 0 || (status !== STATUS_MOVING && status !== STATUS_QUEUEING)) return false;
  const isInLine = seconds > LINE_SECONDS && findAgentAhead(crowd, slot) >= 0;
  changeStatus(crowd, slot, isInLine ? CHANGE_IN_LINE : CHANGE_LINE_MOVED);
  if (!isInLine || isOldOrder(crowd, slot)) return false;
  agents.progressTick[slot] = tick - Math.round(LINE_SECONDS / stepSeconds) - 1;
  settle(crowd, slot, false);
  return true;
}

/** Returns whether the order of an agent is so old that it may not wait any longer. */
function isOldOrder({ agents, tick, stepSeconds }: Crowd, slot: number): boolean {
  return tick - agents.orderTick[slot] >= MAX_LINE_SECONDS / stepSeconds;
}

/** Rule: an agent that cannot reach its goal even if other agents step aside is blocked behind them. */
function staysBehindOthers(crowd: Crowd, slot: number, seconds: number): boolean {
  const { desired, flags } = crowd.agents;
  const patience = (flags[slot] & AGENT_REPORTED_BLOCKED) !== 0 ? BLOCKED_AGAIN_SECONDS : LOOSE_SECONDS;
  if ((flags[slot] & AGENT_PARTIAL) === 0 || seconds < patience) return false;
  ahead[0] = desired[2 * slot];
  ahead[1] = desired[2 * slot + 1];
  if (!isBehindAnother(crowd, slot)) return false;
  block(crowd, slot);
  return true;
}

/** Rule: an agent asks the agents that block it to step aside. */
function asksForRoom(crowd: Crowd, slot: number, seconds: number): void {
  const { queueLinkEnd, status } = crowd.agents;
  const patience = queueLinkEnd[slot] >= 0 ? ASK_AT_LINK_SECONDS : ASK_SECONDS;
  if (seconds >= patience && status[slot] !== STATUS_YIELDING) requestRoom(crowd, slot);
}

/** Rule: an agent searches another path. */
function searchesAgain(crowd: Crowd, slot: number, seconds: number): void {
  const { agents, tick, stepSeconds } = crowd;
  if (seconds < SEARCH_AGAIN_SECONDS || (agents.flags[slot] & AGENT_AWAITS_PATH) !== 0) return;
  if (tick - agents.searchTick[slot] >= SEARCH_AGAIN_SECONDS / stepSeconds) requestPath(crowd, slot);
}

/** Rule: an agent gives up, unless it walks, is in a jam, or was carried away and may make progress from here. */
function givesUp(crowd: Crowd, slot: number, seconds: number): void {
  const { agents } = crowd;
  if (seconds < GIVE_UP_SECONDS || isWalking(crowd, slot)) return;
  if (seconds < JAM_GIVE_UP_SECONDS && isInJam(crowd, slot)) return;
  const carried = CARRIED_RADII * agents.radius[slot];
  const left = lengthLeft(crowd, slot);
  const wasCarried = left > agents.progressLeft[slot] + carried || left < agents.progressFar[slot] - carried;
  if (wasCarried && !isOldOrder(crowd, slot)) measureFrom(crowd, slot, left);
  else comeToRest(crowd, slot, CHANGE_NO_PROGRESS);
}

/**
 * Rule: an agent next to agents that rest at its goal settles; with `isLoose`, even outside their cluster. With a partial
 * path it counts as blocked instead.
 */
function settle(crowd: Crowd, slot: number, isLoose: boolean): boolean {
  const { flags } = crowd.agents;
  const reason = findSettleReason(crowd, slot, isLoose);
  const other = reason >= 0 ? reason : findGoalTaker(crowd, slot, isLoose);
  if (other < 0) return false;
  if ((flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
  else comeToRest(crowd, slot, CHANGE_GOAL_TAKEN);
  if (reason >= 0) measureStay(crowd, slot, other);
  else measureDistance(crowd, slot, other);
  noteSettledBy(crowd, slot, other);
  return true;
}

/** Returns whether an agent currently moves in its desired direction. */
function isWalking(crowd: Crowd, slot: number): boolean {
  const { desired, velocity } = crowd.agents;
  const x = desired[2 * slot];
  const z = desired[2 * slot + 1];
  return velocity[2 * slot] * x + velocity[2 * slot + 1] * z > WALKING_SHARE * (x * x + z * z);
}

/** Returns whether another moving agent is next to an agent. */
function isInJam(crowd: Crowd, slot: number): boolean {
  const { neighbors, neighborCount, neighborDistanceSq, radius, status } = crowd.agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const near = JAM_SHARE * (radius[slot] + radius[neighbors[n]]);
    if (!isRestStatus(status[neighbors[n]]) && neighborDistanceSq[n] <= near * near) return true;
  }
  return false;
}
