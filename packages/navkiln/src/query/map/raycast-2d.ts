/**
 * Casts a ray on a 2D map and finds the first wall that stops it.
 *
 * Cost: the same as `raycast`.
 * Based on: own.
 */
import { checkFilter } from '../filter.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { raycast } from '../ray/raycast.ts';
import type { RaycastOptions, RaycastResult } from '../ray/raycast.ts';
import { mapPoint, placePoint, readReach } from './plane.ts';
import type { ReachOptions2d } from './plane.ts';

/** Options of `raycast2d`. */
export interface RaycastOptions2d extends ReachOptions2d, Omit<RaycastOptions, 'halfExtents' | 'size'> {}

/** Result of `raycast2d`. */
export interface RaycastResult2d extends Omit<RaycastResult, 'point' | 'normal'> {
  /** Where the ray ends, [x, y]. The given start when there is no start polygon. */
  point: [x: number, y: number];
  /** Unit normal of the wall, towards the ray's start. Zeros when no wall was hit. */
  normal: [x: number, y: number];
}

const RAYCAST_KEYS_2D = ['startRef', 'halfExtents', 'filter', 'withCost', 'withPolys'] as const;

/**
 * Casts a ray from start to end on the mesh of a 2D map. Points are [x, y] or { x, y }.
 *
 * A start outside the walkable area is moved to the nearest walkable point first; pass `halfExtents: 0` to get
 * the status 'off-mesh' instead. Throws a TypeError for invalid points and a RangeError for unknown or invalid
 * options.
 */
export function raycast2d(
  mesh: NavMesh,
  start: PointLike2d,
  end: PointLike2d,
  options: RaycastOptions2d = {},
): RaycastResult2d {
  checkKeys('raycast2d', options, RAYCAST_KEYS_2D);
  checkNavMesh('raycast2d', mesh);
  if (options.filter !== undefined) checkFilter('raycast2d', options.filter);
  const halfExtents = readReach(options.halfExtents, 'raycast2d');
  const from = placePoint(mesh, start, 'raycast2d', 'start');
  const to = placePoint(mesh, end, 'raycast2d', 'end');
  const hit = raycast(mesh, from, to, { ...options, halfExtents });
  return { ...hit, point: mapPoint(mesh, hit.point), normal: mapPoint(mesh, hit.normal) };
}
