/**
 * Step: what agents want, and whether their path still leads there.
 *
 * A goal that moves takes the end of the path with it, as long as it moves over ground near it (a slide of a polygon or two). A
 * search is due when it left that ground, when the path has grown much longer than the goal has moved, or when a path was partial
 * and some time has gone by; the path there is holds until the search answers, so nobody stands still because its target moves.
 *
 * Cost: nothing for a goal that stands. Based on: own; that a target's polygon decides is the rule of Ground navigation demos and
 * of landmass (Liam Snow and others, 2023), that the end of the corridor follows is Detour's (Mikko Mononen).
 */
import { polyIndexOf, refOf } from '../navmesh/ref.ts';
import type { PolyRef } from '../navmesh/types.ts';
import { createNearestHit, defaultHalfExtents, findNearestInto } from '../query/nearest/nearest.ts';
import { createSearchState } from '../query/search-state.ts';
import { createSlide } from '../query/walk/slide.ts';
import { moveCorridorTarget } from '../corridor/move.ts';
import { rebaseCorridor } from '../corridor/rebase.ts';
import { resetCorridor } from '../corridor/corridor.ts';
import { noteEvent } from './state/events.ts';
import { agentSlotOf } from './state/ids.ts';
import { syncCorridorStart } from './state/position.ts';
import { isDoneStatus } from './state/rest.ts';
import { cancelRequest, requestPath } from './search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  EVENT_FOUND,
  EVENT_LOST,
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
  STATUS_MOVING,
  STATUS_SEARCHING,
} from './state/types.ts';
import { CORNER_GOAL, CORNER_NONE } from '../corridor/types.ts';
import type { AgentId, Crowd } from './state/types.ts';

/** Up to so many radii a goal may jump for the end of the path to slide there. */
const SLIDE_RADII = 8;
/** A goal that has moved by this share of what is left of the way asks for a search. */
const DRIFT_SHARE = 0.3;
/** Seconds between searches of one agent whose target moves, and between those of one whose way is barred. */
const SEARCH_SECONDS = 1;
const RETRY_SECONDS = 2;
/** Seconds between looks for ground. */
const LOST_SECONDS = 0.5;

const target = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();
const slide = createSlide();
const slideState = createSearchState();

