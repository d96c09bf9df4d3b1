/**
 * Cache entries: a baked tile as bytes, with its content key and a checksum.
 *
 * Layout, little-endian: magic (8 bytes), length and hash of what follows (4 words), length of the JSON text, the text, and the typed
 * arrays of the tile, each aligned to 8 bytes; last, of a dynamic bake, its packed spans. The text holds the key, the result without its
 * arrays, and their lengths.
 *
 * In: the result of a tile. Out: bytes; or bytes to a result, undefined when they are damaged, cut off, or of another key or version.
 * Cost: linear.
 * Based on: own.
 */
import { addToHash, createLongHash } from '../data/hash.ts';
import type { TileData } from '../navmesh/types.ts';
import type { TileResult } from '../voxel/tile-jobs.ts';
import { TILE_ARRAYS, TILE_FIELDS, padded } from './tile-arrays.ts';
import type { TileArray } from './tile-arrays.ts';

const MAGIC = 'NKTILE01';
/** Magic, length and hash. */
const HEADER_WORDS = 2 + 1 + 4;
/** Bytes before the text: the header and the length of the text. */
const TEXT_START = 4 * (HEADER_WORDS + 1);

interface Entry {
  key: string;
  tile: Omit<TileResult, 'data' | 'times' | 'workspaceBytes' | 'layers'>;
  data: Omit<TileData, TileArray> | null;
  /** The tile whose packed spans the entry has. */
  layers?: { x: number; z: number } | undefined;
  lengths: number[];
}

/** Returns a result as bytes. Times are left out. */
export function encodeEntry(key: string, result: TileResult): Uint8Array<ArrayBuffer> {
  const { tile, data, counts, warnings, emptyStage, layers } = result;
  const arrays: Uint8Array[] = data === undefined ? [] : TILE_FIELDS.map((field) => data[field] as Uint8Array);
  if (layers !== undefined) arrays.push(layers.packed);
  const entry: Entry = {
    key,
    tile: { tile, counts, warnings, emptyStage },
    data:
      data === undefined ? null : { ...data, ...Object.fromEntries(TILE_FIELDS.map((field) => [field, undefined])) },
    layers: layers === undefined ? undefined : { x: layers.x, z: layers.z },
    lengths: arrays.map((array) => array.length),
  };
  const text = new TextEncoder().encode(JSON.stringify(entry));
  const start = padded(TEXT_START + text.length);
  const bytes = new Uint8Array(start + arrays.reduce((sum, array) => sum + padded(array.byteLength), 0));
  bytes.set(text, TEXT_START);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  const words = new Uint32Array(bytes.buffer);
  words[HEADER_WORDS] = text.length;
  bytes.set(new TextEncoder().encode(MAGIC));
  words[2] = bytes.length;
  words.set(hashOf(words), 3);
  return bytes;
}

function hashOf(words: Uint32Array): Uint32Array {
  const hash = createLongHash();
  addToHash(hash, words.subarray(HEADER_WORDS));
  return hash;
}

/** Returns the result that an entry of this key holds, or undefined when it must be baked again. */
export function decodeEntry(given: Uint8Array, key: string): TileResult | undefined {
  if (given.length < TEXT_START || given.length % 8 !== 0) return undefined;
  // Aligned, and independent of the cache's own memory.
  const bytes = given.slice();
  const words = new Uint32Array(bytes.buffer);
  const isIntact =
    new TextDecoder().decode(bytes.subarray(0, 8)) === MAGIC &&
    words[2] === bytes.length &&
    hashOf(words).every((word, i) => word === words[3 + i]);
  if (!isIntact || words[HEADER_WORDS] > bytes.length - TEXT_START) return undefined;
  const text = bytes.subarray(TEXT_START, TEXT_START + words[HEADER_WORDS]);
  const entry = JSON.parse(new TextDecoder().decode(text)) as Entry;
  if (entry.key !== key) return undefined;
  let at = padded(TEXT_START + text.length);
  const fieldCount = entry.data === null ? 0 : TILE_FIELDS.length;
  const arrays = entry.lengths.map((length, i) => {
    const type = i < fieldCount ? TILE_ARRAYS[TILE_FIELDS[i]] : Uint8Array;
    const from = at;
    at += padded(length * type.BYTES_PER_ELEMENT);
    return new type(bytes.buffer.slice(from, from + length * type.BYTES_PER_ELEMENT));
  });
  const data =
    entry.data === null
      ? undefined
      : ({ ...entry.data, ...Object.fromEntries(TILE_FIELDS.map((field, i) => [field, arrays[i]])) } as TileData);
  const layers =
    entry.layers === undefined ? undefined : { ...entry.layers, packed: arrays[fieldCount] as Uint8Array<ArrayBuffer> };
  return { ...entry.tile, data, times: new Map(), workspaceBytes: 0, layers };
}
