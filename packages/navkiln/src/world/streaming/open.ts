/**
 * Opens a published world for streaming: its manifest, and a mesh without tiles.
 *
 * In: a store. Out: a world, to which `streamAround` adds tiles.
 * Cost: one file; linear in the tiles of the manifest.
 * Based on: own.
 */
import { checkKeys, refuseType } from '../../base/data/refuse.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';
import type { BakePool, BlobStore } from '../../build/voxel/pool-types.ts';
import { createTileDecoder } from '../worker/decode-jobs.ts';
import type { TileDecoder } from '../worker/decode-jobs.ts';
import { openWorld as openBakedWorld } from '../levels/create.ts';
import type { OpenOptions } from '../levels/create.ts';
import type { World } from '../levels/types.ts';
import { CURRENT, createStreamedMesh } from './manifest.ts';
import type { WorldManifest } from './manifest.ts';
import { checkStore, loadManifest } from './store.ts';

/** A published world with some loaded tiles. */
export interface StreamedWorld {
  /** The mesh of the loaded tiles and all links. */
  readonly navMesh: NavMesh;
  readonly manifest: WorldManifest;
  readonly store: BlobStore;
  /** Rows of the manifest by the numbers of their tiles. @internal */
  readonly rows: ReadonlyMap<number, number>;
  /** Slots of the loaded tiles in the mesh, by row. @internal */
  readonly slots: Map<number, number>;
  /** Tiles that have arrived and are not in the mesh yet, by row. @internal */
  readonly arrived: Map<number, TileData>;
  /** Requests by row. @internal */
  readonly requests: Map<number, AbortController>;
  /** Checks and decodes files. @internal */
  readonly decode: TileDecoder;
  /** Time of the last request of each row, by `performance.now()`. @internal */
  readonly begun: Map<number, number>;
  /** Tiles that failed, by row. @internal */
  readonly failures: Map<number, TileFailure>;
  /** Bytes of the files of all tiles that are loaded, have arrived or are requested. @internal */
  bytes: number;
}

/** Options of `openWorld` for a published world. */
export interface StreamedWorldOptions {
  /**
   * Workers of `createBakePool` that check and decode files of tiles. Default: the calling thread, which also
   * takes over if the workers fail or the pool is closed.
   */
  pool?: BakePool;
}

/** A tile that could not be loaded. It is requested again. */
export interface TileFailure {
  x: number;
  z: number;
  reason: string;
  /** Number of consecutive failures. */
  attempts: number;
  /** Time from which it may be requested again, by `performance.now()`. */
  retryAt: number;
}

/**
 * Opens the mesh of a bake with the option `dynamic` as a world. Obstacles carve it and levels can be added, without
 * the triangles that it was baked from. The world uses the given mesh, which `updateWorld` changes in place.
 *
 * @throws TypeError for a mesh without layers; Error for layers that are damaged or of another mesh; RangeError, TypeError for unknown
 *   or invalid options
 */
export function openWorld(navMesh: NavMesh, options?: OpenOptions): World;
/**
 * Opens a world that `publishWorld` has stored. Its mesh is empty; `streamAround` loads tiles.
 *
 * @param options `pool`: workers that decode tiles
 * @throws (rejects with) TypeError for an invalid store; Error when nothing was published there, or its manifest cannot
 *   be read; errors of the store
 */
export function openWorld(store: BlobStore, options?: StreamedWorldOptions): Promise<StreamedWorld>;
export function openWorld(
  source: NavMesh | BlobStore,
  options?: OpenOptions | StreamedWorldOptions,
): World | Promise<StreamedWorld> {
  const isStore = typeof (source as BlobStore | null)?.get === 'function';
  return isStore
    ? openStored(source as BlobStore, options as StreamedWorldOptions)
    : openBakedWorld(source as NavMesh, options as OpenOptions);
}

async function openStored(store: BlobStore, options: StreamedWorldOptions = {}): Promise<StreamedWorld> {
  const caller = 'openWorld';
  checkStore(caller, store);
  checkKeys(caller, options, ['pool']);
  const { pool } = options;
  if (pool !== undefined && typeof pool?.run !== 'function')
    refuseType(caller, 'options.pool', pool, 'a pool of createBakePool');
  const manifest = await loadManifest(caller, store, CURRENT);
  if (manifest === undefined) {
    throw new Error(
      `${caller}: the store has no ${CURRENT}; publish the world with publishWorld, or check the address of the store`,
    );
  }
  return {
    navMesh: createStreamedMesh(manifest),
    manifest,
    store,
    rows: new Map(manifest.tiles.number.map((number, row) => [number, row])),
    slots: new Map(),
    arrived: new Map(),
    requests: new Map(),
    decode: createTileDecoder(caller, pool),
    begun: new Map(),
    failures: new Map(),
    bytes: 0,
  };
}
