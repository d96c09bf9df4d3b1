/**
 * The closest points of two segments in space.
 *
 * Based on: Christer Ericson, Real-Time Collision Detection, 2005, 5.1.9 (minimize over one parameter, clamp,
 * repeat for the other). Degenerate segments are points.
 */

/**
 * Writes the parameters 0 .. 1 of the closest points of segment a (from p, in direction d) and segment b
 * (from q, in direction e), xyz each, to out[0] and out[1]. Returns their squared distance.
 */
export function closestOnSegments(
  out: Float64Array,
  p: Float64Array,
  d: Float64Array,
  q: Float64Array,
  e: Float64Array,
): number {
  const rx = p[0] - q[0];
  const ry = p[1] - q[1];
  const rz = p[2] - q[2];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const de = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
  const dr = d[0] * rx + d[1] * ry + d[2] * rz;
  const er = e[0] * rx + e[1] * ry + e[2] * rz;
  const denominator = dd * ee - de * de;
  let s = denominator > 1e-14 * dd * ee ? clamp01((de * er - dr * ee) / denominator) : 0;
  let t = ee > 0 ? (de * s + er) / ee : 0;
  if (t < 0 || t > 1 || ee === 0) {
    t = clamp01(t);
    s = dd > 0 ? clamp01((de * t - dr) / dd) : 0;
  }
  out[0] = s;
  out[1] = t;
  const x = rx + s * d[0] - t * e[0];
  const y = ry + s * d[1] - t * e[1];
  const z = rz + s * d[2] - t * e[2];
  return x * x + y * y + z * z;
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}
