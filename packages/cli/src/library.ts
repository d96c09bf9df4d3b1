/** The one place where the library's runtime, bake and debug entries are taken in. */
export { explainPath, findNearest, findOptimalPath, findPath, findSmoothPath, loadNavMesh, saveNavMesh } from 'navkiln';
export type { NavMesh } from 'navkiln';
export { buildNavMesh } from 'navkiln/build';
export type { BuildOptions, BuildReport } from 'navkiln/build';
export { polygonSvg, sceneSvg, validateNavMesh } from 'navkiln/debug';
export { buildFromPolygons, findPath2d, guessMapFormat, parseGeoJson, parsePolygonMap, parseTiled } from 'navkiln/polygon';
export type { GeoJsonMap, ParsedMap, ParsedMapWarning, PolygonBuild, PolygonReport } from 'navkiln/polygon';
export { parseDetourBin, writeDetourBin, writeGlb, writeObj } from 'navkiln/io';
