/**
 * Standing bodies: agents that have rested for some time, and bodies of callers that do not move at present.
 *
 * Based on: own.
 */
import { isRestStatus } from './rest.ts';
import { AGENT_AVOID_ONLY, AGENT_USER_OWNED, STATE_GROUND } from './types.ts';
import type { Crowd } from './types.ts';

/** Time at rest after which an agent counts as standing, seconds. */
const STANDING_SECONDS = 2;
/** Time after the search for a detour during which bodies add costs to searches, seconds. */
const WEIGH_SECONDS = 30;

/** Returns whether a body stands. It is better to go around it than to wait. */
export function isStanding({ agents, tick, stepSeconds }: Crowd, slot: number): boolean {
  const { velocity, restTick } = agents;
  if (agents.state[slot] !== STATE_GROUND || velocity[2 * slot] !== 0 || velocity[2 * slot + 1] !== 0) return false;
  if ((agents.flags[slot] & (AGENT_AVOID_ONLY | AGENT_USER_OWNED)) !== 0) return true;
  if (!isRestStatus(agents.status[slot])) return agents.maxSpeed[slot] === 0;
  return restTick[slot] >= 0 && (tick - restTick[slot]) * stepSeconds >= STANDING_SECONDS;
}

/** Returns whether standing bodies have held up an agent recently. */
export function isHeldUp({ agents, tick, stepSeconds }: Crowd, slot: number): boolean {
  return agents.wayTick[slot] > 0 && (tick - agents.wayTick[slot]) * stepSeconds < WEIGH_SECONDS;
}
