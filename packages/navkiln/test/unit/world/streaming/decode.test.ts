/** Files of tiles that workers decode: the same mesh as on this thread, whatever happens to the workers. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, it } from 'vitest';
import { bundle } from '../../../../../../tools/bundle.mjs';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { openWorld } from '../../../../src/world/streaming/open.ts';
import type { StreamedWorld } from '../../../../src/world/streaming/open.ts';
import { publishWorld } from '../../../../src/world/streaming/publish.ts';
import { streamAround } from '../../../../src/world/streaming/stream.ts';
import type { StreamResult } from '../../../../src/world/streaming/stream.ts';
import type { BakePool, BlobStore } from '../../../../src/build/voxel/pool-types.ts';
import { decodeEntry } from '../../../../src/world/worker/cache-entry.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { createTileDecoder } from '../../../../src/world/worker/decode-jobs.ts';
import { closeBakePool, createBakePool } from '../../../../src/world/worker/pool.ts';

const SCRIPT = join(import.meta.dirname, '../../../../dist/bake-worker.js');
const AROUND = [[30, 0, 30]] as const;
const store = createMemoryCache();

beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundle();
  const level = { positions: [0, 0, 0, 0, 0, 60, 60, 3, 60, 60, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const volumes = [{ type: 'box' as const, min: [20, -1, 20], max: [30, 5, 30], area: 1, name: 'door' }];
  await publishWorld(store, level, {
    cellSize: 0.5,
    tileSize: 12,
    detailSampleDistance: 3,
    volumes: createVolumes(volumes),
  });
});

/** Loads all tiles and returns the world. `act` is called in each turn. */
async function load(
  from: BlobStore,
  pool: BakePool,
  act?: (result: StreamResult, turn: number) => void,
): Promise<StreamedWorld> {
  const world = await openWorld(from, { pool });
  for (let turn = 0; turn < 3000; turn++) {
    const result = streamAround(world, AROUND, { radius: 100 });
    act?.(result, turn);
    if (result.missingTiles === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return world;
}

function poolOf(workers: number, createWorker = (): Worker => new Worker(SCRIPT)): BakePool {
  return createBakePool({ workers, createWorker });
}

/** Returns a pool that counts its answers. */
function counting(pool: BakePool, count: { answers: number }): BakePool {
  const run: BakePool['run'] = (caller, start, signal) =>
    pool.run(
      caller,
      (control) => {
        const own = start(control);
        const receive: typeof own.receive = (job, answer) => {
          count.answers++;
          own.receive(job, answer);
        };
        return { ...own, receive };
      },
      signal,
    );
  return { ...pool, run };
}

it.each([0, 1, 2])('gives the tiles of this thread with %i workers', async (workers) => {
  const pool = poolOf(workers);
  const decode = createTileDecoder('test', pool);
  const names = (await store.keys()).filter((name) => name.startsWith('tiles/'));
  expect(names.length).toBe(25);
  await Promise.all(
    names.map(async (name) => {
      const key = name.slice('tiles/'.length, -'.navtile'.length);
      const bytes = (await store.get(name))!;
      const { tile, data } = decodeEntry(bytes, key)!;
      const same = async (given: Uint8Array): Promise<void> => {
        const { tile: number, data: own } = (await decode(given, key))!;
        expect({ tile: number, data: own }).toEqual({ tile, data });
      };
      await same(bytes);
      // A view of other memory, as files of Node may be.
      const view = new Uint8Array([...new Uint8Array(24), ...bytes]).subarray(24);
      await same(view);
      expect(await decode(bytes, key.replace(/.$/, 'z'))).toBe(undefined);
      expect(await decode(bytes.subarray(0, bytes.length - 8), key)).toBe(undefined);
      const bit = bytes.map((value, i) => (i === 120 ? value ^ 1 : value));
      expect(await decode(bit, key)).toBe(undefined);
    }),
  );
  const count = { answers: 0 };
  const world = await load(store, counting(pool, count));
  expect(world.slots.size).toBe(25);
  expect(validateNavMesh(world.navMesh)).toEqual([]);
  expect(world.navMesh.groups.map(({ name }) => name)).toEqual(['door']);
  expect(count.answers).toBe(workers === 0 ? 0 : 25);
  closeBakePool(pool);
});

it('requests damaged files again', async () => {
  const asked = new Set<string>();
  const source: BlobStore = {
    ...store,
    get: async (name) => {
      const bytes = await store.get(name);
      if (!name.startsWith('tiles/') || asked.has(name)) return bytes;
      asked.add(name);
      return bytes!.map((value, i) => (i === 120 ? value ^ 1 : value));
    },
  };
  const pool = poolOf(1);
  const reasons = new Set<string>();
  const world = await load(source, pool, ({ failures }) => failures.forEach(({ reason }) => reasons.add(reason)));
  expect(world.slots.size).toBe(25);
  expect(reasons.size).toBe(25);
  for (const reason of reasons)
    expect(reason).toMatch(/^tiles\/[0-9a-f]{32}\.navtile is damaged, cut off, or of another/);
  closeBakePool(pool);
});

it('goes on without workers: closed, killed, or never started', async () => {
  const closed = poolOf(2);
  const world = await load(store, closed, (_, turn) => void (turn === 1 && closeBakePool(closed)));
  expect(world.slots.size).toBe(25);
  expect((await load(store, closed)).slots.size).toBe(25);
  const workers: Worker[] = [];
  const killed = poolOf(1, () => {
    workers.push(new Worker(SCRIPT));
    return workers.at(-1)!;
  });
  const other = await load(store, killed, (_, turn) => void (turn < 9 && workers.at(-1)?.terminate()));
  expect(other.slots.size).toBe(25);
  closeBakePool(killed);
  const absent = poolOf(1, () => {
    throw new Error('no workers here');
  });
  expect((await load(store, absent)).slots.size).toBe(25);
  closeBakePool(absent);
  await expect(openWorld(store, { pool: {} as BakePool })).rejects.toThrow('openWorld: options.pool is');
  await expect(openWorld(store, { pools: 1 } as never)).rejects.toThrow('openWorld: options.pools');
});
