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
   * Opens a page of its own at a link and waits until it is idle. `prepare` is called before it loads. Errors of the page fail the
   * test that calls `check`.
   */
  open: (hash?: string, options?: BrowserContextOptions, prepare?: (page: Page) => void) => Promise<Page>;
  /**
   * Opens a link in the page that all test files of a worker share, because opening a page takes three seconds of work. The link must have
   * content, which replaces what another test has left.
   */
  show: (hash: string, viewport?: { width: number; height: number }) => Promise<Page>;
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
  /** Pages that the test opens draw in software, which takes a third of their work. Others count and pick what they would draw. */
  draws?: boolean;
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

/** A server of the built page, from a copy, because another process may rebuild the page while this one serves it. */
async function servePage(options: { headers?: Record<string, string>; files?: string[] }): Promise<StudioServer> {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-page-'));
  cpSync(await buildStudio(), folder, { recursive: true });
  const server = await serveStudio(folder, options);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    url: server.url,
    async close() {
      await server.close();
      process.off('exit', remove);
      remove();
    },
  };
}

/** The server, which test files of this worker share. */
interface Common {
  server: StudioServer;
  page?: Page;
  /** Receives the faults of the page: those of the file that uses it. */
  report: (fault: string) => void;
}

let common: Promise<Common> | undefined;

const IS_DRAWN = ['NAVKILN_FULL', 'NAVKILN_PICTURES', 'NAVKILN_STUDIO_FRAMES'].some(
  (name) => process.env[name] !== undefined,
);
/** How often pages look whether something has come true, ms. In each frame, as Playwright does, is more work than what they wait for. */
const POLLING_MS = 50;

const USUAL = {
  viewport: { width: 1000, height: 640 },
  colorScheme: 'light' as const,
  reducedMotion: 'reduce' as const,
  // Software rendering is slow, so the tests use half the resolution.
  deviceScaleFactor: process.env['NAVKILN_PICTURES'] === undefined ? 0.5 : 1,
};

/** Opens a page and waits until it is idle. `prepare` is called before it loads. */
async function openPage(
  context: BrowserContext,
  url: string,
  report: (fault: string) => void,
  prepare?: (page: Page) => void,
): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const wait = page.waitForFunction.bind(page) as typeof page.waitForFunction;
  page.waitForFunction = ((what: string, arg: unknown, options?: object) =>
    wait(what, arg, { polling: POLLING_MS, ...options })) as typeof page.waitForFunction;
  page.on('pageerror', (error) => report(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') report(message.text());
  });
  prepare?.(page);
  await page.goto(url);
  await page.waitForFunction(() => globalThis.studio !== undefined);
  await idle(page);
  return page;
}

export async function startStudio({
  withoutWebGl = false,
  headers,
  files,
  ignore = /(?!)/,
  draws = false,
}: StudioOptions = {}): Promise<Studio> {
  const isOwn = withoutWebGl || headers !== undefined || files !== undefined;
  const own = isOwn ? await servePage({ headers, files }) : undefined;
  const shared = await (common ??= servePage({}).then((server): Common => ({ server, report: () => undefined })));
  const server = own ?? shared.server;
  const browser = withoutWebGl ? await launch(WITHOUT_WEBGL) : await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  const report = (fault: string): void => void (ignore.test(fault) || faults.push(fault));
  // Tests of one file share a page. A file that begins gets a new one: some states, such as scrolled cards, have no link.
  await shared.page?.context().close();
  delete shared.page;
  shared.report = report;
  return {
    server,
    async show(hash, viewport = USUAL.viewport) {
      if (isOwn) throw new Error('show: the shared page is served without options; must be open');
      shared.report = report;
      shared.page ??= await openCommon(browser, shared);
      await cleanUp(shared.page, viewport);
      // The same link again would keep what is open.
      if (await shared.page.evaluate((next) => location.hash === next, hash)) await goTo(shared.page, '#new=map');
      await goTo(shared.page, hash);
      return shared.page;
    },
    async open(hash = '', options = {}, prepare) {
      const context = await newContext(browser, options, draws);
      contexts.push(context);
      return openPage(context, server.url + hash, report, prepare);
    },
    check() {
      if (faults.length > 0) throw new Error(`The page had errors:\n${faults.join('\n')}`);
    },
    async close() {
      await (withoutWebGl ? browser.close() : Promise.all(contexts.map((context) => context.close())));
      await own?.close();
    },
  };
}

async function openCommon(browser: Browser, shared: Common): Promise<Page> {
  const context = await newContext(browser, {}, false);
  return openPage(context, shared.server.url, (fault) => shared.report(fault));
}

/** Returns a context whose pages draw or not. Drawings are counted and picked all the same. */
async function newContext(browser: Browser, options: BrowserContextOptions, draws: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({ ...USUAL, ...options });
  if (draws || IS_DRAWN) return context;
  await context.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    const only2d = function (this: HTMLCanvasElement, kind: string, settings?: object): unknown {
      return kind === '2d' ? getContext.call(this, kind, settings) : null;
    };
    HTMLCanvasElement.prototype.getContext = only2d as typeof getContext;
  });
  return context;
}

/** Takes back what links do not: messages, dialogs, the focus, the tab of the panel, the level of the settings, stored choices. */
async function cleanUp(page: Page, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: USUAL.colorScheme, reducedMotion: USUAL.reducedMotion });
  await page.mouse.move(1, 1);
  await page.evaluate(() => {
    document.querySelectorAll('dialog[open]').forEach((one) => (one as HTMLDialogElement).close());
    const closing = '.message button, [data-action=leave-tour]';
    for (const selector of [closing, '#tab-settings', '.settings-level .button:first-child'])
      document.querySelectorAll<HTMLElement>(selector).forEach((one) => one.click());
    (document.activeElement as HTMLElement | null)?.blur();
    for (const one of document.querySelectorAll('*'))
      if (one.scrollTop !== 0 || one.scrollLeft !== 0) one.scrollTo(0, 0);
    document.documentElement.classList.remove('is-panel-hidden');
    localStorage.clear();
    if (globalThis.studio!.state().theme === 'system') return;
    document.querySelector<HTMLElement>('[data-menu=theme]')!.click();
    document.querySelector<HTMLElement>('.menu-item')!.click();
  });
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
