/**
 * Walks of a stranger: the commands and files of docs/first-page.md, docs/react-three-fiber.md and docs/phaser.md, in empty folders, with the packed packages. Nothing is
 * added but the level and the map that the pages tell the reader to bring. `npm run soak -- consumers` runs them, since they install
 * three.js, Phaser and Vite from the registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTAINER_FLAGS, requireChromium } from '../../../../tools/chromium.mjs';
import { ISOLATED } from '../../../../tools/example.mjs';
import { writeTemplate } from '../../../../tools/template.mjs';
import { writeGlb } from '../../src/formats/levels/glb-out.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { ACTIONS } from '../browser/example-actions.ts';
import { ROOT, node, npm, packLibrary } from './consumer.ts';

const WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];

/** The code of a page, in order: its language, its text, and the file name that the sentence before it gives. */
function blocksOf(page: string): { language: string; text: string; file: string | undefined }[] {
  const markdown = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...markdown.matchAll(/(?:^(.*)\n\n)?^```(\w+)\n([^]*?)^```$/gm)].map(([, before = '', language, text]) => ({
    language: language!,
    text: text!,
    file: /Save as `([^`]+)`/.exec(before)?.[1],
  }));
}

describe.skipIf(process.env['NAVKILN_WALKS_INSTALL'] === undefined)('walks', () => {
  let home = '';
  let browser: Browser;
  /** Each package with those that the registry does not have. */
  let tarballs: Record<string, string[]> = {};
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'navkiln-walks-'));
    const library = packLibrary(home).tarball;
    const pack = (name: string): string => {
      const flags = ['--json', '--ignore-scripts', '--pack-destination', home];
      const [{ filename }] = JSON.parse(npm(['pack', ...flags], join(ROOT, 'packages', name))) as [
        { filename: string },
      ];
      return join(home, filename);
    };
    const loaders = pack('loaders');
    tarballs = {
      navkiln: [join(home, library)],
      'navkiln-loaders': [loaders],
      'navkiln-cli': [pack('cli'), loaders],
    };
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath: requireChromium()!, args: [...CONTAINER_FLAGS, ...WEBGL] });
  }, 120_000);

  afterAll(async () => {
    server?.kill();
    await browser?.close();
    if (home !== '') rmSync(home, { recursive: true, force: true });
  });

  /** Runs the commands of a block. The names of the packages become their tarballs. */
  function run(text: string, folder: string): string {
    let at = folder;
    let printed = '';
    for (const line of text.trim().split('\n')) {
      for (const command of line.split(' && ')) {
        const [program, ...args] = command.split(' ') as [string, ...string[]];
        if (program === 'mkdir') mkdirSync((at = join(at, args[0]!)));
        else if (program === 'cd') continue;
        else if (program === 'npx')
          printed += node([join(at, 'node_modules', 'navkiln-cli', 'bin', 'navkiln.js'), ...args.slice(1)], at);
        else
          npm(
            args.flatMap((arg) => (args[0] === 'install' ? (tarballs[arg] ?? arg) : arg)),
            at,
          );
      }
    }
    return printed === '' ? at : printed;
  }

  /** Serves a folder by its Vite and opens it. Returns the page and what went wrong in it. */
  async function open(folder: string): Promise<{ page: Page; faults: string[] }> {
    server?.kill();
    const child = spawn(
      process.execPath,
      [join(folder, 'node_modules/vite/bin/vite.js'), '--port', '0', '--host', '127.0.0.1'],
      {
        cwd: folder,
        env: { ...process.env, NO_COLOR: '1' },
      },
    );
    server = child;
    const address = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (data) => {
        output += String(data);
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output);
        if (found !== null) resolve(found[0]);
      });
      child.on('exit', () => reject(new Error(output)));
    });
    const page = await browser.newPage({ viewport: { width: 960, height: 600 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(address, { timeout: 120_000 });
    return { page, faults };
  }

  /** Opens a folder, and waits for a status. */
  async function expectStatus(folder: string, status: RegExp, act?: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults } = await open(folder);
    try {
      await page.waitForFunction(() => (document.querySelector('#status')?.textContent ?? '') !== '', null, {
        timeout: 60_000,
      });
      await act?.(page);
      await page.waitForFunction(
        ([source]) => new RegExp(source!).test(document.querySelector('#status')!.textContent!),
        [status.source] as const,
        { timeout: 60_000 },
      );
    } catch (error) {
      throw new Error(`${await page.locator('#status').innerText()} ${faults.join('\n')}`, { cause: error });
    } finally {
      await page.close();
    }
    expect(faults).toEqual([]);
  }

  it(
    'docs/first-page.md: a path, a click, a crowd, an obstacle, a bake in workers, a mesh over HTTP',
    { timeout: 600_000 },
    async () => {
      const blocks = blocksOf('first-page.md');
      const [setup, bake] = blocks.filter(({ language }) => language === 'sh');
      const folder = run(setup!.text, home);
      const [boxes, own] = blocks.filter(({ file }) => file === 'level.js');
      for (const { file, text } of blocks)
        if (file !== undefined && file !== 'main.js' && file !== 'level.js') writeFileSync(join(folder, file), text);
      writeFileSync(join(folder, 'level.js'), boxes!.text);
      const steps = blocks.filter(
        ({ language, file }) => language === 'js' && (file === undefined || file === 'main.js'),
      );
      const statuses = [
        /^A path of \d\d\.\d m\.$/,
        /^\d+\.\d m to walk\.$/,
        /^Agents that arrived: [1-9]\d*\.$/,
        /^Tiles rebuilt: [1-9]\d\d?\.$/,
        /^Tiles baked in workers: 16\.$/,
        /^Loaded \d+ polygons; the path is complete\.$/,
      ];
      expect(steps.length).toBe(statuses.length);
      for (const [i, { text }] of steps.entries()) {
        writeFileSync(join(folder, 'main.js'), text);
        if (i === 5) {
          // A level of the reader's own.
          const positions = [0, 0, 0, 0, 0, 14, 14, 0, 14, 14, 0, 0, 6, 0, 0, 6, 0, 4, 6, 3, 4, 6, 3, 0];
          const { navMesh } = buildNavMesh({ positions, indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] });
          mkdirSync(join(folder, 'public'));
          writeFileSync(join(folder, 'public', 'level.glb'), writeGlb(navMesh));
          run(bake!.text, folder);
        }
        await expectStatus(folder, statuses[i]!, i === 1 ? (page) => page.mouse.click(480, 300) : undefined);
      }
      writeFileSync(join(folder, 'level.js'), own!.text);
      writeFileSync(join(folder, 'main.js'), steps[2]!.text);
      await expectStatus(folder, statuses[2]!);
      // The page for a host.
      execFileSync(process.execPath, [join(folder, 'node_modules/vite/bin/vite.js'), 'build'], {
        cwd: folder,
        stdio: 'pipe',
      });
      expect(readFileSync(join(folder, 'dist', 'index.html'), 'utf8')).toContain('assets/');
    },
  );

  it('docs/react-three-fiber.md: a click, and a crowd', { timeout: 600_000 }, async () => {
    const blocks = blocksOf('react-three-fiber.md');
    const folder = run(blocks[0]!.text, home);
    for (const { file, text } of blocks) if (file !== undefined) writeFileSync(join(folder, file), text);
    await expectStatus(folder, /^\d+\.\d m to walk\.$/, (page) => page.mouse.click(480, 300));
    writeFileSync(join(folder, 'main.jsx'), blocks.at(-1)!.text);
    await expectStatus(folder, /^Agents that arrived: [1-9]\d*\.$/);
  });

  // `npm run example -- NAME --to FOLDER`, with tarballs of the packages.
  it.each(['three-crowd', 'react-three-fiber', 'babylon', 'phaser-tiled', 'node-server'])(
    'examples/%s as a project of its own',
    { timeout: 600_000 },
    async (name) => {
      const folder = join(home, `template-${name}`);
      writeTemplate(name, folder, { navkiln: `file:${tarballs['navkiln']![0]!}` }, { headers: ISOLATED });
      npm(['install', '--no-audit', '--no-fund'], folder);
      if (name !== 'node-server') {
        const { status, act } = ACTIONS[name]!;
        await expectStatus(folder, status, act);
        npm(['run', 'build'], folder);
        return;
      }
      const child = spawn(process.execPath, ['main.mjs'], { cwd: folder });
      server = child;
      const [address] = (await once(child.stdout, 'data')).map(String);
      const room = await fetch(`${address!.trim()}/rooms`, { method: 'POST', body: '{}' });
      expect(await room.json()).toEqual({ id: 1 });
      const path = await fetch(`${address!.trim()}/rooms/1/path?from=2,0,2&to=50,0,50`);
      expect(await path.json()).toMatchObject({ status: 'complete' });
    },
  );

  it('docs/phaser.md: a Tiled map in Phaser', { timeout: 600_000 }, async () => {
    const blocks = blocksOf('phaser.md');
    const folder = run(blocks.find(({ language }) => language === 'sh')!.text, home);
    for (const { file, text } of blocks) if (file !== undefined) writeFileSync(join(folder, file), text);
    mkdirSync(join(folder, 'public'));
    cpSync(join(ROOT, 'examples/phaser-tiled/town.tmj'), join(folder, 'public/town.tmj'));
    // A tileset of five tiles.
    const page = await browser.newPage({ viewport: { width: 160, height: 32 } });
    await page.screenshot({ path: join(folder, 'public/town.png') });
    await page.close();
    await expectStatus(folder, /^complete, \d\d\d pixels from the start\.$/, async (opened) => {
      await opened.waitForTimeout(1000);
      const canvas = (await opened.locator('canvas').boundingBox())!;
      await opened.mouse.click(canvas.x + 640, canvas.y + 200);
    });
  });
});

it('the pages name the files that they tell the reader to save', () => {
  const names = (page: string): (string | undefined)[] => blocksOf(page).map(({ file }) => file);
  expect(names('first-page.md').slice(0, 6)).toEqual([
    undefined,
    'index.html',
    'vite.config.js',
    'level.js',
    'scene.js',
    'main.js',
  ]);
  expect(names('phaser.md').filter((name) => name !== undefined)).toEqual(['index.html', 'main.js']);
  expect(dirname(join(ROOT, 'docs', 'first-page.md'))).toBe(join(ROOT, 'docs'));
});
