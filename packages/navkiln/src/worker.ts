/** `navkiln/worker`: bakes tiles in workers, and caches of baked tiles. `navkiln/bake-worker` is the script of the workers. */
export { closeBakePool, createBakePool } from './worker/pool.ts';
export type { BakePoolOptions } from './worker/pool.ts';
export type { BakeWorker } from './worker/port.ts';
export { createHttpCache } from './worker/caches/http.ts';
export type { HttpCacheOptions } from './worker/caches/http.ts';
export { createIndexedDbCache } from './worker/caches/indexed-db.ts';
export { createMemoryCache } from './worker/caches/memory.ts';
export { TILE_STATES } from './worker/tile-states.ts';
export type { BakeCache, BakeOptions, BakePool, BakeTiles } from './voxel/pool-types.ts';
