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
 * Progress means a shorter remaining path. The best length is forgotten slowly, so that an agent that other agents
 * carry away has time to come back. An agent that was carried far, or that comes back from far, starts over instead of
 * giving up.
 *
 * In: positions, corners, corridors, neighbors, statuses, `progress*`.
 * Out: `status`, `progress*`, `rest*`, `yield*`, `retryTick`; events; requests for paths.
 * Cost: a few comparisons per agent; linear in the neighbors for agents without progress. No allocation.
 * Based on: own.
 */
import { CORNER_GOAL, CORNER_NONE } from '../../corridor/types.ts';
import { ahead } from '../rest/ahead.ts';
import { findWay, keepsToWay, noteHeldUp, resetHeldUp } from './go-around.ts';
import { findAgentAhead } from './in-line.ts';
import { RETRY_SECONDS, isAimStale } from '../search/aim.ts';
import { cancelRequest, requestPath } from '../search/record.ts';
import { isBehindAnother, reviewSettled } from './review.ts';
import { findSettleReason, resetClusters } from '../rest/settle.ts';
import { measureDistance, measureStay, noteSettledBy } from '../rest/settled-by.ts';
import { findGoalTaker } from './taken-goal.ts';
import { noteEvent } from '../state/events.ts';
import { agentSlotOf } from '../state/ids.ts';
import { isRestStatus } from '../state/rest.ts';
import {
  CHANGE_ASIDE_OVER,
  CHANGE_GOAL_TAKEN,
  CHANGE_IN_LINE,
  CHANGE_LINE_MOVED,
  CHANGE_NO_PROGRESS,
  CHANGE_PATH_ENDED,
  CHANGE_REACHED,
  changeStatus,
  isWaitingForTurn,
} from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_REPORTED_BLOCKED,
  AGENT_STALE_CORNERS,
  EVENT_ARRIVED,
  EVENT_BLOCKED,
  EVENT_GAVE_UP,
  EVENT_SETTLED,
  GOAL_AGENT,
  GOAL_POINT,
  MAX_NEIGHBORS,
  MODE_NO_BRAKE,
  STATE_GROUND,
  STATUS_MOVING,
  STATUS_QUEUEING,
  STATUS_SETTLED,
  STATUS_YIELDING,
} from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { passOnRequest, requestRoom } from './yielding.ts';

// Seconds without progress until an agent ...
/** ... settles, if agents rest at its goal. */
const SETTLE_SECONDS = 0.4;
/** ... settles outside the radius of the cluster at its goal. */
const LOOSE_SECONDS = 3;
/** ... asks other agents to step aside. */
const ASK_SECONDS = 0.6;
/** ... asks other agents to step aside, in the queue of a link. */
const ASK_AT_LINK_SECONDS = 0.15;
/** ... searches for another path. Also the shortest time between two such searches. */
const SEARCH_AGAIN_SECONDS = 3;
/** ... is blocked again behind another agent, if it cannot reach its goal and has been blocked before. */
const BLOCKED_AGAIN_SECONDS = 1;
/** ... gives up. */
const GIVE_UP_SECONDS = 30;
/** ... gives up next to other moving agents. This is longer, because jams resolve. */
const JAM_GIVE_UP_SECONDS = 120;
/** ... counts as standing in line, when an agent ahead has the same direction. */
const LINE_SECONDS = 0.5;

/** Time after an order for which an agent may stand in line, or be carried away, without giving up, seconds. */
const MAX_LINE_SECONDS = 600;
/** Length by which the remaining path has to shrink to count as progress, in radii. */
const PROGRESS_RADII = 0.2;
/** Increase of the remaining path length from which an agent counts as carried away by others, in radii. */
const CARRIED_RADII = 4;
/** Speed at which the best length is forgotten, as a share of the maximum speed. */
const FORGET_SHARE = 0.12;
/** Shortest time between two requests of an agent at rest that yields and finds no space, seconds. */
const PASS_ON_SECONDS = 0.2;
/** Smallest arrive distance, in radii. A distance of 0 would never be reached. */
const MIN_ARRIVE_RADII = 1e-3;
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

