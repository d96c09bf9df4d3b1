/**
 * Runs navkiln's stages one by one, as `buildNavMesh` does, and records the output of each. `change` sets
 * config values that options cannot set (the border around a tile).
 */
import { markVolume, medianFilterAreas } from '../../src/build/voxel/field/areas.ts';
import { buildCompactField } from '../../src/build/voxel/field/compact.ts';
import { resolveConfig } from '../../src/build/voxel/config.ts';
import { buildContours } from '../../src/build/voxel/contours/contours.ts';
import { buildDetailMesh } from '../../src/build/voxel/detail/detail.ts';
import { buildDistanceField } from '../../src/build/voxel/field/distance.ts';
import { erodeArea } from '../../src/build/voxel/field/erode.ts';
import { filterSpans } from '../../src/build/voxel/field/filter.ts';
import { markBySlope, prepareInput } from '../../src/build/voxel/input.ts';
import type { BakeConfig } from '../../src/build/voxel/bake-config.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';
import { buildPolyMesh } from '../../src/build/voxel/polymesh/polymesh.ts';
import { rasterize } from '../../src/build/voxel/rasterize/rasterize.ts';
import { rebaseVolume } from '../../src/build/voxel/rebase.ts';
import { buildRegions } from '../../src/build/voxel/regions/build.ts';
import type { CompactField } from '../../src/build/voxel/types.ts';
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
  for (const volume of options.volumes?.list ?? []) markVolume(field, rebaseVolume(volume, config.offset));
  records.markedArea = field.area.slice();
  if (config.partition === 'watershed') {
    buildDistanceField(field);
    records.distance = field.distance.slice();
    records.maxDistance = field.maxDistance;
  }
  buildRegions(field, config, options.partition);
  records.region = field.region.slice();
  records.regionCount = field.regionCount;
  records.contours = buildContours(field, config);
  records.polyMesh = buildPolyMesh(records.contours, config);
  records.detail = buildDetailMesh(records.polyMesh, field, config);
  return { config, records };
}
