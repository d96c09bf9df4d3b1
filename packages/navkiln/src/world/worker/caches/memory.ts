/**
 * A cache of baked tiles in memory.
 *
 * In: content keys and entries. Out: entries.
 * Based on: own.
 */
import type { BakeCache } from '../../../build/voxel/pool-types.ts';

/** Returns an empty cache for `bakeNavMesh`. It keeps its entries until they are deleted or the cache is released. */
export function createMemoryCache(): BakeCache {
  const entries = new Map<string, Uint8Array>();
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    set: (key, entry) => {
      entries.set(key, entry);
      return Promise.resolve();
    },
    delete: (key) => {
      entries.delete(key);
      return Promise.resolve();
    },
    keys: () => Promise.resolve([...entries.keys()]),
  };
}
