/**
 * Finds the cheapest path between two positions across areas with costs, seen from above.
 *
 * Where all areas have one cost, this is `findOptimalPath`. Otherwise a search over sample points on edges finds a
 * corridor (search.ts), whose line is moved to where its cost is least (refine.ts, settle.ts). A second search, with
 * samples whose spacing follows from that cost, looks for cheaper corridors only.
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
 * the ends; in the second one, shares of the path's cost, divided by the cost of the polygons there.
 */
export const SPACING = { border: 0.05, inner: 0.2, border2: 0.01, inner2: 0.05 };
const UNLIMITED = 0x3fffffff;
/** Most searches with finer samples. Each has half the spacing of the one before. */
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
  if (out.corridor.outcome === 'complete') {
    spacing[BY_COST] = 1;
    let finer = Math.sqrt(maxError / DEFAULT_ERROR);
    for (let k = 0; k < MOST_SEARCHES && !(out.bound <= maxError); k++) {
      state.limit = refined.cost;
      spacing[BORDER] = SPACING.border2 * finer * refined.cost;
      spacing[INNER] = SPACING.inner2 * finer * refined.cost;
      finer /= 2;
      beginCheapest(state, mesh, filter, out.start.poly, out.start.point, out.goalPoly, out.end.point);
      runCheapest(state, mesh, filter, UNLIMITED, Infinity);
      if (state.targetWindow !== NO_WINDOW) {
        writeCheapest(out.corridor, state);
        strip = settlePath(out, state, mesh, filter);
      }
      out.bound = Math.max(maxError, boundOf(strip, spacing));
    }
  }
  out.corridor.cost = refined.cost;
  writeCheapestLine(out.line, strip, out.corridor);
  setLength(out, out.line);
  setPlanarLength(out);
}

/**
 * Returns what the path could cost more at most if it crossed each joint half a spacing of samples beside its best
 * place, as a share of its cost.
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
  return refined.cost > 0 ? sum / refined.cost : 0;
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
