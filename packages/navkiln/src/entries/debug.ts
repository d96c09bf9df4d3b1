/**
 * `navkiln/debug`: pictures, debug geometry, explanations, crowd measurements, reports and validation. Larger
 * than the other entries; not needed at run time.
 */
export * as crowdRuns from './groups/crowd-runs.ts';
export * as stageDrawings from './groups/stage-drawings.ts';
export type { NavkilnDriver } from '../show/crowd/driver.ts';
export type { CrowdFrame, CrowdMetrics, CrowdMetricsOptions, CrowdReport } from '../show/crowd/metrics.ts';
export type {
  CrowdRun,
  CrowdRunOptions,
  CrowdRunResult,
  CrowdSceneAgent,
  CrowdSceneLink,
  CrowdSceneStep,
  CrowdSetup,
} from '../show/crowd/types.ts';
export type { CrowdDriver, CrowdWorld } from '../show/crowd/types.ts';
export type { CrowdSvgInput, CrowdTrail } from '../show/crowd/svg.ts';
export { formatReport } from '../show/report.ts';
export { sceneSvg } from '../show/svg/svg.ts';
export type { SceneSvgInput } from '../show/svg/svg.ts';
export { polygonSvg } from '../show/svg/polygon.ts';
export type { PolygonSvgInput } from '../show/svg/polygon.ts';
export type { LevelTriangles } from '../show/svg/level.ts';
export { rgba } from '../show/draw/geometry.ts';
export type { DebugGeometry, DebugGeometryOptions, Rgba } from '../show/draw/geometry.ts';
export { navMeshOutlines, navMeshTriangles } from '../show/draw/mesh.ts';
export type { OutlineOptions, TriangleOptions } from '../show/draw/mesh.ts';
export { navMeshPortals } from '../show/draw/connections.ts';
export * as lineDrawings from './groups/line-drawings.ts';
export { explainPosition } from '../show/explain/position.ts';
export type { PositionCode, PositionExplanation } from '../show/explain/cause.ts';
export { createLimitExplainer, explainAgentLimits } from '../show/explain/limits.ts';
export type { AgentLimit, AgentLimitsExplanation } from '../show/explain/limits.ts';
export { explainMapPosition } from '../show/explain/map.ts';
export type { MapCode, MapExplanation } from '../show/explain/map.ts';
export type { MapBuild } from '../show/stage/map.ts';
export type { StageInfo, StageView, StageViewOptions } from '../show/stage/views.ts';
export type { VoxelList, VoxelOptions } from '../show/stage/voxels.ts';
export { recordStages } from '../show/stage/records.ts';
export type { StageRecords, StageTriangles } from '../show/stage/records.ts';
export { recordOptimalSearch } from '../show/optimal-search.ts';
export type { OptimalSearchNode, OptimalSearchRecord } from '../show/optimal-search.ts';
export { levelTriangles } from '../show/draw/level.ts';
export type { LevelTrianglesOptions } from '../show/draw/level.ts';
export type { CompactOptions, ContourOptions, StageOptions } from '../show/draw/stages.ts';
export { pathLines } from '../show/draw/marks.ts';
export type { AgentLinesOptions, NormalOptions, PathLineOptions, TreeOptions } from '../show/draw/marks.ts';
export { explainFaults } from '../show/verify/causes/explain-faults.ts';
export { explainMapFaults } from '../show/verify/causes/explain-map.ts';
export { explainSurfaceFaults } from '../show/verify/causes/explain-surface.ts';
export type { ExplainFaultsOptions } from '../show/verify/causes/explain-faults.ts';
export { verifyNavMesh } from '../show/verify/verify.ts';
export type {
  FaultKind,
  FaultPlace,
  VerifyFigures,
  VerifyMargins,
  VerifyOptions,
  VerifyResult,
  VerifyWarning,
  VerifyWarningCode,
} from '../show/verify/types.ts';
export { validateCorridor } from '../agents/corridor/validate.ts';
export { validateNavMesh } from '../mesh/validate.ts';
export type { ViolationCode } from '../mesh/check/report.ts';
export type { Violation } from '../mesh/validate.ts';
export type { StageViolation, StageViolationCode } from '../build/voxel/validate/violations.ts';
export { diagnoseBake } from '../show/diagnose/diagnose.ts';
export { measureBake } from '../show/diagnose/measure.ts';
export type { BakeMeasures, UnitGuess } from '../show/diagnose/measure.ts';
export type { ClosedRoom } from '../show/diagnose/closed-rooms.ts';
export type { IslandGap } from '../show/diagnose/island-gaps.ts';
export type { BakeDiagnosis, BakeFinding, BakeFindingCode } from '../show/diagnose/types.ts';
export type { StageAreas } from '../show/diagnose/trial.ts';
export { explainEmptySurface } from '../show/diagnose/empty/surface.ts';
