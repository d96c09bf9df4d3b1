/**
 * A path between two positions: locate both ends (nearest.ts), search a corridor (a-star.ts), straighten it
 * (funnel.ts).
 *
 * If the end is on another island, the path leads to the point of the start's island that is nearest to the end, so
 * that the search need not visit the whole island first. If the islands are out of date, they are updated only after
 * a search has failed; the result is the same. If the filter, a one-way link or the budget makes the end unreachable,
 * the path leads to the node nearest to it.
 *
 * In: two positions, the half extents to find polygons near each, a filter, a budget.
 * Out: status and reason, corridor, corners, length.
 * Cost: two lookups in the tree, O(n log n) in the nodes that the search visits, linear in the corridor. No
 *   allocation in the kernel after warm-up.
 * Based on: own. The result is that of Detour's findStraightPath (Mikko Mononen, 2009) with a reason. If the end is
 *   on another island, Detour visits the whole island of the start and stops at the edge midpoint nearest to the end.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { refreshIslands } from '../../mesh/islands.ts';
import { islandRelationFor, sizeIslands } from '../connected.ts';
import { refOf } from '../../mesh/ref.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { beginCorridor, runCorridor, writeCorridor } from './a-star.ts';
import { createCorridor } from './corridor.ts';
import type { Corridor } from './corridor.ts';
import { DEFAULT_FILTER, readFilter, refuseInMethod } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { pullString } from './funnel.ts';
import { createPathLine } from './path-line.ts';
import { pointsOf, setLength, setSize } from './result.ts';
import type { LocatedPath, PathReason, PathStatus } from './result.ts';
import type { PathLine } from './path-line.ts';
import { findNearestOnIsland } from '../nearest/on-island.ts';
import { createNearestHit, findNearestInto, readHalfExtents } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

/** Options of `findPath`. */
export interface PathOptions {
  /** Which polygons and links the path may use, and the cost of each area. Default: all with at least one flag, at cost 1. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
  /**
   * Half the size of the box in which an end may be moved onto the mesh, world units: `[x, y, z]`, or one
   * number for all three. `Infinity` takes the nearest polygon at any distance. Default: two agent
   * radii and two cells in x and z, the agent's height in y.
   */
  halfExtents?: PointLike | number;
  /**
   * Largest number of nodes that the search may visit, at least 1. A node is a polygon; on meshes with tiles or links,
   * polygons have several nodes, one per kind of entrance. Default: no limit. For the exact search see `findOptimalPath`.
   */
  maxNodes?: number;
}

/** Keys of `PathOptions`, for `checkKeys`. */
export const PATH_KEYS: readonly string[] = ['filter', 'size', 'halfExtents', 'maxNodes'];

/** Input of the kernels: both ends, and `PathOptions` with all defaults filled in. Lengths are in world units. */
export interface PathQuery {
  /** xyz. */
  start: Float64Array;
  /** xyz. */
  end: Float64Array;
  /** xyz, none below 0. */
  halfExtents: Float64Array;
  filter: QueryFilter;
  /** 1 or more. */
  maxNodes: number;
  /** For kernels that search the shortest path: `tautenPath`, or none. */
  tauten?: PathTautener;
}

/** Improves a path where area costs differ: `tautenPath`. */
export type PathTautener = (out: PathBuffer, mesh: NavMesh, filter: QueryFilter) => void;

/** Output of the kernel. Create it once with `createPathBuffer` and reuse it. */
export interface PathBuffer {
  status: PathStatus;
  reason: PathReason;
  /** Length of the line, world units. */
  length: number;
  /** The ends, moved onto the mesh. */
  start: NearestHit;
  end: NearestHit;
  /** The goal polygon of the search (dense index): that of the end, or one on the start's island. */
  goalPoly: number;
  /** True if islands were out of date when the search began, so that the end may be on another one. */
  isUnsure: boolean;
  /** The index of the size that the path is for. */
  size: number;
  corridor: Corridor;
  line: PathLine;
}

/** Returns an empty buffer for `findPathInto`. */
export function createPathBuffer(): PathBuffer {
  return {
    status: 'none',
    reason: '',
    // NaN, so that the engine stores the field as a double from the start.
    length: NaN,
    start: createNearestHit(),
    end: createNearestHit(),
    goalPoly: -1,
    isUnsure: false,
    size: 0,
    corridor: createCorridor(),
    line: createPathLine(),
  };
}

/** A search for a corridor in three steps: begin, expand nodes until it is over, write the result. */
export interface CorridorSearch {
  begin: typeof beginCorridor;
  run: typeof runCorridor;
  write: typeof writeCorridor;
}

/** A* over polygons. optimal/skip-dead-ends.ts replaces its functions. @internal */
export const POLYGON_SEARCH: CorridorSearch = { begin: beginCorridor, run: runCorridor, write: writeCorridor };

/** A number of nodes that no mesh exceeds. */
const UNLIMITED = 0x3fffffff;

const landing = createNearestHit();
const sharedQuery = createPathQuery();
// Shared by all meshes: the state grows to the largest mesh searched.
const sharedState = createSearchState();
const sharedBuffer = createPathBuffer();

/**
 * Returns the path from start to end: A* over polygons, straightened by a funnel. Positions are `[x, y, z]`,
 * typed arrays or `{ x, y, z }`. If several corridors have nearly equal costs, the line may not be the shortest;
 * `findOptimalPath` finds the shortest.
 *
 * Throws a TypeError if the value is not a position, a RangeError for options out of range and unknown keys.
 */
