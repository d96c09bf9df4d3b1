/**
 * Bakes in workers: the same bytes and the same report as on one thread, whatever the number of workers, the cache, and the workers that
 * stop. The workers run the bundled script.
 */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { levelScenes } from 'navkiln-scenes';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundle } from '../../../../../../tools/bundle.mjs';
import { hashWords } from '../../../../src/base/data/hash.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { bakeNavMesh, buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import type { BakeCache, BakeOptions, BakePool, BakeTiles } from '../../../../src/build/voxel/pool-types.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import type { BuildResult } from '../../../../src/build/voxel/report.ts';
import { decodeEntry, encodeEntry } from '../../../../src/world/worker/cache-entry.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { TILE_STATES } from '../../../../src/world/worker/tile-states.ts';
import { closeBakePool, createBakePool } from '../../../../src/world/worker/pool.ts';
import type { BakePoolOptions } from '../../../../src/world/worker/pool.ts';
import { connectWorker } from '../../../../src/world/worker/port.ts';
import type { BakeWorker } from '../../../../src/world/worker/port.ts';
import { openWorld } from '../../../../src/world/levels/create.ts';
import { addObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { floor, tiles } from '../../build/voxel/levels.ts';

const SCRIPT = join(import.meta.dirname, '../../../../dist/bake-worker.js');
const startWorker = (): BakeWorker => new Worker(SCRIPT);

beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundle();
});

let pools: BakePool[] = [];
afterEach(() => {
  for (const pool of pools) closeBakePool(pool);
  pools = [];
});

function openPool(options: BakePoolOptions): BakePool {
  const pool = createBakePool({ createWorker: startWorker, ...options });
  pools.push(pool);
  return pool;
}

/** Pools that tests share: a worker takes longer to start than to bake. */
const kept = new Map<number, BakePool>();
afterAll(() => kept.forEach(closeBakePool));

function keptPool(workers: number): BakePool {
  const pool = kept.get(workers) ?? createBakePool({ createWorker: startWorker, workers });
  kept.set(workers, pool);
  return pool;
}

const scene = levelScenes.find(({ name }) => name === 'house')!;
const level = scene.create();
const house = { positions: Float32Array.from(level.positions), indices: Uint32Array.from(level.indices) };
const coarse: BuildOptions = { ...scene.options, cellSize: 0.3, cellHeight: 0.2 };
const options: BuildOptions = { ...coarse, tileSize: 5 };
const expected = buildNavMesh(house, options);

/** The parts of a result that must not depend on the workers: bytes, counts, warnings. */
function essence({ navMesh, report }: BuildResult): unknown {
  const bytes = saveNavMesh(navMesh);
  const { counts, warnings, config } = report;
  return { hash: hashWords(new Uint32Array(bytes.buffer), 0, bytes.length / 4, 1), counts, warnings, config };
}

/** The side of the tiles of `options`: whole cells. */
const TILE = expected.report.config.tileCells * expected.report.config.cellSize;

/** By tile: its corner, and its states in order. */
function recordTiles(): {
  seen: { min: [number, number]; states: string[] }[];
  onTiles: NonNullable<BakeOptions['onTiles']>;
} {
  const seen: { min: [number, number]; states: string[] }[] = [];
  const onTiles = ({ tileCountX, min, tileSize, states }: BakeTiles): void =>
    states.forEach((state, tile) => {
      const [x, z] = [tile % tileCountX, Math.floor(tile / tileCountX)];
      seen[tile] ??= { min: [min[0] + x * tileSize, min[1] + z * tileSize], states: [] };
      if (seen[tile].states.at(-1) !== TILE_STATES[state]) seen[tile].states.push(TILE_STATES[state]);
    });
  return { seen, onTiles };
}

/** A floor with ridges of n x n squares. */
function ridges(n: number): { positions: Float32Array<ArrayBuffer>; indices: Uint32Array<ArrayBuffer> } {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= n; z++) for (let x = 0; x <= n; x++) positions.push(x / 2, ((x * 7 + z * 3) % 11) / 12, z / 2);
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      const v = z * (n + 1) + x;
      indices.push(v, v + n + 1, v + n + 2, v, v + n + 2, v + 1);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

