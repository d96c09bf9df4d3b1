/**
 * Bakes navigation meshes from level triangles: all stages, tile after tile, with times, counts and warnings.
 *
 * `buildNavMesh` runs at once. `bakeNavMesh` gives the event loop a turn between stages, so that a page can
 * draw, and can be aborted there. `buildTile` rebuilds one tile. All three drive the same generators, which
 * yield before each stage. A workspace serves one bake at a time; the memory of the last bake without a
 * workspace of its own is kept for the next.
 *
 * In: triangles and options in world units. Out: a NavMesh and a report.
 * Cost: that of the stages. All tiles use the same memory.
 * Based on: own.
 */
import { checkArray, checkFunction, checkHandle, checkObject, checkRecord } from '../data/refuse.ts';
import { none, plural } from '../data/plural.ts';
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import { claimWorkspace, createWorkspace, releaseWorkspace, workspaceBytes } from '../data/workspace.ts';
import { emptyNavMesh } from '../navmesh/create.ts';
import { insertTile } from '../navmesh/insert-tile.ts';
import { addLink } from '../navmesh/links.ts';
import { bakeTile, beginStage } from './build-tile.ts';
import { sortIntoTiles } from './build-tile-grid.ts';
import { resolveConfig } from './config.ts';
import { explainEmptyBake } from './empty.ts';
import { explainFlipped, isUpsideDown, markBySlope, prepareInput } from './input.ts';
import { BUILD_STAGES } from './options.ts';
import { tileSettings } from './tile.ts';
import type {
  BakeConfig,
  BuildOptions,
  BuildResult,
  BuildWarning,
  BuildWarningCode,
  Stage,
  TriangleInput,
} from './options.ts';
import type { Bake, PreparedTiles } from './build-tile.ts';
import type { Workspace } from '../data/workspace.ts';
import type { PreparedInput } from './input.ts';
import type { NavMesh, TileData } from '../navmesh/types.ts';

/** Milliseconds that a bake with tiles runs before it gives way to the event loop. */
const TURN_MS = 8;

/** Most columns of a bake that looks for the reason of an empty mesh. */
const TRIAL_COLUMNS = 1 << 20;
/** Trials with more columns end when they have outlines: those of fine stairs take minutes to triangulate. */
const TRIANGULATED_COLUMNS = 1 << 14;

/**
 * Bakes a navigation mesh from level triangles, and returns when it is done. `bakeNavMesh` does the same
 * without blocking a page, and takes a signal.
 *
 * The polygon mesh is Recast's, except for what docs/deviations.md lists.
 *
 * @param input positions (x, y, z, world units) and triangles, counter-clockwise seen from the walkable side
 * @param options world units; see `BuildOptions` for defaults
 * @throws TypeError, RangeError for unknown or invalid options, indices out of range, a grid too large for
 *   memory, and a workspace that a running bake uses; Error on the first warning when `strict`
 */
export function buildNavMesh(input: TriangleInput, options: BuildOptions = {}): BuildResult {
  return runAll(buildSteps('buildNavMesh', input, options));
}

/**
 * Bakes like `buildNavMesh`, and gives way to the event loop between stages; with tiles, every 8 ms. The
 * search for the reason of an empty mesh (`empty-result`) runs in one go.
 *
 * @param options those of `buildNavMesh`, and a `signal` that aborts the bake between stages
 * @throws (rejects with) what `buildNavMesh` throws, or the signal's reason when it is aborted
 */
