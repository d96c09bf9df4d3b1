/**
 * One character that follows a path, without a crowd: where to go next, each frame.
 *
 *     const follower = followPath(navMesh, from, to);
 *     each frame:  const steering = steerAlong(follower, navMesh, character.position);
 *                  move towards steering.corner, by no more than steering.distance
 *
 * In: a mesh, two places; then where the character is, whoever moved it there. Out: the next corner, how far it is, how long the
 * way still is, what the character stands on. The path is kept while the character strays, the goal moves, tiles and links come
 * and go: by the corridor alone where that can be, by a new search where it cannot. Shortcuts are taken as they come into sight.
 *
 * Cost: a step and two corners each call, mostly; every sixteenth a search of 64 nodes for a better way around.
 *
 * Based on: own; what is kept is Detour's path corridor (Mikko Mononen).
 */
import { refuse } from '../data/refuse.ts';
import { readPoint } from '../math/point.ts';
import type { PointLike } from '../math/point.ts';
import { linkRefOf } from '../navmesh/links.ts';
import { NULL_REF } from '../navmesh/ref.ts';
import type { LinkRef, NavMesh, PolyRef } from '../navmesh/types.ts';
import { DEFAULT_FILTER } from '../query/filter.ts';
import type { QueryFilter } from '../query/filter.ts';
import { createPathBuffer, findPathInto } from '../query/path/find-path.ts';
import type { PathOptions } from '../query/path/find-path.ts';
import type { PathReason, PathStatus } from '../query/path/result.ts';
import { readHalfExtents } from '../query/nearest/nearest.ts';
import { createRayHit } from '../query/ray/hit.ts';
import { createSearchState } from '../query/search-state.ts';
import { createSlide } from '../query/walk/slide.ts';
import { createCorridorCorners, findCorridorCorners } from './corners.ts';
import type { CorridorCorners } from './corners.ts';
import { resetCorridor, setCorridor } from './corridor.ts';
import { createPathCorridor } from './types.ts';
import type { PathCorridor } from './types.ts';
import { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from './move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from './optimize.ts';
import { rebaseCorridor } from './rebase.ts';
import { CORNER_GOAL, CORNER_LINK } from './types.ts';

/** Calls between two looks for a better way around, and nodes of each. */
const TOPOLOGY_EVERY = 16;
const TOPOLOGY_NODES = 64;
/** How far a shortcut is looked for, in radii of the agent. As the crowd of Detour's demo has it. */
const SIGHT_RADII = 30;
/** The same without a radius, world units. */
const SIGHT = 30;
/** Up to so many `arriveDistance`s a goal has moved, and not jumped. */
const STEP_DISTANCES = 4;
/** Where the agent has no radius: how near is there, world units. */
const ARRIVE = 0.1;

export interface FollowPathOptions extends PathOptions {
  /** How near to the goal, or to where a link is entered, is there; world units, seen from above. Default: the agent's radius. */
  arriveDistance?: number;
}

/** A character's path. A plain record; what it says of the path is up to date after each call. */
export interface PathFollower {
  /** As of `findPath`: of the last search. */
  status: PathStatus;
  reason: PathReason;
  /** How many searches there have been. */
  searchCount: number;
  corridor: PathCorridor;
  filter: QueryFilter;
  /** xyz, as it was asked for. */
  goal: Float64Array;
  halfExtents: Float64Array;
  maxNodes: number;
  arriveDistance: number;
  /** Calls of `steerAlong`. */
  callCount: number;
}

export interface Steering {
  /** As of `findPath`: 'partial': it leads as near to the goal as can be; 'none': the character or the goal is off the mesh. */
  status: PathStatus;
  /** Where the character is, on the mesh: as near to the place given as walls let. That place itself when there is no ground. */
  position: [number, number, number];
  /** Where to go next; the position when there is nowhere to go. */
  corner: [number, number, number];
  /** To the corner, and all the way to the end of the path; world units. */
  distance: number;
  left: number;
  /** The end of the path is within `arriveDistance`; and is it the goal? Of a partial path it is not. */
  isAtEnd: boolean;
  isAtGoal: boolean;
  /** The link that is entered at the corner, 0 when there is none; and is that within `arriveDistance`? Then `crossLink`. */
  link: LinkRef;
  isAtLink: boolean;
  /** The polygon the character is on. */
  ref: PolyRef;
}

/** Where a link is left and arrived at. */
export interface LinkCrossing {
  link: LinkRef;
  start: [number, number, number];
  end: [number, number, number];
}

const NO_LINK = 0 as LinkRef;
const place = new Float64Array(3);
const buffer = createPathBuffer();
const state = createSearchState();
const slide = createSlide();
const hit = createRayHit();
const corners = createCorridorCorners(2);
const next = new Float64Array(3);
const traverse = new Float64Array(6);

/**
 * A path to follow from one place to another. Its status says whether there is one. Throws a TypeError for what is no point, a
 * RangeError for options out of range.
 */
export function followPath(
  mesh: NavMesh,
  from: PointLike,
  to: PointLike,
  options: FollowPathOptions = {},
): PathFollower {
  const { filter = DEFAULT_FILTER, maxNodes = Infinity } = options;
  const { arriveDistance = mesh.agent.radius > 0 ? mesh.agent.radius : ARRIVE } = options;
  if (!(maxNodes >= 1)) refuse('followPath', 'maxNodes', maxNodes, 'a number from 1 on');
  if (!(arriveDistance >= 0)) refuse('followPath', 'arriveDistance', arriveDistance, 'a length from 0 on');
  const follower: PathFollower = {
    status: 'none',
    reason: '',
    searchCount: 0,
    corridor: createPathCorridor(),
    filter,
    goal: new Float64Array(3),
    halfExtents: new Float64Array(3),
    maxNodes,
    arriveDistance,
    callCount: 0,
  };
  readPoint(follower.goal, to, 'followPath', 'to');
  readPoint(place, from, 'followPath', 'from');
  readHalfExtents(follower.halfExtents, mesh, options.halfExtents, 'followPath');
  search(follower, mesh);
  return follower;
}

/**
 * Another goal, or the same that has moved: one that moves over ground takes the end of the path with it, one that has jumped is
 * searched for. Returns the status.
 */
export function moveFollowerGoal(follower: PathFollower, mesh: NavMesh, to: PointLike): PathStatus {
  const { corridor, filter, goal } = follower;
  readPoint(goal, to, 'moveFollowerGoal', 'to');
  for (let k = 0; k < 3; k++) place[k] = corridor.position[k];
  if (corridor.corridor.count === 0) return follower.status;
  const isStep =
    follower.status === 'complete' &&
    corridor.revision === mesh.revision &&
    isNear(corridor.target, goal, STEP_DISTANCES * follower.arriveDistance);
  const isThere =
    isStep &&
    moveCorridorTarget(corridor, mesh, slide, state, goal, filter) &&
    Math.abs(corridor.target[1] - goal[1]) <= follower.halfExtents[1];
  if (!isThere) search(follower, mesh);
  return follower.status;
}

/** The character is here now: where next? Throws a TypeError for what is no point. */
export function steerAlong(follower: PathFollower, mesh: NavMesh, position: PointLike): Steering {
  const { corridor, filter, arriveDistance } = follower;
  readPoint(place, position, 'steerAlong', 'position');
  follower.callCount++;
  const hasChanged = corridor.revision !== mesh.revision;
  const outcome = rebaseCorridor(corridor, mesh, filter);
  let isLost = outcome !== 'same' || (hasChanged && follower.status !== 'complete') || corridor.corridor.count === 0;
  if (!isLost) {
    const isThere = moveCorridorPosition(corridor, mesh, slide, state, place, filter);
    // Put there, or off ground that was closed under it.
    isLost =
      (!isThere && !isNear(corridor.position, place, arriveDistance)) ||
      (follower.status === 'complete' && corridor.corridor.outcome !== 'complete');
  }
  if (isLost) search(follower, mesh);
  if (follower.status === 'none') return nowhere(follower);
  const sight = mesh.agent.radius > 0 ? SIGHT_RADII * mesh.agent.radius : SIGHT;
  findCorridorCorners(corners, corridor, mesh, 2);
  let isShorter = false;
  if (corners.count > 1) {
    for (let k = 0; k < 3; k++) next[k] = corners.points[3 + k];
    isShorter = optimizeCorridorVisibility(corridor, mesh, hit, next, sight, filter);
  }
  if (follower.callCount % TOPOLOGY_EVERY === 0) {
    isShorter = optimizeCorridorTopology(corridor, mesh, state, filter, TOPOLOGY_NODES) || isShorter;
  }
  if (isShorter) findCorridorCorners(corners, corridor, mesh, 2);
  return steeringOf(follower, mesh);
}

/**
 * The character takes the link that is entered next: from now on it is at the far end. The way there is the caller's to show: a
 * jump, a ladder, a door. Null: the next corner is no link.
 */
export function crossLink(follower: PathFollower, mesh: NavMesh): LinkCrossing | null {
  const { corridor, filter } = follower;
  if (rebaseCorridor(corridor, mesh, filter) === 'start-gone') return null;
  findCorridorCorners(corners, corridor, mesh, 1);
  if (corners.count === 0 || corners.kinds[0] !== CORNER_LINK) return null;
  const linkEnd = corners.linkEnds[0];
  moveCorridorOverLink(corridor, mesh, linkEnd, traverse);
  const { position } = corridor;
  return {
    link: linkRefOf(mesh, linkEnd >> 1),
    start: [traverse[0], traverse[1], traverse[2]],
    end: [position[0], position[1], position[2]],
  };
}

/** From the place at hand to the goal. */
function search(follower: PathFollower, mesh: NavMesh): void {
  const { corridor, goal, halfExtents, filter, maxNodes } = follower;
  findPathInto(buffer, state, mesh, { start: place, end: goal, halfExtents, filter, maxNodes });
  follower.status = buffer.status;
  follower.reason = buffer.reason;
  follower.searchCount++;
  if (buffer.start.poly < 0) {
    corridor.corridor.count = 0;
    return;
  }
  resetCorridor(corridor, mesh, buffer.start.poly, buffer.start.point);
  if (buffer.status !== 'none') setCorridor(corridor, mesh, buffer.corridor, buffer.end.point);
}

function isNear(a: Float64Array, b: Float64Array, distance: number): boolean {
  const dx = b[0] - a[0];
  const dz = b[2] - a[2];
  return dx * dx + dz * dz <= distance * distance;
}

function nowhere({ corridor }: PathFollower): Steering {
  const isOn = corridor.corridor.count > 0;
  const [x, y, z] = isOn ? corridor.position : place;
  return {
    status: 'none',
    position: [x, y, z],
    corner: [x, y, z],
    distance: 0,
    left: 0,
    isAtEnd: false,
    isAtGoal: false,
    link: NO_LINK,
    isAtLink: false,
    ref: isOn ? (corridor.refs[0] as PolyRef) : NULL_REF,
  };
}

function steeringOf(follower: PathFollower, mesh: NavMesh): Steering {
  const { corridor, arriveDistance } = follower;
  const { position } = corridor;
  const { points } = corners;
  const distance = planDistance(position, points, 0);
  const isLink = corners.kinds[0] === CORNER_LINK;
  const isNearCorner = distance <= arriveDistance;
  const isAtEnd = corners.kinds[0] === CORNER_GOAL && isNearCorner;
  return {
    status: follower.status,
    position: [position[0], position[1], position[2]],
    corner: [points[0], points[1], points[2]],
    distance,
    left: distance + lengthBetween(corners) + corners.left,
    isAtEnd,
    isAtGoal: isAtEnd && follower.status === 'complete',
    link: isLink ? linkRefOf(mesh, corners.linkEnds[0] >> 1) : NO_LINK,
    isAtLink: isLink && isNearCorner,
    ref: corridor.refs[0] as PolyRef,
  };
}

function lengthBetween({ points, count }: CorridorCorners): number {
  let sum = 0;
  for (let i = 1; i < count; i++) sum += planDistance(points.subarray(3 * i - 3), points, 3 * i);
  return sum;
}

function planDistance(a: Float64Array, b: Float64Array, at: number): number {
  const dx = b[at] - a[0];
  const dz = b[at + 2] - a[2];
  return Math.sqrt(dx * dx + dz * dz);
}
