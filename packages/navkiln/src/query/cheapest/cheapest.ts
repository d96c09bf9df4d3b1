/**
 * Finds the cheapest path between two positions across areas with costs, seen from above.
 *
 * Where all areas have one cost, this is `findOptimalPath`. Otherwise a search over few sample points on edges finds a
 * corridor (search.ts), whose line is moved to where its cost is least (refine.ts, settle.ts). A second search, from the
 * end and with more samples, looks for cheaper corridors only. The costs of the first search guide it (gates.ts), so it
 * visits few polygons.
 *
 *        o start             Where the cost changes, the path bends as light does: on both sides of the border, cost
 *         \                  times sine of the angle to the border's normal is the same (Snell's law). A path through
 *     -----\--------         expensive ground is steeper there, and along a road it leaves the border at a fixed angle.
 *      mud  |
 *     ------|-------
 *            \
 *             o end
 *
 * In: a mesh, two positions, a filter, the largest error.
 * Out: a path, its cost, and by how much a cheaper one may have been missed.
 * Cost: see docs/paths.md (bench `cheapest`).
 * Based on: own; see search.ts.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { PointLike } from '../../base/math/point.ts';
import { otherEnd } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import {
  createOptimalBuffer,
  defaultMaxNodes,
  findOptimalPathInto,
  isUniform,
  optimalPathOf,
  setLengths,
} from '../optimal/optimal.ts';
import type { OptimalBuffer, OptimalPath } from '../optimal/optimal.ts';
import { tautenPath } from '../optimal/taut.ts';
import type { QueryFilter } from '../filter.ts';
import { PATH_KEYS, createPathQuery, findPathInto, readPathQuery } from '../path/find-path.ts';
import type { CorridorSearch, PathOptions, PathQuery } from '../path/find-path.ts';
import { setLength } from '../path/result.ts';
import { writeCheapestLine } from './line.ts';
import { refined } from './refine.ts';
import { beginCheapest, runCheapest, writeCheapest } from './search.ts';
import { settlePath } from './settle.ts';
import { BORDER, BY_COST, INNER, NO_WINDOW, createCheapestState } from './state.ts';
import type { CheapestState } from './state.ts';
import { END_STRIDE } from './strip.ts';
import type { Strip } from './strip.ts';

/** Options of `findCheapestPath`. */
export interface CheapestOptions extends PathOptions {
  /** Largest error of the cost, as a share of it, above 0 and at most 1. Smaller values take longer. Default 0.01. */
  maxError?: number;
}

/** Result of `findCheapestPath`. */
export interface CheapestPath extends OptimalPath {
  /** Sum over the polygons crossed: length of `points` seen from above times cost of the area; and the costs of links. */
  cost: number;
  /**
   * By how much the cost may exceed that of the cheapest path, as a share of it: `maxError`, or more if the samples that
   * fit on the edges of the path do not suffice for it. 0 if `exact`; Infinity with a `cost` method, when the budget ran
   * out, and if the status is `'none'`.
   */
  bound: number;
}

/** Result of the kernel. Create it with `createCheapestBuffer` and reuse it. */
export interface CheapestBuffer extends OptimalBuffer {
  bound: number;
}

const DEFAULT_ERROR = 0.01;
/**
 * Spacing of samples on gates where costs change, and on others. In the first search, shares of the distance between
 * the ends, the first one times the square root of the smaller cost over the larger one; in the second one, shares of
 * the path's cost, divided by the cost of the polygons there.
 */
export const SPACING = { border: 0.04, inner: 0.05, border2: 0.015, inner2: 0.075 };
/** Share of `maxError` that the samples of the second search may add. */
const BY_SAMPLES = 0.7;
/** Share of `maxError` that a path must save to be searched for. */
const WORTHWHILE = 0.3;
const UNLIMITED = 0x3fffffff;
/** Most searches from the end. Each has at most half the spacing of the one before. */
const MOST_SEARCHES = 3;

const SEARCH: CorridorSearch = { begin: beginCheapest, run: runCheapest, write: writeCheapest };
const sharedQuery = /* @__PURE__ */ createPathQuery();
const sharedBuffer = /* @__PURE__ */ createCheapestBuffer();
const sharedState = /* @__PURE__ */ createCheapestState();

/** Creates an empty result for `findCheapestPathInto`. It grows as needed. */
export function createCheapestBuffer(): CheapestBuffer {
  return { ...createOptimalBuffer(), bound: NaN };
}

/**
 * Returns the cheapest path from start to end, seen from above: the one of least cost across areas, links and open
 * doors. Where costs differ, its cost exceeds the least by at most `maxError`. Where all areas have one cost, this is
 * the path of `findOptimalPath`.
 *
 * Points and options are those of `findPath`, in world units. `maxNodes` limits the windows that are searched; by
 * default there is no limit where costs differ, and that of `findOptimalPath` elsewhere. With a `cost` method, no
 * cheapest path is known: the result is that of `findOptimalPath`, and `bound` is Infinity. Throws a TypeError for
 * invalid points and a RangeError for unknown or invalid options.
 */
