/**
 * Writes the packed spans of all tiles, with the settings of their bake, to the bytes of a mesh's field `layers`; and reads them.
 *
 *   u32                 length of the text, bytes
 *   text                JSON, ASCII: options, bounds, isMoved
 *   for each tile       i32 x, i32 z, u32 length, the packed spans (layers.ts)
 *
 * The options are resolved again when the bytes are read, with the same checks as options of a caller. All numbers are little-endian.
 *
 * In: the layers of a bake, or bytes. Out: bytes, or the layers by the key of their tile.
 * Cost: linear in bytes.
 * Based on: own.
 */
import { MOST_TILES, keyOfTile } from '../../../mesh/tiles/tile-grid.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { BuildOptions, LayerKeeper, TileLayers } from '../options.ts';
import { settingsOf } from '../plain-options.ts';
import type { BuildSettings } from '../plain-options.ts';
import { packSpans } from './layers.ts';

/** The data of a bake that worlds need to open its mesh. */
export interface BakedLayers {
  /** The options that decide the stages after rasterization. */
  options: BuildSettings;
  /** The box of the bake. */
  bounds: { min: number[]; max: number[] };
  /** Whether the positions of the level were doubles, and each tile has an offset of its own (rebase.ts). */
  isMoved: boolean;
  /** The packed spans of each tile, by the tile's key. */
  tiles: Map<number, Uint8Array<ArrayBuffer>>;
}

/** Options that do not affect tiles. */
const LEFT_OUT = [
  'bounds',
  'links',
  'autoLinks',
  'obstacles',
  'workspace',
  'onProgress',
  'strict',
  'memoryLimitBytes',
  'signal',
];

/** Returns the layers of a bake as bytes. */
export function writeLayers(
  options: BuildOptions,
  { boundsMin, boundsMax, offset }: BakeConfig,
  isMoved: boolean,
  tiles: readonly TileLayers[],
): Uint8Array<ArrayBuffer> {
  const kept = Object.entries(settingsOf(options)).filter(([key]) => !LEFT_OUT.includes(key));
  const bounds = { min: boundsMin.map((v, k) => v + offset[k]), max: boundsMax.map((v, k) => v + offset[k]) };
  const text = JSON.stringify({ options: Object.fromEntries(kept), bounds, isMoved }, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  ).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  let at = 4 + text.length;
  const bytes = new Uint8Array(tiles.reduce((sum, { packed }) => sum + 12 + packed.length, at));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, text.length, true);
  for (let i = 0; i < text.length; i++) bytes[4 + i] = text.charCodeAt(i);
  for (const { x, z, packed } of tiles) {
    view.setInt32(at, x, true);
    view.setInt32(at + 4, z, true);
    view.setUint32(at + 8, packed.length, true);
    bytes.set(packed, at + 12);
    at += 12 + packed.length;
  }
  return bytes;
}

/** Reads the layers of a mesh. Throws an Error for bytes that `writeLayers` has not written. */
export function readLayers(bytes: Uint8Array, caller: string): BakedLayers {
  const fail = (what: string): never => {
    throw new Error(`${caller}: navMesh.layers are damaged: ${what}; bake again`);
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = bytes.length < 4 ? Infinity : 4 + view.getUint32(0, true);
  if (at > bytes.length) fail('the text is cut off');
  let head: Partial<BakedLayers> | null = null;
  try {
    head = JSON.parse(Array.from(bytes.subarray(4, at), (unit) => String.fromCharCode(unit)).join('')) as BakedLayers;
  } catch {
    fail('the text is not JSON');
  }
  const { options, bounds, isMoved } = head ?? {};
  if (typeof options !== 'object' || typeof bounds !== 'object' || typeof isMoved !== 'boolean') {
    return fail('options or bounds are missing');
  }
  const tiles: BakedLayers['tiles'] = new Map();
  while (at < bytes.length) {
    if (at + 12 > bytes.length) fail('a tile is cut off');
    const [x, z, length] = [view.getInt32(at, true), view.getInt32(at + 4, true), view.getUint32(at + 8, true)];
    if (Math.abs(x) >= MOST_TILES || Math.abs(z) >= MOST_TILES) fail('a tile is outside of the grid');
    const key = keyOfTile(x, z);
    if (at + 12 + length > bytes.length) fail('a tile is cut off');
    if (tiles.has(key)) fail('a tile occurs twice');
    tiles.set(key, bytes.slice(at + 12, at + 12 + length));
    at += 12 + length;
  }
  return { options, bounds, isMoved, tiles };
}

/** The option `dynamic` of bakes: keeps the solid spans of tiles in the mesh. */
export const dynamicLayers: LayerKeeper = { name: 'layers', pack: packSpans, write: writeLayers };
