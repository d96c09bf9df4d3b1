/**
 * Throttling: agents at ease skip turns.
 *
 * An agent is at ease when it makes progress in open space, or rests at its resting position. It then takes every
 * second turn, or every fourth turn with low detail. Near corners, goals, narrow portals and links, and when they are
 * held up, agents take each turn.
 *
 * In: `thinking`; flags, statuses, corners, narrow portals and progress of the last turn.
 * Out: `thinking`.
 * Cost: a few comparisons per agent.
 * Based on: own.
 * Tried: every second turn for all agents. They then turn more in front of doors and in junctions, and pass them later
 * (docs/notes/crowd.md).
 */
import { CORNER_GOAL, CORNER_NONE } from '../../corridor/types.ts';
import { isRestStatus } from '../state/rest.ts';
import { ticksOfEasyTurn, ticksOfLowTurn } from '../state/turn-ticks.ts';
import {
  AGENT_PARTIAL,
  AGENT_PASSED_PORTAL,
  AGENT_STALE_CORNERS,
  MAX_NEIGHBORS,
  MODE_LOW_DETAIL,
  NARROW_AHEAD,
  STATUS_MOVING,
} from '../state/types.ts';
import type { AgentArrays, Crowd } from '../state/types.ts';

/**
 * Time without progress after which an agent counts as held up, seconds. It is longer than the slowest turn, because
 * agents notice progress only in their turns.
 */
const HELD_UP_SECONDS = 0.4;
/** An agent is near its next corner when it reaches it within this time, seconds. Longer than the slowest turn. */
const CORNER_SECONDS = 0.4;
/** The same for a goal when another agent is close, because agents may stand around the goal. */
const GOAL_SECONDS = 3;
/** Distance to the nearest neighbor below which an agent is crowded, as a share of the sum of radii. */
const CROWDED_SHARE = 1.25;

/** Takes the agents at ease whose turn may wait out of `thinking`. */
export function skipAtEase(crowd: Crowd): void {
  const { agents, thinking, thinkingCount, tick, stepSeconds } = crowd;
  const { flags, modes } = agents;
  const easyTicks = ticksOfEasyTurn(stepSeconds);
  const lowTicks = ticksOfLowTurn(stepSeconds);
  let count = 0;
  for (let k = 0; k < thinkingCount; k++) {
    const slot = thinking[k];
    if ((flags[slot] & (AGENT_STALE_CORNERS | AGENT_PASSED_PORTAL)) === 0) {
      const slowTicks = (modes[slot] & MODE_LOW_DETAIL) === 0 ? easyTicks : lowTicks;
      if ((tick + slot) % slowTicks !== 0 && isAtEase(crowd, slot)) continue;
    }
    thinking[count++] = slot;
  }
  crowd.thinkingCount = count;
}

/** Returns whether an agent makes progress in open space, or rests at its resting position. */
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
