/** The bake of indoor GeoJSON with several levels for `navkiln bake --map-levels`. */
import { buildFromLevels, cutByDiagonals, findClosedPassages } from 'navkiln/polygon';
import type { GeoJsonLevels, LevelsBuild, ParsedMapWarning, PolygonReport } from 'navkiln/polygon';
import type { NavMesh } from 'navkiln';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput, messageOf } from '../errors.ts';
import { READ_LIMIT_BYTES, extensionOf } from 'navkiln-loaders/files';
import { readGivenText } from '../loaders/given-file.ts';
import { readLevelsMap, reportOfLevels } from '../loaders/levels-map.ts';
import type { LevelsChoice } from '../loaders/levels-map.ts';

export interface LevelFlags {
  mapLevels?: string | true;
  mapLevelHeight?: string;
  verify?: boolean;
}

export interface BakedLevels {
  source: { warnings: ParsedMapWarning[] };
  navMesh: NavMesh;
  report: PolygonReport;
  /** Levels and links, for the summary. */
  levels: LevelSummary;
}

/** What `bake --json` prints about levels. */
export interface LevelSummary {
  levels: { name: string; height: number; polygons: number }[];
  connections: number;
  /** Connections with an end that is not near the floor. */
  unattached: number;
}

/** Returns the property and the height of levels; undefined without --map-levels. */
export function readLevelFlags({ mapLevels, mapLevelHeight, verify }: LevelFlags): LevelsChoice | undefined {
  if (mapLevels === undefined) {
    if (mapLevelHeight !== undefined)
      throw new InputError('--map-level-height: only applies with --map-levels; add that');
    return undefined;
  }
  if (verify === true) throw new InputError('--verify: not with --map-levels, which builds several maps; remove it');
  const levelHeight = mapLevelHeight === undefined ? undefined : Number(mapLevelHeight);
  if (levelHeight !== undefined && !(levelHeight > 0 && levelHeight < Infinity))
    throw new InputError(`--map-level-height ${mapLevelHeight}: must be a number > 0`);
  return {
    ...(mapLevels === true ? {} : { property: mapLevels }),
    ...(levelHeight === undefined ? {} : { levelHeight }),
  };
}

/** Reads the files as one building, and builds its levels. */
export function bakeLevelsOf(
  settings: BakeSettings,
  { property, levelHeight }: LevelsChoice,
  onFile: (file: string) => void,
): BakedLevels {
  const files = settings.levels.map(({ file }) => file);
  const { agent, strict, memoryLimitBytes = READ_LIMIT_BYTES } = settings.options;
  if ((settings.options.tileSize ?? 0) > 0)
    throw new InputError('--tile-size: not with --map-levels; each level is a tile');
  let projection: unknown;
  const features = files.flatMap((file) => {
    if (!/^\.(?:geojson|json)$/.test(extensionOf(file)))
      throw new InputError(`${file}: --map-levels reads GeoJSON (.geojson, .json) only`);
    onFile(file);
    const read = readFeatures(file, readGivenText(file, memoryLimitBytes));
    projection ??= read.projection;
    return read.features;
  });
  let map: GeoJsonLevels;
  let build: LevelsBuild;
  try {
    const name =
      files.length > 3 ? `${files.slice(0, 2).join(', ')} and ${files.length - 2} more files` : files.join(', ');
    map = readLevelsMap({ type: 'FeatureCollection', projection, features }, settings.map ?? {}, {
      property,
      levelHeight,
      name,
    });
  } catch (error) {
    throw new InputError(messageOf(error).replace(/^parse\w+: /, ''));
  }
  const { mode, maxVertices, fillRule, gridSize, arcTolerance, yAxis } = settings.map ?? {};
  try {
    build = buildFromLevels(map, {
      agent,
      strict,
      memoryLimitBytes,
      mode,
      cutByDiagonals,
      findClosedPassages,
      maxVertices,
      fillRule,
      gridSize,
      arcTolerance,
      yAxis,
    });
  } catch (error) {
    throw blameInput(error, 'buildFromLevels');
  }
  return {
    source: map,
    navMesh: build.navMesh,
    report: reportOfLevels(build, map.levels),
    levels: {
      levels: map.levels.map(({ name, height }, i) => ({
        name,
        height,
        polygons: build.builds[i]?.report.counts.polygons ?? 0,
      })),
      connections: map.connections.length,
      unattached: build.warnings.find(({ code }) => code === 'connection-off-mesh')?.count ?? 0,
    },
  };
}

function readFeatures(file: string, text: string): { features: unknown[]; projection: unknown } {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError(`${file}: is not valid JSON (${messageOf(error)})`);
  }
  const { features, projection } = (root ?? {}) as { features?: unknown; projection?: unknown };
  if (!Array.isArray(features)) throw new InputError(`${file}: must be a FeatureCollection of GeoJSON`);
  return { features, projection };
}
