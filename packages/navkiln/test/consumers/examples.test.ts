/** The examples run, and the README contains the first of them unchanged. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { run as runCommand } from '../../../cli/test/cli.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
const files = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));

afterEach(() => vi.restoreAllMocks());

/** Runs an example and returns the text that it prints. */
async function run(name: string): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    lines.push(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' '));
  });
  await import(/* @vite-ignore */ pathToFileURL(join(ROOT, 'examples', name)).href);
  return lines.join('\n');
}

const EXPECTED: Record<string, RegExp> = {
  'bridge.ts': /^raised: partial\nlowered: complete\naround the mud: longer$/,
  'crate.ts': /^10 of 10 agents passed the crate\nno more than a few tiles ever waited$/,
  'door.ts': /^open: 8\.0 m\nclosing rebuilds \d+ tiles\nclosed: 1\d\.\d m\nopen again: 8\.0 m$/,
  'characters.ts':
    /^guest landed at 13 m\/s\nguest landed at 8 m\/s\nguide arrived\narrived, at a height of 3\.\d, pace 0\.0, \d+ searches$/,
  'first-path.ts': /^complete \[\[2,[^\]]+\],(\[[^\]]+\],){1,3}\[18,[^\]]+\]\]$/,
  'areas-and-costs.ts':
    /^through the mud: 24\.\d m, around it: (2[5-9]|3\d)\.\d m\ncheapest: cost (2[5-9]|3\d)\.\d, at most 1 % above the least\nwalker: 24\.\d m\ncart: (2[6-9]|3\d)\.\d m$/,
  'map-2d.ts': /^complete \d+ 4\d\.\d\nthere after 1\d\.\d s, at 37, 4$/,
  'one-character.ts': /^complete\njumped\nthere after [4-6]\.\d s and [2-4] searches$/,
  'tiles-and-links.ts': new RegExp(
    [
      '^8 tiles, \\d+ polygons',
      'Start and end are on islands that nothing connects\\. .*4\\.2 apart.*',
      'complete',
      'partial',
      'wall',
      '\\[3\\.8\\d*,0\\.1\\d*,5\\.5\\]',
      '\\d+$',
    ].join('\n'),
  ),
  'streaming.ts': /^the walker is through\nnever more than half of the tiles were loaded$/,
  'picture-of-an-obj.ts':
    /^true 0 complete\ntrue, [2-5] corners, [3-6] points on the surface, the last at a height of 0\.[34]$/,
};

it('covers every example', () => expect(Object.keys(EXPECTED).sort()).toEqual(files.sort()));

it.each(files)('runs %s', async (name) => expect(await run(name)).toMatch(EXPECTED[name] ?? /^$/));

