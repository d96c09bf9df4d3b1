/**
 * A quick test whether avoidance would keep the desired velocity: most agents in open space need no avoidance.
 *
 * An agent that moves at its desired velocity keeps it when the relative velocity to each neighbor is outside the cone of
 * velocities that collide (avoidance/orca.ts), whatever their shares are. A relative velocity v of a neighbor at d is outside when
 *
 *   it comes near too slowly   v . d <= |d| max / 2, from a distance that is not the shortest, or
 *   it leads past              |v x d| >= |v| times the sum of the radii
 *
 * Both are tested with a margin for the side that agents pass on. So the answer of `avoidByOrca` is the desired velocity, bit for bit.
 *
 * In: velocities, desired velocities, positions, radii and neighbors. Out: whether the agent is unhindered.
 * Cost: a few products per neighbor. No allocation.
 * Based on: own.
 */
import { AGENT_ASLEEP, MAX_NEIGHBORS } from './state/types.ts';
import type { Crowd } from './state/types.ts';
import { GAP_TIMES, LEAST_HORIZON, TOLERANCE } from './avoidance/orca.ts';

/** Share of a velocity that counts as none. */
const SAME = 1e-10;
/** Share of distances and speeds that is kept free. */
const MARGIN = 0.05;

/** Returns whether an agent moves at its desired velocity, and no neighbor keeps it from going on. Walls are not looked at. */
export function isUnhindered({ agents }: Crowd, slot: number): boolean {
  const { position, velocity, desired, radius, flags, neighbors } = agents;
  const max = agents.maxSpeed[slot];
  const vx = velocity[2 * slot];
  const vz = velocity[2 * slot + 1];
  const offX = vx - desired[2 * slot];
  const offZ = vz - desired[2 * slot + 1];
  if (!(offX * offX + offZ * offZ <= SAME * SAME * max * max)) return false;
  // Faster than it may: avoidance would slow it down.
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
    // Never within the sum of the radii: the product is at most the distance times the velocity.
    if (!(along > 0 && across * across >= reach * reach * (rx * rx + rz * rz))) return false;
    if (distanceSq < reach * reach) return false;
  }
  return true;
}
