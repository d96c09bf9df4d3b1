/** Points of a 2D map. */
import type { PointLike2d } from 'navkiln/polygon';

export type Point2 = readonly [x: number, y: number];

/** Returns a point of a map as a pair. */
export function pointOf(point: PointLike2d): Point2 {
  return 'x' in point ? [point.x, point.y] : [point[0]!, point[1]];
}
