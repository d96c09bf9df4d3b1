/**
 * Explains an empty mesh: finds the stage that left nothing, and a remedy by trial bakes.
 *
 * In: triangles and options of a bake. Out: a reason in numbers and a sentence.
 * Cost: up to forty bakes of the level, at most a million columns each and eight million together.
 * Based on: own.
 */
import type { EmptyReason } from '../../../base/data/empty-reason.ts';
import { createWorkspace } from '../../../base/data/workspace.ts';
import { bakeTile } from '../../../build/voxel/build-tile.ts';
import { emptyStageOf } from '../../../build/voxel/empty.ts';
import type { BuildOptions, TriangleInput } from '../../../build/voxel/options.ts';
import { createBake, prepareSteps, runAll } from '../../../build/voxel/prepare.ts';
import { explainStage } from './voxel.ts';

/** Most columns of a trial bake, and of all trials of one level. */
const TRIAL_COLUMNS = 1 << 20;
const ALL_TRIAL_COLUMNS = 1 << 23;
/** Trials with more columns end with the outlines: fine stairs take minutes to triangulate. */
const TRIANGULATED_COLUMNS = 1 << 14;

/**
 * Returns why `buildNavMesh` gives no polygon, in numbers and in a sentence that ends in the remedy.
 *
 * @throws what `buildNavMesh` throws
 */
export function explainEmptyBake(
  input: TriangleInput,
  options: BuildOptions,
): { reason: EmptyReason; message: string } {
  const workspace = createWorkspace();
  const plainOptions = { ...options, strict: false, links: undefined, onProgress: undefined, workspace };
  const bake = createBake('diagnoseBake', plainOptions, workspace);
  const level = runAll(prepareSteps(bake, input));
  const { tileCountX, tileCountZ } = level.config;
  for (let tile = 0; tile < tileCountX * tileCountZ; tile++) {
    if (level.triangles !== undefined && level.triangles.start[tile + 1] === level.triangles.start[tile]) continue;
    const x = tile % tileCountX;
    runAll(bakeTile(bake, level, x, (tile - x) / tileCountX));
  }
  const budget = { columns: ALL_TRIAL_COLUMNS };
  const stage = emptyStageOf(bake, level.walkableCount);
  return explainStage(input, plainOptions, level.config, stage, (changed, changes) =>
    givesPolygons(changed, changes, budget),
  );
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
