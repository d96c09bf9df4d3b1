/** The page and the worker of docs/path-index.md in Chromium: a Web Worker builds the index to the bytes of Node. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { saveNavMesh } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { buildPathIndex, savePathIndex } from 'navkiln/index';
import { findLevelScene } from 'navkiln-scenes';
import { bundle } from './bundle.ts';
import { openPage, serveSite, startBrowser } from './site.ts';
import type { Site } from './site.ts';

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));
const [, , webWorker, page] = [
  ...readFileSync(join(DOCS, 'path-index.md'), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm),
].map((match) => match[1]);

declare global {
  var buildInWorker: ((mesh: string) => Promise<{ bytes: string; tier: string; isFree: boolean }>) | undefined;
}

let browser: Browser | undefined;
let site: Site | undefined;

afterAll(async () => {
  await browser?.close();
  site?.close();
});

/** The page's code around that of the docs: from a saved mesh to a saved index, both in base64. */
const PAGE = `
import { loadNavMesh } from 'navkiln';
import { savePathIndex } from 'navkiln/index';
globalThis.buildInWorker = (text) => new Promise((resolve, reject) => {
  const navMesh = loadNavMesh(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
${page}
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  worker.onerror = (event) => reject(new Error(event.message));
  worker.addEventListener('message', ({ data: index }) => {
    clearInterval(timer);
    const bytes = btoa(Array.from(savePathIndex(index), (byte) => String.fromCharCode(byte)).join(''));
    resolve({ bytes, tier: index.tier, isFree: turns > 0 });
  });
});
`;

it('a Web Worker builds the index of a mesh to the bytes of Node, and the page stays free', async () => {
  const scene = findLevelScene('tower');
  const { navMesh } = buildNavMesh(scene.create(), scene.options);
  const want = savePathIndex(buildPathIndex(navMesh));
  const [started, script, worker] = await Promise.all([startBrowser(), bundle(PAGE), bundle(webWorker)]);
  browser = started;
  const texts = {
    '/index.html': '<!doctype html><script type="module" src="/page.js"></script>',
    '/page.js': script,
    '/index-worker.js': worker,
  };
  site = await serveSite({ texts });
  const opened = await openPage(browser, site.url, 'buildInWorker');
  const mesh = Buffer.from(saveNavMesh(navMesh)).toString('base64');
  const { bytes, tier, isFree } = await opened.evaluate((text) => globalThis.buildInWorker!(text), mesh);
  expect(opened.workers().length).toBe(1);
  expect({ tier, isFree }).toEqual({ tier: 'table', isFree: true });
  expect(Buffer.compare(Buffer.from(bytes, 'base64'), want)).toBe(0);
});
