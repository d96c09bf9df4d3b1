/**
 * What the readers of Tiled's parts share: the map's frame, its options, and shapes in it.
 *
 * Tiled's pixels: x to the right, y down. Objects of isometric maps are in pixels along the grid's axes, where a cell is a tile
 * height long on both; `toScreen` is where they are drawn.
 */
import { cosDegrees, sinDegrees } from '../math/degrees.ts';
import { fail, isRecord, readArray, show } from './json-source.ts';
import type { JsonRecord, JsonSource } from './json-source.ts';
import type { ParsedPoint, ParsedPolygon, ParsedRing } from './map.ts';
import type { TiledTileset } from './tiled-tileset.ts';

export interface TiledOptions {
  /**
   * Names of layers whose shapes (tiles, on tile layers) are ground; all else is not. Layers with a boolean property `walkable`
   * count as named. Default: none, the whole area of the map is ground.
   */
  walkable?: readonly string[];
  /**
   * Name of the boolean property that says whether something blocks: of an object, a tile, a layer, the nearest of these.
   * Without it, objects block, and tiles only when they have collision shapes. Default 'collides'.
   */
  collisionProperty?: string;
  /** World units a pixel. Default 1. */
  scale?: number;
  /** How far the sides of polygons may stray from ellipses, pixels; always to the side of what blocks. Default 0.5. */
  tolerance?: number;
  /** Isometric maps: 'screen', as drawn; 'grid', along the grid's axes, with the lengths of the ground. Default 'screen'. */
  space?: 'screen' | 'grid';
  /** Text, bytes or parsed object of an external tileset; undefined: there is none. Default: there are none. */
  tileset?: (source: string) => string | Uint8Array | object | undefined;
  /** Inflates layer data: 'zlib', 'gzip' or 'zstd'. Default: such data is refused. */
  decompress?: (bytes: Uint8Array, compression: string) => Uint8Array;
  /** What messages call the file. Default 'Tiled map'. */
  name?: string;
}

/** x -> a x + c y + e, y -> b x + d y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface TiledReader {
  source: JsonSource;
  options: TiledOptions;
  collisionProperty: string;
  walkable: ReadonlySet<string>;
  tolerance: number;
  /** Cells; 0 x 0: not known (infinite maps). */
  width: number;
  height: number;
  isInfinite: boolean;
  isIsometric: boolean;
  tileWidth: number;
  tileHeight: number;
  /** Cells -> where they are drawn, pixels. */
  cellToScreen: Affine;
  /** Object pixels -> the same. */
  toScreen: Affine;
  /** Where things are drawn -> the result. */
  toResult: Affine;
  tilesets: TiledTileset[];
  /** Results, in result coordinates. */
  ground: ParsedPolygon[];
  obstacles: ParsedRing[];
  cells: LayerCells[];
  /** A layer is ground, so that all else is not. */
  hasWalkable: boolean;
}

/** Cells of a tile layer or a chunk of one. */
export interface LayerCells {
  blocked: CellSet;
  open: CellSet;
  /** The layer has an offset. */
  isMoved: boolean;
  /** Cells -> result. */
  toResult: Affine;
}

/** Some cells of a rectangle of cells. */
export interface CellSet {
  x: number;
  y: number;
  width: number;
  height: number;
  cells: Uint8Array;
}

/** A layer's offset in the picture, and what it inherits. */
export interface LayerPlace {
  name: string;
  offsetX: number;
  offsetY: number;
  isWalkable: boolean;
  /** The layer's own word on whether its things block. */
  collides: boolean | undefined;
}

export const IDENTITY: Affine = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function compose(outer: Affine, inner: Affine): Affine {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function translation(x: number, y: number): Affine {
  return [1, 0, 0, 1, x, y];
}

/** Clockwise as one sees it, y being down. */
export function rotation(degrees: number): Affine {
  const c = cosDegrees(degrees), s = sinDegrees(degrees);
  return [c, s, -s, c, 0, 0];
}

export function inverse([a, b, c, d, e, f]: Affine): Affine {
  const det = a * d - b * c;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export function transform(ring: ParsedRing, [a, b, c, d, e, f]: Affine): ParsedRing {
  return ring.map(([x, y]): ParsedPoint => [a * x + c * y + e, b * x + d * y + f]);
}

/** A boolean property of a thing, undefined: it has none of this name. */
export function readFlag(source: JsonSource, where: string, thing: JsonRecord, name: string): boolean | undefined {
  const { properties } = thing;
  if (properties === undefined) return undefined;
  for (const property of readArray(source, `${where}, properties`, properties)) {
    if (!isRecord(property) || property['name'] !== name) continue;
    const { value } = property;
    if (typeof value !== 'boolean') fail(source, where, `has a property "${name}" that is ${show(value)}; make it a bool`);
    return value;
  }
  return undefined;
}
