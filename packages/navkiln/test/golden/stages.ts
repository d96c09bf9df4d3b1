/**
 * Runs navkiln's stages one by one, as `buildNavMesh` does, and records the output of each. `change` sets
 * config values that options cannot set (the border around a tile).
 */
import { markVolume, medianFilterAreas } from '../../src/voxel/areas.ts';
import { buildCompactField } from '../../src/voxel/compact.ts';
import { resolveConfig } from '../../src/voxel/config.ts';
import { buildContours } from '../../src/voxel/contours.ts';
import { buildDetailMesh } from '../../src/voxel/detail.ts';
import { buildDistanceField } from '../../src/voxel/distance.ts';
import { erodeArea } from '../../src/voxel/erode.ts';
import { filterSpans } from '../../src/voxel/filter.ts';
import { markBySlope, prepareInput } from '../../src/voxel/input.ts';
import type { BakeConfig } from '../../src/voxel/bake-config.ts';
import type { BuildOptions, TriangleInput } from '../../src/voxel/options.ts';
import { buildPolyMesh } from '../../src/voxel/polymesh.ts';
import { rasterize } from '../../src/voxel/rasterize.ts';
import { rebaseVolume } from '../../src/voxel/rebase.ts';
import { buildRegions } from '../../src/voxel/regions/build.ts';
import type { CompactField } from '../../src/voxel/types.ts';
import type { StageRecords } from '../oracle/records.ts';

export function runNavkiln(
  input: TriangleInput,
  options: BuildOptions,
  change: Partial<BakeConfig> = {},
): { config: BakeConfig; records: StageRecords } {
  const prepared = prepareInput(input, options.bounds);
  const config: BakeConfig = { ...resolveConfig(prepared, options), ...change };
  const { areas } = markBySlope(prepared, config.maxSlopeDegrees);
  const records: StageRecords = {};

  const solid = rasterize(prepared.positions, prepared.indices, areas, config);
  records.rasterized = { ...solid, spans: solid.spans.slice() };
  filterSpans(solid, config);
  records.filtered = solid;

  const field: CompactField = buildCompactField(solid, config);
  records.compact = { ...field, area: field.area.slice() };
  erodeArea(field, config.walkableRadiusCells);
  records.erodedArea = field.area.slice();
  if (config.medianAreas) medianFilterAreas(field);
  for (const volume of options.volumes ?? []) markVolume(field, rebaseVolume(volume, config.offset));
  records.markedArea = field.area.slice();
  if (config.partition === 'watershed') {
    buildDistanceField(field);
    records.distance = field.distance.slice();
    records.maxDistance = field.maxDistance;
  }
  buildRegions(field, config, config.regionMinAreaCells);
  records.region = field.region.slice();
  records.regionCount = field.regionCount;
  records.contours = buildContours(field, config);
  records.polyMesh = buildPolyMesh(records.contours, config);
  records.detail = buildDetailMesh(records.polyMesh, field, config);
  return { config, records };
}
