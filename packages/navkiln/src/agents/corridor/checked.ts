/**
 * The public corridor functions. Each checks the types of its arguments before it changes anything. The crowd calls the
 * unchecked functions directly, several times per agent and tick.
 *
 * Cost: a few property reads per call. Based on: own.
 */
import { checkHandle, checkMutable, checkRecord, checkVector, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { DEFAULT_FILTER, checkFilter } from '../../query/filter.ts';
import type { QueryFilter } from '../../query/filter.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import type { RayHit } from '../../query/ray/hit.ts';
import type { SearchState } from '../../query/search-state.ts';
import type { Slide } from '../../query/walk/slide.ts';
import { checkPoly } from './check-poly.ts';
import { MAX_CORNERS, findCorridorCorners as runFindCorridorCorners } from './corners.ts';
import type { CorridorCorners } from './corners.ts';
import {
  copyCorridor as runCopyCorridor,
  resetCorridor as runResetCorridor,
  setCorridor as runSetCorridor,
} from './corridor.ts';
import {
  moveCorridorOverLink as runMoveCorridorOverLink,
  moveCorridorPosition as runMoveCorridorPosition,
  moveCorridorTarget as runMoveCorridorTarget,
} from './move.ts';
import {
  optimizeCorridorTopology as runOptimizeCorridorTopology,
  optimizeCorridorVisibility as runOptimizeCorridorVisibility,
} from './optimize.ts';
import {
  fixCorridorStart as runFixCorridorStart,
  isCorridorValid as runIsCorridorValid,
  rebaseCorridor as runRebaseCorridor,
  trimCorridor as runTrimCorridor,
} from './rebase.ts';
import type { RebaseOutcome } from './rebase.ts';
import type { PathCorridor } from './types.ts';

function checkCorridor(caller: string, path: string, value: PathCorridor): void {
  checkRecord(caller, path, value, 'refs', 'a PathCorridor');
  checkMutable(caller, path, value);
}

function checkOnMesh(caller: string, c: PathCorridor, mesh: NavMesh): void {
  checkCorridor(caller, 'c', c);
  checkNavMesh(caller, mesh);
}

/** Checks the arguments of `moveCorridorPosition` and `moveCorridorTarget`. */
// oxlint-disable-next-line max-params -- parameters of both functions
function checkMove(
  caller: string,
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): void {
  checkOnMesh(caller, c, mesh);
  checkRecord(caller, 'slide', slide, 'point', 'a Slide');
  checkRecord(caller, 'state', state, 'nodeStamp', 'a SearchState');
  checkMutable(caller, 'slide', slide);
  checkMutable(caller, 'state', state);
  checkVector(caller, 'point', point);
  checkFilter(caller, filter, 'filter');
}

/** Kernel: finds the next corners of a corridor, at most `maxCorners`. An empty corridor has none. */
export function findCorridorCorners(out: CorridorCorners, c: PathCorridor, mesh: NavMesh, maxCorners: number): void {
  if (!Number.isInteger(maxCorners) || maxCorners < 1 || maxCorners > MAX_CORNERS) {
    refuse('findCorridorCorners', 'maxCorners', maxCorners, `a whole number, 1 .. ${MAX_CORNERS}`);
  }
  checkRecord('findCorridorCorners', 'out', out, 'kinds', 'the CorridorCorners of createCorridorCorners');
  checkMutable('findCorridorCorners', 'out', out);
  checkOnMesh('findCorridorCorners', c, mesh);
  runFindCorridorCorners(out, c, mesh, maxCorners);
}

/** Resets a corridor to one polygon (dense index). `point` (xyz) on it becomes position and target. */
export function resetCorridor(c: PathCorridor, mesh: NavMesh, poly: number, point: Float64Array): void {
  checkOnMesh('resetCorridor', c, mesh);
  checkVector('resetCorridor', 'point', point);
  checkPoly('resetCorridor', mesh, poly);
  runResetCorridor(c, mesh, poly, point);
}

/**
 * Replaces the polygons of a corridor by those that a search has found.
 *
 * The position stays. It may have moved since the search began, to any polygon of the found path or to a neighbor of
 * one. `target` (xyz) is moved onto the last polygon when it is not on it. Returns false, and changes nothing, when the
 * position is on another polygon or when the search found nothing.
 */
export function setCorridor(c: PathCorridor, mesh: NavMesh, found: Corridor, target: Float64Array): boolean {
  checkOnMesh('setCorridor', c, mesh);
  checkRecord('setCorridor', 'found', found, 'polys', 'a Corridor');
  checkVector('setCorridor', 'target', target);
  return runSetCorridor(c, mesh, found, target);
}

/** Copies corridor `c` to `out`. */
export function copyCorridor(out: PathCorridor, c: PathCorridor): void {
  checkCorridor('copyCorridor', 'out', out);
  checkCorridor('copyCorridor', 'c', c);
  runCopyCorridor(out, c);
}

/**
 * Moves the position toward a point (xyz), sliding along walls; the corridor starts where the position ends.
 * The height follows from the mesh.
 *
 * Returns true when the position reached the point. Returns false when walls are in between. Also returns false, and
 * moves nothing, for an x or z that is not finite, and for a corridor that has not followed a change of the mesh.
 */
export function moveCorridorPosition(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  checkMove('moveCorridorPosition', c, mesh, slide, state, point, filter);
  return runMoveCorridorPosition(c, mesh, slide, state, point, filter);
}

/**
 * Moves the target toward a point (xyz), as `moveCorridorPosition` moves the position. Returns true when it
 * reached the point.
 *
 * A slide does not go around walls: after a jump of the target the caller has to search; until then the
 * target is as near as a slide gets.
 */
export function moveCorridorTarget(
  c: PathCorridor,
  mesh: NavMesh,
  slide: Slide,
  state: SearchState,
  point: Float64Array,
  filter: QueryFilter,
): boolean {
  checkMove('moveCorridorTarget', c, mesh, slide, state, point, filter);
  return runMoveCorridorTarget(c, mesh, slide, state, point, filter);
}

/**
 * Moves the position over the next link that is entered at `linkEnd`, and drops the polygons before it.
 *
 * When both anchors are segments, the position keeps its share of the segment. `out`, when given, receives the start
 * and the end of the traversal (xyz, xyz). Returns false, and changes nothing, when the corridor takes no such link.
 */
export function moveCorridorOverLink(c: PathCorridor, mesh: NavMesh, linkEnd: number, out?: Float64Array): boolean {
  checkOnMesh('moveCorridorOverLink', c, mesh);
  checkHandle('moveCorridorOverLink', 'linkEnd', linkEnd);
  if (out !== undefined) checkVector('moveCorridorOverLink', 'out', out);
  return runMoveCorridorOverLink(c, mesh, linkEnd, out);
}

/**
 * Leads a corridor straight to `next` (xyz) when that point is visible and within `range` (world units, seen from
 * above). `next` is the second of the next corners; the corridor already leads straight to the first one. Returns true
 * when the corridor has changed.
 */
export function optimizeCorridorVisibility(
  c: PathCorridor,
  mesh: NavMesh,
  hit: RayHit,
  next: Float64Array,
  range: number,
  filter: QueryFilter,
): boolean {
  checkOnMesh('optimizeCorridorVisibility', c, mesh);
  checkRecord('optimizeCorridorVisibility', 'hit', hit, 'normal', 'a RayHit');
  checkMutable('optimizeCorridorVisibility', 'hit', hit);
  checkVector('optimizeCorridorVisibility', 'next', next);
  checkHandle('optimizeCorridorVisibility', 'range', range);
  checkFilter('optimizeCorridorVisibility', filter, 'filter');
  return runOptimizeCorridorVisibility(c, mesh, hit, next, range, filter);
}

/**
 * Searches again from the position, with a budget of `maxNodes` nodes, and takes a better path.
 *
 * The search aims at the target, or at the polygon that is half of `maxNodes` polygons ahead. When it arrives, the
 * whole new path is compared with the old one; otherwise paths to nearer polygons of the corridor are compared. With
 * Infinity, the search equals that for a new path. Returns true when the corridor has changed.
 */
export function optimizeCorridorTopology(
  c: PathCorridor,
  mesh: NavMesh,
  state: SearchState,
  filter: QueryFilter,
  maxNodes: number,
): boolean {
  checkOnMesh('optimizeCorridorTopology', c, mesh);
  checkRecord('optimizeCorridorTopology', 'state', state, 'nodeStamp', 'a SearchState');
  checkMutable('optimizeCorridorTopology', 'state', state);
  checkFilter('optimizeCorridorTopology', filter, 'filter');
  checkHandle('optimizeCorridorTopology', 'maxNodes', maxNodes);
  return runOptimizeCorridorTopology(c, mesh, state, filter, maxNodes);
}

/**
 * Updates a corridor after the mesh has changed. After 'start-gone' the corridor is unchanged and cannot be
 * used until `fixCorridorStart` or `resetCorridor` sets its start.
 */
export function rebaseCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): RebaseOutcome {
  checkOnMesh('rebaseCorridor', c, mesh);
  checkFilter('rebaseCorridor', filter, 'filter');
  return runRebaseCorridor(c, mesh, filter);
}

