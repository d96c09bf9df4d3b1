/**
 * `navkiln/world`: levels that are placed, moved and taken away, characters and targets on them. An explicit
 * list.
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
export {
  addLevel,
  createLevelSet,
  getLevelBounds,
  listLevels,
  moveLevel,
  removeLevel,
  updateLevels,
} from './world/levels/levels.ts';
export type { LevelId, LevelSet, LevelSetOptions, LevelUpdate, UpdateBudget } from './world/levels/levels.ts';
export { createSurfaceBuilder, createSurfaceLevelSet } from './world/levels/surface.ts';
export type { SurfaceSetOptions } from './world/levels/surface.ts';
export { orientTwoSided } from './data/two-sided.ts';
export { isMirrored, placePositions, placementMatrix } from './world/levels/placement.ts';
export type { Affine, LevelPlacement } from './world/levels/placement.ts';
export type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel, WorldTriangles } from './world/levels/builder.ts';
export type { TileData, TileSettings } from './navmesh/types.ts';
