/**
 * Measures bakes in pools of workers against `buildNavMesh` on one thread, in turns, on levels of at least 400 tiles. Throws when the bytes
 * of a mesh differ.
 *
 * `one / pool` is how many times faster the pool is. `ceiling` is the most that the machine allows: as many whole
 * bakes at a time as there are workers, each on one thread, against one after the other. `asking thread` is the share
 * of the time in which the asking thread was busy. `longest turn` is the longest time that it was busy between two
 * timers. On Linux, both exclude waits for a core. `sending` is the share of a worker's time that it spends in
 * postMessage.
 */
import { existsSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { saveNavMesh } from 'navkiln';
import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
import type { BuildOptions, BuildResult, TriangleInput } from 'navkiln/build';
import { closeBakePool, createBakePool } from 'navkiln/worker';
import { findLevelScene } from 'navkiln-scenes';
import { spreadOf } from './harness.ts';
import type { Spread } from './harness.ts';

export interface PoolRow {
  level: string;
  workers: number;
  tiles: number;
  triangles: number;
  /** Milliseconds on one thread. */
  ms: number;
  /** Time on one thread over time in the pool. */
  speedup: Spread;
  ceiling: Spread;
  /** Shares of the time of the pool. */
  askingThread: number;
  sending: number;
  /** Milliseconds. */
  longestTurn: Spread;
}

/** Scenes, their scales, and how many cells a tile is wide. */
const LEVELS: readonly (readonly [name: string, scale: number, tileCells: number])[] = [
  ['terrain', 5, 48],
  ['city', 5, 48],
];
const WORKERS = 2;
/** Each worker compiles the code for itself, and bakes only its part of the tiles. */
const WARMUPS = 6;

/** Starts the script of the workers, and sums the time that it spends in postMessage. */
const TIMED_WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message) => {
    const begin = performance.now();
    post(message);
    workerData.spent[0] += performance.now() - begin;
  };
  require(workerData.script);
`;
/** Bakes the level each time that it is asked to. */
const BAKING_WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.module).then(({ buildNavMesh }) => {
    parentPort.on('message', () => {
      buildNavMesh(workerData.input, workerData.options);
      parentPort.postMessage(0);
    });
    parentPort.postMessage(0);
  });
`;

const resolve = createRequire(import.meta.url).resolve;

interface Case {
  input: TriangleInput;
  options: BuildOptions;
}

/** Measures the levels of these names; none: all. */
export async function benchPools(names: readonly string[], rounds: number): Promise<PoolRow[]> {
  const rows: PoolRow[] = [];
  for (const [name, scale, tileCells] of LEVELS) {
    if (names.length > 0 && !names.includes(name)) continue;
    const scene = findLevelScene(name);
    const { positions, indices } = scene.create(undefined, scale);
    const input = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
    const options = { ...scene.options, tileSize: tileCells * scene.options.cellSize! };
    rows.push({ level: `${name} x${scale}`, ...(await benchCase({ input, options }, rounds)) });
  }
  return rows;
}

