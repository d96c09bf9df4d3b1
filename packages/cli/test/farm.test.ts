/**
 * `navkiln farm`, and docs/farm.md: each of its commands and all of its code run, in order. The long form (NAVKILN_FULL) has a level of
 * 4 km × 4 km, and workers as processes.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { HAS_REDIS, startRedis } from '../../farm/test/servers.ts';
import type { TestServer } from '../../farm/test/servers.ts';
import { BINARY, ROOT, ensureBuilt, run } from './cli.ts';
import type { Run } from './cli.ts';

const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
// Not in the system's folder for temporary files, from where packages could not be imported.
mkdirSync(join(ROOT, 'out'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'out', 'farm-'));
let redis: TestServer | undefined;
beforeAll(async () => {
  if (HAS_REDIS) redis = await startRedis();
  if (IS_FULL) await ensureBuilt();
});
afterAll(async () => {
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A floor of this side with a hill, as the text of an OBJ file. */
function levelText(side: number): string {
  const floor = `v 0 0 0\nv 0 0 ${side}\nv ${side} 0 ${side}\nv ${side} 0 0\nf 1 2 3\nf 1 3 4\n`;
  return `${floor}v 20 0 20\nv 20 9 60\nv 60 9 60\nv 60 0 20\nf 5 6 7\nf 5 7 8\n`;
}
writeFileSync(join(folder, 'level.obj'), levelText(IS_FULL ? 4000 : 140));

const PAGE = readFileSync(join(ROOT, 'docs', 'farm.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));
const env: Record<string, string> = {};

/** Runs a command of the page. In the short form it bakes on this thread. */
function runLine(line: string): Promise<Run> {
  const args = line.replace(/^npx navkiln /, '').split(' ');
  const bakes = args[0] === 'farm' && (args[1] === 'plan' || args[1] === 'work');
  return IS_FULL ? runProcess(args) : run(bakes ? [...args, '--threads', '0'] : args, folder, env);
}

function runProcess(args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BINARY, ...args], { cwd: folder, env: { ...process.env, ...env } });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text: Buffer) => (texts[name] += text.toString()));
    child.on('close', (status, signal) => resolve({ status, signal, ...texts }));
  });
}

