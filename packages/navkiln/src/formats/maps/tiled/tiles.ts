/**
 * Reads Tiled's tile layers: the cells that block or are walkable, and the collision shapes of tiles.
 *
 * In: data as numbers or Base64, whole or in chunks.
 * Out: sets of cells, and obstacles.
 * Cost: linear in cells.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { decodeBase64 } from '../../text/base64.ts';
import { fail, readArray, readCount, readRecord, show, spend, warn } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import type { ParsedPoint, ParsedRing } from '../map.ts';
import { areaOf, asOneRing } from '../rings.ts';
import { compose, inverse, rotation, transform, translation } from './affine.ts';
import { addCellAreas, addOneWay, areaOfTile } from './areas.ts';
import { addWall, useOf } from './marks.ts';
import { POINT_BYTES } from './shapes.ts';
import { staggeredCorner } from './staggered.ts';
import { tilesetOf } from './tileset.ts';
import { trace } from './trace.ts';
import type { Affine, CellSet, LayerCells, LayerPlace, TiledReader, TiledTile, TiledTileset } from './types.ts';

/** Flip bits of a tile's number. */
const FLIP_X = 0x80000000;
const FLIP_Y = 0x40000000;
const FLIP_DIAGONALLY = 0x20000000;
/** On hexagonal maps: turned by 120 degrees. There, `FLIP_DIAGONALLY` turns by 60. */
const TURN_120 = 0x10000000;
const GID_MASK = 0x0fffffff;
/** Memory of a cell while its layer is read: its number and two marks, and the number as bytes where the data are text. */
const CELL_BYTES = 10;
/** Memory of a cell that a link crosses. */
const CROSSING_BYTES = 300;
/** Maximum number of cells that an infinite map may span. */
const MAX_CELLS = 0x4000000;
/** Marks of `LayerCells.open`: the tile is walkable, or it does not block. */
export const WALKABLE_CELL = 1;
const FREE_CELL = 2;
/** Maximum number of areas of one layer. */
const MAX_AREAS = 255;

/** A tile as it is placed in a layer or object. */
export interface PlacedTile {
  tileset: TiledTileset | undefined;
  tile: TiledTile | undefined;
  flips: number;
  /** On hexagonal maps, two of the bits turn the tile by 60 and 120 degrees. */
  isHexagonal: boolean;
}

export function placedTile(reader: TiledReader, where: string, gid: number): PlacedTile {
  const id = gid & GID_MASK;
  const tileset = tilesetOf(reader.tilesets, id);
  const isHexagonal = reader.staggered?.isHexagonal === true;
  if (tileset === undefined)
    warn(reader.source, 'unknown-tile', where, `tile ${id} belongs to no tileset and counts as free`);
  return { tileset, tile: tileset?.tiles.get(id - tileset.firstGid), flips: gid, isHexagonal };
}

/**
 * Returns the shapes of a tile with its flips, relative to the upper left corner of its image, stretched to a
 * size.
 */
export function tileShapes(
  { tileset, tile, flips, isHexagonal }: PlacedTile,
  width: number,
  height: number,
): ParsedRing[] {
  if (tileset === undefined || tile === undefined) return [];
  let w = tileset.tileWidth;
  let h = tileset.tileHeight;
  let flip: Affine = [1, 0, 0, 1, 0, 0];
  if ((flips & FLIP_DIAGONALLY) !== 0 && !isHexagonal) {
    flip = [0, 1, 1, 0, 0, 0];
    [w, h] = [h, w];
  }
  if ((flips & FLIP_X) !== 0) flip = compose([-1, 0, 0, 1, w, 0], flip);
  if ((flips & FLIP_Y) !== 0) flip = compose([1, 0, 0, -1, 0, h], flip);
  if (width !== w || height !== h) flip = compose([width / w, 0, 0, height / h, 0, 0], flip);
  const turn = ((flips & FLIP_DIAGONALLY) !== 0 ? 60 : 0) + ((flips & TURN_120) !== 0 ? 120 : 0);
  if (isHexagonal && turn !== 0) {
    const aroundCenter = compose(rotation(turn), translation(-width / 2, -height / 2));
    flip = compose(compose(translation(width / 2, height / 2), aroundCenter), flip);
  }
  return tile.shapes.map((shape) => transform(shape, flip));
}

