/**
 * The error of functions for shared memory where memory cannot be shared.
 *
 * Based on: the conditions of HTML for `SharedArrayBuffer`.
 */
import { canShare } from '../../base/data/threads.ts';

/** Throws an Error if memory cannot be shared. */
export function requireShared(caller: string): void {
  if (canShare()) return;
  throw new Error(
    `${caller}: this page may not share memory between threads; serve it over HTTPS or from localhost, with the headers ` +
      `"Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp", or use copies: ` +
      `saveNavMesh() and loadNavMesh() in each thread`,
  );
}
