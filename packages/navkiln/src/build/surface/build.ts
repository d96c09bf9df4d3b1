/**
 * Builds a NavMesh from triangles that already are walkable surface, without voxels, and reports times,
 * counts and warnings.
 *
 * Each tile is built from the triangles it sees (build-tile.ts).
 *
 * In: one level or several; options in world units.
 * Out: a mesh whose surface is the given one, and a report.
 * Cost: that of the stages: linear, except for the trees of the tiles.
 * Based on: own.
 * Tried: one tile for 100,000 triangles takes 13 % less time on hills and 2 % less on flat rooms. No stage dominates.
 *   A build takes 20 to 30 % of the time of three-pathfinding's `createZone` (`npm run bench -- --only surface`).
 */
import { plural } from '../../base/data/plural.ts';
import { createNavMesh } from '../../mesh/create.ts';
import { insertTile, reserveTiles } from '../../mesh/tiles/insert-tile.ts';
import { refreshIslands } from '../../mesh/islands.ts';
import { MAX_POLYS_PER_TILE } from '../../mesh/ref.ts';
import type { NavMesh, TileData, TileSettings } from '../../mesh/types.ts';
import { buildTile } from './build-tile.ts';
import type { TileRun } from './build-tile.ts';
import { countIslands, smallIslands, withoutPolys } from './drop-small.ts';
import { collectGaps, createGapList, describeJoined, describeMisses, gapsToTry, widestOf } from './gaps.ts';
import type { GapList } from './gaps.ts';
import { readSurfaceInput } from './input.ts';
import type { Warn } from './input.ts';
import { LEAST_TILE_TOLERANCES, SURFACE_STAGES, resolveSurfaceOptions, usualGap } from './options.ts';
import type {
  SurfaceBuild,
  SurfaceConfig,
  SurfaceLevel,
  SurfaceOptions,
  SurfaceReport,
  SurfaceStage,
  SurfaceWarning,
  SurfaceWarningCode,
} from './options.ts';
import { rimOf, selectTiles, tileInput, wholeInput } from './select.ts';
import type { SurfaceInput } from './types.ts';
import { createWeldSpace } from './weld/weld.ts';

/** Up to this number of ground triangles, one tile is tried when no tileSize is given. */
const ONE_TILE_TRIANGLES = 30_000;
/** Most ground triangles of a level that is built again to try a remedy. */
const MOST_TRIAL_TRIANGLES = 200_000;
/** Approximate number of ground triangles per tile when there are more. */
const TILE_TRIANGLES = 8_000;

interface Run {
  config: SurfaceConfig;
  counts: SurfaceReport['counts'];
  warn: Warn;
  stage: <T>(stage: SurfaceStage, work: () => T) => T;
  /** Gaps that were joined, and others. */
  bridges: GapList;
  misses: GapList;
  /** Number of tiles to build, and of those that are built. */
  tiles: number;
  tilesDone: number;
}

/**
 * Builds a navigation mesh from triangles that already are walkable surface: a mesh made in an editor, or a
 * whole level.
 *
 * @param level positions and triangles, counter-clockwise seen from above (y up), or an array of them
 * @param options world units; see `SurfaceOptions` for defaults
 * @throws TypeError, RangeError on unusable options, shapes, indices out of range; Error on the first warning
 * when `strict`
 */
export function buildFromSurface(
  level: SurfaceLevel | readonly SurfaceLevel[],
  options: SurfaceOptions = {},
): SurfaceBuild {
  return buildLevels(level, options, true);
}