/** Step: goals that moved, searches that are due. */
export function updateGoals(crowd: Crowd): void {
  const { agents, active, activeCount, tick, stepSeconds } = crowd;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    const kind = agents.goalKind[slot];
    if (kind === GOAL_AGENT) chase(crowd, slot);
    else if (kind !== GOAL_POINT) continue;
    if ((agents.flags[slot] & AGENT_PARTIAL) === 0 && agents.goalPoly[slot] >= 0) {
      // It has jumped, and it was too soon to search again.
      const isOnItsWay = agents.state[slot] === STATE_GROUND && agents.status[slot] < STATUS_ARRIVED;
      if (isOnItsWay && isAimStale(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
      continue;
    }
    // The end of a way that does not lead there: perhaps by now there is one that does.
    if (agents.state[slot] !== STATE_GROUND || agents.status[slot] !== STATUS_BLOCKED || tick < agents.retryTick[slot])
      continue;
    agents.retryTick[slot] = tick + Math.round(RETRY_SECONDS / stepSeconds);
    if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
    if (agents.goalPoly[slot] >= 0) requestPath(crowd, slot);
  }
}

/** Does the path, which is said to lead to the goal, end elsewhere? Then the goal has moved faster than the path. @internal */
export function isAimStale(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  if ((agents.flags[slot] & (AGENT_PARTIAL | AGENT_AWAITS_PATH)) !== 0) return false;
  // Corridors are many reads away: only those are looked at whose goal has moved since the last search.
  if (agents.targetDrift[slot] === 0) return false;
  const { target, corridor } = crowd.corridors[slot];
  const dx = target[0] - agents.goal[3 * slot];
  const dz = target[2] - agents.goal[3 * slot + 2];
  const slack = 0.5 * agents.radius[slot];
  return dx * dx + dz * dz > slack * slack || corridor.polys[corridor.count - 1] !== agents.goalPoly[slot];
}

/** The goal of an agent is new: its path follows, or one is asked for. `hadPath`: it was on its way to another one. @internal */
export function aimAtGoal(crowd: Crowd, slot: number, hadPath: boolean): void {
  const { agents } = crowd;
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if (agents.state[slot] !== STATE_GROUND) {
    // Asked for when it is on the ground again.
    agents.status[slot] = STATUS_SEARCHING;
    agents.flags[slot] |= AGENT_PARTIAL;
    return;
  }
  if (agents.goalPoly[slot] < 0) {
    agents.status[slot] = STATUS_BLOCKED;
    return;
  }
  const canFollow = hadPath && (agents.flags[slot] & (AGENT_AWAITS_PATH | AGENT_PARTIAL)) === 0;
  if (canFollow && slideTarget(crowd, slot)) {
    agents.status[slot] = STATUS_MOVING;
    if (isDrifting(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
    return;
  }
  // Until there is an answer it goes on as it did, or stands.
  const isUnderWay = hadPath && agents.cornerKind[slot] !== CORNER_NONE;
  agents.status[slot] = isUnderWay ? STATUS_MOVING : STATUS_SEARCHING;
  requestPath(crowd, slot);
}

/** Has the goal of one that follows another go where that one is. */
function chase(crowd: Crowd, slot: number): void {
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
  const slack = 0.25 * agents.radius[slot];
  const movedSq = dx * dx + dy * dy + dz * dz;
  if (movedSq <= slack * slack && agents.goalPoly[slot] >= 0) return;
  // Between two places: the way to where it was holds until it is somewhere.
  if (agents.state[other] === STATE_LINK || agents.state[other] === STATE_AIR) return;
  for (let k = 0; k < 3; k++) agents.goal[at + k] = agents.position[3 * other + k];
  if ((agents.flags[other] & AGENT_AVOID_ONLY) !== 0) {
    relocateGoal(crowd, slot);
  } else {
    agents.goalPoly[slot] = agents.poly[other];
    agents.goalRef[slot] = agents.polyRef[other];
  }
  if (agents.goalPoly[slot] < 0) return;
  goalHasMoved(crowd, slot, Math.sqrt(movedSq), agents.followDistance[slot]);
}

/**
 * The goal is where `goal` and `goalPoly` say, so far from where it was: the end of the path follows, and a search is asked for
 * where that is not enough. Who rests goes on when the goal is further away than `distance` and a little. @internal
 */
export function goalHasMoved(crowd: Crowd, slot: number, moved: number, distance: number): void {
  const { agents } = crowd;
  const status = agents.status[slot];
  agents.targetDrift[slot] += moved;
  const isFar = isBeyond(crowd, slot, distance + 2 * agents.radius[slot]);
  if (isDoneStatus(status)) {
    // It stands near enough until the other one is well away.
    if (!isFar) return;
    agents.status[slot] = STATUS_MOVING;
    agents.progressTick[slot] = crowd.tick;
    agents.progressLeft[slot] = Infinity;
    agents.flags[slot] &= ~AGENT_ASLEEP;
  }
  if ((agents.flags[slot] & AGENT_AWAITS_PATH) !== 0) {
    // Keeps its turn, with the new goal.
    requestPath(crowd, slot);
    return;
  }
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if ((agents.flags[slot] & AGENT_PARTIAL) === 0 && slideTarget(crowd, slot)) {
    if (isDrifting(crowd, slot) && isSearchDue(crowd, slot)) requestPath(crowd, slot);
  } else if (isSearchDue(crowd, slot)) {
    requestPath(crowd, slot);
    if (agents.cornerKind[slot] === CORNER_NONE) agents.status[slot] = STATUS_SEARCHING;
  }
}

/** Is the goal further away than that, seen from above? */
function isBeyond(crowd: Crowd, slot: number, distance: number): boolean {
  const { position, goal } = crowd.agents;
  const dx = goal[3 * slot] - position[3 * slot];
  const dz = goal[3 * slot + 2] - position[3 * slot + 2];
  return dx * dx + dz * dz > distance * distance;
}

/** Has the goal moved so far that there may be a shorter way? Not while the way there is straight. */
function isDrifting(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  if (agents.cornerKind[slot] === CORNER_GOAL) return false;
  return agents.targetDrift[slot] > DRIFT_SHARE * agents.pathLeft[slot] + 2 * agents.radius[slot];
}

function isSearchDue(crowd: Crowd, slot: number): boolean {
  const { searchTick } = crowd.agents;
  return searchTick[slot] === 0 || crowd.tick - searchTick[slot] >= Math.round(SEARCH_SECONDS / crowd.stepSeconds);
}

/** Moves the end of the path to the goal over the ground; false: it did not get there, and the path leads to where it was. */
function slideTarget(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const corridor = crowd.corridors[slot];
  const at = 3 * slot;
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

/** The goal's ground is looked for afresh; `goalPoly` is -1 when there is none. */
function relocateGoal(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) target[k] = agents.goal[3 * slot + k];
  defaultHalfExtents(extents, mesh);
  findNearestInto(hit, mesh, target, extents, crowd.filters[agents.filter[slot]]);
  agents.goalPoly[slot] = hit.poly;
  if (hit.poly < 0) return;
  agents.goalRef[slot] = refOf(mesh, hit.poly);
  agents.targetDrift[slot] += agents.radius[slot];
  for (let k = 0; k < 3; k++) agents.goal[3 * slot + k] = hit.point[k];
}

/**
 * Step: the mesh has changed. Agents and goals find their polygons again, paths are cut where they are broken and searched
 * anew; who has no ground any more looks for some every half second.
 */
export function followMesh(crowd: Crowd): void {
  const { agents, mesh, active, activeCount } = crowd;
  const hasChanged = crowd.meshRevision !== mesh.revision;
  crowd.meshRevision = mesh.revision;
  for (let i = 0; i < activeCount; i++) {
    const slot = active[i];
    if ((agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) continue;
    if (agents.state[slot] === STATE_LOST) {
      if (hasChanged || crowd.tick >= agents.retryTick[slot]) findGround(crowd, slot);
    } else if (hasChanged) {
      followChange(crowd, slot);
    }
  }
}

function followChange(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const kind = agents.goalKind[slot];
  const hasPath = kind === GOAL_POINT || kind === GOAL_AGENT;
  if (hasPath) {
    agents.goalPoly[slot] = polyIndexOf(mesh, agents.goalRef[slot] as PolyRef);
    if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
  }
  const corridor = crowd.corridors[slot];
  agents.wallPoly[slot] = -1;
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  syncCorridorStart(crowd, slot);
  const outcome = rebaseCorridor(corridor, mesh, crowd.filters[agents.filter[slot]]);
  if (outcome === 'start-gone') {
    if (agents.state[slot] === STATE_LINK || agents.state[slot] === STATE_AIR) {
      // Its landing has gone: it is put on ground near it when it gets there.
      agents.poly[slot] = -1;
      return;
    }
    findGround(crowd, slot);
    return;
  }
  agents.poly[slot] = corridor.corridor.polys[0];
  agents.polyRef[slot] = corridor.refs[0];
  if (outcome === 'cut' && hasPath) {
    if (agents.goalPoly[slot] < 0) agents.status[slot] = STATUS_BLOCKED;
    else if (agents.state[slot] === STATE_GROUND) wantPath(crowd, slot);
  }
}

/** Asks for a path because the last one is no good any more; one that rests stays at rest. */
function wantPath(crowd: Crowd, slot: number): void {
  if (!isDoneStatus(crowd.agents.status[slot])) requestPath(crowd, slot);
}

/** Puts an agent without ground on what is nearest to it, if there is some near. @internal */
export function findGround(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  const at = 3 * slot;
  for (let k = 0; k < 3; k++) target[k] = agents.position[at + k];
  defaultHalfExtents(extents, mesh);
  findNearestInto(hit, mesh, target, extents, crowd.filters[agents.filter[slot]]);
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
  standOn(crowd, slot, hit.poly, hit.point);
}

/** The agent stands on this point of a polygon (dense index) from now on, and asks for a way from there. @internal */
export function standOn(crowd: Crowd, slot: number, poly: number, point: Float64Array): void {
  const { agents, mesh } = crowd;
  agents.state[slot] = STATE_GROUND;
  for (let k = 0; k < 3; k++) agents.position[3 * slot + k] = point[k];
  agents.poly[slot] = poly;
  agents.polyRef[slot] = refOf(mesh, poly);
  agents.wallPoly[slot] = -1;
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  resetCorridor(crowd.corridors[slot], mesh, poly, point);
  // The path there was is no more: whatever is asked for next, it does not lead there.
  agents.targetDrift[slot] = Infinity;
  if (agents.goalKind[slot] !== GOAL_POINT && agents.goalKind[slot] !== GOAL_AGENT) return;
  if (agents.goalPoly[slot] < 0) relocateGoal(crowd, slot);
  if (agents.goalPoly[slot] >= 0) wantPath(crowd, slot);
}
