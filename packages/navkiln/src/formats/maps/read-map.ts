/**
 * Reads a 2D map of any format that the library knows, by its content: GeoJSON, Tiled in JSON or XML, SVG, or rings as JSON.
 *
 * In: text or bytes. Out: a 2D map.
 * Cost: that of the format's reader.
 * Based on: own.
 */
import { READ_LIMIT_BYTES } from '../../base/constants.ts';
import { checkKeys, checkObject, refuse } from '../../base/data/refuse.ts';
import { parseGeoJson } from './geojson.ts';
import type { GeoJsonMap, GeoJsonOptions } from './geojson.ts';
import { createSource, fail, readJson } from './json-source.ts';
import { guessMapFormat, parsePolygonMap } from './map-json.ts';
import type { ParsedMap } from './map.ts';
import { parseSvg } from './svg/svg.ts';
import { parseTiledRecord } from './tiled/tiled.ts';
import { readTiledRecord } from './tiled/tmx.ts';
import type { TiledOptions } from './tiled/types.ts';
import { unpackTiled } from './tiled/unpack.ts';
import type { Unpack } from './tiled/unpack.ts';
import { rootTagOf, startsAsXml } from '../text/xml.ts';

/** Options of `readMap`. Those of other formats than the file's have no effect. */
export interface MapReadOptions
  extends
    Pick<GeoJsonOptions, 'projection' | 'where' | 'obstacles' | 'lineWidth' | 'isObstacle' | 'isPart'>,
    Pick<
      TiledOptions,
      'walls' | 'ignore' | 'collisionProperty' | 'scale' | 'tolerance' | 'space' | 'tileset' | 'template'
    > {
  /** Layers of Tiled maps, names in SVG, and conditions of features of GeoJSON, that are walkable. Default: see the formats. */
  walkable?: readonly string[];
  /** Distance at which what should touch is joined, in units of the map; see `PolygonMap`. Default: that of the file. */
  precision?: number;
  /**
   * Decompresses layers of Tiled maps in zstd to at most `size` bytes; gzip and zlib need no decoder. It may throw an Error with
   * `isTooLong: true` as soon as there are more. Default: maps with zstd are refused.
   */
  decompress?: Unpack;
  /** Memory that reading may take, bytes; larger maps are refused. Default 2^30 (1 GiB). */
  memoryLimitBytes?: number;
  /** Name of the file in messages. Default 'map'. */
  name?: string;
}

const OPTION_KEYS = [
  'projection',
  'where',
  'obstacles',
  'lineWidth',
  'isObstacle',
  'isPart',
  'walls',
  'ignore',
  'collisionProperty',
  'scale',
  'tolerance',
  'space',
  'tileset',
  'template',
  'walkable',
  'precision',
  'decompress',
  'memoryLimitBytes',
  'name',
];

/** Returns the options of `readMap` in a record that has others, too, such as the settings of a map in a configuration. */
export function pickMapReadOptions(settings: MapReadOptions): MapReadOptions {
  checkObject('pickMapReadOptions', 'settings', settings);
  return Object.fromEntries(Object.entries(settings).filter(([key]) => OPTION_KEYS.includes(key)));
}

/**
 * Reads a 2D map from the text or bytes of a file. Its content decides the format.
 *
 * @throws Error that names the position of a fault in the file; TypeError, RangeError for wrong arguments
 */
export async function readMap(
  input: string | Uint8Array,
  options: MapReadOptions = {},
): Promise<ParsedMap | GeoJsonMap> {
  checkKeys('readMap', options, OPTION_KEYS);
  const { name = 'map', memoryLimitBytes = READ_LIMIT_BYTES, precision } = options;
  if (!(typeof memoryLimitBytes === 'number' && memoryLimitBytes > 0))
    refuse('readMap', 'options.memoryLimitBytes', memoryLimitBytes, '> 0');
  if (precision !== undefined && !(typeof precision === 'number' && precision > 0 && precision < Infinity))
    refuse('readMap', 'options.precision', precision, 'a finite length > 0');
  const map = await readFormat(input, { ...options, name, memoryLimitBytes });
  if (precision !== undefined) map.precision = precision;
  return map;
}

async function readFormat(
  input: string | Uint8Array,
  options: MapReadOptions & { name: string; memoryLimitBytes: number },
): Promise<ParsedMap | GeoJsonMap> {
  const { name, memoryLimitBytes, walkable } = options;
  const source = createSource('readMap', name, memoryLimitBytes);
  const isXml = startsAsXml(input);
  if (isXml && /^(?:svg:)?svg$/.test(rootTagOf(input))) {
    const { walls, ignore, scale, tolerance } = options;
    return parseSvg(input, { name, memoryLimitBytes, walkable, walls, ignore, scale, tolerance });
  }
  const record = isXml ? readTiledRecord(source, input) : readJson(source, input);
  switch (isXml ? 'tiled' : guessMapFormat(record)) {
    case 'geojson': {
      const { projection, where, obstacles, lineWidth, isObstacle, isPart } = options;
      return parseGeoJson(record, { name, projection, where, obstacles, lineWidth, isObstacle, isPart, walkable });
    }
    case 'tiled': {
      const { walls, ignore, collisionProperty, scale, tolerance, space, tileset, template } = options;
      const unpacked = await unpackTiled(source, record, options.decompress);
      const own = { walls, ignore, collisionProperty, scale, tolerance, space, tileset, template };
      return parseTiledRecord(source, unpacked, { ...own, name, walkable }, isXml);
    }
    case 'map':
      return parsePolygonMap(record, name);
    default: {
      const form = '{ "polygons": [{ "outline": [[x, y], …] }] }';
      return fail(source, '', `is not a map; must be ${form}, GeoJSON, SVG or a Tiled map`);
    }
  }
}
