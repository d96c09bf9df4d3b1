/**
 * Ends the patrol of an agent, as every other order does.
 *
 * Based on: own.
 */
import { MODE_PASSING, MODE_STOPS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * Clears the patrol of an agent, the stopping distance of its order, and its group. Its current goal stays. @internal
 */
export function endPatrol({ agents, patrols }: Crowd, slot: number): void {
  if ((agents.modes[slot] & MODE_STOPS) !== 0) agents.arriveDistance[slot] = agents.ownArriveDistance[slot];
  agents.modes[slot] &= ~(MODE_STOPS | MODE_PASSING);
  agents.group[slot] = 0;
  if (agents.patrolPoint[slot] === 0) return;
  agents.patrolPoint[slot] = 0;
  agents.patrolBack[slot] = 0;
  agents.patrolTick[slot] = 0;
  patrols[slot] = null;
}
