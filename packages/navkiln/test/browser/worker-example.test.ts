/** The page of examples/worker-bake: it bakes, shows progress and the time left, stops, and keeps tiles. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../../../../tools/bundle.mjs';
import { openPage, serveSite, startBrowser } from './site.ts';
import type { Site } from './site.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** A folder for pictures of the page, if it is set. */
const PICTURES = process.env['NAVKILN_PICTURES'];

let browser: Browser;
let site: Site;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  if (!existsSync(join(ROOT, 'packages/navkiln/dist/bake-worker.js'))) await bundle();
  [browser, site] = await Promise.all([startBrowser(), serveSite({ folders: { '/': ROOT } })]);
  page = await openPage(browser, `${site.url}/examples/worker-bake/index.html`, 'document');
  page.on('pageerror', (error) => faults.push(error.message));
  page.setDefaultTimeout(120_000);
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

const status = (): Promise<string> => page.locator('#status').innerText();

/** Presses "Bake", and waits for its end. Returns all texts of the status and values of the bar. */
async function bake(): Promise<{ texts: string[]; values: number[] }> {
  await page.evaluate(() => {
    const seen: [string, number][] = [];
    const bar = document.querySelector('progress')!;
    const element = document.querySelector('#status')!;
    new MutationObserver(() => seen.push([element.textContent, bar.value])).observe(element, { childList: true });
    Object.assign(globalThis, { seen });
  });
  await page.click('[name=bake]');
  await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('[name=bake]')!.disabled);
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: [string, number][] }).seen);
  return { texts: seen.map(([text]) => text), values: seen.map(([, value]) => value) };
}

it('bakes in two workers, with progress and the time left, and draws the mesh', async () => {
  const half = page.waitForFunction(() => document.querySelector('progress')!.value > 0.5);
  const baking = bake();
  await half;
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'worker-bake-half.png'), fullPage: true });
  const { texts, values } = await baking;
  expect(page.workers().length).toBe(2);
  expect(texts.filter((text) => /^\d+ of 225 tiles, \d+\.\d s left$/.test(text)).length).toBeGreaterThan(10);
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(values.at(-1)).toBe(1);
  expect(texts.at(-1)).toMatch(/^225 tiles: \d{4} polygons in \d+\.\d s\.$/);
  const drawn = await page.evaluate(() => {
    const { width, height } = document.querySelector('canvas')!;
    const pixels = document.querySelector('canvas')!.getContext('2d')!.getImageData(0, 0, width, height).data;
    let count = 0;
    for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 0) count++;
    return count / (width * height);
  });
  expect(drawn).toBeGreaterThan(0.5);
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'worker-bake.png'), fullPage: true });
});

it('stops, and bakes again to the same number of polygons, on the page too', async () => {
  const polygons = /\d+ polygons/.exec(await status())![0];
  // In the page, since the bake may be done before a click from here arrives.
  await page.evaluate(() => {
    const element = document.querySelector('#status')!;
    const observer = new MutationObserver(() => {
      if (!/^\d+ of/.test(element.textContent)) return;
      observer.disconnect();
      document.querySelector<HTMLButtonElement>('[name=stop]')!.click();
    });
    observer.observe(element, { childList: true });
    document.querySelector<HTMLButtonElement>('[name=bake]')!.click();
  });
  await page.waitForFunction(() => document.querySelector('#status')!.textContent === 'Stopped.');
  for (const workers of ['2', '0']) {
    await page.selectOption('[name=workers]', workers);
    expect((await bake()).texts.at(-1)).toContain(polygons);
    expect(page.workers().length).toBe(Number(workers));
  }
});

it('has all tiles of a second bake in IndexedDB', async () => {
  await page.check('[name=cache]');
  expect((await bake()).texts.at(-1)).toMatch(/^225 tiles, 0 of them from IndexedDB/);
  expect((await bake()).texts.at(-1)).toMatch(/^225 tiles, 225 of them from IndexedDB/);
  expect(faults).toEqual([]);
});
