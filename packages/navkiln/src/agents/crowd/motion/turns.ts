/**
 * Step: chooses the agents that decide in this tick. All other agents follow their last decision.
 *
 * An agent decides thirty times per second: it finds neighbors and walls, steers along its path, avoids other agents,
 * and checks whether it has arrived. At sixty ticks per second, agents in even slots decide in one tick and agents in
 * odd slots in the next. An agent with a new path or on a new polygon decides immediately. In crowds with the behavior
 * `throttling`, agents at ease take fewer turns (ease.ts). Moving and separating run for all agents in each tick.
 *
 * In: `active`; flags. Out: `thinking`.
 * Cost: a few comparisons per agent.
 * Based on: own; many engines let crowds decide less often than they move.
 */
import { ticksOfTurn } from '../state/turn-ticks.ts';
import { AGENT_PASSED_PORTAL, AGENT_STALE_CORNERS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Step: fills `thinking` with the active agents whose turn it is. */
export function chooseThinking(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, tick } = crowd;
  const { flags } = agents;
  const ticks = ticksOfTurn(crowd.stepSeconds);
  let count = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const isNew = (flags[slot] & (AGENT_STALE_CORNERS | AGENT_PASSED_PORTAL)) !== 0;
    if (isNew || (tick + slot) % ticks === 0) thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
  crowd.behaviors.skipAtEase?.(crowd);
}
