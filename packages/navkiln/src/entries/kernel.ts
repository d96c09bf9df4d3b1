/**
 * `navkiln/kernel`: the layer without allocations under `navkiln` and `navkiln/crowd`.
 *
 * Kernels (`...Into`) write into records that the caller creates once with a `create...` function and reuses;
 * these grow with use and then allocate nothing. Polygons are dense indices, valid until tiles are added or
 * removed; `polyIndexOf` and `refOf` convert. Kernels do not check arguments.
 */
export * as avoidance from './groups/avoidance.ts';
export * as bestPaths from './groups/best-paths.ts';
export * as floods from './groups/floods.ts';
export * as randomPoints from './groups/random-points.ts';
export * as refs from './groups/refs.ts';
export * as surroundings from './groups/surroundings.ts';
export type { SampledOptions, SampledParams } from '../agents/crowd/avoidance/sampled.ts';
export type { AvoidanceScene } from '../agents/crowd/avoidance/scene.ts';
export { AGENT_ROWS, AGENT_STATES } from '../agents/crowd/state/codes.ts';
export type { NavMeshArrays } from '../mesh/types.ts';
export type { AgentArrays, EventList } from '../agents/crowd/state/types.ts';
export { polyIndexOf, refOf } from '../mesh/ref.ts';
export type { DecodedRef } from '../mesh/ref.ts';
export { findTile } from '../mesh/tiles/tile-grid.ts';
export type { Flood, FloodBounds, FloodState } from '../query/flood/flood.ts';
export { createNearestHit, defaultHalfExtents, findNearestInto } from '../query/nearest/nearest.ts';
export type { NearestHit } from '../query/nearest/nearest.ts';
export type { PolyList } from '../query/nearest/polys-in-box.ts';
export type { OptimalBuffer } from '../query/optimal/optimal.ts';
export type { OptimalState } from '../query/optimal/state.ts';
export { tautenPath } from '../query/optimal/taut.ts';
export { findCorridor } from '../query/path/a-star.ts';
export { createCorridor } from '../query/path/corridor.ts';
export type { Corridor, CorridorOutcome } from '../query/path/corridor.ts';
export { createPathBuffer, findPathInto } from '../query/path/find-path.ts';
export type { PathBuffer, PathQuery, PathTautener } from '../query/path/find-path.ts';
export { findMidpointPathInto } from '../query/path/midpoints.ts';
export { pullString } from '../query/path/funnel.ts';
export { createPathLine } from '../query/path/path-line.ts';
export type { PathLine } from '../query/path/path-line.ts';
export type { GroundSampler, RandomHit } from '../query/random/ground-sampler.ts';
export { createRayHit } from '../query/ray/hit.ts';
export type { RayHit } from '../query/ray/hit.ts';
export { raycastInto } from '../query/ray/raycast.ts';
export { createSearchState } from '../query/search-state.ts';
export type { SearchState } from '../query/search-state.ts';
export type { Move } from '../query/walk/gate/validate-move.ts';
export type { Neighborhood } from '../query/walk/neighborhood.ts';
export { createSlide, moveAlongSurfaceInto } from '../query/walk/slide.ts';
export type { Slide } from '../query/walk/slide.ts';
export type { WallSegments } from '../query/walk/wall-segments.ts';
export type { WallHit } from '../query/walk/wall.ts';
export type { CheapestBuffer } from '../query/cheapest/cheapest.ts';
export type { CheapestState } from '../query/cheapest/state.ts';
