/** The farm over real servers: the bytes of a single process, whatever the workers, the servers and the stores do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderStore } from 'navkiln-cli/cache';
import { createMemoryCache } from 'navkiln/worker';
import { readPlanParts } from 'navkiln/publish';
import type { PlanPart } from 'navkiln/publish';
import { openWorld } from 'navkiln/world';
import type { BlobStore } from 'navkiln/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../tools/bundle.mjs';
import { planFarm } from '../src/plan.ts';
import { addJobs, openQueue } from '../src/queue/jobs.ts';
import { bakeFarmTile, retryFarm } from '../src/repair.ts';
import { formatFarmMetrics, readFarmStatus } from '../src/status.ts';
import { runFarmWorker } from '../src/work.ts';
import type { FarmEvent } from '../src/work.ts';
import { ensureWorldId } from '../src/world-id.ts';
import { filesOf, level, options, publishedFiles, startWorkerProcess } from './farm.ts';
import { HAS_POSTGRES, HAS_REDIS, startPostgres, startRedis } from './servers.ts';
import type { TestServer } from './servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'navkiln-farm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const IS_FULL = process.env['NAVKILN_FULL'] !== undefined;
const here = { threads: 0, untilDone: true } as const;

/** Stores whose `set` fails while `isFull` says so, as a full disk does. */
function failing(store: BlobStore, isFull: (name: string) => boolean): BlobStore {
  const error = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return { ...store, set: (name, bytes) => (isFull(name) ? Promise.reject(error()) : store.set(name, bytes)) };
}

it('bakes with the cores of this machine when there is no queue', async () => {
  const store = createMemoryCache();
  expect(await planFarm(store, level, options, { chunkTiles: 4 })).toMatchObject({ addedJobs: 0, reusedTiles: 0 });
  const { plan } = await readFarmStatus(store);
  expect(plan).toMatchObject({ sequence: 1, doneTiles: 0, doneChunks: 0 });
  const full = failing(store, (name) => name.startsWith('tiles/'));
  await expect(runFarmWorker(full, { threads: 0 })).rejects.toThrow(/tiles failed: tile \d+, \d+: ENOSPC/);
  const events: FarmEvent[] = [];
  const work = await runFarmWorker(store, { threads: 0, onEvent: (event) => events.push(event) });
  expect(work).toMatchObject({ chunks: plan!.chunks, bakedTiles: plan!.tiles, failures: [] });
  expect(events.at(-1)!.type).toBe('published');
  expect(await filesOf(store)).toEqual(await publishedFiles());
  await expect(runFarmWorker(store, { threads: 0 })).rejects.toThrow('the store has no plan; make one with planFarm');
  expect(await readFarmStatus(store)).toMatchObject({
    plan: undefined,
    published: { sequence: 1, tiles: plan!.tiles },
  });
});

const SERVERS = [
  { name: 'Redis', isThere: HAS_REDIS, start: startRedis },
  { name: 'PostgreSQL', isThere: HAS_POSTGRES, start: startPostgres },
];

