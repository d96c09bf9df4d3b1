/**
 * Finds the shortest path between two positions, seen from above, with the exact search of search.ts.
 *
 * On a 2D map this is the shortest path there is. On a level it is the path of least length in the plane, across
 * storeys, tiles and links. Where area costs differ, this search does not apply. The result is then the path of
 * `findPath`, which the function `tautenPath` (taut.ts) may improve, and `exact` is false. If the end is unreachable, the path leads to the reachable
 * position nearest to it.
 *
 * In: a mesh, two positions, a filter.
 * Out: a path, and whether it is exact.
 * Cost: 0.2 to 4 times the time of `findPath` (bench `optimal`).
 * Based on: own; see search.ts.
 */
import { checkFunction, checkKeys } from '../../base/data/refuse.ts';
import { isLinkCrossing, linkEndOf, linkLength, otherEnd } from '../../mesh/crossing.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { refreshIslands } from '../../mesh/islands.ts';
import { islandRelationFor, sizeIslands } from '../connected.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import {
  PATH_KEYS,
  clearPathBuffer,
  createPathBuffer,
  createPathQuery,
  findPathInto,
  pathOf,
  readPathQuery,
} from '../path/find-path.ts';
import type { PathBuffer, PathOptions, PathQuery, PathTautener } from '../path/find-path.ts';
import { lineCost, setLineCost } from '../path/line-cost.ts';
import type { LocatedPath } from '../path/result.ts';
import type { CorridorOutcome } from '../path/corridor.ts';
import { createNearestHit, findNearestInto } from '../nearest/nearest.ts';
import { addEnd, addStart, findLanding, joinEnds } from './ends.ts';
import { nearestNodeOf } from './estimate.ts';
import { writeOptimalCorridor, writeOptimalLine } from './line.ts';
import { runOptimal } from './search.ts';
import { LINK_STRIDE, POLY, beginOptimal, createOptimalState } from './state.ts';
import type { OptimalState } from './state.ts';
import type { PointLike } from '../../base/math/point.ts';
import { createSearchState } from '../search-state.ts';
import type { SearchState } from '../search-state.ts';

/** Options of `findOptimalPath`. */
export interface OptimalOptions extends PathOptions {
  /**
   * The function `tautenPath`: where area costs differ, it removes corners of the path of `findPath` that cost nothing to
   * remove. Default: none. `findCheapestPath` finds cheaper paths there.
   */
  tauten?: PathTautener;
}

/** Keys of `OptimalOptions`, for `checkKeys`. */
export const OPTIMAL_KEYS: readonly string[] = /* @__PURE__ */ PATH_KEYS.concat('tauten');

/** Result of `findOptimalPath`. */
export interface OptimalPath extends LocatedPath {
  /**
   * Whether no path is shorter, seen from above, up to the rounding of lengths. False where area costs differ and when
   * the budget ran out. Also false when the search met a polygon without area or one that touches itself, or links
   * whose ends are segments, because it considers only their middles.
   */
  exact: boolean;
  /** Length seen from above without links, in world units. `cost` also includes the costs of links. */
  planarLength: number;
}

/** Result of the kernel. Create it with `createOptimalBuffer` and reuse it. */
export interface OptimalBuffer extends PathBuffer {
  isExact: boolean;
  planarLength: number;
  /** State of A*, used where area costs differ and to confirm that there is no path. */
  search: SearchState;
  check: PathBuffer;
}

/** Creates an empty result for `findOptimalPathInto`. It grows as needed. */
export function createOptimalBuffer(): OptimalBuffer {
  return {
    ...createPathBuffer(),
    isExact: false,
    planarLength: NaN,
    search: createSearchState(),
    check: createPathBuffer(),
  };
}

/**
 * Default budget: `NODES_PER_POLY` nodes for each polygon of the mesh, plus the nodes for `SPARE_POLYS` more polygons.
 */
const NODES_PER_POLY = 16;
const SPARE_POLYS = 1024;

const sharedQuery = createPathQuery();
const wanted = new Float64Array(3);
const closest = new Float64Array(3);
const landing = createNearestHit();
const sharedState = createOptimalState();
const sharedBuffer = createOptimalBuffer();

/**
 * Returns the shortest path from start to end, seen from above.
 *
 * Points and options are those of `findPath`, in world units, and `tauten`. `maxNodes` limits the expanded intervals. Their number is
 * usually a few for each polygon on the path, but exponential in the worst case. Default: 16 for each polygon of the
 * mesh, plus 16,384. Throws a TypeError for invalid points and a RangeError for unknown or invalid options.
 *
 * Based on: Michael Cui, Daniel Harabor, Alban Grastien, Compromise-free Pathfinding on a Navigation Mesh
 * (Polyanya), 2017.
 */
