/**
 * Random kills, for `npm run soak -- farm`: planners and workers are killed at random moments, the queue's server is started again and the
 * disk is full once in each round; workers also kill themselves after a tenth of their chunks. Each round's world must equal that of one process to the byte, and no chunk that a worker has reported
 * as stored may be baked again.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFolderStore } from 'navkiln-cli/cache';
import { createMemoryCache } from 'navkiln/worker';
import { openWorld, publishWorld } from 'navkiln/world';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../tools/bundle.mjs';
import { seeded } from '../../../tools/seeded.mjs';
import { filesOf } from './farm.ts';
import { PLAIN, createPlain } from './plain.mjs';
import { HAS_POSTGRES, HAS_REDIS, startPostgres, startRedis } from './servers.ts';
import type { TestServer } from './servers.ts';

const KILLS = Number(process.env['NAVKILN_FARM_KILLS'] ?? 0);
/** Side of the level in meters; tiles are 30 m wide. */
const SIDE = Number(process.env['NAVKILN_FARM_SIDE'] ?? 450);
/** Numbers of workers. */
const CREWS = (process.env['NAVKILN_FARM_CREWS'] ?? '1,2,4').split(',').map(Number);
const CHUNK_TILES = Number(process.env['NAVKILN_FARM_CHUNK'] ?? 4);
/** Share of chunks after which a worker kills itself. */
const DIES = Number(process.env['NAVKILN_FARM_DIES'] ?? 0.1);
/** Most milliseconds between kills. */
const PAUSE_MS = Number(process.env['NAVKILN_FARM_PAUSE'] ?? 900);
/** Milliseconds after which a planner that has ended is started again; one that was killed is at once. */
const REPLAN_MS = Number(process.env['NAVKILN_FARM_REPLAN'] ?? 0);
const SEED = Number(process.env['NAVKILN_SEED'] ?? 101);
const END = Date.now() + 1000 * Number(process.env['NAVKILN_FARM_SECONDS'] ?? 3600);

interface Event {
  type: string;
  chunk?: string;
  bakedTiles?: number;
  ms?: number;
  /** Most memory of the process so far. */
  kilobytes: number;
}

/** A round: a world, a server, and what its processes have reported. */
interface Round {
  world: string;
  full: string;
  seed: number;
  server: TestServer;
  /** When a worker has reported a chunk. */
  baked: Map<string, number>;
  faults: string[];
  /** Most memory of a planner, and of a worker, in kilobytes. */
  most: { plan: number; work: number };
}

function start(role: 'plan' | 'work', { world, full, seed, server, baked, faults, most }: Round): ChildProcess {
  const argument = {
    role,
    world,
    full,
    seed,
    side: SIDE,
    queue: server.url,
    lockMs: 1000,
    chunkTiles: CHUNK_TILES,
    dies: DIES,
  };
  const script = join(import.meta.dirname, 'kills-child.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(argument)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { type, chunk = '', bakedTiles = 0, ms = 0, kilobytes } = JSON.parse(line) as Event;
    most[role] = Math.max(most[role], kilobytes);
    if (type !== 'chunk' || bakedTiles === 0) return;
    // Two workers may have a chunk at the same time; none may begin with one that was reported.
    const storedAt = baked.get(chunk);
    if (storedAt !== undefined && performance.now() - ms > storedAt + 100)
      faults.push(`chunk ${chunk} was stored, and ${bakedTiles} of its tiles were baked again`);
    if (storedAt === undefined) baked.set(chunk, performance.now());
  });
  // A planner or worker may end with an error while the disk is full or the server is down, and with no other.
  child.on('close', (status) => {
    if (status !== 0 && status !== null && !/ENOSPC|no server listens|does not answer|onnect|another plan/.test(stderr))
      faults.push(`${role} ended with status ${status}: ${stderr}`);
  });
  return child;
}

