/**
 * Brings agents to rest: at their goals, and at the ends of paths that do not lead there.
 *
 * In: positions, corners, corridors, `arriveDistance`, `followDistance`.
 * Out: `status`, `rest*`, `settledBy`, `yield*`, `retryTick`; events.
 * Cost: a few comparisons. No allocation.
 * Based on: own.
 */
import { CORNER_GOAL } from '../../corridor/types.ts';
import { RETRY_SECONDS } from '../search/aim.ts';
import { cancelRequest } from '../search/record.ts';
import { noteEvent } from '../state/events.ts';
import { agentSlotOf } from '../state/ids.ts';
import { CHANGE_PATH_ENDED, CHANGE_REACHED, changeStatus } from '../state/status.ts';
import {
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_REPORTED_BLOCKED,
  AGENT_STALE_CORNERS,
  EVENT_ARRIVED,
  EVENT_BLOCKED,
  GOAL_AGENT,
  GOAL_POINT,
  MODE_NO_BRAKE,
  STATUS_ARRIVED,
} from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';

/** Smallest arrive distance, in radii. A distance of 0 would never be reached. */
const MIN_ARRIVE_RADII = 1e-3;

/** Brings an agent to rest when it is at its goal, or at the end of a partial path. Returns whether it is. */
export function arrive(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { position, flags } = agents;
  if (agents.cornerKind[slot] !== CORNER_GOAL) return false;
  if (isNearFollowed(crowd, slot)) {
    comeToRest(crowd, slot, CHANGE_REACHED);
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
  else if (agents.goalKind[slot] === GOAL_POINT) comeToRest(crowd, slot, CHANGE_REACHED);
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

/** Ends an order with a change of status, and reports the event of that status. */
export function comeToRest(crowd: Crowd, slot: number, change: number): void {
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
  noteEvent(crowd, (change & 15) - STATUS_ARRIVED + EVENT_ARRIVED, slot);
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
export function block(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  stop(crowd, slot, CHANGE_PATH_ENDED);
  agents.retryTick[slot] = crowd.tick + Math.round(RETRY_SECONDS / crowd.stepSeconds);
  if ((agents.flags[slot] & AGENT_REPORTED_BLOCKED) !== 0) return;
  agents.flags[slot] |= AGENT_REPORTED_BLOCKED;
  noteEvent(crowd, EVENT_BLOCKED, slot);
}
