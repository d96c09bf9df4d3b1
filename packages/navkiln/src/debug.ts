/**
 * `navkiln/debug`: pictures, reports and validation. Not needed at run time; larger than the rest.
 */
export { formatReport } from './debug/report.ts';
export { sceneSvg } from './debug/svg.ts';
export type { SceneSvgInput } from './debug/svg.ts';
export type { LevelTriangles } from './debug/svg-level.ts';
export { validateNavMesh } from './navmesh/validate.ts';
export type { Violation, ViolationCode } from './navmesh/validate.ts';
