/**
 * How many rings may cover one position. Windings of two kinds of rings share 32 bits (overlay.ts), so more than
 * 32,767 rings over one position must be united in parts first.
 *
 * Cost: nothing up to 32,767 rings; beyond, two sorts of their bounds.
 * Based on: own.
 */
import type { GridPoint } from './types.ts';

/** Largest number of rings of one kind over one position. */
export const MAX_DEPTH = 32_767;

/** Returns false when no position lies in more than `MAX_DEPTH` rings, by their bounds. */
export function mayBeTooDeep(rings: readonly (readonly GridPoint[])[]): boolean {
  if (rings.length <= MAX_DEPTH) return false;
  return mostOverlaps(rings, ({ x }) => x) > MAX_DEPTH && mostOverlaps(rings, ({ y }) => y) > MAX_DEPTH;
}

/** Returns the largest number of rings whose ranges along one axis share a position. */
function mostOverlaps(rings: readonly (readonly GridPoint[])[], along: (point: GridPoint) => number): number {
  const starts = new Int32Array(rings.length);
  const ends = new Int32Array(rings.length);
  rings.forEach((points, r) => {
    starts[r] = points.reduce((low, point) => Math.min(low, along(point)), Infinity);
    ends[r] = points.reduce((high, point) => Math.max(high, along(point)), -Infinity);
  });
  starts.sort();
  ends.sort();
  let ended = 0;
  let most = 0;
  for (let k = 0; k < starts.length; k++) {
    while (ends[ended] <= starts[k]) ended++;
    most = Math.max(most, k + 1 - ended);
  }
  return most;
}
