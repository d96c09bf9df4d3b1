/**
 * `navkiln/build`: bakes navigation meshes from level triangles, whole, by tiles or stage by stage, and builds surface
 * meshes. ARCHITECTURE.md lists the stages.
 */
export { bakeNavMesh, buildNavMesh, buildPreparedTile, buildTile, prepareTiles, resolveBake } from './voxel/build.ts';
export { buildNavMeshes } from './voxel/build-many.ts';
export type { ReachKeeper, ReachWarning } from './navmesh/reach-keeper.ts';
export type { SizedMesh } from './voxel/build-many.ts';
export { createAgentSizes } from './voxel/sizes/create.ts';
export { createObstacles } from './voxel/create-obstacles.ts';
export { BUILD_STAGES } from './voxel/options.ts';
export type { PreparedTiles } from './voxel/build-tile.ts';
export type { EmptyCause, EmptyReason } from './data/empty-reason.ts';
export { createWorkspace, workspaceBytes } from './data/workspace.ts';
export type { Workspace } from './data/workspace.ts';
export { prepareInput } from './voxel/input.ts';
export { AGENT_DEFAULTS } from './voxel/config.ts';
export { spanArea, spanBottom, spanTop } from './voxel/types.ts';
export type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from './voxel/types.ts';
export type { PreparedInput } from './voxel/input.ts';
export type {
  AgentSize,
  AgentSizes,
  AreaVolume,
  BuildOptions,
  BuildProgress,
  Obstacles,
  TriangleInput,
} from './voxel/options.ts';
export type { BakeConfig, Partition } from './voxel/bake-config.ts';
export type { BuildReport, BuildResult, BuildWarning, BuildWarningCode } from './voxel/report.ts';
export { buildFromSurface } from './surface/build.ts';
export { SURFACE_AGENT, SURFACE_STAGES } from './surface/options.ts';
export type {
  SurfaceBuild,
  SurfaceConfig,
  SurfaceLevel,
  SurfaceOptions,
  SurfaceReport,
  SurfaceStage,
  SurfaceWarning,
  SurfaceWarningCode,
} from './surface/options.ts';
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
} from './voxel/stages.ts';
