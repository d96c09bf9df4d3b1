/** The packed readers of levels: installed without network in a folder of its own, next to the packed library. */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { rolldown } from 'rolldown';
import type { OutputAsset, OutputChunk } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildNavMesh } from 'navkiln/build';
import { writeGlb } from 'navkiln/io';
import { SCENE_TRIANGLES, createIo, makeScene } from '../../../cli/test/scene.ts';
import { OLDEST_TSC, ROOT, TSC, createConsumer, node, npm, packLibrary, typeCheck } from './consumer.ts';

/** `npm run soak` sets NAVKILN_FULL. */
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;

let folder = '';

beforeAll(() => {
  folder = createConsumer();
  const { tarball } = packLibrary(folder);
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], join(ROOT, 'packages', 'loaders'));
  const packed = readdirSync(folder).find((name) => name.startsWith('navkiln-loaders-'));
  const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--ignore-scripts'];
  const others = ['fzstd', 'meshoptimizer'].map((name) => join(ROOT, 'node_modules', name));
  npm(['install', ...flags, tarball, `./${packed}`, ...others], folder);
});

afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

const docs = readFileSync(join(ROOT, 'docs', 'level-files.md'), 'utf8');
const [inNode, inBrowser] = [...docs.matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1]);
const PRINT = '\nconsole.log(level.indices.length / 3, level.groups[0].name, navMesh.polyCount > 0);\n';
const READ = "import { readFileSync } from 'node:fs';\nimport { readLevelFile } from 'navkiln-loaders';\n";

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
  writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n');
  const floor = { positions: [0, 0, 0, 0, 0, 30, 30, 0, 30], indices: [0, 1, 2] };
  writeFileSync(join(folder, 'read.glb'), writeGlb(buildNavMesh(floor).navMesh));
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

it('runs as the docs show for the browser, built by Vite without a warning', async () => {
  writeHall();
  const { build, createLogger } = await import('vite');
  const said: string[] = [];
  const customLogger = createLogger('warn');
  // A busy machine makes slow plugins, which Vite reports.
  const listen = (message: string): void => void (message.includes('PLUGIN_TIMINGS') || said.push(message));
  customLogger.warn = customLogger.warnOnce = customLogger.error = listen;
  writeFileSync(join(folder, 'page.ts'), `${inBrowser}${PRINT}`);
  const result = await build({
    root: folder,
    configFile: false,
    customLogger,
    build: {
      outDir: 'page',
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      target: 'es2022',
      rolldownOptions: { input: join(folder, 'page.ts') },
    },
  });
  expect(said).toEqual([]);
  const { output } = (Array.isArray(result) ? result[0] : result) as { output: (OutputChunk | OutputAsset)[] };
  const chunks = output.filter((file) => file.type === 'chunk');
  const names = chunks.map((chunk) => chunk.fileName);
  const imported = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]);
  expect(imported.filter((name) => !names.includes(name))).toEqual([]);
  expect(chunks.filter((chunk) => /require\(["'`]/.test(chunk.code)).map((chunk) => chunk.fileName)).toEqual([]);
  // What a page loads first contains neither the reader of glTF nor a decoder.
  const first = chunks.find((chunk) => chunk.isEntry)!;
  const atOnce = [first, ...chunks.filter((chunk) => first.imports.includes(chunk.fileName))];
  const modules = atOnce.flatMap((chunk) => Object.keys(chunk.modules));
  expect(modules.filter((id) => /chunks\/(read|draco|zstd)\.js|meshoptimizer|fzstd/.test(id))).toEqual([]);
  const shims = `import { readFile } from 'node:fs/promises';
    globalThis.document = { baseURI: new URL('../../', import.meta.url).href, createElement: () => ({}) };
    globalThis.fetch = async (url) => new Response(await readFile(url));
    await import('../${first.fileName}');`;
  writeFileSync(join(folder, 'page', 'assets', 'run.mjs'), shims);
  expect(node([join('page', 'assets', 'run.mjs')], folder)).toBe('2 floor true\n');
});

it('a Vite build has the script of the bake workers once, minified', async () => {
  const { build } = await import('vite');
  const page = `import { bakeNavMesh } from 'navkiln';
    import { createBakePool } from 'navkiln/worker';
    const pool = createBakePool();
    void bakeNavMesh({ positions: [], indices: [] }, { pool });`;
  writeFileSync(join(folder, 'pool.ts'), page);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { outDir: 'pool', target: 'es2022', rolldownOptions: { input: join(folder, 'pool.ts') } },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as { output: (OutputChunk | OutputAsset)[] };
  const scripts = output.filter(({ fileName }) => fileName.includes('bake-worker'));
  expect(scripts).toHaveLength(1);
  const [script] = scripts;
  expect(Buffer.byteLength(script!.type === 'chunk' ? script!.code : script!.source)).toBeLessThan(220_000);
});

it('is small: at most 3 MB and 100 files with what it depends on', () => {
  const sizes = ['navkiln-loaders', 'fzstd', 'meshoptimizer'].map((name) => {
    const at = join(folder, 'node_modules', name);
    const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    return { bytes, count: files.length };
  });
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(3e6);
  expect(sizes.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(100);
});

it('decodes Draco and meshopt in Node, and in a bundle that neither knows Node nor has files next to it', async () => {
  const io = await createIo();
  for (const name of ['draco', 'meshopt']) {
    const document = makeScene();
    if (name === 'draco') document.createExtension(KHRDracoMeshCompression).setRequired(true);
    else document.createExtension(EXTMeshoptCompression).setRequired(true);
    writeFileSync(join(folder, `${name}.glb`), await io.writeBinary(document));
  }
  const read = `${READ}for (const file of ['draco.glb', 'meshopt.glb'])
    console.log(file, (await readLevelFile(readFileSync(file), file)).indices.length / 3);`;
  writeFileSync(join(folder, 'packed.mjs'), read);
  const expected = `draco.glb ${SCENE_TRIANGLES}\nmeshopt.glb ${SCENE_TRIANGLES}\n`;
  expect(node(['packed.mjs'], folder)).toBe(expected);
  const bundle = await rolldown({
    input: join(folder, 'packed.mjs'),
    platform: 'browser',
    external: /^node:/,
    transform: { define: { process: 'undefined' } },
    logLevel: 'silent',
  });
  await bundle.write({ dir: join(folder, 'alone'), format: 'esm', entryFileNames: '[name].mjs' });
  await bundle.close();
  expect(node([join('alone', 'packed.mjs')], folder)).toBe(expected);
});

it('refuses what it cannot read, with an InputError', () => {
  writeHall();
  const attempts = `import { InputError } from 'navkiln-loaders';
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
    'false readLevelFile: options.besides is unknown; known keys: beside, allowOutside, memoryLimitBytes, twoSided',
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
