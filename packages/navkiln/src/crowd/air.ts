/**
 * Agents off the ground: who jumps or falls is taken out of the ticks, keeps its goal and its path, and goes on when it is put
 * down. While it is up nobody goes around it, and who follows it keeps the way to where it was.
 *
 * Whoever lifts an agent moves it: its place is `agents.position`. Based on: own.
 */
import { createSearchState } from '../query/search-state.ts';
import { createSlide } from '../query/walk/slide.ts';
import { moveCorridorPosition } from '../corridor/move.ts';
import { standOn } from './goals.ts';
import { syncCorridorStart, adoptCorridorPosition } from './state/position.ts';
import { requestPath } from './search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AWAITS_PATH,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_AIR,
  STATE_GROUND,
  STATUS_SEARCHING,
} from './state/types.ts';
import type { Crowd } from './state/types.ts';

/** As near as this to where it was put, in radii, a corridor has followed. */
const REACHED_RADII = 1e-3;

const slide = createSlide();
const slideState = createSearchState();

/** Takes an agent off the ground, off a link, or out of being lost. Nothing for one in the air. */
export function liftAgent(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (agents.state[slot] === STATE_AIR) return;
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
 * Moves the path of an agent in the air along under it, over ground, to as near as walls let it. False: there is no path that
 * could follow (any more), or a wall was in the way; the path then begins at crowd.corridors[slot].position.
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
 * Puts an agent on a point of a polygon (dense index). Its path goes on from there when it reaches there, else a new one is
 * due.
 */
export function landAgent(crowd: Crowd, slot: number, poly: number, point: Float64Array): void {
  const { agents } = crowd;
  const corridor = crowd.corridors[slot];
  const isPathKept =
    slideUnder(crowd, slot, point) && corridor.corridor.polys[0] === poly && isNear(crowd, slot, point);
  if (!isPathKept) {
    standOn(crowd, slot, poly, point);
    return;
  }
  agents.state[slot] = STATE_GROUND;
  agents.wallPoly[slot] = -1;
  agents.flags[slot] |= AGENT_STALE_CORNERS;
  adoptCorridorPosition(crowd, slot);
  agents.progressTick[slot] = crowd.tick;
  agents.progressLeft[slot] = Infinity;
  const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  if (hasGoal && agents.status[slot] === STATUS_SEARCHING && (agents.flags[slot] & AGENT_AWAITS_PATH) === 0) {
    requestPath(crowd, slot);
  }
}

function isNear(crowd: Crowd, slot: number, point: Float64Array): boolean {
  const { position } = crowd.corridors[slot];
  const dx = position[0] - point[0];
  const dy = position[1] - point[1];
  const dz = position[2] - point[2];
  const reach = REACHED_RADII * crowd.agents.radius[slot];
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}
