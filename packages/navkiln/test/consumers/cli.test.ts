/** The packed command line: installed without network in a folder of its own, next to the packed library alone. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildNavMesh } from 'navkiln/build';
import { writeGlb } from 'navkiln/io';
import { ROOT, createConsumer, node, npm, packLibrary } from './consumer.ts';

const CLI = join(ROOT, 'packages', 'cli');
const LOADERS = join(ROOT, 'packages', 'loaders');
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
  add(join(LOADERS, 'package.json'));
  return [...found];
}

function navkiln(...args: string[]): string {
  return navkilnIn(folder, args);
}

function navkilnIn(cwd: string, args: readonly string[]): string {
  const bin = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'navkiln.cmd' : 'navkiln');
  return execFileSync(bin, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
}

beforeAll(() => {
  folder = createConsumer();
  installed = join(folder, 'node_modules', 'navkiln-cli');
  const { tarball } = packLibrary(folder);
  // With its scripts, which add the studio's page.
  npm(['pack', '--pack-destination', folder], CLI);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], LOADERS);
  const packed = readdirSync(folder).filter((name) => /^navkiln-(cli|loaders)-/.test(name));
  const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts'];
  npm(['install', ...flags, tarball, ...packed.map((name) => `./${name}`), ...listThirdParty()], folder);
  writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n');
});

afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

it('installs with no package of the workspace but the published ones', () => {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('navkiln'));
  expect(names.sort()).toEqual(['navkiln', 'navkiln-cli', 'navkiln-loaders']);
  expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  expect(existsSync(join(installed, 'src'))).toBe(false);
});

it('leaves nothing of the packing in its folder', () => {
  expect(existsSync(join(CLI, 'studio'))).toBe(false);
});

it('holds no source maps and no references to them', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|map)$/.test(name),
  );
  expect(files).toContain(join('dist', 'main.js'));
  // A chunk for each command, and the entries.
  expect(files.filter((name) => name.startsWith('dist')).length).toBeLessThan(60);
  const wrong = files.filter(
    (name) => name.endsWith('.map') || readFileSync(join(installed, name), 'utf8').includes('sourceMappingURL='),
  );
  expect(wrong).toEqual([]);
});

/** Returns the files that a file of `dist` imports when it is loaded, itself included, and the packages. */
function listLoaded(file: string): { files: string[]; packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    const text = readFileSync(join(installed, 'dist', path), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import|export)[^;(]*?["']([^"'\n]+)["'];$/gm)) {
      if (name!.startsWith('.')) visit(posix.join(posix.dirname(path), name!));
      else if (!name!.startsWith('node:')) packages.add(name!);
    }
  };
  visit(file);
  return { files: [...files], packages: [...packages].sort() };
}

it('loads little to print the help, and only what a command needs', () => {
  const help = listLoaded('main.js');
  const bytes = help.files.reduce((sum, file) => sum + statSync(join(installed, 'dist', file)).size, 0);
  const shared = 'navkiln-loaders/files';
  expect([help.files.length <= 4, bytes < 20_000, help.packages]).toEqual([true, true, ['commander', shared]]);
  expect(listLoaded('../../navkiln-loaders/dist/files.js').packages).toEqual([]);
  // The schema (zod) and YAML are for configurations and values that are refused; drawings are for --svg.
  expect(listLoaded('chunks/path.js').packages).toEqual(['commander', 'navkiln', shared, 'navkiln/kernel']);
  const forBake = ['commander', 'navkiln', 'navkiln-loaders', shared, 'navkiln/build'];
  expect(listLoaded('chunks/bake.js').packages).toEqual(forBake);
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

it('leads from a GLB to a path as docs/start.md says, with no step that it does not show', () => {
  const text = readFileSync(join(ROOT, 'docs', 'start.md'), 'utf8');
  const [, program] = /^Save this as `walk\.js`[^]*?^```ts\n([^]*?)^```$/m.exec(text)!;
  const start = join(folder, 'start');
  mkdirSync(start);
  // A level of somebody else: the mesh of a yard that another program wrote as GLB.
  const positions = [0, 0, 0, 0, 0, 14, 14, 0, 14, 14, 0, 0, 6, 0, 0, 6, 0, 4, 6, 3, 4, 6, 3, 0];
  const { navMesh } = buildNavMesh({ positions, indices: [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7] });
  writeFileSync(join(start, 'level.glb'), writeGlb(navMesh));
  writeFileSync(join(start, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(start, 'walk.js'), program!);
  const printed = node(['walk.js'], start);
  expect(printed).toMatch(/polygons/);
  expect(printed).toMatch(/^complete \[/m);
  const commands = [...text.matchAll(/^npx navkiln ([^#\n]*)/gm)].map(([, line]) => line!.trim().split(' '));
  expect(commands.map(([name]) => name)).toEqual(['bake', 'inspect', 'path']);
  const answers = commands.map((args) => navkilnIn(start, args));
  expect(answers[2]).toMatch(/complete/);
  expect(readdirSync(start)).toEqual(expect.arrayContaining(['level.navmesh', 'level.svg']));
});

it('finds the page of the studio', () => {
  const print = "const { findStudio } = await import('navkiln-cli/studio-server'); console.log(findStudio());";
  const page = node(['--input-type=module', '-e', print], folder).trim();
  expect(page.replaceAll('\\', '/')).toMatch(/\/navkiln-cli\/studio\/?$/);
});
