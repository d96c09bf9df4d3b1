/**
 * Bakes the tiles of a level one by one, as workers do, and puts them together. Mesh and report equal the result of `buildNavMesh`,
 * except for times.
 *
 * A `LevelJob` prepares the level and bakes any of its tiles. Its results are plain data, which structured cloning keeps. An `Assembly`
 * takes the results in the order of the tiles.
 *
 * In: triangles and options in world units. Out: results of tiles; a NavMesh and a report.
 * Cost: that of the stages.
 * Based on: own.
 */
import { plural } from '../../base/data/plural.ts';
import { createWorkspace, workspaceBytes } from '../../base/data/workspace.ts';
import { insertTile } from '../../mesh/tiles/insert-tile.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';
import { reportOf, startMesh } from './assemble.ts';
import type { StageTimes } from './assemble.ts';
import { TILE_MESSAGES, bakeTile } from './build-tile.ts';
import type { PreparedTiles } from './build-tile.ts';
import type { TileTriangles } from './build-tile-grid.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, Stage, TileLayers, TriangleInput } from './options.ts';
import type { BuildReport, BuildResult, BuildWarning } from './report.ts';
import { createBake, prepareSteps } from './prepare.ts';
import type { FullBake } from './prepare.ts';
import { measureLoss, warnAboutLoss } from './empty.ts';

type Counts = BuildReport['counts'];

const MESSAGES: Readonly<Record<string, (count: number) => string>> = {
  ...TILE_MESSAGES,
  'tile-lost': (count) =>
    `${plural(count, 'tile has', 'tiles have')} stopped two workers and ${count === 1 ? 'is' : 'are'} left out; a smaller tileSize takes less memory`,
};

/** A level whose tiles are baked one by one. */
export interface LevelJob {
  caller: string;
  input: TriangleInput;
  level: PreparedTiles;
  summary: LevelSummary;
}

/** The part of the report about the level as a whole. */
export interface LevelSummary {
  config: BakeConfig;
  counts: Counts;
  warnings: BuildWarning[];
  /** Numbers (x + z * tileCountX) of the tiles that have triangles, in order. */
  tiles: number[];
  times: StageTimes;
  /** Whether positions were given as doubles. */
  isMoved: boolean;
}

/** One baked tile. */
export interface TileResult {
  tile: number;
  /** undefined: the tile has no polygons. */
  data: TileData | undefined;
  counts: Counts;
  warnings: BuildWarning[];
  /** Index of the latest stage that left nothing; 0: none did. */
  emptyStage: number;
  times: StageTimes;
  /** Bytes that the workspace holds. */
  workspaceBytes: number;
  /** The packed spans of the tile. Only for dynamic bakes. */
  layers?: TileLayers | undefined;
}

/** Prepares a level. Throws what `buildNavMesh` throws for its input and options. */
export function startLevelJob(caller: string, input: TriangleInput, options: BuildOptions): LevelJob {
  const bake = createBake(caller, options, options.workspace ?? createWorkspace());
  const times: StageTimes = new Map();
  const level = runTimed(prepareSteps(bake, input), times);
  const { config, triangles } = level;
  const tiles = tilesWithTriangles(config, triangles);
  const isMoved = level.prepared.given !== undefined;
  const summary = { config, counts: bake.counts, warnings: [...bake.warnings.values()], tiles, times, isMoved };
  return { caller, input, level, summary };
}

/** Returns the numbers of the tiles that have triangles, in order. */
export function tilesWithTriangles(
  { tileCountX, tileCountZ }: BakeConfig,
  triangles: TileTriangles | undefined,
): number[] {
  const tiles: number[] = [];
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    if (triangles === undefined || triangles.start[tile + 1] > triangles.start[tile]) tiles.push(tile);
  }
  return tiles;
}

/** Bakes one tile. `onStage` is called before each stage. Throws an Error on the first warning of a strict bake. */
export function bakeTileJob(
  { caller, level }: Pick<LevelJob, 'caller' | 'level'>,
  tile: number,
  onStage: ((stage: Stage) => void) | undefined,
): TileResult {
  const { options, config } = level;
  const bake = createBake(caller, options, options.workspace ?? createWorkspace());
  bake.measure = measureLoss;
  const times: StageTimes = new Map();
  let layers: TileLayers | undefined;
  const x = tile % config.tileCountX;
  const z = (tile - x) / config.tileCountX;
  const { dynamic } = options;
  if (dynamic !== undefined) bake.keepLayers = (_x, _z, spans) => (layers = { x, z, packed: dynamic.pack(spans) });
  const data = runTimed(bakeTile(bake, level, x, z), times, onStage);
  return {
    tile,
    data,
    counts: bake.counts,
    warnings: [...bake.warnings.values()],
    emptyStage: bake.emptyStage,
    times,
    workspaceBytes: workspaceBytes(bake.workspace),
    layers,
  };
}

