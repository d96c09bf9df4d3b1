/**
 * Warns that a bake gave no polygon, or lost most of the surface, and names the stages. `diagnoseBake` of `navkiln/debug` finds the cause.
 *
 * In: a finished bake. Out: the warning `empty-result` or `low-coverage`.
 * Cost: 768 columns of each tile.
 * Based on: own; positions of the columns: Martin Roberts, The Unreasonable Effectiveness of Quasirandom Sequences, 2018.
 */
import type { BakeConfig } from './bake-config.ts';
import { plain } from './config.ts';
import { BUILD_STAGES } from './options.ts';
import type { Stage } from './options.ts';
import type { FullBake } from './prepare.ts';
import type { CompactField, Heightfield } from './types.ts';

/** A bake that keeps less than this share of the surface that is flat enough is suspicious. */
const LOW_COVERAGE = 0.3;

/** Returns the stage that left nothing of a level with this number of walkable triangles. */
export function emptyStageOf({ emptyStage }: Pick<FullBake, 'emptyStage'>, walkableCount: number): Stage {
  return walkableCount === 0 ? 'slope' : BUILD_STAGES[Math.max(emptyStage, 2)];
}

/** Adds the warning `empty-result` to a bake that gave no polygon, and `low-coverage` to one that lost most of the surface. */
export function warnAboutLoss(
  bake: FullBake,
  { config, walkableCount }: { config: BakeConfig; walkableCount: number },
): void {
  if (bake.counts.tiles > 0) return warnAboutCoverage(bake, config);
  const stage = emptyStageOf(bake, walkableCount);
  // The warning is about the whole level. Its stage is the last one that can empty a level.
  bake.stage = 'polymesh';
  bake.warn(
    'empty-result',
    1,
    () => `the mesh is empty after stage ${stage}: ${LOST[stage] ?? 'maxEdgeError'}; ${REMEDY}`,
  );
}

/** Columns of a tile that are counted. A pass over all would take time. */
const SAMPLES = 256;

type Counted = 'flatSpans' | 'erodedSpans' | 'openSpans' | 'keptSpans';

/** Counts the walkable spans of a tile before the filters, after erosion, and in regions. Borders of tiles do not count. */
export function measureLoss(counts: FullBake['counts'], tile: Heightfield | CompactField, border: number): void {
  const { width, depth, columnStart } = tile;
  const columns = width - 2 * border;
  const rows = depth - 2 * border;
  for (let k = 0; k < SAMPLES; k++) {
    // Multiples of these numbers are spread evenly over a square.
    const x = border + Math.floor(((k * 0.754878) % 1) * columns);
    const c = x + width * (border + Math.floor(((k * 0.56984) % 1) * rows));
    for (let i = columnStart[c]; i < columnStart[c + 1]; i++) {
      const key = keyOf(tile, i);
      if (key) counts[key] += (columns * rows) / SAMPLES;
    }
  }
}

function keyOf(tile: Heightfield | CompactField, i: number): Counted | false {
  if ('spans' in tile) return tile.spans[i] >>> 26 > 0 && 'flatSpans';
  if (tile.region.length > 0) return tile.region[i] > 0 && 'keptSpans';
  return tile.area[i] > 0 ? 'openSpans' : 'erodedSpans';
}

function warnAboutCoverage(bake: FullBake, { cellSize }: BakeConfig): void {
  const { flatSpans, erodedSpans, openSpans, keptSpans } = bake.counts;
  // What volumes cut is not lost.
  if (keptSpans >= LOW_COVERAGE * flatSpans || bake.options.volumes?.list.some(({ area }) => area === 0)) return;
  const cell = cellSize * cellSize;
  const area = cell * (flatSpans - keptSpans);
  const losses = {
    filter: cell * (flatSpans - erodedSpans - openSpans),
    erode: cell * erodedSpans,
    regions: cell * (openSpans - keptSpans),
  };
  const [[stage]] = Object.entries(losses).sort(([, a], [, b]) => b - a);
  bake.stage = stage as Stage;
  bake.warn(
    'low-coverage',
    1,
    () =>
      `${plain(area)} of ${plain(cell * flatSpans)} flat square units are lost, most to ${stage}: ${LOST[stage]}; ${REMEDY}`,
    { area, losses },
  );
}

const REMEDY = 'diagnoseBake of navkiln/debug finds the setting that helps';

/** Why a stage removes surface. */
const LOST: Record<string, string> = {
  slope: 'steep, facing down',
  rasterize: 'bounds',
  filter: 'ledges, low ceilings',
  erode: 'near walls',
  areas: 'volumes',
  regions: 'regionMinArea',
};
