/** The bake of indoor GeoJSON with several levels for `navkiln bake --map-levels`. */
import { buildFromLevels, cutByDiagonals, parseGeoJsonLevels } from 'navkiln/polygon';
import type { GeoJsonLevels, LevelsBuild, ParsedMapWarning, PolygonReport } from 'navkiln/polygon';
import type { NavMesh } from 'navkiln';
import type { BakeSettings } from '../config/settings.ts';
import { InputError, blameInput, messageOf } from '../errors.ts';
import { extensionOf } from '../loaders/extensions.ts';
import { READ_LIMIT_BYTES } from '../loaders/budget.ts';
import { readGivenText } from '../loaders/given-file.ts';

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
export function readLevelFlags({
  mapLevels,
  mapLevelHeight,
  verify,
}: LevelFlags): { property: string | undefined; levelHeight: number | undefined } | undefined {
  if (mapLevels === undefined) {
    if (mapLevelHeight !== undefined)
      throw new InputError('--map-level-height: only applies with --map-levels; add that');
    return undefined;
  }
  if (verify === true) throw new InputError('--verify: not with --map-levels, which builds several maps; remove it');
  const levelHeight = mapLevelHeight === undefined ? undefined : Number(mapLevelHeight);
  if (levelHeight !== undefined && !(levelHeight > 0 && levelHeight < Infinity))
    throw new InputError(`--map-level-height ${mapLevelHeight}: must be a number > 0`);
  return { property: mapLevels === true ? undefined : mapLevels, levelHeight };
}

/** Reads the files as one building, and builds its levels. */
export function bakeLevelsOf(
  settings: BakeSettings,
  { property, levelHeight }: NonNullable<ReturnType<typeof readLevelFlags>>,
  onFile: (file: string) => void,
): BakedLevels {
  const files = settings.levels.map(({ file }) => file);
  const { where, obstacles, walkable, lineWidth, projection, precision } = settings.map ?? {};
  const { agent, strict, memoryLimitBytes = READ_LIMIT_BYTES } = settings.options;
  if ((settings.options.tileSize ?? 0) > 0)
    throw new InputError('--tile-size: not with --map-levels; each level is a tile');
  const features = files.flatMap((file) => {
    if (!/^\.(?:geojson|json)$/.test(extensionOf(file)))
      throw new InputError(`${file}: --map-levels reads GeoJSON (.geojson, .json) only`);
    onFile(file);
    return featuresOf(file, readGivenText(file, memoryLimitBytes));
  });
  let map: GeoJsonLevels;
  let build: LevelsBuild;
  try {
    const name = files.join(', ');
    const own = { where, obstacles, walkable, lineWidth, projection, property, levelHeight, name };
    map = parseGeoJsonLevels({ type: 'FeatureCollection', features }, own);
  } catch (error) {
    throw new InputError(messageOf(error).replace(/^parse\w+: /, ''));
  }
  if (precision !== undefined) for (const level of map.levels) level.map.precision = precision;
  const { mode, maxVertices, fillRule, gridSize, arcTolerance, yAxis } = settings.map ?? {};
  try {
    build = buildFromLevels(map, {
      agent,
      strict,
      memoryLimitBytes,
      mode,
      cutByDiagonals,
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
    report: reportOf(build, map),
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

function featuresOf(file: string, text: string): unknown[] {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError(`${file}: is not valid JSON (${messageOf(error)})`);
  }
  const features = (root as { features?: unknown } | null)?.features;
  if (!Array.isArray(features)) throw new InputError(`${file}: must be a FeatureCollection of GeoJSON`);
  return features;
}

/** Returns the reports of all levels as one. Their warnings name the level. */
function reportOf({ builds, warnings }: LevelsBuild, { levels }: GeoJsonLevels): PolygonReport {
  const reports = builds.flatMap((build, i) =>
    build === undefined ? [] : [{ ...build.report, level: levels[i].name }],
  );
  const [first] = reports;
  const stages = first.stages.map(({ name }) => ({
    name,
    ms: reports.reduce((sum, report) => sum + (report.stages.find((stage) => stage.name === name)?.ms ?? 0), 0),
  }));
  return {
    ...first,
    stages,
    totalMs: reports.reduce((sum, report) => sum + report.totalMs, 0),
    warnings: [
      ...reports.flatMap((report) =>
        report.warnings.map((warning) => ({ ...warning, message: `level "${report.level}": ${warning.message}` })),
      ),
      // Levels have codes of their own beside those of a map.
      ...(warnings.map((warning) => ({ ...warning, stage: 'tile' })) as unknown as PolygonReport['warnings']),
    ],
  };
}