async function benchCase(given: Case, rounds: number): Promise<Omit<PoolRow, 'level'>> {
  const { input, options } = given;
  const spent = Array.from({ length: WORKERS }, () => new Float64Array(new SharedArrayBuffer(8)));
  let started = 0;
  const pool = createBakePool({
    workers: WORKERS,
    createWorker: () => {
      const workerData = { script: resolve('navkiln/bake-worker'), spent: spent[started++ % WORKERS] };
      return new Worker(TIMED_WORKER, { eval: true, workerData });
    },
  });
  const crew = await startCrew(given);
  const [one, both, ceilings, speedups, turns]: number[][] = [[], [], [], [], []];
  const [busy, sent]: number[][] = [[], []];
  let tiles = 0;
  for (let round = -WARMUPS; round < rounds; round++) {
    let begin = performance.now();
    const alone = buildNavMesh(input, options);
    const aloneMs = performance.now() - begin;
    for (const sum of spent) sum[0] = 0;
    const watch = watchThread();
    begin = performance.now();
    const pooled = await bakeNavMesh(input, { ...options, pool });
    const poolMs = performance.now() - begin;
    const { busyMs, longestMs } = watch();
    begin = performance.now();
    await crew.bake();
    const crewMs = performance.now() - begin;
    if (round === -WARMUPS) checkSame(alone, pooled);
    if (round < 0) continue;
    tiles = pooled.report.counts.tiles;
    one.push(aloneMs);
    both.push(poolMs);
    speedups.push(aloneMs / poolMs);
    ceilings.push((WORKERS * aloneMs) / crewMs);
    turns.push(longestMs);
    busy.push(busyMs / poolMs);
    sent.push(spent.reduce((sum, [ms]) => sum + ms, 0) / (WORKERS * poolMs));
  }
  closeBakePool(pool);
  await crew.close();
  return {
    workers: WORKERS,
    tiles,
    triangles: input.indices!.length / 3,
    ms: spreadOf(one).median,
    speedup: spreadOf(speedups),
    ceiling: spreadOf(ceilings),
    askingThread: spreadOf(busy).median,
    sending: spreadOf(sent).median,
    longestTurn: spreadOf(turns),
  };
}

function checkSame(a: BuildResult, b: BuildResult): void {
  if (Buffer.compare(saveNavMesh(a.navMesh), saveNavMesh(b.navMesh)) !== 0) {
    throw new Error('benchPools: the mesh of the pool has other bytes');
  }
}

/** Starts threads that bake the whole level at the same time. */
async function startCrew({ input, options }: Case): Promise<{ bake: () => Promise<void>; close: () => Promise<void> }> {
  const module = new URL(import.meta.resolve('navkiln/build')).href;
  const workerData = { module, input, options };
  const threads = Array.from({ length: WORKERS }, () => new Worker(BAKING_WORKER, { eval: true, workerData }));
  const answers = (): Promise<void[]> =>
    Promise.all(threads.map((thread) => new Promise<void>((done) => thread.once('message', () => done()))));
  await answers();
  return {
    async bake() {
      const all = answers();
      for (const thread of threads) thread.postMessage(0);
      await all;
    },
    async close() {
      for (const thread of threads) await thread.terminate();
    },
  };
}

/** Watches how long this thread is busy. Returns the function that ends it, with the whole time and the longest turn. */
function watchThread(): () => { busyMs: number; longestMs: number } {
  const first = busyTime();
  let last = first;
  let longestMs = 0;
  const note = (): void => {
    const now = busyTime();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  const timer = setInterval(note, 1);
  return () => {
    note();
    clearInterval(timer);
    return { busyMs: last - first, longestMs };
  };
}

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;
const schedstat = existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : -1;
const digits = Buffer.alloc(64);

/** Milliseconds that this thread has run; elsewhere than on Linux, the time of its event loop. */
function busyTime(): number {
  if (schedstat >= 0) return parseInt(digits.toString('latin1', 0, readSync(schedstat, digits, 0, 64, 0)), 10) / 1e6;
  return performance.eventLoopUtilization().active;
}

export function poolTable(rows: readonly PoolRow[]): string[][] {
  const show = ({ q1, median, q3 }: Spread): string =>
    `${median.toPrecision(3)} (${q1.toPrecision(3)}-${q3.toPrecision(3)})`;
  const percent = (share: number): string => `${(100 * share).toPrecision(2)} %`;
  return [
    [
      'pool',
      'workers',
      'tiles',
      'triangles',
      'ms',
      'one / pool',
      'ceiling',
      'asking thread',
      'longest turn ms',
      'sending',
    ],
    ...rows.map((row) => [
      row.level,
      String(row.workers),
      String(row.tiles),
      String(row.triangles),
      row.ms.toPrecision(3),
      show(row.speedup),
      show(row.ceiling),
      percent(row.askingThread),
      show(row.longestTurn),
      percent(row.sending),
    ]),
  ];
}
