/**
 * What agents are told: where to go, whom to follow, how fast to move, to stop; and by users who own their position, where they
 * are.
 *
 * An order changes what is wanted, never where an agent is on its way: a target that moves each tick keeps the path there is, and
 * the path's end follows (goals.ts). Cost: moveTo looks for the ground at its point; the others next to nothing.
 * Based on: own.
 */
import { refuse } from '../../data/refuse.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { refOf } from '../../navmesh/ref.ts';
import { createNearestHit, defaultHalfExtents, findNearestInto } from '../../query/nearest/nearest.ts';
import { createSlide } from '../../query/walk/slide.ts';
import { createSearchState } from '../../query/search-state.ts';
import { restartGoal } from './agents.ts';
import { moveCorridorPosition } from '../../corridor/move.ts';
import { resetCorridor } from '../../corridor/corridor.ts';
import { aimAtGoal } from '../goals.ts';
import { agentSlotOf } from '../state/ids.ts';
import { syncCorridorStart, adoptCorridorPosition } from '../state/position.ts';
import { cancelRequest } from '../search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  GOAL_VELOCITY,
  STATE_GROUND,
  STATE_LOST,
  STATUS_IDLE,
  STATUS_MOVING,
} from '../state/types.ts';
import { CORNER_NONE } from '../../corridor/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';

/** 'off-mesh': there is no ground near the point, and what it was told before holds. 'no-agent': the id names none (any more). */
export type OrderResult = 'accepted' | 'off-mesh' | 'no-agent';

export interface FollowOptions {
  /** How near to come, centre to centre; world units. Default: both radii and a half of the follower's. */
  distance?: number;
}

const place = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();
const slide = createSlide();
const slideState = createSearchState();

/** Sends an agent to the ground nearest to a point. */
export function moveAgentTo(crowd: Crowd, id: AgentId, point: PointLike): OrderResult {
  readPoint(place, point, 'moveTo', 'point');
  const slot = orderable(crowd, id);
  if (slot < 0) return 'no-agent';
  defaultHalfExtents(extents, crowd.mesh);
  findNearestInto(hit, crowd.mesh, place, extents, crowd.filters[crowd.agents.filter[slot]]);
  if (hit.poly < 0) return 'off-mesh';
  aimAtPoint(crowd, slot, hit.poly, hit.point);
  return 'accepted';
}

/** `moveTo` a point that is known to be on this polygon (dense index). @internal */
export function aimAtPoint(crowd: Crowd, slot: number, poly: number, point: Float64Array): void {
  const { agents } = crowd;
  const at = 3 * slot;
  const { goal } = agents;
  const isSame =
    agents.goalKind[slot] === GOAL_POINT &&
    agents.goalPoly[slot] === poly &&
    goal[at] === point[0] &&
    goal[at + 1] === point[1] &&
    goal[at + 2] === point[2];
  const hadPath = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  agents.goalKind[slot] = GOAL_POINT;
  restartGoal(crowd, slot);
  if (isSame && agents.cornerKind[slot] !== CORNER_NONE) {
    agents.status[slot] = STATUS_MOVING;
    return;
  }
  for (let k = 0; k < 3; k++) goal[at + k] = point[k];
  agents.goalPoly[slot] = poly;
  agents.goalRef[slot] = refOf(crowd.mesh, poly);
  aimAtGoal(crowd, slot, hadPath);
}

/** Has an agent follow another one, wherever it goes. It stops near it, and goes on when that one does. */
export function followAgent(crowd: Crowd, id: AgentId, target: AgentId, options: FollowOptions = {}): OrderResult {
  const slot = orderable(crowd, id);
  const other = agentSlotOf(crowd, target);
  if (slot < 0 || other < 0) return 'no-agent';
  if (slot === other) throw new RangeError('follow: an agent cannot follow itself; give the id of another');
  const { agents } = crowd;
  const { distance = agents.radius[slot] * 1.5 + agents.radius[other] } = options;
  if (!(distance >= 0 && distance < Infinity)) refuse('follow', 'distance', distance, 'a finite length from 0 on');
  const isSame = agents.goalKind[slot] === GOAL_AGENT && agents.goalAgent[slot] === target;
  agents.goalAgent[slot] = target;
  agents.followDistance[slot] = distance;
  if (isSame) return 'accepted';
  const hadPath = agents.goalKind[slot] === GOAL_POINT;
  agents.goalKind[slot] = GOAL_AGENT;
  restartGoal(crowd, slot);
  for (let k = 0; k < 3; k++) agents.goal[3 * slot + k] = agents.position[3 * other + k];
  agents.goalPoly[slot] = agents.poly[other];
  agents.goalRef[slot] = agents.polyRef[other];
  aimAtGoal(crowd, slot, hadPath);
  return 'accepted';
}

