/**
 * Step: chooses the agents that decide in this tick. All others go on as they last decided.
 *
 * An agent decides thirty times per second: it finds neighbors and walls, steers along its path, avoids
 * others, and checks whether it has arrived. At sixty ticks per second, agents in even slots decide in one
 * tick and agents in odd slots in the next. An agent with a new path or on a new polygon decides immediately. A
 * calm agent, one that walks as it wants to with nobody near and its corner well ahead, takes every other
 * turn. Moving and separating concern all agents in each tick.
 *
 * In: `active`; flags, statuses, velocities, corners and neighbors of the last turn.
 * Out: `thinking`.
 * Cost: a few comparisons per agent.
 * Based on: own; many engines let crowds decide less often than they move.
 */
import { TURN_SECONDS, ticksOfTurn } from './state/turn-ticks.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PASSED_PORTAL,
  AGENT_STALE_CORNERS,
  MAX_NEIGHBORS,
  STATUS_MOVING,
} from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/**
 * Seconds in which a calm agent can neither meet its nearest neighbor nor reach its corner. Must be longer
 * than two turns: a calm agent skips one.
 */
const CALM_SECONDS = 0.2;

/** Step: fills `thinking` with those of `active` whose turn it is. */
export function chooseThinking(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, tick, stepSeconds } = crowd;
  const { flags, status } = agents;
  const ticks = ticksOfTurn(stepSeconds);
  // When a tick is as long as a turn, calm agents skip none.
  const mayCalmSkip = TURN_SECONDS > 1.5 * stepSeconds;
  let count = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    const phase = (tick + slot) % (2 * ticks);
    if (phase === 0 || (flags[slot] & (AGENT_STALE_CORNERS | AGENT_PASSED_PORTAL)) !== 0) thinking[count++] = slot;
    else if (phase === ticks && !(mayCalmSkip && status[slot] === STATUS_MOVING && isCalm(agents, slot)))
      thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
}

/**
 * Returns whether an agent moves as it wants to, with nobody near and its corner well ahead, judged by its
 * last turn.
 */
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
