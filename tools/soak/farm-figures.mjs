/**
 * `npm run soak -- farm-figures [--only overhead|workers|planner] [--rounds N]`: figures of the farm over Redis. The queue's overhead: a
 * world of tiles of about 50 ms, baked from a queue and without one, in turns. Two workers: processes with one thread each, compared with
 * one process. The planner: memory of the process for levels of 0.25 to 2 million triangles, and for more tiles of the same level.
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
import { parseArgs } from 'node:util';
import { createPlain } from './memory.mjs';

const SELF = new URL(import.meta.url).pathname;
/** About 50 ms a tile. */
const SLOW = { cellSize: 0.25, cellHeight: 0.125, tileSize: 40, agent: { radius: 0.5, height: 2, maxClimb: 0.5 } };
const SIDE = 320;

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

/** Returns seconds from the first to the last of `count` worker processes, which bake a world that is planned. */
async function bakeIn(count, queue) {
  return withWorld(async (world) => {
    await inProcess({ role: 'plan', world, queue });
    const done = await Promise.all(Array.from({ length: count }, () => inProcess({ role: 'work', world, queue })));
    const [begun, ended] = [Math.min(...done.map((one) => one.begun)), Math.max(...done.map((one) => one.ended))];
    return { seconds: (ended - begun) / 1000, tiles: done.reduce((sum, one) => sum + one.bakedTiles, 0) };
  });
}

async function measureOverhead(queue, rounds) {
  const ratios = [];
  const tile = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await bakeIn(1, undefined);
    const queued = await bakeIn(1, queue);
    ratios.push(queued.seconds / alone.seconds);
    tile.push((1000 * alone.seconds) / alone.tiles);
  }
  console.log(
    `overhead of the queue: ${((median(ratios) - 1) * 100).toFixed(1)} % (${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}) at ${median(tile).toFixed(0)} ms a tile`,
  );
}

async function measureWorkers(queue, rounds) {
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const one = await bakeIn(1, queue);
    const two = await bakeIn(2, queue);
    ratios.push(one.seconds / two.seconds);
  }
  console.log(
    `two workers / one: ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
  );
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

/** Runs the figures. Returns the exit status. */
export async function soak(args) {
  const { values } = parseArgs({
    args,
    options: { only: { type: 'string' }, rounds: { type: 'string', default: '5' } },
  });
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'navkiln-figures-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'];
  const redis = spawn('redis-server', flags, { stdio: 'ignore' });
  await once(redis, 'spawn');
  try {
    const queue = `redis://127.0.0.1:${port}`;
    const isWanted = (name) => values.only === undefined || values.only === name;
    if (isWanted('overhead')) await measureOverhead(queue, Number(values.rounds));
    if (isWanted('workers')) await measureWorkers(queue, Number(values.rounds));
    if (isWanted('planner')) await measurePlanner();
    return 0;
  } finally {
    redis.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the processes of this file do. */
async function runStep({ role, world, queue, side, tileSize }) {
  const { planFarm, runFarmWorker } = await import('navkiln-farm');
  const { createFolderStore } = await import('navkiln-cli/cache');
  if (role === 'plan') {
    await planFarm(createFolderStore(world), createPlain(SIDE, 1), SLOW, queue === undefined ? {} : { queue });
    return {};
  }
  if (role === 'work') {
    let begun;
    let ended;
    const onEvent = ({ type, ms }) => {
      begun ??= Date.now() - (ms ?? 0);
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
    return { begun, ended, bakedTiles };
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
  const look = () => {
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
    tiles: made.tiles.number.length,
    levelBytes,
    peakBytes: 1024 * maxRSS,
    heldBytes,
    seconds,
    plan,
  };
}

if (process.argv[1] === SELF) console.log(JSON.stringify(await runStep(JSON.parse(process.argv[2]))));