export function findOptimalPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: OptimalOptions = {},
): OptimalPath {
  checkKeys('findOptimalPath', options, OPTIMAL_KEYS);
  readPathQuery(sharedQuery, mesh, start, end, options, 'findOptimalPath');
  readTauten(sharedQuery, options, 'findOptimalPath');
  sharedQuery.maxNodes = options.maxNodes ?? defaultMaxNodes(mesh);
  // Where area costs differ, the cost of a search is a sum over midpoints of edges.
  sharedQuery.tauten ??= setCostAlong;
  findOptimalPathInto(sharedBuffer, sharedState, mesh, sharedQuery);
  return optimalPathOf(mesh, sharedBuffer);
}

/** Sets the cost of a path to the sum along its line, and leaves the line as it is. */
const setCostAlong: PathTautener = ({ corridor, line }, mesh, filter) => {
  setLineCost(mesh, filter, corridor, line, -1);
  corridor.cost = lineCost[0];
};

/** Checks the option `tauten` and completes a query with it. @internal */
export function readTauten(out: PathQuery, { tauten }: OptimalOptions, caller: string): void {
  if (tauten !== undefined) checkFunction(caller, 'options.tauten', tauten);
  out.tauten = tauten;
}

/** Returns the default number of nodes that an exact search may expand. @internal */
export function defaultMaxNodes(mesh: NavMesh): number {
  return NODES_PER_POLY * (mesh.polyCount + SPARE_POLYS);
}

/** Returns a result record that shares nothing with the buffer. @internal */
export function optimalPathOf(mesh: NavMesh, found: OptimalBuffer): OptimalPath {
  return { ...pathOf(mesh, found), exact: found.isExact, planarLength: found.planarLength };
}

/** Kernel of `findOptimalPath`. Allocates nothing once buffer and state have grown. */
export function findOptimalPathInto(out: OptimalBuffer, state: OptimalState, mesh: NavMesh, query: PathQuery): void {
  const { halfExtents, filter, maxNodes } = query;
  out.size = filter.size ?? 0;
  if (!isUniform(filter)) {
    findPathInto(out, out.search, mesh, query);
    query.tauten?.(out, mesh, filter);
    setLengths(out);
    out.isExact = false;
    return;
  }
  clearPath(out);
  findNearestInto(out.start, mesh, query.start, halfExtents, filter);
  findNearestInto(out.end, mesh, query.end, halfExtents, filter);
  out.goalPoly = out.end.poly;
  if (out.start.poly < 0) {
    out.reason = 'start-off-mesh';
  } else if (out.goalPoly < 0) {
    out.reason = 'end-off-mesh';
  } else {
    searchPath(out, state, mesh, filter, maxNodes);
    if (out.status === 'complete' || out.reason === 'budget' || !findOtherwise(out, mesh, query)) {
      finishPath(out, state, mesh, filter);
    }
  }
}

/**
 * Confirms by A* that there is no path. On a mesh with concave polygons, which is invalid, intervals may miss a path.
 * Returns true if A* has found a path, which need not be the shortest.
 */
function findOtherwise(out: OptimalBuffer, mesh: NavMesh, query: PathQuery): boolean {
  const { search, check } = out;
  findPathInto(check, search, mesh, { ...query, maxNodes: Infinity });
  if (check.status !== 'complete') return false;
  Object.assign(out, check);
  out.check = createPathBuffer();
  setLengths(out);
  out.isExact = false;
  return true;
}

/** Resets the buffer to "no path". @internal */
export function clearPath(out: OptimalBuffer): void {
  clearPathBuffer(out);
  out.planarLength = 0;
  out.isExact = false;
}

/** Returns whether all areas have the same cost, except closed areas. */
export function isUniform(filter: QueryFilter): boolean {
  if (filter === DEFAULT_FILTER) return true;
  if (filter.cost !== undefined) return false;
  const { areaCosts } = filter;
  if (areaCosts === DEFAULT_FILTER.areaCosts) return true;
  for (let area = 1; area < areaCosts.length; area++) {
    if (areaCosts[area] !== areaCosts[0] && areaCosts[area] !== Infinity) return false;
  }
  return areaCosts[0] > 0 && areaCosts[0] < Infinity;
}

/**
 * Sets the polygon and point that the search leads to. If the end is unreachable, this is the reachable position
 * nearest to it.
 */
function chooseGoal(out: OptimalBuffer, mesh: NavMesh, filter: QueryFilter): void {
  const { start, end } = out;
  const known = joinEnds(mesh, filter, start, end);
  out.goalPoly = end.poly;
  out.isUnsure = known < 0;
  out.status = 'complete';
  if (known === 0) {
    out.status = 'partial';
    out.reason = 'unreachable';
    findLanding(landing, mesh, filter, start, end.point);
    out.goalPoly = landing.poly;
    end.point.set(landing.point);
  }
}

