/**
 * The pages of examples/, bundled by Vite and opened in Chromium: each shows its status, is not blank, and logs no error.
 *
 * `npm run soak -- examples` runs it: `NAVKILN_ENGINES` is a folder in which the engines are installed, `NAVKILN_PICTURES` one for pictures
 * (the gallery's are in docs/pictures/examples), `NAVKILN_EXAMPLES` names single examples.
 */
import type { Server } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CONTAINER_FLAGS, requireChromium } from '../../../../tools/chromium.mjs';
import { packagesOf, viteOptions } from '../../../../tools/example.mjs';
import { ACTIONS } from './example-actions.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');
const ENGINES = process.env['NAVKILN_ENGINES'];
const PICTURES = process.env['NAVKILN_PICTURES'];
const ONLY = process.env['NAVKILN_EXAMPLES']?.split(',');
/** Software WebGL, which all engines draw with. */
const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

const pages = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'index.html')));

/** Finds the engines of examples in the folder of the test. */
const engines: Plugin = {
  name: 'engines',
  enforce: 'pre',
  resolveId(id, importer) {
    if (ENGINES === undefined || importer === undefined || !importer.startsWith(EXAMPLES)) return null;
    return /^(\.|\/|navkiln|\0)/.test(id) ? null : this.resolve(id, join(ENGINES, 'index.js'), { skipSelf: true });
  },
};

let browser: Browser;
let out = '';

it('names what to expect of each page', () => expect(Object.keys(ACTIONS).sort()).toEqual(pages.sort()));

const wanted = pages.filter((name) => ONLY === undefined || ONLY.includes(name));

describe.skipIf(process.env['NAVKILN_FULL'] === undefined)('pages', () => {
  beforeAll(async () => {
    out = mkdtempSync(join(ROOT, 'out', 'pages-'));
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: requireChromium()!, args: [...CONTAINER_FLAGS, ...WEBGL] });
  });

  afterAll(async () => {
    await browser?.close();
    if (out !== '') rmSync(out, { recursive: true, force: true });
  });

  it.each(wanted)('%s', { timeout: 240_000 }, async (name) => {
    const needed = Object.keys(packagesOf(name));
    if (needed.length > 0 && ENGINES === undefined) return;
    const action = ACTIONS[name]!;
    const folder = join(out, name);
    // Loaded here: without the pages, this file costs next to nothing.
    const [{ build }, { ISOLATED, serveSite }] = await Promise.all([import('vite'), import('./site.ts')]);
    if (action.isPlain !== true)
      await build({
        ...viteOptions(name),
        logLevel: 'error',
        plugins: [engines],
        build: { outDir: folder, minify: false, target: 'esnext', chunkSizeWarningLimit: 1e5 },
      });
    const site = await serveSite({ folders: { '/': action.isPlain === true ? ROOT : folder }, headers: ISOLATED });
    const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || /navkiln/.test(message.text())) faults.push(message.text());
    });
    try {
      await page.goto(action.isPlain === true ? `${site.url}/examples/${name}/index.html` : site.url);
      try {
        await page.waitForFunction(() => (document.querySelector('#status')?.textContent ?? '') !== '', null, {
          timeout: 60_000,
        });
        // Cameras are placed with the first frames.
        await page.waitForTimeout(1000);
        await action.act?.(page);
        await page.waitForTimeout(action.wait ?? 2500);
      } catch (error) {
        throw new Error(`the page stands still: ${faults.join('\n')}`, { cause: error });
      }
      const png = await page.screenshot();
      if (PICTURES !== undefined)
        await page.screenshot({ path: join(PICTURES, `${name}.jpg`), type: 'jpeg', quality: 80 });
      expect(faults).toEqual([]);
      expect(await page.locator('#status').innerText()).toMatch(action.status);
      expect(await countColors(png)).toBeGreaterThan(action.colors ?? 12);
    } finally {
      await page.close();
      site.close();
    }
  });

  // The package `ws` is installed with the engines.
  it.skipIf(ENGINES === undefined || !wanted.includes('lockstep'))(
    'lockstep: two pages in a room of the server, with late orders and a door',
    { timeout: 240_000 },
    async () => {
      const [{ build }, { openPage, serveSite }] = await Promise.all([import('vite'), import('./site.ts')]);
      const folder = join(out, 'lockstep-room');
      await build({ ...viteOptions('lockstep'), logLevel: 'error', build: { outDir: folder, target: 'esnext' } });
      const site = await serveSite({ folders: { '/': folder } });
      const { WebSocketServer } = createRequire(join(ENGINES!, 'index.js'))('ws') as Record<string, unknown>;
      vi.doMock('ws', () => ({ WebSocketServer }));
      const { attach } = (await import(/* @vite-ignore */ join(EXAMPLES, 'lockstep', 'server.mjs'))) as {
        attach: (server: Server) => Map<string, { room: { players: Set<unknown> } }>;
      };
      const rooms = attach(site.server);
      try {
        const pages: Page[] = [];
        for (let i = 0; i < 2; i++) pages.push(await openPage(browser, `${site.url}/?room=yard`, 'document'));
        const status = (page: Page): Promise<string> => page.locator('#status').innerText();
        const equal = async (page: Page): Promise<number> => Number(/(\d+) hashes equal/.exec(await status(page))?.[1]);
        const wait = { timeout: 60_000, interval: 200 };
        for (const page of pages) await expect.poll(() => equal(page), wait).toBeGreaterThan(0);
        expect(rooms.get('yard')!.room.players.size).toBe(2);
        expect(await pages[0].locator('#name').innerText()).toBe('You command orange');
        await pages[0].click('#door');
        await pages[1].locator('#door', { hasText: 'Open the door' }).waitFor({ timeout: 60_000 });
        for (const page of pages) {
          // On a slow machine, a page shows few frames and is so late itself that few orders are.
          const order = async (): Promise<string> => {
            for (const each of pages) await each.locator('canvas').click({ position: { x: 300, y: 200 } });
            return status(page);
          };
          await expect.poll(order, wait).toMatch(/, [1-9]\d* rollbacks of \d+ ticks/);
          const before = await equal(page);
          await expect.poll(() => equal(page), wait).toBeGreaterThan(before + 8);
        }
        for (const page of pages) await page.context().close();
        await expect.poll(() => rooms.size).toBe(0);
      } finally {
        site.close();
      }
    },
  );
});

/** Returns the number of colors of a picture that cover more than a few pixels each, as the page sees them. */
async function countColors(png: Buffer): Promise<number> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Map<number, number>();
      for (let i = 0; i < pixels.length; i += 4) {
        const color = ((pixels[i]! >> 3) << 10) | ((pixels[i + 1]! >> 3) << 5) | (pixels[i + 2]! >> 3);
        seen.set(color, (seen.get(color) ?? 0) + 1);
      }
      return [...seen.values()].filter((count) => count > 20).length;
    }, png.toString('base64'));
  } finally {
    await page.close();
  }
}

it('the gallery shows each page and links to its source', () => {
  const gallery = readFileSync(join(ROOT, 'docs', 'gallery.md'), 'utf8');
  for (const name of pages) {
    expect(gallery).toContain(`](../examples/${name}/`);
    expect(existsSync(join(ROOT, 'docs/pictures/examples', `${name}.jpg`)), name).toBe(true);
  }
});
