/**
 * Streaming in pages: tiles over HTTP, decoded in Web Workers or on the page's thread, and kept in IndexedDB over reloads and without a
 * network.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { levelScenes } from 'navkiln-scenes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle as bundlePackages } from '../../../../tools/bundle.mjs';
import { publishWorld } from '../../src/world/streaming/publish.ts';
import { createMemoryCache } from '../../src/world/worker/caches/memory.ts';
import { bundle } from './bundle.ts';
import { ISOLATED, openPage, serveSite, startBrowser } from './site.ts';
import type { Site } from './site.ts';
import type * as StreamPage from './stream-page.ts';
import { traced } from './trace.ts';

const LIBRARY = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'navkiln-stream-'));
const imports = Object.fromEntries(
  ['world', 'worker', 'routes'].map((name) => [`navkiln/${name}`, `/navkiln/${name}.js`]),
);
const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="/page.js"></script>`;

/** Longest task of the page, ms: a frame. */
const LONGEST_MS = 16;

declare global {
  var streamPage: typeof StreamPage | undefined;
}

let browser: Browser;
let script = '';
const all = { tiles: 0, polygons: 0 };

beforeAll(async () => {
  if (!existsSync(join(LIBRARY, 'dist/bake-worker.js'))) await bundlePackages();
  const module = fileURLToPath(new URL('stream-page.ts', import.meta.url));
  const code = `import * as page from ${JSON.stringify(module)};\nglobalThis.streamPage = page;\n`;
  [browser, script] = await Promise.all([startBrowser(), bundle(code, /^navkiln(\/|$)/)]);
  const scene = levelScenes.find(({ name }) => name === 'courtyard')!;
  const store = createMemoryCache();
  const { manifest } = await publishWorld(store, scene.create(), { ...scene.options, tileSize: 16 }, { routes: true });
  const { polys } = manifest.tiles;
  all.tiles = polys.filter((count) => count > 0).length;
  all.polygons = polys.reduce((sum, count) => sum + count, 0);
  for (const name of await store.keys()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), (await store.get(name))!);
  }
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page of a site that has the package and the world. */
async function open(headers: Record<string, string>): Promise<{ page: Page; site: Site; asked: string[] }> {
  const folders = { '/navkiln/': join(LIBRARY, 'dist'), '/town/': `${folder}/` };
  const site = await serveSite({ folders, headers, texts: { '/index.html': html, '/page.js': script } });
  const page = await openPage(browser, site.url, 'streamPage');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/town/')) asked.push(pathname.slice('/town/'.length));
  });
  return { page, site, asked };
}

const stream = (page: Page, workers: number, kept?: string): Promise<StreamPage.Streamed> =>
  page.evaluate(([count, name]) => globalThis.streamPage!.stream('/town', count, name), [workers, kept] as const);

// The next test loads them by one worker and on the page's thread.
it.runIf(process.env['NAVKILN_FULL'] !== undefined)('loads all tiles with any number of workers', async () => {
  for (const headers of [ISOLATED, {}]) {
    const { page, site } = await open(headers);
    for (const workers of [0, 1, 2]) {
      const { tiles, polygons, routeTiles } = await stream(page, workers);
      expect({ tiles, polygons, routeTiles }).toEqual({ ...all, routeTiles: all.tiles });
      await expect.poll(() => page.workers().length).toBe(0);
    }
    await page.context().close();
    site.close();
  }
});

it.runIf(process.env['NAVKILN_FULL'] !== undefined)('never blocks the page for long', async () => {
  for (const workers of [0, 1]) {
    const { page, site } = await open(ISOLATED);
    const longest = await traced(page, async (begin) => {
      await begin(`${workers} workers`);
      expect(await stream(page, workers)).toMatchObject(all);
      await begin('end');
    });
    for (const ms of longest) expect(ms).toBeLessThan(LONGEST_MS);
    await page.context().close();
    site.close();
  }
});

it('keeps files in IndexedDB: after a reload, without a network, and when one is damaged', async () => {
  const { page, site, asked } = await open(ISOLATED);
  const files = (list: readonly string[]): number => list.filter((name) => name !== 'world.json').length;
  expect(await stream(page, 1, 'town')).toMatchObject(all);
  expect(asked.filter((name) => name.startsWith('tiles/')).length).toBe(all.tiles);
  const kept = await page.evaluate(() => globalThis.streamPage!.listKept('town'));
  expect(kept.sort()).toEqual([...new Set(asked)].sort());
  const reload = async (): Promise<void> => {
    await page.reload();
    await page.waitForFunction(() => 'streamPage' in globalThis);
    asked.length = 0;
  };
  for (const workers of [1, 0]) {
    await reload();
    expect(await stream(page, workers, 'town')).toMatchObject(all);
    expect(asked).toEqual(['world.json']);
  }
  await page.evaluate(() => globalThis.streamPage!.damage('town'));
  await reload();
  expect(await stream(page, 1, 'town')).toMatchObject(all);
  expect(files(asked)).toBe(1);
  await reload();
  await page.route('**/town/**', (route) => route.abort());
  expect(await stream(page, 1, 'town')).toMatchObject(all);
  expect(files(asked)).toBe(0);
  await page.context().close();
  site.close();
});
