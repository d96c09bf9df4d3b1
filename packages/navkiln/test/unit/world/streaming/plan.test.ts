/** Planned publications: the files of a single bake, whatever the chunks, their order, repetitions, machines and faults. */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { levelScenes } from 'navkiln-scenes';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundle } from '../../../../../../tools/bundle.mjs';
import { CURRENT, readManifest } from '../../../../src/world/streaming/manifest.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import { createPlanBaker, readPlan, readPlanParts } from '../../../../src/world/streaming/plan/bake.ts';
import { planPublication } from '../../../../src/world/streaming/plan/cut.ts';
import { finishPublication } from '../../../../src/world/streaming/plan/finish.ts';
import { chunkName, partName, planName, writePlan } from '../../../../src/world/streaming/plan/plan-file.ts';
import type { PlanPart, PublicationPlan } from '../../../../src/world/streaming/plan/types.ts';
import { publishWorld } from '../../../../src/world/streaming/publish.ts';
import type { BlobStore } from '../../../../src/build/voxel/pool-types.ts';
import type { BuildOptions, TriangleInput } from '../../../../src/build/voxel/options.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { closeBakePool, createBakePool } from '../../../../src/world/worker/pool.ts';
import { seeded } from '../../meshes.ts';

const scene = levelScenes.find(({ name }) => name === 'courtyard')!;
const given = scene.create();
const link = { start: [-10, 1, -10], end: [10, 1, 10], bothWays: true, name: 'gate' };
const options: BuildOptions = {
  ...scene.options,
  cellSize: 0.8,
  cellHeight: 0.4,
  tileSize: 16,
  links: createLinks([link]),
};
const moved = (by: number): TriangleInput => ({
  ...given,
  positions: Float64Array.from(given.positions, (v, i) => (i % 3 === 1 ? v : v + by)),
});

const SCRIPT = join(import.meta.dirname, '../../../../dist/bake-worker.js');
const pool = createBakePool({ workers: 2, createWorker: () => new Worker(SCRIPT) });
beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundle();
});
afterAll(() => closeBakePool(pool));

/** Returns all tiles and chunks of a plan. */
async function contentOf(store: BlobStore, plan: PublicationPlan): Promise<PlanPart> {
  const all: PlanPart = { tiles: { number: [], key: [] }, chunks: [] };
  for await (const { tiles, chunks } of readPlanParts(store, plan)) {
    all.tiles.number.push(...tiles.number);
    all.tiles.key.push(...tiles.key);
    all.chunks.push(...chunks);
  }
  return all;
}

async function filesOf(store: BlobStore): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of (await store.keys()).sort())
    files[name] = Buffer.from((await store.get(name))!).toString('base64');
  return files;
}

async function published(
  level: TriangleInput,
  bake: BuildOptions,
  base?: TriangleInput,
): Promise<Record<string, string>> {
  const store = createMemoryCache();
  if (base !== undefined) await publishWorld(store, base, bake);
  await publishWorld(store, level, bake);
  return filesOf(store);
}

const middle = [0, 2].map((k) => {
  const values = Array.from(given.positions).filter((_, i) => i % 3 === k);
  return (Math.min(...values) + Math.max(...values)) / 2;
});
const box = {
  type: 'box' as const,
  min: [middle[0]! - 5, -1, middle[1]! - 5],
  max: [middle[0]! + 5, 3, middle[1]! + 5],
};
const VARIANTS: [string, TriangleInput, BuildOptions][] = [
  ['float32', { ...given, positions: Float32Array.from(given.positions) }, options],
  ['doubles far from the origin', moved(123_456.7), { ...options, links: createLinks([]) }],
  [
    'volumes and obstacles',
    given,
    {
      ...options,
      volumes: createVolumes([
        { ...box, area: 5 },
        { ...box, name: 'door', enabled: false },
      ]),
      obstacles: createObstacles([
        { type: 'box', size: [3, 3, 3], position: [middle[0]!, 1, middle[1]!], rotation: 30 },
        { type: 'cylinder', radius: 2, height: 1, position: [middle[0]! + 9, 1, middle[1]!], effect: 'surface' },
      ]),
    },
  ],
  [
    'bounds',
    given,
    {
      ...options,
      links: createLinks([]),
      bounds: { min: [middle[0]! - 20, -5, middle[1]! - 25], max: [middle[0]! + 21, 9, middle[1]! + 19] },
    },
  ],
];

