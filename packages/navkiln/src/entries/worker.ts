/**
 * `navkiln/worker`: bakes tiles in workers, caches of baked tiles, and services that answer paths in threads. `navkiln/bake-worker` and
 * `navkiln/path-worker` are the scripts of the workers.
 */
export { closeBakePool, createBakePool } from '../world/worker/pool.ts';
export type { BakePoolOptions } from '../world/worker/pool.ts';
export type { BakeWorker } from '../world/worker/port.ts';
export { createPathService } from '../world/worker/path-service.ts';
export type {
  PathCallOptions,
  PathEnds,
  PathService,
  PathServiceMetrics,
  PathServiceOptions,
} from '../world/worker/path-service.ts';
export type { ServiceMove, ServicePath } from '../world/paths/answers.ts';
export { createHttpCache } from '../world/worker/caches/http.ts';
export type { HttpCacheOptions } from '../world/worker/caches/http.ts';
export { createIndexedDbCache } from '../world/worker/caches/indexed-db.ts';
export { createMemoryCache } from '../world/worker/caches/memory.ts';
export { TILE_STATES } from '../world/worker/tile-states.ts';
export type { BakeCache, BakeOptions, BakePool, BakeTiles } from '../build/voxel/pool-types.ts';
