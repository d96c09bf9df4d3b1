/**
 * Builds regions of monotone strips: fast and without holes, but long and thin.
 *
 * In: CompactField with areas. Out: `region` (1 .. regionCount, 0: none).
 * Cost: a few passes over the spans.
 * Based on: Mikko Mononen, Recast (2009), rcBuildRegionsMonotone.
 */
import { createWorkspace } from '../../../base/data/workspace.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { takeSlot } from '../memory.ts';
import type { PartitionMethod } from '../options.ts';
import { mergeSmallRegions } from './merge.ts';
import { sweepRows } from './sweep.ts';
import type { CompactField, Stacked } from '../types.ts';

/**
 * Builds the regions of a field from monotone strips. Returns which of them touch and share a column.
 *
 * @param minArea, mergeArea in spans, see `mergeSmallRegions`
 */
export function buildRegionsMonotone(
  field: CompactField,
  minArea: number,
  mergeArea: number,
  workspace: Workspace = createWorkspace(),
): Stacked {
  const region = takeSlot(workspace, 'field.region', field.spanCount).fill(0);
  const idCount = sweepRows(field, region);
  field.region = region;
  return mergeSmallRegions(field, region, idCount, minArea, mergeArea);
}

/** The partition `monotone`: fast and without holes, but long thin regions. */
export const monotonePartition: PartitionMethod = {
  name: 'monotone',
  build: (field, minArea, { regionMergeAreaCells }, workspace) =>
    buildRegionsMonotone(field, minArea, regionMergeAreaCells, workspace),
};
