/**
 * Measures many distances with an index: a matrix between many starts and many targets, and the nearest of many
 * targets.
 *
 * Ends are located once, and the corners that see them are listed once, not for each pair. If the index cannot
 * guarantee the distance of a pair, its path is found like that of `findIndexedPath`.
 *
 * In: an index, a mesh, positions.
 * Out: lengths in flat arrays.
 * Cost: a ray and a few dozen lookups for each pair; targets that cannot be among the nearest are skipped.
 * Based on: own.
 */
import { createMinHeap, popItem, pushItem } from '../../base/data/min-heap.ts';
import type { MinHeap } from '../../base/data/min-heap.ts';
import { checkFinite, checkKeys, checkMutable, checkNumbers, checkRecord, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { PointLike } from '../../base/math/point.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { isUniform } from '../optimal/optimal.ts';
import { PATH_KEYS, createPathQuery, readPathQuery } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import { checkIndex } from './check-index.ts';
import { createIndexedBuffer, createIndexedState, findIndexedPathInto, isSimple, writeLengthBetween } from './find.ts';
import type { SeenEnd } from './find.ts';
import { locateInto } from './lookup/locate.ts';
import { indexFor } from './sizes.ts';
import { createSeenCorners, findSeenCorners } from './lookup/seen.ts';
import type { PathIndex } from './types.ts';

/** Distances from each start to each target. Create it with `createDistanceMatrix` and reuse it; the array may be longer. */
export interface DistanceMatrix {
  startCount: number;
  targetCount: number;
  /**
   * Length from start i to target k: lengths[i * targetCount + k], world units, seen from above, with the costs of
   * links; Infinity: no path leads there.
   */
  lengths: Float64Array;
  /** Whether no path is shorter than reported. */
  isExact: boolean;
}

/** Options of `findNearestTargets` and `findDistances`. */
export interface DistanceOptions extends PathOptions {
  /** Number of nearest targets to return, 1 or more. Default: all. */
  nearest?: number;
}

/** The nearest of many targets. Create it with `createNearestTargets` and reuse it; the arrays may be longer. */
export interface NearestTargets {
  count: number;
  /** Targets ordered by increasing length, then by number. Targets without a path are left out. */
  targets: Int32Array;
  /** Length of the path to each of `targets`, as in `DistanceMatrix`. */
  lengths: Float64Array;
  /** Whether no path is shorter than reported. */
  isExact: boolean;
  /** Targets ordered by their straight distance. @internal */
  heap: MinHeap;
  /** @internal */
  straight: Float64Array;
}

/** Creates an empty result for `findDistancesInto`. It grows as needed. */
export function createDistanceMatrix(): DistanceMatrix {
  return { startCount: 0, targetCount: 0, lengths: new Float64Array(0), isExact: true };
}

/** Creates an empty result for `findNearestTargetsInto`. It grows as needed. */
export function createNearestTargets(): NearestTargets {
  return {
    count: 0,
    targets: new Int32Array(0),
    lengths: new Float64Array(0),
    isExact: true,
    heap: createMinHeap(),
    straight: new Float64Array(0),
  };
}

const DISTANCE_KEYS: readonly string[] = [...PATH_KEYS, 'nearest'];
const ORIGIN = [0, 0, 0];
const query = createPathQuery();
const buffer = createIndexedBuffer();
const state = createIndexedState();
const startEnd: SeenEnd = { hit: createNearestHit(), seen: createSeenCorners() };
const targetEnds: SeenEnd[] = [{ hit: createNearestHit(), seen: createSeenCorners() }];

/**
 * Writes the distances from many starts to many targets. Both are arrays of any kind with three numbers (xyz) per
 * position. Allocates nothing for a pair once `out` has grown.
 *
 * Throws a TypeError for positions that are not finite, a RangeError when their number is not a multiple of 3, and the
 * errors of `findPath` for options.
 */
export function findDistanceMatrix(
  out: DistanceMatrix,
  index: PathIndex,
  mesh: NavMesh,
  starts: ArrayLike<number>,
  targets: ArrayLike<number>,
  options: PathOptions = {},
): void {
  const caller = 'findDistanceMatrix';
  checkRecord(caller, 'out', out, 'lengths', 'the DistanceMatrix of createDistanceMatrix');
  checkMutable(caller, 'out', out);
  checkIndex(caller, index);
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, PATH_KEYS);
  readPathQuery(query, mesh, ORIGIN, ORIGIN, options, caller);
  // Both are checked before the result changes.
  const startCount = checkPlaces(caller, 'starts', starts);
  const targetCount = checkPlaces(caller, 'targets', targets);
  out.startCount = startCount;
  out.targetCount = targetCount;
  out.isExact = true;
  const size = out.startCount * out.targetCount;
  if (out.lengths.length < size) out.lengths = new Float64Array(size);
  while (targetEnds.length < out.targetCount) targetEnds.push({ hit: createNearestHit(), seen: createSeenCorners() });
  const sized = indexFor(index, mesh, query.filter);
  const isFast = isSimple(sized, mesh, query.filter);
  for (let k = 0; isFast && k < out.targetCount; k++) locateEnd(targetEnds[k], sized, mesh, targets, k);
  for (let i = 0; i < out.startCount; i++) {
    if (isFast) locateEnd(startEnd, sized, mesh, starts, i);
    setPlace(query.start, starts, i);
    for (let k = 0; k < out.targetCount; k++) {
      setPlace(query.end, targets, k);
      measure(sized, mesh, isFast, targetEnds[k]);
      out.lengths[i * out.targetCount + k] = measured[0];
      if (!wasExact) out.isExact = false;
    }
  }
}

