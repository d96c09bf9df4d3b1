/**
 * `navkiln/debug`: pictures, debug geometry, explanations, crowd measurements, reports and validation. Larger
 * than the other entries; not needed at run time.
 */
export { createCrowdDriver } from './debug/crowd/driver.ts';
export type { NavkilnDriver } from './debug/crowd/driver.ts';
export {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_IDLE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
  createCrowdMetrics,
  isAtRest,
  listBrokenPromises,
  noteCrowdOrder,
  recordCrowdTick,
  summarizeCrowd,
} from './debug/crowd/metrics.ts';
export type { CrowdFrame, CrowdMetrics, CrowdMetricsOptions, CrowdReport } from './debug/crowd/metrics.ts';
export { createCrowdWorld, finishCrowdRun, runCrowdScene, startCrowdRun, stepCrowdRun } from './debug/crowd/run.ts';
export type {
  CrowdRun,
  CrowdRunOptions,
  CrowdRunResult,
  CrowdSceneAgent,
  CrowdSceneLink,
  CrowdSceneStep,
  CrowdSetup,
} from './debug/crowd/types.ts';
export type { CrowdDriver, CrowdWorld } from './debug/crowd/types.ts';
export { createCrowdTrail, crowdSvg, noteCrowdTrail } from './debug/crowd/svg.ts';
export type { CrowdSvgInput, CrowdTrail } from './debug/crowd/svg.ts';
export { formatReport } from './debug/report.ts';
export { sceneSvg } from './debug/svg/svg.ts';
export type { SceneSvgInput } from './debug/svg/svg.ts';
export { polygonSvg } from './debug/svg/polygon.ts';
export type { PolygonSvgInput } from './debug/svg/polygon.ts';
export type { LevelTriangles } from './debug/svg/level.ts';
export { numberColor, rgba } from './debug/draw/geometry.ts';
export type { DebugGeometry, DebugGeometryOptions, Rgba } from './debug/draw/geometry.ts';
export { navMeshOutlines, navMeshTriangles } from './debug/draw/mesh.ts';
export type { OutlineOptions, TriangleOptions } from './debug/draw/mesh.ts';
export { linksLines, navMeshPortals, neighborsOfPoly } from './debug/draw/connections.ts';
export { explainPosition } from './debug/explain/position.ts';
export type { PositionCode, PositionExplanation } from './debug/explain/cause.ts';
export { createLimitExplainer, explainAgentLimits } from './debug/explain/limits.ts';
export type { AgentLimit, AgentLimitsExplanation } from './debug/explain/limits.ts';
export { explainMapPosition } from './debug/explain/map.ts';
export type { MapCode, MapExplanation } from './debug/explain/map.ts';
export { listMapStages, viewMapStage } from './debug/stage/map.ts';
export type { MapBuild } from './debug/stage/map.ts';
export { listStages, viewStage } from './debug/stage/views.ts';
export type { StageInfo, StageView, StageViewOptions } from './debug/stage/views.ts';
export { voxelBoxes, voxelFloors } from './debug/stage/voxels.ts';
export type { VoxelList, VoxelOptions } from './debug/stage/voxels.ts';
export { recordStages, tileOfPlace } from './debug/stage/records.ts';
export type { StageRecords, StageTriangles } from './debug/stage/records.ts';
export { recordOptimalSearch } from './debug/optimal-search.ts';
export type { OptimalSearchNode, OptimalSearchRecord } from './debug/optimal-search.ts';
export { boxLines, levelTriangles } from './debug/draw/level.ts';
export type { LevelTrianglesOptions } from './debug/draw/level.ts';
export { compactFloors, contourLines, solidSpans } from './debug/draw/stages.ts';
export type { CompactOptions, ContourOptions, StageOptions } from './debug/draw/stages.ts';
export { agentLines, bvTreeBoxes, pathLines, polyNormals } from './debug/draw/marks.ts';
export type { AgentLinesOptions, NormalOptions, PathLineOptions, TreeOptions } from './debug/draw/marks.ts';
export { explainFaults } from './debug/verify/causes/explain-faults.ts';
export { explainMapFaults } from './debug/verify/causes/explain-map.ts';
export { explainSurfaceFaults } from './debug/verify/causes/explain-surface.ts';
export type { ExplainFaultsOptions } from './debug/verify/causes/explain-faults.ts';
export { faultLines } from './debug/verify/lines.ts';
export { verifyNavMesh } from './debug/verify/verify.ts';
export type {
  FaultKind,
  FaultPlace,
  VerifyFigures,
  VerifyMargins,
  VerifyOptions,
  VerifyResult,
  VerifyWarning,
  VerifyWarningCode,
} from './debug/verify/types.ts';
export { validateCorridor } from './corridor/validate.ts';
export { validateNavMesh } from './navmesh/validate.ts';
export type { ViolationCode } from './navmesh/check/report.ts';
export type { Violation } from './navmesh/validate.ts';
export { validateCompactField } from './voxel/validate/compact-field.ts';
export { validateContourSet } from './voxel/validate/contour-set.ts';
export { validateDetailMesh } from './voxel/validate/detail-mesh.ts';
export { validateHeightfield } from './voxel/validate/heightfield.ts';
export { validatePolyMesh } from './voxel/validate/poly-mesh.ts';
export type { StageViolation, StageViolationCode } from './voxel/validate/violations.ts';
export { diagnoseBake } from './debug/diagnose/diagnose.ts';
export { measureBake } from './debug/diagnose/measure.ts';
export type { BakeMeasures, UnitGuess } from './debug/diagnose/measure.ts';
export type { ClosedRoom } from './debug/diagnose/closed-rooms.ts';
export type { BakeDiagnosis, BakeFinding, BakeFindingCode } from './debug/diagnose/types.ts';
export type { StageAreas } from './debug/diagnose/trial.ts';
export { explainEmptySurface } from './debug/diagnose/empty/surface.ts';
