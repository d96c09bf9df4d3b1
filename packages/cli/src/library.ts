/** The one place where the library's runtime, bake and debug entries are taken in. */
export {
  createRandom, explainPath, findNearest, findOptimalPath, findPath, findRandomPoint, findSmoothPath, loadNavMesh, saveNavMesh,
} from 'navkiln';
export type { NavMesh } from 'navkiln';
export { buildFromSurface, buildNavMesh } from 'navkiln/build';
export type { BuildOptions, BuildReport, SurfaceBuild, SurfaceReport } from 'navkiln/build';
export {
  createCrowdTrail, createCrowdWorld, crowdSvg, finishCrowdRun, listBrokenPromises, noteCrowdTrail, polygonSvg, sceneSvg,
  startCrowdRun, stepCrowdRun, validateNavMesh,
} from 'navkiln/debug';
export type { CrowdRun, CrowdRunResult, CrowdSetup, CrowdWorld } from 'navkiln/debug';
export { buildFromPolygons, findPath2d, guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from 'navkiln/polygon';
export type { GeoJsonMap, ParsedMap, ParsedMapWarning, PolygonBuild, PolygonReport } from 'navkiln/polygon';
export { parseDetourBin, writeDetourBin, writeGlb, writeObj } from 'navkiln/io';