const mega = (kilobytes: number): string => (kilobytes / 1024).toFixed(0);

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Works on a round until its world is published. Returns the number of kills. */
async function runRound(
  round: Round,
  workers: number,
  random: () => number,
  sequence: number,
  most: number,
): Promise<number> {
  const store = createFolderStore(round.world);
  const isPublished = async (): Promise<boolean> =>
    (await store.get('world.json')) !== undefined && (await openWorld(store)).manifest.sequence >= sequence;
  let planner = start('plan', round);
  let plannedAt: number | undefined;
  const crew = Array.from({ length: workers }, () => start('work', round));
  let kills = 0;
  const restartAt = 3 + Math.floor(4 * random());
  const fullAt = 3 + Math.floor(4 * random());
  for (let turn = 1; !(await isPublished()); turn++) {
    expect(Date.now()).toBeLessThan(END);
    await sleep(40 + PAUSE_MS * random());
    if (turn === restartAt) await round.server.restart();
    if (turn === fullAt) {
      writeFileSync(round.full, '');
      await sleep(600 * random());
      rmSync(round.full);
    }
    const all = [planner, ...crew].filter((child) => !hasEnded(child));
    if (kills < most && all.length > 0) {
      all[Math.floor(all.length * random())]!.kill('SIGKILL');
      kills++;
    }
    await sleep(10);
    // A planner ends by itself when it is done; its plan and its jobs are made again in any case.
    if (planner.exitCode === 0) plannedAt ??= performance.now();
    const isDue = plannedAt === undefined || performance.now() - plannedAt >= REPLAN_MS;
    if (hasEnded(planner) && isDue && !(await isPublished())) {
      planner = start('plan', round);
      plannedAt = undefined;
    }
    for (const [i, child] of crew.entries()) if (hasEnded(child)) crew[i] = start('work', round);
  }
  for (const child of [planner, ...crew]) child.kill('SIGKILL');
  await Promise.all(
    [planner, ...crew].map((child) => hasEnded(child) || new Promise((resolve) => child.once('close', resolve))),
  );
  return kills;
}

/** The files of the worlds that one process publishes, by the seeds of their publications: rounds with the same seeds share them. */
const expected = new Map<string, Record<string, string>>();
let one = { store: createMemoryCache(), seeds: '' };

/** Returns the files that one process publishes. `seeds`: of the levels, in order. */
async function filesOfOne(seeds: readonly number[]): Promise<Record<string, string>> {
  const name = seeds.join(' ');
  const known = expected.get(name);
  if (known !== undefined) return known;
  if (one.seeds !== seeds.slice(0, -1).join(' ')) {
    one = { store: createMemoryCache(), seeds: '' };
    if (seeds.length > 1) await filesOfOne(seeds.slice(0, -1));
  }
  await publishWorld(one.store, createPlain(SIDE, seeds.at(-1)!), PLAIN, { routes: true });
  one.seeds = name;
  const files = await filesOf(one.store);
  expected.set(name, files);
  return files;
}

const SERVERS = [
  { name: 'Redis', isThere: HAS_REDIS, start: startRedis },
  { name: 'PostgreSQL', isThere: HAS_POSTGRES, start: startPostgres },
];

describe.runIf(KILLS > 0)('kills at random moments', () => {
  beforeAll(() => bundle());
  for (const { name, isThere, start: startServer } of SERVERS) {
    it.runIf(isThere).each(CREWS)(`${name}: worlds of %i workers equal that of one process`, async (workers) => {
      const random = seeded(SEED + workers);
      const folder = mkdtempSync(join(tmpdir(), 'navkiln-kills-'));
      const server = await startServer();
      const seeds: number[] = [];
      let kills = 0;
      let sequence = 0;
      try {
        while (kills < KILLS / (2 * CREWS.length)) {
          sequence++;
          const seed = SEED + 10 * sequence;
          const round = {
            world: join(folder, 'world'),
            full: join(folder, 'full'),
            seed,
            server,
            baked: new Map(),
            faults: [],
            most: { plan: 0, work: 0 },
          };
          const begun = performance.now();
          const done = await runRound(round, workers, random, sequence, Math.ceil(KILLS / (2 * CREWS.length)) - kills);
          const seconds = (performance.now() - begun) / 1000;
          kills += done;
          const store = createFolderStore(round.world);
          const { manifest } = await openWorld(store);
          // A planner that ends behind the publication plans the same world again.
          while (seeds.length < manifest.sequence) seeds.push(seed);
          ({ sequence } = manifest);
          expect(new Set(manifest.tiles.number).size).toBe(manifest.tiles.number.length);
          const [files, wanted] = [await filesOf(store), await filesOfOne(seeds)];
          // The end of a plan may be killed before its files are removed; the next plan removes them.
          for (const file of Object.keys(files)) if (file.startsWith('farm/')) delete files[file];
          // A difference of 100,000 files would fill the report.
          const other = Object.keys({ ...files, ...wanted }).filter((file) => files[file] !== wanted[file]);
          expect(other.slice(0, 20)).toEqual([]);
          expect(round.faults).toEqual([]);
          console.log(
            `${name}, ${workers} workers, publication ${sequence} (seed ${seed}): ${manifest.tiles.number.length} tiles, ${done} kills, ` +
              `${seconds.toFixed(0)} s; at most ${mega(round.most.plan)} MB in a planner, ${mega(round.most.work)} MB in a worker`,
          );
        }
        console.log(`${name}, ${workers} workers: ${kills} kills, ${sequence} publications, 0 faults`);
      } finally {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
