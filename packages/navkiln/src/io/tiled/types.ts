/** TODO: header. */
import type { JsonSource } from '../json-source.ts';
import type { ParsedPolygon, ParsedRing } from '../map.ts';

export interface TiledTile {
  /** What its property says. */
  collides: boolean | undefined;
  /** In pixels of the tile, from its upper left corner. */
  shapes: ParsedRing[];
}

export interface TiledTileset {
  /** The number of its first tile. */
  firstGid: number;
  /** Size of tiles that have no size of their own, and how far from their place they are drawn. */
  tileWidth: number;
  tileHeight: number;
  offsetX: number;
  offsetY: number;
  /** Which of its corners or sides objects stand on; undefined: as the map's orientation has it. */
  alignment: string | undefined;
  /** Tiles of which there is something to say. */
  tiles: Map<number, TiledTile>;
}

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