/**
 * Cuts a corridor off before the first polygon or crossing that is missing or closed. Unlike `rebaseCorridor` it also
 * works on an unchanged mesh, for a new filter. Returns the number of polygons cut off. This is the whole count when
 * the first polygon is missing.
 */
export function trimCorridor(c: PathCorridor, mesh: NavMesh, filter: QueryFilter): number {
  checkOnMesh('trimCorridor', c, mesh);
  checkFilter('trimCorridor', filter, 'filter');
  return runTrimCorridor(c, mesh, filter);
}

/**
 * Returns true when the first `lookAhead` polygons after that of the position still exist, pass the filter
 * and are connected. Changes nothing. When the mesh is unchanged it returns true immediately.
 */
export function isCorridorValid(c: PathCorridor, mesh: NavMesh, lookAhead: number, filter: QueryFilter): boolean {
  checkOnMesh('isCorridorValid', c, mesh);
  checkFilter('isCorridorValid', filter, 'filter');
  checkHandle('isCorridorValid', 'lookAhead', lookAhead);
  return runIsCorridorValid(c, mesh, lookAhead, filter);
}

/**
 * Sets the start of a corridor to a point (xyz) of a polygon (dense index), after a teleport or when the old polygon
 * was removed. Also works on corridors that were not rebased.
 *
 * Returns true when the corridor contains that polygon or a neighbor of it; it then continues from there up to its
 * first gap. Returns false when the corridor now consists of this polygon only. Its target then is the point of the polygon nearest to the
 * old target, and its outcome 'unreachable', until a search for the goal replaces it.
 */
export function fixCorridorStart(
  c: PathCorridor,
  mesh: NavMesh,
  poly: number,
  point: Float64Array,
  filter: QueryFilter = DEFAULT_FILTER,
): boolean {
  checkOnMesh('fixCorridorStart', c, mesh);
  checkVector('fixCorridorStart', 'point', point);
  checkPoly('fixCorridorStart', mesh, poly);
  checkFilter('fixCorridorStart', filter, 'filter');
  return runFixCorridorStart(c, mesh, poly, point, filter);
}