/** Builds the mesh and its report. `explains`: whether trial builds find the gap that joins. */
function buildLevels(
  level: SurfaceLevel | readonly SurfaceLevel[],
  options: SurfaceOptions,
  explains: boolean,
): SurfaceBuild {
  const config = resolveSurfaceOptions(options);
  const begun = performance.now();
  const times = new Map<SurfaceStage, number>();
  const warnings = new Map<SurfaceWarningCode, SurfaceWarning>();
  const counts: SurfaceReport['counts'] = {
    levels: Array.isArray(level) ? level.length : 1,
    triangles: 0,
    groundTriangles: 0,
    splitTriangles: 0,
    steps: 0,
    islands: 0,
    droppedIslands: 0,
    polygons: 0,
    vertices: 0,
    detailTriangles: 0,
    tiles: 0,
  };
  let levelStart: number[] = [0];
  let current: SurfaceStage = 'input';
  let lastDone = -1;
  const run: Run = {
    config,
    counts,
    bridges: createGapList(),
    misses: createGapList(),
    tiles: 1,
    tilesDone: 0,
    warn(code, more, say, triangle, at) {
      if (more === 0) return;
      const known = warnings.get(code);
      const count = (known?.count ?? 0) + more;
      const message = known === undefined ? say(count) : `${known.message}; and ${say(more)}`;
      if (config.strict) throw new Error(`buildFromSurface: ${message} (${code}, ${count})`);
      const where =
        known?.where ?? (triangle === undefined ? undefined : { ...placeOf(levelStart, triangle), ...(at && { at }) });
      warnings.set(code, { code, stage: current, count, message, ...(where === undefined ? {} : { where }) });
    },
    stage(stage, work) {
      current = stage;
      const { done, total } = progressOf(run, stage);
      if (done > lastDone) options.onProgress?.({ stage, done, total });
      lastDone = Math.max(lastDone, done);
      const from = performance.now();
      const result = work();
      times.set(stage, (times.get(stage) ?? 0) + performance.now() - from);
      return result;
    },
  };
  const input = run.stage('input', () => {
    const read = readSurfaceInput(level, config, (code, count, say, triangle) => {
      levelStart = levelStartsOf(level);
      run.warn(code, count, say, triangle);
    });
    levelStart = read.levelStart;
    return read;
  });
  counts.triangles = levelStart[levelStart.length - 1];
  const isLevel = input.wallVertex.length + input.otherVertex.length > 0;
  config.clearance ??= config.agent.radius > 0 || isLevel;
  config.maxGap ??= isLevel ? usualGap(config.agent) : 0;
  const before = new Map(warnings);
  let navMesh: NavMesh | undefined;
  for (let tileSize = firstTileSize(config, input); navMesh === undefined;) {
    warnings.clear();
    for (const [code, warning] of before) warnings.set(code, warning);
    const built = buildTiles(run, input, tileSize);
    if (typeof built === 'number') {
      if (config.tileSize >= 0) {
        throw new RangeError(
          `buildFromSurface: a tile has ${built} polygons, at most ${MAX_POLYS_PER_TILE} are allowed; use a ` +
            `${tileSize === 0 ? 'tileSize above 0' : `tileSize below ${tileSize}`} or omit it`,
        );
      }
      tileSize = tileSize === 0 ? chooseTileSize(input) : tileSize / 2;
      if (tileSize < LEAST_TILE_TOLERANCES * config.weldTolerance) {
        throw new RangeError(
          `buildFromSurface: ${built} polygons lie on top of each other, at most ${MAX_POLYS_PER_TILE} may; use fewer triangles`,
        );
      }
      continue;
    }
    config.tileSize = tileSize;
    navMesh = built;
  }
  const levels = Array.isArray(level) ? (level as readonly SurfaceLevel[]) : [level as SurfaceLevel];
  warnOfGaps(run, input, explains && options.tryGaps === true, () =>
    explains && options.tryGaps === true ? joiningGap(levels, options, run.misses) : undefined,
  );
  for (const [code, list] of [
    ['joined-gaps', run.bridges],
    ['near-misses', run.misses],
  ] as const) {
    const warning = warnings.get(code);
    if (warning !== undefined) warning.gaps = widestOf(list);
  }
  run.warn(
    'empty-result',
    navMesh.polyCount === 0 ? 1 : 0,
    () => 'the mesh is empty; explainEmptySurface(level, options) of navkiln/debug finds the setting that helps',
  );
  const { total } = progressOf(run, 'tile');
  options.onProgress?.({ stage: '', done: total, total });
  const report: SurfaceReport = {
    stages: SURFACE_STAGES.filter((name) => times.has(name)).map((name) => ({ name, ms: times.get(name)! })),
    totalMs: performance.now() - begun,
    counts,
    warnings: [...warnings.values()],
    config,
  };
  const result: SurfaceBuild = { navMesh, report };
  options.keepReachable?.update('buildFromSurface', result, config);
  return result;
}

