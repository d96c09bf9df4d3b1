/**
 * Measures triangles for explanations: their slope, and the distance of a point.
 *
 * In: corners. Out: degrees, squared distances.
 * Cost: constant.
 * Based on: own; the nearest point of a triangle by regions of its plane (Christer Ericson, Real-Time
 * Collision Detection, 2005).
 */
import { atan2Degrees } from '../../base/math/angle.ts';

/**
 * Returns the slope of a triangle p of nine numbers, 0 .. 180 degrees; above 90 it faces down. NaN: the
 * triangle has no area.
 */
export function slopeDegrees(p: ArrayLike<number>): number {
  const ux = p[3] - p[0];
  const uy = p[4] - p[1];
  const uz = p[5] - p[2];
  const vx = p[6] - p[0];
  const vy = p[7] - p[1];
  const vz = p[8] - p[2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const flat = Math.sqrt(nx * nx + nz * nz);
  return flat === 0 && ny === 0 ? NaN : atan2Degrees(flat, ny);
}

/** Returns the squared distance from (x, y, z) to a triangle p of nine numbers. */
export function triangleDistanceSq(p: ArrayLike<number>, x: number, y: number, z: number): number {
  const ux = p[3] - p[0];
  const uy = p[4] - p[1];
  const uz = p[5] - p[2];
  const vx = p[6] - p[0];
  const vy = p[7] - p[1];
  const vz = p[8] - p[2];
  const wx = x - p[0];
  const wy = y - p[1];
  const wz = z - p[2];
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const wu = wx * ux + wy * uy + wz * uz;
  const wv = wx * vx + wy * vy + wz * vz;
  const area = uu * vv - uv * uv;
  const s = (vv * wu - uv * wv) / area;
  const t = (uu * wv - uv * wu) / area;
  if (area > 0 && s >= 0 && t >= 0 && s + t <= 1) {
    const dx = wx - s * ux - t * vx;
    const dy = wy - s * uy - t * vy;
    const dz = wz - s * uz - t * vz;
    return dx * dx + dy * dy + dz * dz;
  }
  let best = Infinity;
  for (let a = 0; a < 9; a += 3) {
    const b = (a + 3) % 9;
    const ends = [p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2]];
    best = Math.min(best, segmentDistanceSq(ends, x, y, z));
  }
  return best;
}

/** Returns the squared distance from (x, y, z) to a segment, xyz of both ends. */
export function segmentDistanceSq(ends: ArrayLike<number>, x: number, y: number, z: number): number {
  const ex = ends[3] - ends[0];
  const ey = ends[4] - ends[1];
  const ez = ends[5] - ends[2];
  const fx = x - ends[0];
  const fy = y - ends[1];
  const fz = z - ends[2];
  const length = ex * ex + ey * ey + ez * ez;
  const share = length > 0 ? Math.min(1, Math.max(0, (fx * ex + fy * ey + fz * ez) / length)) : 0;
  const dx = fx - share * ex;
  const dy = fy - share * ey;
  const dz = fz - share * ez;
  return dx * dx + dy * dy + dz * dz;
}
