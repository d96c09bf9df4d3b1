/** `navkiln/polygon`: 2D maps to a NavMesh, and every stage of it. An explicit list; see ARCHITECTURE.md for the stages. */
export { buildFromPolygons } from './polygon/build.ts';
export { cleanPolygons } from './polygon/clean.ts';
export { mergeTriangles } from './polygon/merge.ts';
export { shrinkGround } from './polygon/offset.ts';
export { POLYGON_DEFAULTS, POLYGON_STAGES, resolvePolygonOptions } from './polygon/options.ts';
export { readPolygonMap } from './polygon/rings.ts';
export { tileFromPieces } from './polygon/tile.ts';
export { findWindings, triangulateRings } from './polygon/triangulate.ts';
export type {
  MapPolygon, PolygonBuild, PolygonConfig, PolygonMap, PolygonMesh, PolygonOptions, PolygonReport, PolygonRing, PolygonStage,
  PolygonStageRecords, PolygonWarning, PolygonWarningCode,
} from './polygon/options.ts';
export type { GridMap, GridPoint, GridRing } from './polygon/rings.ts';
export type { ConvexPieces, GridFrame, Rings, Triangulation } from './polygon/types.ts';
