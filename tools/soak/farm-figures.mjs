/**
 * `npm run soak -- farm-figures [--only overhead|workers|planner|routes] [--rounds N] [--side METERS]`: figures of the farm over Redis. The queue's overhead: the
 * share of the time that a worker whose tiles take 50 ms waits for chunks, files and jobs. Two workers: processes with one thread each,
 * compared with one process, and with two that bake worlds of their own. The planner: memory of the process for levels of 0.25 to 2 million triangles, and for more tiles of the same level. Routes: CPU time of
 * the last job with routes and without, and what the route graph of the world takes.
 *
 * In: the built packages, redis-server. Out: text. Cost: some minutes.
 * Based on: own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createPlain } from './memory.mjs';

const SELF = fileURLToPath(import.meta.url);
/** Milliseconds of a tile when the overhead of the queue is measured. */
const TILE_MS = 50;
/** Times that the planner's memory is measured. */
const LOOKS = 20;
/** Some 30 ms a tile. */
const SLOW = { cellSize: 0.13, cellHeight: 0.065, tileSize: 50, agent: { radius: 0.5, height: 2, maxClimb: 0.5 } };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Runs a step in a process of its own and returns what it reports. */
async function inProcess(step) {
  const child = spawn(process.execPath, ['--expose-gc', SELF, JSON.stringify(step)], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (part) => (text += part));
  await once(child, 'close');
  return JSON.parse(text);
}

