/**
 * All that can be reached from a point: without limit, within a walking distance, or at a cost.
 *
 * A polygon counts when it can be *entered* within the limit. Distances are those of a flood: over midpoints of edges, so
 * somewhat more than the shortest way's; a polygon that is entered just before the limit is mostly beyond it. Cost: that of a
 * flood (flood.ts).
 *
 * Based on: Dijkstra's algorithm, as Detour's queries around a place use it.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import type { FloodBounds } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

export interface ReachLimit {
  /** Walking distance, world units: areas count 1, links their length. Default: no limit. Not together with `maxCost`. */
  maxDistance?: number;
  /** Distance times the costs of areas. Default: no limit. */
  maxCost?: number;
}

export interface ReachableOptions extends StartOptions, ReachLimit {
  filter?: QueryFilter;
}

const start = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * The polygons that can be reached from the ground nearest to a point, with the cost of each (a length when `maxDistance` is
 * given) and the way to it: see `pathTo`. Throws a TypeError or RangeError for what is no point, limit or ref.
 */
export function findReachable(mesh: NavMesh, point: PointLike, options: ReachableOptions = {}): Reached {
  readPoint(start, point, 'findReachable', 'point');
  setLimit(bounds, options, 'findReachable');
  const filter = options.filter ?? DEFAULT_FILTER;
  locateStart(hit, mesh, start, options, filter, 'findReachable');
  if (hit.poly < 0) return nothingReached(start);
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/** Puts a limit into the bounds of a flood. @internal */
export function setLimit(out: FloodBounds, limit: ReachLimit, caller: string): void {
  const { maxDistance, maxCost } = limit;
  const value = maxDistance ?? maxCost ?? Infinity;
  if (!(value >= 0) || (maxDistance !== undefined && maxCost !== undefined)) {
    throw new RangeError(
      `${caller}: maxDistance is ${maxDistance}, maxCost ${maxCost}; give one of them, a number that is not negative`,
    );
  }
  out.maxCost = value;
  out.isByLength = maxDistance !== undefined;
}
