/** `mapStages` of `navkiln/polygon`: a 2D map to a mesh, stage by stage. */
export { cleanPolygons } from '../../build/polygon/clean.ts';
export { mergeTriangles } from '../../build/polygon/merge.ts';
export { insetWalkable } from '../../build/polygon/offset.ts';
export { resolvePolygonOptions } from '../../build/polygon/options.ts';
export { readPolygonMap } from '../../build/polygon/rings.ts';
export { tileFromPieces } from '../../build/polygon/tile.ts';
export { findWindings, triangulateRings } from '../../base/plane/triangulate.ts';
