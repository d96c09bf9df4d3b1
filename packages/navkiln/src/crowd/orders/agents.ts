/**
 * Agents come and go, and are looked at.
 *
 * Based on: own.
 */
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { NULL_REF, refOf } from '../../navmesh/ref.ts';
import type { PolyRef } from '../../navmesh/types.ts';
import { createNearestHit, defaultHalfExtents, findNearestInto } from '../../query/nearest/nearest.ts';
import { resetCorridor } from '../../corridor/corridor.ts';
import { createPathCorridor } from '../../corridor/types.ts';
import { aimAtGoal } from '../goals.ts';
import { agentIdOf, agentSlotOf } from '../state/ids.ts';
import { clearSlot } from '../state/layout.ts';
import { resolveAgent } from '../state/options.ts';
import type { AgentOptions, ResolvedAgent } from '../state/options.ts';
import { cancelRequest } from '../search/record.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  AGENT_REPORTED_BLOCKED,
  AGENT_USER_OWNED,
  GOAL_AGENT,
  GOAL_NONE,
  GOAL_POINT,
  STATE_FREE,
  STATE_GROUND,
  STATUS_IDLE,
} from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';

/** In the order of their numbers. 'lost': its ground is gone. */
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

export type AgentPlace = 'ground' | 'link' | 'lost' | 'air';

const AGENT_PLACES: readonly AgentPlace[] = ['ground', 'link', 'lost', 'air'];

/** One agent, as it is now: a copy. */
export interface AgentInfo {
  id: AgentId;
  status: AgentStatus;
  /** On ground, on a link, without ground under it, or off the ground (a character that jumps or falls). */
  place: AgentPlace;
  position: [number, number, number];
  /** Of the last tick, per second. */
  velocity: [number, number, number];
  /** Where it faces: a unit vector in the plane (x, z). */
  heading: [number, number];
  /** What its path asks for, before others are avoided: what a user who owns its position would follow is `wish`. */
  desired: [number, number];
  /** What the crowd would have it do. */
  wish: [number, number];
  /** The polygon it is on; `NULL_REF`: none. */
  ref: PolyRef;
  /** Where it was told to go, on the mesh; null: nowhere. */
  goal: [number, number, number] | null;
  /** The goal cannot be reached: its way leads as near as it gets. */
  isPartial: boolean;
  radius: number;
  maxSpeed: number;
}

const place = new Float64Array(3);
const extents = new Float64Array(3);
const hit = createNearestHit();

/**
 * Adds an agent at the ground nearest to a point (see `defaultHalfExtents`). Returns its id, or 0 when there is no ground near or
 * the crowd is full; nothing changes then. Throws for what is no point and for options that make no sense.
 */
export function addAgent(crowd: Crowd, point: PointLike, options: AgentOptions = {}): AgentId {
  readPoint(place, point, 'addAgent', 'point');
  const resolved = resolveAgent(crowd.mesh, crowd.filters.length, options, 'addAgent');
  if (crowd.freeSlot < 0 && crowd.slotCount === crowd.maxAgents) return 0 as AgentId;
  const isFound = locate(crowd, resolved.filter);
  if (!isFound) return 0 as AgentId;
  const slot = takeSlot(crowd);
  const { agents } = crowd;
  agents.generation[slot] = (agents.generation[slot] % 0xffff) + 1;
  agents.state[slot] = STATE_GROUND;
  agents.goalKind[slot] = GOAL_NONE;
  agents.heading[2 * slot + 1] = 1;
  writeOptions(crowd, slot, resolved);
  crowd.corridors[slot] ??= createPathCorridor();
  settleAt(crowd, slot);
  crowd.agentCount++;
  return agentIdOf(crowd, slot);
}

