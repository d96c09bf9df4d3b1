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
import type { TileData } from '../../mesh/types.ts';
import type { BuildWarning } from '../../build/voxel/report.ts';
import type { TileResult } from '../../build/voxel/tile-jobs.ts';
import { arrayPlaces, isCount, readFrame, writeFrame } from './frame.ts';
import { TILE_ARRAYS, TILE_FIELDS } from './tile-arrays.ts';
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

/** Returns the result in an entry of this key, or undefined when the tile must be baked again. `addTile` checks the tile itself. */
export function decodeEntry(given: Uint8Array, key: string): TileResult | undefined {
  const frame = readFrame(MAGIC, given);
  const entry = frame?.record as Partial<Entry> | undefined;
  if (frame === undefined || entry?.key !== key || !isEntry(entry)) return undefined;
  const fields = entry.data === null ? [] : TILE_FIELDS;
  const types = [...fields.map((field) => TILE_ARRAYS[field]), ...(entry.layers === undefined ? [] : [Uint8Array])];
  if (entry.hasSizes === true) types.push(Uint8Array);
  const sizes = types.map((type) => type.BYTES_PER_ELEMENT);
  const places = arrayPlaces(frame, entry.lengths, sizes);
  if (places === undefined) return undefined;
  const arrays = types.map(
    (type, i) => new type(frame.bytes.buffer.slice(places[i], places[i] + entry.lengths[i] * sizes[i])),
  );
  const data =
    entry.data === null
      ? undefined
      : ({ ...entry.data, ...Object.fromEntries(TILE_FIELDS.map((field, i) => [field, arrays[i]])) } as TileData);
  if (data !== undefined && !hasItsLengths(data)) return undefined;
  if (data !== undefined && entry.hasSizes === true) {
    const masks = arrays.at(-1)!;
    if (masks.length % 2 !== 0) return undefined;
    data.polySizes = new Uint16Array(masks.slice().buffer);
  }
  const layers =
    entry.layers === undefined
      ? undefined
      : { ...entry.layers, packed: arrays[fields.length] as Uint8Array<ArrayBuffer> };
  return { ...entry.tile, data, times: new Map(), workspaceBytes: 0, layers };
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

function isWarning(value: unknown): boolean {
  const { code, stage, count, where } = (value ?? {}) as Partial<BuildWarning>;
  const isPlace = where === undefined || (isRecord(where) && (where.triangle === undefined || isCount(where.triangle)));
  return typeof code === 'string' && typeof stage === 'string' && isCount(count) && isPlace;
}

/** Returns whether the fields that are not arrays have their types. */
function isEntry(entry: Partial<Entry>): entry is Entry {
  const { tile, data, layers } = entry;
  return (
    isRecord(tile) &&
    [tile!.tile, tile!.emptyStage].every(isCount) &&
    isRecord(tile!.counts) &&
    Object.values(tile!.counts).every((count) => typeof count === 'number' && count >= 0 && count < Infinity) &&
    Array.isArray(tile!.warnings) &&
    tile!.warnings.every(isWarning) &&
    (data === null || (isRecord(data) && [data!.vertexCount, data!.polyCount].every(isCount))) &&
    (layers === undefined || (isRecord(layers) && Number.isInteger(layers.x) && Number.isInteger(layers.z)))
  );
}

/** Returns whether a tile has as many vertices as its numbers say. */
function hasItsLengths({ vertexCount, polyCount, vertices, polyDetailVertexStart, detailVertices }: TileData): boolean {
  const detailCount = polyDetailVertexStart[polyCount];
  return vertices.length >= 3 * vertexCount && detailCount >= 0 && detailVertices.length >= 3 * detailCount;
}
