/** The options of `parseTiled`, and the records that the readers of Tiled's parts share. */
import type { JsonRecord, JsonSource } from '../json-source.ts';
import type { MapLayerReport, ParsedArea, ParsedLayer, ParsedPoint, ParsedPolygon, ParsedRing } from '../map.ts';

/** Whether one direction only is allowed: which one in cells, y down; true: not known. */
export type OneWay = boolean | readonly [x: number, y: number];

export interface TiledTile {
  /** Value of the tile's collision property; undefined when it has none. */
  collides: boolean | undefined;
  /** Its class, '' without one. */
  kind: string;
  /** Its cost per unit of length, and the name of its area; undefined: none. */
  cost: number | undefined;
  area: string | undefined;
  oneWay: OneWay;
  /** Pixels of the tile, from its upper left corner. */
  shapes: ParsedRing[];
}

export interface TiledTileset {
  /** The number of its first tile. */
  firstGid: number;
  /** Its file; '' in the map itself. */
  file: string;
  /** Size of tiles without a size of their own, and the offset at which they are drawn. */
  tileWidth: number;
  tileHeight: number;
  offsetX: number;
  offsetY: number;
  /** The corner or side at which objects are anchored; undefined: as the map's orientation has it. */
  alignment: string | undefined;
  /** Tiles with a property, a class or shapes that count. */
  tiles: Map<number, TiledTile>;
  /** Whether its file was not given; then how many tiles of it the map has. */
  isMissing: boolean;
  missingTiles: number;
}

/** An object that others are made of. */
export interface TiledTemplate {
  object: JsonRecord;
  /** The tileset of its tile, and the number of the tileset's first tile in the template. */
  tileset: TiledTileset | undefined;
  firstGid: number;
}

/** Options of `parseTiled`. */
export interface TiledOptions {
  /**
   * Names of layers whose shapes (on tile layers: tiles) are walkable; everything else is not. Layers with a
   * boolean property `walkable` count as named. Default: none, the whole area of the map is walkable.
   */
  walkable?: readonly string[];
  /**
   * Names of layers whose shapes and tiles all block. Layers count as named if their name or class has a word such as walls,
   * collision, solid, obstacles or blocked. Default: none.
   */
  walls?: readonly string[];
  /** Names of layers that are left out. Default: none. */
  ignore?: readonly string[];
  /**
   * Name of the boolean property that decides whether something blocks; the nearest of object, tile and layer
   * counts. Default: 'collides', 'collision', 'solid', 'blocked', 'wall', 'impassable' and the like.
   */
  collisionProperty?: string;
  /** World units per pixel. Default 1. */
  scale?: number;
  /** How far polygons may deviate from ellipses, pixels; they deviate towards the blocked side. Default 0.5. */
  tolerance?: number;
  /**
   * For isometric maps. 'screen': as drawn; 'grid': along the axes of the grid, with true lengths. Default
   * 'screen'.
   */
  space?: 'screen' | 'grid';
  /**
   * Returns the text, bytes or parsed object of an external tileset, or undefined when it is missing.
   * Default: none exist.
   */
  tileset?: (source: string) => string | Uint8Array | object | undefined;
  /** The same for templates of objects (.tx, .tj). Default: the option `tileset`. */
  template?: (source: string) => string | Uint8Array | object | undefined;
  /**
   * Decompresses layer data of 'zlib', 'gzip' or 'zstd' to `size` bytes. It may throw as soon as there are more. Default: compressed
   * data is an error.
   */
  decompress?: (bytes: Uint8Array, compression: string, size: number) => Uint8Array;
  /** Memory that reading may take, bytes; larger maps are refused. Default 2^30 (1 GiB). */
  memoryLimitBytes?: number;
  /** Name of the file in messages. Default 'Tiled map'. */
  name?: string;
}

/** x -> a x + c y + e, y -> b x + d y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The grid of a hexagonal or staggered map; pixels. */
export interface StaggeredGrid {
  /** Columns are shifted; false: rows. */
  isAlongX: boolean;
  /** Parity of the columns or rows that are shifted. */
  shifted: 0 | 1;
  isHexagonal: boolean;
  /** Size of a cell's box. */
  tileWidth: number;
  tileHeight: number;
  /** Distance from column to column (if rows are shifted, how far), and from row to row. */
  columnWidth: number;
  rowHeight: number;
  /** Corners of a cell from the upper left corner of its box, clockwise on the screen: four or six. */
  corners: ParsedPoint[];
}

