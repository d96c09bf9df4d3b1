/**
 * `npm run soak -- rooms [--threads 8] [--rooms 20] [--seed N] [--rounds N]`: memory of rooms and threads over one shared mesh of a town
 * of about 22,800 polygons, and the speed of two threads compared with one.
 *
 * Fails above 64 KiB a room, and above 0.6 MiB a thread without the memory of searches, which grows with the first search and serves all
 * rooms of a thread. The speed of two threads is printed next to that of two threads that share nothing, since other programs may use
 * the processors.
 *
 * In: the built packages. Out: a line for each figure. Cost: about a minute.
 * Based on: own.
 */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { findPath, listNames, setEnabled } from 'navkiln';
import { buildFromPolygons } from 'navkiln/polygon';
import {
  closeSharedNavMesh,
  createMeshOverlay,
  openSharedNavMesh,
  refreshSharedNavMesh,
  shareNavMesh,
  updateSharedNavMesh,
} from 'navkiln/share';
import { createPathService } from 'navkiln/worker';
import { seeded } from '../seeded.mjs';

const MOST_ROOM_BYTES = 64 * 1024;
const MOST_THREAD_BYTES = 0.6 * 1024 * 1024;
const OPTIONS = {
  threads: { type: 'string', default: '8' },
  rooms: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '7' },
};
/** Houses along a side, and their distance in meters. */
const SIDE = 90;
const PITCH = 12;
const SIZE = SIDE * PITCH;
const DOORS = 60;

/** Returns a town of turned houses with doors in its streets. */
function createTown(seed) {
  const next = seeded(seed);
  const obstacles = [];
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, z] = [((i % SIDE) + 0.5) * PITCH, (Math.floor(i / SIDE) + 0.5) * PITCH];
    const turn = next() - 0.5;
    const [c, s] = [(1 - turn * turn) / (1 + turn * turn), (2 * turn) / (1 + turn * turn)];
    const [u, v] = [2 + 2 * next(), 2 + 2 * next()];
    obstacles.push(
      [
        [-u, -v],
        [u, -v],
        [u, v],
        [-u, v],
      ].map(([a, b]) => [x + c * a - s * b, z + s * a + c * b]),
    );
  }
  const areas = Array.from({ length: DOORS }, (_, i) => {
    const x = PITCH * Math.floor(1 + next() * (SIDE - 2)) - 0.5;
    const z = PITCH * (Math.floor(next() * SIDE) + 0.5);
    const outline = [
      [x, z - 2],
      [x + 1, z - 2],
      [x + 1, z + 2],
      [x, z + 2],
    ];
    return { name: `door ${i}`, outline };
  });
  const outline = [
    [0, 0],
    [SIZE, 0],
    [SIZE, SIZE],
    [0, SIZE],
  ];
  return buildFromPolygons({ polygons: [{ outline }], obstacles, areas }, { tileSize: 4 * PITCH }).navMesh;
}

const pairsOf = (count, next) => {
  const point = () => [SIZE * next(), 0, -SIZE * next()];
  return Array.from({ length: count }, () => [point(), point()]);
};

/** Collects garbage and returns the bytes that this thread uses. */
function usedBytes() {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (let i = 0; i < 3; i++) gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, arrays: arrayBuffers, all: heapUsed + arrayBuffers };
}

/** In a thread: opens the mesh, asks a few paths, and reports the bytes. Or copies the mesh and asks paths, for the speed. */
function serveThread({ shared, copy, pairs, rounds }) {
  if (copy !== undefined) {
    parentPort.on('message', () => {
      for (const [a, b] of pairs) findPath(copy, a, b);
      parentPort.postMessage('done');
    });
    return;
  }
  // Compiles what is used, and lets the search grow, on a mesh that is closed again.
  const warm = openSharedNavMesh(shared);
  for (let i = 0; i < rounds; i++) for (const [a, b] of pairs) findPath(warm, a, b);
  closeSharedNavMesh(warm);
  const before = usedBytes();
  const mesh = openSharedNavMesh(shared);
  for (const [a, b] of pairs) findPath(mesh, a, b);
  parentPort.on('message', () => {
    refreshSharedNavMesh(mesh);
    for (const [a, b] of pairs) findPath(mesh, a, b);
    parentPort.postMessage(usedBytes().all - before.all);
  });
  parentPort.postMessage('ready');
}