/** Gives arrays that share a buffer one of their own: sending an array copies its buffer whole. */
export function ownTileArrays(data: TileData): void {
  for (const [name, value] of Object.entries(data)) {
    if (!ArrayBuffer.isView(value) || value.byteLength === value.buffer.byteLength) continue;
    Object.assign(data, { [name]: (value as Uint8Array).slice() });
  }
}

/** Returns the warning of a level whose tiles gave no polygon. `emptyStage`: the latest of their results. */
export function explainEmptyLevel({ caller, level }: LevelJob, emptyStage: number): BuildWarning {
  const bake = createBake(caller, level.options, createWorkspace());
  bake.emptyStage = emptyStage;
  warnAboutLoss(bake, level);
  return bake.warnings.get('empty-result')!;
}

function runTimed<T>(steps: Generator<Stage, T>, times: StageTimes, onStage?: (stage: Stage) => void): T {
  let step = steps.next();
  while (step.done !== true) {
    const stage = step.value;
    onStage?.(stage);
    const from = performance.now();
    step = steps.next();
    times.set(stage, (times.get(stage) ?? 0) + performance.now() - from);
  }
  return step.value;
}

/** A mesh that is put together from the results of tiles. */
export interface Assembly {
  bake: FullBake;
  navMesh: NavMesh;
  config: BakeConfig;
  times: StageTimes;
  begun: number;
  isMoved: boolean;
  layers: TileLayers[];
}

/** Starts a mesh. Throws a RangeError for invalid links. `begun`: when the bake began, by `performance.now()`. */
export function startAssembly(caller: string, options: BuildOptions, summary: LevelSummary, begun: number): Assembly {
  const { config, counts, warnings, times, isMoved } = summary;
  const bake = createBake(caller, options, createWorkspace());
  Object.assign(bake.counts, counts);
  for (const warning of warnings) repeatWarning(bake, warning, () => warning.message);
  return { bake, navMesh: startMesh(bake, config), config, times: new Map(times), begun, isMoved, layers: [] };
}

/** Adds the result of the next tile. The order of tiles decides the bytes of the mesh. */
export function addTileResult({ bake, navMesh, times, layers }: Assembly, result: TileResult): void {
  const { data, counts, warnings, emptyStage } = result;
  // Results from caches may be of any content.
  for (const name of Object.keys(bake.counts) as (keyof Counts)[]) bake.counts[name] += counts[name] ?? 0;
  for (const warning of warnings) {
    const { code } = warning;
    repeatWarning(bake, warning, Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : () => code);
  }
  bake.emptyStage = Math.max(bake.emptyStage, emptyStage);
  for (const [stage, ms] of result.times) times.set(stage, (times.get(stage) ?? 0) + ms);
  if (result.layers !== undefined) layers.push(result.layers);
  if (data !== undefined) insertTile(navMesh, data);
}

/** Adds a warning that another bake found. Throws an Error when this one is strict. */
export function repeatWarning(bake: FullBake, warning: BuildWarning, messageOf: (count: number) => string): void {
  bake.stage = warning.stage as Stage;
  bake.warn(warning.code, warning.count, messageOf, warning.where && { where: warning.where });
}

/** Ends the mesh and returns it with its report. `empty`: the warning of a mesh without polygons. */
export function finishAssembly(assembly: Assembly, bytes: number, empty: BuildWarning | undefined): BuildResult {
  const { bake, navMesh, config, times, begun } = assembly;
  if (empty !== undefined) {
    repeatWarning(bake, empty, () => empty.message);
    bake.warnings.get(empty.code)!.reason = empty.reason;
  } else warnAboutLoss(bake, { config, walkableCount: 1 });
  const { dynamic, links } = bake.options;
  if (dynamic !== undefined) navMesh.layers = dynamic.write(bake.options, config, assembly.isMoved, assembly.layers);
  links?.addTo(bake.caller, navMesh);
  return { navMesh, report: reportOf(bake, config, times, begun, bytes) };
}
