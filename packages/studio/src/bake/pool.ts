/**
 * The pool in which the studio's worker bakes levels with tiles. Its workers stop with that worker, so canceling needs nothing more.
 *
 * In: a level and build options. Out: the result of `buildNavMesh`.
 * Cost: the workers are started with the first large level, and kept.
 * Based on: own.
 */
import { bakeNavMesh } from 'navkiln/build';
import type { BuildOptions, BuildResult, TriangleInput } from 'navkiln/build';
import { createBakePool } from 'navkiln/worker';
import type { BakePool } from 'navkiln/worker';

let pool: BakePool | undefined;
/** Whether a browser has refused workers of a worker. */
let isRefused = false;

/** Bakes a level in the pool. Returns undefined where its workers do not start. */
export async function bakePooled(input: TriangleInput, options: BuildOptions): Promise<BuildResult | undefined> {
  if (isRefused) return undefined;
  pool ??= createBakePool({ workers: navigator.hardwareConcurrency });
  try {
    return await bakeNavMesh(input, { ...options, pool });
  } catch (error) {
    if (!(error as Error).message.includes('no worker of options.pool starts')) throw error;
    isRefused = true;
    return undefined;
  }
}
