/**
 * Step: chooses the agents that decide in this tick. All others go on as they last decided.
 *
 * An agent decides thirty times per second: it finds neighbors and walls, steers along its path, avoids
 * others, and checks whether it has arrived. At sixty ticks per second, agents in even slots decide in one
 * tick and agents in odd slots in the next. An agent with a new path or on a new polygon decides immediately.
 *
 * An agent at ease takes every other turn, and one of low detail every fourth: it walks in the open and gets on, or rests at its
 * place. Near corners, goals, narrow portals and links, and when others hold them up, all agents take each turn. Moving and
 * separating concern all agents in each tick.
 *
 * In: `active`; flags, statuses, corners, narrow portals and progress of the last turn.
 * Out: `thinking`.
 * Cost: a few comparisons per agent.
 * Based on: own; many engines let crowds decide less often than they move.
 * Tried: every other turn for all agents; they then turn more in front of doors and in junctions, and get through them later (docs/notes/crowd.md).
 */
import { CORNER_GOAL, CORNER_NONE } from '../corridor/types.ts';
import { isRestStatus } from './state/rest.ts';
import { ticksOfEasyTurn, ticksOfLowTurn, ticksOfTurn } from './state/turn-ticks.ts';
import {
  AGENT_PARTIAL,
  AGENT_PASSED_PORTAL,
  AGENT_STALE_CORNERS,
  MAX_NEIGHBORS,
  MODE_LOW_DETAIL,
  NARROW_AHEAD,
  STATUS_MOVING,
} from './state/types.ts';
import type { AgentArrays, Crowd } from './state/types.ts';

/** Time without progress from which an agent counts as held up, seconds. Longer than the slowest turn, after which progress is noticed. */
const HELD_UP_SECONDS = 0.4;
/** Time on the way to the next corner, seconds. Longer than the slowest turn. */
const CORNER_SECONDS = 0.4;
/** The same on the way to a goal, close to others, which may stand around it. */
const GOAL_SECONDS = 3;
/** Distance to the nearest neighbor below which one at rest, or beside one at rest, is crowded, as a share of the sum of radii. */
const CROWDED_SHARE = 1.25;

/** Step: fills `thinking` with those of `active` whose turn it is. */
export function chooseThinking(crowd: Crowd): void {
  const { agents, active, activeCount, thinking, tick, stepSeconds } = crowd;
  const { flags, modes } = agents;
  const ticks = ticksOfTurn(stepSeconds);
  const easyTicks = ticksOfEasyTurn(stepSeconds);
  const lowTicks = ticksOfLowTurn(stepSeconds);
  let count = 0;
  for (let k = 0; k < activeCount; k++) {
    const slot = active[k];
    if ((flags[slot] & (AGENT_STALE_CORNERS | AGENT_PASSED_PORTAL)) === 0) {
      if ((tick + slot) % ticks !== 0) continue;
      const slowTicks = (modes[slot] & MODE_LOW_DETAIL) === 0 ? easyTicks : lowTicks;
      if ((tick + slot) % slowTicks !== 0 && isAtEase(crowd, slot)) continue;
    }
    thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
}

/** Returns whether an agent walks in the open and gets on, or rests at its place. */
function isAtEase({ agents, tick, stepSeconds }: Crowd, slot: number): boolean {
  const { status, corners, position, neighborCount } = agents;
  // Agents that cannot reach their goals push each other at the ends of their paths, until they are at rest.
  if (tick < agents.yieldUntil[slot] || (agents.flags[slot] & AGENT_PARTIAL) !== 0) return false;
  if (isRestStatus(status[slot])) {
    // An agent that has just woken does not know its neighbors yet.
    return (
      agents.restTick[slot] >= 0 && agents.yieldTo[slot] < 0 && neighborCount[slot] > 0 && !isCrowded(agents, slot)
    );
  }
  if (status[slot] !== STATUS_MOVING || agents.cornerKind[slot] === CORNER_NONE) return false;
  if (agents.narrow[NARROW_AHEAD * slot] > 0 || agents.wayCount[slot] > 0 || agents.queueLinkEnd[slot] >= 0)
    return false;
  if ((tick - agents.progressTick[slot]) * stepSeconds > HELD_UP_SECONDS) return false;
  const nearest = agents.neighbors[MAX_NEIGHBORS * slot];
  if (neighborCount[slot] > 0 && isRestStatus(status[nearest]) && isCrowded(agents, slot)) return false;
  const dx = corners[6 * slot] - position[3 * slot];
  const dz = corners[6 * slot + 2] - position[3 * slot + 2];
  const isAmongOthers = agents.cornerKind[slot] === CORNER_GOAL && neighborCount[slot] > 0 && isCrowded(agents, slot);
  const near = (isAmongOthers ? GOAL_SECONDS : CORNER_SECONDS) * agents.maxSpeed[slot];
  return dx * dx + dz * dz > near * near;
}

/** Returns whether the nearest neighbor was close in the last turn. */
function isCrowded({ radius, neighbors, neighborDistanceSq }: AgentArrays, slot: number): boolean {
  const first = MAX_NEIGHBORS * slot;
  const near = CROWDED_SHARE * (radius[slot] + radius[neighbors[first]]);
  return neighborDistanceSq[first] < near * near;
}
