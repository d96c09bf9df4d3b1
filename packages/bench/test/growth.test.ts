/**
 * A bake's memory per column does not depend on the level's size. A second bake with the same workspace
 * allocates almost none.
 */
import { describe, expect, it } from 'vitest';
import { measureGrowth } from '../src/growth.ts';
import type { GrowthRow } from '../src/growth.ts';

// `npm run soak` sets NAVKILN_FULL.
describe.runIf(process.env['NAVKILN_FULL'] !== undefined).each(['terrain', 'city'])('growth of %s', (level) => {
  it(
    'takes constant bytes per column from 10^5 to 10^6 columns, and almost none in a second bake',
    { timeout: 180_000 },
    () => {
      const measure = (): [GrowthRow, GrowthRow] =>
        measureGrowth([level], [1e5, 1e6], ['navkiln']) as [GrowthRow, GrowthRow];
      // The rest is the mesh in its three forms (polygons and detail, tile, NavMesh), and an area id per triangle.
      const isSmall = (row: GrowthRow): boolean =>
        row.secondBytes - row.triangles - 3.2 * row.meshBytes < 0.02 * row.firstBytes;
      let [small, large] = measure();
      // On a loaded machine the compiler is still at work during the second bake, and its memory counts.
      for (let again = 0; again < 2 && ![small, large].every(isSmall); again++) [small, large] = measure();
      for (const row of [small, large]) {
        expect(row.error).toBe('');
        expect(row.polygons).toBeGreaterThan(100);
        expect(row.meshBytes).toBeGreaterThan(0);
        expect(isSmall(row), JSON.stringify(row)).toBe(true);
      }
      expect(large.columns / small.columns).toBeGreaterThan(7);
      const ratio = large.heldBytes / large.columns / (small.heldBytes / small.columns);
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.25);
    },
  );
});
