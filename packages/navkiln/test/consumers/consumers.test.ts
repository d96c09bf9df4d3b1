/**
 * Consumers of the packed package: it is installed in a folder of its own, imported, type-checked and bundled
 * from there.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIBRARY, OLDEST_TSC, ROOT, TSC, createConsumer, node, npm, packLibrary, typeCheck } from './consumer.ts';

const MANIFEST = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; development?: string; node?: string }>;
};
const SUBPATHS = Object.keys(MANIFEST.exports).filter((key) => key !== './package.json');
const entries = SUBPATHS.map((key) => `navkiln${key.slice(1)}`);

let folder = '';
let packed: string[] = [];

beforeAll(() => {
  folder = createConsumer();
  const { tarball, files } = packLibrary(folder);
  packed = files;
  npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], folder);
  // The optional peer dependency and its types.
  symlinkSync(join(ROOT, 'node_modules', 'three'), join(folder, 'node_modules', 'three'), 'junction');
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'), 'junction');
});

afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

const USE = `
import { createFilter, findPath, loadNavMesh, saveNavMesh } from 'navkiln';
import type { NavMesh, Path } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import type { BuildOptions } from 'navkiln/build';
import { createPathCorridor, findCorridorCorners, createCorridorCorners, resetCorridor } from 'navkiln/corridor';
import { validateNavMesh } from 'navkiln/debug';
import { createNearestHit, findNearestInto } from 'navkiln/kernel';

const options: BuildOptions = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 } };
const positions = [0, 0, 0, 0, 0, 10, 10, 0, 10, 10, 0, 0];
const { navMesh, report } = buildNavMesh({ positions, indices: [0, 1, 2, 0, 2, 3] }, options);
const loaded: NavMesh = loadNavMesh(saveNavMesh(navMesh));
const path: Path = findPath(loaded, [2, 0, 2], { x: 8, y: 0, z: 8 });
const polygons: number = report.counts.polygons;
const wrong: number = validateNavMesh(loaded).length;
const hit = createNearestHit();
findNearestInto(hit, loaded, Float64Array.of(2, 0, 2), Float64Array.of(1, 1, 1), createFilter());
const corridor = createPathCorridor();
resetCorridor(corridor, loaded, hit.poly, hit.point);
const corners = createCorridorCorners();
findCorridorCorners(corners, corridor, loaded, 2);
`;

const USE_THREE = `
import { BoxGeometry, Mesh, Object3D } from 'three';
import { buildNavMesh } from 'navkiln/build';
import { navMeshTriangles } from 'navkiln/debug';
import { createAgentObject, drawMesh, levelFromObject3D } from 'navkiln/three';
import { addLevel, createWorld, updateWorld } from 'navkiln/world';

const { navMesh } = buildNavMesh(levelFromObject3D(new Mesh(new BoxGeometry(9, 1, 9))));
const drawn: Object3D = drawMesh(navMeshTriangles(navMesh));
const set = createWorld({ tileSize: 8 });
const id: number = addLevel(set, levelFromObject3D(drawn), { rotation: 90 });
const { object } = createAgentObject({ position: (out) => { out[0] = id; }, heading: (out) => { out[1] = updateWorld(set).changedTileCount; } });
export const name: string = object.name;
`;

describe('the tarball', () => {
  it('holds every entry with its types and the license, but no sources or tests', () => {
    for (const key of SUBPATHS) {
      const file = key === '.' ? 'index' : key.slice(2);
      expect(packed).toContain(`dist/${file}.js`);
      const { types, development, node: ofNode } = MANIFEST.exports[key]!;
      expect(packed).toContain(types.slice(2));
      expect(ofNode).toBe(development);
      if (development !== undefined) expect(packed).toContain(development.slice(2));
    }
    expect(packed).toContain('LICENSE');
    expect(packed).toContain('README.md');
    expect(packed.filter((path) => /^(src|test)\/|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  it('holds the code of an entry in a few files: a chunk for each folder', () => {
    const chunks = packed.filter((path) => path.startsWith('dist/chunks/'));
    expect(chunks).toContain('dist/chunks/core.js');
    const advised = Object.values(MANIFEST.exports).filter(({ development }) => development !== undefined);
    expect(packed.filter((path) => path.endsWith('.js')).length).toBe(SUBPATHS.length + advised.length + chunks.length);
    const script = readFileSync(join(folder, 'node_modules/navkiln/dist/bake-worker.js'), 'utf8');
    expect(script).not.toMatch(/^(import|export)\b/m);
    expect(chunks.length).toBeLessThanOrEqual(28);
  });

  it('takes at most 3 MB and 110 files when it is installed', () => {
    const bytes = packed.reduce((sum, path) => sum + statSync(join(folder, 'node_modules', 'navkiln', path)).size, 0);
    console.info(`navkiln: ${bytes} bytes in ${packed.length} files`);
    expect(bytes).toBeLessThanOrEqual(3 * 2 ** 20);
    expect(packed.length).toBeLessThanOrEqual(110);
  });

  it('has code that debuggers stop in: a statement a line, and names as in the sources', () => {
    const lines = readFileSync(join(folder, 'node_modules/navkiln/dist/chunks/query.js'), 'utf8').split('\n');
    expect(lines.findIndex((line) => /^(async )?function findPath\(/.test(line))).toBeGreaterThan(0);
    const long = lines.filter((line) => line.length > 500 && !/^(import|export)/.test(line));
    expect(long.length / lines.length).toBeLessThan(0.01);
  });

  it('holds no source maps and no references to them', () => {
    expect(packed.filter((path) => path.endsWith('.map'))).toEqual([]);
    const referring = packed.filter((path) =>
      readFileSync(join(folder, 'node_modules', 'navkiln', path), 'utf8').includes('sourceMappingURL='),
    );
    expect(referring).toEqual([]);
  });

  it('has a README that names every entry, with a first path that runs', () => {
    const readme = readFileSync(join(folder, 'node_modules', 'navkiln', 'README.md'), 'utf8');
    for (const entry of entries) expect(readme).toContain(`| \`${entry}\` |`);
    const code = /```ts\n([^]*?)```/.exec(readme)![1];
    expect(code).toBe(readFileSync(join(ROOT, 'examples', 'first-path.ts'), 'utf8'));
    writeFileSync(join(folder, 'readme.mjs'), code);
    expect(node(['readme.mjs'], folder)).toMatch(/^complete \[/);
  });
});

describe('Node', () => {
  it.each(entries)('imports %s', (name) => {
    const keys = node(
      ['--input-type=module', '-e', `console.log(Object.keys(await import('${name}')).join())`],
      folder,
    );
    expect(keys.trim().split(',').length).toBeGreaterThan(0);
    expect(keys).not.toMatch(/\bdefault\b/);
  });

  it('refuses paths that are not exported', () => {
    expect(() => node(['--input-type=module', '-e', "await import('navkiln/dist/index.js')"], folder)).toThrow(
      /ERR_PACKAGE_PATH_NOT_EXPORTED/,
    );
  });

  it('bakes, saves, loads and finds a path', () => {
    const untyped = USE.replace(/^import type.*$/gm, '').replace(/(const \w+): \w+/g, '$1');
    writeFileSync(
      join(folder, 'use.mjs'),
      `${untyped}\nconsole.log(path.status, polygons > 0, wrong, hit.poly >= 0, corners.count);\n`,
    );
    expect(node(['use.mjs'], folder).trim()).toBe('complete true 0 true 1');
  });
});

describe('advice in messages', () => {
  const SLIP =
    "import { findPath } from 'navkiln';\ntry { findPath(Promise.resolve(), [0, 0, 0], [1, 0, 1]); } catch (error) { console.log(error.message); }\n";
  const PLAIN = 'findPath: mesh is an object; must be a NavMesh';

  it('is there in Node', () => {
    writeFileSync(join(folder, 'slip.mjs'), SLIP);
    expect(node(['slip.mjs'], folder).trim()).toBe(`${PLAIN}. It is a promise: await it`);
  });

  it.each([
    ['development', `${PLAIN}. It is a promise: await it`],
    ['production', PLAIN],
  ])('bundles with the condition %s', async (condition, message) => {
    writeFileSync(join(folder, 'slip.mjs'), SLIP);
    const resolve = { conditionNames: [condition, 'browser', 'import', 'default'] };
    const build = await rolldown({ input: join(folder, 'slip.mjs'), cwd: folder, logLevel: 'silent', resolve });
    await build.write({ file: join(folder, `slip-${condition}.mjs`), format: 'esm' });
    await build.close();
    expect(node([`slip-${condition}.mjs`], folder).trim()).toBe(message);
  });
});

describe('wide links', () => {
  // Two floors with a gap of 2 between them, and a link over it whose ends are segments.
  const WIDE = `
    import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
    import { addLink, findPath, loadNavMesh, saveNavMesh } from 'navkiln';
    import { buildFromPolygons } from 'navkiln/polygon';
    import { enableWideLinks } from 'navkiln/links';
    const floor = (x) => ({ outline: [[x, 0], [x + 4, 0], [x + 4, 8], [x, 8]] });
    const start = [[4, 0, -1], [4, 0, -7]];
    const end = [[6, 0, -1], [6, 0, -7]];
    const attempt = (run) => { try { return run(); } catch (error) { return error.message; } };
    const pathOf = (mesh) => attempt(() => JSON.stringify(findPath(mesh, [1, 0, -2], [9, 0, -2]).points));
    if (isMainThread) {
      const { navMesh } = buildFromPolygons({ polygons: [floor(0), floor(6)] });
      console.log(attempt(() => addLink(navMesh, { start, end })));
      addLink(navMesh, { start: [4, 0, -6], end: [6, 0, -6] });
      console.log(pathOf(loadNavMesh(saveNavMesh(navMesh))));
      const { bytes, points } = await new Promise((resolve) => {
        new Worker(new URL(import.meta.url), { workerData: { navMesh: undefined } }).on('message', resolve);
      });
      console.log(attempt(() => loadNavMesh(bytes)));
      const { refused } = await new Promise((resolve) => {
        enableWideLinks();
        const mesh = loadNavMesh(bytes);
        console.log(pathOf(mesh) === points, pathOf(structuredClone(mesh)) === points, points);
        new Worker(new URL(import.meta.url), { workerData: { navMesh: mesh } }).on('message', resolve);
      });
      console.log(refused.join('\\n'));
    } else if (workerData.navMesh === undefined) {
      enableWideLinks();
      const { navMesh } = buildFromPolygons({ polygons: [floor(0), floor(6)] });
      addLink(navMesh, { start, end, crossing: 'straight' });
      parentPort.postMessage({ bytes: saveNavMesh(navMesh), points: pathOf(navMesh) });
    } else {
      const refused = [pathOf(workerData.navMesh)];
      enableWideLinks();
      parentPort.postMessage({ refused: [...refused, pathOf(workerData.navMesh)] });
    }
  `;

  it('are refused in threads that have not enabled them, with the function to call; links between points are not', () => {
    writeFileSync(join(folder, 'wide.mjs'), WIDE);
    const straight = '[[1,0,-2],[4,0,-2],[6,0,-2],[9,0,-2]]';
    const refusal = 'a link is wide; call enableWideLinks() of navkiln/links first';
    expect(node(['wide.mjs'], folder).trim().split('\n')).toEqual([
      `addLink: ${refusal}`,
      '[[1,0,-2],[4,0,-6],[6,0,-6],[9,0,-2]]',
      `loadNavMesh: ${refusal}`,
      `true true ${straight}`,
      `NavMesh: ${refusal}`,
      straight,
    ]);
  });
});

// Walks of a stranger in Node: the level of the README, then the code of a page as it stands there, in a folder with nothing but the package.
describe('walks', () => {
  /** The code of a page, with its imports in front. `only` chooses blocks by a text in them. */
  function walk(page: string, given: string, print: string, only: RegExp = /(?:)/): string {
    const [, readme] = /(const positions = [^]*?)\n\n/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))!;
    const level = given.includes('const positions') ? '' : readme;
    const blocks = [...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)]
      .map(([, text]) => text!)
      .filter((text) => only.test(text));
    const imports = new Map<string, Set<string>>();
    const code = blocks
      .join('\n')
      .replace(/^import \{([^}]*)\} from '([^']+)';$/gm, (_, list: string, from: string) => {
        for (const name of list.match(/\w+/g)!) imports.set(from, (imports.get(from) ?? new Set()).add(name));
        return '';
      });
    const lines = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}';`);
    const file = `walk-${page.replace('.md', '.mjs')}`;
    writeFileSync(join(folder, file), [...lines, level, given, code, `console.log(${print});`, ''].join('\n'));
    return node([file], folder).trim();
  }

  it('docs/doors.md: a closed gate ends the path, and is named', () => {
    expect(walk('doors.md', '', 'path.status, message, closed.join()')).toMatch(
      /^partial .*"north gate".* bridge,north gate$/,
    );
  });

  it('docs/agent-sizes.md: two types on one mesh, and a crowd of both', () => {
    const print = 'ogrePath.size, catPath.status, listAgents(mixed).length';
    const blocks = /sizes: createAgentSizes\(\[|const WATER|const mixed|message, passage/;
    expect(walk('agent-sizes.md', "import { listAgents } from 'navkiln/crowd';", print, blocks)).toBe(
      'ogre complete 1',
    );
  });

  it('docs/tiled.md: a map of Tiled, and its door', () => {
    const tiles = Array.from({ length: 16 * 12 }, (_, i) => (i % 16 === 8 && i < 160 ? 1 : 0));
    const map = {
      width: 16,
      height: 12,
      tilewidth: 16,
      tileheight: 16,
      orientation: 'orthogonal',
      layers: [
        { type: 'tilelayer', name: 'walls', width: 16, height: 12, data: tiles },
        {
          type: 'objectgroup',
          name: 'doors',
          objects: [
            {
              name: 'kitchen door',
              type: 'door',
              x: 128,
              y: 160,
              width: 16,
              height: 32,
              properties: [{ name: 'locked', type: 'bool', value: true }],
            },
          ],
        },
      ],
      tilesets: [{ firstgid: 1, name: 'town', tilecount: 4, columns: 4, tilewidth: 16, tileheight: 16 }],
    };
    const given = `const files = {};\nconst text = ${JSON.stringify(JSON.stringify(map))};`;
    expect(walk('tiled.md', given, 'path.status, findPath2d(navMesh, [40, 88], [200, 88]).status')).toBe(
      'partial complete',
    );
  });

  it('docs/server.md: rooms, and a mesh over HTTP', () => {
    const print = 'statuses[7], statuses[8], state.length, loaded.polyCount > 0, move.status';
    const square = 'const positions = [0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0], indices = [0, 1, 2, 0, 2, 3];';
    expect(walk('server.md', square, print)).toBe('partial complete 1 true accepted');
  });
});

