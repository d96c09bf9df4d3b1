/**
 * Follows a path with one character, without a crowd: returns the next corner in each frame.
 *
 *     const follower = followPath(navMesh, from, to);
 *     each frame:  const steering = steerAlong(follower, navMesh, character.position);
 *                  move toward steering.corner, by no more than steering.distance
 *
 * The path stays valid while the character leaves it, the goal moves, and tiles and links are added or removed. The
 * corridor is repaired where that is possible, otherwise a search replaces it. Shortcuts are taken as they become
 * visible.
 *
 * In: a mesh and two points; then the character's position, after any kind of movement.
 * Out: the next corner, its distance, the remaining path length, the polygon under the character.
 * Cost: mostly a step of the corridor and two corners per call; in every sixteenth call also a search of 64 nodes.
 * Allocates the result.
 * Based on: own; the corridor is that of Detour (Mikko Mononen).
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { linkOf } from '../../mesh/crossing.ts';
import { checkKeys, checkMutable, checkRecord, refuse } from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { linkRefOf } from '../../mesh/link-ref.ts';
import { NULL_REF } from '../../mesh/ref.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../mesh/types.ts';
import { readFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { createPathBuffer, findPathInto } from '../../query/path/find-path.ts';
import type { PathOptions } from '../../query/path/find-path.ts';
import type { PathReason, PathStatus } from '../../query/path/result.ts';
import { readHalfExtents } from '../../query/nearest/nearest.ts';
import { createRayHit } from '../../query/ray/hit.ts';
import { createSearchState } from '../../query/search-state.ts';
import { createSlide } from '../../query/walk/slide.ts';
import { createCorridorCorners, findCorridorCorners } from './corners.ts';
import type { CorridorCorners } from './corners.ts';
import { resetCorridor, setCorridor } from './corridor.ts';
import { moveCorridorOverLink, moveCorridorPosition, moveCorridorTarget } from './move.ts';
import { optimizeCorridorTopology, optimizeCorridorVisibility } from './optimize.ts';
import { rebaseCorridor } from './rebase.ts';
import { CORNER_GOAL, CORNER_LINK, createPathCorridor } from './types.ts';
import type { PathCorridor } from './types.ts';

/** Every sixteenth call of `steerAlong` searches for a better path. */
const TOPOLOGY_CALLS = 16;
/** The budget of that search, in nodes. */
const TOPOLOGY_NODES = 64;
/** Maximum distance of corners for shortcuts, in agent radii. RecastDemo's crowd uses the same value. */
const SIGHT_RADII = 30;
/** The same in world units, for a mesh without an agent radius. */
const DEFAULT_SIGHT = 30;
/** A goal that moves by more than this many `arriveDistance`s has jumped, which starts a search. */
const STEP_DISTANCES = 4;
/** The default of `arriveDistance` for a mesh without an agent radius, world units. */
const DEFAULT_ARRIVE_DISTANCE = 0.1;

/** Options of `followPath`. */
export interface FollowPathOptions extends PathOptions {
  /**
   * A character this near to the goal, or to the entrance of a link, has arrived: world units, seen from
   * above, >= 0. Default: the agent radius of the mesh, or 0.1.
   */
  arriveDistance?: number;
}

/** The path of one character, up to date after each call. A plain record. */
export interface PathFollower {
  /** Status and reason of the last search, as in `findPath`. */
  status: PathStatus;
  reason: PathReason;
  /** The number of searches so far. */
  searchCount: number;
  corridor: PathCorridor;
  filter: QueryFilter;
  /** xyz: the goal as the caller gave it. */
  goal: Float64Array;
  halfExtents: Float64Array;
  maxNodes: number;
  arriveDistance: number;
  /** The number of `steerAlong` calls. */
  callCount: number;
}

/** The next step of a character. Lengths are in world units, seen from above except for `left`. */
export interface Steering {
  /**
   * 'complete': the path leads to the goal. 'partial': it leads as near to the goal as possible. 'none': the character
   * or the goal is off the mesh.
   */
  status: PathStatus;
  /**
   * The character's position on the mesh, as near to the given one as walls allow; the given one when no
   * polygon is near.
   */
  position: [number, number, number];
  /** The next point to go to; the position itself when there is no path. */
  corner: [number, number, number];
  /** Distance from the position to the corner. */
  distance: number;
  /** Path length from the position to the end of the path. */
  left: number;
  /** True: the end of the path is within `arriveDistance`. */
  isAtEnd: boolean;
  /** True: `isAtEnd`, and the path leads to the goal. */
  isAtGoal: boolean;
  /** The link that is entered at the corner; 0: none. */
  link: LinkRef;
  /** True: the entrance of the link is within `arriveDistance`. Call `crossLink`. */
  isAtLink: boolean;
  /** The polygon under the character; `NULL_REF`: none. */
  ref: PolyRef;
}

/** A traversal of a link, from `start` to `end` (world units). */
export interface LinkCrossing {
  link: LinkRef;
  start: [number, number, number];
  end: [number, number, number];
}

const FOLLOW_PATH_KEYS: readonly (keyof FollowPathOptions)[] = [
  'filter',
  'size',
  'halfExtents',
  'maxNodes',
  'arriveDistance',
];
const NO_LINK = 0 as LinkRef;
/** The point of the current call. */
const requested = new Float64Array(3);
const buffer = createPathBuffer();
const state = createSearchState();
const slide = createSlide();
const hit = createRayHit();
const corners = createCorridorCorners(2);
const secondCorner = new Float64Array(3);
const traverse = new Float64Array(6);

/**
 * Finds a path for one character to follow. `status` and `reason` of the result tell whether there is a path.
 *
 * Throws a TypeError for an invalid point and a RangeError for options that are unknown or out of range.
 */
