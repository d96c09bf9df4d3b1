/** The verify tool in Chromium: its figures are those of the library, its places are listed and drawn. */
import { findLevelScene } from 'navkiln-scenes';
import { buildNavMesh } from 'navkiln/build';
import { verifyNavMesh } from 'navkiln/debug';
import type { VerifyResult } from 'navkiln/debug';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';

let studio: Studio;
beforeAll(async () => (studio = await startStudio()));
afterAll(() => studio?.close());
afterEach(() => studio.check());

const seen = (page: Page): Promise<VerifyResult> => page.evaluate(() => globalThis.studio!.tool() as VerifyResult);

it('shows the figures of the library, lists places with causes, and moves the view to one', async () => {
  const page = await studio.show('#scene=courtyard&maxEdgeError=2&tool=verify', { width: 1280, height: 800 });
  await page.waitForFunction(
    () => (globalThis.studio!.tool() as VerifyResult | undefined)?.places[0]?.cause?.length !== undefined,
  );
  await idle(page);
  const scene = findLevelScene('courtyard');
  const level = scene.create();
  const { navMesh } = buildNavMesh(level, { ...scene.options, maxEdgeError: 2 });
  const { coverage, overreach, places } = verifyNavMesh(level, navMesh);
  const result = await seen(page);
  expect([result.coverage, result.overreach]).toEqual([coverage, overreach]);
  expect(result.places.map(({ kind, position }) => [kind, position])).toEqual(
    places.map(({ kind, position }) => [kind, position]),
  );
  expect(coverage).toBeLessThan(0.995);
  const items = page.locator('.verify-place');
  expect(await items.count()).toBe(Math.min(12, places.length));
  await items.first().click();
  expect(await items.first().getAttribute('aria-pressed')).toBe('true');
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toMatch(/contours: .*Try maxEdgeError: 0\.075/s);
  await idle(page);
  if (process.env['NAVKILN_SHOW'] !== undefined) await page.screenshot({ path: process.env['NAVKILN_SHOW'] });
});

it('says that a mesh fits, also for a 2D map', async () => {
  const page = await studio.show('#scene=grid-map&tool=verify', { width: 1280, height: 800 });
  await page.waitForFunction(() => (globalThis.studio!.tool() as VerifyResult | undefined)?.coverage === 1);
  expect(await page.evaluate(() => globalThis.studio!.text('tool'))).toContain('The mesh fits the level.');
});
