/**
 * The typed arrays of tiles, and tiles packed for sending: the arrays of several tiles in one buffer, each aligned to 8
 * bytes.
 *
 * In: tiles. Out: numbers and bytes. The reverse gives tiles whose arrays are views of the bytes.
 * Cost: one copy, and another one if they are sent without shared memory.
 * Based on: own.
 * Tried: sending each array of a tile separately. It took ten times as long, mostly to create buffers, and kept the
 *   garbage collector of the requesting thread busy (bench `pool`, city).
 */
import type { TileData, TileGroup } from '../../mesh/types.ts';

/** The arrays of a tile, in the order of cache entries and packed tiles. */
export const TILE_ARRAYS: Readonly<{
  vertices: Float64ArrayConstructor;
  detailVertices: Float64ArrayConstructor;
  polyEdgeStart: Int32ArrayConstructor;
  edgeVertex: Int32ArrayConstructor;
  edgeNeighbor: Int32ArrayConstructor;
  polyDetailVertexStart: Int32ArrayConstructor;
  polyDetailTriStart: Int32ArrayConstructor;
  polyFlags: Uint16ArrayConstructor;
  polyArea: Uint8ArrayConstructor;
  detailTris: Uint8ArrayConstructor;
}> = {
  vertices: Float64Array,
  detailVertices: Float64Array,
  polyEdgeStart: Int32Array,
  edgeVertex: Int32Array,
  edgeNeighbor: Int32Array,
  polyDetailVertexStart: Int32Array,
  polyDetailTriStart: Int32Array,
  polyFlags: Uint16Array,
  polyArea: Uint8Array,
  detailTris: Uint8Array,
};
export type TileArray = keyof typeof TILE_ARRAYS;
export const TILE_FIELDS = /* @__PURE__ */ Object.keys(TILE_ARRAYS) as TileArray[];

/** Returns a number of bytes that is a multiple of 8. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Tiles for sending. */
export interface PackedTiles {
  /** Per tile: x, z, layer, number of vertices, number of polygons, and the length of each array; or -1 for no tile. */
  numbers: number[];
  bytes: Uint8Array;
  /** The named polygons of each tile that has any. */
  groups: (readonly TileGroup[] | undefined)[];
  /** The masks of each tile of a mesh with sizes. */
  sizes: (Uint16Array | undefined)[];
}

/**
 * Packs tiles without their settings, which are those of the bake. `isShared`: uses shared memory, which is not copied
 * when it is sent.
 */
export function packTiles(tiles: readonly (TileData | undefined)[], isShared: boolean): PackedTiles {
  const numbers: number[] = [];
  let size = 0;
  for (const tile of tiles) {
    if (tile === undefined) {
      numbers.push(-1);
      continue;
    }
    numbers.push(tile.vertexCount, tile.polyCount, tile.x, tile.z, tile.layer);
    for (const field of TILE_FIELDS) {
      numbers.push(tile[field].length);
      size += padded(tile[field].byteLength);
    }
  }
  const bytes = isShared ? new Uint8Array(new SharedArrayBuffer(size)) : new Uint8Array(size);
  let at = 0;
  for (const tile of tiles) {
    if (tile === undefined) continue;
    for (const field of TILE_FIELDS) {
      const { buffer, byteOffset, byteLength } = tile[field];
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += padded(byteLength);
    }
  }
  return {
    numbers,
    bytes,
    groups: tiles.map((tile) => tile?.groups),
    sizes: tiles.map((tile) => tile?.polySizes),
  };
}

/** Returns packed tiles. Their arrays are views of the bytes. */
export function unpackTiles({ numbers, bytes, groups, sizes }: PackedTiles): (TileData | undefined)[] {
  const tiles: (TileData | undefined)[] = [];
  let at = bytes.byteOffset;
  for (let i = 0; i < numbers.length;) {
    const vertexCount = numbers[i++];
    if (vertexCount < 0) {
      tiles.push(undefined);
      continue;
    }
    const [polyCount, x, z, layer] = [numbers[i++], numbers[i++], numbers[i++], numbers[i++]];
    const tile: Partial<TileData> = { x, z, layer, vertexCount, polyCount };
    for (const field of TILE_FIELDS) {
      const array = new TILE_ARRAYS[field](bytes.buffer as ArrayBuffer, at, numbers[i++]);
      Object.assign(tile, { [field]: array });
      at += padded(array.byteLength);
    }
    const named = groups[tiles.length];
    if (named !== undefined) tile.groups = named;
    const masks = sizes[tiles.length];
    if (masks !== undefined) tile.polySizes = masks;
    tiles.push(tile as TileData);
  }
  return tiles;
}
