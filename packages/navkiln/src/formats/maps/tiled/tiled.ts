/**
 * Reads maps of the Tiled editor (.tmx, .tmj) as 2D maps, in pixels or world units.
 *
 * It reads orthogonal, isometric, staggered and hexagonal maps, finite and infinite, with groups and layer offsets.
 * Object layers may have rectangles, polygons, ellipses, capsules and tiles, also rotated. Tiles of tile layers
 * collide by a property or by shapes of Tiled's collision editor, flipped ones too. Visibility is ignored, since wall
 * layers are often hidden. Parallax and image layers are ignored. Blocking cells become outlines (grid-polygons.ts).
 *
 * In: text, bytes or the parsed object.
 * Out: walkable polygons and obstacles.
 * Cost: linear in cells and corners.
 * Based on: Tiled's documentation of its JSON map format (Thorbjørn Lindeijer and others); own code.
 */
import { READ_LIMIT_BYTES } from '../../../base/constants.ts';
import { plural } from '../../../base/data/plural.ts';
import { checkKeys, isHollow } from '../../../base/data/refuse.ts';
import {
  MAX_NESTING,
  createSource,
  fail,
  readArray,
  readCount,
  readNumber,
  readRecord,
  show,
  spend,
} from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import type { ParsedLayer, ParsedMap, ParsedPolygon } from '../map.ts';
import { areaOf, asOneRing, isInRing, middleOf } from '../rings.ts';
import { readObjectLayer } from './objects.ts';
import { readFlag, readProperty } from './source.ts';
import { IDENTITY, compose, inverse, transform } from './affine.ts';
import type { Affine, CellSet, LayerPlace, TiledOptions, TiledReader } from './types.ts';
import { readStaggeredGrid } from './staggered.ts';
import { readCost, readOneWay, resolveDoors, linksOf, warnOfOneWays } from './areas.ts';
import {
  checkNames,
  markOf,
  quoted,
  readCollision,
  reportLayers,
  resolveUnmarked,
  warnOfOpen,
  warnWithCount,
} from './marks.ts';
import { cellBounds, isBlockedAt, readTileLayer, walkableCells } from './tiles.ts';
import { trace } from './trace.ts';
import { readTiledRecord } from './tmx.ts';
import { startsAsXml } from '../../text/xml.ts';
import { readTileset, readTilesets, warnOfMissing } from './tileset.ts';

const MAX_SIZE = 0x100000;
const DEFAULT_TOLERANCE = 0.5;
/** Share of a map from which on cells without tiles are a warning. */
const LEAST_EMPTY_SHARE = 0.2;
/** Mark of cells that block, beside those of tiles.ts. */
const BLOCKED_MARK = 4;
/** Corners of walls that are compared with doors. */
const MOST_DOOR_CORNERS = 1e8;

const OPTION_KEYS = [
  'walkable',
  'walls',
  'ignore',
  'collisionProperty',
  'scale',
  'tolerance',
  'space',
  'tileset',
  'template',
  'decompress',
  'memoryLimitBytes',
  'name',
];

/**
 * Reads a 2D map from a Tiled map. Throws an Error that names layer and object for a fault in the file, and a
 * TypeError or RangeError for a wrong argument.
 */
export function parseTiled(input: string | Uint8Array | object, options: TiledOptions = {}): ParsedMap {
  checkKeys('parseTiled', options, OPTION_KEYS);
  const { memoryLimitBytes = READ_LIMIT_BYTES, name = 'Tiled map' } = options;
  checkAbove0('parseTiled', 'memoryLimitBytes', memoryLimitBytes);
  const source = createSource('parseTiled', name, memoryLimitBytes);
  return parseTiledRecord(source, readTiledRecord(source, input), options, startsAsXml(input));
}

function checkAbove0(caller: string, key: string, value: unknown): void {
  if (!(typeof value === 'number' && value > 0 && value < Infinity))
    throw new RangeError(`${caller}: options.${key} is ${show(value)}; must be > 0`);
}

