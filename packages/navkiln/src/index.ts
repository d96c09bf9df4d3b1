/**
 * navkiln, the runtime: meshes, queries, load and save. The bake is in `navkiln/build`, validation in `navkiln/debug`.
 */
export { AREA_COUNT, AREA_GROUND, AREA_NONE, FLAG_WALK, HEURISTIC_SCALE } from './constants.ts';
export { createRandom, drawInto, nextRandom, nextUint32 } from './data/random.ts';
export type { Random, RandomSource } from './data/random.ts';
export type { PointLike } from './math/point.ts';
export { createNavMesh } from './navmesh/create.ts';
export type { NavMeshOptions } from './navmesh/create.ts';
export {
  MAX_GENERATION,
  MAX_POLYS_PER_TILE,
  MAX_TILE_SLOTS,
  NULL_REF,
  decodeRef,
  encodeRef,
  polyIndexOf,
  refOf,
} from './navmesh/ref.ts';
export type { DecodedRef } from './navmesh/ref.ts';
export { areOnOneIsland, refreshIslands } from './navmesh/islands.ts';
export { addLink, getLink, linkIndexOf, linkRefOf, listLinks, removeLink, setLinkEnabled } from './navmesh/links.ts';
export type { LinkEnd, LinkInfo, LinkOptions } from './navmesh/links.ts';
export { loadNavMesh } from './navmesh/load.ts';
export { saveNavMesh } from './navmesh/save.ts';
export { findTile } from './navmesh/tile-grid.ts';
export { addTile, removeTile } from './navmesh/tiles.ts';
export type { AgentShape, LinkRef, NavMesh, PolyRef, TileData, TileSettings } from './navmesh/types.ts';
export { findCorridor } from './query/path/a-star.ts';
export { createCorridor } from './query/path/corridor.ts';
export type { Corridor, CorridorOutcome } from './query/path/corridor.ts';
export { getArea, getFlags, restoreFlags, restoreTileState, saveTileState, setArea, setFlags } from './query/area.ts';
export type { FlagsBackup, TileState } from './query/area.ts';
export { explainPath } from './query/explain/explain.ts';
export type { BlockExplanation, EndExplanation, GapExplanation, PathExplanation } from './query/explain/explain.ts';
export { createFilter } from './query/filter.ts';
export type { FilterOptions, QueryFilter } from './query/filter.ts';
export { createPathBuffer, findPath, findPathInto } from './query/path/find-path.ts';
export type { Path, PathBuffer, PathOptions, PathReason, PathStatus } from './query/path/find-path.ts';
export { createFlood, createFloodBounds, createFloodState, floodInto } from './query/flood/flood.ts';
export type { Flood, FloodBounds, FloodState } from './query/flood/flood.ts';
export { pullString } from './query/path/funnel.ts';
export { createPathLine } from './query/path/path-line.ts';
export type { PathLine } from './query/path/path-line.ts';
export {
  createGroundSampler,
  createRandomHit,
  drawPointInto,
  sampleFlood,
  sampleMesh,
} from './query/random/ground-sampler.ts';
export type { GroundSampler, RandomHit } from './query/random/ground-sampler.ts';
export { getHeight } from './query/height.ts';
export { findIslands } from './query/islands.ts';
export type { Island, Islands } from './query/islands.ts';
export { findNearestOf } from './query/optimal/nearest-of.ts';
export type { NearestOfPath } from './query/optimal/nearest-of.ts';
export { createNearestHit, defaultHalfExtents, findNearest, findNearestInto } from './query/nearest/nearest.ts';
export type { NearestHit, NearestOptions, NearestResult } from './query/nearest/nearest.ts';
export { createNeighborhood, findLocalNeighborhood, findLocalNeighborhoodInto } from './query/walk/neighborhood.ts';
export type { Neighborhood, NeighborhoodResult } from './query/walk/neighborhood.ts';
export { createOptimalState } from './query/optimal/state.ts';
export type { OptimalState } from './query/optimal/state.ts';
export { createOptimalBuffer, findOptimalPath, findOptimalPathInto } from './query/optimal/optimal.ts';
export type { OptimalBuffer, OptimalPath } from './query/optimal/optimal.ts';
export { CORNER_END, CORNER_LINK, CORNER_START, findDetailedPath } from './query/path/details.ts';
export type { DetailedPath, DetailedPathOptions, PathCorner } from './query/path/details.ts';
export { createPolyList, findPolysInBox, findPolysInBoxInto } from './query/nearest/polys-in-box.ts';
export type { PolyList, PolysInBoxOptions } from './query/nearest/polys-in-box.ts';
export { findPolysInCircle } from './query/flood/polys-in-circle.ts';
export type { PolysInCircleOptions } from './query/flood/polys-in-circle.ts';
export { findPolysInShape, loadShape } from './query/flood/polys-in-shape.ts';
export type { PolysInShapeOptions } from './query/flood/polys-in-shape.ts';
export { pruneUnreachable } from './query/flood/prune.ts';
export type { PruneOptions, PruneResult } from './query/flood/prune.ts';
export { findRandomPoint, findRandomPointInCircle } from './query/random/random-point.ts';
export type { RandomPoint, RandomPointInCircleOptions, RandomPointOptions } from './query/random/random-point.ts';
export { createRayHit } from './query/ray/hit.ts';
export type { RayHit, RaycastStatus } from './query/ray/hit.ts';
export { raycast, raycastInto } from './query/ray/raycast.ts';
export type { RaycastOptions, RaycastResult } from './query/ray/raycast.ts';
export { findReachable } from './query/flood/reachable.ts';
export type { ReachLimit, ReachableOptions } from './query/flood/reachable.ts';
export { pathTo } from './query/flood/reached.ts';
export type { Reached, ReachedPath } from './query/flood/reached.ts';
export { advancePlayer, createPlayer, restartPlayer, setPlayerPath } from './query/path/path-walker.ts';
export type { Player, PlayerPoints } from './query/path/path-walker.ts';
export { createSearchState } from './query/search-state.ts';
export type { SearchState } from './query/search-state.ts';
export { createSlide, moveAlongSurface, moveAlongSurfaceInto } from './query/walk/slide.ts';
export type { Slide, SlideResult, SlideStatus } from './query/walk/slide.ts';
export { continuePathSearch, getPathSearchResult, startPathSearch } from './query/path/sliced.ts';
export type { PathSearch, PathSearchOptions, PathSearchStatus } from './query/path/sliced.ts';
export { createSmoothLine, findSmoothPath, smoothLineInto } from './query/path/smooth.ts';
export type { SmoothLine, SmoothPath, SmoothPathOptions } from './query/path/smooth.ts';
export {
  fixCorridorShortcuts,
  mergeCorridorEndMoved,
  mergeCorridorStartMoved,
  mergeCorridorStartShortcut,
} from './corridor/merge.ts';
export { NO_CROSSING, findCrossing } from './query/path/corridor.ts';
export type { WalkOptions } from './query/walk/open-edges.ts';
export { addWallSegments, createWallSegments, getWallSegments } from './query/walk/wall-segments.ts';
export type { WallSegment, WallSegmentOptions, WallSegments } from './query/walk/wall-segments.ts';
export { createWallHit, findDistanceToWall, findDistanceToWallInto } from './query/walk/wall.ts';
export type { WallHit, WallResult, WallStatus } from './query/walk/wall.ts';
