/**
 * The route files of a published world. Each contains the records of a block of 16 x 16 tiles, and its name is a hash
 * of its input.
 *
 * In: a manifest and a store. Out: files in the store, and their names in the manifest.
 * Cost: one file per block; the tiles of blocks with changed tiles are read and measured.
 * Based on: own.
 */
import { addTextToHash, createLongHash, hexOfHash } from '../../../base/data/hash.ts';
import type { TileData } from '../../../mesh/types.ts';
import type { PackedRoutes } from '../../../query/routes/record/file.ts';
import type { BlobStore } from '../../../build/voxel/pool-types.ts';
import { decodeEntry } from '../../worker/cache-entry.ts';
import { ROUTES_VERSION, readRoutes, startMeasuring, writeRoutes } from '../../worker/route-records.ts';
import { routesName, tileName } from '../manifest.ts';
import type { ManifestRoutes, WorldManifest } from '../manifest.ts';

/** Number of tiles along a side of a block. Blocks are numbered row by row. */
export const BLOCK = 16;

/** Returns the rows of a manifest per block, in order. */
function blocksOf({ countX, tiles }: WorldManifest): Map<number, number[]> {
  const width = Math.ceil(countX / BLOCK);
  const blocks = new Map<number, number[]>();
  tiles.number.forEach((number, row) => {
    if (tiles.polys[row] === 0) return;
    const x = number % countX;
    const z = (number - x) / countX;
    const block = Math.floor(x / BLOCK) + Math.floor(z / BLOCK) * width;
    const list = blocks.get(block);
    if (list === undefined) blocks.set(block, [row]);
    else list.push(row);
  });
  return new Map([...blocks].sort((a, b) => a[0] - b[0]));
}

/** Returns the record of a row's tile if it was measured before, or undefined. Calls come block by block. */
export type KnownRoutes = (row: number) => Promise<PackedRoutes | undefined>;

/** The store of a publication's records. */
export interface RouteStore {
  store: BlobStore;
  /** Returns whether the store had a file of this name before. */
  has: (name: string) => boolean;
  known?: KnownRoutes;
}

/**
 * Stores the records of all tiles of a manifest, and returns the names of their files.
 *
 * @throws (rejects with) Error when the file of a tile is missing or damaged; errors of the store
 */
export async function publishRoutes(
  caller: string,
  { store, has, known }: RouteStore,
  manifest: WorldManifest,
): Promise<ManifestRoutes> {
  const routes: ManifestRoutes = { number: [], key: [], bytes: [] };
  const measure = startMeasuring(manifest);
  const { tileSize } = manifest.settings;
  const links = JSON.stringify(manifest.links);
  for (const [number, rows] of blocksOf(manifest)) {
    const hash = createLongHash();
    addTextToHash(hash, JSON.stringify([ROUTES_VERSION, links, ...rows.map((row) => manifest.tiles.key[row])]));
    const key = hexOfHash(hash);
    let bytes = has(routesName(key)) ? await store.get(routesName(key)) : undefined;
    if (bytes === undefined || readRoutes(bytes, key, tileSize) === undefined) {
      const records: PackedRoutes[] = [];
      for (const row of rows)
        records.push((await known?.(row)) ?? measure(await loadTile(caller, store, manifest, row)));
      bytes = writeRoutes(key, records);
      await store.set(routesName(key), bytes);
    }
    routes.number.push(number);
    routes.key.push(key);
    routes.bytes.push(bytes.length);
  }
  return routes;
}

async function loadTile(caller: string, store: BlobStore, { tiles }: WorldManifest, row: number): Promise<TileData> {
  const key = tiles.key[row];
  const bytes = await store.get(tileName(key));
  const result = bytes === undefined ? undefined : decodeEntry(bytes, key);
  if (result?.data === undefined || result.tile !== tiles.number[row])
    throw new Error(`${caller}: ${tileName(key)} is missing or damaged; publish again`);
  return result.data;
}