describe('workers', () => {
  const POOL = `
    import { saveNavMesh } from 'navkiln';
    import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
    import { closeBakePool, createBakePool } from 'navkiln/worker';
    const positions = new Float32Array([0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0]);
    const level = { positions, indices: [0, 1, 2, 0, 2, 3] };
    export async function compare(options) {
      const pool = createBakePool({ workers: 2, ...options });
      const { navMesh } = await bakeNavMesh(level, { tileSize: 8, pool });
      closeBakePool(pool);
      const alone = saveNavMesh(buildNavMesh(level, { tileSize: 8 }).navMesh);
      return alone.length > 1000 && saveNavMesh(navMesh).join() === alone.join();
    }
  `;

  it('a bake of the installed package in Node starts its own workers, which do not hold the process', () => {
    // The pool is left open.
    const open = POOL.replace('closeBakePool(pool);', '');
    writeFileSync(join(folder, 'pool.mjs'), `${open}\nconsole.log(await compare());\n`);
    expect(node(['pool.mjs'], folder).trim()).toBe('true');
  });

  it('an entry of a bundle finds the script next to it', async () => {
    writeFileSync(join(folder, 'pool-entry.mjs'), `${POOL}\nconsole.log(await compare());\n`);
    const build = await rolldown({ input: join(folder, 'pool-entry.mjs'), cwd: folder, logLevel: 'silent' });
    await build.write({ file: join(folder, 'bundled/js/app.mjs'), format: 'esm' });
    await build.close();
    copyFileSync(join(folder, 'node_modules/navkiln/dist/bake-worker.js'), join(folder, 'bundled/bake-worker.js'));
    expect(node(['bundled/js/app.mjs'], folder).trim()).toBe('true');
  });
});

