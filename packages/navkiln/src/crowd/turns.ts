/**
 * Step: whose turn it is to decide. The others go on as they decided last.
 *
 * Each agent looks around thirty times a second: for neighbours and walls, where its path leads, how it keeps clear of all
 * that, whether it has arrived. Of two in neighbouring slots one does so in one tick and one in the next (at sixty a second). Who
 * has a new path or has come to another polygon has its turn at once. Who walks to a corner that is well ahead as it wants to,
 * with nobody near, has every other turn only. Moving and pushing apart is for all in each tick.
 *
 * 0.7 of the time of a tick, in a town and in a crush alike, and of that 0.95 in a town as the calm have fewer turns; in the
 * crowd scenes as many arrive.
 * Based on: own; crowds that look around less often than they move are in many engines.
 */
import {
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_STALE_CORNERS,
  MAX_NEIGHBORS,
  STATUS_MOVING,
} from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/** Seconds between two decisions. */
const TURN_SECONDS = 1 / 30;
/** Seconds in which the nearest other one cannot be met by one that is calm, and in which it does not get to its corner. */
const CALM_SECONDS = 0.2;

/** Ticks between two turns of an agent. */
export function ticksOfTurn(stepSeconds: number): number {
  return Math.max(1, Math.round(TURN_SECONDS / stepSeconds));
}

/** Step: `thinking`, of those that are `active`. */
export function chooseThinking(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, tick, stepSeconds } = crowd;
  const { flags, status } = agents;
  const ticks = ticksOfTurn(stepSeconds);
  // At thirty ticks a second and less the calm have all their turns, too.
  const isOften = TURN_SECONDS > 1.5 * stepSeconds;
  let count = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const turn = (tick + slot) % (2 * ticks);
    if (turn === 0 || (flags[slot] & AGENT_STALE_CORNERS) !== 0) thinking[count++] = slot;
    else if (turn === ticks && !(isOften && status[slot] === STATUS_MOVING && isCalm(agents, slot)))
      thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
}

/** Does it go as it wants to, with nobody near and nothing to be done soon? By what it knew at its last turn. */
function isCalm(agents: AgentArrays, slot: number): boolean {
  const { flags, desired, chosen, position, corners, maxSpeed, radius, neighbors, neighborCount, neighborDistanceSq } =
    agents;
  if ((flags[slot] & (AGENT_AVOID_ONLY | AGENT_AWAITS_PATH)) !== 0) return false;
  const x = desired[2 * slot];
  const z = desired[2 * slot + 1];
  if (chosen[2 * slot] !== x || chosen[2 * slot + 1] !== z || (x === 0 && z === 0)) return false;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  const near = CALM_SECONDS * maxSpeed[slot];
  if (dx * dx + dz * dz < near * near) return false;
  if (neighborCount[slot] === 0) return true;
  const first = MAX_NEIGHBORS * slot;
  const other = neighbors[first];
  const reach = radius[slot] + radius[other] + near + CALM_SECONDS * maxSpeed[other];
  return neighborDistanceSq[first] > reach * reach;
}