async function succeed(line: string): Promise<string> {
  const { status, stdout, stderr } = await runLine(line);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

const [PLAN] = commands.filter((line) => line.includes('farm plan'));
const tiles = IS_FULL ? 84 * 84 : 9;

describe('docs/farm.md', () => {
  it('has no command that no test runs', () => {
    const known = ['npm install', 'npx navkiln', 'redis-server ', 'export NAVKILN_QUEUE=redis://'];
    expect(commands.filter((line) => !known.some((start) => line.startsWith(start)))).toEqual([]);
    expect(commands.filter((line) => line.startsWith('npx navkiln'))).toHaveLength(8);
    // The packages that it installs are those that the command line asks for, and the flags of Redis those that tests start it with.
    expect(commands.filter((line) => line.startsWith('npm install'))).toEqual([
      'npm install navkiln navkiln-cli navkiln-farm',
      'npm install @aws-sdk/client-s3',
    ]);
    expect(commands).toContain('redis-server --appendonly yes --appendfsync always');
  });

  it('on one machine', async () => {
    const printed = await succeed(PLAN!);
    expect(printed).toContain(`world: plan of publication 1: ${tiles} tiles in ${Math.ceil(tiles / 16)} chunk`);
    expect(printed).toContain(`${tiles} tiles baked; publication 1`);
    expect(await succeed('npx navkiln world inspect world')).toMatch(new RegExp(`tiles +${tiles} of`));
    expect(await succeed(PLAN!)).toMatch(new RegExp(`0 tiles in 0 chunks .*, ${tiles} unchanged`));
  });

  it.runIf(HAS_REDIS)('on three machines', async () => {
    rmSync(join(folder, 'world'), { recursive: true });
    env['NAVKILN_QUEUE'] = redis!.url;
    expect(await succeed(PLAN!)).toMatch(/\d+ jobs added to the queue navkiln-[0-9a-f]{16}\n/);
    expect(await succeed('npx navkiln farm status --world world')).toMatch(
      /tiles +0 of .* unchanged\n.*waiting, 0 active/s,
    );
    const work = 'npx navkiln farm work --world world --until-done';
    const workers = await Promise.all([runLine(work), ...(IS_FULL ? [runLine(work), runLine(work)] : [])]);
    expect(workers.filter(({ status }) => status !== 0)).toEqual([]);
    // A line of a log: time, level, text.
    expect(workers.map(({ stderr }) => stderr).join('')).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info publication 1 is written$/m,
    );
    expect(await succeed('npx navkiln farm status --world world')).toMatch(/published +publication 1, .*plan +none/s);
    const metrics = await succeed('npx navkiln farm status --world world --metrics');
    expect(metrics).toContain('navkiln_farm_publication 1\n');
    expect(commands).toEqual(expect.arrayContaining([work, 'npx navkiln farm status --world world --metrics']));
  });

  it.runIf(HAS_REDIS)('when something fails', async () => {
    writeFileSync(join(folder, 'level.obj'), levelText(IS_FULL ? 400 : 100));
    await succeed(PLAN!);
    const tile = 'npx navkiln farm tile 0,0 --world world';
    expect(await succeed(tile)).toMatch(/^world: tile 0, 0: \d+ polygons?, /);
    expect(await succeed('npx navkiln farm retry --world world')).toBe('world: 0 jobs given back\n');
    expect(commands).toEqual(expect.arrayContaining([tile, 'npx navkiln farm retry --world world']));
    const wrong = await runLine('npx navkiln farm tile 99,0 --world world');
    expect(wrong).toMatchObject({
      status: 2,
      stderr: "error: world: tile 99, 0 is not one of the plan's tiles to bake\n",
    });
    const other = await runLine(PLAN!.replace('0.3', '0.4'));
    expect(other.stderr).toMatch(
      /error: world: another plan \([0-9a-f]{8}\) of this world is worked on; let it end, or give it up with --replace\n/,
    );
    await succeed('npx navkiln farm work --world world --until-done');
  });

  it.runIf(HAS_REDIS)('in a game, and as functions', async () => {
    const code = blocks('ts').join('\n');
    const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line);
    const file = join(folder, 'page.ts');
    const given = `const { player, positions, indices, queue, threads } = globalThis['docs farm.md'];\n`;
    const rest = code.replace(/^import .*$/gm, '');
    writeFileSync(file, `${imports.join('\n')}\n${given}${rest}\nexport { frame, world, bakedTiles, status };\n`);
    const positions = [0, 0, 0, 0, 0, 90, 90, 0, 90, 90, 0, 0];
    const values = { player: [50, 0, 50], positions, indices: [0, 1, 2, 0, 2, 3], queue: redis!.url, threads: 0 };
    (globalThis as Record<string, unknown>)['docs farm.md'] = values;
    const before = process.cwd();
    process.chdir(folder);
    try {
      const page = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, any>;
      await vi.waitFor(() => expect(page['frame']()).toBe(0));
      expect(page['world'].navMesh.polyCount).toBeGreaterThan(3);
      expect(page['bakedTiles']).toBe(4);
      expect(page['status']).toMatchObject({ published: { sequence: 1, tiles: 4 }, plan: undefined });
    } finally {
      process.chdir(before);
    }
  });

  it.runIf(HAS_REDIS)('packages/farm/compose.yaml: a queue and three workers that run as they do here', async () => {
    const { services } = parse(readFileSync(join(ROOT, 'packages/farm/compose.yaml'), 'utf8')) as {
      services: Record<string, any>;
    };
    const { queue, worker } = services;
    expect(worker.deploy.replicas).toBe(3);
    expect(worker.environment.NAVKILN_QUEUE).toBe('redis://queue:6379');
    expect(queue.command).toMatch(/^redis-server --appendonly yes --appendfsync always/);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/farm/package.json'), 'utf8')) as {
      version: string;
    };
    const command = /^npx --yes -p navkiln-cli@(\S+) -p navkiln-farm@(\S+) (navkiln farm work .*)$/.exec(
      worker.command as string,
    )!;
    expect([command[1], command[2]]).toEqual([version, version]);
    await succeed(`npx ${command[3]!.replace('/world', 'world')} --until-done`);
  });
});

describe('navkiln farm', () => {
  it('refuses what it cannot do, and says what to do', async () => {
    const ask = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await run(['farm', ...args], folder, { NAVKILN_QUEUE: '' });
      expect(status).toBe(2);
      return stderr;
    };
    expect(await ask('plan', 'level.obj', '--tile-size', '48')).toBe('error: no world given; pass --world FOLDER\n');
    expect(await ask('work', '--world', 'nothing')).toContain(
      'nothing: the store has no plan; make one with planFarm (navkiln farm plan)',
    );
    expect(await ask('work', '--world', 'nothing', '--threads', 'x')).toBe(
      'error: --threads x: must be a whole number from 0 to 256\n',
    );
    expect(await ask('retry', '--world', 'nothing')).toContain('no queue given; pass --queue ADDRESS');
    expect(await ask('tile', '1', '--world', 'nothing')).toContain("1: must be a tile's x and z, as in 12,7");
    expect(await ask('plan', 'level.obj', '--tile-size', '48', '--world', 'https://example.com/x')).toContain(
      'https://example.com/x: is not a folder',
    );
    const empty = await run(['farm', 'status', '--world', 'nothing'], folder, { NAVKILN_QUEUE: '' });
    expect(empty).toMatchObject({ status: 1, stderr: '' });
    expect(empty.stdout).toMatch(/published +nothing.*plan +none/s);
    const secret = await ask('status', '--world', 'nothing', '--queue', 'ftp://me:hidden@host');
    expect(
      secret +
        (await ask('plan', 'level.obj', '--tile-size', '48', '--world', 'nothing', '--queue', 'ftp://me:hidden@host')),
    ).not.toContain('hidden');
  });
});