export function findCheapestPath(
  mesh: NavMesh,
  start: PointLike,
  end: PointLike,
  options: CheapestOptions = {},
): CheapestPath {
  checkKeys('findCheapestPath', options, [...PATH_KEYS, 'maxError']);
  readPathQuery(sharedQuery, mesh, start, end, options, 'findCheapestPath');
  const { maxError = DEFAULT_ERROR } = options;
  checkMaxError('findCheapestPath', maxError);
  if (options.maxNodes === undefined && isUniform(sharedQuery.filter)) sharedQuery.maxNodes = defaultMaxNodes(mesh);
  findCheapestPathInto(sharedBuffer, sharedState, mesh, sharedQuery, maxError);
  return { ...optimalPathOf(mesh, sharedBuffer), bound: sharedBuffer.bound };
}

/** Throws a RangeError unless `maxError` is above 0 and at most 1. @internal */
export function checkMaxError(caller: string, maxError: number): void {
  if (typeof maxError !== 'number' || !(maxError > 0 && maxError <= 1)) {
    refuse(caller, 'options.maxError', maxError, 'a number > 0, at most 1; 0.01 allows 1 %');
  }
}

/** Kernel of `findCheapestPath`. Allocates nothing once buffer and state have grown. */
export function findCheapestPathInto(
  out: CheapestBuffer,
  state: CheapestState,
  mesh: NavMesh,
  query: PathQuery,
  maxError: number,
): void {
  const { filter } = query;
  if (filter.cost !== undefined || isUniform(filter)) {
    findOptimalPathInto(out, state.optimal, mesh, query);
    if (filter.cost !== undefined) {
      tautenPath(out, mesh, filter);
      setLengths(out);
    }
    out.bound = out.isExact ? 0 : Infinity;
    return;
  }
  const dx = query.end[0] - query.start[0];
  const dz = query.end[2] - query.start[2];
  const { spacing } = state;
  const distance = Math.sqrt(dx * dx + dz * dz);
  spacing[BORDER] = SPACING.border * distance;
  spacing[INNER] = SPACING.inner * distance;
  spacing[BY_COST] = 0;
  state.limit = Infinity;
  findPathInto(out, state, mesh, query, SEARCH);
  out.isExact = false;
  out.bound = Infinity;
  out.planarLength = 0;
  if (out.status === 'none') return;
  let strip = settlePath(out, state, mesh, filter);
  if (out.corridor.outcome === 'complete') strip = searchBack(out, state, mesh, filter, maxError, strip);
  out.corridor.cost = refined.cost;
  writeCheapestLine(out.line, strip, out.corridor);
  setLength(out, out.line);
  setPlanarLength(out);
}

/** Searches cheaper paths from the end. Returns the strip of the path, and sets `bound`. */
function searchBack(
  out: CheapestBuffer,
  state: CheapestState,
  mesh: NavMesh,
  filter: QueryFilter,
  maxError: number,
  found: Strip,
): Strip {
  const finer = state.finer!;
  const { spacing } = finer;
  finer.guide = state;
  spacing[BY_COST] = 1;
  let strip = found;
  let factor = Math.sqrt(maxError / DEFAULT_ERROR);
  for (let k = 0; k < MOST_SEARCHES && !(out.bound <= maxError); k++) {
    spacing[BORDER] = SPACING.border2 * refined.cost;
    spacing[INNER] = SPACING.inner2 * refined.cost;
    // The error grows with the square of the spacing.
    factor = Math.min(factor, Math.sqrt((BY_SAMPLES * maxError) / boundOf(strip, spacing)));
    spacing[BORDER] *= factor;
    spacing[INNER] *= factor;
    finer.limit = refined.cost * (1 - WORTHWHILE * maxError);
    beginCheapest(finer, mesh, filter, out.goalPoly, out.end.point, out.start.poly, out.start.point);
    runCheapest(finer, mesh, filter, UNLIMITED, Infinity);
    if (finer.targetWindow !== NO_WINDOW) {
      writeCheapest(out.corridor, finer, mesh);
      strip = settlePath(out, finer, mesh, filter);
    }
    out.bound = Math.max(maxError, boundOf(strip, spacing));
    factor /= 2;
  }
  return strip;
}

/**
 * Returns what the path would cost more on average if it crossed each joint at a random place up to half a spacing of
 * samples beside its best place, as a share of its cost.
 */
function boundOf(strip: Strip, spacing: Float64Array): number {
  const { joints, jointCount, bend } = refined;
  const { ends, weight } = strip;
  let sum = 0;
  for (let j = 0; j < jointCount; j++) {
    const i = joints[j];
    const at = END_STRIDE * i;
    const dx = ends[at + 3] - ends[at];
    const dz = ends[at + 5] - ends[at + 2];
    const length = Math.sqrt(dx * dx + dz * dz);
    const half = Math.min(0.5, spacing[BORDER] / Math.max(weight[i], weight[i + 1]) / length / 2);
    if (length > 0) sum += Math.min(0.5 * bend[j] * half * half, (weight[i] + weight[i + 1]) * half * length);
  }
  // The mean of the square of a random number up to 1 is 1 / 3.
  return refined.cost > 0 ? sum / 3 / refined.cost : 0;
}

/** Sets the length seen from above, without links. */
function setPlanarLength(out: CheapestBuffer): void {
  const { points, count, linkEnds } = out.line;
  let sum = 0;
  for (let i = 1; i < count; i++) {
    if (linkEnds[i] >= 0 && linkEnds[i - 1] === otherEnd(linkEnds[i])) continue;
    const dx = points[3 * i] - points[3 * i - 3];
    const dz = points[3 * i + 2] - points[3 * i - 1];
    sum += Math.sqrt(dx * dx + dz * dz);
  }
  out.planarLength = sum;
}
