/** Reads files of 2D maps by file type (`.json` by its contents) and joins them to one map. */
import { extname } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import { guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from 'navkiln/polygon';
import type { GeoJsonMap, ParsedMap, ParsedMapWarning, PolygonOptions } from 'navkiln/polygon';
import { InputError, codeOf, messageOf } from '../errors.ts';
import { formatBytes } from '../output/text.ts';
import { showName } from './beside.ts';
import { READ_LIMIT_BYTES } from './budget.ts';
import { readBesideFile, readGivenText } from './given-file.ts';
import type { ReadLimits } from './level.ts';
import type { MapReadOptions } from './map-options.ts';
import { ZstdError, decompressZstd } from './zstd.ts';

/** Reads all files as one map. GeoJSON in degrees is projected to the plane of the first such file. */
export function loadMaps(
  files: readonly string[],
  settings: MapReadOptions & Pick<PolygonOptions, 'yAxis'>,
  { onFile, ...limits }: ReadLimits & { onFile?: (file: string) => void } = {},
): ParsedMap {
  const joined: ParsedMap = { polygons: [], obstacles: [], yAxis: settings.yAxis ?? 'up', warnings: [] };
  let projection: GeoJsonMap['projection'];
  for (const file of files) {
    onFile?.(file);
    const map = readMap(file, settings, projection, limits);
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
    if (map.areas !== undefined) joined.areas = [...(joined.areas ?? []), ...map.areas];
    if (map.layers !== undefined) joined.layers = [...(joined.layers ?? []), ...map.layers];
    if (map.precision !== undefined) joined.precision = Math.max(map.precision, joined.precision ?? 0);
    for (const warning of map.warnings) addWarning(joined.warnings, warning);
  }
  if (settings.precision !== undefined) joined.precision = settings.precision;
  return joined;
}

function addWarning(warnings: ParsedMapWarning[], warning: ParsedMapWarning): void {
  const known = warnings.find(({ code }) => code === warning.code);
  if (known === undefined) warnings.push({ ...warning });
  else known.count += warning.count;
}

function readMap(
  file: string,
  settings: MapReadOptions,
  plane: GeoJsonMap['projection'],
  limits: ReadLimits,
): ParsedMap | GeoJsonMap {
  const { memoryLimitBytes = READ_LIMIT_BYTES } = limits;
  const text = readGivenText(file, memoryLimitBytes);
  const {
    where,
    obstacles,
    lineWidth,
    projection,
    walkable,
    walls,
    ignore,
    collisionProperty,
    scale,
    tolerance,
    space,
  } = settings;
  try {
    switch (formatOf(file, text)) {
      case 'geojson':
        return parseGeoJson(text, {
          name: file,
          where,
          obstacles,
          walkable,
          lineWidth,
          projection: projection === 'none' ? projection : (plane ?? projection),
        });
      case 'tiled':
        return parseTiled(text, {
          name: file,
          walkable,
          walls,
          ignore,
          collisionProperty,
          scale,
          tolerance,
          space,
          memoryLimitBytes,
          tileset: (source) => readBeside(file, source, 'tileset', limits),
          template: (source) => readBeside(file, source, 'template', limits),
          decompress: (bytes, compression, size) => decompress(file, bytes, compression, size),
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
  if (extension !== '.json') return extension === '.geojson' ? 'geojson' : 'tiled';
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // The reader of maps reports where the fault is.
    return 'map';
  }
  const format = guessMapFormat(value);
  if (format !== undefined) return format;
  const form = '{ "polygons": [{ "outline": [[x, y], …] }] }';
  throw new InputError(`${file}: is not a map; must be ${form}, GeoJSON or a Tiled map`);
}

/** Reads a file next to the map. Returns undefined when it is missing, which the map's reader reports. */
function readBeside(file: string, source: string, kind: string, limits: ReadLimits): Uint8Array | undefined {
  const { allowOutside = false, memoryLimitBytes: limitBytes = READ_LIMIT_BYTES } = limits;
  return readBesideFile(file, source, `${file}: ${kind} ${showName(source)}`, { allowOutside, limitBytes });
}

/** Decompresses the numbers of a layer, and stops where there are more than the map has cells for. */
function decompress(file: string, bytes: Uint8Array, compression: string, size: number): Uint8Array {
  if (compression !== 'zlib' && compression !== 'gzip' && compression !== 'zstd') {
    const known = 'choose CSV, Base64, gzip, zlib or zstd';
    throw new InputError(`${file}: layers compressed with ${compression.slice(0, 20)} are not supported; ${known}`);
  }
  try {
    if (compression === 'zstd') return decompressZstd(bytes, size);
    const options = { maxOutputLength: Math.max(size, 1) };
    return compression === 'zlib' ? inflateSync(bytes, options) : gunzipSync(bytes, options);
  } catch (error) {
    const isTooLong = error instanceof ZstdError ? error.isTooLong : codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    const what = isTooLong
      ? `decompresses to more than the ${formatBytes(size)} that the map's size needs`
      : `is not valid ${compression}, or is cut off`;
    throw new InputError(`${file}: the data of a layer ${what}; save the map again`);
  }
}
