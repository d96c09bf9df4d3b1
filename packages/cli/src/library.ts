/** The one place where the library's runtime, bake and debug entries are taken in. */
export { explainPath, findNearest, findPath, findSmoothPath, loadNavMesh, saveNavMesh } from 'navkiln';
export type { NavMesh } from 'navkiln';
export { buildNavMesh } from 'navkiln/build';
export type { BuildOptions, BuildReport } from 'navkiln/build';
export { sceneSvg, validateNavMesh } from 'navkiln/debug';
export { parseDetourBin, writeDetourBin, writeGlb, writeObj } from 'navkiln/io';
