/**
 * Rebase: takes the large part off coordinates given in doubles, so that what float32 keeps of them does not depend on where
 * the level lies; the tile gets it back in doubles.
 *
 * The part is a multiple of `REBASE_STEP` an axis, the one nearest to the middle of what is baked: a level moved by any
 * multiples of it bakes to the same polygons, moved. Positions in float32 stay as they are, and as in Recast: their small
 * part is lost already. Cost: one more pass over positions that are not float32.
 *
 * Based on: own.
 */
import { REBASE_STEP } from '../constants.ts';
import type { AreaVolume } from './options.ts';

export type Offset = readonly [number, number, number];

/** World = local + offset. Bounds that are no box are refused later. */
export function rebaseOffset({ min, max }: { min: ArrayLike<number>; max: ArrayLike<number> }): Offset {
  const nearest = (axis: number): number => {
    const middle = (min?.[axis] ?? NaN) / 2 + (max?.[axis] ?? NaN) / 2;
    return Number.isFinite(middle) ? Math.floor(middle / REBASE_STEP + 0.5) * REBASE_STEP : 0;
  };
  return [nearest(0), nearest(1), nearest(2)];
}

/** Positions less the offset, in float32. */
export function rebasePositions(given: ArrayLike<number>, [x, y, z]: Offset): Float32Array {
  if (given instanceof Float32Array) return given;
  const positions = new Float32Array(given.length);
  for (let i = 0; i < given.length; i += 3) {
    positions[i] = given[i] - x;
    positions[i + 1] = given[i + 1] - y;
    positions[i + 2] = given[i + 2] - z;
  }
  return positions;
}

/** A point less the offset, in float32. */
export function rounded(point: ArrayLike<number>, [x, y, z]: Offset): Offset {
  return [Math.fround(point[0] - x), Math.fround(point[1] - y), Math.fround(point[2] - z)];
}

/** The same volume in local coordinates. */
export function rebaseVolume(volume: AreaVolume, offset: Offset): AreaVolume {
  const [x, y, z] = offset;
  const local = (p: readonly number[]): number[] => [p[0] - x, p[1] - y, p[2] - z];
  if (volume.type === 'box') return { ...volume, min: local(volume.min), max: local(volume.max) };
  if (volume.type === 'cylinder') return { ...volume, center: local(volume.center) };
  return {
    ...volume,
    outline: volume.outline.map((p) => [p[0] - x, p[1] - z]),
    minY: volume.minY - y,
    maxY: volume.maxY - y,
  };
}
