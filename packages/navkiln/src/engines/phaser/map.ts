/**
 * Reads tilemap layers of Phaser as a 2D map for `buildFromPolygons`. A cell is blocked if a tile of any layer collides
 * there.
 *
 * This function reads the layers in Phaser, including collisions that code has set. `parseTiled` of `navkiln/polygon`
 * reads the file of a map, with its objects and shapes.
 *
 * In: layers of one grid. Out: a 2D map in world pixels, y down.
 * Cost: linear in the cells.
 * Based on: own.
 */
import { checkArray, checkFunction, checkKeys, refuse, refuseType } from '../../base/data/refuse.ts';
import { cutOf, polygonsFromGrid } from '../../formats/maps/grid-polygons.ts';
import type { ParsedMap, ParsedPoint } from '../../formats/maps/map.ts';

/** The properties of a Phaser Tile that are read. */
export interface PhaserTile {
  /** -1: an empty cell. */
  index: number;
  collides: boolean;
}

/** The properties of a Phaser tilemap layer that are read. */
export interface PhaserLayer<T extends PhaserTile = PhaserTile> {
  x: number;
  y: number;
  scaleX: number;
  scaleY: number;
  layer: {
    width: number;
    height: number;
    tileWidth: number;
    tileHeight: number;
    orientation: unknown;
    /** Rows of tiles. */
    data: T[][];
  };
}

/** Options of `mapFromLayers`. */
export interface MapFromLayersOptions<T extends PhaserTile = PhaserTile> {
  /** Returns whether a tile blocks its cell. Default: tiles that collide. */
  isBlocked?: (tile: T) => boolean;
  /**
   * Share of a cell's side, up to 0.5, that is cut off where free cells touch only at a corner; true means 0.25.
   * Default false: agents cannot pass there.
   */
  diagonal?: boolean | number;
}

/** Values for orthogonal maps: Phaser's constant and Tiled's name. */
const ORTHOGONAL: readonly unknown[] = [0, 'orthogonal', undefined];

/**
 * Returns the free cells of orthogonal layers as a 2D map, in world pixels.
 *
 * @param layers layers with the same grid, position and scale, such as `[map.getLayer('walls').tilemapLayer]`
 * @throws RangeError, TypeError for layers that do not fit, and for unknown or invalid options
 */
export function mapFromLayers<T extends PhaserTile>(
  layers: readonly PhaserLayer<T>[],
  options: MapFromLayersOptions<T> = {},
): ParsedMap {
  checkArray('mapFromLayers', 'layers', layers);
  checkKeys('mapFromLayers', options, ['isBlocked', 'diagonal']);
  const { isBlocked = (tile: T) => tile.collides, diagonal = false } = options;
  checkFunction('mapFromLayers', 'options.isBlocked', isBlocked);
  const cut = cutOf('mapFromLayers', diagonal);
  for (const [i, one] of layers.entries())
    if (!Array.isArray(one?.layer?.data)) refuseType('mapFromLayers', `layers[${i}]`, one, 'a tilemap layer');
  if (layers.length === 0) refuse('mapFromLayers', 'layers', layers, 'one layer or more');
  const [first] = layers;
  for (const [i, one] of layers.entries()) checkGrid(first, one, `layers[${i}]`);
  const { width, height, tileWidth, tileHeight } = first.layer;
  const free = new Uint8Array(width * height).fill(1);
  for (const { layer } of layers) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const tile = layer.data[y][x];
        // Phaser keeps empty cells as null, or as tiles with the index -1.
        if (tile && tile.index >= 0 && isBlocked(tile)) free[y * width + x] = 0;
      }
    }
  }
  const map = polygonsFromGrid(free, width, height, { diagonal: cut });
  const place = (point: ParsedPoint): void => {
    point[0] = first.x + point[0] * tileWidth * first.scaleX;
    point[1] = first.y + point[1] * tileHeight * first.scaleY;
  };
  for (const { outline, holes = [] } of map.polygons) for (const ring of [outline, ...holes]) ring.forEach(place);
  return map;
}

function checkGrid(first: PhaserLayer, one: PhaserLayer, path: string): void {
  if (!ORTHOGONAL.includes(one.layer.orientation))
    refuse('mapFromLayers', `${path}.layer.orientation`, one.layer.orientation, 'orthogonal; others: parseTiled');
  const grid = ({ x, y, scaleX, scaleY, layer }: PhaserLayer): string =>
    [x, y, scaleX, scaleY, layer.width, layer.height, layer.tileWidth, layer.tileHeight].join(' ');
  if (grid(one) !== grid(first))
    refuse('mapFromLayers', path, grid(one), `of the grid of layers[0], ${grid(first)}, with its position and scale`);
}
