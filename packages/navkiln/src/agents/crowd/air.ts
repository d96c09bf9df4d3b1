/**
 * Handles agents off the mesh that jump or fall: lifts them, moves their paths along below them, and lands them.
 *
 * An agent in the air takes no part in ticks, and other agents do not avoid it. Its goal and path pause until
 * it lands. Followers head for its last position on the mesh. The caller that lifts an agent moves it, by
 * writing `agents.position`.
 *
 * In: the slot of an agent; points that the caller computes.
 * Out: `state`, corridors, requests.
 * Cost: one slide over the surface per call. No allocation.
 * Based on: own.
 */
import { moveCorridorPosition } from '../corridor/move.ts';
import { createSearchState } from '../../query/search-state.ts';
import { createSlide } from '../../query/walk/slide.ts';
import { placeOnPoly } from './nearby/place-on-mesh.ts';
import { requestPath } from './search/record.ts';
import { adoptCorridorPosition, syncCorridorStart } from './state/position.ts';
import { restartProgress } from './state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_AIR,
  STATE_GROUND,
  STATUS_SEARCHING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/**
 * Distance between the start of a corridor and a landing point up to which the corridor is kept, in radii.
 */
const REACHED_RADII = 1e-3;

const slide = createSlide();
const slideState = createSearchState();

/** Takes an agent off the mesh or off a link, or ends being lost. Does nothing for an agent in the air. */
export function liftAgent(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (agents.state[slot] === STATE_AIR) return;
  // An agent that is only avoided has a path that starts at an older position.
  if ((agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) agents.poly[slot] = -1;
  syncCorridorStart(crowd, slot);
  agents.state[slot] = STATE_AIR;
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  agents.linkEnd[slot] = -1;
  agents.queueLinkEnd[slot] = -1;
  agents.yieldTo[slot] = -1;
  agents.yieldUntil[slot] = crowd.tick;
  agents.restTick[slot] = -1;
}

/**
 * Moves the start of an airborne agent's path along the surface, to below `point` or as near as walls allow. Returns
 * false when a wall stopped it or no path is left. The path then starts at crowd.corridors[slot].position.
 */
export function slideUnder(crowd: Crowd, slot: number, point: Float64Array): boolean {
  const { agents, mesh } = crowd;
  const corridor = crowd.corridors[slot];
  if (agents.poly[slot] < 0 || corridor.corridor.count === 0 || corridor.revision !== mesh.revision) return false;
  const isReached = moveCorridorPosition(corridor, mesh, slide, slideState, point, crowd.filters[agents.filter[slot]]);
  agents.poly[slot] = corridor.corridor.polys[0];
  agents.polyRef[slot] = corridor.refs[0];
  return isReached;
}

/**
 * Lands an agent on a point of a polygon (dense index). It keeps its path when that reaches the point, and
 * requests one otherwise.
 */
export function landAgent(crowd: Crowd, slot: number, poly: number, point: Float64Array): void {
  const { agents } = crowd;
  const corridor = crowd.corridors[slot];
  const isPathKept =
    slideUnder(crowd, slot, point) && corridor.corridor.polys[0] === poly && isAtStart(crowd, slot, point);
  if (!isPathKept) {
    placeOnPoly(crowd, slot, poly, point);
    return;
  }
  agents.state[slot] = STATE_GROUND;
  agents.wallPoly[slot] = -1;
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  adoptCorridorPosition(crowd, slot);
  restartProgress(crowd, slot);
  const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  if (hasGoal && agents.status[slot] === STATUS_SEARCHING && (agents.flags[slot] & AGENT_AWAITS_PATH) === 0) {
    requestPath(crowd, slot);
  }
}

/** Returns whether the corridor starts at `point`. */
function isAtStart(crowd: Crowd, slot: number, point: Float64Array): boolean {
  const { position } = crowd.corridors[slot];
  const dx = position[0] - point[0];
  const dy = position[1] - point[1];
  const dz = position[2] - point[2];
  const reach = REACHED_RADII * crowd.agents.radius[slot];
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}
