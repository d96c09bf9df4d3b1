/**
 * A path service answers as the functions on one thread do, while the mesh changes and threads stop. The threads run the bundled script.
 * NAVKILN_SEED sets the seed, NAVKILN_SHARED_QUERIES the number of queries during changes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundle } from '../../../../../../tools/bundle.mjs';
import { setEnabled } from '../../../../src/mesh/change/enable.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import { findIndexedPath } from '../../../../src/query/index/find.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { moveAlongSurface } from '../../../../src/query/walk/slide.ts';
import { sharePathIndex } from '../../../../src/world/share/arrays.ts';
import {
  closeSharedNavMesh,
  getSharedStatus,
  shareNavMesh,
  updateSharedNavMesh,
} from '../../../../src/world/share/share.ts';
import { createPathService } from '../../../../src/world/worker/path-service.ts';
import type { PathService, PathServiceOptions } from '../../../../src/world/worker/path-service.ts';
import { seeded } from '../../meshes.ts';
import { SIDE, changeShape, createTown } from '../share/town.ts';

const SCRIPT = join(import.meta.dirname, '../../../../dist/path-worker.js');
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const QUERIES = Number(process.env['NAVKILN_SHARED_QUERIES'] ?? 5000);

beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundle();
});

let services: PathService[] = [];
let workers: Worker[] = [];
afterEach(() => {
  for (const service of services) service.close();
  services = [];
  workers = [];
});

function open(options: PathServiceOptions): PathService {
  const createWorker = (): Worker => {
    const worker = new Worker(SCRIPT);
    workers.push(worker);
    return worker;
  };
  const service = createPathService({ threads: 2, createWorker, ...options });
  services.push(service);
  return service;
}

type Pair = [number[], number[]];
function pairsOf(count: number, next: () => number): Pair[] {
  const point = (): number[] => [SIDE * next(), 0, SIDE * next()];
  return Array.from({ length: count }, () => [point(), point()]);
}

/** Returns a path as a service does. */
function plain(mesh: NavMesh, [a, b]: Pair): object {
  const { status, reason, points, length, cost } = findPath(mesh, a, b);
  return { status, reason, points, length, cost };
}

