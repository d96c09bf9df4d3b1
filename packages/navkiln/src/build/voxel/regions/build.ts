/**
 * Builds the regions of a field by the configured method, and cuts those that lie above themselves.
 *
 * In: CompactField with areas; for watershed also with distances. Out: `region` (1 .. regionCount, 0: none).
 * Cost: that of the method.
 * Based on: own.
 */
import type { Workspace } from '../../../base/data/workspace.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { CompactField } from '../types.ts';
import { buildRegionsLayers } from './layers.ts';
import { buildRegionsMonotone } from './monotone.ts';
import { cutOverlaps } from './overlaps.ts';
import type { Stacked } from './stacked.ts';
import { buildRegionsWatershed } from './watershed.ts';

/** Builds the regions of a field. `minArea`: pieces of surface with fewer spans are dropped. */
export function buildRegions(field: CompactField, config: BakeConfig, minArea: number, workspace?: Workspace): void {
  const { partition, regionMergeAreaCells, recast } = config;
  let stacked: Stacked | undefined;
  if (partition === 'layers') buildRegionsLayers(field, minArea, workspace, recast);
  else if (partition === 'monotone') stacked = buildRegionsMonotone(field, minArea, regionMergeAreaCells, workspace);
  else stacked = buildRegionsWatershed(field, minArea, regionMergeAreaCells, workspace);
  if (!recast) cutOverlaps(field, stacked);
}
