/**
 * Finds the target that is nearest by walking, and the path to it, with one exact search for all targets.
 *
 * Intervals are expanded in the order of the length up to them; with up to four targets, in the order of the smallest
 * estimate. The search ends at the first target that no open interval can beat. Targets on other islands are skipped.
 * Where area costs differ, each target has a search of its own, and the cheapest path wins.
 *
 * In: a start and targets.
 * Out: a path to one target.
 * Cost: that of a search in all directions, up to the length of the shortest path.
 * Based on: Shizhe Zhao, David Taniar, Daniel Harabor, Fast k-Nearest Neighbor on a Navigation Mesh, 2018.
 */
import { sizeIslands } from '../connected.ts';
import { checkKeys, refuseType } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readFilter } from '../filter.ts';
import { PATH_KEYS, checkMaxNodes } from '../path/find-path.ts';
import type { PathOptions } from '../path/find-path.ts';
import { createNearestHit, findNearestInto, readHalfExtents } from '../nearest/nearest.ts';
import type { NearestHit } from '../nearest/nearest.ts';
import {
  clearPath,
  createOptimalBuffer,
  defaultMaxNodes,
  findOptimalPath,
  finishPath,
  isUniform,
  optimalPathOf,
} from './optimal.ts';
import type { OptimalPath } from './optimal.ts';
import { addEnd, addStart, joinEnds } from './ends.ts';
import { runOptimal } from './search.ts';
import { beginOptimal, createOptimalState } from './state.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';

/** Result of `findNearestOf`. */
export interface NearestOfPath extends OptimalPath {
  /** Index of the target that the path leads to; -1 if there is no path. */
  target: number;
}

const startPoint = new Float64Array(3);
const targetPoint = new Float64Array(3);
const extents = new Float64Array(3);
const state = createOptimalState();
const buffer = createOptimalBuffer();

/**
 * Returns the shortest path, seen from above, to the target that is nearest by walking.
 *
 * Among equally near targets the choice is arbitrary, but the same for the same mesh. The status is 'complete', or
 * 'none' with a reason: 'start-off-mesh', 'end-off-mesh' (no target is on the mesh), 'unreachable' or 'budget'.
 * `maxNodes` is that of `findOptimalPath`. Throws a TypeError for invalid points or when the list is not an array, and
 * a RangeError for unknown or invalid options.
 */
export function findNearestOf(
  mesh: NavMesh,
  start: PointLike,
  targets: readonly PointLike[],
  options: PathOptions = {},
): NearestOfPath {
  checkKeys('findNearestOf', options, PATH_KEYS);
  const filter = readFilter('findNearestOf', options, mesh);
  if (!Array.isArray(targets)) {
    refuseType('findNearestOf', 'targets', targets, 'an array of points');
  }
  readPoint(startPoint, start, 'findNearestOf', 'start');
  readHalfExtents(extents, mesh, options.halfExtents, 'findNearestOf', filter);
  const { maxNodes = defaultMaxNodes(mesh) } = options;
  checkMaxNodes(maxNodes, 'findNearestOf');
  const hits = targets.map((target: PointLike, i): NearestHit => {
    readPoint(targetPoint, target, 'findNearestOf', `targets[${i}]`);
    const hit = createNearestHit();
    findNearestInto(hit, mesh, targetPoint, extents, filter);
    return hit;
  });
  if (!isUniform(filter)) return cheapestOf(mesh, start, targets, options);

  clearPath(buffer);
  findNearestInto(buffer.start, mesh, startPoint, extents, filter);
  buffer.end.distanceSq = Infinity;
  let target = -1;
  if (buffer.start.poly < 0) {
    buffer.reason = 'start-off-mesh';
  } else if (hits.every((hit) => hit.poly < 0)) {
    buffer.reason = 'end-off-mesh';
  } else {
    beginOptimal(state, mesh);
    const sought: number[] = [];
    hits.forEach((hit, i) => {
      if (hit.poly < 0 || joinEnds(mesh, filter, buffer.start, hit) === 0) return;
      addEnd(state, mesh, filter, hit.poly, hit.point);
      sought.push(i);
    });
    if (sought.length > 0) {
      addStart(state, mesh, filter, buffer.start);
      runOptimal(state, mesh, filter, maxNodes);
    }
    if (state.bestNode < 0) {
      buffer.reason = state.isShort ? 'budget' : 'unreachable';
      if (!state.isShort && sought.length > 0) sizeIslands.find?.(mesh, filter);
    } else {
      target = sought[state.bestTarget];
      buffer.status = 'complete';
      buffer.isExact = !state.isShort && !state.hasSegments && !state.hasRough;
      buffer.end = hits[target];
      buffer.goalPoly = hits[target].poly;
      finishPath(buffer, state, mesh, filter);
    }
  }
  return { ...optimalPathOf(mesh, buffer), target };
}

/** Runs one search for each target. */
function cheapestOf(
  mesh: NavMesh,
  start: PointLike,
  targets: readonly PointLike[],
  options: PathOptions,
): NearestOfPath {
  let best: NearestOfPath | undefined;
  let failed: OptimalPath | undefined;
  targets.forEach((end, target) => {
    const path = findOptimalPath(mesh, start, end, options);
    if (path.status === 'complete') {
      if (best === undefined || path.cost < best.cost) best = { ...path, target };
    } else if (failed === undefined || path.reason !== 'end-off-mesh') {
      failed = path;
    }
  });
  if (best !== undefined) return best;
  const reason = failed?.reason ?? 'end-off-mesh';
  return {
    status: 'none',
    reason,
    points: [],
    polys: [],
    length: 0,
    cost: 0,
    startDistance: failed?.startDistance ?? Infinity,
    endDistance: Infinity,
    exact: false,
    planarLength: 0,
    target: -1,
  };
}
