/**
 * Brings an index up to date with its mesh, in place and in slices.
 *
 * Corners that see nothing of the change keep their cones and the edges between them (build/keep.ts). The index answers exactly
 * again as soon as its graph of corners is complete; the table or the labels follow.
 *
 * In: an index, its mesh after changes, limits.
 * Out: the same record, for the mesh as it is now.
 * Cost: linear in the cones; corners that see a changed polygon are built again, and so are the table and the labels.
 * Based on: own.
 */
import { checkNavMesh } from '../navmesh/check-mesh.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { checkKeys, refuse } from '../data/refuse.ts';
import { offerCorridors } from './offer.ts';
import { beginBuild, continuePathIndex } from './build.ts';
import type { PathIndexBuild, PathIndexOptions } from './build.ts';
import { checkIndex } from './check-index.ts';
import { INDEX_STALE, INDEX_WHOLE, matchOf, renewMatch } from './identity.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex } from './types.ts';

/** Options of `updatePathIndex`. */
export interface PathIndexUpdateOptions extends PathIndexOptions {
  /** Most corners of each step in this call, 1 or more. Default: all, so that the index is complete after the call. */
  maxCorners?: number;
}

/** An update that is under way. */
interface Update {
  build: PathIndexBuild;
  /** The index holds the graph of the build. */
  hasGraph: boolean;
}

const UPDATE_KEYS = ['maxBytes', 'tier', 'maxCorners'] as const satisfies readonly (keyof PathIndexUpdateOptions)[];

const updates = new WeakMap<PathIndex, Update>();

/**
 * Brings an index up to date with its mesh. Returns true when it is complete; otherwise call it again, for example in each frame. It
 * starts again when the mesh changes in between.
 *
 * Until the new graph of corners is complete, the index answers as it did before the call; from then on it answers exactly, first with
 * tier `'graph'`. `maxBytes` and `tier` are the options of `buildPathIndex`, and count when an update starts. An index of another mesh
 * is built again. An index from another thread is passed to this function before a crowd uses it. Throws a RangeError for unknown keys and options out of range.
 */
export function updatePathIndex(index: PathIndex, mesh: NavMesh, options: PathIndexUpdateOptions = {}): boolean {
  checkIndex('updatePathIndex', index);
  checkNavMesh('updatePathIndex', mesh);
  checkKeys('updatePathIndex', options, UPDATE_KEYS);
  checkMaxCorners('updatePathIndex', options);
  offerCorridors();
  const { maxCorners = Infinity, ...buildOptions } = options;
  let update = updates.get(index);
  if (update === undefined || update.build.work.mesh !== mesh || update.build.work.revision !== mesh.revision) {
    const { worth } = matchOf(index, mesh);
    // An update that was interrupted after its graph always continues.
    if (worth === INDEX_WHOLE && update?.hasGraph !== true) return true;
    const old = worth === INDEX_STALE ? undefined : { ...index };
    update = { build: beginBuild(mesh, buildOptions, 'updatePathIndex', old), hasGraph: false };
    updates.set(index, update);
  }
  const isDone = continuePathIndex(update.build, maxCorners);
  const { build } = update;
  if (isDone) {
    Object.assign(index, build.index);
    updates.delete(index);
    renewMatch(index);
  } else if (!update.hasGraph && build.index.tier === 'graph') {
    const { tableLength, tableHop } = emptyPathIndex();
    Object.assign(index, build.index, { tableLength, tableHop });
    update.hasGraph = true;
    renewMatch(index);
  }
  return isDone;
}

/** Throws a RangeError for `maxCorners` out of range. @internal */
export function checkMaxCorners(caller: string, { maxCorners }: PathIndexUpdateOptions): void {
  if (maxCorners !== undefined && !(typeof maxCorners === 'number' && maxCorners >= 1))
    refuse(caller, 'options.maxCorners', maxCorners, 'a number >= 1');
}
