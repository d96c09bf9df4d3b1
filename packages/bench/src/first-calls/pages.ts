/**
 * Measures first calls in pages: serves a page with the built libraries, opens it in a Chromium of its own with an empty profile, and
 * waits for the times that it sends (page.ts).
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { rolldown } from 'rolldown';
import { HEADLESS_FLAGS } from './chromium-flags.ts';
import type { FirstCallTimes } from './libraries.ts';

/** Longest time that a page may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Returns the code of the page: file name -> module. Each library is a file that only its own calls load. */
async function bundlePage(script: string): Promise<Map<string, string>> {
  const build = await rolldown({ input: script, platform: 'browser', logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm', entryFileNames: 'page.js' });
  await build.close();
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code] as const] : [])));
}

/** Returns an input as JSON. */
function encode(file: string): string {
  return JSON.stringify(deserialize(readFileSync(file)), (_key, value: unknown) =>
    ArrayBuffer.isView(value)
      ? {
          array: Object.prototype.toString.call(value).slice(8, -1),
          base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
        }
      : value,
  );
}

export interface Pages {
  /** Name and version of the browser. */
  version: string;
  /** Makes one call in a new browser. */
  measure: (library: string, call: string, file: string) => Promise<FirstCallTimes>;
  close: () => void;
}

/**
 * Starts the server of the pages.
 *
 * @param chromium path of the browser
 * @param script path of the built page.js
 */
export async function openPages(chromium: string, script: string): Promise<Pages> {
  const code = await bundlePage(script);
  const profiles = mkdtempSync(join(tmpdir(), 'navkiln-first-calls-'));
  const inputs = new Map<string, string>();
  let onTimes: (times: FirstCallTimes) => void = () => {};
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://localhost');
    const send = (type: string, body: string): void => {
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    if (pathname === '/') send('text/html', '<!doctype html><script type="module" src="/page.js"></script>');
    else if (pathname === '/input') send('application/json', inputs.get(decodeURIComponent(search.slice(1)))!);
    else if (pathname === '/times') {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        send('text/plain', '');
        onTimes(JSON.parse(body) as FirstCallTimes);
      });
    } else if (code.has(pathname)) send('text/javascript', code.get(pathname)!);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    version: spawnSync(chromium, ['--version'], { encoding: 'utf8' }).stdout.trim().split(' ').slice(0, 2).join(' '),
    async measure(library, call, file) {
      if (!inputs.has(file)) inputs.set(file, encode(file));
      const profile = mkdtempSync(join(profiles, 'profile-'));
      const url = `http://127.0.0.1:${port}/?${new URLSearchParams({ library, call, level: file }).toString()}`;
      const browser = spawn(chromium, [...HEADLESS_FLAGS, `--user-data-dir=${profile}`, url], { stdio: 'ignore' });
      const exited = new Promise((resolve) => browser.once('exit', resolve));
      try {
        return await new Promise<FirstCallTimes>((resolve, reject) => {
          onTimes = resolve;
          const error = new Error(`first calls: ${library}, ${call}: the page sent no times`);
          setTimeout(() => reject(error), PATIENCE_MS).unref();
          browser.once('exit', () => reject(error));
        });
      } finally {
        browser.kill();
        await exited;
      }
    },
    close() {
      server.close();
      // The browser's processes may still be writing.
      rmSync(profiles, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
