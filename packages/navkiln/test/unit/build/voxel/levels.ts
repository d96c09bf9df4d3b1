/** Little levels for the tests of the bake as a whole. */
import { layersPartition } from 'navkiln/build';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';

export interface Level extends TriangleInput {
  positions: number[];
  indices: number[];
}

/** Flat ground over x0 .. x1 and z0 .. z1, facing up. */
export function floor(x0: number, z0: number, x1: number, z1: number, y = 0): Level {
  return { positions: [x0, y, z0, x0, y, z1, x1, y, z1, x1, y, z0], indices: [0, 1, 2, 0, 2, 3] };
}

export function join(...levels: readonly Level[]): Level {
  const whole: Level = { positions: [], indices: [] };
  for (const { positions, indices } of levels) {
    const base = whole.positions.length / 3;
    whole.positions.push(...positions);
    whole.indices.push(...indices.map((index) => index + base));
  }
  return whole;
}

/** Two rooms of 8 x 8 with a passage of 2 x 2 between them, and a way around of 4 x 4. */
export const TWO_ROOMS: Level = join(
  floor(0, 0, 8, 8),
  floor(8, 1, 10, 3),
  floor(10, 0, 18, 8),
  floor(2, 8, 6, 12),
  floor(2, 12, 16, 16),
  floor(12, 8, 16, 12),
);

export function flipped({ positions, indices }: Level): Level {
  return { positions, indices: indices.map((_, k) => indices[k - (k % 3) + [0, 2, 1][k % 3]]) };
}

/** A floor of 1 x 1 for each character that is not a space, rows along +z; a digit is its height. */
export function tiles(rows: readonly string[]): Level {
  return join(
    ...rows.flatMap((row, z) => [...row].flatMap((c, x) => (c === ' ' ? [] : [floor(x, z, x + 1, z + 1, Number(c))]))),
  );
}

/** Options for `tiles`: cells of 1, an agent of radius 0, and no piece too small. */
export const TILE_OPTIONS: BuildOptions = {
  agent: { radius: 0, height: 2, maxClimb: 1, maxSlopeDegrees: 45 },
  cellSize: 1,
  cellHeight: 1,
  filterLedges: false,
  regionMinArea: 0,
  regionMergeArea: 0,
  partition: layersPartition,
  maxEdgeError: 0.5,
  maxEdgeLength: 0,
  detailSampleDistance: 0,
};
