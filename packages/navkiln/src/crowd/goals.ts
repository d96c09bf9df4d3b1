/**
 * Step: follows goals that move, and requests the searches that are due.
 *
 * An agent that follows another one takes over its position (search/aim.ts). An agent whose goal is
 * unreachable retries from time to time, because the mesh may have changed.
 *
 * In: `goal*`, positions of followed agents, ends of corridors.
 * Out: goals, ends of corridors, requests, `status`, `retryTick`.
 * Cost: nothing for a goal that stands.
 * Based on: own; that the polygon of the target decides about a search is also the rule of landmass (Liam
 * Snow and others, 2023).
 */
import { CORNER_NONE } from '../corridor/types.ts';
import {
  GOAL_SLACK_RADII,
  RETRY_SECONDS,
  followGoal,
  isAimStale,
  isSearchDue,
  moveGoalToAgent,
  relocateGoal,
} from './search/aim.ts';
import { cancelRequest, requestPath } from './search/record.ts';
import { agentSlotOf } from './state/ids.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  STATE_AIR,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
  STATUS_IDLE,
} from './state/types.ts';
import type { AgentId, Crowd } from './state/types.ts';

/** Step: follows moving goals and requests searches. */
export function updateGoals(crowd: Crowd): void {
  const { agents, active, activeCount, tick, stepSeconds } = crowd;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const kind = agents.goalKind[slot];
    if ((agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    if (kind === GOAL_AGENT) pursue(crowd, slot);
    else if (kind !== GOAL_POINT) continue;
    if ((agents.flags[slot] & AGENT_PARTIAL) === 0 && agents.goalPoly[slot] >= 0) {
      // The goal jumped when it was too early for another search.
      const isOnItsWay = agents.state[slot] === STATE_GROUND && agents.status[slot] < STATUS_ARRIVED;
      if (isOnItsWay && isAimStale(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
      continue;
    }
    if (agents.state[slot] !== STATE_GROUND || agents.status[slot] !== STATUS_BLOCKED) continue;
    if (tick < agents.retryTick[slot]) continue;
    agents.retryTick[slot] = tick + Math.round(RETRY_SECONDS / stepSeconds);
    if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
    if (agents.goalPoly[slot] >= 0) requestPath(crowd, slot);
  }
}

/** Moves the goal of a follower to the agent that it follows. */
function pursue(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const other = agentSlotOf(crowd, agents.goalAgent[slot] as AgentId);
  if (other < 0) {
    cancelRequest(crowd, slot);
    agents.goalKind[slot] = GOAL_NONE;
    agents.status[slot] = STATUS_IDLE;
    agents.cornerKind[slot] = CORNER_NONE;
    return;
  }
  if (agents.state[other] === STATE_LOST || agents.state[slot] !== STATE_GROUND) return;
  const at = 3 * slot;
  const dx = agents.position[3 * other] - agents.goal[at];
  const dy = agents.position[3 * other + 1] - agents.goal[at + 1];
  const dz = agents.position[3 * other + 2] - agents.goal[at + 2];
  const slack = GOAL_SLACK_RADII * agents.radius[slot];
  const movedSq = dx * dx + dy * dy + dz * dz;
  if (movedSq <= slack * slack && agents.goalPoly[slot] >= 0) return;
  // A followed agent off the mesh has no polygon: the goal stays at its last position on the mesh.
  if (agents.state[other] === STATE_LINK || agents.state[other] === STATE_AIR) return;
  moveGoalToAgent(crowd, slot, other);
  if (agents.goalPoly[slot] < 0) return;
  followGoal(crowd, slot, Math.sqrt(movedSq), agents.followDistance[slot]);
}
