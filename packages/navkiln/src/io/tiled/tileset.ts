/**
 * Reads Tiled's tilesets: whether each tile blocks its cell, and its collision shapes.
 *
 * In: the map's list of tilesets, embedded or external.
 * Out: records by the number of their first tile.
 * Cost: linear.
 * Based on: Tiled's documentation of its map format; own code.
 */
import type { JsonRecord, JsonSource } from '../json-source.ts';
import {
  createReferenced,
  fail,
  isRecord,
  readArray,
  readCount,
  readJson,
  readNumber,
  readRecord,
  show,
  warn,
} from '../json-source.ts';
import type { ParsedRing } from '../map.ts';
import { readShape } from './shapes.ts';
import type { Affine, TiledReader } from './types.ts';
import { readFlag } from './source.ts';
import { transform } from './affine.ts';
import type { TiledTileset } from './types.ts';

const MAX_GID = 0x0fffffff;

export function readTilesets(reader: TiledReader, value: unknown): TiledTileset[] {
  const { source } = reader;
  if (value === undefined) return [];
  const tilesets = readArray(source, 'tilesets', value).map((entry, i) => {
    const where = `tileset ${i}`;
    const record = readRecord(source, where, entry);
    const firstGid = readCount(source, `${where}, firstgid`, record['firstgid'], 1, MAX_GID);
    if (record['source'] === undefined) return readTileset(reader, where, record, firstGid);
    const outer = createReferenced(source, nameOf(record['source']));
    return readTileset(
      { ...reader, source: outer },
      where,
      readExternal(reader, outer, where, record['source']),
      firstGid,
    );
  });
  return tilesets.sort((a, b) => a.firstGid - b.firstGid);
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

function readExternal(reader: TiledReader, outer: JsonSource, where: string, file: unknown): JsonRecord {
  const { source, options } = reader;
  if (typeof file !== 'string') fail(source, `${where}, source`, `is ${show(file)}, must be a file's name`);
  const given = options.tileset?.(file);
  let why = '';
  if (given === undefined) why = 'is another file, which was not given';
  else if (startsAsXml(given)) why = 'is a file in XML, which is not read';
  if (why !== '') {
    const remedy = 'its tiles are taken as free. Embed it in the map, or save it as .tsj';
    warn(source, 'tileset-missing', `${where} (${file.slice(0, 80)})`, `${why}: ${remedy}`);
    return {};
  }
  return readJson(outer, given);
}

function startsAsXml(given: string | Uint8Array | object | undefined): boolean {
  const first =
    typeof given === 'string' ? given.trimStart().charCodeAt(0) : given instanceof Uint8Array ? given[0] : 0;
  return first === 60;
}

function readTileset(reader: TiledReader, where: string, body: JsonRecord, firstGid: number): TiledTileset {
  const { source } = reader;
  const { tileoffset } = body;
  const offset = tileoffset === undefined ? {} : readRecord(source, `${where}, tileoffset`, tileoffset);
  const tileset: TiledTileset = {
    firstGid,
    tileWidth: readNumber(source, `${where}, tilewidth`, body['tilewidth'], reader.tileWidth),
    tileHeight: readNumber(source, `${where}, tileheight`, body['tileheight'], reader.tileHeight),
    offsetX: readNumber(source, `${where}, tileoffset x`, offset['x'], 0),
    offsetY: readNumber(source, `${where}, tileoffset y`, offset['y'], 0),
    alignment: typeof body['objectalignment'] === 'string' ? body['objectalignment'] : undefined,
    tiles: new Map(),
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
  if (body['tiles'] === undefined) return tileset;
  if (isRecord(body['tiles'])) {
    fail(source, `${where}, tiles`, 'is an object, as before Tiled 1.2; save the map with a newer Tiled');
  }
  const tiles = readArray(source, `${where}, tiles`, body['tiles']);
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
        const object = readRecord(source, at, objects[k]);
        if (readFlag(source, at, object, reader.collisionProperty) === false) continue;
        const shape = readShape(source, at, object, reader.tolerance, false);
        if (shape !== undefined) shapes.push(toTile === undefined ? shape : transform(shape, toTile));
      }
    }
    const collides = readFlag(source, place, tile, reader.collisionProperty);
    if (collides !== undefined || shapes.length > 0) tileset.tiles.set(id, { collides, shapes });
  }
  return tileset;
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
