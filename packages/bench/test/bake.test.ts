/** The benchmark of bakes refuses to measure meshes that are not Recast's: it must not refuse ours. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { benchBake } from '../src/bake.ts';
import { loadLevels } from '../src/levels.ts';
import { initRecast } from '../src/recast.ts';

it('measures a bake whose polygons equal those of Recast', async () => {
  await initRecast();
  const [level] = loadLevels(fileURLToPath(new URL('../../../', import.meta.url)), ['house'], 0);
  const { polygons, ratios } = benchBake(level, { rounds: 1, stages: false, navcat: false });
  expect(polygons).toBeGreaterThan(100);
  expect(ratios['recast'].median).toBeGreaterThan(0);
});
