/** `bakeStages` of `navkiln/build`: the bake stage by stage, how to read its spans, and checks of its records. */
export { prepareInput } from '../../build/voxel/input.ts';
export { spanArea, spanBottom, spanTop } from '../../build/voxel/types.ts';
export {
  buildCompactField,
  buildContours,
  buildDetailMesh,
  buildDistanceField,
  buildPolyMesh,
  buildRegionsLayers,
  buildRegionsMonotone,
  buildRegionsWatershed,
  countWalkableSpans,
  createTileData,
  erodeArea,
  filterLedges,
  filterLowCeilings,
  filterLowHangingObstacles,
  filterSpans,
  markBySlope,
  markVolume,
  medianFilterAreas,
  rasterize,
  resolveConfig,
  splitConcavePolys,
} from '../../build/voxel/stages.ts';
export { validateCompactField } from '../../build/voxel/validate/compact-field.ts';
export { validateContourSet } from '../../build/voxel/validate/contour-set.ts';
export { validateDetailMesh } from '../../build/voxel/validate/detail-mesh.ts';
export { validateHeightfield } from '../../build/voxel/validate/heightfield.ts';
export { validatePolyMesh } from '../../build/voxel/validate/poly-mesh.ts';
