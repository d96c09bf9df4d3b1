/**
 * Build: the whole voxel bake, stage after stage, tile after tile, with times, counts and warnings.
 *
 * Input: triangles and options in world units. Output: a NavMesh and a report. `buildNavMesh` runs at once, `bakeNavMesh` gives
 * the event loop a turn between stages, so that a page can draw, and can be aborted there; `buildTile` bakes one tile again.
 * Cost: that of the stages; what a stage no longer needs is let go before the next, and all tiles use the same memory.
 *
 * Based on: own.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import { createWorkspace, workspaceBytes } from '../data/workspace.ts';
import { createNavMesh } from '../navmesh/create.ts';
import { insertTile } from '../navmesh/insert-tile.ts';
import { addLink } from '../navmesh/links.ts';
import { bakeTile, BUILD_STAGES } from './build-tile.ts';
import { sortIntoTiles } from './build-tile-grid.ts';
import { resolveConfig } from './config.ts';
import { markBySlope, prepareInput } from './input.ts';
import { tileSettings } from './tile.ts';
import type {
  BakeConfig,
  BuildOptions,
  BuildResult,
  BuildWarning,
  BuildWarningCode,
  TriangleInput,
} from './options.ts';
import type { Bake, PreparedTiles, Stage } from './build-tile.ts';
import type { Workspace } from '../data/workspace.ts';
import type { PreparedInput } from './input.ts';
import type { NavMesh, TileData } from '../navmesh/types.ts';

/** Milliseconds that a bake by tiles runs before it gives way. */
const TURN_MS = 8;

/**
 * Bakes a navigation mesh from level triangles.
 *
 * @param input positions (xyz, world units) and triangles, counter-clockwise seen from the walkable side
 * @param options world units; see `BuildOptions` for defaults
 * @throws TypeError, RangeError on unusable options, indices out of range, a grid too large for memory; Error on the first
 *   warning when `strict`
 */
export function buildNavMesh(input: TriangleInput, options: BuildOptions = {}): BuildResult {
  return runAll(buildSteps(input, options));
}

/**
 * The same, giving way to the event loop between stages; by tiles when 8 ms have passed.
 *
 * @throws what `buildNavMesh` throws, and the signal's reason when it is aborted
 */
export async function bakeNavMesh(
  input: TriangleInput,
  options: BuildOptions & { signal?: AbortSignal } = {},
): Promise<BuildResult> {
  const { signal, ...rest } = options;
  const steps = buildSteps(input, rest);
  for (let since = -Infinity; ;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    if (options.tileSize && performance.now() - since < TURN_MS) continue;
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  }
}

/**
 * Bakes one tile, as `buildNavMesh` bakes it with the same options: for a level that has changed there, to `addTile`
 * after `removeTile`. Give `bounds` when the level's extent may change: tiles are counted from its corner.
 *
 * @returns null when the tile has no ground
 * @throws what `buildNavMesh` throws, and when there is no tileSize
 */
export function buildTile(input: TriangleInput, options: BuildOptions, x: number, z: number): TileData | null {
  return buildPreparedTile(prepareTiles(input, options), x, z);
}

/** What all tiles share, made once: then `buildPreparedTile` takes no longer than its tile. Keeps the input and the options. */
export function prepareTiles(input: TriangleInput, options: BuildOptions): PreparedTiles {
  return runAll(prepareSteps(createBake(options), input));
}

/** See `buildTile`. */
export function buildPreparedTile(level: PreparedTiles, x: number, z: number): TileData | null {
  const {
    config: { tileCells, tileCountX, tileCountZ },
    options,
  } = level;
  if (tileCells === 0) throw new RangeError('buildTile: options.tileSize is 0, must be that of the mesh');
  if ((x | 0) !== x || (z | 0) !== z) throw new RangeError(`buildTile: tile (${x}, ${z}) must be whole numbers`);
  if (x < 0 || x >= tileCountX || z < 0 || z >= tileCountZ) return null;
  const bake = createBake(options);
  const tile = runAll(bakeTile(bake, level, x, z));
  keepWorkspace(bake);
  return tile ?? null;
}

/** What `buildNavMesh` would bake this input with. Throws as it does. */
export function resolveBake(input: TriangleInput, options: BuildOptions = {}): BakeConfig {
  return resolveConfig(prepareInput(input, options.bounds), options);
}

function runAll<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What the last bake without a workspace of its own used: taken again if the collector has left it. */
let lastWorkspace: WeakRef<Workspace> | undefined;

interface FullBake extends Bake {
  warnings: Map<BuildWarningCode, BuildWarning>;
}

function createBake(options: BuildOptions): FullBake {
  const workspace = options?.workspace ?? lastWorkspace?.deref() ?? createWorkspace();
  // Nobody else may have it while this bake runs.
  if (options?.workspace === undefined) lastWorkspace = undefined;
  const warnings: FullBake['warnings'] = new Map();
  const bake: FullBake = {
    options,
    workspace,
    stage: 'input',
    emptied: 0,
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
    warn(code, more, say, triangle) {
      if (more === 0) return;
      const count = (warnings.get(code)?.count ?? 0) + more;
      const message = say(count);
      if (options.strict) throw new Error(`buildNavMesh: ${message} (${code}, ${count})`);
      warnings.set(code, {
        code,
        stage: bake.stage,
        count,
        message,
        ...(triangle === undefined ? {} : { where: { triangle } }),
      });
    },
  };
  return bake;
}

function keepWorkspace({ options, workspace }: Bake): void {
  if (options.workspace === undefined) lastWorkspace = new WeakRef(workspace);
}

