/**
 * Reads Tiled's tilesets: whether each tile blocks its cell, and its collision shapes.
 *
 * In: the map's list of tilesets, embedded or external.
 * Out: records by the number of their first tile.
 * Cost: linear.
 * Based on: Tiled's documentation of its map format; own code.
 */
import { plural } from '../../../base/data/plural.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import {
  createReferenced,
  fail,
  isRecord,
  readArray,
  readCount,
  readNumber,
  readRecord,
  show,
  warn,
} from '../json-source.ts';
import type { ParsedRing } from '../map.ts';
import { readShape } from './shapes.ts';
import type { Affine, TiledReader } from './types.ts';
import { readCost, readOneWay } from './areas.ts';
import { classOf, readCollision, warnWithCount } from './marks.ts';
import { readProperty } from './source.ts';
import { transform } from './affine.ts';
import { withTemplate } from './template.ts';
import { readTiledRecord } from './tmx.ts';
import type { TiledTileset } from './types.ts';

const MAX_GID = 0x0fffffff;

export function readTilesets(reader: TiledReader, value: unknown): TiledTileset[] {
  const { source } = reader;
  if (value === undefined) return [];
  const tilesets = readArray(source, 'tilesets', value).map((entry, i) => {
    const where = `tileset ${i}`;
    return readTileset(reader, where, readRecord(source, where, entry));
  });
  return tilesets.sort((a, b) => a.firstGid - b.firstGid);
}

/** Reads a tileset of a map or a template: its first tile's number, and its body or the name of its file. */
export function readTileset(reader: TiledReader, where: string, record: JsonRecord): TiledTileset {
  const { source } = reader;
  const firstGid = readCount(source, `${where}, firstgid`, record['firstgid'], 1, MAX_GID);
  if (record['source'] === undefined) return readBody(reader, where, record, firstGid);
  const file = record['source'];
  const outer = createReferenced(source, nameOf(file));
  const body = readExternal(reader, outer, where, file);
  const tileset = readBody({ ...reader, source: outer }, where, body ?? {}, firstGid, String(file));
  return { ...tileset, file: String(file), isMissing: body === undefined };
}

/** Returns the tileset of a gid without flip bits, or undefined. */
export function tilesetOf(tilesets: readonly TiledTileset[], gid: number): TiledTileset | undefined {
  let low = 0;
  let high = tilesets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tilesets[middle].firstGid <= gid) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : tilesets[low - 1];
}

/** Returns the name of an external tileset, as messages show it. */
function nameOf(file: unknown): string {
  return typeof file === 'string' ? file.slice(0, 80) : '';
}

/** Returns the body of an external tileset, or undefined when it was not given. */
function readExternal(reader: TiledReader, outer: JsonSource, where: string, file: unknown): JsonRecord | undefined {
  const { source, options } = reader;
  if (typeof file !== 'string') fail(source, `${where}, source`, `is ${show(file)}, must be a file's name`);
  const given = options.tileset?.(file);
  return given === undefined ? undefined : readTiledRecord(outer, given);
}

/** Warns of tilesets that were not given, with the number of their tiles in the map. */
export function warnOfMissing({ source, tilesets }: TiledReader): void {
  const missing = tilesets.filter(({ isMissing }) => isMissing);
  if (missing.length === 0) return;
  const list = missing
    .slice(0, 8)
    .map(({ file, missingTiles }) => `${file.slice(0, 80)} (${plural(missingTiles, 'tile')})`);
  if (missing.length > 8) list.push(`${missing.length - 8} more`);
  const what = `${plural(missing.length, 'tileset')} in other files ${missing.length === 1 ? 'was' : 'were'} not given: ${list.join(', ')}`;
  const remedy = 'their tiles block only on layers of walls. Put the files next to the map, or embed them';
  warnWithCount(source, 'tileset-missing', missing.length, '', `${what}; ${remedy}`);
}

