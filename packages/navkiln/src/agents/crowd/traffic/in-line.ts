/**
 * Finds the agent that stands in front of another one in a line. It is near and straight ahead, not at rest, and has
 * the same direction.
 *
 * In: positions, next corners, desired velocities, statuses, neighbors. Out: a slot.
 * Cost: linear in the neighbors. No allocation.
 * Based on: own.
 */
import { isRestStatus } from '../state/rest.ts';
import { MAX_NEIGHBORS, STATUS_YIELDING } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { NEAR_SHARE } from './yielding.ts';

/** Another agent is straight ahead when the squared cosine is above this. */
const AHEAD_SQ = 0.5;
/** An agent ahead has the same direction when the cosine, times both speeds, is above this. */
const SAME_WAY = 0.3;

/** Returns the slot of the nearest moving agent straight ahead that has the same direction, or -1. */
export function findAgentAhead(crowd: Crowd, slot: number): number {
  const { agents } = crowd;
  const { position, corners, desired, neighbors, neighborCount, status, radius } = agents;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const aheadX = corners[6 * slot] - x;
  const aheadZ = corners[6 * slot + 2] - z;
  const ahead = Math.sqrt(aheadX * aheadX + aheadZ * aheadZ);
  const speed = agents.maxSpeed[slot];
  const first = MAX_NEIGHBORS * slot;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other]) || status[other] === STATUS_YIELDING) continue;
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const distanceSq = dx * dx + dz * dz;
    const near = NEAR_SHARE * (radius[slot] + radius[other]);
    if (distanceSq > near * near) continue;
    const along = dx * aheadX + dz * aheadZ;
    if (along <= 0 || along * along < AHEAD_SQ * distanceSq * ahead * ahead) continue;
    const same = desired[2 * other] * aheadX + desired[2 * other + 1] * aheadZ;
    if (same > SAME_WAY * speed * ahead) return other;
  }
  return -1;
}
