/**
 * Orders: go to a point, follow an agent, move at a velocity, stop; and the position of agents that the
 * caller moves.
 *
 * An order changes the goal of an agent, not its path. When a goal moves in every tick, the corridor stays and its end
 * follows (search/aim.ts).
 *
 * In: a crowd, the id of an agent, the order.
 * Out: the columns of the order (`goal*`), and an `OrderResult`.
 * Cost: `moveAgentTo` searches for the nearest polygon, and `setAgentPosition` moves the start of a corridor
 * (agents/corridor/move.ts). All others are constant.
 * Based on: own.
 */
import { resetCorridor } from '../../corridor/corridor.ts';
import { moveCorridorPosition } from '../../corridor/move.ts';
import { fixCorridorStart } from '../../corridor/rebase.ts';
import { CORNER_NONE } from '../../corridor/types.ts';
import { checkKeys, refuse } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { polyIndexOf, refOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { agentHalfExtents, createNearestHit, findNearInto, findNearestInto } from '../../../query/nearest/nearest.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { createSlide } from '../../../query/walk/slide.ts';
import { meshChanges } from '../follow-mesh.ts';
import { aimAtGoal, moveGoalToAgent } from '../search/aim.ts';
import { pursuit } from '../search/pursue.ts';
import { cancelRequest } from '../search/record.ts';
import { readAgentSlot } from '../state/ids.ts';
import { adoptCorridorPosition, syncCorridorStart } from '../state/position.ts';
import { CHANGE_PATH_KEPT, CHANGE_STOPPED, CHANGE_VELOCITY_SET, changeStatus } from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  GOAL_VELOCITY,
  MODE_MANUAL_LINKS,
  MODE_STOPS,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
} from '../state/types.ts';
import { MOST_SIZE, readKept } from '../state/limits.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { restartGoal } from './agents.ts';
import { endPatrol } from './patrol-state.ts';
import type { OrderResult } from './result.ts';
import { addBehavior } from '../state/behaviors.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/** Options of `followAgent`. */
export interface FollowOptions {
  /**
   * The distance at which the follower stops, center to center: world units, 0 .. 1e12. Default: the
   * radius of the followed agent plus 1.5 times that of the follower.
   */
  distance?: number;
}

/** Options of `moveAgentTo`. */
export interface MoveOptions {
  /**
   * How far from the point the agent stops, for this order alone: world units, 0 .. 1e12. The agent brakes so that it
   * stops there. Default: its `arriveDistance`.
   */
  stoppingDistance?: number;
}

const MOVE_KEYS: readonly (keyof MoveOptions)[] = ['stoppingDistance'];
const FOLLOW_KEYS: readonly (keyof FollowOptions)[] = ['distance'];
/**
 * `setAgentPosition`: a corridor whose start is this near to the given point has followed it. Squared distance, as a
 * share of the agent's squared radius.
 */
const REACHED_SQ = 1e-6;

/** The point of the current call. */
const requested = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();
const slide = createSlide();
const slideState = createSearchState();

/**
 * Sends an agent to the point of the mesh nearest to `point`, searched within `defaultHalfExtents`.
 *
 * Returns 'accepted', 'no-agent', 'avoid-only', or 'off-mesh' when no polygon is near the point. If the order is not
 * accepted, the previous order holds. An unreachable point is accepted: the agent goes as near to it as possible.
 * Throws a TypeError for an invalid point, and a RangeError for options that are unknown or out of range.
 */
export function moveAgentTo(crowd: Crowd, id: AgentId, point: PointLike, options: MoveOptions = {}): OrderResult {
  checkCrowd('moveAgentTo', crowd);
  checkKeys('moveAgentTo', options, MOVE_KEYS);
  const { stoppingDistance } = options;
  const isDistance = typeof stoppingDistance === 'number' && stoppingDistance >= 0 && stoppingDistance <= MOST_SIZE;
  if (stoppingDistance !== undefined && !isDistance)
    refuse('moveAgentTo', 'options.stoppingDistance', stoppingDistance, `0 .. ${MOST_SIZE}`);
  readPoint(requested, point, 'moveAgentTo', 'point');
  const slot = readAgentSlot(crowd, id, 'moveAgentTo');
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  findNearInto(hit, crowd.mesh, requested, crowd.filters[crowd.agents.filter[slot]]);
  if (hit.poly < 0) return 'off-mesh';
  endPatrol(crowd, slot);
  if (stoppingDistance !== undefined) {
    crowd.agents.arriveDistance[slot] = stoppingDistance;
    crowd.agents.modes[slot] |= MODE_STOPS;
  }
  aimAtPoint(crowd, slot, hit.poly, hit.point);
  return 'accepted';
}

