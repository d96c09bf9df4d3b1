/**
 * Finds the polygons that can be reached inside a circle, cheapest first.
 *
 * The search passes from polygon to polygon over edges that the circle touches, seen from above. It takes a
 * link if the circle touches both of its ends.
 *
 * In: a point and a radius.
 * Out: polygons with parents and costs.
 * Cost: one flood (flood.ts).
 * Based on: Detour's findPolysAroundCircle (Mikko Mononen), with the same results.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { readFilter } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../base/math/point.ts';
import type { PointLike } from '../../base/math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

/** Options of `findPolysInCircle`. */
export interface PolysInCircleOptions extends StartOptions {
  /** Which polygons may be entered. Default: all that have a flag. */
  filter?: QueryFilter;
  /** The agent's size on a mesh with sizes; see `findSize`. Default: that of `filter`. */
  size?: SizeLike;
}

const center = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * Returns the polygons that the circle around `point` touches and that can be reached inside it, starting at
 * the polygon nearest to the point. `radius` is in world units.
 *
 * The status is 'none' if no polygon is near the point, and 'stale-ref' if polygon `startRef` no longer
 * exists. Throws a TypeError for an invalid point and a RangeError for an invalid radius or unknown options.
 */
export function findPolysInCircle(
  mesh: NavMesh,
  point: PointLike,
  radius: number,
  options: PolysInCircleOptions = {},
): Reached {
  checkKeys('findPolysInCircle', options, ['startRef', 'halfExtents', 'filter', 'size']);
  readPoint(center, point, 'findPolysInCircle', 'point');
  requireRadius(radius, 'findPolysInCircle');
  const filter = readFilter('findPolysInCircle', options, mesh);
  const found = locateStart(hit, mesh, center, options, filter, 'findPolysInCircle');
  if (found !== 'found') return nothingReached(found, center);
  bounds.within = 'circle';
  bounds.center.set(center);
  bounds.radius = radius;
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/** Throws a RangeError unless the radius is finite and above 0. @internal */
export function requireRadius(radius: number, caller: string): void {
  if (typeof radius !== 'number' || !(radius > 0 && radius < Infinity))
    refuse(caller, 'radius', radius, 'finite and > 0');
}
