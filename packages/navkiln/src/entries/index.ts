/**
 * `navkiln`: what a first page needs. Navigation meshes, paths and all other queries on them, load and save; the bake; the mesh and its paths as
 * lines and triangles to draw.
 *
 * Functions take options objects in world units (meters and seconds by convention, y up) and return new result records.
 * Misuse throws a TypeError or RangeError that names function, value and remedy; expected outcomes, such as a path that
 * ends early or a stale ref, are part of the result. The layer without allocations is `navkiln/kernel`; all of
 * the bake is in `navkiln/build`, 2D maps are in `navkiln/polygon`, and all drawings in `navkiln/debug`.
 */
export { AREA_COUNT, AREA_GROUND, AREA_NONE, MAX_SIZES } from '../base/constants.ts';
export { createRandom, nextRandom } from '../base/data/random.ts';
export type { Random, RandomSource } from '../base/data/random.ts';
export type { PointLike } from '../base/math/point.ts';
export { createNavMesh } from '../mesh/create.ts';
export type { NavMeshOptions } from '../mesh/create.ts';
export { isEnabled, listNames, setEnabled } from '../mesh/change/enable.ts';
export { areOnOneIsland } from '../mesh/islands.ts';
export { skipDeadEnds } from '../query/optimal/skip-dead-ends.ts';
export { trackSizeIslands } from '../query/track-sizes.ts';
export { addLink, getLink, listLinks, removeLink, setLinkEnabled } from '../mesh/change/links.ts';
export type { LinkCrossing, LinkEnd, LinkInfo, LinkOptions } from '../mesh/change/links.ts';
export { LINK_KINDS } from '../mesh/link-kinds.ts';
export type { LinkKind } from '../mesh/link-kinds.ts';
export { openNavMesh, packNavMesh } from '../mesh/file/packed.ts';
export { loadNavMesh } from '../mesh/file/load.ts';
export type { LoadOptions } from '../mesh/file/load.ts';
export { NULL_REF } from '../mesh/ref.ts';
export { saveNavMesh } from '../mesh/file/save.ts';
export { findSize } from '../mesh/sizes.ts';
export type { SizeLike, SizeMatch } from '../mesh/sizes.ts';
export { addTile, removeTile } from '../mesh/change/tiles.ts';
export type {
  AgentShape,
  LinkRef,
  MeshSize,
  NamedGroup,
  NavMesh,
  PolyRef,
  TileData,
  TileGroup,
  TileSettings,
} from '../mesh/types.ts';
export { getArea, getFlags, restoreFlags, restoreTileState, saveTileState, setArea, setFlags } from '../query/area.ts';
export type { FlagsBackup, TileState } from '../query/area.ts';
export { explainPath } from '../query/explain/explain.ts';
export type { ExplainOptions } from '../query/explain/explain.ts';
export type {
  BlockExplanation,
  EndExplanation,
  GapExplanation,
  PathCause,
  PathExplanation,
} from '../query/explain/explanation.ts';
export { createAgentTypes, setAgentTypes, typeFilter } from '../query/agent-types.ts';
export type { AgentType, AgentTypeOptions, NamedRules } from '../query/agent-types.ts';
export type { AgentRules } from '../mesh/agent-rules.ts';
export { createFilter } from '../query/create-filter.ts';
export type { FilterOptions } from '../query/create-filter.ts';
export type { PathSegment, QueryFilter } from '../query/filter.ts';
export { findPolysInCircle } from '../query/flood/polys-in-circle.ts';
export type { PolysInCircleOptions } from '../query/flood/polys-in-circle.ts';
export { findPolysInShape } from '../query/flood/polys-in-shape.ts';
export type { PolysInShapeOptions } from '../query/flood/polys-in-shape.ts';
export { createKeepReachable } from '../query/keep-reachable.ts';
export type { KeepReachable } from '../query/keep-reachable.ts';
export type { ReachKeeper } from '../mesh/reach-keeper.ts';
export { pruneUnreachable } from '../query/flood/prune.ts';
export type { PruneOptions, PruneResult } from '../query/flood/prune.ts';
export { findReachable } from '../query/flood/reachable.ts';
export type { ReachLimit, ReachableOptions } from '../query/flood/reachable.ts';
export { pathTo } from '../query/flood/reached.ts';
export type { Reached, ReachedPath } from '../query/flood/reached.ts';
export { getHeight } from '../query/height.ts';
export { findIslands } from '../query/islands.ts';
export type { Island, Islands } from '../query/islands.ts';
export { findNearest } from '../query/nearest/nearest.ts';
export type { NearestOptions, NearestResult } from '../query/nearest/nearest.ts';
export { findPolysInBox } from '../query/nearest/polys-in-box.ts';
export type { PolysInBoxOptions } from '../query/nearest/polys-in-box.ts';
export { findNearestOf } from '../query/optimal/nearest-of.ts';
export type { NearestOfPath } from '../query/optimal/nearest-of.ts';
export { findOptimalPath } from '../query/optimal/optimal.ts';
export type { OptimalOptions, OptimalPath } from '../query/optimal/optimal.ts';
export { getCorridorLine } from '../query/path/corridor-line.ts';
export type { CorridorLine } from '../query/path/corridor-line.ts';
export { getGroundLine } from '../query/path/ground-line.ts';
export type { GroundLine, GroundLineOptions } from '../query/path/ground-line.ts';
export type { CorridorPath } from '../query/path/load-path.ts';
export { PATH_CORNER_FLAGS, findDetailedPath } from '../query/path/details.ts';
export type { DetailedPath, DetailedPathOptions, PathCorner } from '../query/path/details.ts';
export { findPath } from '../query/path/find-path.ts';
export type { PathOptions } from '../query/path/find-path.ts';
export { findMidpointPath } from '../query/path/midpoints.ts';
export { advancePathWalker, createPathWalker, setPathWalkerPoints } from '../query/path/path-walker.ts';
export type { PathWalker, PathWalkerPoints } from '../query/path/path-walker.ts';
export type { LocatedPath, Path, PathReason, PathStatus } from '../query/path/result.ts';
export { continuePathSearch, getPathSearchResult, startPathSearch } from '../query/path/sliced.ts';
export type { PathSearch, PathSearchOptions, PathSearchStatus } from '../query/path/sliced.ts';
export { findSmoothPath } from '../query/path/smooth.ts';
export type { SmoothPath, SmoothPathOptions } from '../query/path/smooth.ts';
export { findRandomPoint, findRandomPointInCircle } from '../query/random/random-point.ts';
export type { RandomPoint, RandomPointInCircleOptions, RandomPointOptions } from '../query/random/random-point.ts';
export type { RaycastStatus } from '../query/ray/hit.ts';
export { raycast } from '../query/ray/raycast.ts';
export type { RaycastOptions, RaycastResult } from '../query/ray/raycast.ts';
export { validateMove } from '../query/walk/gate/validate-move.ts';
export type { MoveOptions, MoveResult, MoveStatus } from '../query/walk/gate/validate-move.ts';
export { findLocalNeighborhood } from '../query/walk/neighborhood.ts';
export type { NeighborhoodResult } from '../query/walk/neighborhood.ts';
export type { WalkOptions } from '../query/walk/open-edges.ts';
export { moveAlongSurface } from '../query/walk/slide.ts';
export type { SlideResult, SlideStatus } from '../query/walk/slide.ts';
export { getWallSegments } from '../query/walk/wall-segments.ts';
export type { WallSegment, WallSegmentOptions } from '../query/walk/wall-segments.ts';
export { findDistanceToWall } from '../query/walk/wall.ts';
export type { WallResult, WallStatus } from '../query/walk/wall.ts';
export { findCheapestPath } from '../query/cheapest/cheapest.ts';
export type { CheapestOptions, CheapestPath } from '../query/cheapest/cheapest.ts';
export { bakeNavMesh, buildNavMesh } from '../build/voxel/build.ts';
export type { BuildOptions, BuildProgress, TriangleInput } from '../build/voxel/options.ts';
export type { BuildReport, BuildResult, BuildWarning, BuildWarningCode } from '../build/voxel/report.ts';
export { formatReport } from '../show/report.ts';
export { navMeshOutlines, navMeshTriangles } from '../show/draw/mesh.ts';
export { pathLines } from '../show/draw/marks.ts';
export type { DebugGeometry } from '../show/draw/geometry.ts';
