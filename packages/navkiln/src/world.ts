/**
 * `navkiln/world`: worlds of levels and obstacles that change at run time, characters and targets on them.
 */
export {
  turnCharacterToMovement,
  jumpCharacter,
  teleportCharacter,
  pushCharacter,
  turnCharacterTo,
  setCharacterRunning,
} from './world/characters/actions.ts';
export { advanceCharacters, interpolateCharacterInto, stepCharacters } from './world/advance.ts';
export { hashCharacters, restoreCharacters, saveCharacters } from './world/save.ts';
export { listCharacterEvents } from './world/characters/events.ts';
export type { CharacterEvent } from './world/characters/events.ts';
export type { CharacterOptions, CharactersOptions, RespawnPolicy } from './world/characters/options.ts';
export type { CharacterEventKind, CharacterEvents, CharacterSet } from './world/types/characters.ts';
export {
  addCharacter,
  createCharacters,
  getCharacter,
  hasCharacter,
  listCharacters,
  removeCharacter,
  setCharacterOptions,
} from './world/characters/characters.ts';
export type { CharacterInfo, CharacterPlace } from './world/characters/characters.ts';
export {
  addTarget,
  clearTarget,
  createTargets,
  followTarget,
  getTarget,
  getTargetOf,
  listTargets,
  pickRandomTarget,
  removeTarget,
  setTargetPosition,
} from './world/targets/targets.ts';
export type { FollowTargetOptions, TargetInfo } from './world/targets/targets.ts';
export type { TargetId, Targets } from './world/types/targets.ts';
export type { OpenOptions } from './world/levels/create.ts';
export { createWorld } from './world/levels/create.ts';
export { openWorld } from './streaming/open.ts';
export type { StreamedWorld, StreamedWorldOptions, TileFailure } from './streaming/open.ts';
export { publishWorld } from './streaming/publish.ts';
export type { Publication, PublishOptions } from './streaming/publish.ts';
export { createKeptStore } from './streaming/kept-store.ts';
export { collectWorld } from './streaming/collect.ts';
export type { CollectOptions, Collection } from './streaming/collect.ts';
export { stopStreaming, streamAround } from './streaming/stream.ts';
export type { StreamOptions, StreamPoint, StreamResult } from './streaming/stream.ts';
export type { ManifestRoutes, ManifestTiles, WorldManifest } from './streaming/manifest.ts';
export { addLevel, getLevelBounds, listLevels, moveLevel, removeLevel } from './world/levels/levels.ts';
export { addObstacle, getObstacle, listObstacles, moveObstacle, removeObstacle } from './world/levels/obstacles.ts';
export type { LevelId, ObstacleId, World, WorldObstacle, WorldOptions } from './world/levels/types.ts';
export { bakeWorld } from './world/levels/bake.ts';
export type { WorldBakeOptions } from './world/levels/bake.ts';
export { updateWorld } from './world/levels/update.ts';
export type { UpdateBudget, WorldUpdate } from './world/levels/update.ts';
export { createMapWorld } from './world/levels/map.ts';
export type { MapWorldOptions } from './world/levels/map.ts';
export { getMapAreas, listMapLayers, setMapLayers } from './world/levels/map-layers.ts';
export type { MapObstacle, MapPlacement, MapShape } from './world/levels/map-obstacle.ts';
export { createSurfaceBuilder, createSurfaceWorld } from './world/levels/surface.ts';
export type { SurfaceWorldOptions } from './world/levels/surface.ts';
export { orientTwoSided } from './data/two-sided.ts';
export { resolveTwoSided } from './data/sides.ts';
export type { TwoSidedReport } from './data/sides.ts';
export { isMirrored, placePositions, placementMatrix } from './data/placement.ts';
export type { Affine, LevelPlacement } from './data/placement.ts';
export type {
  BuiltTile,
  LevelBuilder,
  LevelPart,
  LevelWarning,
  PreparedLevel,
  TileCarving,
  WorldTriangles,
} from './world/levels/builder.ts';
export type { BlobStore } from './voxel/pool-types.ts';
export type { Obstacle, ObstacleEffect, ObstaclePlacement, ObstacleShape, PlacedObstacle } from './voxel/options.ts';
export type { TileData, TileSettings } from './navmesh/types.ts';
