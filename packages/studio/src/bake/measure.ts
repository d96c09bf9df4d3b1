/**
 * Measures the triangles of a level: its extent, and how much of it faces up, down and along z.
 *
 * In: positions and indices. Out: lengths and areas in world units.
 * Cost: linear in the number of triangles.
 * Based on: own.
 */
import type { Bounds, LevelMeasure } from '../state/state.ts';

/** Cosine of 45 degrees: each triangle counts for one direction at most. */
const LIMIT = Math.SQRT1_2;

export function measureLevel(p: ArrayLike<number>, indices: ArrayLike<number>, { min, max }: Bounds): LevelMeasure {
  const size = [0, 1, 2].map((axis) => max[axis] - min[axis]) as [number, number, number];
  const measure = { size, up: 0, down: 0, plusZ: 0, minusZ: 0 };
  for (let i = 0; i + 2 < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0 && length < Infinity)) continue;
    const area = length / 2;
    const limit = LIMIT * length;
    if (ny > limit) measure.up += area;
    else if (-ny > limit) measure.down += area;
    else if (nz > limit) measure.plusZ += area;
    else if (-nz > limit) measure.minusZ += area;
  }
  return measure;
}
