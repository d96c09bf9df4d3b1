/**
 * How steep triangles are, and how near a point they lie: for telling people about them.
 *
 * Based on: own; the nearest point of a triangle by regions of its plane (Christer Ericson, Real-Time Collision Detection, 2005).
 */
import { atan2Degrees } from '../../math/angle.ts';

/** Degrees from level, 0 .. 180: more than 90 faces down. NaN: the triangle has no area. p: nine numbers. */
export function slopeDegrees(p: ArrayLike<number>): number {
  const ux = p[3] - p[0],
    uy = p[4] - p[1],
    uz = p[5] - p[2],
    vx = p[6] - p[0],
    vy = p[7] - p[1],
    vz = p[8] - p[2];
  const nx = uy * vz - uz * vy,
    ny = uz * vx - ux * vz,
    nz = ux * vy - uy * vx;
  const flat = Math.sqrt(nx * nx + nz * nz);
  return flat === 0 && ny === 0 ? NaN : atan2Degrees(flat, ny);
}

/** Square of the distance from (x, y, z) to the triangle p of nine numbers. */
export function triangleDistanceSq(p: ArrayLike<number>, x: number, y: number, z: number): number {
  const ux = p[3] - p[0],
    uy = p[4] - p[1],
    uz = p[5] - p[2],
    vx = p[6] - p[0],
    vy = p[7] - p[1],
    vz = p[8] - p[2];
  const wx = x - p[0],
    wy = y - p[1],
    wz = z - p[2];
  const uu = ux * ux + uy * uy + uz * uz,
    uv = ux * vx + uy * vy + uz * vz,
    vv = vx * vx + vy * vy + vz * vz;
  const wu = wx * ux + wy * uy + wz * uz,
    wv = wx * vx + wy * vy + wz * vz;
  const area = uu * vv - uv * uv;
  const s = (vv * wu - uv * wv) / area,
    t = (uu * wv - uv * wu) / area;
  if (area > 0 && s >= 0 && t >= 0 && s + t <= 1) {
    const dx = wx - s * ux - t * vx,
      dy = wy - s * uy - t * vy,
      dz = wz - s * uz - t * vz;
    return dx * dx + dy * dy + dz * dz;
  }
  let best = Infinity;
  for (let a = 0; a < 9; a += 3) {
    const b = (a + 3) % 9;
    best = Math.min(best, segmentDistanceSq(p[a], p[a + 1], p[a + 2], p[b], p[b + 1], p[b + 2], x, y, z));
  }
  return best;
}

/** From (x, y, z) to the segment from a to b. */
export function segmentDistanceSq(
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  x: number,
  y: number,
  z: number,
): number {
  const ex = bx - ax,
    ey = by - ay,
    ez = bz - az,
    fx = x - ax,
    fy = y - ay,
    fz = z - az;
  const length = ex * ex + ey * ey + ez * ez;
  const share = length > 0 ? Math.min(1, Math.max(0, (fx * ex + fy * ey + fz * ez) / length)) : 0;
  const dx = fx - share * ex,
    dy = fy - share * ey,
    dz = fz - share * ez;
  return dx * dx + dy * dy + dz * dz;
}
