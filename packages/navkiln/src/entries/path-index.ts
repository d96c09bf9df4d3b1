/**
 * `navkiln/index`: exact shortest paths in microseconds, from an index that is built once per mesh.
 */
export { buildPathIndex, continuePathIndex, startPathIndex } from '../query/index/build.ts';
export { estimatePathIndex } from '../query/index/estimate.ts';
export type { PathIndexEstimate, TierEstimate } from '../query/index/estimate.ts';
export type { PathIndexBuild, PathIndexOptions } from '../query/index/build.ts';
export * as indexKernels from './groups/index-kernels.ts';
export { findIndexedPath } from '../query/index/find.ts';
export type { IndexedBuffer, IndexedPath, IndexedPathOptions, IndexedState, PathSource } from '../query/index/find.ts';
export { loadPathIndex } from '../query/index/file/load.ts';
export { createPathBatch, findDistances, findPaths } from '../query/index/many.ts';
export type { Distances, PathBatch } from '../query/index/many.ts';
export {
  createDistanceMatrix,
  createNearestTargets,
  findDistanceMatrix,
  findNearestTargets,
} from '../query/index/nearest.ts';
export type { DistanceMatrix, DistanceOptions, NearestTargets } from '../query/index/nearest.ts';
export { savePathIndex } from '../query/index/file/save.ts';
export { updatePathIndex } from '../query/index/update.ts';
export type { PathIndexUpdateOptions } from '../query/index/update.ts';
export { createWorldIndex } from '../query/index/world-index.ts';
export type { WorldIndex, WorldIndexOptions } from '../query/index/world-index.ts';
export { pathIndexBytes } from '../query/index/file/bytes.ts';
export type { PathIndex, PathIndexReason, PathIndexTier } from '../query/index/types.ts';
