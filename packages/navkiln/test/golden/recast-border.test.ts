/**
 * Compares a tile of each scene with Recast's: a part of the level with a border around it. Regions end at
 * the tile's edge, and vertices that only exist because of that edge are removed from the polygons. The mesh
 * must equal Recast's and pass the validators. Scenes of a few cells have no space for a border.
 *
 * Each scene and partitioning takes one of three border widths. NAVKILN_FULL=1 (`npm run soak`) takes all.
 */
import { partitionOf } from '../../src/build/voxel/partition-of.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Partition } from '../../src/build/voxel/bake-config.ts';
import { CONTOUR_BORDER_VERTEX } from '../../src/build/voxel/types.ts';
import { validateDetailMesh } from '../../src/build/voxel/validate/detail-mesh.ts';
import { validatePolyMesh } from '../../src/build/voxel/validate/poly-mesh.ts';
import { initOracle } from '../oracle/recast.ts';
import { bakeAgainstRecast } from './against-recast.ts';
import { SCENE_NAMES, boundsOf, sceneLevel } from './levels.ts';

const PARTITIONS: readonly Partition[] = ['watershed', 'monotone', 'layers'];

/** Border in cells, and most vertices of a polygon. */
const BORDERS = [
  [1, 6],
  [4, 12],
  [7, 3],
] as const;

beforeAll(initOracle);

let taken = 0;

describe.each(SCENE_NAMES.filter((name) => !/one-cell|two-cells|single-triangle/.test(name)))(
  'a tile of %s',
  (name) => {
    it.each(PARTITIONS)('%s', { timeout: 60_000 }, async (partition) => {
      const level = sceneLevel(name);
      const { min, max } = boundsOf(level.input.positions);
      const at = (axis: number, part: number): number => min[axis] + (max[axis] - min[axis]) * part;
      const bounds = { min: [at(0, 0.22), min[1], at(2, 0.31)], max: [at(0, 0.64), max[1] + 1, at(2, 0.7)] };
      const turn = (SCENE_NAMES.indexOf(name) + PARTITIONS.indexOf(partition)) % BORDERS.length;
      for (const [borderCells, maxVerticesPerPoly] of process.env.NAVKILN_FULL ? BORDERS : [BORDERS[turn]]) {
        const options = { ...level.options, bounds, partition: partitionOf(partition), maxVerticesPerPoly };
        const verdict = await bakeAgainstRecast(level.input, options, { change: { borderCells }, skipDetail: true });
        if (verdict.excuse) continue;
        expect(verdict.failure).toBe(undefined);
        const { contours, polyMesh, detail } = verdict.records;
        expect(validatePolyMesh(polyMesh!)).toEqual([]);
        expect(validateDetailMesh(detail!, polyMesh!)).toEqual([]);
        taken += contours!.vertices.filter((flags, k) => k % 4 === 3 && (flags & CONTOUR_BORDER_VERTEX) !== 0).length;
      }
    });
  },
);

afterAll(() => expect(taken).toBeGreaterThan(70));
