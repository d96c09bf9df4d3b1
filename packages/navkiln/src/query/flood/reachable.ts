/**
 * Finds all polygons that can be reached from a point, without limit, within a walking distance, or within a
 * cost.
 *
 * A polygon counts if it can be entered within the limit. Distances are those of a flood, over the midpoints of edges,
 * so they are somewhat higher than those of shortest paths. Most of a polygon that is entered just before the limit is
 * beyond it.
 *
 * In: a point and a limit.
 * Out: polygons with parents and costs.
 * Cost: one flood (flood.ts).
 * Based on: Edsger Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import type { FloodBounds } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

/** Limit of a flood. */
export interface ReachLimit {
  /** Walking distance in world units; all areas count 1. Default: no limit. Excludes `maxCost`. */
  maxDistance?: number;
  /** Distance times area costs. Default: no limit. Excludes `maxDistance`. */
  maxCost?: number;
}

/** Options of `findReachable`. */
export interface ReachableOptions extends StartOptions, ReachLimit {
  /** Which polygons may be entered. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

const start = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * Returns the polygons that can be reached from the polygon nearest to a point, with their costs (lengths if
 * `maxDistance` is given). `pathTo` gives the path to each of them.
 *
 * The status is 'none' if no polygon is near the point, and 'stale-ref' if polygon `startRef` no longer
 * exists. Throws a TypeError for an invalid point and a RangeError for an invalid limit or unknown options.
 */
export function findReachable(mesh: NavMesh, point: PointLike, options: ReachableOptions = {}): Reached {
  checkKeys('findReachable', options, ['startRef', 'halfExtents', 'maxDistance', 'maxCost', 'filter', 'size']);
  readPoint(start, point, 'findReachable', 'point');
  setLimit(bounds, options, 'findReachable');
  const filter = readFilter('findReachable', options, mesh);
  const found = locateStart(hit, mesh, start, options, filter, 'findReachable');
  if (found !== 'found') return nothingReached(found, start);
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/** Checks a limit and writes it into the bounds of a flood. @internal */
export function setLimit(out: FloodBounds, limit: ReachLimit, caller: string): void {
  const { maxDistance, maxCost } = limit;
  if (maxDistance !== undefined && maxCost !== undefined) {
    refuse(caller, 'options.maxCost', maxCost, 'absent when maxDistance is given');
  }
  const value = maxDistance ?? maxCost ?? Infinity;
  if (typeof value !== 'number' || !(value >= 0))
    refuse(caller, `options.${maxDistance === undefined ? 'maxCost' : 'maxDistance'}`, value, '>= 0');
  out.maxCost = value;
  out.isByLength = maxDistance !== undefined;
}
