/** The same input gives the same bytes in Chromium as in Node. Chromium loads one bundled module and prints its page. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, expect, it } from 'vitest';
import { requireChromium } from '../../../../tools/chromium.mjs';
import { hashBakes } from './bakes.ts';

const profile = mkdtempSync(join(tmpdir(), 'navkiln-chromium-'));
afterAll(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));

async function bundle(): Promise<string> {
  const bakes = fileURLToPath(new URL('bakes.ts', import.meta.url));
  const entry = 'page';
  const build = await rolldown({
    input: entry,
    logLevel: 'silent',
    resolve: { conditionNames: ['navkiln-source', 'import', 'default'] },
    plugins: [{
      name: 'page',
      resolveId: (id) => (id === entry ? id : null),
      load: (id) => (id === entry
        ? `import { hashBakes } from ${JSON.stringify(bakes)};\n`
          + 'document.body.textContent = `<<${JSON.stringify(hashBakes())}>>`;\n'
        : null),
    }],
  });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output[0].code;
}

it('bakes and paths have the same bytes in Chromium and in Node', { timeout: 240_000 }, async () => {
  const chromium = requireChromium();
  expect(chromium, 'a Chromium; NAVKILN_CHROMIUM may name one').toBeDefined();
  const code = await bundle();
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? code : '<!doctype html><body>not run<script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { stdout } = await promisify(execFile)(chromium!, [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', `--user-data-dir=${profile}`, '--dump-dom',
      `http://127.0.0.1:${port}/`,
    ], { timeout: 180_000, maxBuffer: 1 << 24 });
    const found = /&lt;&lt;(.*)&gt;&gt;/.exec(stdout)?.[1] ?? /<<(.*)>>/.exec(stdout)?.[1];
    expect(found, stdout.slice(0, 500)).toBeDefined();
    const there = JSON.parse(found!.replaceAll('&quot;', '"')) as Record<string, string>;
    const here = hashBakes();
    expect(Object.keys(here).length).toBeGreaterThan(10);
    expect(there).toEqual(here);
  } finally {
    server.close();
  }
});
