/** The flags --workers and --cache of navkiln bake: a pool of worker threads and a cache of tiles. */
import { statSync } from 'node:fs';
import type { BakeCache, BakePool } from 'navkiln/worker';
import { InputError } from '../errors.ts';

const MOST_WORKERS = 256;

/** Number of workers and folder of the cache. */
export interface Pooling {
  /** 0: bake on this thread. */
  workers: number;
  cacheFolder: string | undefined;
}

/** Reads the flags. Returns undefined when neither is given. */
export function readPooling(flags: { workers?: string; cache?: string }): Pooling | undefined {
  const { workers: text, cache: cacheFolder } = flags;
  if (text === undefined && cacheFolder === undefined) return undefined;
  const workers = text === undefined ? 0 : Number(text.trim() || NaN);
  if (text !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS)) {
    throw new InputError(`--workers: '${text}' is not a whole number from 1 to ${MOST_WORKERS}`);
  }
  if (cacheFolder === '') throw new InputError('--cache: no folder given; pass its path');
  if (cacheFolder !== undefined && statSync(cacheFolder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new InputError(
      `--cache ${cacheFolder}: is not a folder; choose a folder, which is created if it does not exist`,
    );
  }
  return { workers, cacheFolder };
}

/** Bakes with a pool and a cache, and stops the workers. */
export async function withPool<T>(
  { workers, cacheFolder }: Pooling,
  bake: (places: { pool: BakePool; cache: BakeCache | undefined }) => Promise<T>,
): Promise<T> {
  const { closeBakePool, createBakePool } = await import('navkiln/worker');
  const cache =
    cacheFolder === undefined ? undefined : (await import('../cache/folder.ts')).createFolderCache(cacheFolder);
  const pool = createBakePool({ workers });
  try {
    return await bake({ pool, cache });
  } finally {
    closeBakePool(pool);
  }
}