/** Reads a 2D map from the record of a file. `isXml`: numbers have the few digits that Tiled writes in XML. */
export function parseTiledRecord(
  source: JsonSource,
  map: JsonRecord,
  options: TiledOptions,
  isXml: boolean,
): ParsedMap {
  const { caller } = source;
  const {
    walkable = [],
    walls = [],
    ignore = [],
    collisionProperty,
    scale = 1,
    tolerance = DEFAULT_TOLERANCE,
    space = 'screen',
  } = options;
  for (const [key, names] of Object.entries({ walkable, walls, ignore })) {
    if (!Array.isArray(names) || isHollow(names))
      throw new TypeError(`${caller}: options.${key} is ${show(names)}; must be an array of layer names without gaps`);
  }
  checkAbove0(caller, 'scale', scale);
  checkAbove0(caller, 'tolerance', tolerance);
  if (space !== 'screen' && space !== 'grid') {
    throw new RangeError(`${caller}: options.space is ${show(space)}; must be 'screen' or 'grid'`);
  }
  if (map['type'] !== undefined && map['type'] !== 'map')
    fail(source, '', `has the type ${show(map['type'])}, must be a map`);
  const { orientation, infinite } = map;
  const isHexagonal = orientation === 'hexagonal';
  if (orientation !== 'orthogonal' && orientation !== 'isometric' && orientation !== 'staggered' && !isHexagonal) {
    const known = 'orthogonal, isometric, staggered and hexagonal maps are read';
    fail(source, '', `has the orientation ${show(orientation)}; ${known}`);
  }
  const size = (key: string, least: number): number => readCount(source, key, map[key], least, MAX_SIZE);
  const isInfinite = infinite === true;
  const width = size('width', isInfinite ? 0 : 1);
  const height = size('height', isInfinite ? 0 : 1);
  const tileWidth = size('tilewidth', 1);
  const tileHeight = size('tileheight', 1);
  const isIsometric = orientation === 'isometric';
  const isStaggered = orientation === 'staggered' || isHexagonal;
  // Isometric maps are drawn so that their left corner is at 0.
  const cellToScreen: Affine = isIsometric
    ? [tileWidth / 2, tileHeight / 2, -tileWidth / 2, tileHeight / 2, (height * tileWidth) / 2, 0]
    : isStaggered
      ? IDENTITY
      : [tileWidth, 0, 0, tileHeight, 0, 0];
  const toScreen = isIsometric ? compose(cellToScreen, [1 / tileHeight, 0, 0, 1 / tileHeight, 0, 0]) : IDENTITY;
  const reader: TiledReader = {
    source,
    options,
    collisionProperty,
    walkable: new Set(walkable),
    walls: new Set(walls),
    ignore: new Set(ignore),
    layerRecords: new Set(),
    uses: new Map(),
    templates: new Map(),
    readTileset,
    tolerance,
    width,
    height,
    isInfinite,
    isIsometric,
    staggered: isStaggered ? readStaggeredGrid(source, map, isHexagonal) : undefined,
    tileWidth,
    tileHeight,
    cellToScreen,
    toScreen,
    toResult: [scale, 0, 0, scale, 0, 0],
    tilesets: [],
    ground: [],
    obstacles: [],
    cells: [],
    areas: [],
    doors: [],
    derivedCosts: new Map(),
    oneWays: { count: 0, where: '' },
    crossings: new Map(),
    mapArea: 0,
    layers: new Map(),
    hasWalkable: false,
    precision: isXml ? precisionOf(width * tileWidth, height * tileHeight) * scale : 0,
  };
  if (space === 'grid' && isIsometric) reader.toResult = compose(reader.toResult, inverse(toScreen));
  reader.tilesets = readTilesets(reader, map['tilesets']);
  const found = new Set<string>();
  readLayers(
    reader,
    readArray(source, 'layers', map['layers']),
    {
      name: '',
      offsetX: 0,
      offsetY: 0,
      isWalkable: false,
      collides: undefined,
      mark: undefined,
      area: undefined,
      cost: undefined,
      oneWay: false,
      switched: undefined,
    },
    0,
    found,
  );
  for (const layer of walkable) {
    if (!found.has(layer)) {
      const names = [...found]
        .slice(0, 8)
        .map((one) => show(one))
        .join(', ');
      fail(source, '', `has no layer ${show(layer)}, which is named walkable; its layers are ${names || 'none'}`);
    }
  }
  checkNames(reader);
  return gather(reader);
}

/** Returns how far apart points may lie that should touch: Tiled writes positions, sizes and angles in XML with six digits. */
function precisionOf(width: number, height: number): number {
  let unit = 1e-6;
  while (unit * 1e6 < Math.max(width, height)) unit *= 10;
  return 4 * unit;
}

