/**
 * Writes desired velocities: towards a point, at a speed from which the agent can still stop.
 *
 * Based on: own.
 */
import type { AgentArrays } from './types.ts';

/** Sets `desired` to `speed` in the direction (dx, dz), whose length is `distance`, above 0. @internal */
export function setDesired(
  agents: AgentArrays,
  slot: number,
  dx: number,
  dz: number,
  distance: number,
  speed: number,
): void {
  agents.desired[2 * slot] = (dx / distance) * speed;
  agents.desired[2 * slot + 1] = (dz / distance) * speed;
}

/**
 * Returns the speed from which an agent stops within `distance` when it brakes half as hard as it can.
 * @internal
 */
export function brakingSpeed(acceleration: number, distance: number): number {
  return Math.sqrt(acceleration * distance);
}
