/**
 * Finds exact shortest paths with a path index.
 *
 * Both ends are located on the mesh. If the start sees the end, the path is a straight line. Otherwise the path leads
 * from the start to a corner that it sees, over corners of the index to a corner that the end sees, and to the end.
 * When the index cannot guarantee the shortest path, `findOptimalPathInto` searches instead. Cases are area costs that
 * differ, ends where obstacles touch, links with segments as ends, no path at all, and an index that does not fit the
 * mesh.
 *
 * In: an index, a mesh, two positions, a filter.
 * Out: a path, whether it is exact, and its source.
 * Cost: locating both ends, a ray, and a few dozen lookups; a search where the index cannot answer.
 * Based on: Bojie Shen, Muhammad Aamir Cheema, Daniel Harabor, Peter Stuckey, Euclidean Pathfinding with Compressed Path Databases,
 * 2020.
 */
import { checkKeys } from '../../base/data/refuse.ts';
import type { PointLike } from '../../base/math/point.ts';
import { refreshIslands } from '../../mesh/islands.ts';
import { refOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { sizeIslands } from '../connected.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createNearestHit, findNearestInto } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { findLanding, joinEnds } from '../optimal/ends.ts';
import {
  OPTIMAL_KEYS,
  clearPath,
  createOptimalBuffer,
  findOptimalPathInto,
  isUniform,
  readTauten,
} from '../optimal/optimal.ts';
import type { OptimalBuffer, OptimalOptions, OptimalPath } from '../optimal/optimal.ts';
import { createOptimalState } from '../optimal/state.ts';
import type { OptimalState } from '../optimal/state.ts';
import { createPathQuery, readPathQuery } from '../path/find-path.ts';
import type { PathQuery } from '../path/find-path.ts';
import { setSize } from '../path/result.ts';
import { createRayHit } from '../ray/hit.ts';
import type { RayHit } from '../ray/hit.ts';
import { raycastInto } from '../ray/raycast.ts';
import { AT_VERTEX, isAround, isPinched, moveInside, placeIn } from './lookup/around.ts';
import { createCornerSearch, searchCorners } from './lookup/corner-search.ts';
import type { CornerSearch } from './lookup/corner-search.ts';
import {
  INDEX_GROWN,
  INDEX_STALE,
  INDEX_WHOLE,
  isDoubtful,
  isOnSliver,
  isSameTile,
  matchOf,
  mayBeRough,
} from './identity.ts';
import type { Match } from './identity.ts';
import { createHubState, findLabelPath } from './lookup/label-pairs.ts';
import type { HubState } from './lookup/label-pairs.ts';
import { writeLine } from './lookup/line.ts';
import { locateInto } from './lookup/locate.ts';
import { createOverlayState, findBorders, writeOverlayPath } from './overlay/path.ts';
import type { OverlayState } from './overlay/path.ts';
import { createCornerPath, findCornerPath } from './lookup/pairs.ts';
import type { CornerPath } from './lookup/pairs.ts';
import { checkIndex } from './check-index.ts';
import { createSeenCorners, findSeenCorners } from './lookup/seen.ts';
import type { SeenCorners } from './lookup/seen.ts';
import { seesEnd } from './lookup/sight.ts';
import { filterOf, indexFor } from './sizes.ts';
import type { PathIndex } from './types.ts';
import { walkLine } from './lookup/walk.ts';

/** Options of `findIndexedPath`. */
export interface IndexedPathOptions extends OptimalOptions {
  /** Whether to list the polygons of the corridor. Default false, which is faster. */
  withPolys?: boolean;
}

/** The source of a path: the index, or a search because the index could not answer. */
export type PathSource = 'index' | 'search';

/** Result of `findIndexedPath`. `polys` is empty without `withPolys`. */
export interface IndexedPath extends OptimalPath {
  source: PathSource;
}

/** Result of the kernel. Create it with `createIndexedBuffer` and reuse it. `corridor` is empty unless `withPolys` is set. */
export interface IndexedBuffer extends OptimalBuffer {
  /** Input: whether to write the corridor. */
  withPolys: boolean;
  source: PathSource;
}

/** Memory of the kernel. Create it with `createIndexedState` and reuse it. */
export interface IndexedState {
  optimal: OptimalState;
  starts: SeenCorners;
  goals: SeenCorners;
  path: CornerPath;
  search: CornerSearch;
  hubs: HubState;
  overlay: OverlayState;
  /** Query of a search between ends that are near each other. */
  near: PathQuery;
  hit: RayHit;
  /** The reachable position nearest to an end on another island. */
  landing: NearestHit;
  /** x and z of the start, x and z of the end. */
  ends: Float64Array;
}

/** An end of a path: its position, and the corners that see it. */
export interface SeenEnd {
  hit: NearestHit;
  seen: SeenCorners;
}

/** Creates an empty result for `findIndexedPathInto`. It grows as needed. */
export function createIndexedBuffer(): IndexedBuffer {
  return { ...createOptimalBuffer(), withPolys: false, source: 'index' };
}

/** Creates the state of `findIndexedPathInto`, for one call at a time. It grows with the mesh. */
export function createIndexedState(): IndexedState {
  return {
    optimal: createOptimalState(),
    starts: createSeenCorners(),
    goals: createSeenCorners(),
    path: createCornerPath(),
    search: createCornerSearch(),
    hubs: createHubState(),
    overlay: createOverlayState(),
    near: createPathQuery(),
    hit: createRayHit(),
    landing: createNearestHit(),
    ends: new Float64Array(4),
  };
}

const INDEXED_KEYS: readonly string[] = [...OPTIMAL_KEYS, 'withPolys'];

/**
 * With at most this many borders between the ends, an exact search of up to `NEAR_NODES` nodes finds the path; farther
 * ends use the overlay.
 */
const NEAR_BORDERS = 4;
const NEAR_NODES = 1000;

/** Both ends, moved away from walls by a few rounding errors. */
const insideStart = new Float64Array(3);
const insideEnd = new Float64Array(3);
/** The last ray of `isStraight` hit a wall that is a wall for all filters, and was a wall when the index was built. */
let wasWall = false;
const sharedQuery = createPathQuery();
const corridorQuery = createPathQuery();
const sharedState = createIndexedState();
const sharedBuffer = createIndexedBuffer();

/**
 * Returns the shortest path from start to end, seen from above. It equals the path of `findOptimalPath` and takes a
 * fraction of the time.
 *
 * Points and options are those of `findPath`, in world units. `maxNodes` limits the search when the index cannot
 * answer. Changes of the mesh since the build are detected: paths through removed surface are searched, and after
 * surface was added `exact` is false. Throws a TypeError for invalid points and a RangeError for unknown or invalid
 * options.
 */
export function findIndexedPath(
  index: PathIndex,
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: IndexedPathOptions = {},
): IndexedPath {
  checkIndex('findIndexedPath', index);
  checkKeys('findIndexedPath', options, INDEXED_KEYS);
  readPathQuery(sharedQuery, mesh, start, end, options, 'findIndexedPath');
  readTauten(sharedQuery, options, 'findIndexedPath');
  sharedBuffer.withPolys = options.withPolys === true;
  findIndexedPathInto(sharedBuffer, sharedState, index, mesh, sharedQuery);
  return indexedPathOf(mesh, sharedBuffer);
}

/** Returns a result record that shares nothing with the buffer. */
function indexedPathOf(mesh: NavMesh, found: IndexedBuffer): IndexedPath {
  const { line, corridor, start, end } = found;
  const { points } = line;
  const { count } = line;
  const corners: [number, number, number][] = [];
  for (let i = 0; i < 3 * count; i += 3) corners.push([points[i], points[i + 1], points[i + 2]]);
  const polys: PolyRef[] = [];
  for (let i = 0; i < corridor.count; i++) polys.push(refOf(mesh, corridor.polys[i]));
  const path: IndexedPath = {
    status: found.status,
    reason: found.reason,
    points: corners,
    polys,
    length: found.length,
    cost: corridor.cost,
    startDistance: Math.sqrt(start.distanceSq),
    endDistance: Math.sqrt(end.distanceSq),
    exact: found.isExact,
    planarLength: found.planarLength,
    source: found.source,
  };
  setSize(path, mesh, found);
  return path;
}

/** Kernel of `findIndexedPath`. Allocates nothing once buffer and state have grown. */
export function findIndexedPathInto(
  out: IndexedBuffer,
  state: IndexedState,
  index: PathIndex,
  mesh: NavMesh,
  query: PathQuery,
): void {
  const sized = indexFor(index, mesh, query.filter);
  const match = matchOf(sized, mesh);
  out.size = query.filter.size ?? 0;
  if (match.worth !== INDEX_STALE && answer(out, state, sized, match, query)) return;
  out.source = 'search';
  findOptimalPathInto(out, state.optimal, mesh, query);
  if (!out.withPolys) out.corridor.count = 0;
}

/** Finds the path with the index. Returns false when it cannot; `out` is then incomplete. */
function answer(out: IndexedBuffer, state: IndexedState, index: PathIndex, match: Match, query: PathQuery): boolean {
  const { filter } = query;
  if (!isOfIndex(filter)) return false;
  const { start, end } = out;
  clearPath(out);
  out.source = 'index';
  locateEnds(out, index, match, query);
  if (start.poly < 0 || end.poly < 0) {
    out.reason = start.poly < 0 ? 'start-off-mesh' : 'end-off-mesh';
    return true;
  }
  return answerLocated(out, state, index, match, query);
}

/**
 * Kernel. Writes the shortest path between two positions on polygons into `out`, with its corridor. Returns false when the index cannot
 * answer or cannot guarantee that no path is shorter; it never searches the mesh.
 */
// oxlint-disable-next-line max-params -- two ends on polygons
export function findIndexedCorridor(
  out: IndexedBuffer,
  state: IndexedState,
  index: PathIndex,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
  endPoly: number,
  end: Float64Array,
): boolean {
  const sized = indexFor(index, mesh, filter);
  const match = matchOf(sized, mesh);
  state.search.visitedCount = 0;
  if (match.worth === INDEX_STALE || sized.tier === 'overlay') return false;
  if (!isOfIndex(filter)) return false;
  clearPath(out);
  out.withPolys = true;
  out.start.poly = startPoly;
  out.start.point.set(start);
  out.end.poly = out.goalPoly = endPoly;
  out.end.point.set(end);
  corridorQuery.filter = filter;
  return answerLocated(out, state, sized, match, corridorQuery) && out.isExact && out.status === 'complete';
}

/** Finds the path between the ends of `out` with the index. Returns false when it cannot. */
function answerLocated(
  out: IndexedBuffer,
  state: IndexedState,
  index: PathIndex,
  match: Match,
  query: PathQuery,
): boolean {
  const { mesh } = match;
  const { filter } = query;
  const { start, end } = out;
  let known = joinEnds(mesh, filter, start, end);
  if (known < 0) {
    // Islands are stale only after a change, when the index is compared with the whole mesh anyway.
    refreshIslands(mesh);
    sizeIslands.find?.(mesh, filter);
    known = joinEnds(mesh, filter, start, end);
  }
  out.status = 'complete';
  out.goalPoly = end.poly;
  if (known !== 0) return answerReachable(out, state, index, match, query);
  const { landing } = state;
  findLanding(landing, mesh, filter, start, end.point);
  out.status = 'partial';
  out.reason = 'unreachable';
  out.goalPoly = landing.poly;
  end.point.set(landing.point);
  // As in the result of a search, the end stays on its own polygon.
  const endPoly = end.poly;
  end.poly = landing.poly;
  const isAnswered = answerReachable(out, state, index, match, query);
  end.poly = endPoly;
  return isAnswered;
}

/** Does the same for two ends on one island. */
function answerReachable(
  out: IndexedBuffer,
  state: IndexedState,
  index: PathIndex,
  match: Match,
  query: PathQuery,
): boolean {
  const { mesh, worth } = match;
  const { filter } = query;
  const { start, end } = out;
  // The paths of an overlay need not be the shortest, so it always answers.
  const isOverlay = index.tier === 'overlay';
  const isUnsure = match.doubts.length > 0 && isDoubtful(match, start.poly);
  if (!isOverlay && (isUnsure || isOnSliver(index, start.poly, end.poly))) return false;
  const isOnOutline = placeIn(mesh, start.poly, start.point) | placeIn(mesh, end.poly, end.point);
  if ((isOnOutline & AT_VERTEX) !== 0 && hasPinch(mesh, filter, out)) return false;
  const { ends } = state;
  ends[0] = start.point[0];
  ends[1] = start.point[2];
  ends[2] = end.point[0];
  ends[3] = end.point[2];
  const needsWalk = out.withPolys || worth !== INDEX_WHOLE || !passesAll(filter);
  state.path.count = 0;
  state.search.visitedCount = 0;
  const isStraightOpen = isStraight(state, mesh, filter, out, isOnOutline !== 0);
  // With links, the straight line need not be the shortest path.
  let isLong = isOverlay && (!isStraightOpen || index.linkScale < 1);
  if (!isStraightOpen && !isLong) {
    // The path of the index is the shortest one that turns. If surface was removed or closed, a straight path may have
    // been open before. The shortest path may then turn at corners that the index does not have.
    if (!wasWall && worth !== INDEX_GROWN && (worth !== INDEX_WHOLE || !passesAll(filter))) return false;
  }
  if (!isStraightOpen || index.linkScale < 1) {
    if (
      worth !== INDEX_WHOLE &&
      !(isSameTile(index, mesh, mesh.polyTile[start.poly]) && isSameTile(index, mesh, mesh.polyTile[end.poly]))
    )
      return false;
    if (isLong) {
      const borderCount = findBorders(out, state.overlay, index, mesh, filter);
      if (borderCount === 0 && !isStraightOpen) return false;
      if (borderCount > 0 && borderCount <= NEAR_BORDERS && out.status === 'complete') {
        if (searchNear(out, state, mesh, query)) return true;
        locateEnds(out, index, match, query);
        out.status = 'complete';
      }
      const isWritten =
        borderCount > 0 && writeOverlayPath(out, state.overlay, index, mesh, filter, worth === INDEX_WHOLE);
      if (isStraightOpen && !(isWritten && out.corridor.cost < straightLength(ends))) isLong = false;
      else if (!isWritten) return false;
    }
    const isFound = !isOverlay && findCorners(state, index, out);
    if (!isFound && !isStraightOpen && !isLong) return false;
    // A link may be shorter than the straight line.
    if (isStraightOpen && !(isFound && state.path.length[0] < straightLength(ends))) state.path.count = 0;
  }
  // A straight line is the shortest path unless a link is shorter.
  const isExact = !isUnsure && ((worth !== INDEX_GROWN && !isOverlay) || (isStraightOpen && mesh.linkScale === 1));
  if (!isLong) {
    if (!isOverlay && match.rough.length > 0) {
      if (state.path.count === 0) state.path.length[0] = straightLength(ends);
      if (mayBeRough(match, index, ends, state.path.length)) return false;
    }
    writeLine(out, index, state.path);
    if (needsWalk && !walkLine(out.corridor, out.line, index, mesh, filter, start.poly, end.poly)) return false;
  }
  if (!out.withPolys) out.corridor.count = 0;
  out.corridor.outcome = out.status === 'complete' ? 'complete' : 'unreachable';
  out.corridor.visitedCount = state.search.visitedCount;
  if (filter !== DEFAULT_FILTER) out.corridor.cost *= filter.areaCosts[0];
  out.isUnsure = false;
  out.isExact = isExact;
  return true;
}

function locateEnds(out: IndexedBuffer, index: PathIndex, { mesh, worth }: Match, query: PathQuery): void {
  const { start, end } = out;
  const { filter, halfExtents } = query;
  if (worth === INDEX_WHOLE) {
    locateInto(start, index, mesh, query.start, halfExtents, filter);
    locateInto(end, index, mesh, query.end, halfExtents, filter);
  } else {
    findNearestInto(start, mesh, query.start, halfExtents, filter);
    findNearestInto(end, mesh, query.end, halfExtents, filter);
  }
  out.goalPoly = end.poly;
}

/**
 * Searches the shortest path between ends that are near each other. Returns false if it takes too many nodes; both ends
 * are then overwritten.
 */
function searchNear(out: IndexedBuffer, { optimal, near }: IndexedState, mesh: NavMesh, query: PathQuery): boolean {
  near.start.set(query.start);
  near.end.set(query.end);
  near.halfExtents.set(query.halfExtents);
  near.filter = query.filter;
  near.maxNodes = NEAR_NODES;
  findOptimalPathInto(out, optimal, mesh, near);
  if (out.status !== 'complete') {
    clearPath(out);
    return false;
  }
  if (!out.withPolys) out.corridor.count = 0;
  return true;
}

/** Both ends of a path, on polygons. */
type Ends = Pick<IndexedBuffer, 'start' | 'end'>;
const pair: Ends = { start: createNearestHit(), end: createNearestHit() };

/**
 * Returns whether `writeLengthBetween` may be called: the index (of the filter's size) fits the whole mesh, and the
 * filter has no effect on paths.
 */
export function isSimple(index: PathIndex, mesh: NavMesh, filter: QueryFilter): boolean {
  const { worth, doubts, rough } = matchOf(index, mesh);
  const isSure = worth === INDEX_WHOLE && doubts.length === 0 && rough.length === 0;
  return index.tier !== 'overlay' && isSure && isOfIndex(filter) && passesAll(filter);
}

/**
 * Writes the length of the shortest path between two located ends whose corners are listed to `out[0]`, with the costs
 * of links. Returns false when the index cannot answer. The length is written to an array, because V8 may allocate
 * returned numbers.
 */
export function writeLengthBetween(
  out: Float64Array,
  state: IndexedState,
  index: PathIndex,
  mesh: NavMesh,
  from: SeenEnd,
  to: SeenEnd,
): boolean {
  const { ends, path } = state;
  const filter = filterOf(index);
  pair.start = from.hit;
  pair.end = to.hit;
  if (isOnSliver(index, from.hit.poly, to.hit.poly)) return false;
  const isOnOutline = placeIn(mesh, from.hit.poly, from.hit.point) | placeIn(mesh, to.hit.poly, to.hit.point);
  if ((isOnOutline & AT_VERTEX) !== 0 && hasPinch(mesh, filter, pair)) return false;
  ends[0] = from.hit.point[0];
  ends[1] = from.hit.point[2];
  ends[2] = to.hit.point[0];
  ends[3] = to.hit.point[2];
  out[0] = Infinity;
  if (isStraight(state, mesh, filter, pair, isOnOutline !== 0)) {
    out[0] = straightLength(ends);
    if (index.linkScale === 1) return true;
  }
  if (joinSeen(state, index, from.seen, to.seen) && path.length[0] < out[0]) out[0] = path.length[0];
  return out[0] < Infinity;
}

/** Returns the length of the straight line between both ends, seen from above. */
function straightLength(ends: Float64Array): number {
  const dx = ends[2] - ends[0];
  const dz = ends[3] - ends[1];
  return Math.sqrt(dx * dx + dz * dz);
}

/** Returns whether an end is at a vertex where obstacles touch. */
function hasPinch(mesh: NavMesh, filter: QueryFilter, { start, end }: Ends): boolean {
  return isPinched(mesh, filter, start.poly, start.point) || isPinched(mesh, filter, end.poly, end.point);
}

/** Returns whether an index may answer for a filter: without methods and with equal costs. */
function isOfIndex(filter: QueryFilter): boolean {
  return filter.passes === undefined && isUniform(filter);
}

/** Returns whether the filter passes everything that the default filter passes. */
function passesAll(filter: QueryFilter): boolean {
  const { includeFlags, excludeFlags, areaCosts, closedLinks = 0 } = filter;
  return (
    filter === DEFAULT_FILTER ||
    (includeFlags === 0xffff &&
      excludeFlags === 0 &&
      closedLinks === 0 &&
      (areaCosts === DEFAULT_FILTER.areaCosts || !areaCosts.includes(Infinity)))
  );
}

/**
 * Returns whether the start sees the end. Along walls, a ray may hit the wall by a rounding error; a second ray keeps
 * away from walls.
 */
function isStraight(
  state: IndexedState,
  mesh: NavMesh,
  filter: QueryFilter,
  { start, end }: Ends,
  isOnOutline: boolean,
): boolean {
  if (start.poly === end.poly) return true;
  wasWall = false;
  const { hit, ends } = state;
  if (!isOnOutline) {
    const sees = seesEnd(mesh, filter, start.poly, end.poly, ends);
    wasWall = sees === 0;
    if (sees !== -1) return sees === 1;
  }
  raycastInto(hit, mesh, start.poly, start.point, end.point, filter, false);
  if (hit.status === 'reached' && isAround(mesh, filter, end.poly, end.point, hit.poly)) return true;
  if (!isOnOutline) return false;
  // Rounding differs in the opposite direction.
  raycastInto(hit, mesh, end.poly, end.point, start.point, filter, false);
  if (hit.status === 'reached' && isAround(mesh, filter, start.poly, start.point, hit.poly)) return true;
  moveInside(insideStart, mesh, start.poly, start.point);
  moveInside(insideEnd, mesh, end.poly, end.point);
  raycastInto(hit, mesh, start.poly, insideStart, insideEnd, filter, false);
  return hit.status === 'reached' && hit.poly === end.poly;
}

/** Writes the corners between both ends into `state.path`. Returns false when there is no path. */
function findCorners(state: IndexedState, index: PathIndex, { start, end }: Ends): boolean {
  const { starts, goals, ends } = state;
  findSeenCorners(starts, index, start.poly, ends, 0);
  findSeenCorners(goals, index, end.poly, ends, 2);
  return joinSeen(state, index, starts, goals);
}

/**
 * Writes the corners between both ends of `state` into `state.path`, given the corners that see each end. Returns false
 * when there is no path.
 */
function joinSeen(state: IndexedState, index: PathIndex, starts: SeenCorners, goals: SeenCorners): boolean {
  const { ends, path } = state;
  if (index.tier === 'table') return findCornerPath(path, index, starts, goals, ends);
  if (index.tier === 'labels') return findLabelPath(path, state.hubs, index, starts, goals, ends);
  return searchCorners(path, state.search, index, starts, goals, ends);
}
