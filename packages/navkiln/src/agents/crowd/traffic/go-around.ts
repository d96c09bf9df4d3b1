/**
 * Leads agents around standing bodies that block them.
 *
 * An agent without progress for two seconds, in front of a body that stands, looks for a detour around it
 * (search/local-way.ts). It follows the points of the detour and then searches its path again. It gives the detour up
 * when agents block it there. From then on, standing bodies add costs to its searches for half a minute
 * (search/body-costs.ts). Before all that, it asks the body to step aside (yielding.ts).
 *
 * In: positions, statuses, `progressTick`, neighbors. Out: `way*`, `progress*`, `desired`; requests for paths.
 * Cost: linear in the neighbors for agents without progress; at most one search in every fifth tick. Nothing without
 *   standing bodies.
 * Based on: own.
 */
import { ahead, findAhead } from '../rest/ahead.ts';
import { findLocalWay } from '../search/local-way.ts';
import { requestPath } from '../search/record.ts';
import { isStanding } from '../state/standing.ts';
import { COURSE_SPEED, COURSE_STOP, COURSE_X, COURSE_Z, course, takeCourse } from '../state/desired.ts';
import { ticksOfTurn } from '../state/turn-ticks.ts';
import { restartProgress } from '../state/status.ts';
import { AGENT_AWAITS_PATH, AVOID_NONE, WAY_POINTS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { NEAR_SHARE } from './yielding.ts';
import { AGAIN_SECONDS, HELD_UP_SECONDS, MAX_WAY_SECONDS } from './times.ts';

/** Ticks between two searches of a crowd, unless agents think at a multiple of this interval (`searchesIn`). */
const SEARCH_TICKS = 5;
/** Distance at which a point of the detour counts as reached, in radii. */
const REACHED_RADII = 0.75;

const points = new Float64Array(2 * WAY_POINTS);
/** Slot of the agent that searches in this tick, which has waited longest; -1: none. */
let waiting = -1;

/** Forgets the waiting agent. Call before `noteHeldUp` in each tick. */
export function resetHeldUp(): void {
  waiting = -1;
}

/** Notes an agent that has had no progress for a while, if a standing body is in front of it. */
export function noteHeldUp(crowd: Crowd, slot: number): void {
  const { agents, tick, stepSeconds } = crowd;
  if ((tick - agents.progressTick[slot]) * stepSeconds < HELD_UP_SECONDS || !searchesIn(tick, stepSeconds)) return;
  if (agents.queueLinkEnd[slot] >= 0 || agents.avoidance[slot] === AVOID_NONE) return;
  if (agents.wayTick[slot] > 0 && (tick - agents.wayTick[slot]) * stepSeconds < AGAIN_SECONDS) return;
  if (waiting >= 0 && agents.progressTick[waiting] <= agents.progressTick[slot]) return;
  ahead[0] = agents.desired[2 * slot];
  ahead[1] = agents.desired[2 * slot + 1];
  if (findAhead(crowd, slot, NEAR_SHARE, isStandingBody) >= 0) waiting = slot;
}

function isStandingBody(crowd: Crowd, _: number, other: number): boolean {
  return isStanding(crowd, other);
}

/**
 * Returns whether detours are searched in a tick. The interval has no factor in common with the ticks of a turn, so
 * that agents of every slot get a chance.
 */
function searchesIn(tick: number, stepSeconds: number): boolean {
  const turn = ticksOfTurn(stepSeconds);
  return tick % (turn % SEARCH_TICKS === 0 ? turn + 1 : SEARCH_TICKS) === 0;
}

/** Looks for a detour for the agent that has waited longest. Call after `noteHeldUp` for all agents. */
export function findWay(crowd: Crowd): void {
  if (waiting < 0) return;
  const { agents, tick } = crowd;
  const slot = waiting;
  agents.wayTick[slot] = tick;
  const count = findLocalWay(points, crowd, slot);
  agents.wayCount[slot] = count;
  if (count === 0) {
    // Bodies add costs to its searches from now on, so another path may be better.
    if ((agents.flags[slot] & AGENT_AWAITS_PATH) === 0) requestPath(crowd, slot);
    return;
  }
  for (let k = 0; k < 2 * count; k++) agents.way[2 * WAY_POINTS * slot + k] = points[k];
  agents.progressTick[slot] = tick;
}

/** Steers along the detour. Returns false at the end of the detour and requests a path. */
export function steerAlongWay(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { way, wayCount, position } = agents;
  const first = 2 * WAY_POINTS * slot;
  while (wayCount[slot] > 0) {
    const dx = way[first] - position[3 * slot];
    const dz = way[first + 1] - position[3 * slot + 2];
    const distance = Math.sqrt(dx * dx + dz * dz);
    if (distance > REACHED_RADII * agents.radius[slot]) {
      course[COURSE_X] = dx;
      course[COURSE_Z] = dz;
      course[COURSE_SPEED] = agents.maxSpeed[slot];
      course[COURSE_STOP] = Infinity;
      takeCourse(crowd, slot);
      return true;
    }
    wayCount[slot]--;
    for (let k = first; k < first + 2 * wayCount[slot]; k++) way[k] = way[k + 2];
  }
  restartProgress(crowd, slot);
  requestPath(crowd, slot);
  return false;
}

/**
 * Returns whether an agent stays on its detour: for `MAX_WAY_SECONDS`, and at most `HELD_UP_SECONDS` without
 * `isWalking`.
 */
export function keepsToWay(crowd: Crowd, slot: number, isWalking: boolean): boolean {
  const { agents, tick, stepSeconds } = crowd;
  if (isWalking) agents.progressTick[slot] = tick;
  const isHeldUp = (tick - agents.progressTick[slot]) * stepSeconds >= HELD_UP_SECONDS;
  if (!isHeldUp && (tick - agents.wayTick[slot]) * stepSeconds < MAX_WAY_SECONDS) return true;
  agents.wayCount[slot] = 0;
  restartProgress(crowd, slot);
  return false;
}
