/** The packed command line: installed without network in a folder of its own, next to the packed library alone. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT, createConsumer, node, npm, packLibrary } from './consumer.ts';

const CLI = join(ROOT, 'packages', 'cli');
let folder = '';
let installed = '';

/** Returns the folders of all dependencies of other authors: the network has them, a test has not. */
function listThirdParty(): string[] {
  const found = new Set<string>();
  const add = (manifest: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object };
    for (const name of Object.keys(dependencies)) {
      const path = join(ROOT, 'node_modules', name);
      if (name.startsWith('navkiln') || found.has(path)) continue;
      found.add(path);
      add(join(path, 'package.json'));
    }
  };
  add(join(CLI, 'package.json'));
  return [...found];
}

function navkiln(...args: string[]): string {
  const bin = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'navkiln.cmd' : 'navkiln');
  return execFileSync(bin, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

beforeAll(() => {
  folder = createConsumer();
  installed = join(folder, 'node_modules', 'navkiln-cli');
  const { tarball } = packLibrary(folder);
  // With its scripts, which add the studio's page and the scenes.
  npm(['pack', '--pack-destination', folder], CLI);
  const cli = readdirSync(folder).find((name) => name.startsWith('navkiln-cli-'));
  const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts'];
  npm(['install', ...flags, tarball, `./${cli}`, ...listThirdParty()], folder);
  writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n');
});

afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

it('installs with the scenes in it, and no package of the workspace but the two that are published', () => {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('navkiln'));
  expect(names.sort()).toEqual(['navkiln', 'navkiln-cli']);
  expect(readdirSync(join(installed, 'node_modules'))).toEqual(['navkiln-scenes']);
  expect(existsSync(join(installed, 'src'))).toBe(false);
  expect(existsSync(join(installed, 'node_modules', 'navkiln-scenes', 'src'))).toBe(false);
});

it('leaves nothing of the packing in its folder', () => {
  expect(existsSync(join(CLI, 'studio'))).toBe(false);
  expect(existsSync(join(CLI, 'node_modules', 'navkiln-scenes'))).toBe(false);
});

it('holds no source maps and no references to them', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|map)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);
  const wrong = files.filter(
    (name) => name.endsWith('.map') || readFileSync(join(installed, name), 'utf8').includes('sourceMappingURL='),
  );
  expect(wrong).toEqual([]);
});

it('bakes, finds a path, runs a crowd and prints its version', () => {
  const { version } = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8')) as { version: string };
  expect(navkiln('--version').trim()).toBe(version);
  expect(navkiln('bake', 'level.obj', '-o', 'level.navmesh')).toMatch(/^level\.navmesh: 1 tile, \d+ polygons/);
  expect(JSON.parse(navkiln('path', 'level.navmesh', '--from', '2,0,2', '--to', '20,0,5', '--json'))).toMatchObject({
    status: 'complete',
  });
  expect(JSON.parse(navkiln('crowd', 'circle', '--agents', '12', '--json'))).toMatchObject({ agents: 12, stuck: 0 });
});

it('finds the page of the studio', () => {
  const print = "const { findStudio } = await import('navkiln-cli/studio-server'); console.log(findStudio());";
  const page = node(['--input-type=module', '-e', print], folder).trim();
  expect(page.replaceAll('\\', '/')).toMatch(/\/navkiln-cli\/studio\/?$/);
});