export interface TiledReader {
  source: JsonSource;
  options: TiledOptions;
  /** Undefined: those of marks.ts. */
  collisionProperty: string | undefined;
  walkable: ReadonlySet<string>;
  walls: ReadonlySet<string>;
  ignore: ReadonlySet<string>;
  /** Names of all layers. */
  layerRecords: Set<string>;
  /** What became of each layer, by kind and name. */
  uses: Map<string, LayerUse>;
  /** Templates by the name of their file; undefined: missing; 'reading': not yet read. */
  templates: Map<string, TiledTemplate | undefined | 'reading'>;
  /** The reader of tilesets, which templates need, and which needs templates. */
  readTileset: (reader: TiledReader, where: string, record: JsonRecord) => TiledTileset;
  tolerance: number;
  /** Cells; 0 x 0: unknown (infinite maps). */
  width: number;
  height: number;
  isInfinite: boolean;
  isIsometric: boolean;
  /** Grid of a hexagonal or staggered map; otherwise undefined. */
  staggered: StaggeredGrid | undefined;
  tileWidth: number;
  tileHeight: number;
  /** Cells -> screen pixels; the identity for staggered cells, which no affine map places. */
  cellToScreen: Affine;
  /** Object pixels -> screen pixels. */
  toScreen: Affine;
  /** Screen pixels -> coordinates of the result. */
  toResult: Affine;
  tilesets: TiledTileset[];
  /** Results, in coordinates of the result. */
  ground: ParsedPolygon[];
  obstacles: ParsedRing[];
  cells: LayerCells[];
  areas: ParsedArea[];
  doors: TiledDoor[];
  /** Cost of each name of areas that this reader chose. */
  derivedCosts: Map<string, number>;
  /** Tiles and objects that allow one direction only, and the first of them. */
  oneWays: { count: number; where: string };
  /** Cells that are crossed in one direction, by column and row. */
  crossings: Map<string, Crossing>;
  /** Area of the whole map, in square units of the result; 0: not known. */
  mapArea: number;
  /** Layers that can be switched, by name. */
  layers: Map<string, ParsedLayer>;
  /** How far apart points may lie that should touch, in units of the result; 0: as near as numbers can be. */
  precision: number;
  /** Whether some layer is walkable, so that everything else is not. */
  hasWalkable: boolean;
}

/** A cell that blocks, and that a link crosses. */
export interface Crossing {
  column: number;
  row: number;
  direction: readonly [x: number, y: number];
  /** Cells of its layer -> coordinates of the result. */
  toResult: Affine;
}

/** What became of a layer. */
export interface LayerUse {
  name: string;
  kind: 'tiles' | 'objects';
  /** Shapes and cells that block, and their area in square units of the result. */
  walls: number;
  wallArea: number;
  /** Shapes and cells that neither block nor are walkable. */
  free: number;
  /** Area of those that neither block nor are walkable, in square units of the result. */
  freeArea: number;
  /** What its name, class, property or an option says of it. */
  mark: MapLayerReport['mark'];
  /** Classes of shapes that do not block. */
  classes: Set<string>;
  unmarked: UnmarkedShape[];
}

/** A shape without a mark. */
export interface UnmarkedShape {
  ring: ParsedRing;
  /** Its class. */
  kind: string;
  /** Whether its layer, class or name says that it is a zone. */
  isZone: boolean;
}

/** A door: an object that becomes a named area. */
export interface TiledDoor {
  /** '': it has none. */
  name: string;
  id: unknown;
  isClosed: boolean;
  outline: ParsedRing;
}

/** Cells of a tile layer, or of one of its chunks. */
export interface LayerCells {
  blocked: CellSet;
  /** Tiles that are walkable, and tiles that do not block: marks of tiles.ts. */
  open: CellSet;
  /** Whether the layer has an offset. */
  isMoved: boolean;
  /** Cells (of a staggered grid: screen pixels) -> coordinates of the result. */
  toResult: Affine;
}

/** A subset of a rectangle of cells. */
export interface CellSet {
  x: number;
  y: number;
  width: number;
  height: number;
  cells: Uint8Array;
}

/** A layer's offset on the screen, and the properties it inherits. */
export interface LayerPlace {
  name: string;
  offsetX: number;
  offsetY: number;
  isWalkable: boolean;
  /** The layer's own collision property. */
  collides: boolean | undefined;
  /** What its name or class says of it. */
  mark: 'walls' | 'zones' | 'ignored' | undefined;
  /** Name and cost of its objects as areas; undefined: they are not areas. */
  area: string | undefined;
  cost: number | undefined;
  oneWay: OneWay;
  /** The layer of the map that its objects belong to; undefined: the map itself. */
  switched: ParsedLayer | undefined;
}