describe('a bake in a pool equals that of one thread', () => {
  it.each([0, 2, 4])('%i workers', async (workers) => {
    const pool = openPool({ workers });
    expect(pool.workers).toBe(workers);
    const result = await bakeNavMesh(house, { ...options, pool });
    expect(essence(result)).toEqual(essence(expected));
    expect(result.report.stages.map(({ name }) => name)).toEqual(expected.report.stages.map(({ name }) => name));
    // A second bake uses the same workers.
    expect(essence(await bakeNavMesh(house, { ...options, pool }))).toEqual(essence(expected));
  });

  it('without tiles, with doubles, plain arrays, areas, volumes and links', async () => {
    const input = {
      positions: [...house.positions].map((value, i) => value + (i % 3 === 0 ? 1e6 : 0)),
      indices: [...house.indices],
      areas: new Uint8Array(house.indices.length / 3).fill(3),
      twoSided: true,
    };
    const [x, y, z] = input.positions;
    const more: BuildOptions = {
      ...coarse,
      medianAreas: true,
      volumes: createVolumes([{ type: 'cylinder', area: 5, center: [x + 3, y - 1, z + 3], radius: 2, height: 9 }]),
      links: createLinks([{ start: [x + 1, y, z + 1], end: [x + 5, y, z + 5], radius: 1 }]),
    };
    for (const tileSize of [0, 6]) {
      const all = { ...more, tileSize };
      const pool = keptPool(2);
      expect(essence(await bakeNavMesh(input, { ...all, pool }))).toEqual(essence(buildNavMesh(input, all)));
    }
  });

  it('of a level with fields that cannot be sent, such as the scene objects of levelFromObject3D', async () => {
    const report = { parts: [{ object: { onRotationChange: () => {} } }] };
    const read = { ...house, report };
    const { navMesh } = await bakeNavMesh(read, { ...options, pool: keptPool(1) });
    expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(expected.navMesh));
  });

  it('with obstacles, and with the layers of a dynamic bake', async () => {
    const pool = keptPool(2);
    const [x, y, z] = house.positions;
    const obstacles = createObstacles([
      { type: 'cylinder', position: [x + 3, y, z + 3], radius: 1, height: 3 },
      { type: 'box', position: [x + 8, y, z + 3], size: [2, 0.4, 2], effect: 'surface', area: 4 },
      { type: 'box', position: [x + 3, y, z + 8], size: [2, 2, 2], effect: 'area', area: 5 },
    ]);
    const carved = { ...options, obstacles };
    expect(essence(await bakeNavMesh(house, { ...carved, pool }))).toEqual(essence(buildNavMesh(house, carved)));
    const { navMesh } = buildNavMesh(house, { ...options, dynamic: dynamicLayers });
    const result = await bakeNavMesh(house, { ...options, dynamic: dynamicLayers, pool });
    expect(navMesh.layers.length).toBeGreaterThan(1000);
    expect(result.navMesh.layers).toEqual(navMesh.layers);
  });

  it('where memory cannot be shared, arrays are sent in parts', async () => {
    const shared = globalThis.SharedArrayBuffer;
    Object.assign(globalThis, { SharedArrayBuffer: undefined });
    try {
      // Typed arrays larger than a part, of which most is unused.
      const positions = new Float32Array(3 << 20);
      positions.set(house.positions);
      const result = await bakeNavMesh({ ...house, positions }, { ...options, pool: keptPool(2) });
      expect(essence(result)).toEqual(essence(buildNavMesh({ ...house, positions }, options)));
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer: shared });
    }
  });

  // Levels of this size are prepared by all workers together.
  const wide = ridges(100);
  const wideOptions: BuildOptions = { cellSize: 0.5, cellHeight: 0.2, tileSize: 16 };
  const inDoubles = { ...wide, positions: Float64Array.from(wide.positions, (v, i) => (i % 3 === 1 ? v : v + 1e5)) };
  const areas = Uint8Array.from({ length: wide.indices.length / 3 }, (_, t) => 1 + (t % 3));
  it.each([
    ['float32', wide],
    ['doubles and areas', { ...inDoubles, areas }],
    ['a corner that is NaN', { ...wide, positions: wide.positions.with(7, NaN) }],
    [
      'upside down, some without area',
      {
        ...wide,
        indices: wide.indices
          .slice()
          .reverse()
          .fill(5, 3e4, 3e4 + 30),
      },
    ],
    ['both sides', { ...wide, twoSided: true }],
  ])('a large level: %s', async (kind, input) => {
    const alone = buildNavMesh(input, wideOptions);
    const pool = keptPool(2);
    for (let round = 0; round < (kind === 'float32' ? 2 : 1); round++) {
      expect(essence(await bakeNavMesh(input, { ...wideOptions, pool }))).toEqual(essence(alone));
    }
  });

  it('a large level: 4 workers, a cache, an index and an area that are refused', async () => {
    const pool = keptPool(4);
    const cache = createMemoryCache();
    const alone = essence(buildNavMesh(wide, wideOptions));
    for (let round = 0; round < 2; round++) {
      expect(essence(await bakeNavMesh(wide, { ...wideOptions, pool, cache }))).toEqual(alone);
    }
    const wrong = wide.indices.with(50_001, 1e6).with(3, 2e6);
    await expect(bakeNavMesh({ ...wide, indices: wrong }, { ...wideOptions, pool })).rejects.toThrow(
      'bakeNavMesh: input.indices[3] is 2000000; must be',
    );
    await expect(
      bakeNavMesh({ ...wide, areas: areas.with(15_000, 64).with(9, 99) }, { ...wideOptions, pool }),
    ).rejects.toThrow('bakeNavMesh: input.areas[9] is 99; must be');
    expect(essence(await bakeNavMesh(wide, { ...wideOptions, pool }))).toEqual(alone);
  });

  it('two bakes in one pool at a time', async () => {
    const pool = keptPool(2);
    const other = tiles(['00 00', '0000 ', ' 0 00']);
    const small = { agent: { radius: 0.1, height: 1 }, cellSize: 0.1, tileSize: 2 };
    const [a, b] = await Promise.all([
      bakeNavMesh(house, { ...options, pool }),
      bakeNavMesh(other, { ...small, pool }),
    ]);
    expect(essence(a)).toEqual(essence(expected));
    expect(essence(b)).toEqual(essence(buildNavMesh(other, small)));
  });

  it('an empty mesh has the same warning', async () => {
    const flat = { ...floor(0, 0, 3, 3), indices: [0, 2, 1, 0, 3, 2] };
    for (const tileSize of [0, 4]) {
      const result = await bakeNavMesh(flat, { tileSize, pool: keptPool(1) });
      expect(essence(result)).toEqual(essence(buildNavMesh(flat, { tileSize })));
      expect(result.report.warnings.at(-1)).toMatchObject({ code: 'empty-result', stage: 'polymesh' });
    }
  });

  it('progress reaches the total, and estimates the time left', async () => {
    const seen: [number, number, number | undefined][] = [];
    const onProgress: BuildOptions['onProgress'] = ({ done, total, msLeft }) => seen.push([done, total, msLeft]);
    await bakeNavMesh(house, { ...options, onProgress, pool: keptPool(2) });
    const [done, total, msLeft] = seen.at(-1)!;
    expect([done, msLeft]).toEqual([total, 0]);
    expect(seen.map((each) => each[0])).toEqual(seen.map((each) => each[0]).toSorted((a, b) => a - b));
    expect(seen.filter((each) => each[2]! > 0).length).toBeGreaterThan(3);
  });

  it.each([0, 2])('%i workers: each tile is queued, then baked, then done', async (workers) => {
    const { seen, onTiles } = recordTiles();
    const { report } = await bakeNavMesh(house, { ...options, onTiles, pool: openPool({ workers }) });
    const { tileCountX, tileCountZ, boundsMin } = report.config;
    expect(seen).toHaveLength(tileCountX * tileCountZ);
    expect(new Set(seen.map(({ states }) => states.join()))).toEqual(new Set(['queued,baking,done']));
    expect(seen[tileCountX + 2].min).toEqual([boundsMin[0] + 2 * TILE, boundsMin[2] + TILE]);
  });

  it('onTiles without a pool is refused', async () => {
    await expect(bakeNavMesh(house, { ...options, onTiles: () => undefined })).rejects.toThrow(
      /options\.pool.*onTiles/,
    );
  });
});