/** Does what `moveAgentTo` does, for a point that is known to be on a polygon (dense index). @internal */
export function aimAtPoint(crowd: Crowd, slot: number, poly: number, point: Float64Array): void {
  const { agents } = crowd;
  const at = 3 * slot;
  const { goal } = agents;
  // Dense indices may be out of date since the last tick.
  const ref = refOf(crowd.mesh, poly);
  const isSame =
    agents.goalKind[slot] === GOAL_POINT &&
    agents.goalRef[slot] === ref &&
    goal[at] === point[0] &&
    goal[at + 1] === point[1] &&
    goal[at + 2] === point[2];
  const hadPath = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  const wasPartial = (agents.flags[slot] & AGENT_PARTIAL) !== 0;
  agents.goalKind[slot] = GOAL_POINT;
  agents.goalPoly[slot] = poly;
  agents.goalRef[slot] = ref;
  restartGoal(crowd, slot);
  // A path that ends before the goal is searched again, because the rest may be open now.
  if (isSame && !wasPartial && agents.cornerKind[slot] !== CORNER_NONE) {
    changeStatus(crowd, slot, CHANGE_PATH_KEPT);
    return;
  }
  for (let k = 0; k < 3; k++) goal[at + k] = point[k];
  aimAtGoal(crowd, slot, hadPath);
}

/**
 * Makes an agent follow another one. It stops at `options.distance` and continues when the other agent moves away. When
 * the other agent is removed, the follower stops.
 *
 * Returns 'accepted', 'no-agent' when `id` or `target` names no agent, or 'avoid-only'. Throws a RangeError for an
 * agent that follows itself and for options that are unknown or out of range.
 */
export function followAgent(crowd: Crowd, id: AgentId, target: AgentId, options: FollowOptions = {}): OrderResult {
  checkCrowd('followAgent', crowd);
  checkKeys('followAgent', options, FOLLOW_KEYS);
  const slot = readAgentSlot(crowd, id, 'followAgent');
  const other = readAgentSlot(crowd, target, 'followAgent', 'target');
  const refusal = other < 0 ? 'no-agent' : refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  if (slot === other) refuse('followAgent', 'target', target, 'the id of another agent');
  const { agents } = crowd;
  const { distance = agents.radius[slot] * 1.5 + agents.radius[other] } = options;
  if (typeof distance !== 'number' || !(distance >= 0 && (distance <= MOST_SIZE || options.distance === undefined)))
    refuse('followAgent', 'options.distance', distance, `0 .. ${MOST_SIZE}`);
  const isSame = agents.goalKind[slot] === GOAL_AGENT && agents.goalAgent[slot] === target;
  agents.goalAgent[slot] = target;
  agents.followDistance[slot] = distance;
  if (isSame) return 'accepted';
  const hadPath = agents.goalKind[slot] === GOAL_POINT;
  endPatrol(crowd, slot);
  addBehavior(crowd, pursuit);
  agents.goalKind[slot] = GOAL_AGENT;
  restartGoal(crowd, slot);
  moveGoalToAgent(crowd, slot, other);
  aimAtGoal(crowd, slot, hadPath);
  return 'accepted';
}

/**
 * Makes an agent move at a velocity until its next order. It avoids other agents and slides along walls; it
 * has no path.
 *
 * `velocity` is in world units per second; its y is ignored, and its length is limited to the agent's maximum
 * speed. Returns 'accepted', 'no-agent' or 'avoid-only'. Throws a TypeError for an invalid velocity, and a RangeError above 1e12.
 */
export function setAgentVelocity(crowd: Crowd, id: AgentId, velocity: PointLike): OrderResult {
  checkCrowd('setAgentVelocity', crowd);
  readKept(requested, velocity, 'setAgentVelocity', 'velocity');
  const slot = readAgentSlot(crowd, id, 'setAgentVelocity');
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  dropPath(crowd, slot);
  crowd.agents.goalKind[slot] = GOAL_VELOCITY;
  crowd.agents.goal.set(requested, 3 * slot);
  changeStatus(crowd, slot, CHANGE_VELOCITY_SET);
  return 'accepted';
}