/** Brings an agent to rest when it is at its goal, or at the end of a partial path. Returns whether it is. */
function arrive(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, flags } = agents;
  if (agents.cornerKind[slot] !== CORNER_GOAL) return false;
  if (isNearFollowed(crowd, slot)) {
    comeToRest(crowd, slot, CHANGE_REACHED, EVENT_ARRIVED);
    return true;
  }
  // The corner is the end of the path. The corridor, which is many memory reads away, is read only when the corner is out of date.
  let endX = agents.corners[6 * slot];
  let endZ = agents.corners[6 * slot + 2];
  if ((flags[slot] & AGENT_STALE_CORNERS) !== 0) {
    const { target } = crowd.corridors[slot];
    endX = target[0];
    endZ = target[2];
  }
  const dx = endX - position[3 * slot];
  const dz = endZ - position[3 * slot + 2];
  const reach = Math.max(agents.arriveDistance[slot], MIN_ARRIVE_RADII * agents.radius[slot]);
  if (dx * dx + dz * dz > reach * reach) {
    if ((agents.modes[slot] & MODE_NO_BRAKE) === 0 || !runsPast(crowd, slot, dx, dz)) return false;
  }
  if ((flags[slot] & AGENT_AWAITS_PATH) !== 0) return false;
  if ((flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
  else if (agents.goalKind[slot] === GOAL_POINT) comeToRest(crowd, slot, CHANGE_REACHED, EVENT_ARRIVED);
  else return false;
  return true;
}

/**
 * Returns whether an agent that does not brake has run past its goal, which is (dx, dz) away, and could only return in
 * an arc.
 */
function runsPast({ agents, stepSeconds }: Crowd, slot: number, dx: number, dz: number): boolean {
  const x = agents.velocity[2 * slot];
  const z = agents.velocity[2 * slot + 1];
  if (x * dx + z * dz > 0) return false;
  const speed = Math.sqrt(x * x + z * z);
  const reach = speed * (speed / agents.maxAcceleration[slot] + stepSeconds);
  return dx * dx + dz * dz <= reach * reach;
}

/** Returns whether an agent is within its follow distance of the agent that it follows, on the same floor. */
function isNearFollowed(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, height } = agents;
  if (agents.goalKind[slot] !== GOAL_AGENT) return false;
  const other = agentSlotOf(crowd, agents.goalAgent[slot] as AgentId);
  if (other < 0) return false;
  const dx = position[3 * other] - position[3 * slot];
  const dy = position[3 * other + 1] - position[3 * slot + 1];
  const dz = position[3 * other + 2] - position[3 * slot + 2];
  const reach = agents.followDistance[slot];
  return dy < height[slot] && -dy < height[other] && dx * dx + dz * dz <= reach * reach;
}

/** Ends an order with a change of status and an event. */
function comeToRest(crowd: Crowd, slot: number, change: number, event: number): void {
  const { agents } = crowd;
  stop(crowd, slot, change);
  agents.yieldTo[slot] = -1;
  agents.yieldUntil[slot] = crowd.tick;
  if (change === CHANGE_REACHED && agents.goalKind[slot] === GOAL_POINT) {
    // The resting position is fixed now, even if the agent is pushed before it stands still.
    agents.restPoint[2 * slot] = agents.position[3 * slot];
    agents.restPoint[2 * slot + 1] = agents.position[3 * slot + 2];
    agents.restTick[slot] = crowd.tick;
  }
  cancelRequest(crowd, slot);
  noteEvent(crowd, event, slot);
}

/** Lets an agent rest, without a resting position and a reason yet. */
function stop(crowd: Crowd, slot: number, change: number): void {
  const { agents } = crowd;
  changeStatus(crowd, slot, change);
  agents.restTick[slot] = -1;
  agents.settledBy[slot] = 0;
  agents.wayCount[slot] = 0;
}

/** Marks an agent at the end of a partial path. The event is reported once per order. */
function block(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  stop(crowd, slot, CHANGE_PATH_ENDED);
  agents.retryTick[slot] = crowd.tick + Math.round(RETRY_SECONDS / crowd.stepSeconds);
  if ((agents.flags[slot] & AGENT_REPORTED_BLOCKED) !== 0) return;
  agents.flags[slot] |= AGENT_REPORTED_BLOCKED;
  noteEvent(crowd, EVENT_BLOCKED, slot);
}

