/**
 * Bakes the chunks of a plan: reads a chunk, bakes its tiles in a pool or on this thread, stores each tile, and finally
 * the rows of the chunk.
 *
 * A chunk may be baked several times, even by several machines at the same time. Stored tiles are not baked again, and
 * a tile has the same bytes on each machine. The rows are written last, so a chunk with rows is done.
 *
 * In: a plan, chunks in a store. Out: tiles and rows in the store.
 * Cost: the bake of the missing tiles.
 * Based on: own.
 */
import {
  checkHandle,
  checkKeys,
  checkObject,
  checkSignal,
  checkString,
  refuse,
  refuseType,
} from '../../../base/data/refuse.ts';
import { nextTurn } from '../../../base/data/turn.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { BakePool, BlobStore, PoolControl } from '../../../build/voxel/pool-types.ts';
import type { BuildWarning } from '../../../build/voxel/report.ts';
import { decodeEntry } from '../../worker/cache-entry.ts';
import { decodeChunk } from '../../worker/chunks/chunk-file.ts';
import type { Chunk } from '../../worker/chunks/chunk-file.ts';
import { jobOfChunk, startChunkJobs } from '../../worker/chunks/chunk-jobs.ts';
import type { ChunkAnswer, ChunkJob, ChunkSetup } from '../../worker/chunks/chunk-jobs.ts';
import { canShare } from '../../../base/data/threads.ts';
import { rowOf } from '../../worker/tile-row.ts';
import type { TileRow } from '../../worker/tile-row.ts';
import { isContentKey, tileName } from '../manifest.ts';
import { checkStore } from '../store.ts';
import { areRows } from './check-plan.ts';
import {
  chunkName,
  chunkRoutesName,
  fromBytes,
  keyOfRows,
  loadCurrent,
  loadParts,
  loadPlan,
  rowsName,
  toBytes,
} from './plan-file.ts';
import type { PlanPart, PublicationPlan } from './types.ts';

const CALLER = 'createPlanBaker';

/** The tiles of a chunk, all stored. */
export interface BakedChunk {
  /** Rows of the manifest, in the order of the chunk's tiles. */
  rows: TileRow[];
  /** Warnings of the tiles that this call baked. */
  warnings: BuildWarning[];
  /** Number of tiles that this call baked; the others were stored before. */
  bakedTiles: number;
}

/** A tile that could not be baked or stored. */
export interface FailedTile {
  x: number;
  z: number;
  reason: string;
}

/** The error of a chunk with tiles that could not be baked or stored. All other tiles are stored. */
export interface ChunkError extends Error {
  tiles: FailedTile[];
}

/** Bakes chunks of one plan. */
export interface PlanBaker {
  /**
   * Bakes the missing tiles of a chunk, and stores them.
   *
   * @throws (rejects with) a `ChunkError` that names the tiles; Error when the chunk is missing or damaged; errors of the store; the
   *   signal's reason
   */
  bakeChunk: (key: string, signal?: AbortSignal) => Promise<BakedChunk>;
  /** Bakes one tile of the plan and stores it, even if it is already stored. Rejects with the errors of `bakeChunk`. */
  bakeTile: (x: number, z: number) => Promise<TileRow>;
  /** Closes the baker. Bakes in progress are rejected; the pool stays open. */
  close: () => void;
}

/**
 * Returns a baker for a plan of `planPublication`. `bakeChunk` may be called for several chunks at a time, as many as the pool has
 * workers.
 *
 * @param options `pool`: workers for the tiles; default: this thread
 * @throws TypeError, RangeError for an invalid store, plan or pool
 */
export function createPlanBaker(store: BlobStore, plan: PublicationPlan, options: { pool?: BakePool } = {}): PlanBaker {
  checkStore(CALLER, store);
  checkPlan(CALLER, plan);
  checkKeys(CALLER, options, ['pool']);
  const { pool } = options;
  if (pool !== undefined && typeof pool?.run !== 'function')
    refuseType(CALLER, 'options.pool', pool, 'a pool of createBakePool');
  const { settings, links } = plan.head;
  const setup = plan.routes === true ? { ...plan.setup, routes: { settings, links } } : plan.setup;
  const { bake, close } = pool === undefined || pool.workers === 0 ? bakeHere(setup) : bakeIn(pool, setup);
  return {
    bakeChunk: async (key, signal) => {
      checkString('bakeChunk', 'key', key);
      if (!isContentKey(key)) refuse('bakeChunk', 'key', key, 'the key of a chunk of the plan');
      checkSignal('bakeChunk', 'signal', signal);
      const rows = await loadRows(store, key);
      if (rows !== undefined) return { rows, warnings: [], bakedTiles: 0 };
      return bakeWhole(store, plan, await loadChunk(store, plan, key), key, bake, signal);
    },
    bakeTile: async (x, z) => {
      for (const [name, value] of Object.entries({ x, z })) checkHandle('bakeTile', name, value);
      const { countX } = plan.head;
      const tile = x + z * countX;
      const key = x >= 0 && x < countX ? await findChunk(store, plan, tile) : undefined;
      if (key === undefined) throw new RangeError(`bakeTile: tile ${x}, ${z} is not one of the plan's tiles to bake`);
      const loaded = await loadChunk(store, plan, key);
      const i = loaded.tiles.indexOf(tile);
      return storeTile(store, loaded.keys[i], await bake(jobOfChunk(loaded, i)));
    },
    close,
  };
}

