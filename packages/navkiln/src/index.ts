/**
 * navkiln, the runtime: meshes, queries, load and save. The bake is in `navkiln/build`, validation in `navkiln/debug`.
 */
export { AREA_COUNT, AREA_GROUND, AREA_NONE, FLAG_WALK, HEURISTIC_SCALE } from './constants.ts';
export { createNavMesh } from './navmesh/create.ts';
export type { NavMeshOptions } from './navmesh/create.ts';
export {
  MAX_GENERATION, MAX_POLYS_PER_TILE, MAX_TILE_SLOTS, NULL_REF, decodeRef, encodeRef, polyIndexOf, refOf,
} from './navmesh/ref.ts';
export type { DecodedRef } from './navmesh/ref.ts';
export { findTile } from './navmesh/tile-grid.ts';
export { addTile, removeTile } from './navmesh/tiles.ts';
export type { AgentShape, NavMesh, PolyRef, TileData } from './navmesh/types.ts';
