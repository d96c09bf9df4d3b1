/**
 * Bake pools in pages: the built package, loaded as plain modules without a bundler, bakes in Web Workers to the bytes of Node and of
 * one thread.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle as bundlePackages } from '../../../../tools/bundle.mjs';
import { bundle } from './bundle.ts';
import { bakeAlone } from './pool-page.ts';
import type * as PoolPage from './pool-page.ts';
import { ISOLATED, openPage, serveSite, startBrowser } from './site.ts';
import type { Site, SiteOptions } from './site.ts';

const LIBRARY = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = join(LIBRARY, 'dist', 'bake-worker.js');
const IMPORTS = {
  navkiln: '/navkiln/index.js',
  'navkiln/build': '/navkiln/build.js',
  'navkiln/worker': '/navkiln/worker.js',
};

declare global {
  var poolPage: typeof PoolPage | undefined;
}

let browser: Browser;
let script = '';
let sites: Site[] = [];
const expected = bakeAlone();

beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundlePackages();
  const module = fileURLToPath(new URL('pool-page.ts', import.meta.url));
  const code = `import * as page from ${JSON.stringify(module)};\nglobalThis.poolPage = page;\n`;
  [browser, script] = await Promise.all([startBrowser(), bundle(code, /^navkiln(\/|$)/)]);
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  for (const site of sites) site.close();
  sites = [];
});

afterAll(() => browser?.close());

async function serve(options: SiteOptions): Promise<string> {
  const site = await serveSite(options);
  sites.push(site);
  return site.url;
}

const html = (base: string): string => {
  const imports = Object.fromEntries(Object.entries(IMPORTS).map(([name, path]) => [name, `${base}${path}`]));
  const map = JSON.stringify({ imports });
  return `<!doctype html><script type="importmap">${map}</script><script type="module" src="/page.js"></script>`;
};

/** Opens a page of a site that has the package. `base`: the origin that has it, if it is another. */
async function open(more: SiteOptions = {}, base: string = ''): Promise<Page> {
  const texts = { '/index.html': html(base), '/page.js': script, ...more.texts };
  const folders = { '/navkiln/': join(LIBRARY, 'dist') };
  return openPage(browser, await serve({ folders, ...more, texts }), 'poolPage');
}

const openPool = (page: Page, workers: number, address?: string): Promise<void> =>
  page.evaluate(([count, from]) => globalThis.poolPage!.openPool(count, from), [workers, address] as const);
const bake = (page: Page, cache?: string): Promise<PoolPage.Baked> =>
  page.evaluate((name) => globalThis.poolPage!.bake(name), cache);
const failure = (page: Page): Promise<string> => page.evaluate(() => globalThis.poolPage!.failure());