/** Returns the key of the chunk of a tile, or undefined. */
async function findChunk(store: BlobStore, plan: PublicationPlan, tile: number): Promise<string | undefined> {
  for await (const { chunks } of loadParts('bakeTile', store, plan)) {
    const chunk = chunks.find(({ tiles }) => tiles.includes(tile));
    if (chunk !== undefined) return chunk.key;
  }
  return undefined;
}

/** Throws a TypeError unless `plan` is a plan. */
export function checkPlan(caller: string, plan: PublicationPlan): void {
  checkObject(caller, 'plan', plan);
  if (!Array.isArray(plan.parts) || plan.setup?.kind !== 'chunks' || !Number.isInteger(plan.tiles))
    refuseType(caller, 'plan', plan, 'a plan of planPublication or readPlan');
}

/**
 * Returns the current plan of a store, or undefined when there is none.
 *
 * @throws (rejects with) TypeError for an invalid store; Error for a plan that is damaged or of another version; errors
 *   of the store
 */
export async function readPlan(store: BlobStore): Promise<PublicationPlan | undefined> {
  checkStore('readPlan', store);
  const current = await loadCurrent(store);
  return current === undefined ? undefined : loadPlan('readPlan', store, current.plan);
}

/**
 * Returns the key of the current plan and the number of its manifest, or undefined. Reads one small file.
 *
 * @throws (rejects with) TypeError for an invalid store; errors of the store
 */
export async function currentPlan(store: BlobStore): Promise<{ plan: string; sequence: number } | undefined> {
  checkStore('currentPlan', store);
  return loadCurrent(store);
}

/**
 * Reads the parts of a plan one after the other. A part contains a few thousand tiles and their chunks.
 *
 * @throws TypeError for an invalid store or plan; (rejects with) Error for a part that is missing or damaged; errors of
 *   the store
 */
export function readPlanParts(store: BlobStore, plan: PublicationPlan): AsyncGenerator<PlanPart, void> {
  checkStore('readPlanParts', store);
  checkPlan('readPlanParts', plan);
  return loadParts('readPlanParts', store, plan);
}

/**
 * Returns the keys of chunks whose tiles are all stored.
 *
 * @throws (rejects with) TypeError for an invalid store; errors of the store
 */
export async function listDoneChunks(store: BlobStore): Promise<Set<string>> {
  checkStore('listDoneChunks', store);
  return new Set((await store.keys()).flatMap((name) => keyOfRows(name) ?? []));
}

/** Returns the rows of a finished chunk, or undefined. */
export async function loadRows(store: BlobStore, key: string): Promise<TileRow[] | undefined> {
  const bytes = await store.get(rowsName(key));
  const rows = bytes === undefined ? undefined : fromBytes(bytes)?.['rows'];
  return areRows(rows) ? rows : undefined;
}

