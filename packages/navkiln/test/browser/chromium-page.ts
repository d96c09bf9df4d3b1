/**
 * Runs a function of a module in Chromium, in a page that loads it as one bundle, and returns its result
 * (JSON).
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { requireChromium } from '../../../../tools/chromium.mjs';
import { HEADLESS_FLAGS } from '../../../bench/src/first-calls/chromium-flags.ts';
import { bundle } from './bundle.ts';

/** Time limit of a page, milliseconds. */
const PAGE_MS = Number(process.env.NAVKILN_PAGE_MS ?? 180_000);

/** Returns what the function `name` of a module (a path) returns in Chromium. */
export async function runInChromium(
  module: string,
  name: string,
  ...args: readonly (number | string)[]
): Promise<unknown> {
  const chromium = requireChromium();
  expect(chromium, 'a Chromium; NAVKILN_CHROMIUM may name one').toBeDefined();
  const profile = mkdtempSync(join(tmpdir(), 'navkiln-chromium-'));
  const code = await bundle(
    `import { ${name} } from ${JSON.stringify(module)};\n` +
      `document.body.textContent = \`<<\${JSON.stringify(${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')}))}>>\`;\n`,
  );
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? code : '<!doctype html><body>not run<script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { stdout } = await promisify(execFile)(
      chromium!,
      [...HEADLESS_FLAGS, `--user-data-dir=${profile}`, '--dump-dom', `http://127.0.0.1:${port}/`],
      { timeout: PAGE_MS, maxBuffer: 1 << 24 },
    );
    const found = /&lt;&lt;(.*)&gt;&gt;/.exec(stdout)?.[1] ?? /<<(.*)>>/.exec(stdout)?.[1];
    expect(found, stdout.slice(0, 500)).toBeDefined();
    return JSON.parse(found!.replaceAll('&quot;', '"'));
  } finally {
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
