/**
 * Describes an agent's path for the public API: its status, the remaining distance, all corners, and the current link.
 *
 * In: corridors, and the corners that `steer` found.
 * Out: copies.
 * Cost: constant; `getAgentPath` is linear in the polygons of the path. Allocates.
 * Based on: own.
 */
import { createCorridorCorners, findCorridorCorners } from '../../corridor/corners.ts';
import { copyCorridor } from '../../corridor/corridor.ts';
import { moveCorridorOverLink } from '../../corridor/move.ts';
import { CORNER_LINK, CORNER_NONE, createPathCorridor } from '../../corridor/types.ts';
import type { LinkRef } from '../../../mesh/types.ts';
import { readAgentSlot } from '../state/ids.ts';
import { syncCorridorStart } from '../state/position.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_PARTIAL,
  GOAL_AGENT,
  GOAL_POINT,
  ROUTE_ONCE,
  STATE_GROUND,
  STATE_LINK,
  STATUS_SEARCHING,
} from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/**
 * 'complete': the path leads to the goal. 'partial': the path leads as near to it as possible. 'none': there is no
 * path, or not yet.
 */
export type AgentPathStatus = 'none' | 'complete' | 'partial';

/** A link that an agent crosses. */
export interface AgentLink {
  ref: LinkRef;
  /** Where the agent left the mesh, and where it will land. World units. */
  from: [number, number, number];
  to: [number, number, number];
  /** Share of the traversal time that has passed, 0 .. 1; 0 with `linkTraversal: 'manual'`. */
  share: number;
}

/** The path of an agent. */
export interface AgentPath {
  status: AgentPathStatus;
  /** The agent's position, each corner, and the end of the path; over a link, both of its ends. World units. */
  points: [number, number, number][];
  /** World units. */
  length: number;
}

const corners = createCorridorCorners(64);
const rest = createPathCorridor();
type Point = [number, number, number];

/**
 * Returns the path of an agent from its position to its end, or null when `id` names no agent. It has no points when
 * the agent has no path. This is also the case between a change of the mesh and the next tick.
 */
export function getAgentPath(crowd: Crowd, id: AgentId): AgentPath | null {
  checkCrowd('getAgentPath', crowd);
  const slot = readAgentSlot(crowd, id, 'getAgentPath');
  if (slot < 0) return null;
  const { agents, mesh } = crowd;
  const status = pathStatusOf(crowd, slot);
  const corridor = crowd.corridors[slot];
  if (status === 'none' || corridor.revision !== mesh.revision || agents.poly[slot] < 0)
    return { status: 'none', points: [], length: 0 };
  syncCorridorStart(crowd, slot);
  copyCorridor(rest, corridor);
  const points = [pointOf(agents.position, slot)];
  // The corridor of an agent on a link starts at its landing.
  if (agents.state[slot] === STATE_LINK) points.push(pointOf(rest.position, 0));
  for (let isOver = false; !isOver;) {
    findCorridorCorners(corners, rest, mesh, 64);
    const { count, points: found, kinds, linkEnds } = corners;
    for (let i = 0; i < count; i++) points.push(pointOf(found, i));
    isOver = count === 0 || kinds[count - 1] !== CORNER_LINK || !moveCorridorOverLink(rest, mesh, linkEnds[count - 1]);
    if (!isOver) points.push(pointOf(rest.position, 0));
  }
  let length = 0;
  for (let i = 1; i < points.length; i++) length += distance(points[i - 1], points[i]);
  return { status, points, length };
}

/** Returns whether an agent has a path. @internal */
export function pathStatusOf({ agents }: Crowd, slot: number): AgentPathStatus {
  const { goalKind, status, flags } = agents;
  const hasGoal = goalKind[slot] === GOAL_POINT || goalKind[slot] === GOAL_AGENT;
  const isAvoidOnly = (flags[slot] & AGENT_AVOID_ONLY) !== 0;
  if (!hasGoal || isAvoidOnly || agents.goalPoly[slot] < 0 || status[slot] === STATUS_SEARCHING) return 'none';
  return (flags[slot] & AGENT_PARTIAL) !== 0 ? 'partial' : 'complete';
}

/** Returns the remaining length of an agent's path, or null without a path. @internal */
export function remainingDistance(crowd: Crowd, slot: number): number | null {
  const { agents } = crowd;
  if (agents.state[slot] !== STATE_GROUND || agents.cornerKind[slot] === CORNER_NONE) return null;
  if (pathStatusOf(crowd, slot) === 'none') return null;
  return agents.pathLeft[slot] + distance(pointOf(agents.position, slot), pointOf(agents.corners, 2 * slot));
}

/** Returns the number of points of its route that an agent visits after the current one. @internal */
export function queuedCount({ agents, patrols }: Crowd, slot: number): number {
  const route = agents.patrolPoint[slot] > 0 ? patrols[slot]! : null;
  return route?.mode === ROUTE_ONCE ? route.waits.length - agents.patrolPoint[slot] : 0;
}

/** Returns the link that an agent crosses, or null. @internal */
export function linkOfAgent({ agents, corridors }: Crowd, slot: number): AgentLink | null {
  if (agents.state[slot] !== STATE_LINK) return null;
  return {
    ref: agents.linkRef[slot] as LinkRef,
    from: pointOf(agents.linkFrom, slot),
    to: pointOf(corridors[slot].position, 0),
    share: Math.min(1, agents.linkTime[slot] / agents.linkDuration[slot]),
  };
}

function pointOf(array: Float64Array, index: number): Point {
  return [array[3 * index], array[3 * index + 1], array[3 * index + 2]];
}

function distance(a: Point, b: Point): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}
