/**
 * Adds, removes, changes and reads agents.
 *
 * In: a crowd, and an `AgentId` from `addAgent`.
 * Out: the changed crowd; copies of an agent's state.
 * Cost: `addAgent` and `teleportAgent` search for the nearest polygon. `listAgents` is linear in the slots; all other
 * functions are constant.
 * Based on: own.
 */
import { resetCorridor } from '../../corridor/corridor.ts';
import { CORNER_NONE, createPathCorridor } from '../../corridor/types.ts';
import { checkKeys, checkObject } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { NULL_REF, refOf } from '../../../mesh/ref.ts';
import type { PolyRef } from '../../../mesh/types.ts';
import { createNearestHit, findNearInto } from '../../../query/nearest/nearest.ts';
import { SAMPLED_KEYS } from '../avoidance/sampled.ts';
import { meshChanges } from '../follow-mesh.ts';
import { returnToMesh } from '../nearby/place-on-mesh.ts';
import { aimAtGoal } from '../search/aim.ts';
import { cancelRequest } from '../search/record.ts';
import { addBehavior } from '../state/behaviors.ts';
import { agentIdOf, readAgentSlot } from '../state/ids.ts';
import { clearSlot } from '../state/layout.ts';
import { AGENT_KEYS, agentOptionsOf, dropReplaced, resolveAgent, setSpeed, speedOf } from '../state/options.ts';
import type { AgentOptions, ResolvedAgent } from '../state/options.ts';
import { syncCorridorStart } from '../state/position.ts';
import { CHANGE_ORDERED, changeStatus, restartProgress } from '../state/status.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  AGENT_REPORTED_BLOCKED,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  MODE_LOW_DETAIL,
  MODE_MANUAL_LINKS,
  MODE_NO_BRAKE,
  MODE_PAUSED,
  NULL_AGENT,
  SAMPLED_NUMBERS,
  STATE_FREE,
  STATE_GROUND,
} from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { searchAgain } from './filter.ts';
import { linkOfAgent, pathStatusOf, queuedCount, remainingDistance } from './path-info.ts';
import type { AgentLink, AgentPathStatus } from './path-info.ts';
import { endPatrol } from './patrol-state.ts';
import type { OrderResult } from './result.ts';
import { checkCrowd, checkMutableCrowd } from '../state/check-crowd.ts';

/** Progress of an agent's order. The guide *Crowds* explains each status. */
export type AgentStatus =
  | 'idle'
  | 'searching'
  | 'moving'
  | 'queueing'
  | 'yielding'
  | 'arrived'
  | 'settled'
  | 'blocked'
  | 'gave-up';

/** Names of the statuses, indexed by STATUS_*. */
export const AGENT_STATUSES: readonly AgentStatus[] = [
  'idle',
  'searching',
  'moving',
  'queueing',
  'yielding',
  'arrived',
  'settled',
  'blocked',
  'gave-up',
];

/**
 * Where an agent is. 'ground': on the mesh. 'link': between the ends of a link. 'lost': its polygon was removed and
 * none is near. 'air': off the mesh, as a character that jumps or falls.
 */
export type AgentPlace = 'ground' | 'link' | 'lost' | 'air';

/** Names of the states, indexed by STATE_* - STATE_GROUND. */
const AGENT_PLACES: readonly AgentPlace[] = ['ground', 'link', 'lost', 'air'];

/** The state of one agent after the last tick. It is a copy; changing it has no effect. */
export interface AgentInfo {
  id: AgentId;
  status: AgentStatus;
  place: AgentPlace;
  /** World units. */
  position: [number, number, number];
  /** World units per second: the movement of the last tick. */
  velocity: [number, number, number];
  /** The direction the agent faces: a unit vector in the plane (x, z). */
  heading: [number, number];
  /** The velocity (x, z) along its path, before avoidance; world units per second. */
  desired: [number, number];
  /**
   * The velocity (x, z) after avoidance, which the crowd applies, or suggests to the caller (`owner:
   * 'user'`).
   */
  wish: [number, number];
  /** The polygon under the agent; `NULL_REF`: none. */
  ref: PolyRef;
  /** The point it goes to, or the velocity of `setAgentVelocity`; null without an order. */
  goal: [number, number, number] | null;
  /**
   * Index of the point that it goes to or waits at, among the points of its patrol or the remaining points of another
   * route; else null.
   */
  patrolPoint: number | null;
  /** Number of points after the current one (`queueAgentMove`, `moveAgentAlong`); 0 on a patrol. */
  queuedCount: number;
  /** True: the goal is unreachable, and the path leads as near to it as possible. */
  isPartial: boolean;
  /** World units. */
  radius: number;
  /** World units per second. */
  maxSpeed: number;
  /** Whether `pauseAgent` has paused it. */
  isPaused: boolean;
  /** Whether its path leads to its goal, only as near as possible, or does not exist (yet). */
  pathStatus: AgentPathStatus;
  /** Whether it waits for a search. A moving agent follows its old path in the meantime. */
  isPathPending: boolean;
  /**
   * Remaining length of its path in world units, as of the last time it found its corners. Null without a path, and on
   * a link. `getAgentPath` measures exactly.
   */
  remainingDistance: number | null;
  /** The link that it crosses, or null. */
  link: AgentLink | null;
}

