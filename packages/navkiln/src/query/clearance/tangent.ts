/**
 * Tangents of circles around corners. Paths of agents with a radius consist of them.
 *
 * A line has a direction. The center of a circle is at a signed distance to its left: the radius for a left turn, minus the radius for a right
 * turn, 0 for a point.
 *
 * Cost: constant.
 * Based on: own.
 */
import { atan2Degrees } from '../../base/math/angle.ts';

/** Returns the distance of two points. */
export function distanceOf(ax: number, av: number, bx: number, bv: number): number {
  return Math.sqrt((bx - ax) * (bx - ax) + (bv - av) * (bv - av));
}

const RADIANS = Math.PI / 180;
/** Negative turns smaller than this are rounding errors of 0, radians. */
const TURN_SLACK = 1e-6;

/**
 * Writes the unit direction of the line with point (ax, av) at distance `am` to its left, and (bx, bv) at `bm`, to out[0] and out[1].
 * If the points are too near to each other, the direction is perpendicular to their difference.
 */
// oxlint-disable-next-line max-params -- kernel: a record would add an object per line.
export function setTangent(
  out: Float64Array,
  ax: number,
  av: number,
  am: number,
  bx: number,
  bv: number,
  bm: number,
): void {
  const dx = bx - ax;
  const dv = bv - av;
  const length = Math.sqrt(dx * dx + dv * dv) || 1;
  const sin = Math.max(-1, Math.min(1, (bm - am) / length));
  const cos = Math.sqrt((1 - sin) * (1 + sin));
  out[0] = (dx * cos + dv * sin) / length;
  out[1] = (dv * cos - dx * sin) / length;
}

/** Returns the angle from direction (ax, av) to (bx, bv), turning left (side 1) or right (side -1), 0 .. 2 pi. */
export function turnBetween(ax: number, av: number, bx: number, bv: number, side: number): number {
  const angle = RADIANS * atan2Degrees(side * (ax * bv - av * bx), ax * bx + av * bv);
  return angle >= 0 ? angle : angle > -TURN_SLACK ? 0 : angle + 2 * Math.PI;
}
