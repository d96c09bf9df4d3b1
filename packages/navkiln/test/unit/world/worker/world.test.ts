/**
 * Worlds baked in workers: the same bytes as `updateWorld` on one thread, and changes, aborts and faults in between. The workers run the
 * bundled script.
 */
import { createLinks } from '../../../../src/build/voxel/link-list.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../../../../tools/bundle.mjs';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BakePool } from '../../../../src/build/voxel/pool-types.ts';
import { closeBakePool, createBakePool } from '../../../../src/world/worker/pool.ts';
import type { BakePoolOptions } from '../../../../src/world/worker/pool.ts';
import type { BakeWorker } from '../../../../src/world/worker/port.ts';
import { bakeWorld } from '../../../../src/world/levels/bake.ts';
import type { WorldBakeOptions } from '../../../../src/world/levels/bake.ts';
import { createWorld, openWorld } from '../../../../src/world/levels/create.ts';
import { addLevel, moveLevel, removeLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle, moveObstacle, removeObstacle } from '../../../../src/world/levels/obstacles.ts';
import { createSurfaceWorld } from '../../../../src/world/levels/surface.ts';
import type { World, WorldObstacle } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import type { WorldUpdate } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';
import { SET_OPTIONS, hills, randomPiece, randomPlacement, tilesOf } from '../levels/level-cases.ts';

const SCRIPT = join(import.meta.dirname, '../../../../dist/bake-worker.js');
const SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
/** Numbers of workers and seeds. `npm run soak` sets NAVKILN_FULL. */
const CASES = (process.env.NAVKILN_FULL === undefined ? [0, 2, 2] : [0, 2, 2, 0, 2, 0]).map((workers, k) => [
  workers,
  SEED + k,
]);

beforeAll(async () => {
  if (!existsSync(SCRIPT)) await bundle();
});

let pools: BakePool[] = [];
afterEach(() => {
  for (const pool of pools) closeBakePool(pool);
  pools = [];
});

function openPool(options: BakePoolOptions): BakePool {
  const pool = createBakePool({ createWorker: () => new Worker(SCRIPT), ...options });
  pools.push(pool);
  return pool;
}

const GROUND = hills(seeded(7), 12, 28, 1.2);
const CYLINDER: WorldObstacle = { type: 'cylinder', position: [9, 0.5, 9], radius: 2, height: 4 };
const MUD: WorldObstacle = { type: 'box', size: [7, 4, 3], position: [20, 0, 14], effect: 'area', area: 9 };
const BRIDGE: WorldObstacle = { type: 'box', size: [9, 0.3, 2], position: [12, 2, 20], effect: 'surface', area: 5 };

/** A world of hills, and a level that lies over them. */
function createHills(): World {
  const world = createWorld({ ...SET_OPTIONS, links: createLinks([{ start: [2, 0, 2], end: [6, 0, 6], radius: 2 }]) });
  addLevel(world, GROUND);
  addLevel(world, { positions: [0, 0, 0, 0, 0, 8, 8, 0, 8], indices: [0, 1, 2] }, { position: [10, 2, 10] });
  return world;
}

const COUNTS = ['rebuiltTiles', 'changedTileCount', 'pendingTileCount', 'waitingObstacleCount', 'warnings'] as const;
const countsOf = (update: WorldUpdate): unknown => COUNTS.map((name) => update[name]);

describe('a world that is baked in a pool has the bytes of updateWorld', () => {
  it.each(process.env.NAVKILN_FULL === undefined ? [0, 2] : [undefined, 0, 1, 2])('%s workers', async (workers) => {
    const pool = workers === undefined ? undefined : openPool({ workers });
    const [ours, theirs] = [createHills(), createHills()];
    const compare = async (seconds: number): Promise<void> => {
      const seen: number[] = [];
      const onProgress: WorldBakeOptions['onProgress'] = ({ done, total, msLeft }) => seen.push(done, total, msLeft!);
      const update = await bakeWorld(ours, { pool, seconds, onProgress });
      expect(countsOf(update)).toEqual(countsOf(updateWorld(theirs, { seconds })));
      expect(update.navMesh).toBe(ours.navMesh);
      expect(saveNavMesh(ours.navMesh)).toEqual(saveNavMesh(theirs.navMesh));
      expect(validateNavMesh(ours.navMesh)).toEqual([]);
      const count = update.rebuiltTiles.length;
      expect(seen.slice(-3)).toEqual([count, count, 0]);
      expect(seen.length).toBe(3 * (count + 1));
    };
    await compare(0);
    expect(ours.navMesh.polyCount).toBeGreaterThan(40);
    // From packed spans, with a hole, an area and added surface; one waits.
    for (const world of [ours, theirs]) {
      for (const obstacle of [CYLINDER, MUD, BRIDGE]) addObstacle(world, obstacle);
      addObstacle(world, { ...CYLINDER, position: [22, 0.5, 5], carveAfterSeconds: 1 });
    }
    await compare(0);
    for (const world of [ours, theirs]) moveObstacle(world, 3, { position: [14, 1.5, 12], rotation: 30 });
    await compare(2);
    // A level that lies lower moves the first row: all tiles are baked again.
    for (const world of [ours, theirs]) addLevel(world, GROUND, { position: [6, -150, 0] });
    await compare(0);
    for (const world of [ours, theirs]) removeLevel(world, 2);
    await compare(0);
    // Nothing to do.
    await compare(0);
  });

  it('a world that was opened from a dynamic bake, with bounds', async () => {
    const bounds = { min: [-1, -3, -1], max: [27, 9, 25] };
    const { navMesh } = buildNavMesh(GROUND, { ...SET_OPTIONS, bounds, dynamic: dynamicLayers });
    const [ours, theirs] = [openWorld(structuredClone(navMesh)), openWorld(structuredClone(navMesh))];
    const pool = openPool({ workers: 2 });
    for (let round = 0; round < 2; round++) {
      for (const world of [ours, theirs]) {
        addObstacle(world, { ...CYLINDER, position: [9 + 5 * round, 0.5, 9] });
        if (round > 0) addLevel(world, { positions: [0, 1, 0, 0, 1, 8, 8, 1, 8], indices: [0, 1, 2] });
      }
      expect(countsOf(await bakeWorld(ours, { pool }))).toEqual(countsOf(updateWorld(theirs)));
      expect(saveNavMesh(ours.navMesh)).toEqual(saveNavMesh(theirs.navMesh));
    }
  });
});