describe('TypeScript', () => {
  const modes = [
    ['NodeNext', { module: 'NodeNext', moduleResolution: 'NodeNext' }],
    ['Bundler', { module: 'ESNext', moduleResolution: 'Bundler' }],
  ] as const;

  function project(name: string, options: object, source: string): string {
    const directory = join(folder, name);
    mkdirSync(directory, { recursive: true });
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      types: [],
      skipLibCheck: false,
      ...options,
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    writeFileSync(join(directory, 'use.ts'), source);
    return directory;
  }

  // The oldest one takes seconds for a program: it checks the types of plain entries with one resolution, and all entries with the other.
  const programs = [
    ['of the repository', 'NodeNext', 'plain and three', TSC],
    ['of the repository', 'Bundler', 'plain and three', TSC],
    ['5.7', 'NodeNext', 'plain', OLDEST_TSC],
    ['5.7', 'Bundler', 'three', OLDEST_TSC],
  ] as const;
  // `npm run soak` sets NAVKILN_FULL: all four.
  it.each(programs.slice(0, process.env['NAVKILN_FULL'] === undefined ? 3 : 4))(
    'TypeScript %s accepts the types with %s resolution, without Node types, %s entries',
    (version, name, parts, tsc) => {
      const options = Object.fromEntries(modes)[name];
      const all = (paths: readonly string[]): string =>
        paths.map((subpath, i) => `import * as all${i} from '${subpath}';`).join('\n');
      const plain = entries.filter((subpath) => subpath !== 'navkiln/three');
      const source = `${all(plain)}\n${USE}\nexport {};\n`;
      if (parts !== 'three') expect(typeCheck(project(`types-${name}-${version}`, options, source), tsc)).toBe('');
      if (parts === 'plain') return;
      // The types of three have errors without those of WebGPU.
      const three = { ...options, skipLibCheck: true };
      expect(typeCheck(project(`three-${name}-${version}`, three, `${all(entries)}\n${USE_THREE}\n`), tsc)).toBe('');
    },
  );

  it('names the oldest TypeScript in the README', () => {
    const [version] = /\d+\.\d+/.exec(node([OLDEST_TSC, '--version'], folder))!;
    expect(version).toBe('5.7');
    const readme = readFileSync(join(folder, 'node_modules', 'navkiln', 'README.md'), 'utf8');
    expect(readme).toContain(`TypeScript ${version} or newer`);
  });

  it.each([
    ['use', 'NodeNext'],
    ['published', 'Bundler'],
  ] as const)('compiles right uses and refuses wrong ones: test/types/%s.ts with %s resolution', (name, resolution) => {
    const source = readFileSync(join(LIBRARY, 'test/types', `${name}.ts`), 'utf8');
    expect(typeCheck(project(`uses-${name}`, Object.fromEntries(modes)[resolution], source))).toBe('');
  });

  it('a mesh that is a result, a path or a number fails with a message of a few lines', () => {
    const call = 'findPath(MESH, [0, 0, 0], [1, 1, 1]);';
    const source = `import { buildNavMesh, findPath } from 'navkiln';\n${['buildNavMesh({ positions: [] })', "'town.navmesh'", '{}'].map((mesh) => call.replace('MESH', mesh)).join('\n')}\n`;
    const messages = typeCheck(project('opaque', modes[1][1], source))
      .split('\n')
      .filter((line) => line.trim() !== '');
    expect(messages.length).toBeLessThanOrEqual(8);
    for (const line of messages) expect(line.length).toBeLessThan(260);
  });
});