/** Reads the body of a tileset. `file`: its file, '' in the map itself. */
function readBody(
  reader: TiledReader,
  where: string,
  body: JsonRecord,
  firstGid: number,
  file: string = '',
): TiledTileset {
  const { source } = reader;
  const { tileoffset, tilecount } = body;
  const offset = tileoffset === undefined ? {} : readRecord(source, `${where}, tileoffset`, tileoffset);
  // Tiled writes sizes of 0 for a collection of images without images.
  const sizeOf = (key: string): unknown => (tilecount === 0 && body[key] === 0 ? undefined : body[key]);
  const tileset: TiledTileset = {
    firstGid,
    file: '',
    tileWidth: readNumber(source, `${where}, tilewidth`, sizeOf('tilewidth'), reader.tileWidth),
    tileHeight: readNumber(source, `${where}, tileheight`, sizeOf('tileheight'), reader.tileHeight),
    offsetX: readNumber(source, `${where}, tileoffset x`, offset['x'], 0),
    offsetY: readNumber(source, `${where}, tileoffset y`, offset['y'], 0),
    alignment: typeof body['objectalignment'] === 'string' ? body['objectalignment'] : undefined,
    tiles: new Map(),
    isMissing: false,
    missingTiles: 0,
  };
  if (!(tileset.tileWidth > 0 && tileset.tileHeight > 0)) {
    fail(
      source,
      where,
      `has tiles of ${show(tileset.tileWidth, source)} x ${show(tileset.tileHeight, source)} pixels; sizes must be above 0`,
    );
  }
  if (
    body['tilerendersize'] === 'grid' &&
    (tileset.tileWidth !== reader.tileWidth || tileset.tileHeight !== reader.tileHeight)
  ) {
    warn(
      source,
      'tile-size-ignored',
      where,
      'its tiles are drawn as large as the grid; their shapes are not stretched',
    );
  }
  if (body['tiles'] === undefined && body['tileproperties'] === undefined) return tileset;
  const tiles = listTiles(reader, where, body);
  const toTile = isometricGrid(reader, where, body, tileset.tileHeight);
  for (let i = 0; i < tiles.length; i++) {
    const tile = readRecord(source, `${where}, tile ${i}`, tiles[i]);
    const id = readCount(source, `${where}, tile ${i}, id`, tile['id'], 0, MAX_GID);
    const place = `${where}, tile ${id}`;
    const shapes: ParsedRing[] = [];
    const { objectgroup } = tile;
    if (objectgroup !== undefined) {
      const group = readRecord(source, `${place}, objectgroup`, objectgroup);
      const objects = readArray(source, `${place}, objects`, group['objects'] ?? []);
      for (let k = 0; k < objects.length; k++) {
        const at = `${place}, object ${k}`;
        const given = readRecord(source, at, objects[k]);
        const object = withTemplate(reader, at, given, file);
        if (object === undefined) continue;
        if (readCollision(reader, at, object) === false) continue;
        const shape = readShape(source, at, object, reader.tolerance, false);
        if (shape !== undefined) shapes.push(toTile === undefined ? shape : transform(shape, toTile));
      }
    }
    const collides = readCollision(reader, place, tile);
    const cost = readCost(reader, place, tile);
    const area = readProperty(source, place, tile, 'area', 'string');
    const oneWay = readOneWay(reader, place, tile);
    const kind = classOf(tile);
    if (
      collides !== undefined ||
      cost !== undefined ||
      area !== undefined ||
      oneWay !== false ||
      kind !== '' ||
      shapes.length > 0
    )
      tileset.tiles.set(id, { collides, cost, area, oneWay, kind, shapes });
  }
  return tileset;
}

/** Returns the tiles of a tileset. Before Tiled 1.2, tiles and their properties were objects by number. */
function listTiles({ source }: TiledReader, where: string, body: JsonRecord): readonly unknown[] {
  const { tiles = [], tileproperties = {} } = body;
  if (!isRecord(tiles) && body['tileproperties'] === undefined) return readArray(source, `${where}, tiles`, tiles);
  const byId = new Map<string, JsonRecord>();
  const add = (id: string, more: JsonRecord): void => {
    byId.set(id, { ...byId.get(id), ...more, id: Number(id) });
  };
  const list = isRecord(tiles)
    ? Object.entries(tiles)
    : readArray(source, `${where}, tiles`, tiles).map(
        (tile) => [String(isRecord(tile) ? tile['id'] : ''), tile] as const,
      );
  for (const [id, tile] of list) add(id, readRecord(source, `${where}, tile ${id}`, tile));
  for (const [id, properties] of Object.entries(readRecord(source, `${where}, tileproperties`, tileproperties)))
    add(id, { properties });
  return [...byId.values()];
}

/**
 * Returns the transformation of shapes that were drawn on an isometric grid, or undefined. The grid's cell is
 * at the lower left.
 */
function isometricGrid(
  { source }: TiledReader,
  where: string,
  body: JsonRecord,
  tileHeight: number,
): Affine | undefined {
  const { grid } = body;
  if (!isRecord(grid) || grid['orientation'] !== 'isometric') return undefined;
  const width = readCount(source, `${where}, grid width`, grid['width'], 1, 0x100000);
  const height = readCount(source, `${where}, grid height`, grid['height'], 1, 0x100000);
  const slope = width / (2 * height);
  return [slope, 0.5, -slope, 0.5, width / 2, tileHeight - height];
}
