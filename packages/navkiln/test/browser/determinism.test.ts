/** Bakes and crowds have the same bytes in Chromium as in Node. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { hashBakes } from './bakes.ts';
import { runInChromium } from './chromium-page.ts';
import { hashCrowds } from './crowds.ts';

/** Ticks of the crowd, a multiple of four. `npm run soak` runs more, and bakes each scene with all partitionings. */
const TICKS = Number(process.env.NAVKILN_TICKS ?? 1200);
const IS_FULL = process.env.NAVKILN_FULL === undefined ? 0 : 1;

it('bakes, paths and path indexes have the same bytes in Chromium and in Node', { timeout: 240_000 }, async () => {
  const there = await runInChromium(fileURLToPath(new URL('bakes.ts', import.meta.url)), 'hashBakes', IS_FULL);
  const here = hashBakes(IS_FULL);
  expect(Object.keys(here).length).toBeGreaterThan(8);
  expect(there).toEqual(here);
});

it(`crowds are the same after ${TICKS} ticks in Chromium and in Node`, { timeout: 240_000 }, async () => {
  const there = await runInChromium(fileURLToPath(new URL('crowds.ts', import.meta.url)), 'hashCrowds', TICKS);
  const here = hashCrowds(TICKS);
  // They end differently, and agents have moved: hashes of something.
  const hashes = Object.values(here);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(hashes.length).toBeGreaterThan(3);
  expect(there).toEqual(here);
});