describe.each(SERVERS)('over $name', ({ name, isThere, start }) => {
  let server: TestServer;
  beforeAll(async () => {
    if (!isThere) return;
    await bundle();
    server = await start();
  });
  afterAll(() => server?.stop());
  const test = it.runIf(isThere);

  const publish = async (count: number): Promise<void> => {
    const store = createMemoryCache();
    const { url: queue } = server;
    const planned = await planFarm(store, level, options, { queue, chunkTiles: 3 });
    expect(planned.addedJobs).toBe(planned.plan.chunks + 1);
    expect((await planFarm(store, level, options, { queue, chunkTiles: 3 })).addedJobs).toBe(0);
    const manifests: number[] = [];
    const onEvent = (event: FarmEvent): void => {
      if (event.type === 'published') manifests.push(event.manifest.sequence);
    };
    const works = await Promise.all(
      Array.from({ length: count }, () => runFarmWorker(store, { ...here, queue, onEvent })),
    );
    expect(works.reduce((sum, { bakedTiles }) => sum + bakedTiles, 0)).toBe(planned.plannedTiles);
    expect(manifests).toEqual([1]);
    expect(await filesOf(store)).toEqual(await publishedFiles());
  };
  test(`${name}: 2 workers store what one process stores`, () => publish(2));

  // Each server publishes once in the short form, and Redis has the faults; the soak runs all of it.
  const long = it.runIf(isThere && IS_FULL);
  const fault = it.runIf(isThere && (IS_FULL || name === 'Redis'));
  long.each([1, 4])(`${name}: %i workers store what one process stores`, publish);

  fault(`${name}: a planner that ended while it added jobs is continued`, async () => {
    const store = createMemoryCache();
    const { url: queue } = server;
    const { plan } = await planFarm(store, level, options, { chunkTiles: 2 });
    const id = await ensureWorldId(store);
    const open = await openQueue('test', queue, id);
    const { value: part } = await readPlanParts(store, plan).next();
    const keys = (part as PlanPart).chunks.map(({ key }) => key);
    const retry = { attempts: 3, backoffMs: 20 };
    async function* some(): AsyncGenerator<string[]> {
      yield keys.slice(0, 3);
      throw new Error('the planner was killed');
    }
    await expect(addJobs(open, plan.key, some(), retry)).rejects.toThrow('the planner was killed');
    const manifests: number[] = [];
    const onEvent = (event: FarmEvent): void => {
      if (event.type === 'published') manifests.push(event.manifest.sequence);
    };
    const work = runFarmWorker(store, { ...here, queue, onEvent });
    while ((await readFarmStatus(store)).plan!.doneChunks < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await open.queue.getJobCounts('waiting-children', 'delayed')).toEqual({ 'waiting-children': 1, delayed: 1 });
    expect((await planFarm(store, level, options, { queue, chunkTiles: 2 })).addedJobs).toBe(keys.length - 3 + 1);
    await work;
    await open.close();
    expect(manifests).toEqual([1]);
    expect(await filesOf(store)).toEqual(await publishedFiles());
  });

  fault(`${name}: loses nothing when a worker is killed and the server is started again`, async () => {
    const world = join(folder, name);
    const store = createFolderStore(world);
    const { url: queue } = server;
    await planFarm(store, level, options, { queue, chunkTiles: 2, backoffMs: 50 });
    const settings = { world, queue, threads: 1, untilDone: true, lockMs: 1000 };
    const first = startWorkerProcess(settings);
    await first.saw('chunk');
    first.child.kill('SIGKILL');
    await first.ended;
    const stored = (await store.keys()).filter((file) => file.startsWith('tiles/'));
    expect(stored.length).toBeGreaterThan(0);
    const second = startWorkerProcess(settings);
    await second.saw('chunk');
    await server.restart();
    expect(await second.ended).toEqual({ status: 0, stderr: '' });
    expect(await filesOf(store)).toEqual(await publishedFiles());
    const { manifest } = await openWorld(store);
    expect(stored.every((file) => manifest.tiles.key.some((key) => file.includes(key)))).toBe(true);
  });

  fault(`${name}: lists tiles that fail, bakes one alone, and goes on when the disk has room again`, async () => {
    const kept = createMemoryCache();
    const { url: queue } = server;
    const { plan } = await planFarm(kept, level, options, { queue, chunkTiles: 4, attempts: 2, backoffMs: 20 });
    const { value: part } = await readPlanParts(kept, plan).next();
    const { tiles: all, chunks } = part as PlanPart;
    const bad = chunks[2]!.tiles.slice(1, 3);
    const names = bad.map((tile) => `tiles/${all.key[all.number.indexOf(tile)]}.navtile`);
    let isFull = true;
    const store = failing(kept, (file) => isFull && names.includes(file));
    const stop = new AbortController();
    const events: FarmEvent[] = [];
    const work = runFarmWorker(store, { ...here, queue, signal: stop.signal, onEvent: (event) => events.push(event) });
    const until = async (isSo: () => Promise<boolean>): Promise<void> => {
      while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 30));
    };
    await until(async () => (await readFarmStatus(kept, { queue })).queue!.failed === 1);
    await until(async () => (await readFarmStatus(kept)).plan!.doneChunks === plan.chunks - 1);
    const status = await readFarmStatus(kept, { queue });
    const { countX } = plan.head;
    const tiles = bad.map((tile) => ({
      x: tile % countX,
      z: Math.floor(tile / countX),
      reason: 'ENOSPC: no space left on device, write',
    }));
    expect(status.failures).toEqual([
      { chunk: chunks[2]!.key, attempts: 2, reason: expect.stringContaining('2 of 4 tiles failed'), tiles },
    ]);
    expect(status.queue).toMatchObject({ failed: 1, waiting: 0, active: 0 });
    expect(status.published).toBe(undefined);
    const metrics = formatFarmMetrics(status);
    expect(metrics).toContain('\nnavkiln_farm_failed_jobs 1\n');
    expect(metrics).toContain(`\nnavkiln_farm_done_tiles ${status.plan!.doneTiles}\n`);
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(2);
    const { x, z } = tiles[0]!;
    await expect(bakeFarmTile(store, x, z)).rejects.toThrow('ENOSPC');
    isFull = false;
    expect((await bakeFarmTile(store, x, z)).bytes).toBe((await kept.get(names[0]!))!.length);
    expect(await retryFarm(kept, { queue })).toBe(1);
    // Two tiles of the chunk were stored by attempts that failed, and one was baked alone.
    expect((await work).bakedTiles).toBe(plan.tiles - 3);
    expect(await filesOf(kept)).toEqual(await publishedFiles());
  });

  fault(`${name}: waits for a store that does not answer`, async () => {
    const kept = createMemoryCache();
    const { url: queue } = server;
    await planFarm(kept, level, options, { queue, chunkTiles: 20, backoffMs: 20 });
    let left = 4;
    const store: BlobStore = {
      ...kept,
      get: (file) =>
        file === 'farm/current.json' && left-- > 0 ? Promise.reject(new Error('status 500')) : kept.get(file),
    };
    const events: FarmEvent[] = [];
    await runFarmWorker(store, { ...here, queue, onEvent: (event) => events.push(event) });
    expect(events).toContainEqual({ type: 'store', reason: 'status 500' });
    expect(await filesOf(kept)).toEqual(await publishedFiles());
  });

  long(`${name}: machines whose clocks are hours apart bake the same`, async () => {
    const world = join(folder, `clocks-${name}`);
    const store = createFolderStore(world);
    const { url: queue } = server;
    await planFarm(store, level, options, { queue, chunkTiles: 1 });
    const settings = { world, queue, threads: 1, untilDone: true, lockMs: 2000 };
    const hour = 3_600_000;
    const workers = [-5 * hour, 7 * hour].map((clockMs) => startWorkerProcess({ ...settings, clockMs }));
    await Promise.all(workers.map((worker) => worker.saw('chunk')));
    for (const { ended } of workers) expect(await ended).toEqual({ status: 0, stderr: '' });
    expect(await filesOf(store)).toEqual(await publishedFiles());
  });

  long(`${name}: a plan that was replaced is given up, and its workers go on with the new one`, async () => {
    const store = createMemoryCache();
    const { url: queue } = server;
    const other = { ...options, cellSize: 0.6 };
    await planFarm(store, level, other, { queue });
    await expect(planFarm(store, level, options, { queue })).rejects.toThrow(
      /another plan \([0-9a-f]{8}\) of this world is worked on/,
    );
    const planned = await planFarm(store, level, options, { queue, replace: true });
    expect(planned.addedJobs).toBe(planned.plan.chunks + 1);
    await runFarmWorker(store, { ...here, queue });
    expect(await filesOf(store)).toEqual(await publishedFiles());
  });
});
