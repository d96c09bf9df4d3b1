/**
 * The changes of a bake that may repair a fault, most likely first.
 *
 * In: the kind of a fault, the reason that a place is not walkable, the options of the bake. Out: options.
 * Cost: constant.
 * Based on: own.
 */
import { nameOf } from '../../../build/voxel/config.ts';
import { partitionOf } from '../../../build/voxel/partition-of.ts';
import type { BuildOptions } from '../../../build/voxel/options.ts';
import type { PositionCode } from '../../explain/cause.ts';
import type { FaultKind } from '../types.ts';

/** Options that replace those of the bake, and what was wrong when they help. */
export interface Change {
  options: Partial<BuildOptions>;
  /** Stage and sentence for faults that no position explains. */
  cause: string;
}

/** The options of a bake with all values that changes refer to. */
export type FullOptions = BuildOptions & Required<Pick<BuildOptions, 'cellSize' | 'cellHeight' | 'tileSize'>>;

/** Returns the changes to try. */
export function listChanges(kind: FaultKind, code: PositionCode | undefined, bake: FullOptions): Change[] {
  const { cellSize, cellHeight, tileSize, partition = 'watershed' } = bake;
  const finer = { cellSize: rounded(cellSize / 2), cellHeight: rounded(cellHeight / 2) };
  const ledges = {
    options: { filterLedges: false },
    cause: 'filter: the ledge filter removes a floor where the heights around it differ by more than the climb.',
  };
  const regions = {
    options: { regionMinArea: 0 },
    cause: 'regions: the separate walkable area is smaller than regionMinArea.',
  };
  const contours = {
    options: { maxEdgeError: rounded(cellSize / 2) },
    cause: 'contours: the simplified outline deviates from the ground by up to maxEdgeError.',
  };
  const name = nameOf(partition);
  const others = (['monotone', 'layers', 'watershed'] as const)
    .filter((one) => one !== name)
    .map((one) => ({
      options: { partition: partitionOf(one) },
      cause: `regions: the partition "${name}" makes a region that its outline does not fit.`,
    }));
  const tiles =
    tileSize > 0 ? [{ options: { tileSize: 0 }, cause: 'tile border: two tiles do not fit at their border.' }] : [];
  const detail = [
    {
      options: { detailSampleDistance: rounded(2 * cellSize), detailMaxError: rounded(cellHeight / 2) },
      cause: 'detail: the heights of the polygon are sampled too sparsely.',
    },
  ];
  const smaller = tileSize > 0 ? [] : listLargeChanges(cellSize);
  const heights = {
    options: { cellHeight: rounded(cellHeight / 2) },
    cause: 'rasterize: rounding to whole voxels changes a step or a ceiling.',
  };
  const cells = { options: finer, cause: 'rasterize: cells are too large for the shape of the ground.' };
  const exact =
    bake.recast === true
      ? [{ options: { recast: false }, cause: 'recast: the exact result of Recast has this fault.' }]
      : [];
  if (kind === 'overreach') return [...exact, ...detail, ...smaller, contours, ...others, ...tiles, heights, cells];
  if (kind === 'invented' || kind === 'false-door') return [...exact, ...tiles, ...others, heights, cells, ...detail];
  const first = code === 'region-small' ? [regions] : code === 'simplified' ? [contours] : [ledges];
  return [...exact, ...first, ...tiles, ...smaller, heights, ...others, contours, regions, cells].filter(
    (change, i, all) => all.indexOf(change) === i,
  );
}

/** Returns the changes for polygons that are too large to follow the ground. */
export function listLargeChanges(cellSize: number): Change[] {
  return [
    {
      options: { tileSize: rounded(64 * cellSize) },
      cause: 'detail: a polygon is so large that its heights are sampled too sparsely.',
    },
  ];
}

/** Rounds to six digits, as the remedy shows it. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** Returns options as text: `cellSize: 0.1, cellHeight: 0.05`. */
export function textOfChange({ options }: Change): string {
  return Object.entries(options)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : String(value)}`)
    .join(', ');
}