export function followPath(
  mesh: NavMesh,
  from: PointLike,
  to: PointLike,
  options: FollowPathOptions = {},
): PathFollower {
  checkNavMesh('followPath', mesh);
  checkKeys('followPath', options, FOLLOW_PATH_KEYS);
  const filter = readFilter('followPath', options, mesh);
  const { maxNodes = Infinity } = options;
  const { arriveDistance = mesh.agent.radius > 0 ? mesh.agent.radius : DEFAULT_ARRIVE_DISTANCE } = options;
  if (typeof maxNodes !== 'number' || !(maxNodes >= 1)) refuse('followPath', 'options.maxNodes', maxNodes, '>= 1');
  if (typeof arriveDistance !== 'number' || !(arriveDistance >= 0))
    refuse('followPath', 'options.arriveDistance', arriveDistance, '>= 0');
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
  readPoint(requested, from, 'followPath', 'from');
  readHalfExtents(follower.halfExtents, mesh, options.halfExtents, 'followPath', filter);
  search(follower, mesh);
  return follower;
}

function checkFollower(caller: string, follower: PathFollower, mesh: NavMesh): void {
  checkRecord(caller, 'follower', follower, 'halfExtents', 'a PathFollower');
  checkMutable(caller, 'follower', follower);
  checkNavMesh(caller, mesh);
}

/**
 * Sets the goal of a follower. The end of the path follows a goal that moves over the walkable surface; a
 * goal that has jumped causes a search. Returns the status of the path. Throws a TypeError for an invalid
 * point.
 */
export function moveFollowerGoal(follower: PathFollower, mesh: NavMesh, to: PointLike): PathStatus {
  checkFollower('moveFollowerGoal', follower, mesh);
  const { corridor, filter, goal } = follower;
  readPoint(goal, to, 'moveFollowerGoal', 'to');
  for (let k = 0; k < 3; k++) requested[k] = corridor.position[k];
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

/**
 * Updates the path of a character that is now at `position`, and returns its next step.
 *
 * Call it once per frame, after any kind of movement. Searches again when the character was teleported, or when the
 * path was lost. Throws a TypeError for an invalid point.
 */
export function steerAlong(follower: PathFollower, mesh: NavMesh, position: PointLike): Steering {
  checkFollower('steerAlong', follower, mesh);
  const { corridor, filter, arriveDistance } = follower;
  readPoint(requested, position, 'steerAlong', 'position');
  follower.callCount++;
  const hasChanged = corridor.revision !== mesh.revision;
  const outcome = rebaseCorridor(corridor, mesh, filter);
  let isLost = outcome !== 'same' || (hasChanged && follower.status !== 'complete') || corridor.corridor.count === 0;
  if (!isLost) {
    const isThere = moveCorridorPosition(corridor, mesh, slide, state, requested, filter);
    // The character was teleported, or left a polygon that was closed while it stood there.
    isLost =
      (!isThere && !isNear(corridor.position, requested, arriveDistance)) ||
      (follower.status === 'complete' && corridor.corridor.outcome !== 'complete');
  }
  if (isLost) search(follower, mesh);
  if (follower.status === 'none') return noSteering(follower);
  const sight = mesh.agent.radius > 0 ? SIGHT_RADII * mesh.agent.radius : DEFAULT_SIGHT;
  findCorridorCorners(corners, corridor, mesh, 2);
  let isShorter = false;
  if (corners.count > 1) {
    for (let k = 0; k < 3; k++) secondCorner[k] = corners.points[3 + k];
    isShorter = optimizeCorridorVisibility(corridor, mesh, hit, secondCorner, sight, filter);
  }
  if (follower.callCount % TOPOLOGY_CALLS === 0) {
    isShorter = optimizeCorridorTopology(corridor, mesh, state, filter, TOPOLOGY_NODES) || isShorter;
  }
  if (isShorter) findCorridorCorners(corners, corridor, mesh, 2);
  return steeringOf(follower, mesh);
}

/**
 * Moves the path over the link that is entered next: the character is then at the far end. The caller animates the
 * traversal, such as a jump, a ladder or a door. Returns null when the next corner is not the entrance of a link.
 */
export function crossLink(follower: PathFollower, mesh: NavMesh): LinkCrossing | null {
  checkRecord('crossLink', 'follower', follower, 'halfExtents', 'a PathFollower');
  checkNavMesh('crossLink', mesh);
  const { corridor, filter } = follower;
  if (rebaseCorridor(corridor, mesh, filter) === 'start-gone') return null;
  findCorridorCorners(corners, corridor, mesh, 1);
  if (corners.count === 0 || corners.kinds[0] !== CORNER_LINK) return null;
  const linkEnd = corners.linkEnds[0];
  moveCorridorOverLink(corridor, mesh, linkEnd, traverse);
  const { position } = corridor;
  return {
    link: linkRefOf(mesh, linkOf(linkEnd)),
    start: [traverse[0], traverse[1], traverse[2]],
    end: [position[0], position[1], position[2]],
  };
}

/** Searches a path from `requested` to the goal. */
function search(follower: PathFollower, mesh: NavMesh): void {
  const { corridor, goal, halfExtents, filter, maxNodes } = follower;
  findPathInto(buffer, state, mesh, { start: requested, end: goal, halfExtents, filter, maxNodes });
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

/** Returns the steering of a follower without a path. */
function noSteering({ corridor }: PathFollower): Steering {
  const isOn = corridor.corridor.count > 0;
  const [x, y, z] = isOn ? corridor.position : requested;
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
    link: isLink ? linkRefOf(mesh, linkOf(corners.linkEnds[0])) : NO_LINK,
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
