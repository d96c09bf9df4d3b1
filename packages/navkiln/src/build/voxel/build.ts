/**
 * Bakes navigation meshes from level triangles: all stages, tile after tile, with times, counts and warnings.
 *
 * `buildNavMesh` runs in one call. `bakeNavMesh` yields to the event loop between stages, so that a page can
 * draw, and can be aborted there. `buildTile` rebuilds one tile. All three drive the same generators, which
 * yield before each stage. A workspace serves one bake at a time; the memory of the last bake without a
 * workspace of its own is kept for the next.
 *
 * In: triangles and options in world units. Out: a NavMesh and a report.
 * Cost: that of the stages. All tiles use the same memory.
 * Based on: own.
 */
import { checkFunction, checkHandle, checkObject, checkRecord, checkSignal, refuse } from '../../base/data/refuse.ts';
import { nextTurn } from '../../base/data/turn.ts';
import { claimWorkspace, createWorkspace, releaseWorkspace, workspaceBytes } from '../../base/data/workspace.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import { insertTile } from '../../mesh/tiles/insert-tile.ts';
import type { TileData } from '../../mesh/types.ts';
import { reportOf, stagesOf, startMesh } from './assemble.ts';
import { bakeTile } from './build-tile.ts';
import type { PreparedTiles } from './build-tile.ts';
import { checkBuildOptions, resolveConfig } from './config.ts';
import { prepareInput } from './input.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, Stage, TileLayers, TriangleInput } from './options.ts';
import type { BakeOptions } from './pool-types.ts';
import type { BuildResult } from './report.ts';
import { createBake, prepareSteps, runAll, withSurfaces } from './prepare.ts';
import type { FullBake } from './prepare.ts';
import { measureLoss, warnAboutLoss } from './empty.ts';

/** Milliseconds that a bake with tiles runs before it yields to the event loop. */
const TURN_MS = 8;

/**
 * Bakes a navigation mesh from level triangles, and returns when it is done. `bakeNavMesh` does the same
 * without blocking a page, and takes a signal.
 *
 * The polygon mesh is Recast's, except for what the guide *Deviations* lists.
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
 * Bakes like `buildNavMesh`, and yields to the event loop between stages; with tiles, every 8 ms.
 *
 * With a `pool`, workers bake the tiles, and this thread only puts them together. The mesh has the same bytes.
 *
 * @param options the options of `buildNavMesh`, a `signal` that aborts the bake, a `pool` of workers, a `cache` of tiles, and `onTiles`
 * @throws (rejects with) what `buildNavMesh` throws, the signal's reason when it is aborted, an Error when no worker starts
 */
export async function bakeNavMesh(input: TriangleInput, options: BakeOptions = {}): Promise<BuildResult> {
  const caller = 'bakeNavMesh';
  checkObject(caller, 'options', options);
  const { signal, pool, cache, onTiles, ...rest } = options;
  checkSignal(caller, 'options.signal', signal);
  if (pool !== undefined) {
    checkFunction(caller, 'options.pool.bake', pool?.bake);
    return pool.bake(caller, input, rest, { signal, cache, onTiles });
  }
  if (cache !== undefined || onTiles !== undefined)
    refuse(
      caller,
      'options.pool',
      pool,
      'a pool when there is a cache or onTiles; createBakePool({ workers: 0 }) bakes here',
    );
  const steps = buildSteps(caller, input, rest);
  try {
    for (let since = -Infinity; ;) {
      signal?.throwIfAborted();
      const step = steps.next();
      if (step.done === true) return step.value;
      if (options.tileSize && performance.now() - since < TURN_MS) continue;
      await nextTurn();
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
  return resolveBakeFor('resolveBake', input, options);
}

/** Does what `resolveBake` does; `caller` begins the messages. @internal */
export function resolveBakeFor(caller: string, input: TriangleInput, options: BuildOptions): BakeConfig {
  checkObject(caller, 'options', options);
  const all = withSurfaces(caller, input, options);
  return resolveConfig(prepareInput(all, options.bounds, caller), options, caller);
}

function prepareLevel(caller: string, input: TriangleInput, options: BuildOptions): PreparedTiles {
  if (options?.keepReachable !== undefined)
    refuse(
      caller,
      'options.keepReachable',
      options.keepReachable,
      'absent, because a tile alone has no way in; call its restore(mesh) before tiles change, and its prune(mesh) after',
    );
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

/** Workspace of the last bake that had none of its own. The garbage collector may take it. */
let lastWorkspace: WeakRef<Workspace> | undefined;

/** Returns the workspace of a bake, marked as in use. @internal */
export function takeWorkspace(caller: string, options: BuildOptions): Workspace {
  const workspace = options?.workspace ?? lastWorkspace?.deref() ?? createWorkspace();
  claimWorkspace(caller, workspace);
  // A bake that starts meanwhile must not take it, too.
  if (workspace !== options?.workspace) lastWorkspace = undefined;
  return workspace;
}

/** Ends a bake's use of its workspace and keeps the memory for the next. @internal */
export function returnWorkspace(workspace: Workspace, options: BuildOptions): void {
  releaseWorkspace(workspace);
  if (workspace !== options?.workspace) lastWorkspace = new WeakRef(workspace);
}

/** Runs a whole bake and measures its stages. Stops before each stage. */
function* buildSteps(
  caller: string,
  input: TriangleInput,
  options: BuildOptions,
): Generator<void, BuildResult, undefined> {
  checkBuildOptions(caller, options);
  const begun = performance.now();
  const times = new Map<Stage, number>();
  const workspace = takeWorkspace(caller, options);
  try {
    const bake = createBake(caller, options, workspace);
    bake.measure = measureLoss;
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
    const result = { navMesh, report: reportOf(bake, config, times, begun, workspaceBytes(workspace)) };
    options.autoLinks?.addTo(caller, input, options, result);
    options.keepReachable?.update(caller, result, options);
    return result;
  } finally {
    returnWorkspace(workspace, options);
  }
}

/** Bakes all tiles into a mesh. Yields the name of each stage before it runs. */
function* bakeSteps(
  bake: FullBake,
  input: TriangleInput,
): Generator<Stage, Pick<BuildResult, 'navMesh'> & { config: BakeConfig }> {
  const { options } = bake;
  const level = yield* prepareSteps(bake, input);
  const { config, triangles } = level;
  const navMesh = startMesh(bake, config);
  const layers: TileLayers[] = [];
  const { dynamic } = options;
  if (dynamic !== undefined) bake.keepLayers = (x, z, spans) => layers.push({ x, z, packed: dynamic.pack(spans) });
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
  warnAboutLoss(bake, level);
  if (dynamic !== undefined)
    navMesh.layers = dynamic.write(options, config, level.prepared.given !== undefined, layers);
  options.links?.addTo(bake.caller, navMesh);
  options.onProgress?.({ stage: '', done: total, total });
  return { navMesh, config };
}
