/**
 * Bake pools of the packed package in pages: as plain modules, by Vite (build and development server) and by rolldown. Each page bakes
 * in two workers to the bytes of one thread. `NAVKILN_BUNDLERS`, the folder of an npm project with webpack and esbuild, adds these
 * (`npm run soak -- consumers`).
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { build, createServer } from 'vite';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPage, serveSite, startBrowser } from '../browser/site.ts';
import type { SiteOptions } from '../browser/site.ts';
import { createConsumer, npm, packLibrary } from './consumer.ts';

const BUNDLERS = process.env['NAVKILN_BUNDLERS'];

const PAGE = (script: string, head: string = ''): string =>
  `<!doctype html><html><head>${head}</head><body><script type="module" src="${script}"></script></body></html>`;
/** `options`: those of the pool, as code. */
const app = (options: string = '{}'): string => `
  import { saveNavMesh } from 'navkiln';
  import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
  import { createBakePool } from 'navkiln/worker';
  const positions = new Float32Array([0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0]);
  const level = { positions, indices: [0, 1, 2, 0, 2, 3] };
  globalThis.compare = async () => {
    const pool = createBakePool({ workers: 2, ...${options} });
    const { navMesh } = await bakeNavMesh(level, { tileSize: 8, pool });
    const [bytes, alone] = [saveNavMesh(navMesh), saveNavMesh(buildNavMesh(level, { tileSize: 8 }).navMesh)];
    return \`\${bytes.length > 1000 && bytes.join() === alone.join()}, \${navMesh.polyCount > 0}\`;
  };
`;
const OWN_SCRIPT = "{ createWorker: () => new Worker('/scripts/bake-worker.js') }";

declare global {
  var compare: (() => Promise<string>) | undefined;
}

let folder = '';
let browser: Browser;
let closers: (() => unknown)[] = [];

beforeAll(async () => {
  folder = createConsumer();
  const { tarball } = packLibrary(folder);
  npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], folder);
  browser = await startBrowser();
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  for (const close of closers) await close();
  closers = [];
});

afterAll(async () => {
  await browser?.close();
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

const packaged = (path: string): string => join(folder, 'node_modules', 'navkiln', path);

/** Writes a project: files by their paths. Returns its folder, in which the package is installed. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, path, '..'), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
  return join(folder, name);
}

async function serve(options: SiteOptions): Promise<string> {
  const site = await serveSite(options);
  closers.push(site.close);
  return site.url;
}

/** A page bakes in two workers, to the right bytes. Returns the addresses of their scripts. */
async function expectBake(url: string): Promise<string[]> {
  const page = await openPage(browser, url, 'compare');
  expect(await page.evaluate(() => globalThis.compare!())).toBe('true, true');
  const scripts = page.workers().map((worker) => new URL(worker.url()).pathname);
  expect(scripts.length).toBe(2);
  return scripts;
}

it('plain modules with an import map', async () => {
  const entries = ['navkiln', 'navkiln/build', 'navkiln/worker'];
  const imports = entries.map((name) => [name, `/dist/${name.slice(8) || 'index'}.js`]);
  const map = `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(imports) })}</script>`;
  const texts = { '/index.html': PAGE('/app.js', map), '/app.js': app() };
  const url = await serve({ texts, folders: { '/dist/': packaged('dist') } });
  expect(await expectBake(url)).toEqual(['/dist/bake-worker.js', '/dist/bake-worker.js']);
});

describe('Vite', () => {
  const files = { 'index.html': PAGE('./app.js'), 'app.js': app() };
  const quiet = { configFile: false, logLevel: 'silent' } as const;

  it.each(['/', './'])('a build with the base %s', async (base) => {
    const root = project(`vite-${base.length}`, files);
    await build({ ...quiet, root, base });
    expect((await expectBake(await serve({ folders: { '/': join(root, 'dist') } })))[0]).toMatch(
      /^\/assets\/bake-worker-[\w-]+\.js$/,
    );
  });

  it('the development server with the package in optimizeDeps.exclude', async () => {
    const root = project('vite-dev', files);
    const server = await createServer({
      ...quiet,
      root,
      server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
      optimizeDeps: { exclude: ['navkiln'] },
    });
    closers.push(() => server.close());
    await server.listen();
    await expectBake(server.resolvedUrls!.local[0]);
  });
});

it('rolldown, with a copy of the script', async () => {
  const root = project('rolldown', { 'index.html': PAGE('/js/app.js'), 'app.js': app(OWN_SCRIPT) });
  const made = await rolldown({ input: join(root, 'app.js'), cwd: root, logLevel: 'silent' });
  await made.write({ file: join(root, 'js', 'app.js'), format: 'esm' });
  await made.close();
  mkdirSync(join(root, 'scripts'));
  copyFileSync(packaged('dist/bake-worker.js'), join(root, 'scripts', 'bake-worker.js'));
  const scripts = await expectBake(await serve({ folders: { '/': root } }));
  expect(scripts[0]).toBe('/scripts/bake-worker.js');
});

describe.skipIf(BUNDLERS === undefined)('installed bundlers', () => {
  const load = (name: string): unknown => createRequire(join(BUNDLERS!, 'package.json'))(name);

  it.each(['production', 'development'])('webpack 5, mode %s', async (mode) => {
    const root = project(`webpack-${mode}`, { 'dist/index.html': PAGE('app.js'), 'app.js': app() });
    const webpack = load('webpack') as (
      options: object,
      done: (error: Error | null, stats: { toString: () => string; hasErrors: () => boolean }) => void,
    ) => void;
    const output = { path: join(root, 'dist'), filename: 'app.js' };
    await new Promise<void>((resolve, reject) => {
      webpack({ mode, context: root, entry: './app.js', output, target: 'web' }, (error, stats) => {
        if (error !== null || stats.hasErrors()) reject(error ?? new Error(stats.toString()));
        else resolve();
      });
    });
    await expectBake(await serve({ folders: { '/': join(root, 'dist') } }));
  });

  it('esbuild, with a copy of the script', async () => {
    const root = project('esbuild', { 'index.html': PAGE('/js/app.js'), 'app.js': app(OWN_SCRIPT) });
    const esbuild = load('esbuild') as { build: (options: object) => Promise<unknown>; stop: () => Promise<void> };
    const input = { absWorkingDir: root, entryPoints: ['app.js'], outfile: 'js/app.js' };
    await esbuild.build({ ...input, bundle: true, format: 'esm', logLevel: 'silent' });
    await esbuild.stop();
    cpSync(packaged('dist/bake-worker.js'), join(root, 'scripts', 'bake-worker.js'));
    expect(readFileSync(join(root, 'js', 'app.js'), 'utf8')).not.toMatch(/^import\b/m);
    expect((await expectBake(await serve({ folders: { '/': root } })))[0]).toBe('/scripts/bake-worker.js');
  });
});
