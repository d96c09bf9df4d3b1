/**
 * Tests quickly whether avoidance would keep the desired velocity. Most agents in open space need no avoidance.
 *
 * An agent that moves at its desired velocity keeps it when the relative velocity to each neighbor is outside the cone
 * of velocities that collide (avoidance/orca.ts), for any shares. A relative velocity v of a neighbor at d is outside
 * when one of these holds:
 *
 *   too slow     v . d <= |d| max / 2, and the gap is wide enough for the shortest horizon
 *   leads past   |v x d| >= |v| times the sum of the radii
 *
 * Both are tested with a margin for the passing side. So `avoidByOrca` would return exactly the desired velocity.
 *
 * In: velocities, desired velocities, positions, radii and neighbors. Out: whether the agent is unhindered.
 * Cost: a few products per neighbor. No allocation.
 * Based on: own.
 */
import { AGENT_ASLEEP, MAX_NEIGHBORS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { GAP_TIMES, LEAST_HORIZON, TOLERANCE } from '../avoidance/orca.ts';

/** Differences of velocities up to this share of the maximum speed count as 0. */
const SAME = 1e-10;
/** Margin of distances and speeds, as a share. */
const MARGIN = 0.05;

/** Returns whether an agent moves at its desired velocity and no neighbor hinders it. Walls are not tested. */
export function isUnhindered({ agents }: Crowd, slot: number): boolean {
  const { position, velocity, desired, radius, flags, neighbors } = agents;
  const max = agents.maxSpeed[slot];
  const vx = velocity[2 * slot];
  const vz = velocity[2 * slot + 1];
  const offX = vx - desired[2 * slot];
  const offZ = vz - desired[2 * slot + 1];
  if (!(offX * offX + offZ * offZ <= SAME * SAME * max * max)) return false;
  // Avoidance would slow down an agent above its maximum speed.
  const speedSq = desired[2 * slot] * desired[2 * slot] + desired[2 * slot + 1] * desired[2 * slot + 1];
  if (speedSq > max * max * (1 + TOLERANCE)) return false;
  const x = position[3 * slot];
  const z = position[3 * slot + 2];
  const mine = (1 + MARGIN) * radius[slot];
  const least = (1 + MARGIN) * (LEAST_HORIZON / GAP_TIMES) * max;
  const slow = (1 - MARGIN) * (max / GAP_TIMES);
  const first = MAX_NEIGHBORS * slot;
  const end = first + agents.neighborCount[slot];
  for (let n = first; n < end; n++) {
    const other = neighbors[n];
    const isAsleep = (flags[other] & AGENT_ASLEEP) !== 0;
    const rx = isAsleep ? vx : vx - velocity[2 * other];
    const rz = isAsleep ? vz : vz - velocity[2 * other + 1];
    const dx = position[3 * other] - x;
    const dz = position[3 * other + 2] - z;
    const distanceSq = dx * dx + dz * dz;
    const reach = mine + (1 + MARGIN) * radius[other];
    const along = rx * dx + rz * dz;
    if (along <= 0 || along * along <= slow * slow * distanceSq) {
      if (distanceSq >= (1 + MARGIN) * (reach + least) * (reach + least)) continue;
    }
    const across = rx * dz - rz * dx;
    // Never true within the sum of the radii, because the product is at most the distance times the velocity.
    if (!(along > 0 && across * across >= reach * reach * (rx * rx + rz * rz))) return false;
    if (distanceSq < reach * reach) return false;
  }
  return true;
}
