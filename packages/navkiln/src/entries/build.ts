/**
 * `navkiln/build`: bakes navigation meshes from level triangles, whole, by tiles or stage by stage, and builds surface
 * meshes. ARCHITECTURE.md lists the stages.
 */
export {
  bakeNavMesh,
  buildNavMesh,
  buildPreparedTile,
  buildTile,
  prepareTiles,
  resolveBake,
} from '../build/voxel/build.ts';
export { buildNavMeshes } from '../build/voxel/build-many.ts';
export type { ReachKeeper, ReachWarning } from '../mesh/reach-keeper.ts';
export type { SizedMesh } from '../build/voxel/build-many.ts';
export { createAgentSizes } from '../build/voxel/sizes/create.ts';
export { createVolumes } from '../build/voxel/volumes.ts';
export { createLinks } from '../build/voxel/link-list.ts';
export { optionsFromSettings } from '../build/voxel/settings.ts';
export type { BuildSettings } from '../build/voxel/plain-options.ts';
export { dynamicLayers } from '../build/voxel/obstacles/baked-layers.ts';
export { layersPartition } from '../build/voxel/regions/layers.ts';
export { monotonePartition } from '../build/voxel/regions/monotone.ts';
export { createObstacles } from '../build/voxel/obstacles/create-obstacles.ts';
export type { PreparedTiles } from '../build/voxel/build-tile.ts';
export type { EmptyCause, EmptyReason } from '../base/data/empty-reason.ts';
export { createWorkspace, workspaceBytes } from '../base/data/workspace.ts';
export * as bakeStages from './groups/bake-stages.ts';
export type { Workspace } from '../base/data/workspace.ts';
export type { CompactField, ContourSet, DetailMesh, Heightfield, PolyMesh } from '../build/voxel/types.ts';
export type { PreparedInput } from '../build/voxel/input.ts';
export type {
  AgentSize,
  AgentSizes,
  AreaVolume,
  AreaVolumes,
  BakeLinks,
  BuildOptions,
  BuildProgress,
  LayerKeeper,
  Obstacles,
  PartitionMethod,
  TriangleInput,
} from '../build/voxel/options.ts';
export type { BakeConfig, Partition } from '../build/voxel/bake-config.ts';
export type { BuildReport, BuildResult, BuildWarning, BuildWarningCode } from '../build/voxel/report.ts';
export { buildFromSurface } from '../build/surface/build.ts';
export type {
  SurfaceBuild,
  SurfaceConfig,
  SurfaceLevel,
  SurfaceOptions,
  SurfaceReport,
  SurfaceStage,
  SurfaceWarning,
  SurfaceWarningCode,
} from '../build/surface/options.ts';
