/**
 * Warns that a bake gave no polygon, and names the stage that left nothing. `diagnoseBake` of `navkiln/debug` finds the cause.
 *
 * In: a finished bake. Out: the warning `empty-result`.
 * Cost: constant.
 */
import { BUILD_STAGES } from './options.ts';
import type { Stage } from './options.ts';
import type { FullBake } from './prepare.ts';

/** Returns the stage that left nothing of a level with this number of walkable triangles. */
export function emptyStageOf({ emptyStage }: Pick<FullBake, 'emptyStage'>, walkableCount: number): Stage {
  return walkableCount === 0 ? 'slope' : BUILD_STAGES[Math.max(emptyStage, 2)];
}

/** Adds the warning `empty-result` to a bake that gave no polygon. */
export function warnAboutEmptiness(bake: FullBake, { walkableCount }: { walkableCount: number }): void {
  const stage = emptyStageOf(bake, walkableCount);
  // The warning is about the whole level. Its stage is the last one that can empty a level.
  bake.stage = 'polymesh';
  bake.warn(
    'empty-result',
    1,
    () =>
      `the mesh is empty after stage ${stage}: ${EMPTY_REASONS[stage]}; ` +
      'diagnoseBake(input, options) of navkiln/debug finds the setting that helps',
  );
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