/** Modes that are options of the agent. */
const OPTION_MODES = MODE_NO_BRAKE | MODE_MANUAL_LINKS | MODE_LOW_DETAIL;

/** The point of the current call. */
const requested = new Float64Array(3);
/** The point of the mesh nearest to `requested`. */
const hit = createNearestHit();

/**
 * Adds an agent at the point of the mesh nearest to `point`, searched within `defaultHalfExtents`.
 *
 * Returns its id, or `NULL_AGENT` (0) when the crowd is full or no polygon is near; `crowd.addFailure` then tells the
 * reason, and nothing else changes. Throws a TypeError for an invalid point and a RangeError for options that are
 * unknown or out of range.
 */
export function addAgent(crowd: Crowd, point: PointLike, options: AgentOptions = {}): AgentId {
  checkMutableCrowd('addAgent', crowd);
  readPoint(requested, point, 'addAgent', 'point');
  const resolved = resolveAgent(crowd, options, 'addAgent');
  const isFull = crowd.freeSlot < 0 && crowd.slotCount === crowd.maxAgents;
  crowd.addFailure = isFull ? 'full' : findRequested(crowd, resolved.filter) ? 'none' : 'off-mesh';
  if (crowd.addFailure !== 'none') return NULL_AGENT;
  const slot = takeSlot(crowd);
  const { agents } = crowd;
  agents.generation[slot] = (agents.generation[slot] % 0xffff) + 1;
  agents.state[slot] = STATE_GROUND;
  agents.goalKind[slot] = GOAL_NONE;
  agents.heading[2 * slot + 1] = 1;
  writeOptions(crowd, slot, resolved);
  crowd.corridors[slot] ??= createPathCorridor();
  standAtHit(crowd, slot);
  crowd.agentCount++;
  return agentIdOf(crowd, slot);
}

/**
 * Changes options of an agent. Options that are absent or undefined keep their value. When `avoidOnly` is switched off,
 * the agent stays `owner: 'user'` unless `owner` is given too, and moves to the nearest polygon.
 *
 * Returns false when `id` names no agent. Throws a RangeError for options that are unknown or out of range.
 */
