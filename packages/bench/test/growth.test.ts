/**
 * A bake's memory per column does not depend on the level's size. A second bake with the same workspace
 * allocates almost none.
 */
import { describe, expect, it } from 'vitest';
import { measureGrowth } from '../src/growth.ts';
import type { GrowthRow } from '../src/growth.ts';

/** `npm run soak` also measures the terrain. */
const LEVELS = process.env['NAVKILN_FULL'] === undefined ? ['city'] : ['terrain', 'city'];

describe.each(LEVELS)('growth of %s', (level) => {
  it(
    'takes constant bytes per column from 10^5 to 10^6 columns, and almost none in a second bake',
    { timeout: 60_000 },
    () => {
      const [small, large] = measureGrowth([level], [1e5, 1e6], ['navkiln']) as [GrowthRow, GrowthRow];
      for (const row of [small, large]) {
        expect(row.error).toBe('');
        expect(row.polygons).toBeGreaterThan(100);
        // The rest is the mesh in its three forms (polygons and detail, tile, NavMesh), and an area id per
        // triangle.
        expect(row.meshBytes).toBeGreaterThan(0);
        expect(row.secondBytes - row.triangles - 3.2 * row.meshBytes).toBeLessThan(0.02 * row.firstBytes);
      }
      expect(large.columns / small.columns).toBeGreaterThan(7);
      const ratio = large.heldBytes / large.columns / (small.heldBytes / small.columns);
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.25);
    },
  );
});