/** Makes an agent stop and drops its order. Returns 'accepted', 'no-agent' or 'avoid-only'. */
export function stopAgent(crowd: Crowd, id: AgentId): OrderResult {
  checkCrowd('stopAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'stopAgent');
  const refusal = refusalOf(crowd, slot);
  if (refusal !== 'accepted') return refusal;
  dropPath(crowd, slot);
  return 'accepted';
}

/**
 * Sets the position of an agent that the caller moves (`owner: 'user'` or `avoidOnly: true`). Its path follows a short
 * step; after a jump to another polygon it requests a new path. It also moves an agent with `linkTraversal: 'manual'`
 * on a link, to `point` itself.
 *
 * The agent stands at the point of the mesh nearest to `point`. An agent that is only avoided needs no mesh: it stands
 * at `point` itself. Returns 'accepted', 'no-agent', 'crowd-owned' when the crowd moves the agent, or 'off-mesh' when
 * no polygon is near. With 'off-mesh', the agent keeps its position and is lost until a later call or tick finds a
 * polygon. Throws a TypeError for an invalid point, and a RangeError for one farther than 1e12 from the origin.
 */
export function setAgentPosition(crowd: Crowd, id: AgentId, point: PointLike): OrderResult {
  checkCrowd('setAgentPosition', crowd);
  readKept(requested, point, 'setAgentPosition', 'point');
  const slot = readAgentSlot(crowd, id, 'setAgentPosition');
  if (slot < 0) return 'no-agent';
  const { agents, mesh } = crowd;
  const flags = agents.flags[slot];
  if (agents.state[slot] === STATE_LINK && (agents.modes[slot] & MODE_MANUAL_LINKS) !== 0) {
    agents.position.set(requested, 3 * slot);
    return 'accepted';
  }
  if ((flags & AGENT_USER_OWNED) === 0) return 'crowd-owned';
  agents.flags[slot] &= ~AGENT_ASLEEP;
  if ((flags & AGENT_AVOID_ONLY) !== 0) {
    agents.position.set(requested, 3 * slot);
    return 'accepted';
  }
  const corridor = crowd.corridors[slot];
  // After a change of the mesh and before the next tick, polygons of the corridor may be missing.
  const isInStep = corridor.revision === mesh.revision;
  if (agents.state[slot] === STATE_GROUND && isInStep && moveAlongCorridor(crowd, slot)) return 'accepted';
  // A lost agent returns later.
  addBehavior(crowd, meshChanges);
  agentHalfExtents(extents, mesh, crowd.filters[agents.filter[slot]]);
  findNearestInto(hit, mesh, requested, extents, crowd.filters[agents.filter[slot]]);
  if (hit.poly < 0) {
    cancelRequest(crowd, slot);
    agents.state[slot] = STATE_LOST;
    agents.poly[slot] = -1;
    agents.cornerKind[slot] = CORNER_NONE;
    return 'off-mesh';
  }
  agents.state[slot] = STATE_GROUND;
  if (isInStep && hit.poly === corridor.corridor.polys[0]) {
    corridor.position.set(hit.point);
  } else {
    const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
    const end = corridor.refs[corridor.corridor.count - 1];
    const isKept =
      !isInStep && fixCorridorStart(corridor, mesh, hit.poly, hit.point, crowd.filters[agents.filter[slot]]);
    if (!isKept) resetCorridor(corridor, mesh, hit.poly, hit.point);
    agents.poly[slot] = -1;
    if (hasGoal && (!isKept || corridor.refs[corridor.corridor.count - 1] !== end)) aimAtGoal(crowd, slot, false);
  }
  adoptCorridorPosition(crowd, slot);
  return 'accepted';
}

/** Moves an agent and the start of its corridor to `requested`. Returns false when walls are in between. */
function moveAlongCorridor(crowd: Crowd, slot: number): boolean {
  const { agents, mesh } = crowd;
  const corridor = crowd.corridors[slot];
  syncCorridorStart(crowd, slot);
  moveCorridorPosition(corridor, mesh, slide, slideState, requested, crowd.filters[agents.filter[slot]]);
  const dx = corridor.position[0] - requested[0];
  const dz = corridor.position[2] - requested[2];
  if (!(dx * dx + dz * dz < REACHED_SQ * agents.radius[slot] * agents.radius[slot])) return false;
  adoptCorridorPosition(crowd, slot);
  return true;
}

/** Returns why an agent takes no orders; 'accepted' when it does. @internal */
export function refusalOf(crowd: Crowd, slot: number): OrderResult {
  if (slot < 0) return 'no-agent';
  return (crowd.agents.flags[slot] & AGENT_AVOID_ONLY) !== 0 ? 'avoid-only' : 'accepted';
}

function dropPath(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  endPatrol(crowd, slot);
  cancelRequest(crowd, slot);
  agents.goalKind[slot] = GOAL_NONE;
  changeStatus(crowd, slot, CHANGE_STOPPED);
  agents.flags[slot] &= ~(AGENT_ASLEEP | AGENT_PARTIAL);
  agents.cornerKind[slot] = CORNER_NONE;
  agents.queueLinkEnd[slot] = -1;
  agents.yieldTo[slot] = -1;
  agents.restTick[slot] = -1;
  if (agents.state[slot] !== STATE_GROUND) return;
  syncCorridorStart(crowd, slot);
  const { refs, position } = crowd.corridors[slot];
  // When the polygon was removed, the next tick puts the agent on another one.
  const poly = polyIndexOf(mesh, refs[0] as PolyRef);
  if (poly >= 0) resetCorridor(crowd.corridors[slot], mesh, poly, position);
}
