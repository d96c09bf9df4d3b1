/** `navkiln/world`: levels that are placed, moved and taken away, characters and targets on them. An explicit list. */
export { faceMovement, jumpCharacter, placeCharacter, pushCharacter, rotateTo, setRunning } from './world/character-actions.ts';
export { advanceCharacters, interpolateCharacterInto, stepCharacters } from './world/character-advance.ts';
export { listCharacterEvents } from './world/character-events.ts';
export type { CharacterEvent } from './world/character-events.ts';
export type { CharacterOptions, CharactersOptions, RespawnPolicy } from './world/character-options.ts';
export type { CharacterEventKind, CharacterEvents, CharacterSet } from './world/character-types.ts';
export {
  addCharacter, createCharacters, getCharacter, hasCharacter, listCharacters, removeCharacter, setCharacterOptions,
} from './world/characters.ts';
export type { CharacterInfo, CharacterPlace } from './world/characters.ts';
export {
  addTarget, clearTarget, createTargets, followTarget, getTarget, getTargetOf, listTargets, pickRandomTarget, removeTarget,
  setTargetPosition,
} from './world/targets.ts';
export type { FollowTargetOptions, TargetInfo } from './world/targets.ts';
export type { TargetId, Targets } from './world/target-types.ts';
export { addLevel, createLevelSet, getLevelBounds, listLevels, moveLevel, removeLevel, updateLevels } from './world/levels.ts';
export type { LevelId, LevelSet, LevelSetOptions, LevelUpdate, UpdateBudget } from './world/levels.ts';
export { createSurfaceBuilder, createSurfaceLevelSet } from './world/level-surface.ts';
export type { SurfaceSetOptions } from './world/level-surface.ts';
export { isMirrored, placePositions, placementMatrix } from './world/level-placement.ts';
export type { Affine, LevelPlacement } from './world/level-placement.ts';
export type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel, WorldTriangles } from './world/level-builder.ts';
export type { TileData, TileSettings } from './navmesh/types.ts';