function readLayers(
  reader: TiledReader,
  layers: readonly unknown[],
  parent: LayerPlace,
  depth: number,
  found: Set<string>,
): void {
  const { source } = reader;
  if (depth > MAX_NESTING) fail(source, '', `has groups in groups ${MAX_NESTING} deep`);
  for (let i = 0; i < layers.length; i++) {
    const index = parent.name === '' ? `layer ${i}` : `layer ${show(parent.name)}, layer ${i}`;
    const layer = readRecord(source, index, layers[i]);
    const name = typeof layer['name'] === 'string' ? layer['name'] : '';
    const where = name === '' ? index : `layer ${show(name)}`;
    found.add(name);
    const place: LayerPlace = {
      name,
      offsetX: parent.offsetX + readNumber(source, `${where}, offsetx`, layer['offsetx'], 0),
      offsetY: parent.offsetY + readNumber(source, `${where}, offsety`, layer['offsety'], 0),
      isWalkable: readFlag(source, where, layer, 'walkable') ?? (parent.isWalkable || reader.walkable.has(name)),
      collides: readCollision(reader, where, layer) ?? parent.collides,
      mark: markOf(reader, name, layer, parent.mark),
      area: readProperty(source, where, layer, 'area', 'string') ?? parent.area,
      cost: readCost(reader, where, layer) ?? parent.cost,
      oneWay: readOneWay(reader, where, layer) || parent.oneWay,
      switched:
        readFlag(source, where, layer, 'switchable') === true
          ? switchedLayer(reader, name, layer['visible'] !== false)
          : parent.switched,
    };
    if (place.mark === 'ignored' && layer['type'] !== 'group') continue;
    if (place.isWalkable) reader.hasWalkable = true;
    readLayer(reader, layer, where, place, depth, found);
  }
}

/** Returns the layer of a name. Layers of one name are one, which is off when one of them is hidden. */
function switchedLayer({ layers }: TiledReader, name: string, isVisible: boolean): ParsedLayer {
  let layer = layers.get(name);
  if (layer === undefined) {
    layer = { name, enabled: true, polygons: [], obstacles: [], areas: [] };
    layers.set(name, layer);
  }
  if (!isVisible) layer.enabled = false;
  return layer;
}

function readLayer(
  reader: TiledReader,
  layer: JsonRecord,
  where: string,
  place: LayerPlace,
  depth: number,
  found: Set<string>,
): void {
  const { source } = reader;
  switch (layer['type']) {
    case 'group':
      readLayers(reader, readArray(source, `${where}, layers`, layer['layers']), place, depth + 1, found);
      break;
    case 'objectgroup':
      readObjectLayer(reader, layer, where, place);
      break;
    case 'tilelayer':
      readTileLayer(reader, layer, where, place);
      break;
    case 'imagelayer':
      break;
    default:
      fail(source, where, `has the type ${show(layer['type'])}, must be a tilelayer, objectgroup, group or imagelayer`);
  }
}

function gather(reader: TiledReader): ParsedMap {
  const { source, ground, obstacles, cells, toResult, cellToScreen } = reader;
  const polygons: ParsedPolygon[] = [...ground];
  if (reader.hasWalkable) {
    for (const { open, toResult: place } of cells)
      for (const one of trace(reader, walkableCells(open), place)) polygons.push(one);
    for (const { blocked, toResult: place } of cells) {
      for (const one of trace(reader, blocked, place)) obstacles.push(asOneRing(one));
    }
    if (polygons.length === 0) fail(source, '', 'has walkable layers, but nothing on them, so nothing is walkable');
  } else {
    const bounds = cellBounds(reader);
    if (bounds === undefined) {
      fail(
        source,
        '',
        'is infinite and has no tiles, so its area is not known; draw the walkable area on a layer and name it walkable',
      );
    }
    const still = cells.filter(({ blocked, isMoved }) => !isMoved && blocked.cells.includes(1));
    const place = compose(toResult, cellToScreen);
    if (still.length === 0 && reader.staggered === undefined) {
      const { x, y, width, height } = bounds;
      polygons.push({
        outline: transform(
          [
            [x, y],
            [x + width, y],
            [x + width, y + height],
            [x, y + height],
          ],
          place,
        ),
        holes: [],
      });
    } else {
      spend(source, '', bounds.width * bounds.height, `an area of ${bounds.width} x ${bounds.height} tiles`);
      const free: CellSet = { ...bounds, cells: new Uint8Array(bounds.width * bounds.height).fill(1) };
      for (const { blocked } of still) clearCells(free, blocked);
      for (const one of trace(reader, free, place)) polygons.push(one);
      if (polygons.length === 0) failAsClosed(reader);
    }
    for (const { blocked, isMoved, toResult: moved } of cells) {
      if (!isMoved) continue;
      for (const one of trace(reader, blocked, moved)) obstacles.push(asOneRing(one));
    }
  }
  reader.mapArea = areaOfMap(reader, polygons);
  for (const ring of resolveUnmarked(reader)) obstacles.push(ring);
  warnOfEmptyCells(reader);
  warnOfDoorsInWalls(reader);
  resolveDoors(reader);
  warnOfOneWays(reader);
  const links = linksOf(reader);
  warnOfMissing(reader);
  warnOfOpen(reader);
  return {
    polygons,
    obstacles,
    ...(reader.areas.length > 0 ? { areas: reader.areas } : {}),
    ...(reader.layers.size > 0 ? { layers: [...reader.layers.values()] } : {}),
    ...(links.length > 0 ? { links } : {}),
    yAxis: 'down',
    ...(reader.precision > 0 ? { precision: reader.precision } : {}),
    warnings: [...source.warnings.values()],
    ...(reader.uses.size > 0 ? { layerReports: reportLayers(reader) } : {}),
  };
}

