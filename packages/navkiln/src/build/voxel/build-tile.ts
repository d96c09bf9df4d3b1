/**
 * Builds one tile: runs the stages from triangles to tile data, in their order.
 *
 * A generator that yields the name of each stage before it runs, so that its driver (build.ts) can measure, report
 * progress and yield to the event loop in between. A level of one tile goes through all stages even when nothing is
 * left, so that its report is complete.
 *
 * In: the prepared level and the tile's coordinates. Out: tile data, or undefined when the tile has no
 *   polygons.
 * Cost: that of the stages.
 * Based on: own; the order of stages is Recast's.
 */
import { plural } from '../../base/data/plural.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import type { TileData } from '../../mesh/types.ts';
import { createAreaCodes } from './area-codes.ts';
import { medianFilterAreas } from './field/areas.ts';
import { cropToLevel, tileConfig, tileInput } from './build-tile-grid.ts';
import type { TileInput, TileTriangles } from './build-tile-grid.ts';
import { buildCompactField } from './field/compact.ts';
import { buildContours } from './contours/contours.ts';
import { buildDetailMesh } from './detail/detail.ts';
import { buildDistanceField } from './field/distance.ts';
import { erodeArea } from './field/erode.ts';
import { filterSpans } from './field/filter.ts';
import type { PreparedInput } from './input.ts';
import { BUILD_STAGES } from './options.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, LaidSpans, PlacedObstacle, SolidTile, Stage } from './options.ts';
import type { BuildReport, BuildWarning, BuildWarningCode } from './report.ts';
import { splitConcavePolys } from './polymesh/split-concave.ts';
import { buildPolyMesh } from './polymesh/polymesh.ts';
import { rasterize } from './rasterize/rasterize.ts';
import { buildRegions } from './regions/build.ts';
import { createTileData } from './tile.ts';
import type { CompactField, Heightfield } from './types.ts';

/** A level ready to be baked, whole or tile by tile. Made by `prepareTiles`; keeps the caller's arrays. */
export interface PreparedTiles {
  options: BuildOptions;
  /** Configuration of the whole level. */
  config: BakeConfig;
  prepared: PreparedInput;
  /** Area id of each triangle after the slope test; with sizes of several slopes, marks above it (sizes/rasterize.ts). */
  areas: Uint8Array;
  walkableCount: number;
  /** The triangles of each tile; undefined: the level is one tile. */
  triangles: TileTriangles | undefined;
  /** Number of the tile (x + z * tileCountX) that `triangles` begins with. Default 0. */
  firstTile?: number;
  /** Placed obstacles, which `options.obstacles` carves. The triangles include those of obstacles that add surface. */
  obstacles: readonly PlacedObstacle[];
}

/** State that the stages of a running bake share. */
export interface Bake {
  options: BuildOptions;
  workspace: Workspace;
  /** The stage that runs. */
  stage: Stage;
  counts: BuildReport['counts'];
  /** Index of the latest stage that emptied a tile; 0: no tile became empty. */
  emptyStage: number;
  /**
   * Adds `count` problems to the warning of this code; 0 does nothing. `message` gets the count of all tiles
   * so far. `more`: other fields of the warning.
   */
  warn: (
    code: BuildWarningCode,
    count: number,
    message: (count: number) => string,
    more?: Partial<BuildWarning>,
  ) => void;
  /** Counts the walkable spans of a tile before the filters, after erosion, and in regions. Undefined: they are not counted. */
  measure?: (counts: Bake['counts'], tile: Heightfield | CompactField, border: number) => void;
  /** Called with the spans of each tile that triangles touch, before any filter. Undefined: they are not kept. */
  keepLayers?: (x: number, z: number, spans: LaidSpans) => void;
}

/** Returns the counts of a bake that has not begun. */
export function emptyCounts(): Bake['counts'] {
  return {
    triangles: 0,
    walkableTriangles: 0,
    columns: 0,
    spans: 0,
    walkableSpans: 0,
    flatSpans: 0,
    erodedSpans: 0,
    openSpans: 0,
    keptSpans: 0,
    regions: 0,
    contours: 0,
    polygons: 0,
    vertices: 0,
    detailVertices: 0,
    detailTriangles: 0,
    tiles: 0,
  };
}

