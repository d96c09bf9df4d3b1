/**
 * Builds a path index, in one call or in slices. On a mesh with sizes, it builds one index after the other.
 *
 * In: a mesh, limits.
 * Out: a path index.
 * Cost: 20 to 90 us per polygon for corners, cones and graph; the table is quadratic in the corners. This applies to
 * each size.
 * Based on: own; see build/steps.ts.
 */
import { checkKeys, checkMutable, checkRecord, refuse } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import type { SizeLike } from '../../mesh/sizes.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { beginSize, continueSize, progressOf, renewSize } from './build/steps.ts';
import type { SizeBuild } from './build/steps.ts';
import { offerCorridors } from './offer.ts';
import { listSizes } from './sizes.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex } from './types.ts';

/** Options of `buildPathIndex`. */
export interface PathIndexOptions {
  /**
   * Maximum number of bytes that the index of each size may take, above 0. Default: 64 MB (67,108,864), or 128 bytes for each polygon if that is more.
   */
  maxBytes?: number;
  /**
   * The tier to build. Default: the fastest tier that fits into `maxBytes`. An overlay is built above 100,000 polygons,
   * and in place of a graph that is slower than `findPath`.
   */
  tier?: 'table' | 'labels' | 'graph' | 'overlay';
  /**
   * On a mesh with sizes: the sizes that the index serves, at least one. Paths of other sizes are searched. Default:
   * all.
   */
  sizes?: readonly SizeLike[];
}

/** Keys of `PathIndexOptions`. @internal */
export const INDEX_KEYS: readonly (keyof PathIndexOptions)[] = ['maxBytes', 'tier', 'sizes'];
const DEFAULT_BYTES = 64 * 2 ** 20;
/** An overlay takes up to 100 bytes for each polygon. */
const DEFAULT_POLY_BYTES = 128;
const TIERS = ['table', 'labels', 'graph', 'overlay'];

/** A build in progress. Pass it to `continuePathIndex` until that returns true; `index` is then complete. */
export interface PathIndexBuild {
  index: PathIndex;
  /** Progress, 0 to 1: a rough estimate. */
  progress: number;
  /** The builds per size. @internal */
  parts: SizeBuild[];
}

/**
 * Returns an index of the current mesh, for `findIndexedPath`. `index.tier` is the tier that was built. On a mesh with
 * sizes, the index serves all sizes: the first one itself, further sizes in `index.others`.
 *
 * Throws a RangeError for unknown keys and options out of range.
 */
export function buildPathIndex(mesh: NavMesh, options: PathIndexOptions = {}): PathIndex {
  const build = begin(mesh, options, 'buildPathIndex');
  continuePathIndex(build);
  return build.index;
}

/** Starts a sliced build without running a step. Throws the errors of `buildPathIndex`. */
export function startPathIndex(mesh: NavMesh, options: PathIndexOptions = {}): PathIndexBuild {
  return begin(mesh, options, 'startPathIndex');
}

function begin(mesh: NavMesh, options: PathIndexOptions, caller: string): PathIndexBuild {
  checkNavMesh(caller, mesh);
  checkKeys(caller, options, INDEX_KEYS);
  checkIndexLimits(caller, options);
  const sizes = listSizes(caller, mesh, options.sizes);
  offerCorridors();
  return { index: emptyPathIndex(sizes[0]), progress: 0, parts: sizes.map((size) => beginPart(mesh, size, options)) };
}

/**
 * Starts a build for one size that reuses as much as possible of `old`, an index of the same mesh before a change.
 * @internal
 */
export function beginPart(
  mesh: NavMesh,
  size: number,
  { maxBytes = defaultBytes(mesh), tier }: PathIndexOptions,
  old?: PathIndex,
): SizeBuild {
  return beginSize({ mesh, size, maxBytes, tier, old });
}

/** Returns the default of `maxBytes`. @internal */
export function defaultBytes({ polyCount }: NavMesh): number {
  return Math.max(DEFAULT_BYTES, DEFAULT_POLY_BYTES * polyCount);
}

/** Throws a RangeError for options out of range. @internal */
export function checkIndexLimits(caller: string, { maxBytes, tier }: PathIndexOptions): void {
  if (maxBytes !== undefined && !(typeof maxBytes === 'number' && maxBytes > 0))
    refuse(caller, 'options.maxBytes', maxBytes, 'a number > 0');
  if (tier !== undefined && !TIERS.includes(tier))
    refuse(caller, 'options.tier', tier, "'table', 'labels', 'graph' or 'overlay'");
}

/**
 * Continues a build with up to `maxCorners` corners per step (polygons for an overlay); without it, to the end. Returns
 * true when the index is complete. If the mesh has changed since the last slice, the build starts again. A build may be
 * abandoned at any time, because the mesh has no reference to it. Queries search the mesh while `index.tier` is
 * `'none'`.
 *
 * Throws a RangeError unless `maxCorners` is 1 or more.
 */
export function continuePathIndex(build: PathIndexBuild, maxCorners: number = Infinity): boolean {
  const caller = 'continuePathIndex';
  checkRecord(caller, 'build', build?.parts?.[0]?.work?.mesh, 'polyPortal', 'the result of startPathIndex');
  if (typeof maxCorners !== 'number' || !(maxCorners >= 1)) refuse(caller, 'maxCorners', maxCorners, 'a number >= 1');
  checkMutable(caller, 'build', build);
  const { parts } = build;
  if (parts.some(isOpen) && parts.some(hasChanged)) {
    parts.forEach(renewSize);
    build.progress = 0;
  }
  for (const part of parts) {
    if (isOpen(part) && (!continueSize(part, maxCorners) || maxCorners < Infinity)) break;
  }
  const progress = parts.reduce((sum, part) => sum + progressOf(part), 0) / parts.length;
  build.progress = Math.max(build.progress, progress);
  build.index = parts[0].index;
  build.index.others = parts.slice(1).map(({ index }) => index);
  return !parts.some(isOpen);
}

function isOpen({ work }: SizeBuild): boolean {
  return work.step !== 'done';
}

function hasChanged({ work }: SizeBuild): boolean {
  return work.revision !== work.mesh.revision;
}
