/** The options of bakes in workers: a pool, a cache of tiles, and the state of tiles. */
import type { BuildOptions, TriangleInput } from './options.ts';
import type { BuildResult } from './report.ts';

/** Options of `bakeNavMesh`. */
export interface BakeOptions extends BuildOptions {
  /** Aborts the bake between stages; with a pool, immediately. */
  signal?: AbortSignal;
  /** Bakes the tiles in workers: a pool of `createBakePool` (navkiln/worker). Default: on this thread. */
  pool?: BakePool;
  /** Keeps baked tiles, so that a later bake only bakes changed tiles. Needs a `pool`, which may have 0 workers. Default: none. */
  cache?: BakeCache;
  /** Called when tiles change their state, with the same record each time. Needs a `pool`, which may have 0 workers. */
  onTiles?: (tiles: BakeTiles) => void;
}

/** The tiles of a bake that runs in a pool. */
export interface BakeTiles {
  tileCountX: number;
  tileCountZ: number;
  /** World x and z of the corner of tile 0, 0. */
  min: readonly [number, number];
  /** Side of a tile, world units; 0: one tile of any size. */
  tileSize: number;
  /** State of each tile, by x + z * tileCountX, as a number of `TILE_STATES` (navkiln/worker). */
  states: Uint8Array;
}

/** Jobs that a pool hands out to its workers. @internal */
export interface PoolJobs {
  /** The input of all jobs: plain data, sent once to each worker. */
  setup: unknown;
  /** Whether `next` has a job. */
  hasNext: () => boolean;
  /** Takes the next job: plain data. */
  next: () => unknown;
  receive: (job: unknown, answer: unknown) => void;
  /** Called for a job that has stopped two workers. */
  giveUp: (job: unknown) => void;
}

/** Functions of the pool for jobs. @internal */
export interface PoolControl {
  /** Tells the pool that there may be more jobs. */
  feed: () => void;
  /** Ends the run, with an error if one is given. */
  end: (error?: unknown) => void;
}

/** Workers that bake tiles. Made by `createBakePool` (navkiln/worker). */
export interface BakePool {
  /** Number of workers; 0: tiles are baked on this thread. */
  readonly workers: number;
  /** Bakes in the pool. Call `bakeNavMesh` with the option `pool`. @internal */
  readonly bake: (
    caller: string,
    input: TriangleInput,
    options: BuildOptions,
    more: Pick<BakeOptions, 'signal' | 'cache' | 'onTiles'>,
  ) => Promise<BuildResult>;
  /** Runs jobs in the workers. Call `bakeWorld` with the option `pool`. @internal */
  readonly run: (
    caller: string,
    start: (control: PoolControl) => PoolJobs,
    signal: AbortSignal | undefined,
  ) => Promise<void>;
}

/** A store of bytes by name. Names are texts of letters, digits, `-`, `.` and `/`. */
export interface BlobStore {
  /**
   * Returns the bytes of a name, or undefined. Rejects when `signal` is aborted, if it uses it. Callers refuse more than `maxBytes`, so a
   * store can reject as soon as it has read that many.
   */
  get: (key: string, signal?: AbortSignal, maxBytes?: number) => Promise<Uint8Array | undefined>;
  /** Stores bytes under a name and replaces earlier ones. Stores all bytes or none. */
  set: (key: string, entry: Uint8Array) => Promise<void>;
  /** Removes the bytes of a name if there are any. */
  delete: (key: string) => Promise<void>;
  /** Returns all names, in any order. */
  keys: () => Promise<string[]>;
}

/**
 * A cache of baked tiles: a store whose names are content keys (32 hexadecimal digits). Entries are checked when they are read, so a cache
 * may lose or damage them. An error of a method does not stop a bake: it counts as `cache-failed`.
 */
export type BakeCache = BlobStore;