describe('changes during a bake', () => {
  /** Random changes of a world, the same for the same numbers. */
  function change(world: World, random: () => number): void {
    const roll = random();
    const position = [28 * random(), 2 * random(), 28 * random()];
    if (roll < 0.3) addObstacle(world, { ...[CYLINDER, MUD, BRIDGE][Math.floor(3 * random())], position });
    else if (roll < 0.5) moveObstacle(world, 1 + Math.floor(world.nextObstacleId * random()), { position });
    else if (roll < 0.6) removeObstacle(world, 1 + Math.floor(world.nextObstacleId * random()));
    else if (roll < 0.75) addLevel(world, randomPiece(random), randomPlacement(random));
    else if (roll < 0.85) moveLevel(world, 2 + Math.floor(world.nextId * random()), { position });
    else removeLevel(world, 2 + Math.floor(world.nextId * random()));
  }

  it.each(CASES)(
    '%i workers, seed %i: all tiles are those of a world that was changed before its update',
    async (workers, seed) => {
      const pool = openPool({ workers });
      const [ours, theirs] = [createHills(), createHills()];
      const random = seeded(seed);
      const seeds: number[] = [];
      const onProgress: WorldBakeOptions['onProgress'] = ({ stage }) => {
        if (stage === '' || seeds.length >= 12 || random() > 0.3) return;
        seeds.push(Math.floor(1e6 * random()));
        change(ours, seeded(seeds.at(-1)!));
        // A game may also update the world by itself.
        if (random() < 0.2) updateWorld(ours, { maxTiles: 3 });
      };
      const update = await bakeWorld(ours, { pool, onProgress });
      expect(update.pendingTileCount).toBe(0);
      expect(seeds.length).toBe(12);
      for (const each of seeds) change(theirs, seeded(each));
      updateWorld(theirs);
      expect(validateNavMesh(ours.navMesh)).toEqual([]);
      expect(tilesOf(ours.navMesh)).toEqual(tilesOf(theirs.navMesh));
      // Nothing is left, and all layers are those of the levels.
      expect(updateWorld(ours).rebuiltTiles).toEqual([]);
      for (const world of [ours, theirs]) addObstacle(world, { type: 'box', size: [26, 5, 26], position: [14, 1, 14] });
      updateWorld(ours);
      updateWorld(theirs);
      expect(tilesOf(ours.navMesh)).toEqual(tilesOf(theirs.navMesh));
    },
  );
});

