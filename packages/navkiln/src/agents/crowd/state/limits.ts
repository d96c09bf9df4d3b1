/**
 * The largest numbers of a crowd and its characters: functions throw for larger arguments, and ticks stay within the
 * limits.
 *
 * save/ranges.ts derives the ranges of a saved crowd from them. So every state that calls and ticks can reach can be saved and restored.
 *
 * Based on: own.
 */
import { refuse } from '../../../base/data/refuse.ts';
import { readPoint } from '../../../base/math/point.ts';
import type { PointLike } from '../../../base/math/point.ts';
import { setMeshBox } from '../../../mesh/mesh-box.ts';
import type { NavMesh } from '../../../mesh/types.ts';

/**
 * The largest coordinate, length, speed and acceleration that callers may pass. Ticks compute up to the fourth power of sums of a few of
 * them, which is finite.
 */
export const MOST_SIZE: number = 1e12;
/** The longest wait and traversal that callers may set, seconds. */
export const MOST_SECONDS: number = 1e9;
/**
 * Reads a position or a velocity that is stored unchanged. Throws the errors of `readPoint`, and a RangeError for
 * numbers beyond `MOST_SIZE`.
 */
export function readKept(out: Float64Array, point: PointLike, caller: string, name: string): void {
  readPoint(out, point, caller, name);
  for (let k = 0; k < 3; k++) {
    if (Math.abs(out[k]) > MOST_SIZE)
      refuse(caller, name, [...out.subarray(0, 3)], `at most ${MOST_SIZE} in magnitude along each axis`);
  }
}

/** Throws a RangeError for a mesh that reaches farther from the origin than agents may stand. */
export function checkMeshReach(caller: string, mesh: NavMesh): void {
  const box = new Float64Array(6);
  if (!setMeshBox(box, mesh)) return;
  const far = box.find((value) => Math.abs(value) > MOST_SIZE);
  if (far !== undefined) refuse(caller, 'a coordinate of mesh', far, `at most ${MOST_SIZE} from 0`);
}
