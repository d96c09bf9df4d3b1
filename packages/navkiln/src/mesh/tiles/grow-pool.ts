/**
 * Grows the arrays of a pool. Growing replaces arrays, so callers must not hold an array of the mesh across a
 * call.
 *
 * Cost: amortized constant per element, since capacities double.
 * Based on: own.
 */
import { ARRAY_FIELDS, bytesOfType, makeArray, setArray } from '../layout.ts';
import type { CountName } from '../layout.ts';
import type { NavMesh } from '../types.ts';

/**
 * Doubles the arrays of a pool until they hold `count` elements; the first allocation fits exactly. Returns
 * whether arrays were replaced.
 */
export function growPool(mesh: NavMesh, pool: CountName, count: number): boolean {
  let hasGrown = false;
  for (const { name, pool: ownPool, type, stride } of ARRAY_FIELDS) {
    const old = mesh[name];
    if (ownPool !== pool || old.length >= count * stride) continue;
    const capacity = Math.max(count, 2 * Math.floor(old.length / stride));
    if (capacity > 0x7fffffff / 6 || capacity * stride * bytesOfType(type) > 0x7fffffff) {
      throw new RangeError(
        `addTile: the mesh would hold ${count} elements in ${name}; split the world into several meshes`,
      );
    }
    const array = makeArray(type, capacity * stride);
    array.set(old.subarray(0, mesh[pool] * stride));
    setArray(mesh, name, array);
    hasGrown = true;
  }
  return hasGrown;
}
