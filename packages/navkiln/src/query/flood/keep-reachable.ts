/**
 * Keeps mesh that nothing leads to disabled while tiles change.
 *
 * In: points. Out: flags of polygons: those that no point leads to have other flags until `restore`.
 * Cost: that of `pruneUnreachable`, for each change.
 * Based on: own.
 */
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import type { PointLike } from '../../math/point.ts';
import { checkArray } from '../../data/refuse.ts';
import { restoreFlags } from '../area.ts';
import type { FlagsBackup } from '../area.ts';
import { pruneUnreachable } from './prune.ts';
import type { PruneOptions, PruneResult } from './prune.ts';

/** Leaves out mesh that no point leads to. Made by `createKeepReachable`. */
export interface KeepReachable {
  /** What the last `prune` left out; undefined before the first. */
  result: PruneResult | undefined;
  /** Gives the polygons that were left out their flags back. Call it before tiles change. */
  restore: (mesh: NavMesh) => void;
  /** Leaves out what no point leads to. Call it after tiles have changed. */
  prune: (mesh: NavMesh) => void;
}

/**
 * Leaves out mesh that no point leads to, again after each change: call `restore` before `updateWorld`, `addTile` or `removeTile`, and `prune`
 * after it. A tile whose rebuild gives the same data then stays in place.
 *
 * @param points points or refs, as for `pruneUnreachable`
 * @throws TypeError unless `points` is an array
 */
export function createKeepReachable(
  points: readonly (PointLike | PolyRef)[],
  options: PruneOptions = {},
): KeepReachable {
  checkArray('createKeepReachable', 'points', points);
  let backup: FlagsBackup | undefined;
  const kept: KeepReachable = {
    result: undefined,
    restore(mesh) {
      if (backup !== undefined) restoreFlags(mesh, backup);
      backup = undefined;
    },
    prune(mesh) {
      kept.restore(mesh);
      kept.result = pruneUnreachable(mesh, points, options);
      backup = kept.result.backup;
    },
  };
  return kept;
}
