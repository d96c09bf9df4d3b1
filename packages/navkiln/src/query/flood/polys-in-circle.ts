/**
 * The polygons in a circle that can be reached without leaving it, cheapest first, with parents and costs.
 *
 * A way leads from polygon to polygon over edges that the circle touches, seen from above; heights do not count, as the
 * ground does. A link is taken when the circle touches both of its ends. Cost: that of a flood (flood.ts).
 *
 * Based on: Detour's findPolysAroundCircle (Mikko Mononen), whose answers these are.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import { DEFAULT_FILTER } from '../filter.ts';
import type { QueryFilter } from '../filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from './flood.ts';
import { createNearestHit } from '../nearest/nearest.ts';
import { readPoint } from '../../math/point.ts';
import type { PointLike } from '../../math/point.ts';
import { nothingReached, reachedOf } from './reached.ts';
import type { Reached } from './reached.ts';
import { locateStart } from '../nearest/start.ts';
import type { StartOptions } from '../nearest/start.ts';

export interface PolysInCircleOptions extends StartOptions {
  filter?: QueryFilter;
}

const center = new Float64Array(3);
const hit = createNearestHit();
const flood = createFlood();
const state = createFloodState();
const bounds = createFloodBounds();

/**
 * The polygons that the circle around `point` touches and that can be reached inside of it, from the ground nearest to the
 * point on. `radius` in world units, above 0. Throws a TypeError or RangeError for what is no point, radius or ref.
 */
export function findPolysInCircle(
  mesh: NavMesh,
  point: PointLike,
  radius: number,
  options: PolysInCircleOptions = {},
): Reached {
  readPoint(center, point, 'findPolysInCircle', 'point');
  requireRadius(radius, 'findPolysInCircle');
  const filter = options.filter ?? DEFAULT_FILTER;
  locateStart(hit, mesh, center, options, filter, 'findPolysInCircle');
  if (hit.poly < 0) return nothingReached(center);
  bounds.within = 'circle';
  bounds.center.set(center);
  bounds.radius = radius;
  floodInto(flood, state, mesh, filter, hit.poly, hit.point, bounds);
  return reachedOf(mesh, flood);
}

/** @internal */
export function requireRadius(radius: number, caller: string): void {
  if (!(radius > 0 && radius < Infinity)) throw new RangeError(`${caller}: radius is ${radius}; give a number above 0`);
}