describe('faults of workers', () => {
  /** Runs the script of the workers, but exits at the request number `at` of a type, and of a tile if one is given. */
  const DYING = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { script, type, tile, at } = workerData;
    const on = parentPort.on.bind(parentPort);
    let seen = 0;
    parentPort.on = (event, listener) => on(event, (request) => {
      if (request.type === type && (tile === undefined || request.tiles.includes(tile)) && ++seen === at) process.exit(3);
      listener(request);
    });
    import(script);
  `;
  const dyingWorker = (type: string, at: number, tile?: number): BakeWorker =>
    new Worker(DYING, { eval: true, workerData: { script: SCRIPT, type, tile, at } });

  it('a worker that stops is replaced and its tile is built again', async () => {
    let count = 0;
    const createWorker = (): BakeWorker => (count++ === 0 ? dyingWorker('tiles', 4) : startWorker());
    const result = await bakeNavMesh(house, { ...options, pool: openPool({ workers: 2, createWorker }) });
    expect(essence(result)).toEqual(essence(expected));
    expect(count).toBe(3);
  });

  it('a tile that stops two workers is left out and reported', async () => {
    const createWorker = (): BakeWorker => dyingWorker('tiles', 1, 2);
    const { seen, onTiles } = recordTiles();
    const { report } = await bakeNavMesh(house, { ...options, onTiles, pool: openPool({ workers: 2, createWorker }) });
    expect(seen[2].states).toEqual(['queued', 'baking', 'queued', 'baking', 'failed']);
    expect(seen.filter(({ states }) => states.at(-1) === 'done')).toHaveLength(seen.length - 1);
    expect(report.counts.tiles).toBe(expected.report.counts.tiles - 1);
    expect(report.warnings).toContainEqual({
      code: 'tile-lost',
      stage: 'navmesh',
      count: 1,
      message: '1 tile has stopped two workers and is left out; a smaller tileSize takes less memory',
    });
  });

  it('a worker that stops while it prepares a part of a large level is replaced', async () => {
    const wide = ridges(100);
    const wideOptions: BuildOptions = { cellSize: 0.5, cellHeight: 0.2, tileSize: 16 };
    const alone = essence(buildNavMesh(wide, wideOptions));
    for (const at of [1, 4]) {
      let count = 0;
      const createWorker = (): BakeWorker => (count++ === 0 ? dyingWorker('prepare', at) : startWorker());
      const pool = openPool({ workers: 2, createWorker });
      expect(essence(await bakeNavMesh(wide, { ...wideOptions, pool }))).toEqual(alone);
    }
  });

  it('a level that stops two workers is an error', async () => {
    const createWorker = (): BakeWorker => dyingWorker('level', 1);
    await expect(bakeNavMesh(house, { ...options, pool: openPool({ workers: 1, createWorker }) })).rejects.toThrow(
      /^bakeNavMesh: 2 workers stopped during the request "level", most likely for lack of memory/,
    );
  });

  it.each([undefined, null, 5, {}, { postMessage() {}, terminate() {} }])(
    'a createWorker that returns %s is an error that names it',
    async (worker) => {
      const createWorker = (() => worker) as unknown as () => BakeWorker;
      await expect(bakeNavMesh(house, { ...options, pool: openPool({ workers: 1, createWorker }) })).rejects.toThrow(
        /^bakeNavMesh: no worker of options\.pool starts \(createWorker: its result is .*; must be a worker\); set createWorker/,
      );
    },
  );

  it('refuses an invalid signal', async () => {
    const signal = { aborted: true } as AbortSignal;
    await expect(bakeNavMesh(house, { ...options, signal })).rejects.toThrow(
      'bakeNavMesh: options.signal.throwIfAborted is',
    );
  });

  it.each([
    ['does not exist', () => new Worker('/no/such/script.js') as unknown as BakeWorker],
    ['throws', () => new Worker('throw new Error("no")', { eval: true }) as unknown as BakeWorker],
    [
      'cannot be created',
      () => {
        throw new Error('blocked');
      },
    ],
  ])('a script that %s is an error that names the remedy', async (_, createWorker) => {
    await expect(bakeNavMesh(house, { ...options, pool: openPool({ workers: 2, createWorker }) })).rejects.toThrow(
      /^bakeNavMesh: no worker of options\.pool starts \(.+\); set createWorker of createBakePool to a function that starts/,
    );
  });

  it('a script that loads and never reports counts as stopped after 30 seconds', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reasons: string[] = [];
    let reply = (_: { data: unknown }): void => {};
    let ended = 0;
    const worker = {
      postMessage: () => {},
      addEventListener: (type: string, listener: typeof reply) => void (type === 'message' && (reply = listener)),
      terminate: () => ended++,
    } as unknown as BakeWorker;
    const handlers = { onReply: () => {}, onStop: (reason: string) => void reasons.push(reason) };
    connectWorker(worker, handlers);
    vi.advanceTimersByTime(29_999);
    expect(reasons).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reasons).toEqual([expect.stringMatching(/^it did not report within 30 seconds; .*navkiln\/bake-worker$/)]);
    expect(ended).toBe(1);
    connectWorker(worker, handlers);
    reply({ data: { type: 'ready' } });
    vi.advanceTimersByTime(60_000);
    expect(reasons.length).toBe(1);
    vi.useRealTimers();
  });

  it('errors of the bake are those of one thread', async () => {
    const pool = openPool({ workers: 2 });
    const wrong: [object, BakeOptions][] = [
      [{ ...house, indices: [0, 1, 99999] }, options],
      [house, { ...options, cellSize: -1 }],
      [house, { ...options, unknown: 1 } as BakeOptions],
      [house, { ...options, links: createLinks([{ start: [0, NaN, 0], end: [1, 1, 1] }]) }],
      [house, { ...options, detailSampleDistance: 0.01, detailMaxError: 0, strict: true }],
      [{ positions: 'no' }, options],
    ];
    for (const [input, each] of wrong) {
      const alone = await bakeNavMesh(input as typeof house, each).catch((error: unknown) => error as Error);
      const pooled = await bakeNavMesh(input as typeof house, { ...each, pool }).catch(
        (error: unknown) => error as Error,
      );
      if (alone instanceof Error) expect(String(pooled)).toBe(String(alone));
    }
    await expect(bakeNavMesh(house, { ...options, pool, extra: () => 1 } as BakeOptions)).rejects.toThrow(
      /^bakeNavMesh: the input or an option cannot be sent to a worker \(.+\); must be plain data$/,
    );
    // The pool still works.
    expect(essence(await bakeNavMesh(house, { ...options, pool }))).toEqual(essence(expected));
  });

  it('an error of onProgress ends the bake', async () => {
    const onProgress = (): void => {
      throw new Error('mine');
    };
    const pool = openPool({ workers: 1 });
    await expect(bakeNavMesh(house, { ...options, pool, onProgress })).rejects.toThrow('mine');
  });
});

describe('aborting and closing', () => {
  it('rejects with the reason of the signal before another tile is done, at any moment', async () => {
    const pool = openPool({ workers: 2 });
    for (const tile of [0, 5]) {
      const controller = new AbortController();
      let later = 0;
      const onProgress: BuildOptions['onProgress'] = ({ done }) => {
        if (controller.signal.aborted) later++;
        else if (done >= tile) controller.abort(new Error(`at ${tile}`));
      };
      const all = { ...options, pool, onProgress, signal: controller.signal };
      await expect(bakeNavMesh(house, all)).rejects.toThrow(`at ${tile}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(later).toBe(0);
    }
    expect(essence(await bakeNavMesh(house, { ...options, pool }))).toEqual(essence(expected));
    await expect(
      bakeNavMesh(house, { ...options, pool, signal: AbortSignal.abort(new Error('before')) }),
    ).rejects.toThrow('before');
  });

  it('closing rejects running bakes, and later ones', async () => {
    const pool = openPool({ workers: 1 });
    const running = bakeNavMesh(house, { ...options, pool });
    closeBakePool(pool);
    closeBakePool(pool);
    await expect(running).rejects.toThrow('bakeNavMesh: options.pool was closed during the bake');
    await expect(bakeNavMesh(house, { ...options, pool })).rejects.toThrow(/options\.pool is closed; must be/);
  });

  it.each([
    [{ workers: -1 }, /createBakePool: options\.workers is -1; must be a whole number 0 \.\. 256/],
    [{ workers: 1.5 }, /options\.workers is 1\.5/],
    [{ workers: '2' }, /options\.workers is "2"/],
    [{ createWorker: 1 }, /createBakePool: options\.createWorker is 1/],
    [{ threads: 2 }, /threads/],
    [null, /createBakePool: options is null/],
  ])('refuses %o', (given, message) => {
    expect(() => createBakePool(given as never)).toThrow(message);
  });

  it('refuses what is not a pool, and a cache without one', async () => {
    expect(() => closeBakePool({} as never)).toThrow(
      /^closeBakePool: pool is not a pool; must be a result of createBakePool/,
    );
    await expect(bakeNavMesh(house, { pool: {} as never })).rejects.toThrow(/bakeNavMesh: options\.pool\.bake/);
    await expect(bakeNavMesh(house, { cache: createMemoryCache() })).rejects.toThrow(
      /bakeNavMesh: options\.pool is undefined/,
    );
  });
});