describe.each([
  ['that is isolated', ISOLATED, true],
  ['without shared memory', {}, false],
] as const)('a page %s', (_, headers, isShared) => {
  it('bakes to the same bytes with any number of workers, as without a pool, and as Node', async () => {
    const page = await open({ headers });
    expect(await page.evaluate(() => typeof SharedArrayBuffer === 'function')).toBe(isShared);
    expect(await page.evaluate(() => globalThis.poolPage!.bakeAlone())).toBe(expected);
    for (const workers of isShared ? [0, 1, 2] : [2]) {
      await openPool(page, workers);
      for (let time = 0; time < 2; time++) {
        const { hash, done } = await bake(page);
        expect(hash).toBe(expected);
        // Progress has come tile by tile.
        expect(done.length).toBeGreaterThan(20);
        expect(done).toEqual(done.toSorted((a, b) => a - b));
        expect(page.workers().length).toBe(workers);
      }
      if (workers === 2) {
        const [alone, ...pooled] = await page.evaluate(() => globalThis.poolPage!.bakeLarge());
        expect(pooled).toEqual([alone, alone]);
      }
      await page.evaluate(() => globalThis.poolPage!.closePool());
      await expect.poll(() => page.workers().length).toBe(0);
    }
  });

  it('has every tile of a second bake in IndexedDB, also after a reload', async () => {
    const page = await open({ headers });
    await openPool(page, 2);
    const first = await bake(page, 'tiles');
    expect(first.hash).toBe(expected);
    const { misses } = first.cache!;
    expect(misses).toBeGreaterThan(20);
    expect(first.cache).toEqual({ hits: 0, misses, damaged: 0, errors: 0 });
    await page.reload();
    await page.waitForFunction(() => 'poolPage' in globalThis);
    for (const workers of [0, 2]) {
      await openPool(page, workers);
      const again = await bake(page, 'tiles');
      expect(again.hash).toBe(expected);
      expect(again.cache).toEqual({ hits: misses, misses: 0, damaged: 0, errors: 0 });
    }
  });

  it('aborts immediately, stops the workers, and can bake again', async () => {
    const page = await open({ headers });
    for (const workers of isShared ? [1, 2] : [2]) {
      await openPool(page, workers);
      const { reason, isImmediate, ms } = await page.evaluate(() => globalThis.poolPage!.abort());
      console.info(`${workers} workers: the abort rejected the bake after ${ms.toFixed(1)} ms`);
      expect({ reason, isImmediate }).toEqual({ reason: 'stopped by the test', isImmediate: true });
      await expect.poll(() => page.workers().length).toBe(0);
      expect((await bake(page)).hash).toBe(expected);
      await page.evaluate(() => globalThis.poolPage!.closePool());
      await expect.poll(() => page.workers().length).toBe(0);
    }
  });
});

describe('workers that do not start', () => {
  const REMEDY =
    /^Error: bakeNavMesh: no worker of options\.pool starts \((.+)\); set createWorker of createBakePool to a function that starts the script navkiln\/bake-worker, or workers to 0$/;

  async function expectRefusal(page: Page, reason: RegExp): Promise<void> {
    const message = await failure(page);
    expect(message).toMatch(REMEDY);
    expect(REMEDY.exec(message)![1]).toMatch(reason);
    // The remedy helps.
    await openPool(page, 0);
    expect((await bake(page)).hash).toBe(expected);
  }

  it('a script that is not there, as a bundler leaves it that does not copy it', async () => {
    const page = await open({ missing: ['/navkiln/bake-worker.js'] });
    await openPool(page, 2);
    await expectRefusal(page, /^its script did not load/);
  });

  it('a server that sends its start page in place of the script', async () => {
    const page = await open({ missing: ['/navkiln/bake-worker.js'], fallback: '<!doctype html>' });
    await openPool(page, 2);
    await expectRefusal(page, /^its script did not load/);
  });

  it('a content security policy that forbids workers', async () => {
    const page = await open({ headers: { 'content-security-policy': "worker-src 'none'" } });
    await openPool(page, 1);
    await expectRefusal(page, /content security policy/i);
  });

  it('a package of another origin, as of a CDN; its script starts through a script of the page', async () => {
    const headers = { 'access-control-allow-origin': '*' };
    const other = await serve({ folders: { '/navkiln/': join(LIBRARY, 'dist') }, headers });
    const page = await open({}, other);
    await openPool(page, 1);
    await expectRefusal(page, /origin/);
    await page.evaluate(
      (address) => globalThis.poolPage!.openPoolByBlob(2, address),
      `${other}/navkiln/bake-worker.js`,
    );
    expect((await bake(page)).hash).toBe(expected);
    expect(page.workers().length).toBe(2);
  });
});

it('the script of the workers is one classic script, so that it starts from any address', async () => {
  const page = await open({ texts: { '/copied.js': readFileSync(SCRIPT, 'utf8') } });
  await openPool(page, 2, '/copied.js');
  expect((await bake(page)).hash).toBe(expected);
  expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toEqual(['/copied.js', '/copied.js']);
});