const messageOf = (worker) => new Promise((resolve) => worker.once('message', resolve));
const startThread = (data) => new Worker(fileURLToPath(import.meta.url), { workerData: { isRooms: true, ...data } });
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function timeOf(act) {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Returns the bytes that each room takes. */
function measureRooms(mesh, count, pairs) {
  const names = listNames(mesh);
  const use = (room, i) => {
    for (let k = i; k < names.length; k += 3) setEnabled(room, names[k], false);
    for (const [a, b] of pairs) findPath(room, a, b);
  };
  // The first room makes what all share.
  use(createMeshOverlay(mesh), 0);
  const before = usedBytes();
  const rooms = Array.from({ length: count }, () => createMeshOverlay(mesh));
  for (const [i, room] of rooms.entries()) use(room, i);
  const bytes = (usedBytes().all - before.all) / count;
  if (rooms.length !== count) throw new Error('rooms were collected');
  return bytes;
}

/** Returns how many times faster two threads are: of a service, and without anything shared. */
async function measureSpeed(mesh, shared, pairs, rounds) {
  const services = [1, 2].map((threads) => createPathService({ shared, threads, batchSize: 16 }));
  const copies = [0, 1].map(() => startThread({ copy: structuredClone(mesh), pairs }));
  const runCopies = (count) =>
    Promise.all(
      copies.slice(0, count).map((worker) => {
        const done = messageOf(worker);
        worker.postMessage('run');
        return done;
      }),
    );
  const ratios = { service: [], alone: [], cpu: [] };
  const cpuOf = async (act) => {
    const before = process.cpuUsage();
    const time = await timeOf(act);
    const { user, system } = process.cpuUsage(before);
    return { time, cpu: user + system };
  };
  for (let round = -2; round < rounds; round++) {
    const one = await cpuOf(() => services[0].findPaths([...pairs, ...pairs]));
    const two = await cpuOf(() => services[1].findPaths([...pairs, ...pairs]));
    // One thread does the work once, two do it twice in the same time.
    const single = await timeOf(() => runCopies(1));
    const double = await timeOf(() => runCopies(2));
    if (round < 0) continue;
    ratios.service.push(one.time / two.time);
    ratios.cpu.push(two.cpu / one.cpu);
    ratios.alone.push((2 * single) / double);
  }
  for (const service of services) service.close();
  for (const worker of copies) await worker.terminate();
  return { service: median(ratios.service), alone: median(ratios.alone), cpu: median(ratios.cpu) };
}

/** Measures. Returns the exit status. */
export async function soak(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const [threads, rooms, seed, rounds] = ['threads', 'rooms', 'seed', 'rounds'].map((key) => Number(values[key]));
  const mesh = createTown(seed);
  const shared = shareNavMesh(mesh);
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(`seed ${seed}: ${mesh.polyCount} polygons, shared in ${kib(shared.data.byteLength)}`);
  const pairs = pairsOf(60, seeded(seed));
  const room = measureRooms(openSharedNavMesh(shared), rooms, pairs);
  console.log(`${rooms} rooms: ${kib(room)} each (limit ${kib(MOST_ROOM_BYTES)})`);
  const workers = Array.from({ length: threads }, () => startThread({ shared, pairs, rounds: 3 }));
  const bytes = [];
  await Promise.all(workers.map(messageOf));
  setEnabled(mesh, listNames(mesh)[0], false);
  const update = await timeOf(() => updateSharedNavMesh(shared, mesh));
  for (const worker of workers) {
    const answer = messageOf(worker);
    worker.postMessage('measure');
    bytes.push(await answer);
    await worker.terminate();
  }
  const thread = Math.max(...bytes);
  console.log(`${threads} threads: at most ${kib(thread)} each beyond the mesh (limit ${kib(MOST_THREAD_BYTES)})`);
  console.log(`a version with one door closed: ${update.toFixed(2)} ms`);
  const speed = await measureSpeed(mesh, shared, pairsOf(200, seeded(seed + 1)), rounds);
  console.log(
    `two threads: ${speed.service.toFixed(2)} x one (goal 1.8); two threads that share nothing: ${speed.alone.toFixed(2)} x; ` +
      `CPU time for the same queries: ${speed.cpu.toFixed(2)} of that of one thread`,
  );
  return room > MOST_ROOM_BYTES || thread > MOST_THREAD_BYTES ? 1 : 0;
}

if (!isMainThread && workerData?.isRooms) serveThread(workerData);
