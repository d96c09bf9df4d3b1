/** The library functions that commands and scene files use. Level loaders import `navkiln/io` directly. */
export {
  NULL_REF,
  addLink,
  createRandom,
  explainPath,
  findMidpointPath,
  findNearest,
  findOptimalPath,
  findPath,
  findRandomPoint,
  findSmoothPath,
  getLink,
  loadNavMesh,
  nextRandom,
  saveNavMesh,
} from 'navkiln';
export type { LinkRef, NavMesh, PathExplanation, PathOptions, Random } from 'navkiln';
export { buildFromSurface, buildNavMesh } from 'navkiln/build';
export type {
  BuildOptions,
  BuildReport,
  EmptyReason,
  SurfaceBuild,
  SurfaceOptions,
  SurfaceReport,
} from 'navkiln/build';
export {
  AGENT_STATUSES,
  createCrowd,
  getAgent,
  hashCrowd,
  moveAgentTo,
  setLinkTraffic,
  stopAgent,
} from 'navkiln/crowd';
export type { AgentId, AgentInfo, Crowd } from 'navkiln/crowd';
export {
  BODY_ARRIVED,
  BODY_GAVE_UP,
  BODY_GONE,
  BODY_MOVING,
  BODY_ON_LINK,
  BODY_QUEUEING,
  BODY_SETTLED,
  createCrowdTrail,
  createCrowdWorld,
  crowdSvg,
  finishCrowdRun,
  isAtRest,
  listBrokenPromises,
  noteCrowdTrail,
  polygonSvg,
  sceneSvg,
  startCrowdRun,
  stepCrowdRun,
  validateNavMesh,
} from 'navkiln/debug';
export type { CrowdDriver, CrowdRun, CrowdRunResult, CrowdSetup, CrowdWorld } from 'navkiln/debug';
export {
  buildFromPolygons,
  findPath2d,
  guessMapFormat,
  mapToMesh,
  meshToMap,
  parseGeoJson,
  parsePolygonMap,
  parseTiled,
} from 'navkiln/polygon';
export type {
  GeoJsonMap,
  ParsedMap,
  ParsedMapWarning,
  PolygonBuild,
  PolygonOptions,
  PolygonReport,
} from 'navkiln/polygon';
export { parseDetourBin, writeDetourBin, writeGlb, writeObj } from 'navkiln/io';
export {
  addCharacter,
  addTarget,
  clearTarget,
  createCharacters,
  createTargets,
  followTarget,
  isMirrored,
  orientTwoSided,
  placePositions,
  placementMatrix,
  removeCharacter,
  removeTarget,
  setTargetPosition,
  stepCharacters,
} from 'navkiln/world';
export type { CharacterEventKind, CharacterSet, TargetId, Targets } from 'navkiln/world';
