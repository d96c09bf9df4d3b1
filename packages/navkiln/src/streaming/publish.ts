/**
 * Bakes a level into a store: one file per tile, and a manifest.
 *
 * A tile whose content key the last manifest has is not baked again, and a file that is there is not written again. The manifest is
 * written last, so that readers see the old world or the new one, and a publication that is killed resumes with the tiles that it has
 * stored.
 *
 * In: triangles, options and a store. Out: files in the store.
 * Cost: that of the tiles that changed; the memory of the level and of one tile.
 * Based on: own.
 */
import { checkFunction, checkKeys, refuse } from '../data/refuse.ts';
import { nextTurn } from '../data/turn.ts';
import { boundsOfTile } from '../navmesh/insert-tile.ts';
import { addLink, getLink, listLinks } from '../navmesh/links.ts';
import type { LinkOptions } from '../navmesh/links.ts';
import { createNavMesh } from '../navmesh/create.ts';
import type { BlobStore, BuildOptions, BuildProgress, BuildWarning, TriangleInput } from '../voxel/options.ts';
import { checkBuildOptions } from '../voxel/prepare.ts';
import { bakeTileJob, startLevelJob } from '../voxel/tile-jobs.ts';
import type { LevelJob, TileResult } from '../voxel/tile-jobs.ts';
import { tileSettings } from '../voxel/tile.ts';
import { decodeEntry, encodeEntry } from '../worker/cache-entry.ts';
import { BAKE_VERSION, contentKey } from '../worker/content-key.ts';
import { CURRENT, emptyTiles, historyName, sequenceOfName, tileName, writeManifest } from './manifest.ts';
import type { ManifestTiles, WorldManifest } from './manifest.ts';
import { checkStore, manifestIn } from './store.ts';

const CALLER = 'publishWorld';
/** Milliseconds of baking before the event loop runs, if no single tile takes longer. */
const TURN_MS = 4;

export interface PublishOptions {
  /** Aborts the publication: the store keeps the tiles that are stored, and the old manifest counts. */
  signal?: AbortSignal;
  /** Called after each tile. */
  onProgress?: (progress: BuildProgress) => void;
}

export interface Publication {
  manifest: WorldManifest;
  /** Tiles that were baked. */
  bakedTiles: number;
  /** Tiles that the store had already. */
  reusedTiles: number;
  /** Bytes of the files of tiles that were written. */
  writtenBytes: number;
  warnings: BuildWarning[];
}

/**
 * Bakes the tiles of a level that changed since its last publication, and stores them with a new manifest. Clients that have the old
 * manifest are not disturbed: files of tiles never change.
 *
 * @param store where the world is kept; see `createMemoryCache`, `createHttpCache`, `createIndexedDbCache`
 * @param options those of `buildNavMesh`, with a `tileSize`, and without `dynamic`. Give `bounds` if the extent of the level may change,
 *   because the grid of tiles starts at its corner.
 * @throws (rejects with) what `buildNavMesh` throws; RangeError without `tileSize` and with `dynamic`; the signal's reason; errors of the
 *   store
 */
export async function publishWorld(
  store: BlobStore,
  input: TriangleInput,
  options: BuildOptions,
  publish: PublishOptions = {},
): Promise<Publication> {
  checkArguments(store, options, publish);
  const { signal, onProgress } = publish;
  signal?.throwIfAborted();
  const old = await readOld(store);
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
  const settings = tileSettings(config);
  const manifest: WorldManifest = {
    sequence: 1 + Math.max(old?.sequence ?? 0, ...names.map((name) => sequenceOfName(name) ?? 0)),
    bakeVersion: BAKE_VERSION,
    settings,
    countX: config.tileCountX,
    countZ: config.tileCountZ,
    links: plainLinks(settings, options.links),
    tiles: rows,
  };
  const bytes = writeManifest(manifest);
  await store.set(historyName(manifest.sequence), bytes);
  await store.set(CURRENT, bytes);
  return { manifest, ...found, warnings: [...warnings.values()] };
}

function checkArguments(store: BlobStore, options: BuildOptions, publish: PublishOptions): void {
  checkStore(CALLER, store);
  checkBuildOptions(CALLER, options);
  checkKeys(CALLER, publish, ['signal', 'onProgress'], 'publish');
  if (publish.onProgress !== undefined) checkFunction(CALLER, 'publish.onProgress', publish.onProgress);
  const { tileSize, dynamic } = options;
  if (!(typeof tileSize === 'number' && tileSize > 0)) {
    refuse(CALLER, 'options.tileSize', tileSize, 'the side of a tile in world units, usually 32 to 128 cells');
  }
  if (dynamic === true) refuse(CALLER, 'options.dynamic', dynamic, 'absent; published tiles have no layers');
}

/** Returns the last manifest. One that cannot be read is replaced. */
async function readOld(store: BlobStore): Promise<WorldManifest | undefined> {
  const bytes = await store.get(CURRENT);
  if (bytes === undefined) return undefined;
  try {
    return manifestIn(CALLER, CURRENT, bytes);
  } catch {
    return undefined;
  }
}

interface Row {
  bytes: number;
  polys: number;
  minY: number;
  maxY: number;
}

/** Returns the rows of a manifest by the content keys of their tiles. */
function rowsOf(manifest: WorldManifest | undefined): Map<string, Row> {
  const rows = new Map<string, Row>();
  if (manifest === undefined) return rows;
  const { key, bytes, polys, minY, maxY } = manifest.tiles;
  for (let i = 0; i < key.length; i++) {
    rows.set(key[i], { bytes: bytes[i], polys: polys[i], minY: minY[i], maxY: maxY[i] });
  }
  return rows;
}

function addRow(rows: ManifestTiles, number: number, key: string, { bytes, polys, minY, maxY }: Row): void {
  rows.number.push(number);
  rows.key.push(key);
  rows.bytes.push(bytes);
  rows.polys.push(polys);
  rows.minY.push(minY);
  rows.maxY.push(maxY);
}

/** Adds the row of a tile that the store has, and returns whether it has it. */
async function reuse(
  store: BlobStore,
  stored: { old: Map<string, Row>; names: Set<string> },
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

function rowOf({ data }: TileResult, bytes: number): Row {
  if (data === undefined) return { bytes, polys: 0, minY: 0, maxY: 0 };
  const bounds = boundsOfTile(data);
  return { bytes, polys: data.polyCount, minY: bounds[1], maxY: bounds[4] };
}

/** Bakes and stores a tile, adds its row, and returns the bytes that were written. */
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

/** Returns links with their options written out, as JSON keeps them. */
function plainLinks(settings: WorldManifest['settings'], links: BuildOptions['links'] = []): LinkOptions[] {
  const mesh = createNavMesh(settings);
  for (const link of links) addLink(mesh, link);
  return listLinks(mesh).map((ref) => {
    const { start, end, bothWays, radius, area, cost, flags, userId, enabled, name } = getLink(mesh, ref)!;
    const plain: LinkOptions = { start, end, bothWays, radius, area, flags, userId, enabled };
    if (cost >= 0) plain.cost = cost;
    if (name !== '') plain.name = name;
    return plain;
  });
}
