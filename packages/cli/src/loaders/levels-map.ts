/**
 * `navkiln-cli/levels`: reads indoor GeoJSON as levels, joins the reports of their builds, and adds links over one-way tiles, for `navkiln bake`
 * and the studio.
 */
import { NULL_REF, addLink, getLink } from 'navkiln';
import { mapToMesh, parseGeoJsonLevels } from 'navkiln/polygon';
import type {
  GeoJsonLevels,
  LevelsBuild,
  MapReadOptions,
  ParsedLink,
  PolygonBuild,
  PolygonReport,
} from 'navkiln/polygon';

/** The choices of the flags --map-levels and --map-level-height. */
export interface LevelsChoice {
  /** The property that names levels; undefined: the one that most features have. */
  property?: string;
  /** Height of a level, world units. */
  levelHeight?: number;
}

/** Reads levels with the settings of 2D maps. `name` is that of the file in messages. */
export function readLevelsMap(
  input: Uint8Array | object,
  settings: MapReadOptions,
  { property, levelHeight, name }: LevelsChoice & { name: string },
): GeoJsonLevels {
  const { where, obstacles, walkable, lineWidth, projection, precision } = settings;
  const own = { where, obstacles, walkable, lineWidth, projection, property, levelHeight, name };
  const map = parseGeoJsonLevels(input, own);
  if (precision !== undefined) for (const level of map.levels) level.map.precision = precision;
  return map;
}

/** Adds links over one-way tiles to the mesh of a map. A warning in its report counts links whose ends are in walls. */
export function addMapLinks(
  { navMesh, report }: Pick<PolygonBuild, 'navMesh' | 'report'>,
  links: readonly ParsedLink[] = [],
): void {
  const off = links.filter(({ start, end }) => {
    const [from, to] = [start, end].map((point) => mapToMesh(navMesh, point));
    const { startPoly, endPoly } = getLink(navMesh, addLink(navMesh, { start: from, end: to }))!;
    return startPoly === NULL_REF || endPoly === NULL_REF;
  });
  if (off.length === 0) return;
  const message =
    `${off.length} of ${links.length} links over one-way tiles have an end in a wall, such as the one at [${off[0].start.join(', ')}], and are not ` +
    'used; leave the cells before and after such tiles free';
  report.warnings.push({
    code: 'one-way-blocked',
    stage: 'tile',
    count: off.length,
    message,
  } as unknown as PolygonReport['warnings'][number]);
}

/** Returns the reports of all levels as one. Their warnings name the level. */
export function reportOfLevels(
  { builds, warnings }: Pick<LevelsBuild, 'builds' | 'warnings'>,
  levels: readonly { name: string }[],
): PolygonReport {
  const reports = builds.flatMap((build, i) =>
    build === undefined ? [] : [{ ...build.report, level: levels[i].name }],
  );
  const [first] = reports;
  const sum = (numberOf: (report: PolygonReport) => number): number =>
    reports.reduce((total, report) => total + numberOf(report), 0);
  const stages = first.stages.map(({ name }) => ({
    name,
    ms: sum((report) => report.stages.find((stage) => stage.name === name)?.ms ?? 0),
  }));
  const { level: _level, ...own } = first;
  return {
    ...own,
    stages,
    counts: Object.fromEntries(
      Object.keys(first.counts).map((name) => [name, sum(({ counts }) => counts[name as keyof typeof counts])]),
    ) as PolygonReport['counts'],
    totalMs: sum(({ totalMs }) => totalMs),
    warnings: [
      ...reports.flatMap((report) =>
        report.warnings.map((warning) => ({ ...warning, message: `level "${report.level}": ${warning.message}` })),
      ),
      // Levels have codes of their own beside those of a map.
      ...(warnings.map((warning) => ({ ...warning, stage: 'tile' })) as unknown as PolygonReport['warnings']),
    ],
  };
}