/** Stops after each stage. */
function* buildSteps(input: TriangleInput, options: BuildOptions): Generator<void, BuildResult> {
  const bake = createBake(options);
  const begun = performance.now();
  const times = new Map<Stage, number>();
  const { onProgress, tileSize } = options;
  const steps = bakeSteps(bake, input);
  let step = steps.next();
  while (step.done !== true) {
    const stage = (bake.stage = step.value);
    const done = BUILD_STAGES.indexOf(stage);
    if (!tileSize) onProgress?.({ stage, done, total: BUILD_STAGES.length });
    else if (done < 2) onProgress?.({ stage, done, total: 2 });
    const from = performance.now();
    step = steps.next();
    times.set(stage, (times.get(stage) ?? 0) + performance.now() - from);
    if (step.done !== true) yield;
  }
  keepWorkspace(bake);
  const { counts, warnings, workspace } = bake;
  return {
    navMesh: step.value.navMesh,
    report: {
      stages: BUILD_STAGES.filter((name) => times.has(name)).map((name) => ({ name, ms: times.get(name)! })),
      totalMs: performance.now() - begun,
      workspaceBytes: workspaceBytes(workspace),
      counts,
      warnings: [...warnings.values()],
      config: step.value.config,
    },
  };
}

/** Yields the name of each stage before it runs. */
function* bakeSteps(
  bake: Bake,
  input: TriangleInput,
): Generator<Stage, Pick<BuildResult, 'navMesh'> & { config: BakeConfig }> {
  const { options, counts } = bake;
  const { onProgress, links = [] } = options;
  const level = yield* prepareSteps(bake, input);
  const { config, triangles } = level;
  const settings = tileSettings(config);
  const addLinks = (mesh: NavMesh): void =>
    links.forEach((link, i) => {
      try {
        addLink(mesh, link);
      } catch (error) {
        throw new RangeError(`buildNavMesh: options.links[${i}]: ${(error as Error).message}`);
      }
    });
  // Those that are wrong are found out before the work.
  addLinks(createNavMesh(settings));
  const navMesh = createNavMesh(settings);
  const places: number[] = [];
  const count = config.tileCountX * config.tileCountZ;
  for (let i = 0; i < count; i++)
    if (triangles === undefined || triangles.start[i + 1] > triangles.start[i]) places.push(i);
  const total = triangles === undefined ? BUILD_STAGES.length : 2 + places.length;
  for (const [done, place] of places.entries()) {
    const x = place % config.tileCountX;
    const z = (place - x) / config.tileCountX;
    if (triangles !== undefined) onProgress?.({ stage: `tile ${x}, ${z}`, done: 2 + done, total });
    const tile = yield* bakeTile(bake, level, x, z);
    if (tile !== undefined) insertTile(navMesh, tile);
  }
  if (counts.tiles === 0) {
    const { radius, height } = config.agent;
    const since = level.walkableCount === 0 ? 'slope' : BUILD_STAGES[Math.max(bake.emptied, 2)];
    bake.stage = 'polymesh';
    bake.warn(
      'empty-result',
      1,
      () =>
        `the mesh is empty since the stage ${since}: ${EMPTY_REASONS[since]} (agent radius ${radius}, height ${height})`,
    );
  }
  addLinks(navMesh);
  onProgress?.({ stage: '', done: total, total });
  return { navMesh, config };
}

/** The first two stages, which look at the level as a whole. */
function* prepareSteps(bake: Bake, input: TriangleInput): Generator<Stage, PreparedTiles> {
  const { options, counts, warn } = bake;
  yield 'input';
  const prepared = prepareInput(input, options?.bounds);
  const config = resolveConfig(prepared, options);
  counts.triangles = prepared.triangleCount;
  warnAboutInput(prepared, config, warn);
  const triangles = config.tileCells > 0 ? sortIntoTiles(prepared, config) : undefined;

  yield 'slope';
  const { areas, walkableCount } = markBySlope(prepared, config.maxSlopeDegrees);
  counts.walkableTriangles = walkableCount;
  const { degenerateCount, firstDegenerate, triangleCount } = prepared;
  warn(
    'degenerate-triangles',
    degenerateCount,
    (count) => `${count} triangles have no area; the first is triangle ${firstDegenerate}`,
    firstDegenerate,
  );
  warn(
    'no-walkable-triangles',
    walkableCount > 0 ? 0 : triangleCount,
    (count) => `none of ${count} triangles is walkable: their winding must be counter-clockwise seen from above, y up`,
  );
  return { options, config, prepared, areas, walkableCount, triangles };
}

function warnAboutInput({ invalidCount, firstInvalid }: PreparedInput, config: BakeConfig, warn: Bake['warn']): void {
  const {
    agent: { radius, height },
    cellSize,
    cellHeight,
    boundsMin,
    boundsMax,
  } = config;
  warn(
    'invalid-positions',
    invalidCount,
    (count) =>
      `${count} triangles have an infinite or NaN corner and are left out; the first is triangle ${firstInvalid}`,
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

const EMPTY_REASONS: Record<string, string> = {
  slope: 'no triangle is walkable',
  rasterize: 'no triangle touches the bounds',
  filter: 'all ground is ledge or under too low a ceiling',
  erode: "all ground is nearer to a border than the agent's radius",
  areas: 'volumes cut all ground away',
  regions: 'all pieces of ground are smaller than regionMinArea',
  contours: 'all outlines vanish; a smaller maxEdgeError helps',
  polymesh: 'no outline could be cut into polygons',
};
