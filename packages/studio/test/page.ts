/** The built studio in headless Chromium, for tests: builds what is stale, serves it, opens pages. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { requireChromium } from '../../../tools/chromium.mjs';
import { buildStudio } from '../../../tools/studio.mjs';
import { serveStudio } from '../../cli/src/studio/serve.ts';
import type { StudioServer } from '../../cli/src/studio/serve.ts';
import type { StudioHook } from '../src/app/hook.ts';

declare global {
  var studio: StudioHook | undefined;
}

/** WebGL without a graphics card. */
const WITH_WEBGL = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const WITHOUT_WEBGL = ['--disable-gpu', '--disable-3d-apis'];

export interface Studio {
  /**
   * Opens the page at a link and waits until it is at rest. Errors of the page fail the test that calls
   * `check`.
   */
  open: (hash?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Throws when a page had an error that nobody caught, or printed one. */
  check: () => void;
  server: StudioServer;
  close: () => Promise<void>;
}

export interface StudioOptions {
  withoutWebGl?: boolean;
  /** Sent with every file, a content security policy for example. */
  headers?: Record<string, string>;
  /** Files under /open/. */
  files?: string[];
  /** Lines of the page's console that are no error. */
  ignore?: RegExp;
}

export async function startStudio({
  withoutWebGl = false,
  headers,
  files,
  ignore = /(?!)/,
}: StudioOptions = {}): Promise<Studio> {
  const executablePath = requireChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium; NAVKILN_CHROMIUM may name one.');
  // A copy: another process may build the page anew while this one shows it.
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-page-'));
  cpSync(await buildStudio(), folder, { recursive: true });
  const server = await serveStudio(folder, { headers, files });
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...(withoutWebGl ? WITHOUT_WEBGL : WITH_WEBGL)];
  const browser: Browser = await chromium.launch({ executablePath, args });
  const faults: string[] = [];
  return {
    server,
    async open(hash = '', options = {}) {
      // Painting in software is what takes the time: half the pixels each way.
      const usual = { viewport: { width: 1000, height: 640 }, colorScheme: 'light' as const, deviceScaleFactor: 0.5 };
      const context = await browser.newContext({ ...usual, ...options });
      const page = await context.newPage();
      page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !ignore.test(message.text())) faults.push(message.text());
      });
      await page.goto(server.url + hash);
      await page.waitForFunction(() => globalThis.studio !== undefined);
      await idle(page);
      return page;
    },
    check() {
      if (faults.length > 0) throw new Error(`The page had errors:\n${faults.join('\n')}`);
    },
    async close() {
      await browser.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing is running or due, and what came of it is drawn. */
export function idle(page: Page): Promise<void> {
  return page.evaluate(() => globalThis.studio!.idle());
}

/** Drops files on the page, as a file manager does. */
export async function drop(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const plain = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await page.evaluate(async (list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    }
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
    // Reading is a task of its own: it starts before the work does.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }, plain);
  await idle(page);
}