async function loadChunk(store: BlobStore, { head }: PublicationPlan, key: string): Promise<Chunk> {
  const name = chunkName(key);
  const bytes = await store.get(name);
  if (bytes === undefined)
    throw new Error(`bakeChunk: the store has no ${name}; plan again, or check the store's address`);
  const isShared = canShare();
  const take = (size: number): ArrayBufferLike => (isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
  const chunk = decodeChunk(bytes, key, take);
  const tileCount = head.countX * head.countZ;
  if (chunk === undefined || chunk.tiles.some((tile) => tile >= tileCount))
    throw new Error(`bakeChunk: ${name} is damaged or cut off; delete it and plan again`);
  return chunk;
}

type Bake = (job: ChunkJob) => Promise<ChunkAnswer>;

async function bakeWhole(
  store: BlobStore,
  plan: PublicationPlan,
  chunk: Chunk,
  key: string,
  bake: Bake,
  signal: AbortSignal | undefined,
): Promise<BakedChunk> {
  const { tiles, keys } = chunk;
  const failed: FailedTile[] = [];
  const warnings: BuildWarning[] = [];
  const routes: Uint8Array<ArrayBuffer>[] = [];
  let bakedTiles = 0;
  const rows = await Promise.all(
    tiles.map(async (tile, i) => {
      const stored = await loadRow(store, keys[i], tile);
      if (stored !== undefined) return stored;
      signal?.throwIfAborted();
      const answer = await bake(jobOfChunk(chunk, i));
      signal?.throwIfAborted();
      try {
        const row = await storeTile(store, keys[i], answer);
        for (const warning of answer.warnings) warnings.push(warning);
        if (answer.routes !== undefined) routes.push(answer.routes);
        bakedTiles++;
        return row;
      } catch (error) {
        const x = tile % plan.head.countX;
        failed.push({
          x,
          z: (tile - x) / plan.head.countX,
          reason: error instanceof Error ? error.message : String(error),
        });
        return undefined;
      }
    }),
  );
  if (failed.length > 0) throw chunkError(failed, tiles.length);
  const done = rows as TileRow[];
  // Missing records, such as those of tiles that were stored before, are measured when the plan ends.
  if (routes.length > 0) await store.set(chunkRoutesName(key), joined(routes));
  await store.set(rowsName(key), toBytes({ rows: done }));
  return { rows: done, warnings, bakedTiles };
}

function joined(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const file of files) {
    all.set(file, at);
    at += file.length;
  }
  return all;
}

function chunkError(tiles: FailedTile[], count: number): ChunkError {
  const [{ x, z, reason }] = tiles;
  const more = tiles.length > 1 ? ` (and ${tiles.length - 1} more)` : '';
  const error = new Error(`bakeChunk: ${tiles.length} of ${count} tiles failed: tile ${x}, ${z}: ${reason}${more}`);
  return Object.assign(error, { tiles });
}

/** Returns the row of a stored tile. */
async function loadRow(store: BlobStore, key: string, tile: number): Promise<TileRow | undefined> {
  const bytes = await store.get(tileName(key));
  const result = bytes === undefined ? undefined : decodeEntry(bytes, key);
  return result?.tile === tile ? rowOf(result, bytes!.length) : undefined;
}

async function storeTile(store: BlobStore, key: string, { entry, row, error }: ChunkAnswer): Promise<TileRow> {
  if (entry === undefined || row === undefined) throw new Error(error ?? 'the worker returned no tile');
  await store.set(tileName(key), entry);
  return row;
}

interface Baking {
  bake: Bake;
  close: () => void;
}

/** Bakes on this thread, one tile per turn of the event loop. */
function bakeHere(setup: ChunkSetup): Baking {
  const work = startChunkJobs(setup, createWorkspace());
  let isClosed = false;
  return {
    bake: async (job) => {
      await nextTurn();
      if (isClosed) throw closedError();
      return work(job);
    },
    close: () => {
      isClosed = true;
    },
  };
}

function closedError(): Error {
  return new Error('bakeChunk: the baker was closed');
}

/** Bakes in the workers of a pool, which keep the setup until `close`. */
function bakeIn(pool: BakePool, setup: ChunkSetup): Baking {
  const waiting: ChunkJob[] = [];
  const open = new Map<ChunkJob, { resolve: (answer: ChunkAnswer) => void; reject: (error: unknown) => void }>();
  let control: PoolControl | undefined;
  let ended: unknown;
  const settle = (job: unknown, answer: ChunkAnswer): void => {
    open.get(job as ChunkJob)?.resolve(answer);
    open.delete(job as ChunkJob);
  };
  const jobs = {
    setup,
    hasNext: () => waiting.length > 0,
    next: () => waiting.shift(),
    receive: (job: unknown, answer: unknown) => settle(job, answer as ChunkAnswer),
    giveUp: (job: unknown) =>
      settle(job, {
        warnings: [],
        error: 'it stopped two workers, most likely for lack of memory; a smaller tileSize or larger cells take less',
      }),
  };
  const end = (error: unknown): void => {
    ended ??= error;
    for (const { reject } of open.values()) reject(ended);
    open.clear();
    waiting.length = 0;
  };
  pool
    .run(
      CALLER,
      (given) => {
        control = given;
        return jobs;
      },
      undefined,
    )
    .then(() => end(closedError()), end);
  return {
    bake: (job) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended as Error);
        open.set(job, { resolve, reject });
        waiting.push(job);
        control?.feed();
        return undefined;
      }),
    close: () => {
      ended ??= closedError();
      control?.end(ended);
    },
  };
}