/** Searches between the ends of `out`; without a path, to the reachable position nearest to the end. */
function searchPath(
  out: OptimalBuffer,
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxNodes: number,
): void {
  chooseGoal(out, mesh, filter);
  searchTo(out, state, mesh, filter, maxNodes);
  if (state.bestNode >= 0) {
    out.isExact = !state.isShort && !state.hasSegments && !state.hasRough;
    return;
  }
  if (out.isUnsure && !state.isShort) {
    refreshIslands(mesh);
    sizeIslands.find?.(mesh, filter);
    if (islandRelationFor(mesh, filter, out.start.poly, out.goalPoly) === 0) {
      searchPath(out, state, mesh, filter, maxNodes);
      return;
    }
  }
  out.status = 'partial';
  if (state.isShort) {
    stopNear(out, state, mesh);
    return;
  }
  out.reason = 'unreachable';
  if (state.blocks !== undefined) searchTo(out, state, mesh, filter, maxNodes, true);
  goNear(out, mesh, state);
  searchTo(out, state, mesh, filter, maxNodes);
  if (state.bestNode < 0) stopNear(out, state, mesh);
  else out.isExact = !state.isShort && !state.hasSegments && !state.hasRough;
}

/** Ends the path at the position nearest to the end that a search without further budget has reached. */
function stopNear(out: OptimalBuffer, state: OptimalState, mesh: NavMesh): void {
  if (state.isShort) out.reason = 'budget';
  state.bestNode = nearestNodeOf(state);
  closestPointOnPoly(out.end.point, mesh, state.link[LINK_STRIDE * state.bestNode + POLY], out.end.point);
}

function searchTo(
  out: OptimalBuffer,
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxNodes: number,
  isAll = false,
): void {
  beginSearch(out, state, mesh, filter, isAll);
  runOptimal(state, mesh, filter, maxNodes);
}

function beginSearch(
  out: OptimalBuffer,
  state: OptimalState,
  mesh: NavMesh,
  filter: QueryFilter,
  isAll: boolean = false,
): void {
  beginOptimal(state, mesh);
  // Without blocks, the search reaches all polygons, including dead ends.
  if (isAll) state.blocks = undefined;
  addEnd(state, mesh, filter, out.goalPoly, out.end.point);
  addStart(state, mesh, filter, out.start);
}

/**
 * Starts the search of `findOptimalPath`, for a caller that runs it in slices. Returns false when this search does not
 * apply: an end is off the mesh, or area costs differ. @internal
 */
export function startOptimal(out: OptimalBuffer, state: OptimalState, mesh: NavMesh, query: PathQuery): boolean {
  const { halfExtents, filter } = query;
  findNearestInto(out.start, mesh, query.start, halfExtents, filter);
  findNearestInto(out.end, mesh, query.end, halfExtents, filter);
  out.goalPoly = out.end.poly;
  if (!isUniform(filter) || out.start.poly < 0 || out.goalPoly < 0) return false;
  chooseGoal(out, mesh, filter);
  beginSearch(out, state, mesh, filter);
  return true;
}

/** Moves the end to the nearest point of all polygons that were reached. */
function goNear(out: OptimalBuffer, mesh: NavMesh, state: OptimalState): void {
  const { end } = out;
  wanted.set(end.point);
  let best = Infinity;
  for (let i = 0; i < state.reachedCount; i++) {
    const poly = state.reached[i];
    closestPointOnPoly(closest, mesh, poly, wanted);
    const dx = closest[0] - wanted[0];
    const dy = closest[1] - wanted[1];
    const dz = closest[2] - wanted[2];
    const distanceSq = dx * dx + dy * dy + dz * dz;
    if (distanceSq > best || (distanceSq === best && poly > out.goalPoly)) continue;
    best = distanceSq;
    out.goalPoly = poly;
    end.point.set(closest);
  }
}

/** Writes corridor, line and lengths of the best path. @internal */
export function finishPath(out: OptimalBuffer, state: OptimalState, mesh: NavMesh, filter: QueryFilter): void {
  writeOptimalCorridor(out.corridor, state);
  // A path that was searched has no other reason.
  out.corridor.outcome = (out.reason || 'complete') as CorridorOutcome;
  writeOptimalLine(out.line, state, mesh, out.corridor, out.start.point, out.end.point);
  setLengths(out);
  let cost = out.planarLength;
  for (let i = 0; i + 1 < out.corridor.count; i++) {
    if (isLinkCrossing(out.corridor.crossings[i])) cost += linkLength(mesh, linkEndOf(out.corridor.crossings[i]));
  }
  out.corridor.cost = filter === DEFAULT_FILTER ? cost : cost * filter.areaCosts[0];
}

/** Sets the line's length and its length seen from above without links. @internal */
export function setLengths(out: OptimalBuffer): void {
  const { points, linkEnds, count } = out.line;
  let length = 0;
  let planar = 0;
  for (let i = 1; i < count; i++) {
    const dx = points[3 * i] - points[3 * i - 3];
    const dy = points[3 * i + 1] - points[3 * i - 2];
    const dz = points[3 * i + 2] - points[3 * i - 1];
    length += Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (linkEnds[i] < 0 || linkEnds[i - 1] !== otherEnd(linkEnds[i])) planar += Math.sqrt(dx * dx + dz * dz);
  }
  out.length = length;
  out.planarLength = planar;
}
