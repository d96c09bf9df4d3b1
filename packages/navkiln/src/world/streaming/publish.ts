/**
 * Bakes a level into a store: one file per tile, and a manifest.
 *
 * A tile whose content key is in the last manifest is not baked again, and an existing file is not written again. The
 * manifest is written last, so that readers see either the old or the new world. After a publication was killed, the
 * next one reuses the tiles that it has stored.
 *
 * In: triangles, options and a store. Out: files in the store.
 * Cost: the bake of the changed tiles. Memory: the level and one tile.
 * Based on: own.
 */
import { checkFunction, checkKeys, checkSignal } from '../../base/data/refuse.ts';
import { nextTurn } from '../../base/data/turn.ts';
import type { BlobStore } from '../../build/voxel/pool-types.ts';
import type { BuildOptions, BuildProgress, TriangleInput } from '../../build/voxel/options.ts';
import type { BuildWarning } from '../../build/voxel/report.ts';
import { bakeTileJob, startLevelJob } from '../../build/voxel/tile-jobs.ts';
import type { LevelJob } from '../../build/voxel/tile-jobs.ts';
import { decodeEntry, encodeEntry } from '../worker/cache-entry.ts';
import { contentKey } from '../worker/content-key.ts';
import { rowOf } from '../worker/tile-row.ts';
import type { TileRow } from '../worker/tile-row.ts';
import { CURRENT, emptyTiles, historyName, tileName, writeManifest } from './manifest.ts';
import type { ManifestTiles, WorldManifest } from './manifest.ts';
import { publishRoutes } from './routes/route-files.ts';
import { addRow, checkPublication, headOfManifest, nextSequence, readOld, rowsOf } from './rows.ts';

const CALLER = 'publishWorld';
/** Milliseconds of baking before the event loop runs. A single tile may take longer. */
const TURN_MS = 4;

/** Options of `publishWorld`. */
export interface PublishOptions {
  /** Stores the records that `openRouteGraph` loads, for routes over tiles that are not loaded. Default false. */
  routes?: boolean;
  /** Aborts the publication: the store keeps the tiles stored so far, and the old manifest stays current. */
  signal?: AbortSignal;
  /** Called after each tile. */
  onProgress?: (progress: BuildProgress) => void;
}

/** Result of `publishWorld`. */
export interface Publication {
  manifest: WorldManifest;
  /** Number of baked tiles. */
  bakedTiles: number;
  /** Number of tiles that were already in the store. */
  reusedTiles: number;
  /** Bytes of the written files of tiles. */
  writtenBytes: number;
  warnings: BuildWarning[];
}

/**
 * Bakes the tiles of a level that changed since its last publication, and stores them with a new manifest.
 * Clients with the old manifest are not affected: files of tiles never change.
 *
 * @param store the store of the world; see `createMemoryCache`, `createHttpCache`, `createIndexedDbCache`
 * @param options those of `buildNavMesh`, with a `tileSize`, and without `dynamic`. Give `bounds` if the
 *   extent of the level may change, because the grid of tiles starts at its corner.
 *
 * @throws (rejects with) the errors of `buildNavMesh`; RangeError without `tileSize` or with `dynamic`; the signal's
 *   reason; errors of the store
 */
export async function publishWorld(
  store: BlobStore,
  input: TriangleInput,
  options: BuildOptions,
  publish: PublishOptions = {},
): Promise<Publication> {
  checkKeys(CALLER, publish, ['signal', 'onProgress', 'routes'], 'publish');
  checkPublication(CALLER, store, options);
  if (publish.onProgress !== undefined) checkFunction(CALLER, 'publish.onProgress', publish.onProgress);
  const { signal, onProgress } = publish;
  checkSignal(CALLER, 'publish.signal', signal);
  const old = await readOld(CALLER, store);
  const names = await store.keys();
  signal?.throwIfAborted();
  const job = startLevelJob(CALLER, input, { ...options, onProgress: undefined });
  const { config, tiles: numbers } = job.summary;
  const rows = emptyTiles();
  const found = { bakedTiles: 0, reusedTiles: 0, writtenBytes: 0 };
  const warnings = new Map<string, BuildWarning>();
  for (const warning of job.summary.warnings) warnings.set(warning.code, warning);
  const stored = { old: rowsOf(old), names: new Set(names) };
  let since = performance.now();
  for (const [i, number] of numbers.entries()) {
    const key = contentKey(job.level, number);
    if (await reuse(store, stored, rows, number, key)) found.reusedTiles++;
    else {
      found.writtenBytes += await bakeInto(store, job, rows, number, key, warnings);
      found.bakedTiles++;
    }
    onProgress?.({ stage: 'tile', done: i + 1, total: numbers.length });
    signal?.throwIfAborted();
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    since = performance.now();
  }
  const manifest: WorldManifest = {
    sequence: nextSequence(old, names),
    ...headOfManifest(config, options.links),
    tiles: rows,
  };
  const has = (name: string): boolean => stored.names.has(name);
  if (publish.routes === true) manifest.routes = await publishRoutes(CALLER, { store, has }, manifest);
  const bytes = writeManifest(manifest);
  await store.set(historyName(manifest.sequence), bytes);
  await store.set(CURRENT, bytes);
  return { manifest, ...found, warnings: [...warnings.values()] };
}

/** Adds the row of a tile if the store has the tile. Returns whether it has. */
async function reuse(
  store: BlobStore,
  stored: { old: Map<string, TileRow>; names: Set<string> },
  rows: ManifestTiles,
  number: number,
  key: string,
): Promise<boolean> {
  const row = stored.old.get(key);
  const hasFile = stored.names.has(tileName(key));
  if (!hasFile) return false;
  if (row !== undefined) {
    addRow(rows, number, key, row);
    return true;
  }
  const bytes = await store.get(tileName(key));
  const result = bytes === undefined ? undefined : decodeEntry(bytes, key);
  if (result === undefined || result.tile !== number) return false;
  addRow(rows, number, key, rowOf(result, bytes!.length));
  return true;
}

/** Bakes and stores a tile, adds its row, and returns the number of written bytes. */
async function bakeInto(
  store: BlobStore,
  job: LevelJob,
  rows: ManifestTiles,
  number: number,
  key: string,
  warnings: Map<string, BuildWarning>,
): Promise<number> {
  const result = bakeTileJob(job, number, undefined);
  for (const warning of result.warnings) {
    const before = warnings.get(warning.code);
    warnings.set(warning.code, before === undefined ? warning : { ...before, count: before.count + warning.count });
  }
  const entry = encodeEntry(key, result);
  await store.set(tileName(key), entry);
  addRow(rows, number, key, rowOf(result, entry.length));
  return entry.length;
}
