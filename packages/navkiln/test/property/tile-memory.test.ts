/**
 * Baking tile by tile holds the memory of one tile, however many tiles there are. `npm run soak -- tiles` measures
 * 16 km² in 18,000 tiles; here it is a few hundred.
 */
import { expect, it } from 'vitest';
import { bakeTiles, createTerrain } from '../../../../tools/soak/tiles.mjs';
import { createWorkspace } from '../../src/data/workspace.ts';
import { buildPreparedTile, prepareTiles } from '../../src/voxel/build.ts';

it('holds no more memory after 400 tiles than after 200', () => {
  const library = { prepareTiles, buildPreparedTile, createWorkspace };
  const run = bakeTiles(library, createTerrain(400), { cellSize: 0.5, cellHeight: 0.2, tileSize: 20 });
  expect(run.tiles).toBe(400);
  expect(run.polygons).toBeGreaterThan(2000);
  // With all tiles kept, it is 450 kB.
  expect(run.growth).toBeLessThan(2 ** 18);
});