export function findPath(mesh: NavMesh, start: PointLike, end: PointLike, options: PathOptions = {}): LocatedPath {
  checkKeys('findPath', options, PATH_KEYS);
  readPathQuery(sharedQuery, mesh, start, end, options, 'findPath');
  findPathInto(sharedBuffer, sharedState, mesh, sharedQuery);
  return pathOf(mesh, sharedBuffer);
}

/** Returns a query for `readPathQuery` to fill. @internal */
export function createPathQuery(): PathQuery {
  return {
    start: new Float64Array(3),
    end: new Float64Array(3),
    halfExtents: new Float64Array(3),
    filter: DEFAULT_FILTER,
    maxNodes: Infinity,
  };
}

/** Checks the arguments of a path function and completes them with defaults. @internal */
export function readPathQuery(
  out: PathQuery,
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: PathOptions,
  caller: string,
): void {
  refuseInMethod(caller);
  const filter = readFilter(caller, options, mesh);
  const { maxNodes = Infinity } = options;
  readPoint(out.start, start, caller, 'start');
  readPoint(out.end, end, caller, 'end');
  readHalfExtents(out.halfExtents, mesh, options.halfExtents, caller, filter);
  checkMaxNodes(maxNodes, caller);
  out.filter = filter;
  out.maxNodes = maxNodes;
}

/** Throws a RangeError unless `maxNodes` is 1 or more. @internal */
export function checkMaxNodes(maxNodes: number, caller: string): void {
  if (typeof maxNodes !== 'number' || !(maxNodes >= 1)) refuse(caller, 'options.maxNodes', maxNodes, 'a number >= 1');
}

/** Returns the path in a buffer as a new result that shares no memory with the buffer. @internal */
export function pathOf(mesh: NavMesh, found: PathBuffer): LocatedPath {
  const { corridor, line } = found;
  const polys: PolyRef[] = [];
  for (let i = 0; i < corridor.count; i++) polys.push(refOf(mesh, corridor.polys[i]));
  const path: LocatedPath = {
    status: found.status,
    reason: found.reason,
    points: pointsOf(line.points, line.count),
    polys,
    length: found.length,
    cost: corridor.cost,
    startDistance: Math.sqrt(found.start.distanceSq),
    endDistance: Math.sqrt(found.end.distanceSq),
  };
  setSize(path, mesh, found);
  return path;
}

/**
 * Kernel of `findPath`: writes status, corridor and corners into `out`. Allocates nothing once the buffers
 * have grown.
 */
export function findPathInto(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  query: PathQuery,
  search: CorridorSearch = POLYGON_SEARCH,
): void {
  const { filter } = query;
  if (!beginPath(out, state, mesh, query, search)) return;
  // The limit is passed as a small integer, since V8 may allocate doubles that are passed to a function.
  const maxNodes = Math.min(Math.ceil(query.maxNodes), UNLIMITED) | 0;
  do search.run(state, mesh, filter, maxNodes, Infinity);
  while (!endPath(out, state, mesh, filter, search));
}

/**
 * Locates the ends and prepares the state for `runCorridor`. Returns false when an end is off the mesh.
 * @internal
 */
export function beginPath(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  query: PathQuery,
  search: CorridorSearch = POLYGON_SEARCH,
): boolean {
  const { halfExtents, filter } = query;
  clearPathBuffer(out);
  out.size = filter.size ?? 0;
  findNearestInto(out.start, mesh, query.start, halfExtents, filter);
  findNearestInto(out.end, mesh, query.end, halfExtents, filter);
  out.goalPoly = out.end.poly;
  if (out.start.poly >= 0 && out.goalPoly >= 0) {
    startSearch(out, state, mesh, filter, search);
    return true;
  }
  out.reason = out.start.poly < 0 ? 'start-off-mesh' : 'end-off-mesh';
  return false;
}

/** Sets everything but the ends to "no path". @internal */
export function clearPathBuffer(out: PathBuffer): void {
  out.status = 'none';
  out.reason = '';
  out.length = 0;
  out.corridor.count = 0;
  out.corridor.cost = 0;
  out.line.count = 0;
}

/** Starts the search for the end, or for the point nearest to it on the start's island. */
function startSearch(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  search: CorridorSearch,
): void {
  const { start, end } = out;
  const isConnected = islandRelationFor(mesh, filter, start.poly, out.goalPoly);
  out.status = 'complete';
  out.isUnsure = isConnected < 0;
  if (isConnected === 0) {
    out.status = 'partial';
    out.reason = 'unreachable';
    findNearestOnIsland(landing, mesh, start.poly, end.point, filter);
    out.goalPoly = landing.poly;
    end.point.set(landing.point);
  }
  search.begin(state, mesh, filter, start.poly, start.point, out.goalPoly, end.point);
}

/**
 * Writes the path that the search has found and returns true. Returns false if the search could not succeed and another
 * search has replaced it, which the caller must run next. @internal
 */
export function endPath(
  out: PathBuffer,
  state: SearchState,
  mesh: NavMesh,
  filter: QueryFilter,
  search: CorridorSearch = POLYGON_SEARCH,
): boolean {
  const { corridor, line } = out;
  const goal = out.end.point;
  search.write(corridor, state, mesh);
  if (corridor.outcome !== 'complete') {
    if (out.isUnsure) {
      refreshIslands(mesh);
      sizeIslands.find?.(mesh, filter);
      if (islandRelationFor(mesh, filter, out.start.poly, out.goalPoly) === 0) {
        startSearch(out, state, mesh, filter, search);
        return false;
      }
    }
    out.status = 'partial';
    out.reason = corridor.outcome;
    closestPointOnPoly(goal, mesh, corridor.polys[corridor.count - 1], goal);
  }
  pullString(line, mesh, corridor, out.start.point, goal);
  setLength(out, line);
  return true;
}