/** Builds tile (x, z) of a level. Yields the name of each stage before it runs. */
export function* bakeTile(
  bake: Bake,
  level: PreparedTiles,
  x: number,
  z: number,
): Generator<Stage, TileData | undefined> {
  yield beginStage(bake, 'rasterize');
  const tile = rasterizeTile(bake, level, x, z);
  return tile === undefined ? undefined : yield* bakeSolid(bake, level, tile);
}

/** Rasterizes the triangles of a tile. Returns undefined when no triangle of the tile is walkable. */
export function rasterizeTile(bake: Bake, level: PreparedTiles, x: number, z: number): SolidTile | undefined {
  const { workspace } = bake;
  const { options, prepared, triangles } = level;
  let config = level.config;
  let input: TileInput | undefined = { ...prepared, areas: level.areas };
  if (triangles !== undefined) {
    const tile = x + z * config.tileCountX - (level.firstTile ?? 0);
    config = tileConfig(config, x, z, prepared.given !== undefined);
    const list = triangles.list.subarray(triangles.start[tile], triangles.start[tile + 1]);
    input = tileInput(prepared, level.areas, list, config, workspace, bake.keepLayers !== undefined);
    if (input === undefined) return undefined;
  }
  const { positions, indices, areas } = input;
  const lay = (ids: Uint8Array, own: BakeConfig): Heightfield => {
    const solid = rasterize(positions, indices, ids, own, workspace);
    if (triangles !== undefined && (options.bounds || !config.recast)) cropToLevel(solid, level.config, x, z);
    return solid;
  };
  const laid = options.sizes?.rasterize(areas, config, lay) ?? { solid: lay(areas, config) };
  bake.keepLayers?.(x, z, laid);
  return { x, z, config, ...laid };
}

/** The fields of a level that `bakeSolid` reads. */
export type SolidLevel = Pick<PreparedTiles, 'options' | 'config' | 'obstacles'>;

/** Builds a tile from its solid spans, which it changes. Yields the name of each stage before it runs. */
export function* bakeSolid(bake: Bake, level: SolidLevel, tile: SolidTile): Generator<Stage, TileData | undefined> {
  const { workspace, counts } = bake;
  const { solid, config, x, z } = tile;
  const goesOn = watchEmptiness(bake, config);
  counts.columns += solid.width * solid.depth;
  counts.spans += solid.spanCount;
  bake.measure?.(counts, solid, config.borderCells);
  if (!goesOn(solid.spanCount)) return undefined;

  const { sizes } = level.options;
  const open = (own: SolidTile): Generator<Stage, CompactField> => openField(bake, level, own);
  const field = yield* sizes === undefined ? open(tile) : sizes.build(tile, open, bake.workspace);
  counts.walkableSpans += field.spanCount;
  // The compact field holds what the filter left walkable.
  if (!goesOn(field.spanCount, 'filter')) return undefined;

  yield beginStage(bake, 'erode');
  if (sizes === undefined) erodeArea(field, config.walkableRadiusCells, workspace);
  return yield* bakeEroded(bake, level, { x, z, config, field }, goesOn);
}

/** Filters the spans of a tile, which it changes, and builds its field. Yields the name of each stage before it runs. */
function* openField(bake: Bake, level: SolidLevel, { solid, config, x, z }: SolidTile): Generator<Stage, CompactField> {
  const { walkableHeightCells } = config;
  yield beginStage(bake, 'filter');
  filterSpans(solid, config);
  level.options.obstacles?.cutHoles(solid, level.obstacles, { ...level.config, walkableHeightCells }, x, z);

  yield beginStage(bake, 'compact');
  return buildCompactField(solid, config, bake.workspace);
}

/** A tile after erosion. */
export interface ErodedTile {
  x: number;
  z: number;
  /** Configuration of the tile. */
  config: BakeConfig;
  field: CompactField;
}

