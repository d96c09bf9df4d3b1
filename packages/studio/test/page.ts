/**
 * The studio in headless Chromium, for tests: builds it when it is stale, serves it and opens pages.
 * Time-outs are generous, because other processes share the machine and drawing runs in software.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { vi } from 'vitest';
import { CONTAINER_FLAGS, requireChromium } from '../../../tools/chromium.mjs';
import { buildStudio } from '../../../tools/studio.mjs';
import { serveStudio } from '../../cli/src/studio/serve.ts';
import type { StudioServer } from '../../cli/src/studio/serve.ts';
import type { StudioHook } from '../src/app/hook.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const PAGE_TIMEOUT_MS = 120_000;

declare global {
  var studio: StudioHook | undefined;
}

/**
 * WebGL in software, and only WebGL: panels are painted without a GPU process, which takes a third less time.
 */
const WITH_WEBGL = ['--disable-gpu', '--enable-unsafe-swiftshader'];
const WITHOUT_WEBGL = ['--disable-gpu', '--disable-3d-apis'];

export interface Studio {
  /**
   * Opens the page at a link and waits until it is idle. Errors of the page fail the test that calls `check`.
   */
  open: (hash?: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Opens a link in the page that the tests of a file share, because opening a page takes seconds. Messages are closed. */
  show: (hash: string, options?: BrowserContextOptions) => Promise<Page>;
  /** Throws when a page had an uncaught error or printed one. */
  check: () => void;
  server: StudioServer;
  close: () => Promise<void>;
}

export interface StudioOptions {
  withoutWebGl?: boolean;
  /** Headers of every file, for example a content security policy. */
  headers?: Record<string, string>;
  /** Files that the server provides under /open/. */
  files?: string[];
  /** Lines of the page's console that are not errors. */
  ignore?: RegExp;
}

/** The browser of this worker, which all its test files share. It ends with the process. */
let shared: Promise<Browser> | undefined;

async function sharedBrowser(): Promise<Browser> {
  const browser = await shared;
  if (browser?.isConnected() !== true) shared = launch(WITH_WEBGL);
  return shared!;
}

function launch(flags: readonly string[]): Promise<Browser> {
  const executablePath = requireChromium();
  if (executablePath === undefined)
    throw new Error('Chromium is missing; install it, or set NAVKILN_CHROMIUM to its path.');
  return chromium.launch({ executablePath, args: [...CONTAINER_FLAGS, ...flags] });
}

export async function startStudio({
  withoutWebGl = false,
  headers,
  files,
  ignore = /(?!)/,
}: StudioOptions = {}): Promise<Studio> {
  // A copy, because another process may rebuild the page while this one serves it.
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-page-'));
  cpSync(await buildStudio(), folder, { recursive: true });
  const server = await serveStudio(folder, { headers, files });
  const browser = withoutWebGl ? await launch(WITHOUT_WEBGL) : await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  const shown = new Map<string, Page>();
  const studio: Studio = {
    server,
    async show(hash, options = {}) {
      const key = JSON.stringify(options);
      const page = shown.get(key);
      if (page === undefined) {
        const opened = await studio.open(hash, options);
        shown.set(key, opened);
        return opened;
      }
      await page.evaluate(() => {
        document.querySelectorAll<HTMLElement>('.message button').forEach((close) => close.click());
        (document.activeElement as HTMLElement | null)?.blur();
      });
      await goTo(page, hash);
      return page;
    },
    async open(hash = '', options = {}) {
      // Software rendering is slow, so the tests use half the resolution.
      const usual = {
        viewport: { width: 1000, height: 640 },
        colorScheme: 'light' as const,
        reducedMotion: 'reduce' as const,
        deviceScaleFactor: 0.5,
      };
      const context = await browser.newContext({ ...usual, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(PAGE_TIMEOUT_MS);
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
      await (withoutWebGl ? browser.close() : Promise.all(contexts.map((context) => context.close())));
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return studio;
}

/** Waits until no task runs or is due and the result is drawn. */
export function idle(page: Page): Promise<void> {
  return page.evaluate(() => globalThis.studio!.idle());
}

/** Changes the link of the page, and waits until its content is open. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(async (next) => {
    if (location.hash === next) return;
    const isChanged = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = next;
    await isChanged;
  }, hash);
  await idle(page);
}

/** Drops files on the page, and waits until they are open or refused. */
export async function drop(page: Page, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
  const plain = files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
  await page.evaluate(async (list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    }
    // The page reads the files first. Then a task starts, or settings change, or a message appears.
    const { source, job, settings, edits } = globalThis.studio!.state();
    let hasMessage = false;
    const observer = new MutationObserver((records) => {
      hasMessage ||= records.some(({ addedNodes }) => addedNodes.length > 0);
    });
    observer.observe(document.querySelector('.messages')!, { childList: true });
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
    const isHandled = (): boolean => {
      const now = globalThis.studio!.state();
      // A small file may be open before the next frame: then the job is idle again.
      return hasMessage || now.source !== source || now.job !== job || now.settings !== settings || now.edits !== edits;
    };
    while (!isHandled()) {
      // Edits to what was open may be lost.
      document.querySelector<HTMLElement>('dialog[aria-label="Changes are not saved"] .button:last-child')?.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    observer.disconnect();
  }, plain);
  await idle(page);
}