/**
 * Writes the targets that are nearest to a position by path length. It answers questions such as "which of 200 goals is
 * nearest?" `targets` has three numbers (xyz) per target. Allocates nothing for a target once `out` has grown.
 *
 * Throws a TypeError for positions that are not finite, and a RangeError when their number is not a multiple of 3 or
 * for invalid options.
 */
export function findNearestTargets(
  out: NearestTargets,
  index: PathIndex,
  mesh: NavMesh,
  start: PointLike,
  targets: ArrayLike<number>,
  options: DistanceOptions = {},
): void {
  sortTargets(out, index, mesh, start, targets, options, 'findNearestTargets');
}

/** Implements `findNearestTargets`; messages begin with `caller`. @internal */
// oxlint-disable-next-line max-params -- parameters of the public function, and its name
export function sortTargets(
  out: NearestTargets,
  index: PathIndex,
  mesh: NavMesh,
  start: PointLike,
  targets: ArrayLike<number>,
  options: DistanceOptions,
  caller: string,
): void {
  checkRecord(caller, 'out', out, 'straight', 'the NearestTargets of createNearestTargets');
  checkMutable(caller, 'out', out);
  checkIndex(caller, index);
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, DISTANCE_KEYS);
  const { nearest = Infinity } = options;
  if (typeof nearest !== 'number' || !(nearest >= 1)) refuse(caller, 'options.nearest', nearest, 'a number >= 1');
  readPathQuery(query, mesh, start, start, options, caller);
  const total = checkPlaces(caller, 'targets', targets);
  const { heap } = out;
  out.count = 0;
  out.isExact = true;
  if (out.targets.length < total) {
    out.targets = new Int32Array(total);
    out.lengths = new Float64Array(total);
    out.straight = new Float64Array(total);
  }
  heap.count = 0;
  // Both ends together may be moved onto the mesh by up to this much, and links may shorten paths.
  const slack = 2 * (query.halfExtents[0] + query.halfExtents[2]);
  for (let k = 0; k < total; k++) {
    const dx = targets[3 * k] - query.start[0];
    const dz = targets[3 * k + 2] - query.start[2];
    out.straight[k] = mesh.linkScale * Math.max(0, Math.sqrt(dx * dx + dz * dz) - slack);
    pushItem(heap, k, out.straight);
  }
  const sized = indexFor(index, mesh, query.filter);
  const isFast = isSimple(sized, mesh, query.filter);
  if (isFast) locateAt(startEnd, sized, mesh, query.start);
  while (heap.count > 0) {
    const k = popItem(heap);
    if (out.count >= nearest && out.straight[k] > out.lengths[out.count - 1]) break;
    setPlace(query.end, targets, k);
    if (isFast) locateAt(targetEnds[0], sized, mesh, query.end);
    measure(sized, mesh, isFast, targetEnds[0]);
    if (!wasExact) out.isExact = false;
    if (measured[0] < Infinity) insert(out, k, nearest);
  }
}

/** Inserts a target with the length in `measured` into the sorted list of at most `nearest` targets. */
function insert(out: NearestTargets, target: number, nearest: number): void {
  const { targets, lengths } = out;
  const length = measured[0];
  let at = out.count;
  while (at > 0 && (lengths[at - 1] > length || (lengths[at - 1] === length && targets[at - 1] > target))) at--;
  if (at >= nearest) return;
  if (out.count < nearest) out.count++;
  for (let i = out.count - 1; i > at; i--) {
    targets[i] = targets[i - 1];
    lengths[i] = lengths[i - 1];
  }
  targets[at] = target;
  lengths[at] = length;
}

/** Checks an array of xyz, and returns its number of positions. */
function checkPlaces(caller: string, name: string, places: ArrayLike<number>): number {
  checkNumbers(caller, name, places);
  const { length } = places;
  if (length % 3 !== 0) refuse(caller, `${name}.length`, length, 'a multiple of 3');
  for (let i = 0; i < length; i++) {
    if (places[i] - places[i] !== 0) checkFinite(caller, `${name}[${i}]`, places[i]);
  }
  return length / 3;
}

function setPlace(out: Float64Array, places: ArrayLike<number>, i: number): void {
  for (let k = 0; k < 3; k++) out[k] = places[3 * i + k];
}

const place = new Float64Array(3);
const flat = new Float64Array(2);

function locateEnd(out: SeenEnd, index: PathIndex, mesh: NavMesh, places: ArrayLike<number>, i: number): void {
  setPlace(place, places, i);
  locateAt(out, index, mesh, place);
}

/** Locates an end and lists the corners that see it. */
function locateAt(out: SeenEnd, index: PathIndex, mesh: NavMesh, at: Float64Array): void {
  const { hit, seen } = out;
  locateInto(hit, index, mesh, at, query.halfExtents, query.filter);
  seen.count = 0;
  if (hit.poly < 0) return;
  flat[0] = hit.point[0];
  flat[1] = hit.point[2];
  findSeenCorners(seen, index, hit.poly, flat, 0);
}

/** The last length, and whether no path is shorter. */
const measured = new Float64Array(1);
let wasExact = true;

/** Writes the length of the path from `startEnd` to an end to `measured`. `query` contains both ends. */
function measure(index: PathIndex, mesh: NavMesh, isFast: boolean, target: SeenEnd): void {
  const { filter } = query;
  wasExact = true;
  measured[0] = Infinity;
  if (isFast) {
    if (startEnd.hit.poly < 0 || target.hit.poly < 0) return;
    if (writeLengthBetween(measured, state, index, mesh, startEnd, target)) return;
  }
  findIndexedPathInto(buffer, state, index, mesh, query);
  measured[0] = Infinity;
  if (buffer.status !== 'complete') return;
  wasExact = buffer.isExact;
  measured[0] = isUniform(filter) ? buffer.corridor.cost / filter.areaCosts[0] : buffer.planarLength;
}
