/**
 * Chunks: the triangles that some tiles of a level need, as bytes. A tile baked from its chunk has the same bytes as a
 * tile baked from the whole level.
 *
 * A chunk is a frame (frame.ts) with the vertices that its triangles use, in the caller's precision, and the ordered
 * triangles of each tile. Its key is the hash of the content keys of its tiles, which cover all of this.
 *
 * In: a prepared level and tiles. Out: bytes. The reverse gives the triangles of each tile.
 * Cost: linear in the triangles of its tiles, and in memory.
 * Based on: own.
 */
import type { PreparedTiles } from '../../../build/voxel/build-tile.ts';
import type { Offset } from '../../../build/voxel/rebase.ts';
import { addTextToHash, createLongHash, hexOfHash } from '../../../base/data/hash.ts';
import { AREA_COUNT } from '../../../base/constants.ts';
import { arrayPlaces, isCount, readFrame, writeFrame } from '../frame.ts';

const MAGIC = 'NKCHUNK1';

/** The triangles of some tiles. */
export interface Chunk {
  /** Numbers of the tiles, x + z * tileCountX. */
  tiles: number[];
  /** Content keys of the tiles. */
  keys: string[];
  /** Offset that was subtracted from positions given as doubles. */
  offset: Offset;
  /** xyz in world units. They are doubles if the level's positions were not float32. */
  positions: Float32Array | Float64Array;
  /** Three vertices per triangle. */
  indices: Uint32Array;
  /** Area id of each triangle after the slope test. */
  areas: Uint8Array;
  /** The triangles of tile i are list[start[i]] .. list[start[i + 1] - 1]. */
  start: Int32Array;
  list: Int32Array;
}

interface ChunkText {
  key: string;
  tiles: number[];
  keys: string[];
  offset: Offset;
  isMoved: boolean;
  /** Lengths of `positions`, `indices`, `areas`, `start` and `list`. */
  lengths: number[];
}

/** Returns the key of the chunk of these tiles. */
export function chunkKey(tiles: readonly number[], keys: readonly string[]): string {
  const hash = createLongHash();
  addTextToHash(hash, JSON.stringify([tiles, keys]));
  return hexOfHash(hash);
}

/** Returns the chunk of these tiles of a level as bytes. */
export function encodeChunk(
  level: PreparedTiles,
  tiles: readonly number[],
  keys: readonly string[],
): Uint8Array<ArrayBuffer> {
  const { prepared, areas: all, triangles } = level;
  const { given, offset, indices: corners, positions: local } = prepared;
  const { start: starts, list: lists } = triangles!;
  const triangleOf = new Map<number, number>();
  const vertexOf = new Map<number, number>();
  const start = new Int32Array(tiles.length + 1);
  const list: number[] = [];
  const indices: number[] = [];
  const areas: number[] = [];
  const positions: number[] = [];
  const source = given ?? local;
  const vertex = (v: number): number => {
    let known = vertexOf.get(v);
    if (known === undefined) {
      vertexOf.set(v, (known = vertexOf.size));
      positions.push(source[3 * v], source[3 * v + 1], source[3 * v + 2]);
    }
    return known;
  };
  for (const [i, tile] of tiles.entries()) {
    for (let at = starts[tile]; at < starts[tile + 1]; at++) {
      const t = lists[at];
      let known = triangleOf.get(t);
      if (known === undefined) {
        triangleOf.set(t, (known = triangleOf.size));
        for (let k = 0; k < 3; k++) indices.push(vertex(corners[3 * t + k]));
        areas.push(all[t]);
      }
      list.push(known);
    }
    start[i + 1] = list.length;
  }
  const isMoved = given !== undefined;
  const arrays = [
    isMoved ? Float64Array.from(positions) : Float32Array.from(positions),
    Uint32Array.from(indices),
    Uint8Array.from(areas),
    start,
    Int32Array.from(list),
  ];
  const lengths = arrays.map(({ length }) => length);
  const text: ChunkText = { key: chunkKey(tiles, keys), tiles: [...tiles], keys: [...keys], offset, isMoved, lengths };
  return writeFrame(MAGIC, JSON.stringify(text), arrays);
}

/**
 * Returns the chunk of this key in `given`, or undefined when it is damaged, cut off, or another chunk. `take` returns
 * memory for its arrays, so that it can be shared with workers.
 */
export function decodeChunk(
  given: Uint8Array,
  key: string,
  take: (byteLength: number) => ArrayBufferLike,
): Chunk | undefined {
  const frame = readFrame(MAGIC, given);
  const text = frame?.record as Partial<ChunkText> | undefined;
  if (frame === undefined || text === undefined || text.key !== key || !isText(text)) return undefined;
  const { tiles, keys, offset, lengths } = text;
  const types = [text.isMoved ? Float64Array : Float32Array, Uint32Array, Uint8Array, Int32Array, Int32Array] as const;
  const sizes = types.map(({ BYTES_PER_ELEMENT }) => BYTES_PER_ELEMENT);
  const places = arrayPlaces(frame, lengths, sizes);
  if (places === undefined) return undefined;
  const next = <T extends ArrayBufferView>(
    type: new (memory: ArrayBufferLike, at: number, length: number) => T,
    i: number,
  ): T => {
    const bytes = lengths[i] * sizes[i];
    const memory = take(bytes);
    new Uint8Array(memory, 0, bytes).set(frame.bytes.subarray(places[i], places[i] + bytes));
    return new type(memory, 0, lengths[i]);
  };
  const chunk: Chunk = {
    tiles,
    keys,
    offset,
    positions: next<Float32Array | Float64Array>(types[0], 0),
    indices: next(Uint32Array, 1),
    areas: next(Uint8Array, 2),
    start: next(Int32Array, 3),
    list: next(Int32Array, 4),
  };
  return isSound(chunk) ? chunk : undefined;
}

/** Returns whether the text of a chunk has the right types, and its key. */
function isText(text: Partial<ChunkText>): text is ChunkText {
  const { key, tiles, keys, offset, isMoved } = text;
  return (
    Array.isArray(tiles) &&
    tiles.every(isCount) &&
    Array.isArray(keys) &&
    keys.length === tiles.length &&
    keys.every((one) => typeof one === 'string') &&
    Array.isArray(offset) &&
    offset.length === 3 &&
    offset.every(Number.isFinite) &&
    typeof isMoved === 'boolean' &&
    chunkKey(tiles, keys) === key
  );
}

/** Returns whether all indices of a chunk are valid, and its positions finite. */
function isSound({ tiles, positions, indices, areas, start, list }: Chunk): boolean {
  const vertexCount = positions.length / 3;
  return (
    vertexCount % 1 === 0 &&
    positions.every(Number.isFinite) &&
    indices.length === 3 * areas.length &&
    indices.every((vertex) => vertex < vertexCount) &&
    areas.every((area) => area < AREA_COUNT) &&
    start.length === tiles.length + 1 &&
    start[0] === 0 &&
    start[tiles.length] === list.length &&
    start.every((at, i) => i === 0 || at >= start[i - 1]) &&
    list.every((triangle) => triangle >= 0 && triangle < areas.length)
  );
}