describe('aborts and faults', () => {
  it.each([0, 2])('%i workers: an abort leaves a valid mesh, which the next update completes', async (workers) => {
    const pool = openPool({ workers });
    const [ours, theirs] = [createHills(), createHills()];
    const small = { positions: [0, 0, 0, 0, 0, NaN, 8, 0, 8], indices: [0, 1, 2] };
    for (const world of [ours, theirs]) addLevel(world, small);
    const controller = new AbortController();
    let later = 0;
    const onProgress: WorldBakeOptions['onProgress'] = ({ done }) => {
      if (controller.signal.aborted) later++;
      else if (done >= 3) controller.abort(new Error('stopped'));
    };
    await expect(bakeWorld(ours, { pool, onProgress, signal: controller.signal })).rejects.toThrow('stopped');
    const { size } = tilesOf(ours.navMesh);
    expect(size).toBeLessThan(30);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(tilesOf(ours.navMesh).size).toBe(size);
    expect(later).toBe(0);
    expect(validateNavMesh(ours.navMesh)).toEqual([]);
    const update = await bakeWorld(ours, { pool });
    const { warnings } = updateWorld(theirs);
    expect(tilesOf(ours.navMesh)).toEqual(tilesOf(theirs.navMesh));
    expect(update.pendingTileCount).toBe(0);
    // The warnings of the aborted bake are not lost.
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'invalid-positions' }));
    expect(update.warnings).toEqual(expect.arrayContaining(warnings));
  });

  it('a worker that stops is replaced; a tile that stops two is left out and reported', async () => {
    const dying = `
      const { parentPort, workerData } = require('node:worker_threads');
      const on = parentPort.on.bind(parentPort);
      let seen = 0;
      parentPort.on = (event, listener) => on(event, (request) => {
        if (request.type === 'job' && (workerData.x === undefined ? ++seen === 3 : request.job.x === workerData.x && request.job.z === 2)) process.exit(3);
        listener(request);
      });
      import(workerData.script);
    `;
    const start = (x?: number): BakeWorker => new Worker(dying, { eval: true, workerData: { script: SCRIPT, x } });
    const [ours, theirs] = [createHills(), createHills()];
    let count = 0;
    const createWorker = (): BakeWorker => (count++ === 0 ? start() : new Worker(SCRIPT));
    await bakeWorld(ours, { pool: openPool({ workers: 2, createWorker }) });
    updateWorld(theirs);
    expect(count).toBe(3);
    expect(saveNavMesh(ours.navMesh)).toEqual(saveNavMesh(theirs.navMesh));
    const damaged = createHills();
    const { warnings } = await bakeWorld(damaged, { pool: openPool({ workers: 2, createWorker: () => start(1) }) });
    const [lost] = warnings.filter(({ code }) => code === 'tile-lost');
    expect(lost).toMatchObject({ count: 1, where: { tile: [1, 2] } });
    expect(tilesOf(damaged.navMesh).size).toBe(tilesOf(theirs.navMesh).size - 1);
    expect(validateNavMesh(damaged.navMesh)).toEqual([]);
  });

  it('a warning of a strict world rejects, and the world can go on', async () => {
    const create = (): World => {
      const world = createWorld({ ...SET_OPTIONS, strict: true, detailSampleDistance: 0.01, detailMaxError: 0 });
      addLevel(world, GROUND);
      return world;
    };
    let message = '';
    try {
      updateWorld(create());
    } catch (error) {
      ({ message } = error as Error);
    }
    const outcome = await bakeWorld(create(), { pool: openPool({ workers: 2 }) }).catch(
      (error: Error) => error.message,
    );
    if (message !== '') expect(outcome).toBe(message);
    else expect(outcome).toHaveProperty('navMesh');
  });

  it('refuses what it cannot do', async () => {
    const pool = openPool({ workers: 1 });
    const world = createHills();
    const running = bakeWorld(world, { pool });
    await expect(bakeWorld(world, { pool })).rejects.toThrow(
      'bakeWorld: world is being baked; await or abort that bake first',
    );
    await running;
    const flat = createSurfaceWorld({ tileSize: 8 });
    addLevel(flat, GROUND);
    await expect(bakeWorld(flat, { pool })).rejects.toThrow(
      'bakeWorld: options.pool is "set"; must be left out for worlds of surface meshes',
    );
    expect((await bakeWorld(flat)).rebuiltTiles.length).toBeGreaterThan(3);
    const wrong: [unknown, RegExp][] = [
      [{ pool: {} }, /^bakeWorld: options\.pool\.run is undefined/],
      [{ seconds: -1 }, /^bakeWorld: options\.seconds is -1; must be 0 or more/],
      [{ onProgress: 1 }, /^bakeWorld: options\.onProgress is 1/],
      [{ maxMs: 1 }, /^bakeWorld: .*maxMs/],
      [null, /^bakeWorld: options is null/],
    ];
    for (const [options, error] of wrong) await expect(bakeWorld(world, options as never)).rejects.toThrow(error);
    await expect(bakeWorld({} as never)).rejects.toThrow(/^bakeWorld: world is/);
    await expect(bakeWorld(world, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    addObstacle(world, CYLINDER);
    const closing = bakeWorld(world, { pool });
    closeBakePool(pool);
    await expect(closing).rejects.toThrow('bakeWorld: options.pool was closed during the bake');
    await expect(bakeWorld(world, { pool })).rejects.toThrow(/^bakeWorld: options\.pool is closed; must be/);
    await expect(
      bakeWorld(world, { pool: openPool({ workers: 1, createWorker: () => new Worker('/no/such.js') }) }),
    ).rejects.toThrow(/^bakeWorld: no worker of options\.pool starts \(/);
    expect((await bakeWorld(world)).rebuiltTiles.length).toBeGreaterThan(0);
  });
});