interface Bundle {
  bytes: number;
  files: string[];
}

/** Bundles a module as for a web page. Returns its gzipped size and the library's files in it: `build.js`, `chunks/voxel.js`. */
async function bundle(name: string, source: string): Promise<Bundle> {
  const entry = join(folder, `${name}.mjs`);
  writeFileSync(entry, source);
  const build = await rolldown({ input: entry, cwd: folder, logLevel: 'silent', external: ['three'] });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const [chunk] = output;
  const used = Object.entries(chunk.modules).filter(([, module]) => module.renderedLength > 0);
  const files = used.map(([id]) => id.replaceAll('\\', '/').split('/navkiln/dist/')[1] ?? '').filter((id) => id !== '');
  return { bytes: gzipSync(chunk.code, { level: 9 }).length, files };
}

describe('bundles', () => {
  it('findPath: at most 10 KB gzipped (goal: 9)', async () => {
    const { bytes } = await bundle('path', "import { findPath } from 'navkiln';\nglobalThis.game = { findPath };\n");
    console.info(`findPath: ${bytes} bytes gzipped`);
    expect(bytes).toBeLessThanOrEqual(10 * 1024);
  });

  it('openNavMesh + findPath: at most 10.5 KB gzipped (goal: 12)', async () => {
    const source = "import { findPath, openNavMesh } from 'navkiln';\nglobalThis.game = { findPath, openNavMesh };\n";
    const { bytes } = await bundle('open', source);
    console.info(`openNavMesh + findPath: ${bytes} bytes gzipped`);
    expect(bytes).toBeLessThanOrEqual(10.5 * 1024);
  });

  // Of these, 1.7 KB check arguments and fill the segment of a filter's cost; 0.3 KB of the bake turn
  // double-sided triangles up; 0.6 KB read names (`setEnabled`), 0.6 KB sizes of agents (0.2 KB of the bake).
  // 0.1 KB ask for islands of sizes; 0.1 KB close areas of filters and read slopes and rules of sizes; 0.4 KB of the crowd are agent types; 0.1 KB close kinds of links.
  it('load + findPath: at most 14.9 KB gzipped (goal: 10), and no code of bake, crowd, io and debug', async () => {
    const source = "import { findPath, loadNavMesh } from 'navkiln';\nglobalThis.game = { findPath, loadNavMesh };\n";
    const { bytes, files } = await bundle('query', source);
    console.info(`load + findPath: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) =>
        /^chunks\/(voxel|surface|polygon|corridor|crowd|characters|levels|worker|formats|show|shared|three)\./.test(id),
      ),
    ).toEqual([]);
    expect(files).toContain('chunks/query.js');
    expect(bytes).toBeLessThanOrEqual(14.9 * 1024);
  });

  // 0.1 KB of these keep all outlines until they are simplified, so that those of several sizes can be kept apart.
  it('bake + findPath: at most 46.9 KB gzipped (goal: 28), and no code of crowd, io and debug', async () => {
    const source =
      "import { findPath } from 'navkiln';\nimport { buildNavMesh } from 'navkiln/build';\nglobalThis.game = { findPath, buildNavMesh };\n";
    const { bytes, files } = await bundle('bake', source);
    console.info(`bake + findPath: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) => /^chunks\/(corridor|crowd|characters|levels|worker|formats|show|shared|three)\./.test(id)),
    ).toEqual([]);
    expect(files).toContain('chunks/voxel.js');
    expect(bytes).toBeLessThanOrEqual(46.9 * 1024);
  });

  // 0.3 KB of these measure cells of folded ground, which no line of sight crosses.
  it('index: at most 55.8 KB gzipped with load and search, and no code of bake, crowd, io and debug', async () => {
    const source =
      "import { loadNavMesh } from 'navkiln';\nimport { buildPathIndex, findIndexedPath } from 'navkiln/index';\nglobalThis.game = { loadNavMesh, buildPathIndex, findIndexedPath };\n";
    const { bytes, files } = await bundle('index', source);
    console.info(`load + buildPathIndex + findIndexedPath: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) =>
        /^chunks\/(voxel|surface|polygon|corridor|crowd|characters|levels|worker|formats|show|shared|three)\./.test(id),
      ),
    ).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(55.8 * 1024);
  });

  it('crowd: at most 64 KB gzipped with load and search (goal: 44), and no code of bake, index, io and debug', async () => {
    const names = 'createCrowd, addAgent, moveAgentTo, advanceCrowd, interpolateAgentInto';
    const source = `import { findPath, loadNavMesh } from 'navkiln';\nimport { ${names} } from 'navkiln/crowd';\nglobalThis.game = { findPath, loadNavMesh, ${names} };\n`;
    const { bytes, files } = await bundle('crowd', source);
    console.info(`load + findPath + crowd: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) =>
        /^chunks\/(voxel|surface|polygon|path-index|characters|levels|worker|formats|show|shared|three)\./.test(id),
      ),
    ).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it('core crowd: at most 39.4 KB gzipped with load and search (goal: 36), and no code of other behaviors', async () => {
    const names = 'createCoreCrowd, addAgent, moveAgentTo, advanceCrowd, interpolateAgentInto';
    const source = `import { findPath, loadNavMesh } from 'navkiln';\nimport { ${names} } from 'navkiln/crowd';\nglobalThis.game = { findPath, loadNavMesh, ${names} };\n`;
    const { bytes, files } = await bundle('core-crowd', source);
    console.info(`load + findPath + core crowd: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) =>
        /^chunks\/(voxel|surface|polygon|path-index|characters|levels|worker|formats|show|shared|three)\./.test(id),
      ),
    ).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(39.4 * 1024);
  });

  it('map: at most 49.8 KB gzipped with shortest paths (goal: 42), and no code of bake, index, io and debug', async () => {
    const names = 'buildFromPolygons, findPath2d';
    const { bytes, files } = await bundle(
      'map',
      `import { ${names} } from 'navkiln/polygon';\nglobalThis.game = { ${names} };\n`,
    );
    console.info(`map + findPath2d: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) =>
        /^chunks\/(voxel|surface|path-index|corridor|crowd|characters|levels|worker|formats|show|three)\./.test(id),
      ),
    ).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(49.8 * 1024);
  });

  /** Chunks of what few pages use. */
  const OPTIONAL = /^chunks\/(advice|paths|record|rollback|share)\./;

  it.each([
    ['a crowd', 'navkiln/crowd', 'createCrowd, stepCrowd, saveCrowd, restoreCrowd'],
    ['a world', 'navkiln/world', 'createWorld, addObstacle, moveObstacle, updateWorld'],
    ['a map', 'navkiln/polygon', 'buildFromPolygons, findPath2d'],
    ['a pool', 'navkiln/worker', 'createBakePool'],
  ])('%s has no code of recordings, snapshots, shared meshes and path services', async (what, entry, names) => {
    const source = `import { ${names} } from '${entry}';\nglobalThis.game = { ${names} };\n`;
    const { files } = await bundle(what.replace(' ', '-'), source);
    expect(files.filter((id) => OPTIONAL.test(id))).toEqual([]);
  });

  it('a path service: at most 5.3 KB gzipped, and no code of bake, queries and crowd', async () => {
    const names = 'createPathService';
    const source = `import { ${names} } from 'navkiln/worker';\nglobalThis.game = { ${names} };\n`;
    const { bytes, files } = await bundle('path-service', source);
    console.info(`path service: ${bytes} bytes gzipped`);
    expect(files.filter((id) => !/^chunks\/(core|paths|share|worker)\./.test(id))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(5.3 * 1024);
  });

  it('three: at most 5.4 KB gzipped without three itself, and no code of bake and queries', async () => {
    const { bytes, files } = await bundle(
      'three',
      "import * as three from 'navkiln/three';\nglobalThis.game = { ...three };\n",
    );
    console.info(`three: ${bytes} bytes gzipped`);
    expect(files.filter((id) => !/^(chunks\/)?(three|shared|core)\.js$/.test(id))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(5.4 * 1024);
  });

  // `navkiln/phaser` traces grids of cells.
  it.each(['babylon', 'playcanvas', 'phaser'])('%s: at most 4 KB gzipped, all of it', async (name) => {
    const source = `import * as all from 'navkiln/${name}';\nglobalThis.game = { ...all };\n`;
    const { bytes, files } = await bundle(name, source);
    console.info(`${name}: ${bytes} bytes gzipped`);
    const others = files.filter((id) => !new RegExp(`^(chunks/)?(${name}|shared|core)\\.js$`).test(id));
    expect(others).toEqual(name === 'phaser' ? ['chunks/formats.js'] : []);
    expect(bytes).toBeLessThanOrEqual(4 * 1024);
  });

  // 0.05 KB of these call what keeps automatic links up to date, and 0.05 KB keep agent types.
  // 0.4 KB of these attach straight links.
  it('levels: at most 48.4 KB gzipped with the bake, and no code of queries, io, debug and three', async () => {
    const names = 'addLevel, createWorld, moveLevel, removeLevel, updateWorld';
    const { bytes, files } = await bundle(
      'levels',
      `import { ${names} } from 'navkiln/world';\nglobalThis.game = { ${names} };\n`,
    );
    console.info(`levels: ${bytes} bytes gzipped`);
    expect(
      files.filter((id) => /^chunks\/(query|polygon|surface|corridor|crowd|worker|io|debug|engine|three)\./.test(id)),
    ).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(48.4 * 1024);
  });

  it('unused imports leave no code in the bundle', async () => {
    // The scripts of workers have no exports.
    const plain = entries.filter((entry) => !entry.endsWith('-worker'));
    const source = `${plain.map((entry) => `import '${entry}';`).join('\n')}\n`;
    expect((await bundle('nothing', source)).files).toEqual([]);
  });
});
