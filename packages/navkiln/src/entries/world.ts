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
} from '../agents/characters/body/actions.ts';
export { advanceCharacters, interpolateCharacterInto, stepCharacters } from '../agents/characters/advance.ts';
export { hashCharacters, restoreCharacters, saveCharacters } from '../agents/characters/save.ts';
export { listCharacterEvents } from '../agents/characters/body/events.ts';
export type { CharacterEvent } from '../agents/characters/body/events.ts';
export type { CharacterOptions, CharactersOptions, RespawnPolicy } from '../agents/characters/body/options.ts';
export type { CharacterEventKind, CharacterEvents, CharacterSet } from '../agents/characters/types/characters.ts';
export {
  addCharacter,
  createCharacters,
  getCharacter,
  listCharacters,
  removeCharacter,
  setCharacterOptions,
} from '../agents/characters/body/characters.ts';
export type { CharacterInfo, CharacterPlace } from '../agents/characters/body/characters.ts';
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
} from '../agents/characters/targets/targets.ts';
export type { FollowTargetOptions, TargetInfo } from '../agents/characters/targets/targets.ts';
export type { TargetId, Targets } from '../agents/characters/types/targets.ts';
export type { OpenOptions } from '../world/levels/create.ts';
export { createWorld } from '../world/levels/create.ts';
export { openWorld } from '../world/streaming/open.ts';
export type { StreamedWorld, StreamedWorldOptions, TileFailure } from '../world/streaming/open.ts';
export { publishWorld } from '../world/streaming/publish.ts';
export type { Publication, PublishOptions } from '../world/streaming/publish.ts';
export { createKeptStore } from '../world/streaming/kept-store.ts';
export { collectWorld } from '../world/streaming/collect.ts';
export type { CollectOptions, Collection } from '../world/streaming/collect.ts';
export { stopStreaming, streamAround } from '../world/streaming/stream.ts';
export type { StreamOptions, StreamPoint, StreamResult } from '../world/streaming/stream.ts';
export type { ManifestRoutes, ManifestTiles, WorldManifest } from '../world/streaming/manifest.ts';
export { addLevel, getLevelBounds, listLevels, moveLevel, removeLevel } from '../world/levels/levels.ts';
export { addObstacle, getObstacle, listObstacles, moveObstacle, removeObstacle } from '../world/levels/obstacles.ts';
export type {
  LevelId,
  ObstacleId,
  ProvisionalTiles,
  World,
  WorldObstacle,
  WorldOptions,
} from '../world/levels/types.ts';
export { bakeWorld } from '../world/levels/bake.ts';
export type { WorldBakeOptions } from '../world/levels/bake.ts';
export { updateWorld } from '../world/levels/update.ts';
export type { UpdateBudget, WorldUpdate } from '../world/levels/update.ts';
export { createProvisionalTiles } from '../world/cut/provisional.ts';
export type { ProvisionalOptions } from '../world/cut/provisional.ts';
export { createMapWorld } from '../world/levels/map.ts';
export type { MapWorldOptions } from '../world/levels/map.ts';
export { getMapAreas, listMapLayers, setMapLayers } from '../world/levels/map-layers.ts';
export type { MapObstacle, MapPlacement, MapShape } from '../world/levels/map-obstacle.ts';
export { createSurfaceWorld } from '../world/levels/surface.ts';
export type { SurfaceWorldOptions } from '../world/levels/surface.ts';
export { orientTwoSided } from '../base/data/two-sided.ts';
export { resolveTwoSided } from '../base/data/sides.ts';
export type { TwoSidedReport } from '../base/data/sides.ts';
export { isMirrored, placePositions, placementMatrix } from '../base/data/placement.ts';
export type { Affine, LevelPlacement } from '../base/data/placement.ts';
export type {
  BuiltTile,
  LevelBuilder,
  LevelPart,
  LevelWarning,
  PreparedLevel,
  TileCarving,
  WorldTriangles,
} from '../world/levels/builder.ts';
export type { BlobStore } from '../build/voxel/pool-types.ts';
export type {
  Obstacle,
  ObstacleEffect,
  ObstaclePlacement,
  ObstacleShape,
  PlacedObstacle,
} from '../build/voxel/options.ts';
export type { TileData, TileSettings } from '../mesh/types.ts';