export async function bakeNavMesh(
  input: TriangleInput,
  options: BuildOptions & { signal?: AbortSignal } = {},
): Promise<BuildResult> {
  checkObject('bakeNavMesh', 'options', options);
  const { signal, ...rest } = options;
  const steps = buildSteps('bakeNavMesh', input, rest);
  try {
    for (let since = -Infinity; ;) {
      signal?.throwIfAborted();
      const step = steps.next();
      if (step.done === true) return step.value;
      if (options.tileSize && performance.now() - since < TURN_MS) continue;
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
  } finally {
    // Ends an aborted bake, which releases its workspace.
    steps.return(undefined as never);
  }
}

/**
 * Bakes one tile as `buildNavMesh` bakes it with the same options: for a level that has changed there.
 * Replace the tile by `removeTile` and `addTile`. Set `bounds` when the level's extent may change, because
 * tiles count from its corner.
 *
 * @param options those of the mesh, with its `tileSize`
 * @param x, z tile coordinates, whole numbers
 * @returns null when the tile is outside of the level or has no polygons
 * @throws what `buildNavMesh` throws; RangeError without `tileSize` and for coordinates that are not whole
 */
export function buildTile(input: TriangleInput, options: BuildOptions, x: number, z: number): TileData | null {
  checkHandle('buildTile', 'x', x);
  checkHandle('buildTile', 'z', z);
  return bakePreparedTile('buildTile', prepareLevel('buildTile', input, options), x, z);
}

/**
 * Prepares a level for `buildPreparedTile`: everything that its tiles share. Keeps the input and the options;
 * neither may change afterwards.
 *
 * @throws what `buildNavMesh` throws
 */
export function prepareTiles(input: TriangleInput, options: BuildOptions): PreparedTiles {
  return prepareLevel('prepareTiles', input, options);
}

/** Bakes one tile of a prepared level; see `buildTile`. Takes time for this tile only. */
export function buildPreparedTile(level: PreparedTiles, x: number, z: number): TileData | null {
  checkRecord('buildPreparedTile', 'level', level, 'areas', 'the result of prepareTiles');
  checkHandle('buildPreparedTile', 'x', x);
  checkHandle('buildPreparedTile', 'z', z);
  return bakePreparedTile('buildPreparedTile', level, x, z);
}

/** Returns the configuration that `buildNavMesh` bakes this input with. Throws what it throws. */
export function resolveBake(input: TriangleInput, options: BuildOptions = {}): BakeConfig {
  checkObject('resolveBake', 'options', options);
  return resolveConfig(prepareInput(input, options.bounds, 'resolveBake'), options, 'resolveBake');
}

function prepareLevel(caller: string, input: TriangleInput, options: BuildOptions): PreparedTiles {
  // No stage before the first tile needs memory.
  return runAll(prepareSteps(createBake(caller, options, createWorkspace()), input));
}

function bakePreparedTile(caller: string, level: PreparedTiles, x: number, z: number): TileData | null {
  const { config, options } = level;
  if (config.tileCells === 0) {
    throw new RangeError(`${caller}: options.tileSize is 0; must be that of the mesh`);
  }
  if ((x | 0) !== x || (z | 0) !== z) {
    throw new RangeError(`${caller}: tile (${x}, ${z}) is not on the grid; must be two whole numbers`);
  }
  if (x < 0 || x >= config.tileCountX || z < 0 || z >= config.tileCountZ) return null;
  const workspace = takeWorkspace(caller, options);
  try {
    return runAll(bakeTile(createBake(caller, options, workspace), level, x, z)) ?? null;
  } finally {
    returnWorkspace(workspace, options);
  }
}

function runAll<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Workspace of the last bake that had none of its own. The garbage collector may take it. */
let lastWorkspace: WeakRef<Workspace> | undefined;

/** Returns the workspace of a bake, marked as in use. */
function takeWorkspace(caller: string, options: BuildOptions): Workspace {
  const workspace = options?.workspace ?? lastWorkspace?.deref() ?? createWorkspace();
  claimWorkspace(caller, workspace);
  // A bake that starts meanwhile must not take it, too.
  if (workspace !== options?.workspace) lastWorkspace = undefined;
  return workspace;
}

/** Ends a bake's use of its workspace and keeps the memory for the next. */
function returnWorkspace(workspace: Workspace, options: BuildOptions): void {
  releaseWorkspace(workspace);
  if (workspace !== options?.workspace) lastWorkspace = new WeakRef(workspace);
}

interface FullBake extends Bake {
  caller: string;
  warnings: Map<BuildWarningCode, BuildWarning>;
}

function createBake(caller: string, options: BuildOptions, workspace: Workspace): FullBake {
  const warnings: FullBake['warnings'] = new Map();
  const bake: FullBake = {
    caller,
    options,
    workspace,
    stage: 'input',
    emptyStage: 0,
    warnings,
    counts: {
      triangles: 0,
      walkableTriangles: 0,
      columns: 0,
      spans: 0,
      walkableSpans: 0,
      regions: 0,
      contours: 0,
      polygons: 0,
      vertices: 0,
      detailVertices: 0,
      detailTriangles: 0,
      tiles: 0,
    },
    warn(code, more, messageOf, triangle) {
      if (more === 0) return;
      const count = (warnings.get(code)?.count ?? 0) + more;
      const message = messageOf(count);
      if (options.strict) throw new Error(`${caller}: ${message} (${code}, ${count})`);
      const where = triangle === undefined ? {} : { where: { triangle } };
      warnings.set(code, { code, stage: bake.stage, count, message, ...where });
    },
  };
  return bake;
}

/** Runs a whole bake and measures its stages. Stops before each stage. */
function* buildSteps(
  caller: string,
  input: TriangleInput,
  options: BuildOptions,
): Generator<void, BuildResult, undefined> {
  checkObject(caller, 'options', options);
  if (options.volumes !== undefined) checkArray(caller, 'options.volumes', options.volumes);
  if (options.onProgress !== undefined) checkFunction(caller, 'options.onProgress', options.onProgress);
  const begun = performance.now();
  const times = new Map<Stage, number>();
  const workspace = takeWorkspace(caller, options);
  try {
    const bake = createBake(caller, options, workspace);
    const { onProgress, tileSize } = options;
    const stages = stagesOf(options);
    const steps = bakeSteps(bake, input);
    let step = steps.next();
    while (step.done !== true) {
      const stage = step.value;
      const done = stages.indexOf(stage);
      if (!tileSize) onProgress?.({ stage, done, total: stages.length });
      else if (done < 2) onProgress?.({ stage, done, total: 0 });
      const from = performance.now();
      step = steps.next();
      times.set(stage, (times.get(stage) ?? 0) + performance.now() - from);
      if (step.done !== true) yield;
    }
    const { navMesh, config } = step.value;
    return {
      navMesh,
      report: {
        stages: BUILD_STAGES.filter((name) => times.has(name)).map((name) => ({ name, ms: times.get(name)! })),
        totalMs: performance.now() - begun,
        workspaceBytes: workspaceBytes(workspace),
        counts: bake.counts,
        warnings: [...bake.warnings.values()],
        config,
      },
    };
  } finally {
    returnWorkspace(workspace, options);
  }
}

/** Returns the stages that a bake with these options has. */
function stagesOf({ volumes = [], medianAreas, partition = 'watershed' }: BuildOptions): Stage[] {
  const hasAreas = medianAreas === true || volumes.length > 0;
  const has = (stage: Stage): boolean =>
    stage === 'areas' ? hasAreas : stage === 'distance' ? partition === 'watershed' : true;
  return BUILD_STAGES.filter(has);
}

/** Bakes all tiles into a mesh. Yields the name of each stage before it runs. */
function* bakeSteps(
  bake: FullBake,
  input: TriangleInput,
): Generator<Stage, Pick<BuildResult, 'navMesh'> & { config: BakeConfig }> {
  const { options } = bake;
  const level = yield* prepareSteps(bake, input);
  const { config, triangles } = level;
  const { agent, cellSize, cellHeight, origin, tileSize } = tileSettings(config);
  // `resolveConfig` has checked the settings.
  const emptyMesh = (): NavMesh => emptyNavMesh(agent, cellSize, cellHeight, Float64Array.from(origin), tileSize);
  // Invalid links are found before the work.
  addLinks(bake, emptyMesh());
  const navMesh = emptyMesh();
  const tileCount = config.tileCountX * config.tileCountZ;
  const tiles: number[] = [];
  for (let tile = 0; tile < tileCount; tile++) {
    if (triangles === undefined || triangles.start[tile + 1] > triangles.start[tile]) tiles.push(tile);
  }
  const total = triangles === undefined ? stagesOf(options).length : 2 + tiles.length;
  for (const [done, tile] of tiles.entries()) {
    const x = tile % config.tileCountX;
    const z = (tile - x) / config.tileCountX;
    if (triangles !== undefined) options.onProgress?.({ stage: `tile ${x}, ${z}`, done: 2 + done, total });
    const data = yield* bakeTile(bake, level, x, z);
    if (data !== undefined) insertTile(navMesh, data);
  }
  if (bake.counts.tiles === 0) warnAboutEmptiness(bake, level, input);
  addLinks(bake, navMesh);
  options.onProgress?.({ stage: '', done: total, total });
  return { navMesh, config };
}

/** Runs the first two stages, which see the level as a whole. Yields the name of each before it runs. */
function* prepareSteps(bake: FullBake, input: TriangleInput): Generator<Stage, PreparedTiles> {
  const { options, counts, warn, caller } = bake;
  yield beginStage(bake, 'input');
  const prepared = prepareInput(input, options?.bounds, caller);
  const config = resolveConfig(prepared, options, caller);
  counts.triangles = prepared.triangleCount;
  warnAboutInput(prepared, config, warn);
  const triangles = config.tileCells > 0 ? sortIntoTiles(prepared, config, caller) : undefined;

  yield beginStage(bake, 'slope');
  const { areas, walkableCount, flat } = markBySlope(prepared, config.maxSlopeDegrees, caller);
  counts.walkableTriangles = walkableCount;
  const { degenerateCount, firstDegenerate, triangleCount } = prepared;
  warn(
    'degenerate-triangles',
    degenerateCount,
    (count) => `${plural(count, 'triangle has', 'triangles have')} no area; the first is triangle ${firstDegenerate}`,
    firstDegenerate,
  );
  const flipped = isUpsideDown(flat) ? explainFlipped(flat.downCount, flat) : undefined;
  warn(
    'no-walkable-triangles',
    walkableCount > 0 ? 0 : triangleCount,
    (count) =>
      `${none(count, 'triangle')} is walkable: ` +
      (flipped ?? 'their winding must be counter-clockwise seen from above, y up'),
  );
  if (walkableCount > 0 && flipped !== undefined) warn('flipped-winding', flat.downCount, () => flipped);
  return { options, config, prepared, areas, walkableCount, triangles };
}

function addLinks({ caller, options }: FullBake, mesh: NavMesh): void {
  options.links?.forEach((link, i) => {
    try {
      addLink(mesh, link);
    } catch (error) {
      const { message } = error as Error;
      throw new RangeError(message.replace('addLink: options', `${caller}: options.links[${i}]`));
    }
  });
}

function warnAboutInput({ invalidCount, firstInvalid }: PreparedInput, config: BakeConfig, warn: Bake['warn']): void {
  const { agent, cellSize, cellHeight, boundsMin, boundsMax } = config;
  const { radius, height } = agent;
  warn(
    'invalid-positions',
    invalidCount,
    (count) =>
      `${plural(count, 'triangle')} with an infinite or NaN corner left out; the first is triangle ${firstInvalid}`,
    firstInvalid,
  );
  const isWide = radius > 0 && cellSize > radius;
  warn('cell-larger-than-agent', isWide || cellHeight > height ? 1 : 0, () =>
    isWide
      ? `the cellSize of ${cellSize} is larger than the agent's radius of ${radius}; half a radius is usual`
      : `the cellHeight of ${cellHeight} is larger than the agent's height of ${height}; a quarter radius is usual`,
  );
  const rows = (boundsMax[1] - boundsMin[1]) / cellHeight;
  warn(
    'height-clamped',
    Math.max(0, Math.ceil(rows - SPAN_MAX_HEIGHT)),
    () =>
      `the level is ${Math.ceil(rows)} cells high, ${SPAN_MAX_HEIGHT} are kept; ` +
      `a cellHeight of ${((rows / SPAN_MAX_HEIGHT) * cellHeight).toPrecision(3)} or more helps`,
  );
}

function warnAboutEmptiness(bake: FullBake, level: PreparedTiles, input: TriangleInput): void {
  const { options, config, walkableCount } = level;
  const stage = walkableCount === 0 ? 'slope' : BUILD_STAGES[Math.max(bake.emptyStage, 2)];
  // The warning is one of the whole level, which the last stage that can empty it reports.
  bake.stage = 'polymesh';
  const { reason, message } = explainEmptyBake(input, options, config, stage, givesPolygons);
  bake.warn('empty-result', 1, () => `the mesh is empty after stage ${stage}: ${EMPTY_REASONS[stage]}; ${message}`);
  bake.warnings.get('empty-result')!.reason = reason;
}

/** Bakes until there is a polygon, without a report. Returns undefined for a level too large for a trial. */
function givesPolygons(input: TriangleInput, options: BuildOptions): boolean | undefined {
  const workspace = createWorkspace();
  const plain = { ...options, strict: false, links: undefined, onProgress: undefined, workspace };
  const bake = createBake('buildNavMesh', { ...plain, detailSampleDistance: 0 }, workspace);
  let level;
  try {
    level = runAll(prepareSteps(bake, input));
  } catch (error) {
    // The grid of a trial may need more memory than is allowed.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const { widthCells, depthCells, tileCountX, tileCountZ } = level.config;
  if (widthCells * depthCells > TRIAL_COLUMNS) return undefined;
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    if (level.triangles !== undefined && level.triangles.start[tile + 1] === level.triangles.start[tile]) continue;
    const x = tile % tileCountX;
    const steps = bakeTile(bake, level, x, (tile - x) / tileCountX);
    let step = steps.next();
    while (step.done !== true) {
      const isDone = step.value === 'polymesh' && bake.counts.contours > 0;
      if (isDone && widthCells * depthCells > TRIANGULATED_COLUMNS) return true;
      step = steps.next();
    }
    if (step.value !== undefined) return true;
  }
  return false;
}

const EMPTY_REASONS: Record<string, string> = {
  slope: 'no triangle is walkable',
  rasterize: 'no triangle touches the bounds',
  filter: 'everything is a ledge or under too low a ceiling',
  erode: "everything is nearer to a border than the agent's radius",
  areas: 'volumes cut everything away',
  regions: 'all pieces are smaller than regionMinArea',
  contours: 'all outlines vanish; a smaller maxEdgeError helps',
  polymesh: 'no outline could be triangulated',
};
