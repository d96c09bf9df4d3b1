/**
 * Records of typed arrays in shared memory, such as path indexes: their copies are plain records again, so that another
 * thread uses them as they arrive.
 *
 * In: a record. Out: the same record, with its typed arrays in shared memory.
 * Cost: one copy.
 * Based on: own.
 */
import type { PoolArray } from '../../mesh/layout.ts';
import { checkRecord } from '../../base/data/refuse.ts';
import type { PathIndex } from '../../query/index/types.ts';
import { requireShared } from './require-shared.ts';

/**
 * Returns a path index whose arrays are in shared memory. `postMessage` sends it without a copy; the other thread uses it
 * as it arrives, with its mesh of `openSharedNavMesh`. It must not be updated: after changes of the mesh, share a new one.
 *
 * @throws TypeError for a value that is no index; Error if memory cannot be shared (see `shareNavMesh`)
 */
export function sharePathIndex(index: PathIndex): PathIndex {
  checkRecord('sharePathIndex', 'index', index, 'polyCone', 'a PathIndex');
  requireShared('sharePathIndex');
  return shareArrays(index);
}

/** Returns a copy of a record, and of records in lists of it, with all typed arrays in shared memory. */
function shareArrays<T extends object>(record: T): T {
  const entries = Object.entries(record) as [string, unknown][];
  const copy = Object.fromEntries(
    entries.map(([key, value]) => {
      if (Array.isArray(value)) return [key, value.map((item) => shareArrays(item as object))];
      return [key, ArrayBuffer.isView(value) ? sharedCopy(value as PoolArray) : value];
    }),
  ) as T;
  // The copy is an object whose fields the engine finds fast.
  return { ...copy };
}

function sharedCopy(array: PoolArray): PoolArray {
  const type = array.constructor as new (memory: SharedArrayBuffer) => PoolArray;
  const copy = new type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
