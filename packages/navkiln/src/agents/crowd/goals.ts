/**
 * Step: follows goals that move, and requests the searches that are due.
 *
 * An agent that follows another one takes over its position (search/pursue.ts). An agent whose goal is
 * unreachable retries from time to time, because the mesh may have changed.
 *
 * In: `goal*`, positions of followed agents, ends of corridors.
 * Out: goals, ends of corridors, requests, `status`, `retryTick`.
 * Cost: nothing for a goal that does not move.
 * Based on: own; that the polygon of the target decides about a search is also the rule of landmass (Liam
 * Snow and others, 2023).
 */
import { RETRY_SECONDS, isAimStale, isSearchDue, relocateGoal } from './search/aim.ts';
import { requestPath } from './search/record.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
  STATUS_ARRIVED,
  STATUS_BLOCKED,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** Step: follows moving goals and requests searches. */
export function updateGoals(crowd: Crowd): void {
  const { agents, active, activeCount, tick, stepSeconds } = crowd;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const kind = agents.goalKind[slot];
    if ((agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    if (kind === GOAL_AGENT) crowd.behaviors.pursue?.(crowd, slot);
    else if (kind !== GOAL_POINT) continue;
    if ((agents.flags[slot] & AGENT_PARTIAL) === 0 && agents.goalPoly[slot] >= 0) {
      // The goal jumped while it was too early for another search.
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
