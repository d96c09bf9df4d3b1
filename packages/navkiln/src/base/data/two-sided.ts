/**
 * Turns triangles of two-sided materials so that they face up.
 *
 * A triangle is walkable from the side that its corners are counter-clockwise from. A triangle that counts from both
 * sides can only be walked on from above. So a build reverses those that face down, and needs neither copies nor a
 * flag in later stages. Call it after a level is placed, because a rotation or a mirror changes which side is up.
 *
 * In: positions, indices and a flag per triangle. Out: indices.
 * Cost: one pass over the triangles; nothing without flags.
 * Based on: own. A reversed copy of each triangle would double the work of rasterizing, and Blender exports
 *   every material two-sided unless told otherwise.
 */

import { checkNumbers, checkObject, refuse } from './refuse.ts';

/**
 * Returns the triangles, with the two-sided ones that face down reversed. Returns `indices` itself when
 * `twoSided` is undefined or false.
 *
 * @param positions x, y, z of each vertex, y up
 * @param indices three per triangle; undefined: 0, 1, 2, 3, …, returned as undefined when nothing is to be done
 * @param twoSided true: all triangles; or one value per triangle, 0: one-sided
 */
export function orientTwoSided<T extends ArrayLike<number> | undefined>(
  positions: ArrayLike<number>,
  indices: T,
  twoSided: boolean | ArrayLike<number> | undefined,
): T | Uint32Array {
  if (twoSided === undefined || twoSided === false) return indices;
  checkNumbers('orientTwoSided', 'positions', positions);
  // A copy would cut off fractions.
  if (indices !== undefined) checkNumbers('orientTwoSided', 'indices', indices, true);
  if (typeof twoSided !== 'boolean') checkObject('orientTwoSided', 'twoSided', twoSided);
  return turnTwoSidedUp(positions, indices, twoSided);
}

/** Returns what `orientTwoSided` does, without its checks. @internal */
export function turnTwoSidedUp<T extends ArrayLike<number> | undefined>(
  positions: ArrayLike<number>,
  indices: T,
  twoSided: boolean | ArrayLike<number> | undefined,
): T | Uint32Array {
  if (twoSided === undefined || twoSided === false) return indices;
  const out =
    indices === undefined ? new Uint32Array(positions.length / 3).map((_, i) => i) : Uint32Array.from(indices);
  for (let i = 0; i + 2 < out.length; i += 3) {
    if (twoSided !== true && !twoSided[i / 3]) continue;
    const a = 3 * out[i];
    const b = 3 * out[i + 1];
    const c = 3 * out[i + 2];
    const ux = positions[b] - positions[a];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vz = positions[c + 2] - positions[a + 2];
    // The y of the normal.
    if (!(uz * vx - ux * vz < 0)) continue;
    const corner = out[i + 1];
    out[i + 1] = out[i + 2];
    out[i + 2] = corner;
  }
  return out;
}

/**
 * Throws when a value cannot be `twoSided` of a level with this number of triangles; messages name `caller` and
 * `path`. @internal
 */
export function checkTwoSided(caller: string, path: string, twoSided: unknown, triangleCount: number): void {
  if (twoSided === undefined || typeof twoSided === 'boolean') return;
  if (typeof twoSided === 'object' && (twoSided as ArrayLike<number> | null)?.length === triangleCount) return;
  refuse(caller, `${path}.twoSided`, twoSided, `true, false or ${triangleCount} values, one per triangle`);
}
