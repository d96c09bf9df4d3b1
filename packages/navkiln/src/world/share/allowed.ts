/**
 * Whether memory can be shared between threads, and the error if it cannot.
 *
 * Based on: the conditions of HTML for `SharedArrayBuffer`.
 */

/**
 * Returns whether memory can be shared with workers. This is always so in Node, and in pages that are isolated from
 * other origins.
 */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

/** Throws an Error if memory cannot be shared. */
export function requireShared(caller: string): void {
  if (canShare()) return;
  throw new Error(
    `${caller}: this page may not share memory between threads; serve it over HTTPS or from localhost, with the headers ` +
      `"Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp", or use copies: ` +
      `saveNavMesh() and loadNavMesh() in each thread`,
  );
}
