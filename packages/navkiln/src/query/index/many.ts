/**
 * Answers many path queries in one call: paths for an array of pairs, and distances from one position to many.
 *
 * In: an index, a mesh, positions.
 * Out: flat arrays.
 * Cost: one indexed path per pair. With `nearest`, targets whose straight distance is too long are skipped.
 * Based on: own.
 */
import {
  checkFinite,
  checkKeys,
  checkMutable,
  checkNumbers,
  checkRecord,
  refuse,
  showValue,
} from '../../base/data/refuse.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { PATH_KEYS, createPathQuery, readPathQuery } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import { checkIndex } from './check-index.ts';
import { createIndexedBuffer, createIndexedState, findIndexedPathInto } from './find.ts';
import { createNearestTargets, sortTargets } from './nearest.ts';
import type { DistanceOptions } from './nearest.ts';
import type { PathIndex } from './types.ts';

/** Paths of many pairs, in flat arrays. Create it with `createPathBatch` and reuse it; the arrays may be longer. */
export interface PathBatch {
  count: number;
  /** Per pair: 2 if the path is complete, 1 if it is partial, 0 if there is none. */
  status: Uint8Array;
  /** Per pair: 1 if no path is shorter. */
  exact: Uint8Array;
  /** Per pair: length seen from above, world units. */
  planarLength: Float64Array;
  /** Per pair: its first point; pointStart[count] is the number of points. */
  pointStart: Int32Array;
  /** xyz of each point. */
  points: Float64Array;
}

/** Result of `findDistances`. */
export interface Distances {
  /**
   * Per target: length of the shortest path to it, seen from above, world units, with the costs of links. Infinity if
   * no path leads to it, and for targets that are not among the `nearest`.
   */
  lengths: Float64Array;
  /** Targets ordered by increasing length, without those at Infinity. */
  order: number[];
  /** Whether no path is shorter than reported. */
  exact: boolean;
}

const sorted = createNearestTargets();
const ORIGIN = [0, 0, 0];

const query = createPathQuery();
const buffer = createIndexedBuffer();
const state = createIndexedState();
const target = new Float64Array(3);

/** Creates an empty result for `findPathsInto`. It grows as needed. */
export function createPathBatch(): PathBatch {
  return {
    count: 0,
    status: new Uint8Array(0),
    exact: new Uint8Array(0),
    planarLength: new Float64Array(0),
    pointStart: new Int32Array(1),
    points: new Float64Array(0),
  };
}

/**
 * Writes the shortest paths of many pairs into `out`, equal to those of `findIndexedPath`. `ends` has six numbers for
 * each pair: start and end, xyz. Allocates nothing once `out` has grown.
 *
 * Throws a TypeError for ends that are not finite, a RangeError when their number is not a multiple of 6, and the
 * errors of `findPath` for options.
 */
export function findPaths(
  out: PathBatch,
  index: PathIndex,
  mesh: NavMesh,
  ends: ArrayLike<number>,
  options: PathOptions = {},
): void {
  checkRecord('findPaths', 'out', out, 'pointStart', 'the PathBatch of createPathBatch');
  checkMutable('findPaths', 'out', out);
  checkIndex('findPaths', index);
  checkKeys('findPaths', options, PATH_KEYS);
  checkNumbers('findPaths', 'ends', ends);
  if (ends.length % 6 !== 0) refuse('findPaths', 'ends.length', ends.length, 'a multiple of 6');
  readPathQuery(query, mesh, ORIGIN, ORIGIN, options, 'findPaths');
  // All numbers are checked before the first write, so that an error leaves `out` unchanged.
  for (let i = 0; i < ends.length; i++) {
    if (ends[i] - ends[i] !== 0) checkFinite('findPaths', `ends[${i}]`, ends[i]);
  }
  const count = ends.length / 6;
  reservePairs(out, count);
  out.count = count;
  let pointCount = 0;
  out.pointStart[0] = 0;
  for (let pair = 0; pair < count; pair++) {
    for (let k = 0; k < 3; k++) {
      query.start[k] = ends[6 * pair + k];
      query.end[k] = ends[6 * pair + 3 + k];
    }
    findIndexedPathInto(buffer, state, index, mesh, query);
    out.status[pair] = buffer.status === 'complete' ? 2 : buffer.status === 'partial' ? 1 : 0;
    out.exact[pair] = buffer.isExact ? 1 : 0;
    out.planarLength[pair] = buffer.planarLength;
    const { points, count: added } = buffer.line;
    reservePoints(out, pointCount + added);
    for (let i = 0; i < 3 * added; i++) out.points[3 * pointCount + i] = points[i];
    pointCount += added;
    out.pointStart[pair + 1] = pointCount;
  }
}

function reservePairs(out: PathBatch, count: number): void {
  if (out.status.length >= count) return;
  const capacity = Math.max(count, 2 * out.status.length);
  out.status = new Uint8Array(capacity);
  out.exact = new Uint8Array(capacity);
  out.planarLength = new Float64Array(capacity);
  out.pointStart = new Int32Array(capacity + 1);
}

function reservePoints(out: PathBatch, count: number): void {
  if (out.points.length >= 3 * count) return;
  const points = new Float64Array(Math.max(3 * count, 2 * out.points.length, 96));
  points.set(out.points);
  out.points = points;
}

/**
 * Returns the lengths of the shortest paths from a position to many targets, and the order of the targets by length. It
 * answers questions such as "which of 200 goals is nearest?"
 *
 * Throws a TypeError for invalid points or when `targets` is not an array, and a RangeError for unknown or invalid
 * options.
 */
export function findDistances(
  index: PathIndex,
  mesh: NavMesh,
  start: PointLike,
  targets: readonly PointLike[],
  options: DistanceOptions = {},
): Distances {
  if (!Array.isArray(targets)) {
    throw new TypeError(`findDistances: targets is ${showValue(targets)}; must be an array of points`);
  }
  const places = new Float64Array(3 * targets.length);
  targets.forEach((point: PointLike, i) => {
    readPoint(target, point, 'findDistances', `targets[${i}]`);
    places.set(target, 3 * i);
  });
  sortTargets(sorted, index, mesh, start, places, options, 'findDistances');
  const order = [...sorted.targets.subarray(0, sorted.count)];
  const out = { lengths: new Float64Array(targets.length).fill(Infinity), order, exact: sorted.isExact };
  order.forEach((k, i) => {
    out.lengths[k] = sorted.lengths[i];
  });
  return out;
}