export function setAgentOptions(crowd: Crowd, id: AgentId, options: AgentOptions): boolean {
  checkObject('setAgentOptions', 'options', options);
  checkCrowd('setAgentOptions', crowd);
  checkKeys('setAgentOptions', options, AGENT_KEYS);
  const slot = readAgentSlot(crowd, id, 'setAgentOptions');
  if (slot < 0) return false;
  const known = agentOptionsOf(crowd, slot);
  dropReplaced(known, options);
  const merged: AgentOptions = { ...known, ...withoutUndefined(options) };
  if (options.sampled !== undefined) {
    checkKeys('setAgentOptions', options.sampled, SAMPLED_KEYS, 'options.sampled');
    merged.sampled = { ...known.sampled, ...withoutUndefined(options.sampled) };
  }
  const resolved = resolveAgent(crowd, merged, 'setAgentOptions');
  const { agents } = crowd;
  const filter = agents.filter[slot];
  const wasAvoidOnly = (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0;
  writeOptions(crowd, slot, resolved);
  // Walls and narrow portals depend on radius, speed and filter.
  agents.wallPoly[slot] = -1;
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  if (agents.filter[slot] !== filter) searchAgain(crowd, slot);
  if (wasAvoidOnly && !resolved.isAvoidOnly) {
    // It may be lost, and return later.
    addBehavior(crowd, meshChanges);
    returnToMesh(crowd, slot);
  }
  return true;
}

/** Removes an agent; its id then names no agent. Returns false when `id` names no agent. */
export function removeAgent(crowd: Crowd, id: AgentId): boolean {
  checkMutableCrowd('removeAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'removeAgent');
  if (slot < 0) return false;
  cancelRequest(crowd, slot);
  endPatrol(crowd, slot);
  // Saved crowds contain it, and must not depend on when the agent was last brought up to date.
  syncCorridorStart(crowd, slot);
  clearSlot(crowd.agents, slot);
  // Saved crowds contain its crossings, which would become stale.
  crowd.corridors[slot].corridor.count = 0;
  crowd.agents.goalPoly[slot] = crowd.freeSlot;
  crowd.freeSlot = slot;
  crowd.agentCount--;
  return true;
}

/** Returns true when `id` names an agent of this crowd. */
export function hasAgent(crowd: Crowd, id: AgentId): boolean {
  checkCrowd('hasAgent', crowd);
  return readAgentSlot(crowd, id, 'hasAgent') >= 0;
}

/** Returns the ids of all agents, ordered by slot. */
export function listAgents(crowd: Crowd): AgentId[] {
  checkCrowd('listAgents', crowd);
  const ids: AgentId[] = [];
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (crowd.agents.state[slot] !== STATE_FREE) ids.push(agentIdOf(crowd, slot));
  }
  return ids;
}

/**
 * Returns the state of an agent, or null when `id` names no agent. Allocates; to read many agents, use the columns in
 * `crowd.agents`.
 */
export function getAgent(crowd: Crowd, id: AgentId): AgentInfo | null {
  checkCrowd('getAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'getAgent');
  if (slot < 0) return null;
  const { agents } = crowd;
  const at = 3 * slot;
  const { position, previous, velocity, goal } = agents;
  const rise = (position[at + 1] - previous[at + 1]) / crowd.stepSeconds;
  return {
    id,
    status: AGENT_STATUSES[agents.status[slot]],
    place: AGENT_PLACES[agents.state[slot] - STATE_GROUND],
    position: [position[at], position[at + 1], position[at + 2]],
    velocity: [velocity[2 * slot], rise, velocity[2 * slot + 1]],
    heading: [agents.heading[2 * slot], agents.heading[2 * slot + 1]],
    desired: [agents.desired[2 * slot], agents.desired[2 * slot + 1]],
    wish: [agents.chosen[2 * slot], agents.chosen[2 * slot + 1]],
    ref: agents.poly[slot] < 0 ? NULL_REF : (agents.polyRef[slot] as PolyRef),
    goal: agents.goalKind[slot] === GOAL_NONE ? null : [goal[at], goal[at + 1], goal[at + 2]],
    patrolPoint: agents.patrolPoint[slot] > 0 ? agents.patrolPoint[slot] - 1 : null,
    queuedCount: queuedCount(crowd, slot),
    isPartial: (agents.flags[slot] & AGENT_PARTIAL) !== 0,
    radius: agents.radius[slot],
    maxSpeed: speedOf(agents, slot),
    isPaused: (agents.modes[slot] & MODE_PAUSED) !== 0,
    pathStatus: pathStatusOf(crowd, slot),
    isPathPending: (agents.flags[slot] & AGENT_AWAITS_PATH) !== 0,
    remainingDistance: remainingDistance(crowd, slot),
    link: linkOfAgent(crowd, slot),
  };
}

/**
 * Moves an agent immediately to the point of the mesh nearest to `point`. It keeps its id, its options and its
 * goal, and requests a new path.
 *
 * Returns 'accepted', 'no-agent' when `id` names no agent, or 'off-mesh' when no polygon is near. With 'off-mesh', the
 * agent stays where it was. Throws a TypeError for an invalid point.
 */
export function teleportAgent(crowd: Crowd, id: AgentId, point: PointLike): OrderResult {
  checkCrowd('teleportAgent', crowd);
  readPoint(requested, point, 'teleportAgent', 'point');
  const slot = readAgentSlot(crowd, id, 'teleportAgent');
  if (slot < 0) return 'no-agent';
  if (!findRequested(crowd, crowd.agents.filter[slot])) return 'off-mesh';
  cancelRequest(crowd, slot);
  standAtHit(crowd, slot);
  restartGoal(crowd, slot);
  const kind = crowd.agents.goalKind[slot];
  if (kind === GOAL_POINT || kind === GOAL_AGENT) aimAtGoal(crowd, slot, false);
  return 'accepted';
}

/** Resets the progress of an agent's order, as if it had been given in this tick. @internal */
export function restartGoal(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (agents.goalKind[slot] === GOAL_NONE) return;
  changeStatus(crowd, slot, CHANGE_ORDERED);
  agents.flags[slot] &= ~(AGENT_ASLEEP | AGENT_PARTIAL | AGENT_REPORTED_BLOCKED);
  agents.restTick[slot] = -1;
  agents.patrolTick[slot] = 0;
  agents.settledPushes[slot] = 0;
  agents.wayCount[slot] = 0;
  agents.wayTick[slot] = 0;
  agents.orderTick[slot] = crowd.tick;
  restartProgress(crowd, slot);
  agents.retryTick[slot] = crowd.tick;
}

/** Sets `hit` to the point of the mesh nearest to `requested`. Returns false when none is near. */
function findRequested(crowd: Crowd, filter: number): boolean {
  findNearInto(hit, crowd.mesh, requested, crowd.filters[filter]);
  return hit.poly >= 0;
}

/** Puts an agent at `hit`, at rest, with a corridor of one polygon. */
function standAtHit(crowd: Crowd, slot: number): void {
  const { agents, mesh } = crowd;
  for (let k = 0; k < 3; k++) {
    agents.position[3 * slot + k] = hit.point[k];
    agents.previous[3 * slot + k] = hit.point[k];
  }
  agents.velocity.fill(0, 2 * slot, 2 * slot + 2);
  agents.desired.fill(0, 2 * slot, 2 * slot + 2);
  agents.chosen.fill(0, 2 * slot, 2 * slot + 2);
  agents.state[slot] = STATE_GROUND;
  agents.poly[slot] = hit.poly;
  agents.polyRef[slot] = refOf(mesh, hit.poly);
  agents.wallPoly[slot] = -1;
  agents.linkEnd[slot] = -1;
  agents.queueLinkEnd[slot] = -1;
  agents.yieldTo[slot] = -1;
  agents.cornerKind[slot] = CORNER_NONE;
  agents.cornerLinkEnd[slot] = -1;
  crowd.previousHeading[2 * slot] = agents.heading[2 * slot];
  crowd.previousHeading[2 * slot + 1] = agents.heading[2 * slot + 1];
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  agents.restPoint[2 * slot] = hit.point[0];
  agents.restPoint[2 * slot + 1] = hit.point[2];
  resetCorridor(crowd.corridors[slot], mesh, hit.poly, hit.point);
}

function takeSlot(crowd: Crowd): number {
  const free = crowd.freeSlot;
  if (free < 0) return crowd.slotCount++;
  crowd.freeSlot = crowd.agents.goalPoly[free];
  crowd.agents.goalPoly[free] = -1;
  return free;
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function writeOptions(crowd: Crowd, slot: number, resolved: ResolvedAgent): void {
  const { agents } = crowd;
  agents.radius[slot] = resolved.radius;
  agents.height[slot] = resolved.height;
  setSpeed(agents, slot, resolved.maxSpeed);
  agents.maxAcceleration[slot] = resolved.maxAcceleration;
  agents.maxTurn[slot] = resolved.maxTurn;
  agents.priority[slot] = resolved.priority;
  agents.avoidance[slot] = resolved.avoidance;
  agents.horizon[slot] = resolved.horizon;
  crowd.sampledParams[slot] = resolved.sampled;
  if (resolved.sampled !== undefined)
    crowd.behaviors.storeSampled?.(agents.sampled, SAMPLED_NUMBERS * slot, resolved.sampled);
  agents.separationWeight[slot] = resolved.separationWeight;
  agents.queryRange[slot] = resolved.queryRange;
  agents.pathOptimizationRange[slot] = resolved.pathOptimizationRange;
  // The order may have a distance of its own.
  if (agents.arriveDistance[slot] === agents.ownArriveDistance[slot])
    agents.arriveDistance[slot] = resolved.arriveDistance;
  agents.ownArriveDistance[slot] = resolved.arriveDistance;
  agents.modes[slot] = (agents.modes[slot] & ~OPTION_MODES) | resolved.modes;
  agents.layers[slot] = resolved.layers;
  agents.mask[slot] = resolved.mask;
  agents.filter[slot] = resolved.filter;
  const owner = (resolved.isUserOwned ? AGENT_USER_OWNED : 0) | (resolved.isAvoidOnly ? AGENT_AVOID_ONLY : 0);
  agents.flags[slot] = (agents.flags[slot] & ~(AGENT_USER_OWNED | AGENT_AVOID_ONLY)) | owner;
}