/** Has an agent move at a velocity (y does not count), around others and along walls, until it is told something else. */
export function setAgentVelocity(crowd: Crowd, id: AgentId, velocity: PointLike): OrderResult {
  readPoint(place, velocity, 'moveVelocity', 'velocity');
  const slot = orderable(crowd, id);
  if (slot < 0) return 'no-agent';
  dropPath(crowd, slot);
  crowd.agents.goalKind[slot] = GOAL_VELOCITY;
  crowd.agents.goal.set(place, 3 * slot);
  crowd.agents.status[slot] = STATUS_MOVING;
  return 'accepted';
}

/** Has an agent stand where it is. */
export function stopAgent(crowd: Crowd, id: AgentId): OrderResult {
  const slot = orderable(crowd, id);
  if (slot < 0) return 'no-agent';
  dropPath(crowd, slot);
  return 'accepted';
}

/**
 * Says where an agent is whose position its user owns. Its path follows while it stays near it. False: there is no such agent, or
 * no ground near the point (an agent that is only avoided needs none); it stays where it was then.
 */
export function setAgentPosition(crowd: Crowd, id: AgentId, point: PointLike): boolean {
  readPoint(place, point, 'setAgentPosition', 'point');
  const slot = agentSlotOf(crowd, id);
  if (slot < 0) return false;
  const { agents, mesh } = crowd;
  const flags = agents.flags[slot];
  if ((flags & AGENT_USER_OWNED) === 0) {
    throw new RangeError(
      `setAgentPosition: agent ${id} is moved by the crowd; add it with owner 'user', or use teleport`,
    );
  }
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if ((flags & AGENT_AVOID_ONLY) !== 0) {
    agents.position.set(place, 3 * slot);
    return true;
  }
  const filter = crowd.filters[agents.filter[slot]];
  const corridor = crowd.corridors[slot];
  if (agents.state[slot] === STATE_GROUND) {
    syncCorridorStart(crowd, slot);
    moveCorridorPosition(corridor, mesh, slide, slideState, place, filter);
    const dx = corridor.position[0] - place[0];
    const dz = corridor.position[2] - place[2];
    if (dx * dx + dz * dz < 1e-6 * agents.radius[slot] * agents.radius[slot]) {
      adoptCorridorPosition(crowd, slot);
      return true;
    }
  }
  defaultHalfExtents(extents, mesh);
  findNearestInto(hit, mesh, place, extents, filter);
  if (hit.poly < 0) {
    agents.state[slot] = STATE_LOST;
    return false;
  }
  agents.state[slot] = STATE_GROUND;
  if (hit.poly !== corridor.corridor.polys[0]) {
    resetCorridor(corridor, mesh, hit.poly, hit.point);
    if (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT) aimAtGoal(crowd, slot, false);
  } else {
    corridor.position.set(hit.point);
  }
  adoptCorridorPosition(crowd, slot);
  return true;
}

/** The slot of an agent that can be told what to do; throws for one that is only avoided. */
function orderable(crowd: Crowd, id: AgentId): number {
  const slot = agentSlotOf(crowd, id);
  if (slot >= 0 && (crowd.agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) {
    throw new RangeError(`agent ${id} is only avoided (avoidOnly); move it by setAgentPosition`);
  }
  return slot;
}

function dropPath(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  cancelRequest(crowd, slot);
  agents.goalKind[slot] = GOAL_NONE;
  agents.status[slot] = STATUS_IDLE;
  agents.flags[slot] &= ~(AGENT_ASLEEP | AGENT_PARTIAL);
  agents.cornerKind[slot] = CORNER_NONE;
  agents.queueLinkEnd[slot] = -1;
  agents.yieldTo[slot] = -1;
  agents.restTick[slot] = -1;
  if (agents.state[slot] !== STATE_GROUND) return;
  syncCorridorStart(crowd, slot);
  const { corridor, position } = crowd.corridors[slot];
  resetCorridor(crowd.corridors[slot], mesh, corridor.polys[0], position);
}
