/**
 * Brings the mesh of a world up to date without blocking. Workers of a pool bake the tiles, or this thread bakes them
 * in slices.
 *
 * Each tile is a job that contains everything it depends on. Built tiles are put into the mesh in the order of the
 * queue, so an update without changes in between gives the bytes of `updateWorld`. A change removes the tiles that it
 * touches from `world.building`. Results of workers for these tiles are dropped, and the tiles are baked again.
 *
 * In: a world with marked tiles. Out: a mesh that equals a fresh bake of all levels and obstacles.
 * Cost: the build of each marked tile, shared among the workers, and a copy of its input.
 * Based on: own.
 */
import { checkFunction, checkKeys, checkObject, checkSignal, refuse } from '../../base/data/refuse.ts';
import { nextTurn } from '../../base/data/turn.ts';
import { keyOfTile, tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import type { BakePool, PoolControl, PoolJobs } from '../../build/voxel/pool-types.ts';
import type { BuildProgress } from '../../build/voxel/options.ts';
import type { BuiltTile, LevelWarning } from './builder.ts';
import { checkWorld } from './marks.ts';
import { carveWaiting } from './obstacles.ts';
import { tileJob } from './tile-jobs.ts';
import type { TileJob } from './tile-jobs.ts';
import type { World } from './types.ts';
import { leaveOut, queueMarked, replaceTile, updateWorld } from './update.ts';
import type { WorldUpdate } from './update.ts';

/** Milliseconds on this thread before other work can run. */
const TURN_MS = 4;

/** Options of `bakeWorld`. */
export interface WorldBakeOptions {
  /** Bakes the tiles in workers: a pool of `createBakePool` (navkiln/worker). Default: on this thread, 4 ms at a time. */
  pool?: BakePool;
  /** Aborts the bake immediately. The mesh stays valid, and the remaining tiles wait for the next update. */
  signal?: AbortSignal;
  /**
   * Called after each tile: `done` of `total` tiles are up to date. Changes during the bake increase `total`. The
   * callback may change the world.
   */
  onProgress?: (progress: BuildProgress) => void;
  /** Seconds since the last update, >= 0: the clock of `carveAfterSeconds`. Default 0. */
  seconds?: number;
}

const OPTION_KEYS: readonly (keyof WorldBakeOptions)[] = ['pool', 'signal', 'onProgress', 'seconds'];

/** A running bake. */
interface Run {
  world: World;
  options: WorldBakeOptions;
  begun: number;
  /** Keys of the rebuilt tiles, in the order of their first rebuild. */
  rebuilt: Set<number>;
  doneCount: number;
  changedTileCount: number;
  warnings: LevelWarning[];
}

/**
 * Rebuilds the tiles that changes touch, like `updateWorld`, in the workers of a pool. The world may be changed and
 * used in the meantime. Tiles that such a change touches are baked again, and the promise resolves when no tile is
 * left. The path index of the world is updated after the tiles, on this thread, 4 ms at a time.
 *
 * @returns the result of `updateWorld` for all tiles together
 * @throws (rejects with) the errors of `updateWorld`; the signal's reason when it is aborted; Error while another bake
 *   of this world runs, and when no worker starts; RangeError for a pool with a world whose tiles do not come from the
 *   voxel bake
 */
export async function bakeWorld(world: World, options: WorldBakeOptions = {}): Promise<WorldUpdate> {
  checkOptions(world, options);
  const { pool, signal, seconds = 0 } = options;
  checkSignal('bakeWorld', 'options.signal', signal);
  if (world.isBaking) throw new Error('bakeWorld: world is being baked; await or abort that bake first');
  const run: Run = {
    world,
    options,
    begun: performance.now(),
    rebuilt: new Set(),
    doneCount: 0,
    changedTileCount: 0,
    warnings: [],
  };
  world.isBaking = true;
  let isDone = false;
  try {
    carveWaiting(world, seconds);
    do {
      if (pool === undefined || pool.workers === 0) await bakeHere(run);
      else await pool.run('bakeWorld', (control) => jobsOf(run, control), signal);
    } while (!(await updateIndex(run)));
    isDone = true;
  } finally {
    world.isBaking = false;
    world.building.clear();
    // The next update reports them.
    if (!isDone) world.warnings = [...run.warnings, ...world.warnings];
  }
  options.onProgress?.({ stage: '', done: run.doneCount, total: run.doneCount, msLeft: 0 });
  return {
    navMesh: world.navMesh,
    rebuiltTiles: [...run.rebuilt].map(tileOfKey),
    changedTileCount: run.changedTileCount,
    pendingTileCount: world.queued.size + world.marked.size,
    overMs: 0,
    provisionalTiles: [],
    isIndexCurrent: true,
    areLinksCurrent: true,
    waitingObstacleCount: world.waiting.size,
    warnings: run.warnings,
  };
}

function checkOptions(world: World, options: WorldBakeOptions): void {
  const caller = 'bakeWorld';
  checkWorld(caller, world);
  checkObject(caller, 'options', options);
  checkKeys(caller, options, OPTION_KEYS);
  const { pool, onProgress, seconds = 0 } = options;
  if (pool !== undefined) checkFunction(caller, 'options.pool.run', pool?.run);
  if (onProgress !== undefined) checkFunction(caller, 'options.onProgress', onProgress);
  if (typeof seconds !== 'number' || !(seconds >= 0)) refuse(caller, 'options.seconds', seconds, '0 or more');
  if (pool !== undefined && pool.workers > 0 && world.builder.workerSetup === undefined) {
    refuse(
      caller,
      'options.pool',
      'set',
      'left out for worlds of surface meshes, over 2D maps and of builders of your own',
    );
  }
}

/** Adds the warnings of an update: one a tile may be more than a call takes as arguments. */
function addWarnings(run: Run, warnings: readonly LevelWarning[]): void {
  for (const warning of warnings) run.warnings.push(warning);
}

/** Bakes on this thread, a few milliseconds at a time. */
async function bakeHere(run: Run): Promise<void> {
  const { world, options } = run;
  for (;;) {
    const update = updateWorld(world, { maxMs: TURN_MS });
    run.changedTileCount += update.changedTileCount;
    addWarnings(run, update.warnings);
    for (const [x, z] of update.rebuiltTiles) {
      note(run, keyOfTile(x, z));
      options.signal?.throwIfAborted();
    }
    if (world.queued.size + world.marked.size === 0) return;
    await nextTurn();
    options.signal?.throwIfAborted();
  }
}

/**
 * Updates automatic links and the path index, a few milliseconds at a time. Returns false as soon as tiles change in
 * the meantime.
 */
async function updateIndex({ world, options, warnings }: Run): Promise<boolean> {
  for (;;) {
    const end = performance.now() + TURN_MS;
    const isTimeUp = (): boolean => performance.now() > end;
    const { pathIndex, worldLinks, navMesh } = world;
    // Links come first, because they change the mesh of the index.
    if (world.areLinksPending) world.keepReachable?.restore(navMesh);
    world.areLinksPending = worldLinks?.update(world, isTimeUp) === false;
    leaveOut(world, 'bakeWorld', warnings);
    if (!world.areLinksPending) {
      if (pathIndex === undefined || pathIndex.update(navMesh, isTimeUp)) return true;
    }
    await nextTurn();
    options.signal?.throwIfAborted();
    if (world.queued.size + world.marked.size > 0) return false;
  }
}

/** Notes that a tile is done, and reports the progress. */
function note(run: Run, key: number): void {
  const { world, rebuilt, options, begun } = run;
  rebuilt.add(key);
  const done = ++run.doneCount;
  const left = world.queued.size + world.marked.size;
  const msLeft = ((performance.now() - begun) / done) * left;
  options.onProgress?.({ stage: `tile ${tileOfKey(key).join(', ')}`, done, total: done + left, msLeft });
}

/** Returns the jobs of a bake for a pool. */
function jobsOf(run: Run, { feed, end }: PoolControl): PoolJobs {
  const { world } = run;
  /** Jobs in the order in which their tiles are put into the mesh, from `first` on. */
  const order: TileJob[] = [];
  let first = 0;
  const built = new Map<TileJob, BuiltTile>();
  let isAdding = false;
  const isCurrent = ({ key, number }: TileJob): boolean => world.building.get(key) === number;
  const nextKey = (): number | undefined => {
    for (const key of world.queued) if (!world.building.has(key)) return key;
    return undefined;
  };

  /** Puts built tiles into the mesh in order, up to the first tile that is not built yet. */
  const add = async (): Promise<void> => {
    if (isAdding) return;
    isAdding = true;
    let since = performance.now();
    for (; first < order.length; first++) {
      const job = order[first];
      const tile = built.get(job);
      if (!isCurrent(job)) continue;
      if (tile === undefined) break;
      built.delete(job);
      if (replaceTile(world, job.key, tile)) run.changedTileCount++;
      addWarnings(run, tile.warnings);
      note(run, job.key);
      if (run.options.signal?.aborted === true) return;
      if (performance.now() - since < TURN_MS) continue;
      await nextTurn();
      // The bake was aborted, or the pool closed.
      if (!world.isBaking) return;
      since = performance.now();
    }
    isAdding = false;
    if (world.queued.size + world.marked.size === 0) end();
    else feed();
  };

  const receive = (job: TileJob, tile: BuiltTile): void => {
    if (isCurrent(job)) built.set(job, tile);
    add().catch(end);
  };
  const hasNext = (): boolean => world.marked.size > 0 || nextKey() !== undefined;
  addWarnings(run, queueMarked(world));
  if (!hasNext()) end();
  return {
    setup: world.builder.workerSetup,
    hasNext,
    next() {
      if (world.marked.size > 0) addWarnings(run, queueMarked(world));
      const key = nextKey();
      if (key === undefined) return undefined;
      const job = tileJob(world, key, order.length);
      world.building.set(key, job.number);
      order.push(job);
      return job;
    },
    receive: (job, tile) => receive(job as TileJob, tile as BuiltTile),
    giveUp(given) {
      const job = given as TileJob;
      const message = 'a tile has stopped two workers and is left out; a smaller tileSize takes less memory';
      const where = { tile: [job.x, job.z] as [number, number] };
      receive(job, { tile: null, warnings: [{ code: 'tile-lost', stage: 'navmesh', count: 1, message, where }] });
    },
  };
}