/** Fails for a map in which tiles block on every cell, with the layer that has most of them. */
function failAsClosed(reader: TiledReader): never {
  const [most] = [...reader.uses.values()].sort((a, b) => b.wallArea - a.wallArea);
  const what = 'has a tile that blocks on every cell, so nothing is walkable';
  const remedy = `ignore: [${show(most.name)}] (--map-ignore) leaves the layer out that has most of them`;
  return fail(reader.source, '', `${what}; ${remedy}`);
}

/** Returns the area of all cells; of an infinite map without cells, that of its walkable polygons. */
function areaOfMap(reader: TiledReader, polygons: readonly ParsedPolygon[]): number {
  const { staggered, toResult, cellToScreen } = reader;
  const bounds = cellBounds(reader);
  if (bounds === undefined) return polygons.reduce((sum, { outline }) => sum + areaOf(outline), 0);
  const [a, b, c, d] = compose(toResult, cellToScreen);
  const cell = Math.abs(a * d - b * c) * (staggered === undefined ? 1 : areaOf(staggered.corners));
  return cell * bounds.width * bounds.height;
}

/**
 * Warns of cells without a tile on any layer, which are walkable, where tiles cover much of the rest: most likely, they are outside of
 * what was drawn.
 */
function warnOfEmptyCells(reader: TiledReader): void {
  const { source, cells, uses, hasWalkable, isInfinite } = reader;
  const bounds = cellBounds(reader);
  const isOpen = [...uses.values()].every(({ walls }) => walls === 0);
  if (hasWalkable || isOpen || bounds === undefined || cells.length === 0) return;
  const { x, y, width, height } = bounds;
  const size = width * height;
  spend(source, '', size, `an area of ${width} x ${height} tiles`);
  const marks = new Uint8Array(size);
  for (const { blocked, open } of cells) {
    for (let i = 0; i < open.cells.length; i++) {
      const at = (open.y - y + Math.floor(i / open.width)) * width + open.x - x + (i % open.width);
      marks[at] |= open.cells[i] | (blocked.cells[i] === 0 ? 0 : BLOCKED_MARK);
    }
  }
  let empty = 0;
  let free = 0;
  for (let i = 0; i < size; i++) {
    if (marks[i] === 0) empty++;
    else if ((marks[i] & BLOCKED_MARK) === 0) free++;
  }
  // Where few cells have a tile that is free, the ground has none. Infinite maps may be much larger than their ground.
  const isDrawn = 2 * free >= empty || (isInfinite && 2 * free > size - empty);
  if (empty < LEAST_EMPTY_SHARE * size || !isDrawn) return;
  const [ground] = [...uses.values()].filter(({ kind }) => kind === 'tiles').sort((a, b) => b.freeArea - a.freeArea);
  const name = show(ground.name);
  const what = `${empty} cells (${Math.round((1000 * empty) / size) / 10} % of the map) have no tile on any layer, and are walkable`;
  const remedy = `walkable: [${name}] (--map-floor ${quoted(ground.name)}) makes the tiles of that layer the floor, and nothing else`;
  warnWithCount(source, 'cells-without-tiles', empty, '', `${what}; ${remedy}`);
}

/** Warns of doors in walls, which no open door makes walkable. */
function warnOfDoorsInWalls(reader: TiledReader): void {
  const { doors, obstacles, cells, source } = reader;
  let count = 0;
  let first = '';
  // Maps with thousands of doors and walls are not looked through to the end.
  const corners = obstacles.reduce((sum, ring) => sum + ring.length, 1);
  const most = Math.max(MOST_DOOR_CORNERS / corners, 1);
  for (const { name, id, outline } of doors.slice(0, most)) {
    const [x, y] = middleOf(outline);
    const isInWall =
      obstacles.some((ring) => isInRing(ring, x, y)) || cells.some((layer) => isBlockedAt(reader, layer, x, y));
    if (!isInWall) continue;
    if (count++ === 0) first = `door ${name === '' ? String(id) : show(name)}`;
  }
  if (count === 0) return;
  const what = `${plural(count, 'door')} lie${count === 1 ? 's' : ''} in walls, so nobody passes when they are open; `;
  const remedy = 'make the tiles or shapes below them free (collides: false), and the doors open and close them';
  warnWithCount(source, 'door-in-wall', count, first, what + remedy);
}

function clearCells(from: CellSet, { x, y, width, height, cells }: CellSet): void {
  for (let j = 0; j < height; j++) {
    const to = (y + j - from.y) * from.width + x - from.x;
    for (let i = 0; i < width; i++) if (cells[j * width + i] !== 0) from.cells[to + i] = 0;
  }
}
