/**
 * `navkiln/debug`: pictures, reports and validation. Not needed at run time; larger than the rest.
 */
export { formatReport } from './debug/report.ts';
export { sceneSvg } from './debug/svg.ts';
export type { SceneSvgInput } from './debug/svg.ts';
export { polygonSvg } from './debug/svg-polygon.ts';
export type { PolygonSvgInput } from './debug/svg-polygon.ts';
export type { LevelTriangles } from './debug/svg-level.ts';
export { validateNavMesh } from './navmesh/validate.ts';
export type { Violation, ViolationCode } from './navmesh/validate.ts';
export { validateCompactField } from './voxel/validate-compact-field.ts';
export { validateContourSet } from './voxel/validate-contour-set.ts';
export { validateDetailMesh } from './voxel/validate-detail-mesh.ts';
export { validateHeightfield } from './voxel/validate-heightfield.ts';
export { validatePolyMesh } from './voxel/validate-poly-mesh.ts';
export type { StageViolation, StageViolationCode } from './voxel/violations.ts';