async function withWorld(act) {
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-figures-'));
  try {
    return await act(join(folder, 'world'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns seconds from the first to the last of `count` worker processes, which bake a world that is planned, and the seconds of CPU that
 * they take meanwhile: of the busiest, and of all.
 */
async function bakeIn(count, queue, side) {
  return withWorld(async (world) => {
    await inProcess({ role: 'plan', world, queue, side });
    const done = await Promise.all(Array.from({ length: count }, () => inProcess({ role: 'work', world, queue })));
    const [begun, ended] = [Math.min(...done.map((one) => one.begun)), Math.max(...done.map((one) => one.ended))];
    const cpu = done.map((one) => one.cpuSeconds);
    const all = cpu.reduce((sum, one) => sum + one, 0);
    return { seconds: (ended - begun) / 1000, busiest: Math.max(...cpu), all };
  });
}

/** Returns a pool of one worker that takes 50 ms for a tile, whatever it is, and the milliseconds that it has worked. */
function slowPool() {
  const pool = { workers: 1, busyMs: 0, begun: 0 };
  const answer = {
    entry: new Uint8Array(4096),
    row: { bytes: 4096, polys: 9, minY: 0, maxY: 1 },
    warnings: [],
  };
  pool.run = (caller, begin) =>
    new Promise((resolve, reject) => {
      let isBusy = false;
      const work = async () => {
        if (isBusy) return;
        isBusy = true;
        while (jobs.hasNext()) {
          const job = jobs.next();
          const from = performance.now();
          pool.begun ||= from;
          await sleep(TILE_MS);
          pool.busyMs += performance.now() - from;
          jobs.receive(job, answer);
        }
        isBusy = false;
      };
      const jobs = begin({
        feed: () => void work(),
        end: (error) => (error === undefined ? resolve() : reject(error)),
      });
    });
  return pool;
}

/** Prints how long the worker of a farm waits for tiles, as a share of the time from the first tile to the manifest. */
async function measureOverhead(server, rounds, side) {
  const { planFarm, runFarmWorker } = await import('navkiln-farm');
  const { createFolderStore } = await import('navkiln-cli/cache');
  const shares = { 'a queue': [], 'no queue': [] };
  let tiles = 0;
  for (let round = 0; round < 2 * rounds; round++) {
    const queue = round % 2 === 0 ? { queue: server } : {};
    await withWorld(async (world) => {
      const store = createFolderStore(world);
      const pool = slowPool();
      const planned = await planFarm(
        store,
        createPlain(side, 1),
        { ...SLOW, cellSize: 1, cellHeight: 0.5, tileSize: 30 },
        queue,
      );
      let ended = 0;
      const onEvent = ({ type }) => {
        if (type === 'published') ended = performance.now();
      };
      await runFarmWorker(store, { ...queue, pool, untilDone: true, onEvent });
      tiles = planned.plannedTiles;
      shares[round % 2 === 0 ? 'a queue' : 'no queue'].push((ended - pool.begun) / pool.busyMs - 1);
    });
  }
  for (const [name, all] of Object.entries(shares)) {
    const each = all.map((share) => `${(100 * share).toFixed(2)} %`).join(', ');
    console.log(
      `overhead at ${TILE_MS} ms a tile with ${name}, ${tiles} tiles: ${(100 * median(all)).toFixed(2)} % (${each})`,
    );
  }
}

/** Compares two workers with one, and with two processes that know nothing of each other, in turns: the most that the machine gives. */
async function measureWorkers(queue, rounds, side) {
  const ratios = { one: [], most: [], share: [], cpu: [], sum: [] };
  for (let round = 0; round < rounds; round++) {
    const one = await bakeIn(1, queue, side);
    const two = await bakeIn(2, queue, side);
    const apart = await Promise.all([bakeIn(1, undefined, side), bakeIn(1, undefined, side)]);
    const slowest = Math.max(...apart.map(({ seconds }) => seconds));
    ratios.one.push(one.seconds / two.seconds);
    ratios.most.push((2 * one.seconds) / slowest);
    ratios.share.push(slowest / 2 / two.seconds);
    ratios.cpu.push(one.all / two.busiest);
    ratios.sum.push(two.all / one.all);
  }
  const list = (values) => `${median(values).toFixed(2)} (${values.map((value) => value.toFixed(2)).join(', ')})`;
  console.log(`two workers / one: ${list(ratios.one)}; two worlds in two processes / one: ${list(ratios.most)}`);
  console.log(`two workers / two processes with worlds of their own: ${list(ratios.share)}`);
  console.log(`CPU time of one / of the busier of two: ${list(ratios.cpu)}; of two / of one: ${list(ratios.sum)}`);
}

async function measurePlanner() {
  for (const [side, tileSize] of [
    [6400, 64],
    [12_800, 64],
    [12_800, 128],
    [12_800, 32],
    [18_100, 64],
  ]) {
    const { triangles, tiles, levelBytes, peakBytes, heldBytes, seconds } = await inProcess({
      role: 'memory',
      side,
      tileSize,
    });
    const mega = (bytes) => (bytes / 2 ** 20).toFixed(0);
    console.log(
      `planner: ${(triangles / 1e6).toFixed(2)} million triangles (${mega(levelBytes)} MB), ${tiles} tiles: ` +
        `${mega(peakBytes)} MB resident at most, ${mega(heldBytes)} MB of arrays and objects beside the level, ${seconds.toFixed(1)} s`,
    );
  }
}

/** Prints the CPU time of the job that ends a publication, with routes and without. */
async function measureRoutes(rounds, side) {
  const { createPlanBaker, finishPublication, planPublication, readPlanParts } = await import('navkiln/publish');
  const { createMemoryCache } = await import('navkiln/worker');
  const cpu = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const level = createPlain(side, 1);
  const options = { ...SLOW, cellSize: 0.5, cellHeight: 0.25, tileSize: 30 };
  const all = { without: [], with: [] };
  for (let round = 0; round < 2 * rounds; round++) {
    const routes = round % 2 === 1;
    const store = createMemoryCache({ maxBytes: 2 ** 33 });
    const { plan } = await planPublication(store, level, options, { routes });
    const baker = createPlanBaker(store, plan);
    const begun = cpu();
    for await (const { chunks } of readPlanParts(store, plan)) for (const { key } of chunks) await baker.bakeChunk(key);
    const baked = cpu();
    await finishPublication(store, plan);
    all[routes ? 'with' : 'without'].push([baked - begun, cpu() - baked].map((us) => us / plan.tiles));
  }
  for (const [name, values] of Object.entries(all)) {
    const [bake, end] = [0, 1].map((i) => median(values.map((one) => one[i])).toFixed(0));
    console.log(`CPU time of a tile ${name} routes: ${bake} us in its chunk, ${end} us in the last job`);
  }
  const { publishWorld } = await import('navkiln/world');
  const { createFolderStore } = await import('navkiln-cli/cache');
  await withWorld(async (world) => {
    const { manifest } = await publishWorld(createFolderStore(world), level, options, { routes: true });
    const tiles = manifest.tiles.number.length;
    const { memory, us } = await inProcess({ role: 'open', world });
    const onDisk = manifest.routes.bytes.reduce((sum, bytes) => sum + bytes, 0);
    const each = (value) => Math.round(value / tiles);
    console.log(
      `openRouteGraph of ${tiles} tiles: ${each(onDisk)} bytes a tile in files, ${each(memory)} in memory, ${each(us)} us of CPU`,
    );
  });
}

/** Runs the figures. Returns the exit status. */
export async function soak(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      side: { type: 'string', default: '500' },
    },
  });
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-figures-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const redis = spawn('redis-server', flags, { stdio: 'ignore' });
  await once(redis, 'spawn');
  try {
    const queue = `redis://127.0.0.1:${port}`;
    const isWanted = (name) => values.only === undefined || values.only === name;
    if (isWanted('overhead')) await measureOverhead(queue, Number(values.rounds), Number(values.side));
    if (isWanted('workers')) await measureWorkers(queue, Number(values.rounds), Number(values.side));
    if (isWanted('planner')) await measurePlanner();
    if (isWanted('routes')) await measureRoutes(Number(values.rounds), Number(values.side));
    return 0;
  } finally {
    redis.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the step of a process that `inProcess` has started. */
async function runStep({ role, world, queue, side, tileSize }) {
  const { planFarm, runFarmWorker } = await import('navkiln-farm');
  const { createFolderStore } = await import('navkiln-cli/cache');
  if (role === 'plan') {
    await planFarm(createFolderStore(world), createPlain(side, 1), SLOW, {
      chunkTiles: 4,
      ...(queue === undefined ? {} : { queue }),
    });
    return {};
  }
  if (role === 'work') {
    let begun;
    let ended;
    let cpu;
    const onEvent = ({ type, ms }) => {
      begun ??= Date.now() - (ms ?? 0);
      cpu ??= process.cpuUsage();
      ended = Date.now();
      return type;
    };
    const store = createFolderStore(world);
    const { bakedTiles } = await runFarmWorker(store, {
      ...(queue === undefined ? {} : { queue }),
      threads: 1,
      untilDone: true,
      onEvent,
    });
    const { user, system } = process.cpuUsage(cpu);
    return { begun, ended, bakedTiles, cpuSeconds: (user + system) / 1e6 };
  }
  if (role === 'open') {
    const { openWorld } = await import('navkiln/world');
    const { openRouteGraph } = await import('navkiln/routes');
    const opened = await openWorld(createFolderStore(world));
    const used = () => {
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const [before, begun] = [used(), process.cpuUsage()];
    const graph = await openRouteGraph(opened);
    const { user, system } = process.cpuUsage(begun);
    return { memory: used() - before, us: user + system, gates: graph.gateCount };
  }
  const level = createPlain(side, 1);
  const levelBytes = level.positions.byteLength + level.indices.byteLength;
  // A store that keeps the names of files alone, as a disk does.
  const names = new Set();
  let plan = new Uint8Array(0);
  const store = {
    get: async () => undefined,
    set: async (name, bytes) => {
      names.add(name);
      if (name.includes('plans')) plan = bytes.length;
    },
    delete: async (name) => void names.delete(name),
    keys: async () => [],
  };
  global.gc();
  const before = process.memoryUsage();
  let heldBytes = 0;
  let looks = 0;
  const look = ({ done, total }) => {
    if (done < (looks * total) / LOOKS) return;
    looks++;
    global.gc();
    const now = process.memoryUsage();
    heldBytes = Math.max(heldBytes, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers);
  };
  const begun = performance.now();
  const { plan: made } = await planFarm(
    store,
    level,
    { ...SLOW, cellSize: 0.5, cellHeight: 0.25, tileSize },
    { onProgress: look },
  );
  const seconds = (performance.now() - begun) / 1000;
  const { maxRSS } = process.resourceUsage();
  return {
    triangles: level.indices.length / 3,
    tiles: made.tiles,
    levelBytes,
    peakBytes: 1024 * maxRSS,
    heldBytes,
    seconds,
    plan,
  };
}

if (process.argv[1] === SELF) console.log(JSON.stringify(await runStep(JSON.parse(process.argv[2]))));
