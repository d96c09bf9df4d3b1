/** Worlds that are loaded piece by piece. */
import { findLevelScene } from 'navkiln-scenes';
import { createMemoryCache } from 'navkiln/worker';
import { publishWorld } from 'navkiln/world';
import type { StreamResult } from 'navkiln/world';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { axeFaults, loadAxe, tabFaults } from './axe.ts';
import { drop, goTo, idle, startStudio } from './page.ts';
import type { Studio } from './page.ts';
import { fillField, pictures } from './walks/walk.ts';

let studio: Studio;
let page: Page;
let files: { name: string; path: string; bytes: Uint8Array }[];
beforeAll(async () => {
  const { options, create } = findLevelScene('slope-limits');
  const store = createMemoryCache();
  await publishWorld(store, create(), { ...options, tileSize: 5 });
  files = await Promise.all(
    (await store.keys()).map(async (path) => ({
      path,
      name: path.slice(path.lastIndexOf('/') + 1),
      bytes: (await store.get(path))!,
    })),
  );
  studio = await startStudio({ draws: true, headers: { 'content-security-policy': '' }, ignore: /404/ });
  page = await studio.open('', {
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: process.env['NAVKILN_PICTURES'] === undefined ? 0.4 : 1,
  });
});
afterAll(() => studio?.close());
afterEach(() => studio.check());

const result = (): Promise<StreamResult> => page.evaluate(() => globalThis.studio!.tool() as StreamResult);
const loadedAll = (): Promise<unknown> =>
  page.waitForFunction(() => {
    const now = globalThis.studio!.tool() as StreamResult | undefined;
    // Of 18, the camera of a narrow window misses one.
    return now !== undefined && now.loadedTiles > 16 && now.missingTiles === 0;
  });

it('a dropped world loads the tiles around the middle of the view, within its radius', async () => {
  await drop(page, files);
  await loadedAll();
  const all = await result();
  await pictures(page, 'world');
  // `npm run soak` sets NAVKILN_FULL.
  if (process.env['NAVKILN_FULL'] !== undefined) {
    await loadAxe(page);
    expect(await axeFaults(page, '.card')).toEqual([]);
    expect((await tabFaults(page, '.card')).faults).toEqual([]);
  }
  // Typed text stays while the card is updated, here by a change of the theme.
  await page.getByLabel('radius', { exact: true }).locator('visible=true').first().fill('30');
  await page.emulateMedia({ colorScheme: 'dark' });
  await idle(page);
  expect(await page.getByLabel('radius', { exact: true }).locator('visible=true').first().inputValue()).toBe('30');
  await fillField(page, 'radius', '3');
  await page.waitForFunction(
    (before) => (globalThis.studio!.tool() as StreamResult).loadedTiles < before,
    all.loadedTiles,
  );
  const near = await result();
  expect(near.loadedTiles).toBeGreaterThan(0);
  expect(near.failures).toEqual([]);
  // The mesh of the page has exactly these tiles.
  const tiles = await page.evaluate(
    () => globalThis.studio!.state().mesh!.navMesh.tileState.filter((state) => state === 1).length,
  );
  expect(tiles).toBe(near.loadedTiles);
});

it('a link opens a world on the web', async () => {
  const byPath = new Map(files.map(({ path, bytes }) => [`/${path}`, bytes]));
  await page.context().route('https://worlds.example/**', (route) => {
    const bytes = byPath.get(new URL(route.request().url()).pathname);
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill(bytes === undefined ? { status: 404, headers } : { body: Buffer.from(bytes), headers });
  });
  await goTo(page, '#scene=slope-limits');
  await goTo(page, '#open=https://worlds.example/world.json');
  await loadedAll();
  expect((await result()).failures).toEqual([]);
  expect(await page.evaluate(() => globalThis.studio!.state().tool)).toBe('world');
});
