/**
 * Finds the walkable point of a 2D map nearest to a point.
 *
 * Cost: the same as `findNearest`.
 * Based on: own.
 */
import { checkFilter } from '../filter.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { findNearest } from '../nearest/nearest.ts';
import type { NearestResult } from '../nearest/nearest.ts';
import { mapPoint, placePoint, readReach } from './plane.ts';
import type { ReachOptions2d } from './plane.ts';

/** Options of `findNearest2d`. */
export interface NearestOptions2d extends ReachOptions2d {
  /** Which polygons count. Default: all that have a flag. */
  filter?: QueryFilter;
}

/** Result of `findNearest2d`. */
export interface NearestResult2d extends Omit<NearestResult, 'point' | 'isOver'> {
  /** The nearest walkable point [x, y], or the given point when nothing was found. */
  point: [x: number, y: number];
  /** Whether the given point is walkable. Then `point` is the given point, and `distance` is 0. */
  isInside: boolean;
}

/**
 * Returns the walkable point nearest to a point [x, y] or { x, y } of a 2D map, its polygon, and the distance.
 *
 * Throws a TypeError for invalid points and a RangeError for unknown or invalid options.
 */
export function findNearest2d(mesh: NavMesh, point: PointLike2d, options: NearestOptions2d = {}): NearestResult2d {
  checkKeys('findNearest2d', options, ['halfExtents', 'filter']);
  checkNavMesh('findNearest2d', mesh);
  if (options.filter !== undefined) checkFilter('findNearest2d', options.filter);
  const halfExtents = readReach(options.halfExtents, 'findNearest2d');
  const at = placePoint(mesh, point, 'findNearest2d', 'point');
  const { isOver, ...found } = findNearest(mesh, at, { halfExtents, filter: options.filter });
  return { ...found, point: mapPoint(mesh, found.point), isInside: isOver };
}
