/**
 * Prepares a level for its bake: the record of a running bake, and the two stages that process the level as a whole.
 *
 * In: triangles and options in world units. Out: the level, sorted into tiles, with counts and warnings.
 * Cost: linear in triangles and in the tiles they touch.
 * Based on: own.
 */
import { none, plural } from '../../base/data/plural.ts';
import { SPAN_MAX_HEIGHT } from '../../base/constants.ts';
import type { Workspace } from '../../base/data/workspace.ts';
import { beginStage, emptyCounts } from './build-tile.ts';
import type { Bake, PreparedTiles } from './build-tile.ts';
import { sortIntoTiles } from './build-tile-grid.ts';
import { checkBuildOptions, resolveConfig } from './config.ts';
import { explainCoarseInput, explainFlipped, isUpsideDown, markBySlope, prepareInput } from './input.ts';
import type { FlatArea, PreparedInput } from './input.ts';
import type { BakeConfig } from './bake-config.ts';
import type { BuildOptions, Stage, TriangleInput } from './options.ts';
import type { BuildWarning, BuildWarningCode } from './report.ts';

/** The record of a running bake with its warnings. */
export interface FullBake extends Bake {
  caller: string;
  warnings: Map<BuildWarningCode, BuildWarning>;
}

/** Creates the record of a bake that has not started. */
export function createBake(caller: string, options: BuildOptions, workspace: Workspace): FullBake {
  const warnings: FullBake['warnings'] = new Map();
  const bake: FullBake = {
    caller,
    options,
    workspace,
    stage: 'input',
    emptyStage: 0,
    warnings,
    counts: emptyCounts(),
    warn(code, added, messageOf, more) {
      if (added === 0) return;
      const count = (warnings.get(code)?.count ?? 0) + added;
      const message = messageOf(count);
      if (options.strict) throw new Error(`${caller}: ${message} (${code}, ${count})`);
      warnings.set(code, { code, stage: bake.stage, count, message, ...more });
    },
  };
  return bake;
}

/** Runs the first two stages, which process the level as a whole. Yields the name of each before it runs. */
export function* prepareSteps(bake: FullBake, input: TriangleInput): Generator<Stage, PreparedTiles> {
  const { options, counts, warn, caller } = bake;
  yield beginStage(bake, 'input');
  const prepared = prepareInput(withSurfaces(caller, input, options), options?.bounds, caller);
  const config = resolveConfig(prepared, options, caller);
  counts.triangles = prepared.triangleCount;
  warnAboutInput(prepared, config, warn);
  const triangles = config.tileCells > 0 ? sortIntoTiles(prepared, config, caller) : undefined;

  yield beginStage(bake, 'slope');
  const { areas, walkableCount, flat } = markBySlope(prepared, config.maxSlopeDegrees, caller);
  reportSlopes(bake, prepared, walkableCount, flat);
  // A copy of the level takes the counts, because problems have been counted already.
  options.sizes?.mark(config, areas, (slope) => markBySlope({ ...prepared }, slope, caller).areas);
  const obstacles = options.obstacles?.placed ?? [];
  return { options, config, prepared, areas, walkableCount, triangles, obstacles };
}

/**
 * Returns a level with the surfaces that obstacles of the options add. Throws a TypeError for options of a wrong type.
 */
export function withSurfaces(caller: string, input: TriangleInput, options: BuildOptions): TriangleInput {
  checkBuildOptions(caller, options);
  return options.obstacles?.addSurfaces(caller, input) ?? input;
}

/** Counts walkable triangles, and warns about the slopes of a level. */
export function reportSlopes(
  { counts, warn }: FullBake,
  { degenerateCount, firstDegenerate, triangleCount }: PreparedInput,
  walkableCount: number,
  flat: FlatArea,
): void {
  counts.walkableTriangles = walkableCount;
  warn(
    'degenerate-triangles',
    degenerateCount,
    (count) => `${plural(count, 'triangle has', 'triangles have')} no area; the first is triangle ${firstDegenerate}`,
    { where: { triangle: firstDegenerate } },
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
}

/** Warns about positions, and about cells that do not fit the agent or the level. */
export function warnAboutInput(prepared: PreparedInput, config: BakeConfig, warn: Bake['warn']): void {
  const { invalidCount, firstInvalid } = prepared;
  const { agent, cellSize, cellHeight, boundsMin, boundsMax, maxSlopeDegrees } = config;
  const { radius, height } = agent;
  warn(
    'invalid-positions',
    invalidCount,
    (count) =>
      `${plural(count, 'triangle')} with an infinite or NaN corner left out; the first is triangle ${firstInvalid}`,
    { where: { triangle: firstInvalid } },
  );
  warn(
    'slope-in-radians',
    maxSlopeDegrees < 1.6 && maxSlopeDegrees % 1 ? 1 : 0,
    () => `maxSlopeDegrees is ${maxSlopeDegrees}, almost level; give degrees, not radians`,
  );
  const coarse = explainCoarseInput(prepared, config);
  warn('coarse-positions', coarse === undefined ? 0 : 1, () => coarse!);
  const isWide = radius > 0 && cellSize > radius;
  const [cell, size, usual] = isWide
    ? [`cellSize of ${cellSize}`, `radius of ${radius}`, 'half']
    : [`cellHeight of ${cellHeight}`, `height of ${height}`, 'a quarter of'];
  warn(
    'cell-larger-than-agent',
    isWide || cellHeight > height ? 1 : 0,
    () => `the ${cell} is larger than the agent's ${size}; ${usual} a radius is usual`,
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

/** Runs a generator to its end and returns its result. */
export function runAll<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
