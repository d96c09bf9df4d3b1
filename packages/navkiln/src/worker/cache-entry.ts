/**
 * Cache entries: a baked tile as bytes, with its content key and a checksum.
 *
 * An entry is a frame (frame.ts). Its text contains the key, the result without its arrays, and their lengths. The
 * arrays are those of the tile, followed by its packed spans for a dynamic bake.
 *
 * In: the result of a tile. Out: bytes. The reverse gives a result, or undefined when the bytes are damaged, cut off,
 * or of another key or version.
 * Cost: linear.
 * Based on: own.
 */
import type { TileData } from '../navmesh/types.ts';
import type { TileResult } from '../voxel/tile-jobs.ts';
import { readFrame, writeFrame } from './frame.ts';
import { TILE_ARRAYS, TILE_FIELDS, padded } from './tile-arrays.ts';
import type { TileArray } from './tile-arrays.ts';

const MAGIC = 'NKTILE01';

interface Entry {
  key: string;
  tile: Omit<TileResult, 'data' | 'times' | 'workspaceBytes' | 'layers'>;
  data: Omit<TileData, TileArray | 'polySizes'> | null;
  /** Whether the last array contains the masks of a mesh with sizes. */
  hasSizes?: boolean;
  /** The tile whose packed spans the entry contains. */
  layers?: { x: number; z: number } | undefined;
  lengths: number[];
}

/** Returns a result as bytes. Times are left out. */
export function encodeEntry(key: string, result: TileResult): Uint8Array<ArrayBuffer> {
  const { tile, data, counts, warnings, emptyStage, layers } = result;
  const arrays: Uint8Array[] = data === undefined ? [] : TILE_FIELDS.map((field) => data[field] as Uint8Array);
  if (layers !== undefined) arrays.push(layers.packed);
  const { polySizes } = data ?? {};
  if (polySizes !== undefined) arrays.push(new Uint8Array(polySizes.slice().buffer));
  const entry: Entry = {
    key,
    tile: { tile, counts, warnings, emptyStage },
    data:
      data === undefined
        ? null
        : { ...data, ...Object.fromEntries([...TILE_FIELDS, 'polySizes'].map((field) => [field, undefined])) },
    ...(polySizes === undefined ? {} : { hasSizes: true }),
    layers: layers === undefined ? undefined : { x: layers.x, z: layers.z },
    lengths: arrays.map((array) => array.length),
  };
  return writeFrame(MAGIC, JSON.stringify(entry), arrays);
}

/** Returns the result in an entry of this key, or undefined when the tile must be baked again. */
export function decodeEntry(given: Uint8Array, key: string): TileResult | undefined {
  const frame = readFrame(MAGIC, given);
  if (frame === undefined) return undefined;
  const { bytes, text } = frame;
  const entry = JSON.parse(text) as Entry;
  if (entry.key !== key) return undefined;
  let at = frame.start;
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
  if (data !== undefined && entry.hasSizes === true) data.polySizes = new Uint16Array(arrays.at(-1)!.slice().buffer);
  const layers =
    entry.layers === undefined ? undefined : { ...entry.layers, packed: arrays[fieldCount] as Uint8Array<ArrayBuffer> };
  return { ...entry.tile, data, times: new Map(), workspaceBytes: 0, layers };
}
