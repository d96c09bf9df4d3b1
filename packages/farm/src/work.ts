/**
 * Works on the plan of a world: takes chunks from the queue, or from the plan itself when there is no queue, bakes their tiles in threads,
 * and writes the manifest when all are done.
 *
 * Tiles are baked in threads, so that this thread renews the locks of its jobs. A worker that is killed loses nothing that is stored: its
 * jobs go to another one, which bakes the tiles that are missing.
 *
 * In: a store and the address of a queue. Out: tiles and a manifest in the store.
 * Cost: that of the tiles; a few milliseconds per chunk.
 * Based on: own.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlanBaker, currentPlan, finishPublication, readPlan, readPlanParts } from 'navkiln/publish';
import type { ChunkError, FailedTile, PlanBaker, PublicationPlan, WorldManifest } from 'navkiln/publish';
import type { BuildWarning } from 'navkiln/build';
import { closeBakePool, createBakePool } from 'navkiln/worker';
import type { BakePool } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import type { FarmJob, FarmWorker, JobResult, OpenQueue } from './queue/jobs.ts';
import { checkQueue } from './queue/address.ts';
import { checkCount, checkStore } from './refuse.ts';
import { readWorldId } from './world-id.ts';

const CALLER = 'runFarmWorker';
/** Milliseconds between looks at the store: for a first plan, and for the end of one. */
const LOOK_MS = 250;
const DEFAULT_LOCK_MS = 30_000;
/** Workers that may vanish, one after another, during one job. */
const MOST_STALLS = 10;
/** Seconds that a worker waits for a job before it asks again. */
const DRAIN_SECONDS = 1;
/** Milliseconds before a worker asks again after the server did not answer. */
const RUN_RETRY_MS = 500;

export interface FarmWorkerOptions {
  /** Address of the queue: redis://, rediss://, valkey:// or postgres://. Default: none, the plan is baked by this process alone. */
  queue?: string;
  /** Threads that bake, a whole number 0 .. 256; 0: this thread. Default: the number of processors. */
  threads?: number;
  /** Workers of the caller, in place of `threads`. They stay open. */
  pool?: BakePool;
  /** Resolves when no plan of this world is left. Without a queue, it always does. Default false: work until `signal`. */
  untilDone?: boolean;
  /** Stops the worker: it ends the chunks that it has begun. */
  signal?: AbortSignal;
  /** Milliseconds after which the jobs of a worker that has vanished go to others, 1,000 .. 3,600,000. Default 30,000. */
  lockMs?: number;
  /** Called for each chunk, manifest and fault. */
  onEvent?: (event: FarmEvent) => void;
}

/** A report of a worker. */
export type FarmEvent =
  | { type: 'waiting' }
  | { type: 'chunk'; chunk: string; tiles: number; bakedTiles: number; ms: number; warnings: BuildWarning[] }
  | { type: 'failed'; chunk: string; attempt: number; tiles: FailedTile[]; reason: string }
  | { type: 'published'; manifest: WorldManifest }
  /** The connection with the queue was lost, or the store does not answer; it is tried again. */
  | { type: 'queue'; reason: string }
  | { type: 'store'; reason: string };

/** The work that a worker has done. */
export interface FarmWork {
  chunks: number;
  bakedTiles: number;
  /** Tiles that this worker could not bake, each once. */
  failures: FailedTile[];
}

/**
 * Works on the plans of a world until `signal` is aborted, or until the plan is done.
 *
 * @throws (rejects with) TypeError, RangeError for an invalid store or options; Error when the queue's server does
 *   not answer, with the remedy; without a queue, errors of the store, and Error when there is no plan
 */
export async function runFarmWorker(store: BlobStore, options: FarmWorkerOptions = {}): Promise<FarmWork> {
  checkStore(CALLER, store);
  const { queue, threads = availableParallelism(), pool, lockMs = DEFAULT_LOCK_MS } = options;
  checkCount(CALLER, 'threads', threads, 0, 256);
  checkCount(CALLER, 'lockMs', lockMs, 1000, 3_600_000);
  if (queue !== undefined) checkQueue(CALLER, queue);
  const own = pool ?? createBakePool({ workers: threads });
  try {
    const shop = createShop(store, own, options.onEvent ?? (() => {}));
    return await (queue === undefined ? workAlone(shop, options) : workFromQueue(shop, queue, { ...options, lockMs }));
  } finally {
    if (pool === undefined) closeBakePool(own);
  }
}

/** A plan that is worked on. */
interface Held {
  plan: PublicationPlan;
  baker: PlanBaker;
}

/** The store, pool and reports of a worker, and the plan that it works on. */
interface Shop {
  store: BlobStore;
  pool: BakePool;
  done: FarmWork;
  tell: (event: FarmEvent) => void;
  /** Returns the plan of this key with its baker, or undefined when it is not worked on any more. */
  planOf: (key: string) => Promise<Held | undefined>;
  close: () => void;
}

function createShop(store: BlobStore, pool: BakePool, tell: Shop['tell']): Shop {
  // Jobs of one plan share its baker, also those that begin at the same time.
  let held: { key: string; opened: Promise<Held | undefined> } | undefined;
  const open = async (key: string): Promise<Held | undefined> => {
    const plan = await readPlan(store);
    return plan?.key === key ? { plan, baker: createPlanBaker(store, plan, { pool }) } : undefined;
  };
  const drop = (): void => {
    void held?.opened.then(
      (one) => one?.baker.close(),
      () => {},
    );
    held = undefined;
  };
  return {
    store,
    pool,
    tell,
    done: { chunks: 0, bakedTiles: 0, failures: [] },
    planOf: async (key) => {
      if ((await currentPlan(store))?.plan !== key) return undefined;
      if (held?.key !== key) {
        drop();
        held = { key, opened: open(key) };
      }
      const { opened } = held;
      try {
        return await opened;
      } catch (error) {
        // The next job tries again.
        if (held?.opened === opened) held = undefined;
        throw error;
      }
    },
    close: drop,
  };
}

