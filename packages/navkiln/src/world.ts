/** `navkiln/world`: levels that are placed, moved and taken away, characters and targets on them. An explicit list. */
export { addLevel, createLevelSet, getLevelBounds, listLevels, moveLevel, removeLevel, updateLevels } from './world/levels.ts';
export type { LevelId, LevelSet, LevelSetOptions, LevelUpdate, UpdateBudget } from './world/levels.ts';
export { isMirrored, placePositions, placementMatrix } from './world/level-placement.ts';
export type { Affine, LevelPlacement } from './world/level-placement.ts';
export type { LevelBuilder, LevelPart, LevelWarning, PreparedLevel, WorldTriangles } from './world/level-builder.ts';
export type { TileData, TileSettings } from './navmesh/types.ts';