/** Returns the size of a tile's image with its flips. */
export function tileSize(reader: TiledReader, { tileset, flips, isHexagonal }: PlacedTile): [number, number] {
  const w = tileset?.tileWidth ?? reader.tileWidth;
  const h = tileset?.tileHeight ?? reader.tileHeight;
  return (flips & FLIP_DIAGONALLY) !== 0 && !isHexagonal ? [h, w] : [w, h];
}

export function readTileLayer(reader: TiledReader, layer: JsonRecord, where: string, place: LayerPlace): void {
  const { source } = reader;
  if (!reader.isInfinite || layer['chunks'] === undefined) {
    for (const key of ['width', 'height'] as const) {
      if (layer[key] !== reader[key]) {
        fail(source, `${where}, ${key}`, `is ${show(layer[key])}, but the map's is ${reader[key]}; save the map again`);
      }
    }
    const { width, height } = reader;
    readCells(reader, where, layer, { data: layer['data'], x: 0, y: 0, width, height }, place);
    return;
  }
  const chunks = readArray(source, `${where}, chunks`, layer['chunks']);
  for (let i = 0; i < chunks.length; i++) {
    const at = `${where}, chunk ${i}`;
    const chunk = readRecord(source, at, chunks[i]);
    const count = (key: string, least: number): number =>
      readCount(source, `${at}, ${key}`, chunk[key], least, MAX_CELLS);
    const x = count('x', -MAX_CELLS);
    const y = count('y', -MAX_CELLS);
    const width = count('width', 1);
    const height = count('height', 1);
    readCells(reader, at, layer, { data: chunk['data'], x, y, width, height }, place);
  }
}

/** The tile numbers of a rectangle of cells, as the file holds them. */
interface CellData {
  data: unknown;
  x: number;
  y: number;
  width: number;
  height: number;
}

function readCells(
  reader: TiledReader,
  where: string,
  layer: JsonRecord,
  { data, x, y, width, height }: CellData,
  place: LayerPlace,
): void {
  spend(reader.source, where, CELL_BYTES * width * height, `${width} x ${height} tiles`);
  const gids = readData(reader, where, layer, data, width * height);
  const rectangle = { x, y, width, height };
  const blocked: CellSet = { ...rectangle, cells: new Uint8Array(gids.length) };
  const open: CellSet = { ...rectangle, cells: new Uint8Array(gids.length) };
  const use = useOf(reader, place, 'tiles');
  const [a, b, c, d] = compose(reader.toResult, reader.cellToScreen);
  const cellArea = Math.abs(a * d - b * c) * (reader.staggered === undefined ? 1 : areaOf(reader.staggered.corners));
  const known = new Map<number, KnownTile>();
  const areas: { name: string; cost: number | undefined }[] = [];
  let codes: Uint8Array | undefined;
  const counts = new Map<number, number>();
  for (let i = 0; i < gids.length; i++) if (gids[i] !== 0) counts.set(gids[i], (counts.get(gids[i]) ?? 0) + 1);
  const lists = place.switched ?? reader;
  const fromCells = compose(translation(place.offsetX, place.offsetY), reader.cellToScreen);
  const toResult = compose(reader.toResult, fromCells);
  for (let i = 0; i < gids.length; i++) {
    const gid = gids[i];
    if (gid === 0) continue;
    let found = known.get(gid);
    if (found === undefined) {
      found = knowTile(reader, where, gid, place);
      known.set(gid, found);
      const count = counts.get(gid)!;
      // Charges all cells before the first one is created.
      if (found.isShaped) spendShapes(reader, where, found.shapes, count);
      if (found.tileset?.isMissing === true) found.tileset.missingTiles += count;
      if (found.isOneWay) addOneWay(reader, where, count);
      if (found.direction !== undefined) spend(reader.source, where, CROSSING_BYTES * count, 'one-way tiles');
      const { area } = found;
      if (area !== undefined) {
        const same = areas.findIndex(({ name, cost }) => name === area.name && cost === area.cost);
        if (same < 0 && areas.length === MAX_AREAS)
          fail(reader.source, where, `has more than ${MAX_AREAS} costs of tiles`);
        found.areaCode = same < 0 ? areas.push(area) : same + 1;
      }
    }
    if (found.areaCode > 0 && !found.isWhole) {
      codes ??= new Uint8Array(gids.length);
      codes[i] = found.areaCode;
    }
    open.cells[i] = place.isWalkable ? WALKABLE_CELL : found.isWhole ? 0 : FREE_CELL;
    const { direction } = found;
    if (direction !== undefined) {
      const [column, row] = [x + (i % width), y + Math.floor(i / width)];
      reader.crossings.set(`${column},${row}`, { column, row, direction, toResult });
    }
    if (found.isWhole) {
      blocked.cells[i] = 1;
      use.walls++;
      use.wallArea += cellArea;
    }
    if (!found.isShaped) {
      if (!found.isWhole) {
        use.free++;
        use.freeArea += cellArea;
      }
      continue;
    }
    // Images are anchored at the lower left corner of their cell.
    const column = x + (i % width);
    const row = y + Math.floor(i / width);
    const [left, cellTop] = cellBox(reader, column, row);
    const top = cellTop + (reader.staggered ?? reader).tileHeight - tileSize(reader, found)[1];
    const shift = translation(
      left + place.offsetX + (found.tileset?.offsetX ?? 0),
      top + place.offsetY + (found.tileset?.offsetY ?? 0),
    );
    const fromTile = compose(reader.toResult, shift);
    for (const shape of found.shapes) {
      const ring = transform(shape, fromTile);
      lists.obstacles.push(ring);
      addWall(use, ring);
    }
  }
  const isMoved = place.offsetX !== 0 || place.offsetY !== 0;
  if (codes !== undefined) addCellAreas(reader, areas, codes, rectangle, toResult, lists.areas);
  if (place.switched === undefined) reader.cells.push({ blocked, open, isMoved, toResult });
  else {
    for (const one of trace(reader, walkableCells(open), toResult)) place.switched.polygons.push(one);
    for (const one of trace(reader, blocked, toResult)) place.switched.obstacles.push(asOneRing(one));
  }
}