/** Chunks at a time: threads must not wait while the tiles of a chunk are stored. */
function chunksAtOnce({ workers }: BakePool): number {
  return Math.max(2, Math.ceil(workers / 4));
}

async function bakeChunk(shop: Shop, baker: PlanBaker, chunk: string, attempt: number): Promise<JobResult> {
  const { done, tell } = shop;
  const begun = performance.now();
  try {
    const { rows, bakedTiles, warnings } = await baker.bakeChunk(chunk);
    const ms = performance.now() - begun;
    done.chunks++;
    done.bakedTiles += bakedTiles;
    tell({ type: 'chunk', chunk, tiles: rows.length, bakedTiles, ms, warnings });
    return { tiles: rows.length, bakedTiles, ms };
  } catch (error) {
    const { message = String(error), tiles = [] } = error as Partial<ChunkError>;
    for (const tile of tiles) {
      if (!done.failures.some(({ x, z }) => x === tile.x && z === tile.z)) done.failures.push(tile);
    }
    tell({ type: 'failed', chunk, attempt, tiles, reason: message });
    throw error;
  }
}

/** Bakes the plan of the store in this process. */
async function workAlone(shop: Shop, { signal }: FarmWorkerOptions): Promise<FarmWork> {
  const { store, pool, done, tell } = shop;
  const current = await currentPlan(store);
  const held = current === undefined ? undefined : await shop.planOf(current.plan);
  if (held === undefined)
    throw new Error(`${CALLER}: the store has no plan; make one with planFarm (navkiln farm plan)`);
  const { plan, baker } = held;
  const chunks = chunksOf(store, plan);
  let failure: unknown;
  const work = async (): Promise<void> => {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) return;
      // One chunk that fails does not keep the others from being stored.
      await bakeChunk(shop, baker, chunk, 1).catch((error: unknown) => (failure ??= error));
    }
  };
  try {
    await Promise.all(Array.from({ length: chunksAtOnce(pool) }, work));
    signal?.throwIfAborted();
    if (failure !== undefined) throw failure;
    tell({ type: 'published', manifest: await finishPublication(store, plan) });
  } finally {
    shop.close();
  }
  return done;
}

/** Returns the keys of the chunks of a plan. */
async function* chunksOf(store: BlobStore, plan: PublicationPlan): AsyncGenerator<string> {
  for await (const { chunks } of readPlanParts(store, plan)) for (const { key } of chunks) yield key;
}

type QueueWork = FarmWorkerOptions & { lockMs: number };

/** Takes jobs from the queue of the world. */
async function workFromQueue(shop: Shop, address: string, options: QueueWork): Promise<FarmWork> {
  const { store, done, tell } = shop;
  const { signal, untilDone = false } = options;
  const { openQueue } = await import('./queue/jobs.ts');
  const id = await waitForWorld(store, tell, signal, untilDone);
  if (id === undefined) return done;
  let told = '';
  const onError = ({ message }: Error): void => {
    // Each attempt to connect again reports the same.
    if (message !== told) tell({ type: 'queue', reason: message });
    told = message;
  };
  const open = await openQueue(CALLER, address, id, onError);
  const isDone = async (): Promise<boolean> => {
    try {
      return (await currentPlan(store)) === undefined;
    } catch (error) {
      tell({ type: 'store', reason: error instanceof Error ? error.message : String(error) });
      return false;
    }
  };
  let worker: FarmWorker | undefined;
  try {
    worker = await createWorker(shop, open, options);
    worker.on('error', onError);
    while (signal?.aborted !== true && !(untilDone && (await isDone()))) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    await worker?.close();
    shop.close();
    await open.close().catch(() => {});
  }
  return done;
}

/** Returns the id of the world as soon as it has been planned; undefined when the signal came first. */
async function waitForWorld(
  store: BlobStore,
  tell: Shop['tell'],
  signal: AbortSignal | undefined,
  untilDone: boolean,
): Promise<string | undefined> {
  let isFirst = true;
  while (signal?.aborted !== true) {
    const id = await readWorldId(store);
    if (id !== undefined || untilDone) return id;
    if (isFirst) tell({ type: 'waiting' });
    isFirst = false;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

async function createWorker(shop: Shop, open: OpenQueue, { lockMs }: QueueWork): Promise<FarmWorker> {
  const { startWorker } = await import('./queue/jobs.ts');
  const work = (job: FarmJob): Promise<JobResult | undefined> => doJob(shop, job);
  return startWorker(open, work, {
    concurrency: chunksAtOnce(shop.pool),
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MOST_STALLS,
    drainDelay: DRAIN_SECONDS,
    // A worker asks a restarted server again soon.
    runRetryDelay: RUN_RETRY_MS,
  });
}

async function doJob(shop: Shop, job: FarmJob): Promise<JobResult | undefined> {
  const { plan: key, chunk } = job.data;
  const held = await shop.planOf(key);
  // The job was delivered again after its end, or its plan was given up.
  if (held === undefined) return undefined;
  if (chunk === undefined) {
    shop.tell({ type: 'published', manifest: await finishPublication(shop.store, held.plan) });
    return undefined;
  }
  try {
    return await bakeChunk(shop, held.baker, chunk, job.attemptsMade + 1);
  } catch (error) {
    // For the list of failures.
    const { tiles = [] } = error as Partial<ChunkError>;
    await job.updateProgress({ failed: tiles });
    throw error;
  }
}