/** Builds a tile from its eroded field, of which it changes areas, distances and regions. Yields the name of each stage before it runs. */
export function* bakeEroded(
  bake: Bake,
  level: SolidLevel,
  { field, config, x, z }: ErodedTile,
  goesOn: EmptinessWatch = watchEmptiness(bake, config),
): Generator<Stage, TileData | undefined> {
  const { workspace, counts, measure } = bake;
  const { options, obstacles } = level;
  const note = (code: TileWarningCode, count: number): void => bake.warn(code, count, TILE_MESSAGES[code]);
  measure?.(counts, field, config.borderCells);
  if (!goesOn(hasArea(field))) return undefined;

  const { volumes, partition = 'watershed' } = options;
  const codes = createAreaCodes();
  if (config.medianAreas || (volumes?.list.length ?? 0) > 0 || obstacles.some(({ effect }) => effect === 'area')) {
    yield beginStage(bake, 'areas');
    if (config.medianAreas) medianFilterAreas(field);
    volumes?.mark(field, config.offset, codes);
    options.obstacles?.markAreas(field, obstacles, level.config, x, z, codes);
    if (!goesOn(hasArea(field))) return undefined;
  }

  if (partition === 'watershed') {
    yield beginStage(bake, 'distance');
    buildDistanceField(field, workspace);
  }

  yield beginStage(bake, 'regions');
  // With sizes, small pieces are dropped afterwards.
  buildRegions(field, config, partition, config.sizes === undefined ? config.regionMinAreaCells : 0, workspace);
  const putSizes = options.sizes?.split(field, config);
  counts.regions += field.regionCount;
  measure?.(counts, field, config.borderCells);
  if (!goesOn(field.regionCount)) return undefined;

  yield beginStage(bake, 'contours');
  const problems = {
    holesNotMerged: 0,
    contoursNotTriangulated: 0,
    polygonsSplit: 0,
    polygonsLimited: 0,
  };
  const contours = buildContours(field, config, problems, workspace, options.sizes?.keepApart);
  counts.contours += contours.count;
  note('hole-not-merged', problems.holesNotMerged);
  if (!goesOn(contours.count)) return undefined;

  yield beginStage(bake, 'polymesh');
  const polyMesh = splitConcavePolys(buildPolyMesh(contours, config, problems, workspace), contours, problems);
  counts.polygons += polyMesh.polyCount;
  counts.vertices += polyMesh.vertexCount;
  note('polygon-not-triangulated', problems.contoursNotTriangulated);
  note('polygon-not-convex', problems.polygonsSplit);
  if (!goesOn(polyMesh.polyCount)) return undefined;

  yield beginStage(bake, 'detail');
  const detail = buildDetailMesh(polyMesh, field, config, problems, workspace);
  counts.detailVertices += detail.vertices.length / 3;
  counts.detailTriangles += detail.tris.length / 4;
  note('detail-limited', problems.polygonsLimited);

  yield beginStage(bake, 'navmesh');
  if (polyMesh.polyCount === 0) return undefined;
  counts.tiles++;
  const made = createTileData(polyMesh, detail, level.config, x, z);
  const tile = putSizes === undefined ? made : putSizes(made);
  return volumes === undefined ? tile : volumes.decode(tile, codes);
}

/** Notes a stage that leaves nothing walkable, and returns whether to go on. */
export type EmptinessWatch = (left: number | boolean, stage?: Stage) => boolean;

export function watchEmptiness(bake: Bake, { tileCells }: BakeConfig): EmptinessWatch {
  let emptiedBy = 0;
  return (left, stage = bake.stage) => {
    if (!left) emptiedBy ||= BUILD_STAGES.indexOf(stage);
    if (emptiedBy > bake.emptyStage) bake.emptyStage = emptiedBy;
    return emptiedBy === 0 || tileCells === 0;
  };
}

/** Notes the stage that begins, and returns it. */
export function beginStage(bake: Bake, stage: Stage): Stage {
  bake.stage = stage;
  bake.workspace.guard?.beginStage(stage);
  return stage;
}

function hasArea({ area }: CompactField): boolean {
  return area.some((id) => id > 0);
}

/** Messages of the warnings about tiles, by code; `count` covers all tiles. */
export const TILE_MESSAGES: Readonly<Record<TileWarningCode, (count: number) => string>> = {
  'hole-not-merged': (count) =>
    `${plural(count, 'hole')} not joined to the outline, and covered; a smaller maxEdgeError or cellSize helps`,
  'polygon-not-triangulated': (count) =>
    `${plural(count, 'outline')} only partly triangulated; a smaller maxEdgeError helps`,
  'polygon-not-convex': (count) => `${plural(count, 'polygon')} not convex and split; a smaller maxEdgeError helps`,
  'detail-limited': (count) =>
    `${plural(count, 'polygon')} with too many height samples; a smaller tileSize or larger detailMaxError helps`,
};

/** Warnings about tiles. */
type TileWarningCode = 'hole-not-merged' | 'polygon-not-triangulated' | 'polygon-not-convex' | 'detail-limited';
