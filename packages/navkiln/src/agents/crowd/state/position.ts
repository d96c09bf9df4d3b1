/**
 * Keeps the position of an agent equal to the start of its corridor.
 *
 * Most steps end on the polygon they began on. Such a step writes only the agent's row (integrate.ts), not
 * its corridor, which is many memory reads away. Code that reads the position of a corridor therefore calls
 * `syncCorridorStart` first.
 *
 * In: a crowd and a slot.
 * Out: the corridor's position, or the agent's position and polygon.
 * Cost: constant.
 * Based on: own.
 */
import { AGENT_AVOID_ONLY, AGENT_STALE_CORNERS, STATE_GROUND } from './types.ts';
import type { Crowd } from './types.ts';

/**
 * Moves the start of the corridor to its agent. Does nothing for an agent on a link, whose corridor starts at the far
 * end, or for one that is only avoided, which may stand off the mesh. @internal
 */
export function syncCorridorStart(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  if (agents.state[slot] !== STATE_GROUND || (agents.flags[slot] & AGENT_AVOID_ONLY) !== 0) return;
  const { position } = crowd.corridors[slot];
  position[0] = agents.position[3 * slot];
  position[1] = agents.position[3 * slot + 1];
  position[2] = agents.position[3 * slot + 2];
}

/** Moves an agent to the start of its corridor. @internal */
export function adoptCorridorPosition(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, corridor, refs } = crowd.corridors[slot];
  for (let k = 0; k < 3; k++) agents.position[3 * slot + k] = position[k];
  if (agents.poly[slot] !== corridor.polys[0]) {
    agents.poly[slot] = corridor.polys[0];
    agents.polyRef[slot] = refs[0];
    agents.flags[slot] |= AGENT_STALE_CORNERS;
  }
}
