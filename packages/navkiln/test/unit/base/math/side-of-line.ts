/** Calls `sideOfPoints` with three points given by their coordinates. */
import { sideOfPoints } from '../../../../src/base/math/predicates.ts';

export function sideOfLine(ax: number, az: number, bx: number, bz: number, px: number, pz: number): number {
  return sideOfPoints(Float64Array.of(ax, bx, px), Float64Array.of(az, bz, pz), 0, 1, 2);
}
