/**
 * Moves coordinates given as doubles near the origin, so that their float32 values do not depend on where the
 * level lies.
 *
 * An offset is subtracted from positions before the bake and added to the finished tile in doubles. It is a
 * multiple of `REBASE_STEP` per axis, the one nearest to the middle of the baked box: a level moved by
 * multiples of it bakes to the same polygons, moved. Positions given as float32 stay as they are, as in
 * Recast, because their digits are lost already.
 *
 * In: positions, points and volumes in world coordinates. Out: the same in local coordinates, world = local +
 *   offset.
 * Cost: one more pass over positions that are not float32.
 * Based on: own.
 */
import { REBASE_STEP } from '../../base/constants.ts';
import type { AreaVolume } from './options.ts';

/** Subtracted from world coordinates: world = local + offset. */
export type Offset = readonly [number, number, number];

/** Returns the offset of a box. Axes without finite bounds get 0; such bounds are refused later. */
export function rebaseOffset({ min, max }: { min: ArrayLike<number>; max: ArrayLike<number> }): Offset {
  const nearest = (axis: number): number => {
    const middle = (min?.[axis] ?? NaN) / 2 + (max?.[axis] ?? NaN) / 2;
    return Number.isFinite(middle) ? Math.floor(middle / REBASE_STEP + 0.5) * REBASE_STEP : 0;
  };
  return [nearest(0), nearest(1), nearest(2)];
}

/** Returns the positions less the offset as float32. A Float32Array is returned as it is. */
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

/** Returns a point less the offset, rounded to float32. */
export function toLocal(point: ArrayLike<number>, [x, y, z]: Offset): Offset {
  return [Math.fround(point[0] - x), Math.fround(point[1] - y), Math.fround(point[2] - z)];
}

/** Returns the volume in local coordinates. */
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
