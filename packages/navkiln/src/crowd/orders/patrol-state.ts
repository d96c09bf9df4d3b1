/**
 * Ends the patrol of an agent: every other order does.
 *
 * Based on: own.
 */
import type { Crowd } from '../state/types.ts';

/** Makes an agent forget its patrol, if it has one. Its present goal stays. @internal */
export function endPatrol({ agents, patrols }: Crowd, slot: number): void {
  if (agents.patrolPoint[slot] === 0) return;
  agents.patrolPoint[slot] = 0;
  agents.patrolBack[slot] = 0;
  agents.patrolTick[slot] = 0;
  patrols[slot] = null;
}
