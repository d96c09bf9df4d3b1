/**
 * Puts an agent on a polygon of the mesh after its polygon was removed, after a link, or after a jump.
 *
 * In: the agent's position, or a point of a polygon.
 * Out: `state`, `position`, `poly`, the corridor, and a request for a path when the agent has a goal.
 * Cost: one nearest-point query. No allocation.
 * Based on: own.
 */
import { resetCorridor } from '../../corridor/corridor.ts';
import { CORNER_NONE } from '../../corridor/types.ts';
import { refOf } from '../../../mesh/ref.ts';
import { createNearestHit, agentHalfExtents, findNearestInto } from '../../../query/nearest/nearest.ts';
import { followGoalPoly, relocateGoal } from '../search/aim.ts';
import { cancelRequest, requestPath } from '../search/record.ts';
import { noteEvent } from '../state/events.ts';
import { isDoneStatus } from '../state/rest.ts';
import { findFreePlace } from './free-place.ts';
import {
  AGENT_STALE_CORNERS,
  AGENT_USER_OWNED,
  EVENT_FOUND,
  EVENT_LOST,
  EVENT_RELOCATED,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
  STATE_LOST,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Moves of an agent up to this are not reported, because outlines of a rebuilt tile may move a little. */
const LEAST_MOVE_RADII = 0.1;
/** Time between two attempts of a lost agent to find a polygon, seconds. */
const LOST_SECONDS = 0.5;

const point = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();

/** Puts an agent on the nearest polygon. When none is near, the agent is lost and retries later. @internal */
export function placeOnNearestPoly(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) point[k] = agents.position[3 * slot + k];
  agentHalfExtents(extents, mesh, crowd.filters[agents.filter[slot]]);
  findNearestInto(hit, mesh, point, extents, crowd.filters[agents.filter[slot]]);
  placeOnHit(crowd, slot);
}

/**
 * Puts an agent whose surface was removed on the nearest free position, and reports the move unless it is tiny. When no
 * position is near, the agent is lost and retries later. An agent that the caller moves is only put on a polygon in the
 * default box. @internal
 */
export function relocateAgent(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if ((agents.flags[slot] & AGENT_USER_OWNED) !== 0) return placeOnNearestPoly(crowd, slot);
  findFreePlace(hit, crowd, slot);
  if (hit.poly >= 0 && agents.state[slot] !== STATE_LOST) {
    const dx = hit.point[0] - agents.position[3 * slot];
    const dz = hit.point[2] - agents.position[3 * slot + 2];
    const least = LEAST_MOVE_RADII * agents.radius[slot];
    if (dx * dx + dz * dz > least * least) noteEvent(crowd, EVENT_RELOCATED, slot);
  }
  placeOnHit(crowd, slot);
}

/** Puts an agent on the position in `hit`, or marks it as lost. */
function placeOnHit(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (hit.poly < 0) {
    if (agents.state[slot] !== STATE_LOST) noteEvent(crowd, EVENT_LOST, slot);
    agents.state[slot] = STATE_LOST;
    agents.poly[slot] = -1;
    agents.cornerKind[slot] = CORNER_NONE;
    agents.velocity.fill(0, 2 * slot, 2 * slot + 2);
    agents.retryTick[slot] = crowd.tick + Math.round(LOST_SECONDS / crowd.stepSeconds);
    cancelRequest(crowd, slot);
    return;
  }
  if (agents.state[slot] === STATE_LOST) noteEvent(crowd, EVENT_FOUND, slot);
  placeOnPoly(crowd, slot, hit.poly, hit.point);
}

/**
 * Puts an agent on a point of a polygon (dense index) and requests a path from there when it has a goal.
 * @internal
 */
export function placeOnPoly(crowd: Crowd, slot: number, poly: number, position: Float64Array): void {
  const { agents, mesh } = crowd;
  agents.state[slot] = STATE_GROUND;
  for (let k = 0; k < 3; k++) agents.position[3 * slot + k] = position[k];
  agents.poly[slot] = poly;
  agents.polyRef[slot] = refOf(mesh, poly);
  agents.wallPoly[slot] = -1;
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  resetCorridor(crowd.corridors[slot], mesh, poly, position);
  // The old path is invalid. Until a search succeeds, no path leads to the goal.
  agents.targetDrift[slot] = Infinity;
  if (agents.goalKind[slot] !== GOAL_POINT && agents.goalKind[slot] !== GOAL_AGENT) return;
  if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
  if (agents.goalPoly[slot] >= 0 && !isDoneStatus(agents.status[slot])) requestPath(crowd, slot);
}

/** Brings an agent that was only avoided, and needed no mesh, back onto the mesh. @internal */
export function returnToMesh(crowd: Crowd, slot: number): void {
  const { state } = crowd.agents;
  if (state[slot] !== STATE_GROUND && state[slot] !== STATE_LOST) return;
  followGoalPoly(crowd, slot);
  placeOnNearestPoly(crowd, slot);
}
