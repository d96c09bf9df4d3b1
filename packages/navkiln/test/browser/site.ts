/** Web sites for tests, and a Chromium that opens their pages. */
import { readFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { CONTAINER_FLAGS, requireChromium } from '../../../../tools/chromium.mjs';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/** Headers with which a page is isolated, so that it has shared memory. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
};

export interface SiteOptions {
  /** Texts by address, such as '/page.js'. */
  texts?: Readonly<Record<string, string>>;
  /** Folders by the address that they begin at, such as '/dist/'. */
  folders?: Readonly<Record<string, string>>;
  /** Headers of every answer. */
  headers?: Readonly<Record<string, string>>;
  /** Addresses that the site does not have. */
  missing?: readonly string[];
  /** The page that the site sends for addresses that it does not have. Default: status 404. */
  fallback?: string;
}

export interface Site {
  /** Without a slash at its end. */
  url: string;
  server: Server;
  close: () => void;
}

/** Serves a site on a port of its own. */
export async function serveSite({
  texts = {},
  folders = {},
  headers = {},
  missing = [],
  fallback,
}: SiteOptions): Promise<Site> {
  const find = (path: string): { name: string; body: string | Buffer } | undefined => {
    if (path in texts) return { name: path, body: texts[path] };
    const base = Object.keys(folders).find((each) => path.startsWith(each));
    const file = base === undefined ? undefined : join(folders[base], path.slice(base.length));
    if (file !== undefined && !missing.includes(path) && existsSync(file))
      return { name: file, body: readFileSync(file) };
    return fallback === undefined ? undefined : { name: 'index.html', body: fallback };
  };
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const found = find(pathname === '/' ? '/index.html' : pathname);
    if (found === undefined) response.writeHead(404, headers).end();
    else {
      const type = TYPES[extname(found.name)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headers }).end(found.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts Chromium. */
export function startBrowser(): Promise<Browser> {
  const executablePath = requireChromium();
  if (executablePath === undefined)
    throw new Error('Chromium is missing; install it, or set NAVKILN_CHROMIUM to its path.');
  return chromium.launch({ executablePath, args: [...CONTAINER_FLAGS, '--disable-gpu'] });
}

/** Opens a page in a context of its own, and waits until `global` is set there. */
export async function openPage(browser: Browser, url: string, global: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
  await page.goto(url);
  try {
    await page.waitForFunction((name) => name in globalThis, global, { timeout: 60_000 });
  } catch (error) {
    throw new Error(`the page did not start: ${faults.join('\n')}`, { cause: error });
  }
  return page;
}
