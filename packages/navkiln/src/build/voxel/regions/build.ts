/**
 * Builds the regions of a field by a method, and cuts those that lie above themselves.
 *
 * In: CompactField with areas; for watershed also with distances. Out: `region` (1 .. regionCount, 0: none).
 * Cost: that of the method.
 * Based on: own.
 */
import type { Workspace } from '../../../base/data/workspace.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { BuildOptions } from '../options.ts';
import type { CompactField } from '../types.ts';
import { cutOverlaps } from './overlaps.ts';
import { buildRegionsWatershed } from './watershed.ts';

/** Builds the regions of a field. `minArea`: pieces of surface with fewer spans are dropped. */
export function buildRegions(
  field: CompactField,
  config: BakeConfig,
  partition: BuildOptions['partition'] = 'watershed',
  minArea: number = config.regionMinAreaCells,
  workspace?: Workspace,
): void {
  const stacked =
    partition === 'watershed'
      ? buildRegionsWatershed(field, minArea, config.regionMergeAreaCells, workspace)
      : partition.build(field, minArea, config, workspace);
  if (!config.recast) cutOverlaps(field, stacked);
}
