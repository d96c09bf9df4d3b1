/**
 * A path index that a world keeps up to date: `updateWorld` and `bakeWorld` call its `update` after they have changed tiles.
 *
 * A world calls `update` without importing it, so that bundles of worlds without an index contain none of its code.
 *
 * In: options of `updatePathIndex`, and an index if there is one.
 * Out: a record with the index, which stays the same record, and its update.
 * Cost: the same as `updatePathIndex`; one comparison when nothing has changed.
 * Based on: own.
 */
import { checkKeys, checkRecord } from '../../base/data/refuse.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { checkIndexLimits } from './build.ts';
import { emptyPathIndex } from './types.ts';
import type { PathIndex } from './types.ts';
import { checkMaxCorners, updatePathIndex } from './update.ts';
import type { PathIndexUpdateOptions } from './update.ts';

/** Options of `createWorldIndex`. */
export interface WorldIndexOptions extends PathIndexUpdateOptions {
  /** An index of the world's mesh, for example a loaded one. Default: an empty index, which the first update builds. */
  index?: PathIndex;
}

/** A path index of a world, with its update function. Create it with `createWorldIndex`. */
export interface WorldIndex {
  /** For `findIndexedPath` and crowds. Always the same record; until it is built, its tier is 'none'. */
  readonly index: PathIndex;
  /**
   * Brings the index up to date with the mesh, step by step, until `isTimeUp` returns true. Returns whether it is complete. Worlds call it.
   */
  update: (mesh: NavMesh, isTimeUp?: () => boolean) => boolean;
}

const KEYS: readonly (keyof WorldIndexOptions)[] = ['index', 'maxBytes', 'tier', 'sizes', 'maxCorners'];

/** Number of corners between two checks of the clock. */
const STEP_CORNERS = 8;

/**
 * Returns an index for the option `pathIndex` of a world. The world keeps it up to date within the budgets of its
 * updates.
 *
 * @param options `maxBytes`, `tier` and `sizes` of `buildPathIndex`. `maxCorners`: maximum number of corners of each
 *   step in one update of the world; default: as many as its budget allows.
 * @throws RangeError for unknown keys and options out of range, TypeError for a value that is not an index
 */
export function createWorldIndex(options: WorldIndexOptions = {}): WorldIndex {
  const caller = 'createWorldIndex';
  checkKeys(caller, options, KEYS);
  const { index = emptyPathIndex(), maxCorners = Infinity, ...limits } = options;
  checkRecord(caller, 'options.index', index, 'polyCone', 'a PathIndex');
  checkIndexLimits(caller, options);
  checkMaxCorners(caller, options);
  /** The mesh for which the index is complete. */
  let mesh: NavMesh | undefined;
  let revision = -1;
  return {
    index,
    update(current, isTimeUp) {
      if (mesh === current && revision === current.revision) return true;
      mesh = undefined;
      const step = isTimeUp === undefined ? Infinity : STEP_CORNERS;
      let left = maxCorners;
      do {
        if (updatePathIndex(index, current, { ...limits, maxCorners: Math.min(step, left) })) {
          mesh = current;
          revision = current.revision;
          return true;
        }
        left -= step;
      } while (left > 0 && !(isTimeUp?.() ?? false));
      return false;
    },
  };
}