/** Changes options of an agent; those not named stay. False: there is no such agent. Throws as `addAgent`. */
export function setAgentOptions(crowd: Crowd, id: AgentId, options: AgentOptions): boolean {
  const slot = agentSlotOf(crowd, id);
  if (slot < 0) return false;
  const { agents } = crowd;
  const known: AgentOptions = {
    radius: agents.radius[slot],
    height: agents.height[slot],
    maxSpeed: agents.maxSpeed[slot],
    maxAcceleration: agents.maxAcceleration[slot],
    maxTurnDegrees: agents.maxTurn[slot],
    priority: agents.priority[slot],
    avoidance: (['none', 'orca', 'sampled'] as const)[agents.avoidance[slot]],
    horizon: agents.horizon[slot],
    arriveDistance: agents.arriveDistance[slot],
    owner: (agents.flags[slot] & AGENT_USER_OWNED) !== 0 ? 'user' : 'crowd',
    avoidOnly: (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0,
    layers: agents.layers[slot],
    mask: agents.mask[slot],
    filter: agents.filter[slot],
  };
  writeOptions(
    crowd,
    slot,
    resolveAgent(crowd.mesh, crowd.filters.length, { ...known, ...options }, 'setAgentOptions'),
  );
  agents.flags[slot] &= ~AGENT_ASLEEP;
  return true;
}

/** Takes an agent out. Its id names none from now on. False: there was none. */
export function removeAgent(crowd: Crowd, id: AgentId): boolean {
  const slot = agentSlotOf(crowd, id);
  if (slot < 0) return false;
  cancelRequest(crowd, slot);
  clearSlot(crowd.agents, slot);
  crowd.agents.goalPoly[slot] = crowd.freeSlot;
  crowd.freeSlot = slot;
  crowd.agentCount--;
  return true;
}

/** Is this the id of an agent of this crowd? */
export function hasAgent(crowd: Crowd, id: AgentId): boolean {
  return agentSlotOf(crowd, id) >= 0;
}

/** Ids of all agents, in the order of their slots. */
export function listAgents(crowd: Crowd): AgentId[] {
  const ids: AgentId[] = [];
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (crowd.agents.state[slot] !== STATE_FREE) ids.push(agentIdOf(crowd, slot));
  }
  return ids;
}

/** An agent as it is now, or null when it was removed. Who looks at many reads `crowd.agents`. */
export function getAgent(crowd: Crowd, id: AgentId): AgentInfo | null {
  const slot = agentSlotOf(crowd, id);
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
    isPartial: (agents.flags[slot] & AGENT_PARTIAL) !== 0,
    radius: agents.radius[slot],
    maxSpeed: agents.maxSpeed[slot],
  };
}

/**
 * Puts an agent elsewhere at once; it keeps its goal, its options and its id, and looks for a new way. False: there is no such
 * agent or no ground near the point; nothing changes then.
 */
export function teleportAgent(crowd: Crowd, id: AgentId, point: PointLike): boolean {
  readPoint(place, point, 'teleport', 'point');
  const slot = agentSlotOf(crowd, id);
  if (slot < 0 || !locate(crowd, crowd.agents.filter[slot])) return false;
  cancelRequest(crowd, slot);
  settleAt(crowd, slot);
  restartGoal(crowd, slot);
  const kind = crowd.agents.goalKind[slot];
  if (kind === GOAL_POINT || kind === GOAL_AGENT) aimAtGoal(crowd, slot, false);
  return true;
}

/** Makes what an agent was told count as told just now. @internal */
export function restartGoal(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (agents.goalKind[slot] === GOAL_NONE) return;
  agents.status[slot] = STATUS_IDLE;
  agents.flags[slot] &= ~(AGENT_ASLEEP | AGENT_PARTIAL | AGENT_REPORTED_BLOCKED);
  agents.restTick[slot] = -1;
  agents.orderTick[slot] = crowd.tick;
  agents.progressTick[slot] = crowd.tick;
  agents.progressLeft[slot] = Infinity;
  agents.retryTick[slot] = crowd.tick;
}

/** Sets `hit` for the point at hand; false: there is no ground near. */
function locate(crowd: Crowd, filter: number): boolean {
  defaultHalfExtents(extents, crowd.mesh);
  findNearestInto(hit, crowd.mesh, place, extents, crowd.filters[filter]);
  return hit.poly >= 0;
}

/** Puts an agent at `hit`, standing, with a corridor of one polygon. */
function settleAt(crowd: Crowd, slot: number): void {
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
  agents.cornerLinkEnd[slot] = -1;
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

function writeOptions(crowd: Crowd, slot: number, resolved: ResolvedAgent): void {
  const { agents } = crowd;
  agents.radius[slot] = resolved.radius;
  agents.height[slot] = resolved.height;
  agents.maxSpeed[slot] = resolved.maxSpeed;
  agents.maxAcceleration[slot] = resolved.maxAcceleration;
  agents.maxTurn[slot] = resolved.maxTurn;
  agents.priority[slot] = resolved.priority;
  agents.avoidance[slot] = resolved.avoidance;
  agents.horizon[slot] = resolved.horizon;
  agents.arriveDistance[slot] = resolved.arriveDistance;
  agents.layers[slot] = resolved.layers;
  agents.mask[slot] = resolved.mask;
  agents.filter[slot] = resolved.filter;
  const owner = (resolved.isUserOwned ? AGENT_USER_OWNED : 0) | (resolved.isAvoidOnly ? AGENT_AVOID_ONLY : 0);
  agents.flags[slot] = (agents.flags[slot] & ~(AGENT_USER_OWNED | AGENT_AVOID_ONLY)) | owner;
}
