/** Reads files of 2D maps by their contents, and joins them to one map. */
import { pickMapReadOptions, polygonsFromMask, readMap } from 'navkiln/polygon';
import type {
  GeoJsonMap,
  MapReadOptions as LibraryOptions,
  ParsedMap,
  ParsedMapWarning,
  PolygonOptions,
} from 'navkiln/polygon';
import { InputError, messageOf } from '../errors.ts';
import { READ_LIMIT_BYTES, extensionOf, showName } from 'navkiln-loaders/files';
import { readBesideFile, readGiven, readGivenText } from './given-file.ts';
import type { ReadLimits } from './level.ts';
import type { MapReadOptions } from './map-options.ts';
import { decodePng } from './png.ts';
import { unpackZstd } from 'navkiln-loaders';

/** Limits of reading, and the brightness from which on pixels of a mask are free. */
export interface MapLimits extends ReadLimits {
  threshold?: number | undefined;
}

/** Reads all files as one map. GeoJSON in degrees is projected to the plane of the first such file. */
export async function loadMaps(
  files: readonly string[],
  settings: MapReadOptions & Pick<PolygonOptions, 'yAxis'>,
  { onFile, ...limits }: MapLimits & { onFile?: (file: string) => void } = {},
): Promise<ParsedMap> {
  const joined: ParsedMap = { polygons: [], obstacles: [], yAxis: settings.yAxis ?? 'up', warnings: [] };
  let projection: GeoJsonMap['projection'];
  const { obstacleFiles = [] } = settings;
  const isPart = files.length + obstacleFiles.length > 1;
  for (const file of [...files, ...obstacleFiles]) {
    onFile?.(file);
    const isObstacle = obstacleFiles.includes(file) ? (): boolean => true : undefined;
    const map = await readFile(file, { ...settings, isPart, isObstacle }, projection, limits);
    if ('projection' in map) projection ??= map.projection;
    else if (isObstacle !== undefined)
      throw new InputError(
        `${file}: --map-obstacle-files takes GeoJSON only; list rings as "obstacles" of the map instead`,
      );
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
    if (map.layerReports !== undefined) joined.layerReports = [...(joined.layerReports ?? []), ...map.layerReports];
    if (map.links !== undefined) joined.links = [...(joined.links ?? []), ...map.links];
    // The bake adds the links.
    for (const warning of map.warnings) if (warning.code !== 'one-way-links') addWarning(joined.warnings, warning);
  }
  const lists = [joined, ...(joined.layers ?? [])];
  if (!lists.some(({ polygons }) => polygons.length > 0))
    throw new InputError(
      `${files.join(', ')}: none of the files has a floor; add one with a Polygon around the obstacles`,
    );
  return joined;
}

/** Options of a file among others. */
type PartOptions = MapReadOptions & Pick<LibraryOptions, 'isPart' | 'isObstacle'>;

function addWarning(warnings: ParsedMapWarning[], warning: ParsedMapWarning): void {
  const known = warnings.find(({ code }) => code === warning.code);
  if (known === undefined) warnings.push({ ...warning });
  else {
    known.count += warning.count;
    if (warning.layers !== undefined) known.layers = [...(known.layers ?? []), ...warning.layers];
  }
}

async function readFile(
  file: string,
  settings: PartOptions,
  plane: GeoJsonMap['projection'],
  limits: MapLimits,
): Promise<ParsedMap | GeoJsonMap> {
  const { memoryLimitBytes = READ_LIMIT_BYTES, threshold } = limits;
  if (extensionOf(file) === '.png') {
    const pixels = decodePng(file, readGiven(file, memoryLimitBytes), memoryLimitBytes);
    try {
      return polygonsFromMask(pixels, { name: file, scale: settings.scale, threshold });
    } catch (error) {
      throw new InputError(messageOf(error).replace(/^polygonsFrom\w+: /, ''));
    }
  }
  const text = readGivenText(file, memoryLimitBytes);
  const { projection } = settings;
  try {
    return await readMap(text, {
      ...pickMapReadOptions(settings),
      projection: projection === 'none' ? projection : (plane ?? projection),
      name: file,
      memoryLimitBytes,
      tileset: (source) => readBeside(file, source, 'tileset', limits),
      template: (source) => readBeside(file, source, 'template', limits),
      decompress: (bytes, _compression, size) => unpackZstd(bytes, size),
    });
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(messageOf(error).replace(/^(parse|read)\w+: /, ''));
  }
}

/** Reads a file next to the map. Returns undefined when it is missing, which the map's reader reports. */
function readBeside(file: string, source: string, kind: string, limits: ReadLimits): Uint8Array | undefined {
  const { allowOutside = false, memoryLimitBytes: limitBytes = READ_LIMIT_BYTES } = limits;
  return readBesideFile(file, source, `${file}: ${kind} ${showName(source)}`, { allowOutside, limitBytes });
}