it('runs examples/node-server: two rooms, an agent that walks, a path, and the mesh for clients', async () => {
  const child = spawn(process.execPath, [join(ROOT, 'examples', 'node-server', 'main.mjs')], { stdio: 'pipe' });
  try {
    const [address] = (await once(child.stdout, 'data')).map(String);
    const ask = (path: string, body?: unknown): Promise<Response> =>
      fetch(`${address.trim()}${path}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
    const json = async (path: string, body?: unknown): Promise<Record<string, unknown>> =>
      (await ask(path, body)).json() as Promise<Record<string, unknown>>;
    const rooms = await Promise.all([json('/rooms', {}), json('/rooms', {})]);
    expect(rooms.map(({ id }) => id).sort()).toEqual([1, 2]); // in the order in which their bakes end
    const { agent } = await json('/rooms/1/agents', [2, 0, 2]);
    expect(await json(`/rooms/1/agents/${String(agent)}/goal`, [50, 0, 50])).toEqual({ result: 'accepted' });
    expect(await json('/rooms/2/path?from=2,0,2&to=50,0,50')).toMatchObject({ status: 'complete' });
    expect((await ask('/rooms/9')).status).toBe(404);
    expect(await json('/rooms/1/agents', ['x'])).toEqual({ error: expect.stringMatching(/^addAgent: point/) });
    const mesh = loadNavMesh(await (await ask('/rooms/1/mesh')).arrayBuffer());
    expect(mesh.polyCount).toBeGreaterThan(40);
    await vi.waitFor(async () => {
      const { agents } = (await json('/rooms/1')) as { agents: number[][] };
      expect(agents[0]![1]).toBeGreaterThan(2.5);
    }, 5000);
  } finally {
    child.kill();
  }
});

it('bakes a level by name with `npm start` and writes a mesh and a picture', () => {
  const printed = execFileSync(process.execPath, ['tools/start.mjs', 'single-triangle'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(printed).toMatch(/polygons +2\n/);
  expect(printed).toMatch(/path from .*: complete/);
  expect(readFileSync(join(ROOT, 'out', 'single-triangle.svg'), 'utf8')).toMatch(/^<svg[^]*<\/svg>\n$/);
  expect(
    readFileSync(join(ROOT, 'out', 'single-triangle.navmesh'))
      .subarray(0, 7)
      .toString(),
  ).toBe('navkiln');
});

it('refuses to start an unknown level', () => {
  const start = (): unknown =>
    execFileSync(process.execPath, ['tools/start.mjs', 'atlantis'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  expect(start).toThrow(/No level 'atlantis'\. Known: dungeon/);
});

it('runs the code of docs/paths.md', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'paths.md'), 'utf8');
  const code = [...page.matchAll(/```ts\n([^`]*)```/g)].map((match) => match[1]).join('\n');
  const folder = mkdtempSync(join(ROOT, 'examples', 'page-'));
  try {
    const file = join(folder, 'paths.ts');
    writeFileSync(file, `${code}\nexport { costs, lines, path, svg };\n`);
    const page = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      costs: number[];
      lines: { points: number[][] }[];
      path: { status: string };
      svg: string;
    };
    expect(page.path.status).toBe('complete');
    expect(page.costs.every((cost) => cost >= 54)).toBe(true);
    for (const { points } of page.lines) expect(points.length).toBeGreaterThan(2);
    expect(page.svg).toContain('>midpoints</tspan>');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('bakes with the options that the README shows', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const code = /```ts\nimport [^\n]*\n\n(buildNavMesh\([^`]*)```/.exec(readme)![1];
  const { buildNavMesh, createVolumes, layersPartition } = await import('../../src/entries/build.ts');
  let polygons = 0;
  const bake = (...args: Parameters<typeof buildNavMesh>): void => {
    polygons = buildNavMesh(...args).report.counts.polygons;
  };
  const positions = [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0];
  runInNewContext(code, {
    buildNavMesh: bake,
    createVolumes,
    layersPartition,
    positions,
    indices: [0, 1, 2, 0, 2, 3],
    areas: [63, 63],
  });
  expect(polygons).toBeGreaterThan(0);
});

/** Runs a snippet as a module: its imports come from the sources, and `scope` has the names that it takes from earlier ones. */
async function runSnippet(code: string, scope: Record<string, unknown>): Promise<string[]> {
  const lines: string[] = [];
  const modules: Record<string, unknown> = {};
  const body = code.replace(/^import \{([^}]+)\} from '([^']+)';$/gm, (_, names: string, name: string) => {
    modules[name] = undefined;
    return `const {${names}} = modules['${name}'];`;
  });
  for (const name of Object.keys(modules)) modules[name] = await import(/* @vite-ignore */ name);
  const log = (...values: unknown[]): number => lines.push(values.map(String).join(' '));
  const all = { modules, console: { log }, AbortController, ...scope };
  await (runInNewContext(`(async () => {\n${body}\n})`, all) as () => Promise<void>)();
  return lines;
}

const LEVEL = { positions: [0, 0, 0, 0, 0, 9, 9, 0, 9, 9, 0, 0], indices: [0, 1, 2, 0, 2, 3], areas: [63, 63] };

it('runs every snippet of the README', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const snippets = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map((match) => match[1]);
  const { buildNavMesh } = await import('../../src/entries/build.ts');
  const { navMesh } = buildNavMesh(LEVEL);
  expect(snippets.length).toBeGreaterThan(4);
  for (const code of snippets) await runSnippet(code, { buildNavMesh, navMesh, ...LEVEL });
});

it('shows progress and aborts as the README says of bakeNavMesh', async () => {
  const code = /```ts\n(import \{ bakeNavMesh \}[^`]*`[^`]*`[^`]*)```/.exec(
    readFileSync(join(ROOT, 'README.md'), 'utf8'),
  )![1];
  const lines = await runSnippet(code, LEVEL);
  expect(lines[0]).toBe('0 of 12 input');
  expect(lines.at(-1)).toBe('12 of 12 ');
  const abort = code
    .replace('onProgress:', 'onProgress: () => controller.abort(), ignored:')
    .replace(/ignored:.*\n/, '\n');
  await expect(runSnippet(abort, LEVEL)).rejects.toThrow(/abort/);
});

it('runs the command lines of the README', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const commands = [...readme.matchAll(/^npx navkiln (.+)$/gm)].map((match) =>
    match[1].replace(/ +#.*/, '').split(' '),
  );
  expect(commands.map(([command]) => command)).toEqual([
    'bake',
    'path',
    'convert',
    'inspect',
    'validate',
    'verify',
    'bake',
    'crowd',
    'replay',
    'world',
    'farm',
    'studio',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-readme-'));
  try {
    writeFileSync(join(folder, 'level.obj'), 'v 0 0 0\nv 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n');
    // The studio serves until it is stopped, and a replay needs the recording of a game. Both have tests of their own.
    const ending = commands.filter(([command]) => command !== 'studio' && command !== 'replay');
    const printed: string[] = [];
    for (const args of ending) {
      const { status, stdout, stderr } = await runCommand(args, folder);
      expect(status, `${args.join(' ')}: ${stderr}`).toBe(0);
      printed.push(stdout);
    }
    expect(JSON.parse(printed[1])).toMatchObject({ status: 'complete' });
    const verified = printed[ending.findIndex(([command]) => command === 'verify')];
    expect(verified).toMatch(/^level\.navmesh: the mesh fits the level\n *coverage +100\.00 %/);
    expect(readFileSync(join(folder, 'level.svg'), 'utf8')).toMatch(/^<svg/);
    expect(readdirSync(join(folder, 'town')).sort()).toEqual(['farm', 'manifests', 'tiles', 'world.json']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('contains the first example unchanged in the README', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const code = readFileSync(join(ROOT, 'examples', 'first-path.ts'), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${code}\`\`\``);
});