describe('a planned publication', () => {
  it.each(VARIANTS)('has the files of publishWorld: %s', async (_, level, bake) => {
    const expected = await published(level, bake);
    for (const [chunkTiles, workers] of [
      [1, undefined],
      [7, pool],
      [4096, undefined],
    ] as const) {
      const store = createMemoryCache();
      const { plan, plannedTiles } = await planPublication(store, level, bake, { chunkTiles });
      expect(plannedTiles).toBe(plan.tiles);
      const again = (await readPlan(store))!;
      const { chunks } = await contentOf(store, again);
      const baker = createPlanBaker(store, again, workers === undefined ? {} : { pool: workers });
      const random = seeded(chunkTiles);
      const order = chunks.map(({ key }) => ({ key, at: random() })).sort((a, b) => a.at - b.at);
      await Promise.all(order.map(({ key }) => baker.bakeChunk(key)));
      baker.close();
      await finishPublication(store, again);
      expect(await filesOf(store)).toEqual(expected);
    }
  });

  it('bakes only tiles that changed, and has the number of the next publication', async () => {
    const store = createMemoryCache();
    await publishWorld(store, given, options);
    const crate = [0, 0, 1, 0, 2, 1, 1, 0, 1].map((v, i) => v + [middle[0]!, 0, middle[1]!][i % 3]!);
    const vertices = given.positions.length / 3;
    const level = {
      positions: [...given.positions, ...crate],
      indices: [...given.indices, vertices, vertices + 1, vertices + 2],
    };
    const { plan, plannedTiles, reusedTiles } = await planPublication(store, level, options);
    expect(plannedTiles).toBeGreaterThan(0);
    expect(reusedTiles).toBeGreaterThan(plannedTiles);
    const baker = createPlanBaker(store, plan);
    for (const { key } of (await contentOf(store, plan)).chunks) await baker.bakeChunk(key);
    expect((await finishPublication(store, plan)).sequence).toBe(2);
    expect(await filesOf(store)).toEqual(await published(level, options, given));
    const nothing = await planPublication(store, level, options);
    expect(nothing.plan.chunks).toBe(0);
    expect((await finishPublication(store, nothing.plan)).sequence).toBe(3);
  });

  it('resumes at every write that fails, by any number of bakers, and stores no manifest before its end', async () => {
    const expected = await published(given, options);
    let isDone = false;
    let failures = 0;
    const kept = createMemoryCache();
    for (let writes = 3; !isDone; writes += 3) {
      let left = writes;
      const store: BlobStore = {
        ...kept,
        set: async (name, bytes) => {
          if (left-- <= 0) throw new Error('the disk is full');
          await kept.set(name, bytes);
        },
        delete: async (name) => {
          if (left-- <= 0) throw new Error('the disk is full');
          await kept.delete(name);
        },
      };
      try {
        const { plan } = await planPublication(store, given, options, { chunkTiles: 5 });
        const bakers = [createPlanBaker(store, plan), createPlanBaker(store, plan)];
        for (const { key } of (await contentOf(store, plan)).chunks)
          await Promise.all(bakers.map((baker) => baker.bakeChunk(key)));
        await finishPublication(store, plan);
        isDone = true;
      } catch (error) {
        failures++;
        expect((error as Error).message).toContain('the disk is full');
      }
      const bytes = await kept.get(CURRENT);
      if (bytes !== undefined) {
        const { tiles } = readManifest(bytes);
        expect(new Set(tiles.number).size).toBe(tiles.number.length);
        for (const key of tiles.key) expect(expected).toHaveProperty([`tiles/${key}.navtile`]);
      }
    }
    expect(failures).toBeGreaterThan(3);
    const files = await filesOf(kept);
    for (const [name, text] of Object.entries(expected)) if (name.startsWith('tiles/')) expect(files[name]).toBe(text);
    expect(Object.keys(files).filter((name) => name.startsWith('farm/'))).toEqual([]);
  });

  it('names the tiles that fail, stores the others, and bakes one alone', async () => {
    const kept = createMemoryCache();
    const { plan } = await planPublication(kept, given, options, { chunkTiles: 4 });
    const { tiles, chunks } = await contentOf(kept, plan);
    const bad = `tiles/${tiles.key[5]}.navtile`;
    const store: BlobStore = {
      ...kept,
      set: (name, bytes) => (name === bad ? Promise.reject(new Error('the device failed')) : kept.set(name, bytes)),
    };
    const baker = createPlanBaker(store, plan);
    const number = tiles.number[5]!;
    const [x, z] = [number % plan.head.countX, Math.floor(number / plan.head.countX)];
    const error = (await baker.bakeChunk(chunks[1]!.key).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toBe(`bakeChunk: 1 of 4 tiles failed: tile ${x}, ${z}: the device failed`);
    expect(error).toMatchObject({ tiles: [{ x, z, reason: 'the device failed' }] });
    expect((await kept.keys()).filter((name) => name.startsWith('tiles/'))).toHaveLength(3);
    await expect(finishPublication(kept, plan)).rejects.toThrow(/\d+ of \d+ chunks are not baked; bake them first/);
    const row = await createPlanBaker(kept, plan).bakeTile(x, z);
    expect(row.bytes).toBe((await kept.get(bad))!.length);
    await expect(baker.bakeTile(-1, 0)).rejects.toThrow("tile -1, 0 is not one of the plan's tiles to bake");
    expect(await createPlanBaker(kept, plan).bakeChunk(chunks[1]!.key)).toMatchObject({ bakedTiles: 0 });
  });

  it('lets one of two plans end, and refuses damaged files and other versions', async () => {
    const store = createMemoryCache();
    const { plan: first } = await planPublication(store, given, options);
    expect(await planPublication(store, given, options)).toMatchObject({ isResumed: true, writtenBytes: 0 });
    const other = { ...options, cellSize: 0.7 };
    await expect(planPublication(store, given, other)).rejects.toThrow(
      /another plan \([0-9a-f]{8}\) of this world is worked on; let it end/,
    );
    const { plan: second } = await planPublication(store, given, other, { replace: true });
    expect((await store.keys()).filter((name) => name.startsWith('farm/chunks'))).toHaveLength(second.chunks);
    await expect(finishPublication(store, first)).rejects.toThrow('has replaced this one');
    const { chunks } = await contentOf(store, second);
    const [chunk] = chunks;
    const whole = (await store.get(chunkName(chunk!.key)))!;
    await store.set(
      chunkName(chunk!.key),
      whole.map((value, i) => (i === 99 ? value ^ 1 : value)),
    );
    const baker = createPlanBaker(store, second);
    await expect(baker.bakeChunk(chunk!.key)).rejects.toThrow('is damaged or cut off; delete it and plan again');
    await store.delete(chunkName(chunk!.key));
    await expect(baker.bakeChunk(chunk!.key)).rejects.toThrow(/the store has no farm\/chunks\/.*plan again/);
    const part = partName(second.parts[0]!);
    const bytes = (await store.get(part))!;
    await store.set(part, bytes.slice(9));
    await expect(contentOf(store, second)).rejects.toThrow(`${part} is missing or damaged; plan again`);
    await store.set(part, bytes);
    await publishWorld(store, given, options);
    await store.set(chunkName(chunk!.key), whole);
    for (const { key } of chunks) await baker.bakeChunk(key);
    await expect(finishPublication(store, second)).rejects.toThrow(
      'the world was published meanwhile (publication 1); plan again',
    );
    const { key, ...rest } = second;
    await store.set(planName(key), writePlan({ ...second, bakeVersion: 77 }));
    await expect(readPlan(store)).rejects.toThrow(
      /its bake version is 77, and this navkiln has \d+; install the same version/,
    );
    await store.set(planName(key), writePlan({ key, ...rest, sequence: 9 }));
    await expect(readPlan(store)).rejects.toThrow('its content does not match its name; plan again');
    await store.set(planName(key), new Uint8Array(5));
    await expect(readPlan(store)).rejects.toThrow('it is damaged or not a plan; plan again');
    // It cannot end any more, so another plan may take its place.
    const { plan: third } = await planPublication(store, given, options);
    expect(third).toMatchObject({ chunks: 0, sequence: 2 });
    expect(await readPlan(store)).toEqual(third);
    await finishPublication(store, third);
    expect(await readPlan(store)).toBe(undefined);
  });

  it('holds a few bytes for each tile while it is planned', () => {
    const script = join(import.meta.dirname, 'plan-memory.mjs');
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const { tiles, held, written } = JSON.parse(stdout) as Record<'tiles' | 'held' | 'written', number[]>;
    expect(tiles).toEqual([4096, 16_384]);
    expect(written[1]! / tiles[1]!).toBeGreaterThan(100);
    // 4 for each tile and each triangle in it, 8 in the list of tiles. A plan that is kept whole takes more than 200.
    expect((held[1]! - held[0]!) / (tiles[1]! - tiles[0]!)).toBeLessThan(80);
  });
});
