/** Reads files of 2D maps by file type (`.json` by its contents) and joins them to one map. */
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { InputError, codeOf, explainSystemError, messageOf } from '../errors.ts';
import { guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from '../library.ts';
import type { GeoJsonMap, ParsedMap, ParsedMapWarning, PolygonOptions } from '../library.ts';
import type { MapReadOptions } from './map-options.ts';

export const MAP_EXTENSIONS: readonly string[] = ['.geojson', '.tmj', '.json'];

export function isMapFile(file: string): boolean {
  return MAP_EXTENSIONS.includes(extname(file).toLowerCase());
}

/** Reads all files as one map. GeoJSON in degrees is projected to the plane of the first such file. */
export function loadMaps(
  files: readonly string[],
  settings: MapReadOptions & Pick<PolygonOptions, 'yAxis'>,
  onFile?: (file: string) => void,
): ParsedMap {
  const joined: ParsedMap = { polygons: [], obstacles: [], yAxis: settings.yAxis ?? 'up', warnings: [] };
  let projection: GeoJsonMap['projection'];
  for (const file of files) {
    onFile?.(file);
    const map = readMap(file, settings, projection);
    if ('projection' in map) projection ??= map.projection;
    if (settings.yAxis === undefined) {
      if (file !== files[0] && map.yAxis !== joined.yAxis) {
        const remedy = 'bake them into separate meshes, or give --map-y-axis';
        throw new InputError(`${file}: y points ${map.yAxis}, but ${joined.yAxis} in ${files[0]}; ${remedy}`);
      }
      joined.yAxis = map.yAxis;
    }
    for (const polygon of map.polygons) joined.polygons.push(polygon);
    for (const obstacle of map.obstacles) joined.obstacles.push(obstacle);
    for (const warning of map.warnings) addWarning(joined.warnings, warning);
  }
  return joined;
}

function addWarning(warnings: ParsedMapWarning[], warning: ParsedMapWarning): void {
  const known = warnings.find(({ code }) => code === warning.code);
  if (known === undefined) warnings.push({ ...warning });
  else known.count += warning.count;
}

function readMap(file: string, settings: MapReadOptions, plane: GeoJsonMap['projection']): ParsedMap | GeoJsonMap {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file}: ${explainSystemError(error)}`);
  }
  const { projection = 'local', walkable, collisionProperty, scale, tolerance, space } = settings;
  try {
    switch (formatOf(file, text)) {
      case 'geojson':
        return parseGeoJson(text, {
          name: file,
          projection: projection === 'local' ? (plane ?? projection) : projection,
        });
      case 'tiled':
        return parseTiled(text, {
          name: file,
          walkable,
          collisionProperty,
          scale,
          tolerance,
          space,
          tileset: (source) => readTileset(file, source),
          decompress,
        });
      default:
        return parsePolygonMap(text, file);
    }
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(messageOf(error).replace(/^parse\w+: /, ''));
  }
}

function formatOf(file: string, text: string): ReturnType<typeof guessMapFormat> {
  const extension = extname(file).toLowerCase();
  if (extension !== '.json') return extension === '.tmj' ? 'tiled' : 'geojson';
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError(`${file}: is not valid JSON (${messageOf(error)})`);
  }
  const format = guessMapFormat(value);
  if (format !== undefined) return format;
  const form = '{ "polygons": [{ "outline": [[x, y], …] }] }';
  throw new InputError(`${file}: is not a map; must be ${form}, GeoJSON or a Tiled map`);
}

/** Reads a tileset next to the map. Returns undefined when it is missing, which the map's reader reports. */
function readTileset(file: string, source: string): Uint8Array | undefined {
  const path = join(dirname(file), source);
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new InputError(`${path}: ${explainSystemError(error)}`);
  }
}

function decompress(bytes: Uint8Array, compression: string): Uint8Array {
  if (compression === 'zlib') return inflateSync(bytes);
  if (compression === 'gzip') return gunzipSync(bytes);
  throw new Error(`layers compressed with ${compression} are not supported; choose CSV, Base64, gzip or zlib`);
}
