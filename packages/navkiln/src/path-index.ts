/**
 * `navkiln/index`: exact shortest paths in microseconds, from an index that is built once per mesh.
 *
 * The entry is not named after its subpath, because `index.ts` is the main entry.
 */
export { buildPathIndex, continuePathIndex, startPathIndex } from './path-index/build.ts';
export type { PathIndexBuild, PathIndexOptions } from './path-index/build.ts';
export { createIndexedBuffer, createIndexedState, findIndexedPath, findIndexedPathInto } from './path-index/find.ts';
export type { IndexedBuffer, IndexedPath, IndexedPathOptions, IndexedState, PathSource } from './path-index/find.ts';
export { loadPathIndex } from './path-index/load.ts';
export { createPathBatch, findDistances, findPaths } from './path-index/many.ts';
export type { Distances, PathBatch } from './path-index/many.ts';
export {
  createDistanceMatrix,
  createNearestTargets,
  findDistanceMatrix,
  findNearestTargets,
} from './path-index/nearest.ts';
export type { DistanceMatrix, DistanceOptions, NearestTargets } from './path-index/nearest.ts';
export { savePathIndex } from './path-index/save.ts';
export { updatePathIndex } from './path-index/update.ts';
export type { PathIndexUpdateOptions } from './path-index/update.ts';
export { createWorldIndex } from './path-index/world-index.ts';
export type { WorldIndex, WorldIndexOptions } from './path-index/world-index.ts';
export { pathIndexBytes } from './path-index/bytes.ts';
export type { PathIndex, PathIndexReason, PathIndexTier } from './path-index/types.ts';
