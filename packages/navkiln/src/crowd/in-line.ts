/**
 * Which agent stands in front of another one in a line: it is near and right ahead, has not come to rest, and goes the
 * same way.
 *
 * In: positions, next corners, desired velocities, statuses, neighbors. Out: a slot.
 * Cost: a look at the neighbors. No allocation.
 * Based on: own.
 */
import { isRestStatus } from './state/rest.ts';
import { MAX_NEIGHBORS, STATUS_YIELDING } from './state/types.ts';
import type { Crowd } from './state/types.ts';
import { NEAR_SHARE } from './yielding.ts';

/** Squared cosine within which another agent is straight ahead. */
const AHEAD_SQ = 0.5;
/** Cosine, times speeds, from which an agent ahead goes the same way. */
const SAME_WAY = 0.3;

/** Returns the slot of the nearest moving agent right ahead that goes the same way, or -1. */
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