/** A tile of a layer, and what became of it. */
interface KnownTile extends PlacedTile {
  shapes: ParsedRing[];
  /** It blocks its cell, or where its shapes are. */
  isWhole: boolean;
  isShaped: boolean;
  /** It allows one direction only, which is not known. */
  isOneWay: boolean;
  /** It blocks, and is crossed by a link in this direction; undefined: it is not. */
  direction: readonly [x: number, y: number] | undefined;
  area: { name: string; cost: number | undefined } | undefined;
  /** Its area in the list of the layer, plus one; 0: none. */
  areaCode: number;
}

function knowTile(reader: TiledReader, where: string, gid: number, place: LayerPlace): KnownTile {
  const placed = placedTile(reader, where, gid);
  const { tile } = placed;
  const shapes = tileShapes(placed, ...tileSize(reader, placed));
  const collides = tile?.collides ?? place.collides ?? (place.mark === 'walls' || shapes.length > 0);
  const oneWay = tile?.oneWay || place.oneWay;
  // On other grids, "up" has no cell.
  const isSquare = !reader.isIsometric && reader.staggered === undefined && place.switched === undefined;
  const direction = isSquare && typeof oneWay === 'object' ? turned(oneWay, placed.flips) : undefined;
  const isWhole =
    direction !== undefined ||
    (collides && (shapes.length === 0 || (shapes.length === 1 && isWholeCell(reader, shapes[0]))));
  const isOneWay = !collides && direction === undefined && oneWay !== false;
  const area = isWhole ? undefined : areaOfTile(reader, tile, place);
  return { ...placed, shapes, isWhole, isShaped: collides && !isWhole, isOneWay, direction, area, areaCode: 0 };
}

/** Returns a direction on a tile as its flips turn it. */
function turned([x, y]: readonly [number, number], flips: number): [number, number] {
  const [u, v] = (flips & FLIP_DIAGONALLY) !== 0 ? [y, x] : [x, y];
  return [(flips & FLIP_X) !== 0 ? -u : u, (flips & FLIP_Y) !== 0 ? -v : v];
}

/** Returns the cells that are walkable. */
export function walkableCells(set: CellSet): CellSet {
  return { ...set, cells: set.cells.map((mark) => mark & WALKABLE_CELL) };
}

/** Returns whether a cell of a layer blocks at a point of the result. On staggered grids, it is not looked at. */
export function isBlockedAt(
  { staggered }: TiledReader,
  { blocked, toResult }: LayerCells,
  x: number,
  y: number,
): boolean {
  if (staggered !== undefined) return false;
  const [[u, v]] = transform([[x, y]], inverse(toResult));
  const i = Math.floor(u) - blocked.x;
  const j = Math.floor(v) - blocked.y;
  return i >= 0 && j >= 0 && i < blocked.width && j < blocked.height && blocked.cells[j * blocked.width + i] !== 0;
}

