/**
 * Build of one tile: the stages from triangles to a tile's data, in their order.
 *
 * In: the level as it was prepared, and the tile's place. Out: the tile, or nothing when it has no ground. Written as a
 * generator that names each stage before it runs, so that who drives it (build.ts) can measure, tell and give way in between.
 * A level of one tile goes through all stages even when nothing is left, so that its report is whole. Cost: that of the stages.
 *
 * Based on: own; the order of stages is Recast's.
 */
import type { Workspace } from '../data/workspace.ts';
import type { TileData } from '../navmesh/types.ts';
import { markVolume, medianFilterAreas } from './areas.ts';
import { cropToLevel, tileConfig, tileInput } from './build-tile-grid.ts';
import type { TileInput, TileTriangles } from './build-tile-grid.ts';
import { buildCompactField } from './compact.ts';
import { buildContours } from './contours.ts';
import { buildDetailMesh } from './detail.ts';
import { buildDistanceField } from './distance.ts';
import { erodeArea } from './erode.ts';
import { filterSpans } from './filter.ts';
import type { PreparedInput } from './input.ts';
import type { BakeConfig, BuildOptions, BuildReport, BuildWarningCode } from './options.ts';
import { buildPolyMesh } from './polymesh.ts';
import { rasterize } from './rasterize.ts';
import { rebaseVolume } from './rebase.ts';
import { buildRegionsLayers } from './regions/layers.ts';
import { buildRegionsMonotone } from './regions/monotone.ts';
import { buildRegionsWatershed } from './regions/watershed.ts';
import { createTileData } from './tile.ts';
import type { CompactField } from './types.ts';

/** Names of the stages, in the order they run; those an option turns off are left out of a report. */
export const BUILD_STAGES = [
  'input',
  'slope',
  'rasterize',
  'filter',
  'compact',
  'erode',
  'areas',
  'distance',
  'regions',
  'contours',
  'polymesh',
  'detail',
  'navmesh',
] as const;

export type Stage = (typeof BUILD_STAGES)[number];

/** A level ready to be baked, whole or tile by tile. */
export interface PreparedTiles {
  options: BuildOptions;
  /** Of the whole level. */
  config: BakeConfig;
  prepared: PreparedInput;
  /** By triangle, after the slope test. */
  areas: Uint8Array;
  walkableCount: number;
  /** Undefined: the level is one tile. */
  triangles: TileTriangles | undefined;
  /** Number of the tile that `triangles` begins with, where they are not those of all tiles. Default 0. */
  firstPlace?: number;
}

/** What a bake keeps account of. */
export interface Bake {
  options: BuildOptions;
  workspace: Workspace;
  /** The stage that runs. */
  stage: Stage;
  counts: BuildReport['counts'];
  /** Where the tile that came farthest became empty, of those that did. */
  emptied: number;
  /** `say` is asked for the message again when the same comes from another tile, with all together. */
  warn: (code: BuildWarningCode, count: number, say: (count: number) => string, triangle?: number) => void;
}

/** Yields the name of each stage before it runs. */
export function* bakeTile(
  bake: Bake,
  level: PreparedTiles,
  x: number,
  z: number,
): Generator<Stage, TileData | undefined> {
  const { workspace, counts, warn } = bake;
  const { options, prepared, triangles } = level;
  let config = level.config;
  let input: TileInput | undefined = { ...prepared, areas: level.areas };
  let emptied = 0;
  /** Takes note of a stage that leaves no ground, and tells whether to go on. */
  const goesOn = (ground: number | boolean, since: Stage = bake.stage): boolean => {
    if (!ground) emptied ||= BUILD_STAGES.indexOf(since);
    if (emptied > bake.emptied) bake.emptied = emptied;
    return emptied === 0 || triangles === undefined;
  };

  yield 'rasterize';
  if (triangles !== undefined) {
    const place = x + z * config.tileCountX - (level.firstPlace ?? 0);
    config = tileConfig(config, x, z, prepared.given !== undefined);
    input = tileInput(
      prepared,
      level.areas,
      triangles,
      triangles.start[place],
      triangles.start[place + 1],
      config,
      workspace,
    );
    if (input === undefined) return undefined;
  }
  const solid = rasterize(input.positions, input.indices, input.areas, config, workspace);
  if (triangles !== undefined && options.bounds !== undefined) cropToLevel(solid, level.config, x, z);
  counts.columns += solid.width * solid.depth;
  counts.spans += solid.spanCount;
  if (!goesOn(solid.spanCount)) return undefined;

  yield 'filter';
  filterSpans(solid, config);

  yield 'compact';
  const field = buildCompactField(solid, config, workspace);
  counts.walkableSpans += field.spanCount;
  // What is walkable after the filter is what is compact.
  if (!goesOn(field.spanCount, 'filter')) return undefined;

  yield 'erode';
  erodeArea(field, config.walkableRadiusCells, workspace);
  if (!goesOn(hasArea(field))) return undefined;

  const { volumes = [] } = options;
  if (config.medianAreas || volumes.length > 0) {
    yield 'areas';
    if (config.medianAreas) medianFilterAreas(field);
    for (const volume of volumes) markVolume(field, rebaseVolume(volume, config.offset));
    if (!goesOn(hasArea(field))) return undefined;
  }

  const { partition, regionMinAreaCells, regionMergeAreaCells } = config;
  if (partition === 'watershed') {
    yield 'distance';
    buildDistanceField(field, workspace);
  }

  yield 'regions';
  if (partition === 'layers') buildRegionsLayers(field, regionMinAreaCells, workspace);
  else {
    const build = partition === 'watershed' ? buildRegionsWatershed : buildRegionsMonotone;
    build(field, regionMinAreaCells, regionMergeAreaCells, workspace);
  }
  counts.regions += field.regionCount;
  if (!goesOn(field.regionCount)) return undefined;

  yield 'contours';
  const problems = { holesNotMerged: 0, contoursNotTriangulated: 0, polygonsLimited: 0 };
  const contours = buildContours(field, config, problems, workspace);
  counts.contours += contours.count;
  warn(
    'hole-not-merged',
    problems.holesNotMerged,
    (count) =>
      `${count} holes could not be joined to their outline and are walkable; a smaller maxEdgeError or cellSize helps`,
  );
  if (!goesOn(contours.count)) return undefined;

  yield 'polymesh';
  const polyMesh = buildPolyMesh(contours, config, problems, workspace);
  counts.polygons += polyMesh.polyCount;
  counts.vertices += polyMesh.vertexCount;
  warn(
    'polygon-not-triangulated',
    problems.contoursNotTriangulated,
    (count) => `${count} outlines touch themselves and could not be cut completely; a smaller maxEdgeError helps`,
  );
  if (!goesOn(polyMesh.polyCount)) return undefined;

  yield 'detail';
  const detail = buildDetailMesh(polyMesh, field, config, problems, workspace);
  counts.detailVertices += detail.vertices.length / 3;
  counts.detailTriangles += detail.tris.length / 4;
  warn(
    'detail-limited',
    problems.polygonsLimited,
    (count) =>
      `${count} polygons need more height samples than they may have; a larger detailMaxError or a smaller maxEdgeLength helps`,
  );

  yield 'navmesh';
  if (polyMesh.polyCount === 0) return undefined;
  counts.tiles++;
  return createTileData(polyMesh, detail, level.config, x, z);
}

function hasArea({ area }: CompactField): boolean {
  return area.some((one) => one > 0);
}
