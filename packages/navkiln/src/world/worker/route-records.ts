/**
 * Route records of tiles: measures single tiles, and writes records of tiles as a file with a key and a checksum.
 *
 * In: tiles. Out: records and bytes. The reverse gives records, or undefined when the bytes are damaged, cut off, or of
 * another key.
 * Cost: about 5 % of the tile's bake; linear.
 * Based on: own.
 */
import { addTextToHash, createLongHash, hexOfHash } from '../../base/data/hash.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { addLink } from '../../mesh/change/links.ts';
import type { LinkOptions } from '../../mesh/change/links.ts';
import { addTile, removeTile } from '../../mesh/change/tiles.ts';
import type { NavMesh, TileData, TileSettings } from '../../mesh/types.ts';
import { enableWideLinks } from '../../query/path/wide-links.ts';
import { joinRoutes, lengthsOfRoutes, packRoutes, unpackRoutes, viewRoutes } from '../../query/routes/record/file.ts';
import type { PackedRoutes } from '../../query/routes/record/file.ts';
import { measureTile } from '../../query/routes/record/measure.ts';
import { roundingOf } from '../../query/routes/rounding.ts';
import type { RouteTile } from '../../query/routes/types.ts';
import { arrayPlaces, frameLength, readFrame, writeFrame } from './frame.ts';

const MAGIC = 'NKROUT01';
/** Version of the records, which file names depend on. */
export const ROUTES_VERSION = 1;

/** The data that all records of a world depend on, as plain data. */
export interface RouteSetup {
  settings: TileSettings;
  links: LinkOptions[];
}

/** Returns the function that measures tiles of a world. */
export function startMeasuring({ settings, links }: RouteSetup): (data: TileData) => PackedRoutes {
  const mesh: NavMesh = createNavMesh(settings);
  if (links.length > 0) enableWideLinks();
  for (const link of links) addLink(mesh, link);
  const rounding = roundingOf(mesh, 'records');
  return (data) => {
    const slot = addTile(mesh, data);
    // One record per size, one after the other.
    const sizes = mesh.sizes.length === 0 ? [-1] : [...mesh.sizes.keys()];
    const records = sizes.map((size) => measureTile(mesh, slot, rounding, size));
    removeTile(mesh, slot);
    return packRoutes(records, settings.tileSize);
  };
}

/** Returns the function that computes the key of a tile's record from its content key. */
export function recordKeys({ links }: Pick<RouteSetup, 'links'>): (key: string) => string {
  const base = createLongHash();
  addTextToHash(base, JSON.stringify([ROUTES_VERSION, links]));
  return (key) => {
    const hash = base.slice();
    addTextToHash(hash, key);
    return hexOfHash(hash);
  };
}

/** Returns records of tiles as a file of this key. */
export function writeRoutes(key: string, records: readonly PackedRoutes[]): Uint8Array<ArrayBuffer> {
  const { text, arrays } = joinRoutes(records);
  return writeFrame(MAGIC, JSON.stringify({ key, text }), arrays);
}

/**
 * Returns the records in a file, or undefined when it is damaged, cut off, or of another name. A tile has one record
 * per size of the mesh.
 */
export function readRoutes(given: Uint8Array, key: string, tileSize: number): RouteTile[] | undefined {
  const file = openFile(given);
  if (file?.key !== key) return undefined;
  const { text, memory, places, lengths } = file;
  const pieces = places.map((at, i) => memory.slice(at, at + lengths[i]));
  return unpackRoutes(text, pieces, tileSize);
}

/** Returns the records in concatenated files by their keys, up to the first damaged file. */
export function readJoinedRoutes(given: Uint8Array): Map<string, PackedRoutes> {
  const found = new Map<string, PackedRoutes>();
  for (let at = 0; at < given.length;) {
    const length = frameLength(given, at);
    const file = length > 0 ? openFile(given.subarray(at, at + length)) : undefined;
    if (file === undefined) break;
    found.set(file.key, viewRoutes(file.text, file.memory, file.places));
    at += length;
  }
  return found;
}

interface RouteFile {
  key: string;
  text: string;
  memory: ArrayBuffer;
  /** Offset of each array, and the buffer. */
  places: number[];
  lengths: number[];
}

function openFile(given: Uint8Array): RouteFile | undefined {
  const frame = readFrame(MAGIC, given);
  if (frame === undefined) return undefined;
  const { key, text } = frame.record;
  if (typeof key !== 'string' || typeof text !== 'string') return undefined;
  const lengths = lengthsOfRoutes(text);
  if (lengths === undefined) return undefined;
  const places = arrayPlaces(
    frame,
    lengths,
    lengths.map(() => 1),
  );
  return places === undefined ? undefined : { key, text, memory: frame.bytes.buffer, places, lengths };
}
