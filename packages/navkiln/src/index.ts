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
export { addLink, getLink, linkIndexOf, linkRefOf, listLinks, removeLink, setLinkEnabled } from './navmesh/links.ts';
export type { LinkEnd, LinkInfo, LinkOptions } from './navmesh/links.ts';
export { loadNavMesh } from './navmesh/load.ts';
export { saveNavMesh } from './navmesh/save.ts';
export { findTile } from './navmesh/tile-grid.ts';
export { addTile, removeTile } from './navmesh/tiles.ts';
export type { AgentShape, LinkRef, NavMesh, PolyRef, TileData } from './navmesh/types.ts';
export { createCorridor, findCorridor } from './query/a-star.ts';
export type { Corridor, CorridorOutcome } from './query/a-star.ts';
export { createFilter } from './query/filter.ts';
export type { FilterOptions, QueryFilter } from './query/filter.ts';
export { createPathBuffer, findPath, findPathInto } from './query/find-path.ts';
export type { Path, PathBuffer, PathOptions, PathReason, PathStatus } from './query/find-path.ts';
export { createPathLine, pullString } from './query/funnel.ts';
export type { PathLine } from './query/funnel.ts';
export { getHeight } from './query/height.ts';
export { createNearestHit, defaultHalfExtents, findNearest, findNearestInto } from './query/nearest.ts';
export type { NearestHit, NearestOptions, NearestResult } from './query/nearest.ts';
export type { PointLike } from './query/point.ts';
export { createSearchState } from './query/search-state.ts';
export type { SearchState } from './query/search-state.ts';