/** Takes the memory of copies of shapes from the budget. */
export function spendShapes(
  { source }: TiledReader,
  where: string,
  shapes: readonly ParsedRing[],
  times: number,
): void {
  let points = 0;
  for (const shape of shapes) points += shape.length;
  spend(source, where, POINT_BYTES * points * times, `a tile whose shapes have ${points} corners, ${times} times`);
}

/** Returns the upper left corner of the box of a cell, in screen pixels. */
function cellBox({ staggered, cellToScreen, isIsometric, tileWidth }: TiledReader, x: number, y: number): ParsedPoint {
  if (staggered !== undefined) return staggeredCorner(staggered, x, y);
  const [a, b, c, d, e, f] = cellToScreen;
  return [a * x + c * y + e - (isIsometric ? tileWidth / 2 : 0), b * x + d * y + f];
}

/** Returns whether a shape covers a whole orthogonal cell. */
function isWholeCell({ isIsometric, staggered, tileWidth, tileHeight }: TiledReader, shape: ParsedRing): boolean {
  if (isIsometric || staggered !== undefined || shape.length !== 4) return false;
  const corners = shape.map(
    ([x, y]) => (x === 0 ? 0 : x === tileWidth ? 1 : 4) + (y === 0 ? 0 : y === tileHeight ? 2 : 8),
  );
  return new Set(corners).size === 4 && corners.every((corner) => corner < 4);
}

/** Returns the `count` tile numbers of a layer or chunk. */
function readData(
  reader: TiledReader,
  where: string,
  layer: JsonRecord,
  data: unknown,
  count: number,
): ArrayLike<number> {
  const { source, options } = reader;
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) {
    const gids = readArray(source, `${where}, data`, data);
    if (gids.length === 0 && count > 0) return noTiles(source, where, count);
    if (gids.length !== count) fail(source, `${where}, data`, `has ${gids.length} tiles, must have ${count}`);
    for (let i = 0; i < count; i++) {
      const gid = gids[i];
      if (typeof gid !== 'number' || gid >>> 0 !== gid) {
        fail(source, `${where}, tile ${i}`, `is ${show(gid)}, must be a whole number from 0 to 4294967295`);
      }
    }
    return gids as ArrayLike<number>;
  }
  if (layer['encoding'] !== 'base64')
    fail(source, where, `has the encoding ${show(layer['encoding'])}, must be csv or base64`);
  // Bytes are layers that were unpacked before (unpack.ts).
  let bytes = typeof data === 'string' ? decodeBase64(data) : data;
  if (bytes === undefined) fail(source, `${where}, data`, 'is not Base64, or is cut off');
  const { compression } = layer;
  if (typeof compression === 'string' && compression !== '') {
    if (options.decompress === undefined) {
      const remedy = "choose CSV or Base64 (uncompressed) as the tile layer format in the map's properties";
      fail(source, where, `is compressed (${compression.slice(0, 20)}); ${remedy}, or give the option decompress`);
    }
    bytes = options.decompress(bytes, compression, 4 * count);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`${source.caller}: decompress must return a Uint8Array`);
  }
  if (bytes.length === 0 && count > 0) return noTiles(source, where, count);
  if (bytes.length !== 4 * count) fail(source, `${where}, data`, `has ${bytes.length} bytes, must have ${4 * count}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const gids = new Uint32Array(count);
  for (let i = 0; i < count; i++) gids[i] = view.getUint32(4 * i, true);
  return gids;
}

/** Returns an empty layer in place of one whose data the file lacks. */
function noTiles(source: JsonSource, where: string, count: number): Uint32Array {
  warn(source, 'layer-without-tiles', where, `has no data, and counts as empty; save the map again in Tiled`);
  return new Uint32Array(count);
}

/**
 * Returns one rectangle of cells around the cells of all layers, or undefined when there are none. Fails when
 * it is too large.
 */
export function cellBounds(reader: TiledReader): Omit<CellSet, 'cells'> | undefined {
  if (!reader.isInfinite) return { x: 0, y: 0, width: reader.width, height: reader.height };
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (const {
    blocked: { x, y, width, height },
  } of reader.cells) {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x + width);
    y1 = Math.max(y1, y + height);
  }
  if (x0 === Infinity) return undefined;
  if ((x1 - x0) * (y1 - y0) > MAX_CELLS) {
    fail(
      reader.source,
      '',
      `has chunks over ${x1 - x0} x ${y1 - y0} tiles, at most ${MAX_CELLS} are read; crop the map`,
    );
  }
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}
