/**
 * `navkiln/kernel`: the layer without allocations under `navkiln` and `navkiln/crowd`.
 *
 * Kernels (`...Into`) write into records that the caller creates once with a `create...` function and reuses;
 * these grow with use and then allocate nothing. Polygons are dense indices, valid until tiles are added or
 * removed; `polyIndexOf` and `refOf` convert. Kernels do not check arguments.
 */
export { HEURISTIC_SCALE } from '../base/constants.ts';
export {
  fixCorridorShortcuts,
  mergeCorridorEndMoved,
  mergeCorridorStartMoved,
  mergeCorridorStartShortcut,
} from '../agents/corridor/merge.ts';
export { avoidByOrca } from '../agents/crowd/avoidance/orca.ts';
export { SAMPLED_DEFAULTS, avoidBySampling, createSampledParams } from '../agents/crowd/avoidance/sampled.ts';
export type { SampledOptions, SampledParams } from '../agents/crowd/avoidance/sampled.ts';
export {
  NEIGHBOR_DX,
  NEIGHBOR_DZ,
  NEIGHBOR_RADIUS,
  NEIGHBOR_SHARE,
  NEIGHBOR_STRIDE,
  NEIGHBOR_VX,
  NEIGHBOR_VZ,
  SELF_DESIRED_X,
  SELF_DESIRED_Z,
  SELF_HORIZON,
  SELF_LENGTH,
  SELF_MAX_SPEED,
  SELF_RADIUS,
  SELF_SIDE,
  SELF_STEP,
  SELF_VX,
  SELF_VZ,
  SELF_WALL_HORIZON,
  WALL_STRIDE,
  createAvoidanceScene,
} from '../agents/crowd/avoidance/scene.ts';
export type { AvoidanceScene } from '../agents/crowd/avoidance/scene.ts';
export { agentIdOf, agentSlotOf } from '../agents/crowd/state/ids.ts';
export {
  MAX_NEIGHBORS,
  MAX_WALLS,
  STATE_FREE,
  STATE_GROUND,
  STATE_LINK,
  STATE_LOST,
} from '../agents/crowd/state/types.ts';
export type { AgentArrays, EventList } from '../agents/crowd/state/types.ts';
export { drawInto, nextUint32 } from '../base/data/random.ts';
export { refreshIslands } from '../mesh/islands.ts';
export { linkIndexOf, linkRefOf } from '../mesh/link-ref.ts';
export {
  MAX_GENERATION,
  MAX_POLYS_PER_TILE,
  MAX_TILE_SLOTS,
  decodeRef,
  encodeRef,
  polyIndexOf,
  refOf,
} from '../mesh/ref.ts';
export type { DecodedRef } from '../mesh/ref.ts';
export { findTile } from '../mesh/tiles/tile-grid.ts';
export { createFlood, createFloodBounds, createFloodState, floodInto } from '../query/flood/flood.ts';
export type { Flood, FloodBounds, FloodState } from '../query/flood/flood.ts';
export { loadShape } from '../query/flood/polys-in-shape.ts';
export { createNearestHit, defaultHalfExtents, findNearestInto } from '../query/nearest/nearest.ts';
export type { NearestHit } from '../query/nearest/nearest.ts';
export { createPolyList, findPolysInBoxInto } from '../query/nearest/polys-in-box.ts';
export type { PolyList } from '../query/nearest/polys-in-box.ts';
export { createOptimalBuffer, findOptimalPathInto } from '../query/optimal/optimal.ts';
export type { OptimalBuffer } from '../query/optimal/optimal.ts';
export { createOptimalState } from '../query/optimal/state.ts';
export type { OptimalState } from '../query/optimal/state.ts';
export { tautenPath } from '../query/optimal/taut.ts';
export { findCorridor } from '../query/path/a-star.ts';
export { NO_CROSSING, createCorridor, findCrossing } from '../query/path/corridor.ts';
export type { Corridor, CorridorOutcome } from '../query/path/corridor.ts';
export { createPathBuffer, findPathInto } from '../query/path/find-path.ts';
export type { PathBuffer, PathQuery, PathTautener } from '../query/path/find-path.ts';
export { findMidpointPathInto } from '../query/path/midpoints.ts';
export { pullString } from '../query/path/funnel.ts';
export { createPathLine } from '../query/path/path-line.ts';
export type { PathLine } from '../query/path/path-line.ts';
export { createSmoothLine, smoothLineInto } from '../query/path/smooth.ts';
export type { SmoothLine } from '../query/path/smooth.ts';
export {
  createGroundSampler,
  createRandomHit,
  drawPointInto,
  sampleFlood,
  sampleMesh,
} from '../query/random/ground-sampler.ts';
export type { GroundSampler, RandomHit } from '../query/random/ground-sampler.ts';
export { createRayHit } from '../query/ray/hit.ts';
export type { RayHit } from '../query/ray/hit.ts';
export { raycastInto } from '../query/ray/raycast.ts';
export { createSearchState } from '../query/search-state.ts';
export type { SearchState } from '../query/search-state.ts';
export { createNeighborhood, findLocalNeighborhoodInto } from '../query/walk/neighborhood.ts';
export type { Neighborhood } from '../query/walk/neighborhood.ts';
export { createSlide, moveAlongSurfaceInto } from '../query/walk/slide.ts';
export type { Slide } from '../query/walk/slide.ts';
export { addWallSegments, createWallSegments } from '../query/walk/wall-segments.ts';
export type { WallSegments } from '../query/walk/wall-segments.ts';
export { createWallHit, findDistanceToWallInto } from '../query/walk/wall.ts';
export type { WallHit } from '../query/walk/wall.ts';
export { createCheapestBuffer, findCheapestPathInto } from '../query/cheapest/cheapest.ts';
export type { CheapestBuffer } from '../query/cheapest/cheapest.ts';
export { createCheapestState } from '../query/cheapest/state.ts';
export type { CheapestState } from '../query/cheapest/state.ts';