describe('a cache of tiles', () => {
  const pool = createBakePool({ workers: 0 });
  const bake = (cache: BakeCache, more: object = {}, input: object = house): Promise<BuildResult> =>
    bakeNavMesh(input as typeof house, { ...options, ...more, cache, pool });
  const count = expected.report.counts.tiles;

  it('gives every tile of a second bake, and the same bytes', async () => {
    const cache = createMemoryCache();
    const first = await bake(cache);
    expect(essence(first)).toEqual(essence(expected));
    const { misses } = first.report.cache!;
    expect(first.report.cache).toEqual({ hits: 0, misses, damaged: 0, errors: 0 });
    expect(misses).toBeGreaterThanOrEqual(count);
    const second = await bake(cache);
    expect(essence(second)).toEqual(essence(expected));
    expect(second.report.cache).toEqual({ hits: misses, misses: 0, damaged: 0, errors: 0 });
  });

  it('after an edit, bakes only the tiles that the edit reaches', async () => {
    const cache = createMemoryCache();
    const { report } = await bake(cache, { bounds: { min: [-20, -2, -20], max: [40, 12, 40] } });
    const { boundsMin, boundsMax } = expected.report.config;
    const [x, z] = [(boundsMin[0] + boundsMax[0]) / 2, (boundsMin[2] + boundsMax[2]) / 2];
    const volumes = [{ type: 'box' as const, area: 0, min: [x, -9, z], max: [x + 0.3, 20, z + 0.3] }];
    const edited = {
      bounds: { min: [-20, -2, -20], max: [40, 12, 40] },
      volumes: createVolumes(volumes),
    };
    const result = await bake(cache, edited);
    expect(essence(result)).toEqual(essence(buildNavMesh(house, { ...options, ...edited })));
    expect(result.report.cache!.misses).toBeGreaterThan(0);
    expect(result.report.cache!.misses).toBeLessThanOrEqual(9);
    expect(result.report.cache!.hits).toBeGreaterThan(report.cache!.misses / 2);
  });

  it('any change of settings, triangles or areas changes the keys', async () => {
    const cache = createMemoryCache();
    const { misses } = (await bake(cache)).report.cache!;
    const moved = house.positions.map((value, i) => (i % 3 === 1 ? value + 1e-3 : value));
    const changes: [object, object][] = [
      [{ cellSize: 0.21 }, house],
      [{ agent: { ...scene.options.agent, maxClimb: 0.33 } }, house],
      [{ filterLedges: false }, house],
      [{}, { ...house, positions: moved }],
      [{}, { ...house, areas: new Uint8Array(house.indices.length / 3).fill(2) }],
    ];
    for (const [more, input] of changes) {
      const result = await bake(cache, more, input);
      expect(result.report.cache!.hits).toBeLessThan(misses / 4);
      expect(essence(result)).toEqual(essence(buildNavMesh(input as typeof house, { ...options, ...more })));
    }
  });

  /** Returns the entry with its hash, in which a polygon has lost its neighbor, or which is of another tile. */
  function withoutNeighbor(entry: Uint8Array, key: string): Uint8Array {
    const result = decodeEntry(entry, key)!;
    const { edgeNeighbor } = result.data ?? {};
    const edge = edgeNeighbor?.findIndex((other) => other >= 0) ?? -1;
    if (edge >= 0) edgeNeighbor![edge] = -1;
    else result.tile++;
    return encodeEntry(key, result);
  }

  it('damaged, cut and swapped entries are baked again and replaced', async () => {
    const cache = createMemoryCache();
    await bake(cache);
    const keys = await cache.keys();
    const entries = await Promise.all(keys.map(async (key) => (await cache.get(key))!));
    const damages: ((entry: Uint8Array, i: number) => Uint8Array)[] = [
      (entry, i) => entry.map((byte, k) => (k === (i * 97) % entry.length ? byte ^ 4 : byte)),
      (entry) => entry.slice(0, 16),
      (entry) => entry.slice(0, entry.length - 8),
      (_, i) => entries[(i + 1) % entries.length],
      () => new Uint8Array(),
      () => new Uint8Array(64).fill(255),
      (entry, i) => withoutNeighbor(entry, keys[i]),
    ];
    for (const damage of damages) {
      for (const [i, key] of keys.entries()) await cache.set(key, damage(entries[i], i));
      const result = await bake(cache);
      expect(essence(result)).toEqual(essence(expected));
      expect(result.report.cache).toEqual({ hits: 0, misses: keys.length, damaged: keys.length, errors: 0 });
      expect((await bake(cache)).report.cache!.hits).toBe(keys.length);
    }
  });

  it('an aborted bake goes on where it stopped', async () => {
    const cache = createMemoryCache();
    const controller = new AbortController();
    const onProgress: BuildOptions['onProgress'] = ({ done }) => done > 6 && controller.abort();
    await expect(bake(cache, { onProgress, signal: controller.signal })).rejects.toThrow();
    const kept = (await cache.keys()).length;
    expect(kept).toBeGreaterThan(0);
    const result = await bake(cache);
    expect(essence(result)).toEqual(essence(expected));
    expect(result.report.cache!.hits).toBe(kept);
  });

  it('entries of a dynamic bake hold the layers of its tiles; a world opens from them', async () => {
    const cache = createMemoryCache();
    const { navMesh } = buildNavMesh(house, { ...options, dynamic: dynamicLayers });
    expect(navMesh.layers.length).toBeGreaterThan(1000);
    const first = await bake(cache, { dynamic: dynamicLayers });
    expect(saveNavMesh(first.navMesh)).toEqual(saveNavMesh(navMesh));
    const { misses } = first.report.cache!;
    const second = await bake(cache, { dynamic: dynamicLayers });
    expect(second.report.cache).toEqual({ hits: misses, misses: 0, damaged: 0, errors: 0 });
    expect(saveNavMesh(second.navMesh)).toEqual(saveNavMesh(navMesh));
    // A bake that is not dynamic has entries of its own.
    expect((await bake(cache)).report.cache!.hits).toBe(0);

    const [x, y, z] = house.positions;
    const carve = (mesh: NavMesh): Uint8Array => {
      const world = openWorld(structuredClone(mesh));
      addObstacle(world, { type: 'cylinder', position: [x + 3, y, z + 3], radius: 1, height: 3 });
      expect(updateWorld(world).changedTileCount).toBeGreaterThan(0);
      return saveNavMesh(world.navMesh);
    };
    expect(carve(second.navMesh)).toEqual(carve(navMesh));

    // The packed spans are the last bytes of an entry.
    const key = (await cache.keys())[0];
    const entry = (await cache.get(key))!.slice();
    entry[entry.length - 9] ^= 4;
    await cache.set(key, entry);
    const third = await bake(cache, { dynamic: dynamicLayers });
    expect(third.report.cache).toEqual({ hits: misses - 1, misses: 1, damaged: 1, errors: 0 });
    expect(saveNavMesh(third.navMesh)).toEqual(saveNavMesh(navMesh));
  });

  it('errors of a cache do not stop the bake, and are reported', async () => {
    const cache: BakeCache = {
      ...createMemoryCache(),
      get: () => Promise.resolve('text' as never),
      set: () => Promise.reject(new Error('no space left')),
    };
    const { navMesh, report } = await bake(cache);
    expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(expected.navMesh));
    expect(report.warnings.at(-1)).toMatchObject({ code: 'cache-failed', count: report.cache!.errors });
    expect(report.warnings.at(-1)!.message).toMatch(
      /calls of the cache failed \(.+\); tiles that it did not give were baked/,
    );
  });
});
