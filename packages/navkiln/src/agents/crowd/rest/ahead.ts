/**
 * Finds a neighbor that is near and ahead of an agent.
 *
 * In: positions and neighbors, a direction in `ahead`, and a test of the neighbor.
 * Out: a slot.
 * Cost: linear in the neighbors (at most `MAX_NEIGHBORS`). No allocation.
 * Based on: own.
 */
import { MAX_NEIGHBORS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * xz: the direction of `findAhead`, of any length. An array, because V8 may allocate numbers passed between functions.
 */
export const ahead: Float64Array = new Float64Array(2);

/**
 * Returns the slot of the nearest neighbor on the side of the direction `ahead`, within `share` of the sum of radii,
 * for which `counts` returns true; -1 if there is none.
 */
export function findAhead(
  crowd: Crowd,
  slot: number,
  share: number,
  counts: (crowd: Crowd, slot: number, other: number) => boolean,
): number {
  const { position, neighbors, neighborCount, radius } = crowd.agents;
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    const dx = position[3 * other] - position[3 * slot];
    const dz = position[3 * other + 2] - position[3 * slot + 2];
    const near = share * (radius[slot] + radius[other]);
    if (dx * dx + dz * dz > near * near || dx * ahead[0] + dz * ahead[1] <= 0) continue;
    if (counts(crowd, slot, other)) return other;
  }
  return -1;
}
