/**
 * Moves a point on a 2D map and slides it along walls.
 *
 * Cost: the same as `moveAlongSurface`.
 * Based on: own.
 */
import { checkFilter } from '../filter.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { checkKeys } from '../../base/data/refuse.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { WALK_KEYS } from '../walk/open-edges.ts';
import type { WalkOptions } from '../walk/open-edges.ts';
import { moveAlongSurface } from '../walk/slide.ts';
import type { SlideResult } from '../walk/slide.ts';
import { mapPoint, placePoint, readReach } from './plane.ts';
import type { ReachOptions2d } from './plane.ts';

/** Options of `moveAlongSurface2d`. */
export interface SlideOptions2d extends ReachOptions2d, Omit<WalkOptions, 'halfExtents' | 'size'> {}

/** Result of `moveAlongSurface2d`. */
export interface SlideResult2d extends Omit<SlideResult, 'point'> {
  /** The walkable end position, [x, y]. The given start when there is no start polygon. */
  point: [x: number, y: number];
}

/**
 * Moves from start towards end on the mesh of a 2D map and slides along walls. Points are [x, y] or { x, y }.
 *
 * A start outside the walkable area is moved to the nearest walkable point first, within `halfExtents`. Throws a
 * TypeError for invalid points and a RangeError for unknown or invalid options.
 */
export function moveAlongSurface2d(
  mesh: NavMesh,
  start: PointLike2d,
  end: PointLike2d,
  options: SlideOptions2d = {},
): SlideResult2d {
  checkKeys('moveAlongSurface2d', options, WALK_KEYS);
  checkNavMesh('moveAlongSurface2d', mesh);
  if (options.filter !== undefined) checkFilter('moveAlongSurface2d', options.filter);
  const halfExtents = readReach(options.halfExtents, 'moveAlongSurface2d');
  const from = placePoint(mesh, start, 'moveAlongSurface2d', 'start');
  const to = placePoint(mesh, end, 'moveAlongSurface2d', 'end');
  const moved = moveAlongSurface(mesh, from, to, { ...options, halfExtents });
  return { ...moved, point: mapPoint(mesh, moved.point) };
}
