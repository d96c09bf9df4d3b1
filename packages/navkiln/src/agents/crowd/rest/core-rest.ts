/**
 * Step: decides when agents of a core crowd rest (create-core.ts). The behavior `traffic` replaces it.
 *
 * An agent arrives at its goal or at the end of a partial path. Without progress for a second, it settles when it
 * touches an agent at rest that stands at its goal, or is nearer to it and has the same goal. After three seconds it
 * searches its path again, and after half a minute it gives up. Agents at rest do not make way, and a settled agent
 * stays when the others leave.
 *
 * In: positions, corners, corridors, neighbors, statuses, `progress*`.
 * Out: `status`, `progress*`, `rest*`; events; requests for paths.
 * Cost: a few comparisons per agent; linear in the neighbors for agents without progress. No allocation.
 * Based on: own, and a rule of Lukas Chodosevicius, Agents Navigation, 2023: an agent that touches an agent at rest with
 * the same goal has arrived, too.
 */
import { CORNER_NONE } from '../../corridor/types.ts';
import { isAimStale } from '../search/aim.ts';
import { requestPath } from '../search/record.ts';
import { isRestStatus } from '../state/rest.ts';
import { CHANGE_GOAL_TAKEN, CHANGE_NO_PROGRESS } from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  GOAL_AGENT,
  GOAL_POINT,
  MAX_NEIGHBORS,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { arrive, block, comeToRest } from './arrive.ts';

/** Length by which the remaining path has to shrink to count as progress, in radii. */
const PROGRESS_RADII = 0.2;
/**
 * Time without progress after which an agent settles beside others, searches its path again, and gives up, seconds. The
 * second is also the shortest time between two searches.
 */
const SETTLE_SECONDS = 1;
const SEARCH_SECONDS = 3;
const GIVE_UP_SECONDS = 30;
/** Distance at which two agents count as touching, as a share of the sum of radii. */
const TOUCH_SHARE = 1.25;

/** Step: updates the statuses of the agents whose turn it is. */
export function updateCoreRest(crowd: Crowd): void {
  const { agents, thinking, thinkingCount, tick, stepSeconds } = crowd;
  const { state, flags, goalKind, status, corners, position, progressLeft, progressTick } = agents;
  for (let i = 0; i < thinkingCount; i++) {
    const slot = thinking[i];
    if (state[slot] !== STATE_GROUND || (flags[slot] & (AGENT_ASLEEP | AGENT_AVOID_ONLY)) !== 0) continue;
    if ((goalKind[slot] !== GOAL_POINT && goalKind[slot] !== GOAL_AGENT) || isRestStatus(status[slot])) continue;
    if (agents.cornerKind[slot] === CORNER_NONE || isAimStale(crowd, slot) || arrive(crowd, slot)) continue;
    const dx = corners[6 * slot] - position[3 * slot];
    const dz = corners[6 * slot + 2] - position[3 * slot + 2];
    const left = Math.sqrt(dx * dx + dz * dz) + agents.pathLeft[slot];
    if (left < progressLeft[slot] - PROGRESS_RADII * agents.radius[slot] || agents.maxSpeed[slot] === 0) {
      progressLeft[slot] = left;
      progressTick[slot] = tick;
      continue;
    }
    const seconds = (tick - progressTick[slot]) * stepSeconds;
    if (seconds >= SETTLE_SECONDS && isGoalTaken(crowd, slot)) {
      if ((flags[slot] & AGENT_PARTIAL) !== 0) block(crowd, slot);
      else comeToRest(crowd, slot, CHANGE_GOAL_TAKEN);
    } else if (seconds >= GIVE_UP_SECONDS) comeToRest(crowd, slot, CHANGE_NO_PROGRESS);
    else if (seconds >= SEARCH_SECONDS && (tick - agents.searchTick[slot]) * stepSeconds >= SEARCH_SECONDS)
      requestPath(crowd, slot);
  }
}

/** Returns whether an agent touches an agent at rest that stands at its goal, or is nearer to it and goes there, too. */
function isGoalTaken({ agents, corridors }: Crowd, slot: number): boolean {
  const { goal, neighbors, neighborCount, neighborDistanceSq, position, radius, status } = agents;
  const { target } = corridors[slot];
  const away = distanceSq(position, slot, target);
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const apart = radius[slot] + radius[other];
    const near = TOUCH_SHARE * apart;
    if (neighborDistanceSq[n] > near * near || !isRestStatus(status[other])) continue;
    const otherAway = distanceSq(position, other, target);
    const hasSameGoal = distanceSq(goal, other, target) < apart * apart;
    if (otherAway < apart * apart || (otherAway < away && hasSameGoal)) return true;
  }
  return false;
}

/** Returns the squared distance, in the plane, between the point of a slot and `target`. */
function distanceSq(points: Float64Array, slot: number, target: Float64Array): number {
  const dx = target[0] - points[3 * slot];
  const dz = target[2] - points[3 * slot + 2];
  return dx * dx + dz * dz;
}
