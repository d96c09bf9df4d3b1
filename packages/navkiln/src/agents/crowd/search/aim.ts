/**
 * Keeps the end of an agent's path at its goal: slides the end along when the goal moves a little, and
 * requests a search when that is not enough.
 *
 * A search is due when the goal has left the surface around the end of the path. It is also due when the goal has moved
 * by a large share of the remaining path, so that a shorter path may exist. The old path stays in use until the search
 * is answered. So an agent never stands still because its target moves.
 *
 * In: `goal`, `goalPoly`, corridors.
 * Out: ends of corridors, requests, `status`, `targetDrift`.
 * Cost: a slide over a polygon or two per moved goal. No allocation.
 * Based on: own; Detour also lets the end of the corridor follow the target (Mikko Mononen).
 */
import { moveCorridorTarget } from '../../corridor/move.ts';
import { CORNER_GOAL, CORNER_NONE } from '../../corridor/types.ts';
import { polyIndexOf, refOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { createNearestHit, findNearInto } from '../../../query/nearest/nearest.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { createSlide } from '../../../query/walk/slide.ts';
import { isDoneStatus } from '../state/rest.ts';
import {
  CHANGE_GOAL_MOVED,
  CHANGE_GOAL_OFF_MESH,
  CHANGE_PATH_AWAITED,
  CHANGE_PATH_KEPT,
  CHANGE_PATH_LOST,
  changeStatus,
  restartProgress,
} from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
  STATUS_BLOCKED,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { requestPath } from './record.ts';

/**
 * Maximum distance of a goal's jump for which the end of the path slides there, in radii. A longer jump requests a
 * search.
 */
const SLIDE_RADII = 8;
/** A goal that has moved by this share of the remaining path length requests a search. */
const DRIFT_SHARE = 0.3;
/** Shortest time between two searches of an agent whose target moves, seconds. */
const SEARCH_SECONDS = 1;
/** Distance between the end of a path and the goal up to which the path counts as leading there, in radii. */
const AIM_RADII = 0.5;
/** An agent that has arrived starts again when the goal is farther than its stopping distance plus this, in radii. */
const RESUME_RADII = 2;

/** Time between two attempts of a blocked agent to find a path, seconds. */
export const RETRY_SECONDS: number = 2;
/**
 * Distance by which a followed agent or point has to move before the goal follows it, in radii of the
 * follower.
 */
export const GOAL_SLACK_RADII: number = 0.25;

const target = new Float64Array(3);
const hit = createNearestHit();
const slide = createSlide();
const slideState = createSearchState();

/**
 * Starts an agent towards a new goal: the end of its path follows, or it requests a search. `hadPath`: it already had a
 * path. @internal
 */
export function aimAtGoal(crowd: Crowd, slot: number, hadPath: boolean): void {
  const { agents } = crowd;
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if (agents.state[slot] !== STATE_GROUND) {
    // The search is requested when the agent is back on the mesh.
    changeStatus(crowd, slot, CHANGE_PATH_AWAITED);
    agents.flags[slot] |= AGENT_PARTIAL;
    return;
  }
  if (agents.goalPoly[slot] < 0) {
    changeStatus(crowd, slot, CHANGE_GOAL_OFF_MESH);
    return;
  }
  const canFollow = hadPath && (agents.flags[slot] & (AGENT_AWAITS_PATH | AGENT_PARTIAL)) === 0;
  if (canFollow && slideTarget(crowd, slot)) {
    changeStatus(crowd, slot, CHANGE_PATH_KEPT);
    if (isDrifting(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
    return;
  }
  // Until the search is answered, the agent follows its old path, or stands.
  const isUnderWay = hadPath && agents.cornerKind[slot] !== CORNER_NONE;
  changeStatus(crowd, slot, isUnderWay ? CHANGE_PATH_KEPT : CHANGE_PATH_AWAITED);
  requestPath(crowd, slot);
}

/**
 * Follows a goal that has moved by `moved` to `goal` and `goalPoly`. An agent that is done starts again when the goal
 * is farther away than `distance` plus `RESUME_RADII`. @internal
 */
export function followGoal(crowd: Crowd, slot: number, moved: number, distance: number): void {
  const { agents } = crowd;
  agents.targetDrift[slot] += moved;
  if (agents.status[slot] === STATUS_BLOCKED) agents.settledPushes[slot] = 0;
  const isFar = isGoalBeyond(crowd, slot, distance + RESUME_RADII * agents.radius[slot]);
  if (isDoneStatus(agents.status[slot])) {
    if (!isFar) return;
    changeStatus(crowd, slot, CHANGE_GOAL_MOVED);
    restartProgress(crowd, slot);
    agents.flags[slot] &= ~AGENT_ASLEEP;
  }
  if ((agents.flags[slot] & AGENT_AWAITS_PATH) !== 0) {
    // The request keeps its position in the queue and gets the new goal.
    requestPath(crowd, slot);
    return;
  }
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if ((agents.flags[slot] & AGENT_PARTIAL) === 0 && slideTarget(crowd, slot)) {
    if (isDrifting(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
  } else if (isSearchDue(crowd, slot)) {
    requestPath(crowd, slot);
    if (agents.cornerKind[slot] === CORNER_NONE) changeStatus(crowd, slot, CHANGE_PATH_LOST);
  }
}

/**
 * Returns whether a path that should lead to the goal ends elsewhere, because the goal moved faster than the
 * path. @internal
 */
export function isAimStale(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  if ((agents.flags[slot] & (AGENT_PARTIAL | AGENT_AWAITS_PATH)) !== 0) return false;
  // Reading a corridor is expensive: skip agents whose goal has not moved since the last search.
  if (agents.targetDrift[slot] === 0) return false;
  const { target: end, corridor } = crowd.corridors[slot];
  const dx = end[0] - agents.goal[3 * slot];
  const dz = end[2] - agents.goal[3 * slot + 2];
  const slack = AIM_RADII * agents.radius[slot];
  return dx * dx + dz * dz > slack * slack || corridor.polys[corridor.count - 1] !== agents.goalPoly[slot];
}

/** Returns whether the last search of an agent is old enough for another one. @internal */
export function isSearchDue(crowd: Crowd, slot: number): boolean {
  const { searchTick } = crowd.agents;
  return searchTick[slot] === 0 || crowd.tick - searchTick[slot] >= Math.round(SEARCH_SECONDS / crowd.stepSeconds);
}

/**
 * Moves the goal to the nearest point of the mesh. `goalPoly` is -1 when there is none within reach.
 * @internal
 */
export function relocateGoal(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) target[k] = agents.goal[3 * slot + k];
  findNearInto(hit, mesh, target, crowd.filters[agents.filter[slot]]);
  agents.goalPoly[slot] = hit.poly;
  if (hit.poly < 0) return;
  agents.goalRef[slot] = refOf(mesh, hit.poly);
  agents.targetDrift[slot] += agents.radius[slot];
  for (let k = 0; k < 3; k++) agents.goal[3 * slot + k] = hit.point[k];
}

/**
 * Finds the polygon of the goal again after a change of the mesh. Returns false for an agent without a goal. @internal
 */
export function followGoalPoly(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const kind = agents.goalKind[slot];
  agents.goalPoly[slot] = polyIndexOf(mesh, agents.goalRef[slot] as PolyRef);
  if (kind !== GOAL_POINT && kind !== GOAL_AGENT) return false;
  if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
  return true;
}

/**
 * Moves the goal to the position of another agent. `goalPoly` is -1 when that agent is on no polygon: its polygon was
 * removed, or no polygon is near an agent that is only avoided. @internal
 */
export function moveGoalToAgent(crowd: Crowd, slot: number, other: number): void {
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) agents.goal[3 * slot + k] = agents.position[3 * other + k];
  if ((agents.flags[other] & AGENT_AVOID_ONLY) !== 0) {
    relocateGoal(crowd, slot);
    return;
  }
  // The ref is used, because an order may come before the tick in which the other agent follows a change of the mesh.
  agents.goalPoly[slot] = agents.poly[other] < 0 ? -1 : polyIndexOf(mesh, agents.polyRef[other] as PolyRef);
  agents.goalRef[slot] = agents.polyRef[other];
}

/** Returns whether the goal is farther away than `distance`, in the plane. */
function isGoalBeyond(crowd: Crowd, slot: number, distance: number): boolean {
  const { position, goal } = crowd.agents;
  const dx = goal[3 * slot] - position[3 * slot];
  const dz = goal[3 * slot + 2] - position[3 * slot + 2];
  return dx * dx + dz * dz > distance * distance;
}

/**
 * Returns whether the goal has moved so far that a shorter path may exist. Returns false for a straight path, which
 * cannot be shorter.
 */
function isDrifting(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  if (agents.cornerKind[slot] === CORNER_GOAL) return false;
  return agents.targetDrift[slot] > DRIFT_SHARE * agents.pathLeft[slot] + 2 * agents.radius[slot];
}

/**
 * Slides the end of the path to the goal. Returns false when a wall stopped it; the path then leads to that position. A
 * path that has not followed a change of the mesh yet stays unchanged.
 */
function slideTarget(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const corridor = crowd.corridors[slot];
  const at = 3 * slot;
  if (corridor.revision !== mesh.revision) return false;
  for (let k = 0; k < 3; k++) target[k] = agents.goal[at + k];
  const dx = target[0] - corridor.target[0];
  const dz = target[2] - corridor.target[2];
  const reach = SLIDE_RADII * agents.radius[slot];
  if (dx * dx + dz * dz > reach * reach) return false;
  const isReached = moveCorridorTarget(corridor, mesh, slide, slideState, target, crowd.filters[agents.filter[slot]]);
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  const { polys, count } = corridor.corridor;
  return isReached && polys[count - 1] === agents.goalPoly[slot];
}
