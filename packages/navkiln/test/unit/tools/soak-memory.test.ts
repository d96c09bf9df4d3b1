/** Tiles that are baked one by one take the memory of one tile. `npm run soak -- memory` bakes 18,000. */
import * as build from 'navkiln/build';
import { expect, it } from 'vitest';
import { growthOf, measureTiles } from '../../../../../tools/soak/memory.mjs';

it('live memory does not grow with the number of tiles', { timeout: 60_000 }, () => {
  const { tiles, total, polygons, live } = measureTiles(build, { side: 320, seed: 1, samples: 10 });
  expect([tiles, total]).toEqual([121, 121]);
  expect(polygons).toBeGreaterThan(300);
  expect(live.length).toBeGreaterThan(7);
  expect(growthOf(live)).toBeLessThan(1 << 20);
});

it('growth is seen', () => {
  const kept: unknown[] = [];
  const { live } = measureTiles(
    {
      ...build,
      buildPreparedTile: (...args: Parameters<typeof build.buildPreparedTile>) => {
        kept.push(new Uint8Array(60_000));
        return args[1] > 0 ? null : build.buildPreparedTile(...args);
      },
    },
    { side: 320, seed: 1, samples: 10 },
  );
  expect(kept.length).toBe(121);
  expect(growthOf(live)).toBeGreaterThan(1 << 20);
});
