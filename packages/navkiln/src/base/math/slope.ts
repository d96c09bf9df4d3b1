/**
 * Decides whether a triangle is flat enough to walk on, as Recast decides it, for both bakes.
 *
 * A triangle is walkable when the y of its float32 unit normal exceeds the float32 cosine of the steepest slope. So
 * a slope exactly at the limit is not walkable, and float32 rounding decides within some hundred-thousandths of a
 * degree of it. Most triangles are far from the limit, so doubles decide.
 *
 * Cost: constant.
 * Based on: Mikko Mononen, Recast (2009), rcMarkWalkableTriangles. The cosine is own, a Taylor series, because
 *   engines differ in the last bit of Math.cos.
 */

const f = Math.fround;

/**
 * Bound on the error of a float32 normal, relative to the sum of its products' magnitudes. A dozen roundings
 * of half a unit in the last place (2^-25 to 2^-24) stay below half of it.
 */
export const SLOPE_ERROR: number = 2 ** -19;

/** Units in the last place of float32 coordinates by which rounding moves a corner, as a share of the coordinate. */
const ROUNDING = 2 ** -22;

/**
 * Returns whether the triangle at offsets a, b, c is a point or a line, within the rounding of its float32 coordinates. Upright
 * triangles, which are lines only when seen from above, are not.
 */
export function hasNoArea(positions: ArrayLike<number>, a: number, b: number, c: number): boolean {
  const ax = positions[a];
  const ay = positions[a + 1];
  const az = positions[a + 2];
  const ux = positions[b] - ax;
  const uy = positions[b + 1] - ay;
  const uz = positions[b + 2] - az;
  const vx = positions[c] - ax;
  const vy = positions[c + 1] - ay;
  const vz = positions[c + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const areaSq = nx * nx + ny * ny + nz * nz;
  const lengthSq = ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz;
  // Nearly all triangles are thicker than a thousandth of their length.
  if (areaSq > 1e-6 * lengthSq * lengthSq) return false;
  let most = 0;
  for (let k = 0; k < 3; k++) {
    most = Math.max(most, Math.abs(positions[a + k]), Math.abs(positions[b + k]), Math.abs(positions[c + k]));
  }
  const height = ROUNDING * most;
  return areaSq <= lengthSq * height * height;
}

/** Returns the y of a unit normal that walkable triangles exceed; a float32 number. */
export function slopeThreshold(maxSlopeDegrees: number): number {
  return f(cosine(f(f(f(maxSlopeDegrees) / 180) * f(3.14159265))));
}

/**
 * Returns the y of the unit normal of the triangle at offsets a, b, c, with Recast's roundings (`f`) in Recast's
 * order; undefined when the normal has no length. Positions are float32 numbers.
 */
export function slopeInFloats(positions: ArrayLike<number>, a: number, b: number, c: number): number | undefined {
  const ax = positions[a];
  const ay = positions[a + 1];
  const az = positions[a + 2];
  const ux = f(positions[b] - ax);
  const uy = f(positions[b + 1] - ay);
  const uz = f(positions[b + 2] - az);
  const vx = f(positions[c] - ax);
  const vy = f(positions[c + 1] - ay);
  const vz = f(positions[c + 2] - az);
  const nx = f(f(uy * vz) - f(uz * vy));
  const ny = f(f(uz * vx) - f(ux * vz));
  const nz = f(f(ux * vy) - f(uy * vx));
  const lengthSq = f(f(f(nx * nx) + f(ny * ny)) + f(nz * nz));
  return lengthSq === 0 ? undefined : f(ny * f(1 / f(Math.sqrt(lengthSq))));
}

/** Returns the cosine of an angle in [0, pi/2] radians, to within one unit in the last place of a double. */
export function cosine(angle: number): number {
  // The series runs on an eighth of the angle. Doubling back, cos 2a = 2 cos^2 a - 1, is done on 1 - cos to
  // stay exact.
  const x = angle / 8;
  const q = x * x;
  // 1 - cos x = x^2/2 - x^4/24 + ...
  let term = 0;
  let product = -1;
  for (let k = 1; k <= 9; k++) {
    product *= -q / ((2 * k - 1) * (2 * k));
    term += product;
  }
  for (let k = 0; k < 3; k++) term = 2 * term * (2 - term);
  return 1 - term;
}
