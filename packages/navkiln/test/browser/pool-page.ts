/** The part of the tests of bake pools that runs in a page. The page loads the built package as plain modules. */
import { saveNavMesh } from 'navkiln';
import { bakeNavMesh, buildNavMesh } from 'navkiln/build';
import type { BuildReport } from 'navkiln/build';
import { closeBakePool, createBakePool, createIndexedDbCache } from 'navkiln/worker';
import type { BakeOptions, BakePool, BakePoolOptions } from 'navkiln/worker';
import { findLevelScene } from 'navkiln-scenes';

const scene = findLevelScene('house');
const { positions, indices } = scene.create();
const level = { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
const options: BakeOptions = { ...scene.options, cellSize: 0.3, cellHeight: 0.2, tileSize: 4 };

/** A result in short: a hash of the mesh, and what the cache had. */
export interface Baked {
  hash: string;
  cache: BuildReport['cache'];
  /** Tiles that were baked or read when each progress was reported. */
  done: number[];
}

/** Returns the hash of a bake without a pool. */
export function bakeAlone(): string {
  return hashOf(saveNavMesh(buildNavMesh(level, options).navMesh));
}

function hashOf(bytes: Uint8Array): string {
  let h = 0x811c9dc5;
  for (const byte of bytes) h = Math.imul(h ^ byte, 0x01000193);
  return `${(h >>> 0).toString(16)}/${bytes.length}`;
}

let pool: BakePool | undefined;

/** Opens a pool; `script`: the address of its workers' script, if it is not the one of the package. */
export function openPool(workers: number, script?: string): void {
  const more: BakePoolOptions = script === undefined ? {} : { createWorker: () => new Worker(script) };
  pool = createBakePool({ workers, ...more });
}

/** Opens a pool whose workers import their script from another origin. */
export function openPoolByBlob(workers: number, address: string): void {
  const text = `importScripts(${JSON.stringify(address)})`;
  const script = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  openPool(workers, script);
}

export function closePool(): void {
  closeBakePool(pool!);
}

/** Returns hashes of a large level, which workers prepare together where memory is shared: without a pool, and twice in the pool. */
export async function bakeLarge(): Promise<string[]> {
  const terrain = findLevelScene('terrain');
  const given = terrain.create();
  const large = { positions: Float64Array.from(given.positions), indices: Uint32Array.from(given.indices) };
  const coarse: BakeOptions = { ...terrain.options, cellSize: 1, cellHeight: 0.5, tileSize: 32 };
  const hashes = [hashOf(saveNavMesh(buildNavMesh(large, coarse).navMesh))];
  for (let time = 0; time < 2; time++) {
    const { navMesh } = await bakeNavMesh(large, { ...coarse, pool });
    hashes.push(hashOf(saveNavMesh(navMesh)));
  }
  return hashes;
}

/** Bakes in the pool, with a cache in IndexedDB if it has a name. */
export async function bake(cacheName?: string): Promise<Baked> {
  const done: number[] = [];
  const { navMesh, report } = await bakeNavMesh(level, {
    ...options,
    pool,
    cache: cacheName === undefined ? undefined : createIndexedDbCache(cacheName),
    onProgress: (progress) => done.push(progress.done),
  });
  return { hash: hashOf(saveNavMesh(navMesh)), cache: report.cache, done };
}

/** Returns the message of a bake that fails. */
export function failure(): Promise<string> {
  return bake().then(
    () => 'it did not fail',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

export interface Abortion {
  reason: string;
  /** Whether the bake was rejected before a timer of 0 ms that was started with the abort. */
  isImmediate: boolean;
  ms: number;
}

/** Aborts a bake when some tiles are done. */
export async function abort(): Promise<Abortion> {
  const controller = new AbortController();
  let at = 0;
  let hasTurned = false;
  const onProgress: BakeOptions['onProgress'] = ({ done }) => {
    if (done < 4 || controller.signal.aborted) return;
    at = performance.now();
    setTimeout(() => (hasTurned = true), 0);
    controller.abort(new Error('stopped by the test'));
  };
  try {
    await bakeNavMesh(level, { ...options, pool, onProgress, signal: controller.signal });
  } catch (error) {
    return { reason: (error as Error).message, isImmediate: !hasTurned, ms: performance.now() - at };
  }
  throw new Error('the bake was not aborted');
}
