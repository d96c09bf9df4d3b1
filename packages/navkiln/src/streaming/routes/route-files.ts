/**
 * The files of routes of a published world: the records of a block of 16 x 16 tiles each, named by a hash of what they depend on.
 *
 * In: a manifest and a store. Out: files in the store, and their names in the manifest.
 * Cost: a file per block; for blocks with tiles that have changed, reading and measuring their tiles.
 * Based on: own.
 */
import { addTextToHash, createLongHash, hexOfHash } from '../../data/hash.ts';
import { addTile, removeTile } from '../../navmesh/tiles.ts';
import type { NavMesh, TileData } from '../../navmesh/types.ts';
import { createRouteGraph } from '../../routes/graph.ts';
import { lengthsOfRoutes, packRoutes, unpackRoutes } from '../../routes/record/file.ts';
import { measureTile } from '../../routes/record/measure.ts';
import type { RouteTile } from '../../routes/types.ts';
import type { BlobStore } from '../../voxel/options.ts';
import { decodeEntry } from '../../worker/cache-entry.ts';
import { readFrame, writeFrame } from '../../worker/frame.ts';
import { padded } from '../../worker/tile-arrays.ts';
import { createStreamedMesh, routesName, tileName } from '../manifest.ts';
import type { ManifestRoutes, WorldManifest } from '../manifest.ts';

const MAGIC = 'NKROUT01';
/** Version of the records; it is in the names of files. */
const VERSION = 1;
/** Tiles along a side of a block. */
const BLOCK = 16;

/** Rows of a manifest by block, in order. */
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

/**
 * Stores the records of all tiles of a manifest, and returns the names of their files. `names`: files that the store has.
 *
 * @throws (rejects with) Error when the file of a tile is missing or damaged; errors of the store
 */
export async function publishRoutes(
  caller: string,
  store: BlobStore,
  manifest: WorldManifest,
  names: ReadonlySet<string>,
): Promise<ManifestRoutes> {
  const routes: ManifestRoutes = { number: [], key: [], bytes: [] };
  const mesh = createStreamedMesh(manifest);
  const { rounding } = createRouteGraph(mesh, 'records');
  const links = JSON.stringify(manifest.links);
  for (const [number, rows] of blocksOf(manifest)) {
    const hash = createLongHash();
    addTextToHash(hash, JSON.stringify([VERSION, links, ...rows.map((row) => manifest.tiles.key[row])]));
    const key = hexOfHash(hash);
    let bytes = names.has(routesName(key)) ? await store.get(routesName(key)) : undefined;
    if (bytes === undefined || readRoutes(bytes, key, mesh.tileSize) === undefined) {
      const records: RouteTile[] = [];
      for (const row of rows) records.push(measureData(mesh, rounding, await loadTile(caller, store, manifest, row)));
      const { text, arrays } = packRoutes(records, mesh.tileSize);
      bytes = writeFrame(MAGIC, JSON.stringify({ key, text }), arrays);
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

/** Returns the record of a tile by itself. `mesh` has no tiles. */
function measureData(mesh: NavMesh, rounding: number, data: TileData): RouteTile {
  const slot = addTile(mesh, data);
  const record = measureTile(mesh, slot, rounding);
  removeTile(mesh, slot);
  return record;
}

/** Returns the records in a file, or undefined when it is damaged, cut off, or of another name. */
export function readRoutes(given: Uint8Array, key: string, tileSize: number): RouteTile[] | undefined {
  const frame = readFrame(MAGIC, given);
  if (frame === undefined) return undefined;
  const { key: own, text } = JSON.parse(frame.text) as { key?: unknown; text?: unknown };
  if (own !== key || typeof text !== 'string') return undefined;
  const lengths = lengthsOfRoutes(text);
  if (lengths === undefined) return undefined;
  let at = frame.start;
  const pieces: ArrayBuffer[] = [];
  for (const length of lengths) {
    pieces.push(frame.bytes.buffer.slice(at, at + length));
    at += padded(length);
  }
  return at === frame.bytes.length ? unpackRoutes(text, pieces, tileSize) : undefined;
}