/** Builds for trial. Returns undefined for options that do not go together. */
function tryBuild(levels: readonly SurfaceLevel[], options: SurfaceOptions): SurfaceBuild | undefined {
  try {
    return buildLevels(levels, { ...options, strict: false, keepReachable: undefined, onProgress: undefined }, false);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns a `maxGap` that leaves no near misses, or fewer, and how many it leaves. Undefined when none helps. */
function joiningGap(
  levels: readonly SurfaceLevel[],
  options: SurfaceOptions,
  misses: GapList,
): { maxGap: number; left: number } | undefined {
  let best: { maxGap: number; left: number } | undefined;
  for (const maxGap of gapsToTry(misses)) {
    const build = tryBuild(levels, { ...options, maxGap });
    if (build === undefined) continue;
    const left = build.report.warnings.find(({ code }) => code === 'near-misses')?.count ?? 0;
    if (left < (best?.left ?? misses.count)) best = { maxGap, left };
    if (left === 0) break;
  }
  return best;
}

/** Warns of gaps. `find` looks for a `maxGap` that joins those that are left. */
function warnOfGaps(
  { config, warn, bridges, misses }: Run,
  input: SurfaceInput,
  tries: boolean,
  find: () => ReturnType<typeof joiningGap>,
): void {
  const triangleOf = ({ first }: GapList): number => (first < 0 ? -1 : input.groundSource[first]);
  warn('joined-gaps', bridges.count, (n) => describeJoined(bridges, config, n), triangleOf(bridges), bridges.at);
  if (misses.count === 0) return;
  const isTried = tries && input.groundSource.length <= MOST_TRIAL_TRIANGLES;
  const found = isTried ? find() : undefined;
  const some = found?.left === 0 ? '' : `, which joins ${misses.count - (found?.left ?? 0)} of them`;
  const other = isTried ? '' : ', or raise maxGap';
  const remedy = found === undefined ? other : `, or use a maxGap of ${found.maxGap}${some}`;
  const triangle = triangleOf(misses);
  warn('near-misses', misses.count, (n) => describeMisses(misses, config, n, triangle, remedy), triangle, misses.at);
}

/** Runs all stages between input and mesh. Returns the polygon count of a tile that has too many. */
function buildTiles(run: Run, input: SurfaceInput, tileSize: number): NavMesh | number {
  const { config, counts, warn, stage } = run;
  const { agent, weldTolerance, islandMinArea } = config;
  const settings: TileSettings = { agent: { ...agent }, cellSize: 0, cellHeight: 0, tileSize, origin: [0, 0, 0] };
  const rim = rimOf(config);
  const lists = tileSize === 0 ? undefined : stage('input', () => selectTiles(input, tileSize, rim));
  const given = input.groundSource.length;
  counts.groundTriangles = given;
  for (const key of ['splitTriangles', 'steps', 'islands', 'droppedIslands'] as const) counts[key] = 0;
  run.tiles = lists?.squares.length ?? 1;
  let firstDropped = -1;
  run.bridges = createGapList();
  run.misses = createGapList();
  const tileRun: TileRun = {
    config,
    settings,
    counts,
    stage,
    space: createWeldSpace(
      input.positions.length / 3,
      given,
      weldTolerance,
      Math.ceil(given / run.tiles),
      config.memoryLimitBytes,
    ),
    bridged: collectGaps(run.bridges),
    missed: collectGaps(run.misses),
    dropped(first) {
      if (firstDropped < 0 || first < firstDropped) firstDropped = first;
    },
  };
  let navMesh = createNavMesh(settings);
  const tiles: TileData[] = [];
  const sources: Int32Array[] = [];
  for (let k = 0; k < run.tiles; k++) {
    run.tilesDone = k;
    const seen = lists === undefined ? wholeInput(input) : tileInput(input, lists, k);
    const { tile, source } = buildTile(tileRun, seen, lists?.squares[k]);
    if (tile === null) continue;
    if (tile.polyCount > MAX_POLYS_PER_TILE) return tile.polyCount;
    tiles.push(tile);
    if (islandMinArea > 0) sources.push(source);
  }
  if (tiles.length > 0) {
    stage('tile', () => {
      reserveTiles(navMesh, tiles);
      for (const tile of tiles) insertTile(navMesh, tile);
    });
  }
  if (lists !== undefined) {
    stage('tile', () => {
      if (navMesh.islandsStale === 1) refreshIslands(navMesh);
      const isSmall = new Uint8Array(islandMinArea === 0 ? 0 : navMesh.polyCount);
      const small = islandMinArea === 0 ? [] : smallIslands(navMesh, islandMinArea, isSmall);
      counts.islands = countIslands(navMesh) - small.length;
      counts.droppedIslands += small.length;
      if (small.length === 0) return;
      for (const poly of small) {
        const slot = navMesh.polyTile[poly];
        const source = sources[slot][poly - navMesh.tilePolyStart[slot]];
        if (firstDropped < 0 || source < firstDropped) firstDropped = source;
      }
      const whole = navMesh;
      navMesh = createNavMesh(settings);
      tiles.forEach((tile, slot) => {
        const kept = withoutPolys(tile, isSmall, whole.tilePolyStart[slot]);
        if (kept.polyCount > 0) insertTile(navMesh, kept);
      });
    });
  }
  const { doubled } = tileRun.space;
  let doubledCount = 0;
  for (let t = 0; t < given; t++) doubledCount += doubled[t];
  const first = (ground: number): number => input.groundSource[ground];
  const firstDoubled = doubledCount === 0 ? -1 : first(doubled.indexOf(1));
  warn(
    'duplicate-triangles',
    doubledCount,
    (n) => `${plural(n, 'triangle is', 'triangles are')} in the level twice; the first is triangle ${firstDoubled}`,
    firstDoubled,
  );
  warn(
    'small-islands',
    counts.droppedIslands,
    (n) =>
      `${plural(n, 'piece')} of ground of less than ${islandMinArea} square units left out; the first is at ` +
      `triangle ${first(firstDropped)}`,
    first(firstDropped),
  );
  counts.tiles = navMesh.tileSlotCount;
  counts.polygons = navMesh.polyCount;
  counts.vertices = navMesh.vertexCount;
  counts.detailTriangles = navMesh.detailTriCount;
  return navMesh;
}

/** Returns how many stages come before a stage of the current tile, and their total: 0 before the tiles are known. */
function progressOf({ config, tiles, tilesDone }: Run, stage: SurfaceStage): { done: number; total: number } {
  if (stage === 'input') return { done: 0, total: 0 };
  const stages = SURFACE_STAGES.filter(
    (name) =>
      name !== 'input' &&
      (name !== 'clear' || config.clearance !== false) &&
      (name !== 'inset' || config.agent.radius > 0),
  );
  return { done: 1 + tilesDone * stages.length + stages.indexOf(stage), total: 1 + tiles * stages.length };
}

function firstTileSize(config: SurfaceConfig, input: SurfaceInput): number {
  if (config.tileSize >= 0) return config.tileSize;
  return input.groundSource.length <= ONE_TILE_TRIANGLES ? 0 : chooseTileSize(input);
}

/** Returns a power of two, so that the lines of the grid are exact. */
function chooseTileSize({ positions, groundVertex }: SurfaceInput): number {
  let x0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let z1 = -Infinity;
  for (let i = 0; i < groundVertex.length; i++) {
    const x = positions[3 * groundVertex[i]];
    const z = positions[3 * groundVertex[i] + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const squares = Math.max(1, groundVertex.length / 3 / TILE_TRIANGLES);
  const side = Math.sqrt(((x1 - x0) * (z1 - z0)) / squares);
  let size = 1;
  while (size > side) size /= 2;
  while (2 * size < side) size *= 2;
  return size;
}

function levelStartsOf(level: SurfaceLevel | readonly SurfaceLevel[]): number[] {
  const starts = [0];
  for (const { positions, indices } of Array.isArray(level)
    ? (level as readonly SurfaceLevel[])
    : [level as SurfaceLevel]) {
    starts.push(starts[starts.length - 1] + (indices === undefined ? positions.length / 9 : indices.length / 3));
  }
  return starts;
}

function placeOf(levelStart: readonly number[], triangle: number): { level: number; triangle: number } {
  let level = 0;
  while (level + 2 < levelStart.length && levelStart[level + 1] <= triangle) level++;
  return { level, triangle: triangle - levelStart[level] };
}