/** Notes progress, and acts when there has been none for a while. */
function advance(crowd: Crowd, slot: number): void {
  const { agents, tick, stepSeconds } = crowd;
  const { corners, position, progressLeft, progressFar, progressTick, status } = agents;
  if (progressLeft[slot] === Infinity && (agents.flags[slot] & AGENT_AWAITS_PATH) !== 0) {
    // Its corridor still leads to the goal of the previous order. A short remaining path to that goal is not progress.
    progressTick[slot] = tick;
    return;
  }
  if (agents.wayCount[slot] > 0 && keepsToWay(crowd, slot, isWalking(crowd, slot))) return;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  const left = Math.sqrt(dx * dx + dz * dz) + agents.pathLeft[slot];
  const isPaused = agents.maxSpeed[slot] === 0 || isWaitingForTurn(crowd, slot);
  if (left < progressLeft[slot] - PROGRESS_RADII * agents.radius[slot] || isPaused) {
    progressLeft[slot] = left;
    progressFar[slot] = left;
    progressTick[slot] = tick;
    return;
  }
  const forgotten = FORGET_SHARE * agents.maxSpeed[slot] * stepSeconds;
  if (left > progressLeft[slot]) progressLeft[slot] = Math.min(left, progressLeft[slot] + forgotten);
  progressFar[slot] = Math.max(left, progressFar[slot] - forgotten);
  const seconds = (tick - progressTick[slot]) * stepSeconds;
  if (agents.queueLinkEnd[slot] < 0 && (status[slot] === STATUS_MOVING || status[slot] === STATUS_QUEUEING)) {
    const isInLine = seconds > LINE_SECONDS && findAgentAhead(crowd, slot) >= 0;
    changeStatus(crowd, slot, isInLine ? CHANGE_IN_LINE : CHANGE_LINE_MOVED);
    if (isInLine && tick - agents.orderTick[slot] < MAX_LINE_SECONDS / stepSeconds) {
      // The agents at the front have to make progress. This agent waits as long as necessary.
      progressTick[slot] = tick - Math.round(LINE_SECONDS / stepSeconds) - 1;
      settle(crowd, slot, false);
      return;
    }
  }
  if (seconds >= SETTLE_SECONDS && settle(crowd, slot, seconds >= LOOSE_SECONDS)) return;
  const { desired, flags } = agents;
  const isBlockedAgain = (flags[slot] & AGENT_REPORTED_BLOCKED) !== 0;
  if ((flags[slot] & AGENT_PARTIAL) !== 0 && seconds >= (isBlockedAgain ? BLOCKED_AGAIN_SECONDS : LOOSE_SECONDS)) {
    ahead[0] = desired[2 * slot];
    ahead[1] = desired[2 * slot + 1];
    if (isBehindAnother(crowd, slot)) {
      // It cannot reach its goal even if other agents step aside.
      block(crowd, slot);
      return;
    }
  }
  noteHeldUp(crowd, slot);
  const patience = agents.queueLinkEnd[slot] >= 0 ? ASK_AT_LINK_SECONDS : ASK_SECONDS;
  if (seconds >= patience && status[slot] !== STATUS_YIELDING) requestRoom(crowd, slot);
  if (seconds >= SEARCH_AGAIN_SECONDS && (agents.flags[slot] & AGENT_AWAITS_PATH) === 0) {
    if (tick - agents.searchTick[slot] >= SEARCH_AGAIN_SECONDS / stepSeconds) requestPath(crowd, slot);
  }
  if (seconds < GIVE_UP_SECONDS || isWalking(crowd, slot)) return;
  if (seconds < JAM_GIVE_UP_SECONDS && isInJam(crowd, slot)) return;
  const carried = CARRIED_RADII * agents.radius[slot];
  const wasCarried = left > progressLeft[slot] + carried || left < progressFar[slot] - carried;
  if (wasCarried && tick - agents.orderTick[slot] < MAX_LINE_SECONDS / stepSeconds) {
    // It may make progress from here, or is coming back.
    progressLeft[slot] = left;
    progressFar[slot] = left;
    progressTick[slot] = tick;
    return;
  }
  comeToRest(crowd, slot, CHANGE_NO_PROGRESS, EVENT_GAVE_UP);
}

/**
 * Settles an agent if there is a reason; with `isLoose`, even outside the cluster. With a partial path it counts as
 * blocked instead. Returns whether it settled.
 */
function settle(crowd: Crowd, slot: number, isLoose: boolean): boolean {
  const { flags } = crowd.agents;
  const reason = findSettleReason(crowd, slot, isLoose);
  const other = reason >= 0 ? reason : findGoalTaker(crowd, slot, isLoose);
  if (other < 0) return false;
  if ((flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
  else comeToRest(crowd, slot, CHANGE_GOAL_TAKEN, EVENT_SETTLED);
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
