/**
 * Pools of workers for `bakeNavMesh` and `bakeWorld`.
 *
 * In: a number of workers. Out: a pool for the option `pool`.
 * Based on: own.
 */
import { checkFunction, checkKeys, checkNumberKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import type { BakePool } from '../../build/voxel/pool-types.ts';
import { bakeInPool } from './bake.ts';
import { connectSelf, openWorker } from './bake-port.ts';
import { connectWorker, processorCount } from './port.ts';
import type { BakeWorker } from './port.ts';
import { runJobs } from './jobs.ts';
import { createSeats, vacate } from './seats.ts';
import type { Seats } from './seats.ts';

const MOST_WORKERS = 256;
const NO_START =
  'no worker of options.pool starts ($); set createWorker of createBakePool to a function that starts the script navkiln/bake-worker, or workers to 0';

/** Options of `createBakePool`. */
export interface BakePoolOptions {
  /**
   * Number of workers, a whole number 0 .. 256. 0: this thread bakes the tiles, each in a separate turn of the event
   * loop. Default: the number of processors minus one, at least 1.
   */
  workers?: number;
  /**
   * Starts a worker whose script is navkiln/bake-worker, if the default `new Worker(new URL(…), { type: 'module' })`
   * does not find it. It is called once per worker, and again after a worker has stopped.
   */
  createWorker?: () => BakeWorker;
}

const states = new WeakMap<BakePool, Seats>();

/**
 * Returns a pool for `bakeNavMesh` and `bakeWorld`. Use one pool for all bakes: its workers start with the first bake
 * and keep running. Close it with `closeBakePool`.
 *
 * @throws TypeError, RangeError for invalid options
 */
export function createBakePool(options: BakePoolOptions = {}): BakePool {
  checkObject('createBakePool', 'options', options);
  checkKeys('createBakePool', options, ['workers', 'createWorker']);
  checkNumberKeys('createBakePool', options, ['workers']);
  const { workers = Math.max(1, Math.min(processorCount() - 1, MOST_WORKERS)), createWorker } = options;
  if (!(Number.isInteger(workers) && workers >= 0 && workers <= MOST_WORKERS)) {
    refuse('createBakePool', 'options.workers', workers, `a whole number 0 .. ${MOST_WORKERS}`);
  }
  if (createWorker !== undefined) checkFunction('createBakePool', 'options.createWorker', createWorker);
  const open = createWorker ?? openWorker;
  const state = createSeats(
    workers,
    (handlers) => (workers === 0 ? connectSelf(handlers) : connectWorker(open(), handlers)),
    NO_START,
  );
  const pool: BakePool = {
    workers,
    bake: (caller, input, bakeOptions, more) => bakeInPool(state, caller, input, bakeOptions, more),
    run: (caller, start, signal) => runJobs(state, caller, start, signal),
  };
  states.set(pool, state);
  return pool;
}

/**
 * Stops the workers of a pool. Running bakes are rejected. A closed pool accepts no more bakes; closing it again does
 * nothing.
 */
export function closeBakePool(pool: BakePool): void {
  const state = typeof pool === 'object' && pool !== null ? states.get(pool) : undefined;
  if (state === undefined)
    throw new TypeError('closeBakePool: pool is not a pool; must be a result of createBakePool()');
  state.isClosed = true;
  for (const bake of state.bakes) {
    bake.onFailure(new Error(`${bake.caller}: options.pool was closed during the bake`));
  }
  for (const seat of state.seats) vacate(seat);
}
