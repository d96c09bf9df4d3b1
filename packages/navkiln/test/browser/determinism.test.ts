/** Bakes and crowds have the same bytes in Chromium as in Node. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { hashBakes } from './bakes.ts';
import { runInChromium } from './chromium-page.ts';
import { hashCrowds } from './crowds.ts';
import { runRollbacks } from './rollbacks.ts';

/** Ticks of the crowd, a multiple of four. `npm run soak` runs more, and bakes each scene with all partitionings. */
const TICKS = Number(process.env.NAVKILN_TICKS ?? 600);
/** Ticks of the game that goes back, four times in five ticks. */
const ROLLBACK_TICKS = Number(process.env.NAVKILN_ROLLBACK_TICKS ?? 40);
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

it(
  `${ROLLBACK_TICKS} ticks with rollbacks are those without them in Chromium, and those of Node`,
  { timeout: 240_000 },
  async () => {
    const file = fileURLToPath(new URL('rollbacks.ts', import.meta.url));
    const there = await runInChromium(file, 'runRollbacks', ROLLBACK_TICKS);
    expect(there).toEqual(runRollbacks(ROLLBACK_TICKS));
  },
);