describe('createPathService', () => {
  it('answers paths, distances and moves as one thread does, in batches of any size', async () => {
    const mesh = createTown();
    setEnabled(mesh, 'door 1 0', false);
    const shared = shareNavMesh(mesh);
    const pairs = [
      ...pairsOf(70, seeded(SEED)),
      [
        [-90, 0, 0],
        [1, 0, 1],
      ],
      [
        [1, 0, 1],
        [900, 0, 0],
      ],
    ] as Pair[];
    const paths = pairs.map((pair) => plain(mesh, pair)) as { status: string; length: number }[];
    for (const batchSize of [1, 16, 1000]) {
      const service = open({ shared, batchSize });
      expect(await service.findPaths(pairs)).toEqual(paths);
      expect([...(await service.findDistances(pairs))]).toEqual(
        paths.map(({ status, length }) => (status === 'complete' ? length : Infinity)),
      );
      expect(await service.findMoves(pairs)).toEqual(
        pairs.map(([a, b]) => {
          const { status, point } = moveAlongSurface(mesh, a, b);
          return { status, point };
        }),
      );
      expect(await service.findPaths([])).toEqual([]);
      const { answered, queued, batches, busyMs } = service.getMetrics();
      expect([answered, queued, batches]).toEqual([3 * 72, 0, 3 * Math.ceil(72 / batchSize)]);
      expect(busyMs).toBeGreaterThan(0);
      service.close();
    }
  });

  it('answers with an index, and gives rooms their own doors', async () => {
    const mesh = createTown();
    const index = buildPathIndex(mesh);
    const service = open({ shared: shareNavMesh(mesh), index: sharePathIndex(index), batchSize: 8 });
    const pairs = pairsOf(40, seeded(SEED));
    const copyOf = (closed: string[]): NavMesh => {
      const copy = structuredClone(mesh);
      for (const name of closed) setEnabled(copy, name, false);
      return copy;
    };
    const rooms: Record<string, string[]> = {
      one: ['door 0 0', 'door 0 1', 'door 0 2'],
      two: ['door 1 0', 'door 1 1', 'door 1 2', 'link 0', 'link 1'],
      three: [],
    };
    for (const [room, closed] of Object.entries(rooms)) void service.setRoom(room, closed);
    const check = async (): Promise<void> => {
      const answers = await Promise.all(Object.keys(rooms).map((room) => service.findPaths(pairs, { room })));
      for (const [i, closed] of Object.values(rooms).entries()) {
        const copy = copyOf(closed);
        const want = pairs.map(([a, b]) => {
          const { status, reason, points, length, cost } = findIndexedPath({ ...index }, copy, a, b);
          return { status, reason, points, length, cost };
        });
        expect(answers[i]).toEqual(want);
      }
    };
    await check();
    rooms['three'] = ['door 2 0'];
    rooms['one'] = ['door 0 0'];
    await Promise.all(['one', 'three'].map((room) => service.setRoom(room, rooms[room])));
    await check();
    expect(service.getMetrics().rooms).toBe(3);
    expect(service.removeRoom('two')).toBe(true);
    expect(service.removeRoom('two')).toBe(false);
    await expect(service.findPaths(pairs, { room: 'two' })).rejects.toThrow('options.room is "two"; must be a room');
    await expect(service.setRoom('four', ['gate'])).rejects.toThrow(
      'setRoom: name is "gate"; must be one of "door 0 0"',
    );
    await expect(service.setRoom('one', ['gate'])).rejects.toThrow('setRoom: name is "gate"');
    delete rooms['two'];
    await check();
  });

  it(`gives answers of versions that there were, while tiles and doors change (seed ${SEED})`, async () => {
    const next = seeded(SEED);
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    const service = open({ shared, batchSize: 50 });
    const closed = ['door 0 0', 'door 1 1', 'door 2 2'];
    await service.setRoom('room', closed);
    const pairs = pairsOf(50, next);
    const answersOf = (room: boolean): string[] => {
      const copy = room ? structuredClone(mesh) : mesh;
      // The room has the states of all names, from its start on.
      if (room) for (const { name } of copy.groups) setEnabled(copy, name, !closed.includes(name));
      return pairs.map((pair) => JSON.stringify(plain(copy, pair)));
    };
    // By version from 1 on: the answers without and in the room.
    const versions: string[][][] = [[], [answersOf(false), answersOf(true)]];
    const ask = async (): Promise<void> => {
      const room = next() < 0.5;
      const first = versions.length - 1;
      const paths = await service.findPaths(pairs, room ? { room: 'room' } : {});
      const known = versions.slice(first).map((version) => version[Number(room)]);
      for (const [i, path] of paths.entries()) {
        const text = JSON.stringify(path);
        if (!known.some((version) => version[i] === text)) wrong.push(`${room ? 'room ' : ''}${first}: ${text}`);
      }
    };
    const wrong: string[] = [];
    const seen: Promise<void>[] = [];
    for (let asked = 0; asked < QUERIES; asked += pairs.length) {
      seen.push(ask());
      if (next() < 0.15) {
        // Links that have no name keep their state in a room, so that only names are switched here.
        if (next() < 0.5) for (const { name } of mesh.groups) setEnabled(mesh, name, next() < 0.3);
        else changeShape(mesh, next);
        updateSharedNavMesh(shared, mesh);
        versions.push([answersOf(false), answersOf(true)]);
      }
      // Some calls run during a change, some wait.
      if (seen.length > 6) await seen.shift();
    }
    await Promise.all(seen);
    expect(wrong).toEqual([]);
    expect(versions.length).toBeGreaterThan(10);
    expect(service.getMetrics()).toMatchObject({ failed: 0, refused: 0, queued: 0, restarts: 0 });
  });

  it('replaces threads that stop, with their rooms', async () => {
    const mesh = createTown();
    const shared = shareNavMesh(mesh);
    const service = open({ shared, threads: 1, batchSize: 4 });
    await service.setRoom('room', ['door 0 0', 'door 0 1', 'door 0 2']);
    const copy = structuredClone(mesh);
    for (let z = 0; z < 3; z++) setEnabled(copy, `door 0 ${z}`, false);
    const pairs = pairsOf(40, seeded(SEED));
    const want = pairs.map((pair) => plain(copy, pair));
    expect(await service.findPaths(pairs, { room: 'room' })).toEqual(want);
    const again = service.findPaths(pairs, { room: 'room' });
    await workers[0].terminate();
    expect(await again).toEqual(want);
    expect(workers.length).toBe(2);
    expect(service.getMetrics().restarts).toBe(1);
    // The new thread has the slot of the old one.
    expect(getSharedStatus(shared)).toMatchObject({ readers: 1, readersBehind: 0 });
    // The writer ends; the service keeps its version.
    closeSharedNavMesh(shared);
    expect(await service.findPaths(pairs, { room: 'room' })).toEqual(want);
    service.close();
    expect(getSharedStatus(shared).readers).toBe(0);
  });

  it('limits queue and searches, and refuses wrong arguments', async () => {
    const shared = shareNavMesh(createTown());
    const service = open({ shared, maxQueue: 100, maxNodes: 3 });
    const pairs = pairsOf(60, seeded(SEED));
    const first = service.findPaths(pairs);
    await expect(service.findPaths(pairs)).rejects.toThrow(
      'findPaths: 60 queries wait, and maxQueue is 100; await answers first, or set maxQueue of createPathService',
    );
    expect((await first).filter(({ reason }) => reason === 'budget').length).toBeGreaterThan(20);
    const free = await service.findPaths(pairs, { maxNodes: Infinity });
    expect(free.filter(({ reason }) => reason === 'budget')).toEqual([]);
    expect(service.getMetrics()).toMatchObject({ answered: 120, refused: 60, failed: 0, queued: 0 });
    for (const bad of [
      null,
      7,
      [1],
      [[[1, 2, 3]]],
      [
        [
          [1, 2, 3],
          [NaN, 0, 0],
        ],
      ],
    ])
      await expect(service.findPaths(bad as never)).rejects.toThrow(/^findPaths: ends/);
    await expect(service.findMoves(pairs, { maxNodes: 0 })).rejects.toThrow('findMoves: options.maxNodes is 0');
    await expect(service.findMoves(pairs, { rooms: 'a' } as never)).rejects.toThrow('options.rooms is unknown');
    await expect(service.setRoom('', [])).rejects.toThrow('setRoom: room');
    const last = service.findPaths(pairs);
    service.close();
    service.close();
    await expect(last).rejects.toThrow('findPaths: the path service is closed');
    await expect(service.findPaths(pairs)).rejects.toThrow('the path service is closed');
    for (const bad of [
      {},
      { shared: {} },
      { shared, threads: 0 },
      { shared, batchSize: 1.5 },
      { shared, maxNodes: '9' },
      { shared, index: {} },
    ])
      expect(() => createPathService(bad as never)).toThrow(/^createPathService: options\./);
    vi.stubGlobal('crossOriginIsolated', false);
    expect(() => createPathService({ shared })).toThrow('Cross-Origin-Opener-Policy');
    vi.unstubAllGlobals();
  });

  it('says what to do when its threads do not start', async () => {
    const shared = shareNavMesh(createTown());
    const createWorker = (): Worker => new Worker('throw new Error("no script")', { eval: true });
    const service = open({ shared, createWorker });
    await expect(service.findPaths(pairsOf(3, seeded(1)))).rejects.toThrow(
      /no thread starts \(no script\); set options.createWorker to a function that starts the script navkiln\/path-worker/,
    );
  });
});
