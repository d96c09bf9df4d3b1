/**
 * The angle of a direction in degrees, with the same result in all engines, within a few units of the last
 * place.
 *
 * Based on: own; the Taylor series of the arc tangent on [0, tan(pi/8)].
 */

const DEGREES = 180 / Math.PI;
/** tan(pi/8). */
const FOLD = 0.41421356237309503;

/** Returns the angle of (x, y) in degrees, -180 .. 180, counted from (1, 0) towards (0, 1); 0 for (0, 0). */
export function atan2Degrees(y: number, x: number): number {
  const ax = x < 0 ? -x : x;
  const ay = y < 0 ? -y : y;
  if (ax === 0 && ay === 0) return 0;
  const isSteep = ay > ax;
  const t = isSteep ? ax / ay : ay / ax;
  // atan(t) = 45 degrees + atan((t - 1) / (t + 1)).
  let angle = t > FOLD ? 45 + DEGREES * atanSeries((t - 1) / (t + 1)) : DEGREES * atanSeries(t);
  if (isSteep) angle = 90 - angle;
  if (x < 0) angle = 180 - angle;
  return y < 0 ? -angle : angle;
}

function atanSeries(t: number): number {
  const q = -t * t;
  let power = t;
  let sum = t;
  for (let k = 3; k <= 43; k += 2) {
    power *= q;
    sum += power / k;
  }
  return sum;
}
