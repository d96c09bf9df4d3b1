/**
 * The pools in which the studio's worker bakes levels with tiles. Their workers stop with that worker, so canceling needs nothing more.
 *
 * In: a level and build options. Out: the result of `buildNavMesh`; progress with the state of each tile.
 * Cost: the workers are started with the first large level, and kept.
 * Based on: own.
 */
import { bakeNavMesh } from 'navkiln/build';
import type { BuildResult, TriangleInput } from 'navkiln/build';
import { createBakePool } from 'navkiln/worker';
import type { BakeOptions, BakePool } from 'navkiln/worker';
import type { Progress } from './protocol.ts';

/** The pool of all processors, and one that bakes on this thread. */
let pool: BakePool | undefined;
let alone: BakePool | undefined;
/** Whether a browser has refused workers of a worker. */
let isRefused = false;

/** Bakes a level of tiles; a large one with all processors. */
export async function bakeTiles(
  input: TriangleInput,
  options: BakeOptions,
  isLarge: boolean,
  onProgress: (progress: Progress) => void,
): Promise<BuildResult> {
  let progress: Progress = { stage: '', done: 0, total: 0 };
  const all: BakeOptions = {
    ...options,
    onProgress: ({ stage, done, total }) => onProgress((progress = { ...progress, stage, done, total })),
    onTiles: (tiles) => onProgress((progress = { ...progress, tiles })),
  };
  const bakeAlone = (): Promise<BuildResult> =>
    bakeNavMesh(input, { ...all, pool: (alone ??= createBakePool({ workers: 0 })) });
  if (!isLarge || isRefused) return bakeAlone();
  try {
    return await bakeNavMesh(input, {
      ...all,
      pool: (pool ??= createBakePool({ workers: navigator.hardwareConcurrency })),
    });
  } catch (error) {
    if (!(error as Error).message.includes('no worker of options.pool starts')) throw error;
    isRefused = true;
    return bakeAlone();
  }
}
