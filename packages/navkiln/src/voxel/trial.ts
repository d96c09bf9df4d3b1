/**
 * Explains an empty mesh: finds the stage that left nothing, and a remedy by trial bakes.
 *
 * In: the prepared level, its input and the bake. Out: the warning `empty-result`.
 * Cost: up to forty bakes of the level, at most a million columns each and eight million together.
 * Based on: own.
 */
import { createWorkspace } from '../data/workspace.ts';
import { bakeTile } from './build-tile.ts';
import type { PreparedTiles } from './build-tile.ts';
import { explainEmptyBake } from './empty.ts';
import { BUILD_STAGES } from './options.ts';
import type { BuildOptions, TriangleInput } from './options.ts';
import { createBake, prepareSteps, runAll } from './prepare.ts';
import type { FullBake } from './prepare.ts';

/** Most columns of a trial bake, and of all trials of one level. */
const TRIAL_COLUMNS = 1 << 20;
const ALL_TRIAL_COLUMNS = 1 << 23;
/** Trials with more columns end with the outlines: fine stairs take minutes to triangulate. */
const TRIANGULATED_COLUMNS = 1 << 14;

/** Adds the warning `empty-result` to a bake that gave no polygon. */
export function warnAboutEmptiness(bake: FullBake, level: PreparedTiles, input: TriangleInput): void {
  const { options, config, walkableCount } = level;
  const stage = walkableCount === 0 ? 'slope' : BUILD_STAGES[Math.max(bake.emptyStage, 2)];
  // The warning is about the whole level. Its stage is the last one that can empty a level.
  bake.stage = 'polymesh';
  const budget = { columns: ALL_TRIAL_COLUMNS };
  const { reason, message } = explainEmptyBake(input, options, config, stage, (changed, changes) =>
    givesPolygons(changed, changes, budget),
  );
  bake.warn('empty-result', 1, () => `the mesh is empty after stage ${stage}: ${EMPTY_REASONS[stage]}; ${message}`);
  bake.warnings.get('empty-result')!.reason = reason;
}

/** Bakes until there is a polygon, without a report. Returns undefined for a level too large for a trial or for the rest of the budget. */
function givesPolygons(input: TriangleInput, options: BuildOptions, budget: { columns: number }): boolean | undefined {
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
  if (widthCells * depthCells > Math.min(TRIAL_COLUMNS, budget.columns)) return undefined;
  budget.columns -= widthCells * depthCells;
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
