/** The packed command line: installed without network in a folder of its own, next to the packed library alone. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildNavMesh } from 'navkiln/build';
import { writeGlb } from 'navkiln/io';
import { OLDEST_TSC, ROOT, TSC, createConsumer, node, npm, packLibrary, typeCheck } from './consumer.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

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
  const cli = readdirSync(folder).find((name) => name.startsWith('navkiln-cli-'));
  const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts'];
  npm(['install', ...flags, tarball, `./${cli}`, ...listThirdParty()], folder);
  writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n');
});

afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

it('installs with no package of the workspace but the two that are published', () => {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => name.startsWith('navkiln'));
  expect(names.sort()).toEqual(['navkiln', 'navkiln-cli']);
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
  expect([help.files.length <= 4, bytes < 20_000, help.packages]).toEqual([true, true, ['commander']]);
  // The schema (zod) and YAML are for configurations and values that are refused; drawings are for --svg.
  expect(listLoaded('chunks/path.js').packages).toEqual(['commander', 'navkiln', 'navkiln/kernel']);
  expect(listLoaded('chunks/bake.js').packages).toEqual(['commander', 'navkiln', 'navkiln/build', 'navkiln/io']);
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

describe('navkiln-cli/loaders', () => {
  const docs = readFileSync(join(ROOT, 'docs', 'level-files.md'), 'utf8');
  const [inNode, inBrowser] = [...docs.matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1]);
  const PRINT = '\nconsole.log(level.indices.length / 3, level.groups[0].name, navMesh.polyCount > 0);\n';
  const READ = "import { readFileSync } from 'node:fs';\nimport { readLevelFile } from 'navkiln-cli/loaders';\n";

  /** A floor of 20 by 20 as levels/hall.gltf, whose buffer is a file next to it with a space in its name. */
  function writeHall(): void {
    mkdirSync(join(folder, 'levels'), { recursive: true });
    const positions = Float32Array.of(0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0);
    const indices = Uint16Array.of(0, 1, 2, 0, 2, 3);
    writeFileSync(
      join(folder, 'levels', 'hall data.bin'),
      Buffer.concat([new Uint8Array(positions.buffer), new Uint8Array(indices.buffer)]),
    );
    const json = {
      asset: { version: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ name: 'floor', mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [20, 0, 20] },
        { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
      ],
      bufferViews: [
        { buffer: 0, byteLength: 48 },
        { buffer: 0, byteOffset: 48, byteLength: 12 },
      ],
      buffers: [{ uri: 'hall%20data.bin', byteLength: 60 }],
    };
    writeFileSync(join(folder, 'levels', 'hall.gltf'), JSON.stringify(json));
  }

  it('reads and bakes a .glb and an .obj in Node', () => {
    navkiln('bake', 'level.obj', '-o', 'read.navmesh');
    navkiln('convert', 'read.navmesh', 'read.glb');
    const bake = `import { buildNavMesh } from 'navkiln/build';
      for (const file of ['level.obj', 'read.glb']) {
        const level = await readLevelFile(readFileSync(file), file);
        console.log(file, level.indices.length > 0, buildNavMesh(level).report.counts.polygons > 0);
      }`;
    writeFileSync(join(folder, 'read.mjs'), READ + bake);
    expect(node(['read.mjs'], folder)).toBe('level.obj true true\nread.glb true true\n');
  });

  it('runs as the docs show for Node', () => {
    writeHall();
    writeFileSync(join(folder, 'docs.mjs'), `${inNode}${PRINT}`);
    expect(node(['docs.mjs'], folder)).toBe('2 floor true\n');
  });

  it('runs as the docs show for the browser, in a bundle without Node modules', async () => {
    writeHall();
    const shims = `import { readFile } from 'node:fs/promises';
      globalThis.document = { baseURI: new URL('../', import.meta.url).href };
      globalThis.fetch = async (url) => new Response(await readFile(url));
      await import('./page.js');`;
    writeFileSync(join(folder, 'page.ts'), `${inBrowser}${PRINT}`);
    const build = await rolldown({ input: join(folder, 'page.ts'), platform: 'browser', logLevel: 'silent' });
    const { output } = await build.write({ dir: join(folder, 'page'), format: 'esm' });
    await build.close();
    const chunks = output.filter((file) => file.type === 'chunk');
    const names = chunks.map((chunk) => chunk.fileName);
    expect(
      chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]).filter((name) => !names.includes(name)),
    ).toEqual([]);
    // The decoder of Draco asks first whether it runs in Node.
    const requiring = chunks.filter((chunk) => /require\("/.test(chunk.code)).map((chunk) => chunk.fileName);
    expect(requiring).toEqual([expect.stringMatching(/^draco3dgltf/)]);
    // The first load of a page contains neither the glTF reader nor a decoder.
    expect(Object.keys(chunks[0].modules).filter((id) => /gltf-transform|draco|meshopt/.test(id))).toEqual([]);
    writeFileSync(join(folder, 'page', 'run.mjs'), shims);
    expect(node([join('page', 'run.mjs')], folder)).toBe('2 floor true\n');
  });

  it('refuses what it cannot read, with an InputError', () => {
    writeHall();
    const attempts = `import { InputError } from 'navkiln-cli/loaders';
      const tell = (error) => console.log(error instanceof InputError, error.message);
      const hall = readFileSync('levels/hall.gltf');
      await readLevelFile(hall, 'hall.gltf').catch(tell);
      await readLevelFile(hall, 'hall.fbx').catch(tell);
      await readLevelFile(hall.subarray(0, 9), 'hall.glb').catch(tell);
      await readLevelFile(new TextEncoder().encode('v 0 0 0'), 'hall.obj').catch(tell);
      await readLevelFile(hall, 'hall.gltf', { besides: 1 }).catch(tell);
      await readLevelFile(hall, 'hall.gltf', { beside: async () => { throw new Error('no network'); } }).catch(tell);`;
    writeFileSync(join(folder, 'refuse.mjs'), READ + attempts);
    const lines = node(['refuse.mjs'], folder).trim().split('\n');
    expect(lines).toEqual([
      'true hall.gltf: refers to the file "hall%20data.bin"; provide it with the option `beside`, or export a .glb',
      'true hall.fbx: ".fbx" is not a level format that navkiln reads; open it in Blender (File, Import) and export it as glTF 2.0 (.glb); use .glb, .gltf, .obj; 2D maps are .geojson, .tmx, .tmj, .svg, .png, .json',
      expect.stringMatching(/^true hall\.glb: not a GLB, and not JSON either/),
      expect.stringMatching(/^true hall\.obj has 1 vertex but no faces/),
      'false readLevelFile: options.besides is unknown; known keys: beside, dracoWasm, allowOutside, memoryLimitBytes, twoSided',
      'false no network',
    ]);
  });

  const compilers = [
    ['of the repository', TSC, { module: 'ESNext', moduleResolution: 'Bundler' }],
    ['5.7', OLDEST_TSC, { module: 'NodeNext', moduleResolution: 'NodeNext' }],
  ] as const;
  it.each(compilers.slice(0, IS_FULL ? 2 : 1))(
    'TypeScript %s accepts its types and the docs, without Node types',
    (version, tsc, options) => {
      const directory = join(folder, `types-${version}`);
      mkdirSync(directory);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        lib: ['ES2022', 'DOM'],
        types: [],
        skipLibCheck: false,
        ...options,
      };
      writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
      writeFileSync(join(directory, 'page.ts'), `${inBrowser}${PRINT}`);
      expect(typeCheck(directory, tsc)).toBe('');
    },
  );
});
