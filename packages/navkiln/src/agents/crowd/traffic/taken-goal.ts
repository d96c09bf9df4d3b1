/**
 * Settling near a goal that another agent occupies, among agents with other goals.
 *
 * An agent cannot arrive when an agent at rest stands on its goal. When agents at rest fill the space in between, the
 * agent stops in front of them. It rests because of the agent on its goal and does not ask each of them to step aside.
 * Otherwise agents whose goals are closer together than their bodies would push each other around for minutes.
 *
 * In: positions and statuses; the grid of the tick. Out: the agent on the goal.
 * Cost: linear in the neighbors; for an agent that touches an agent at rest ahead, linear in the bodies around its
 * goal. No allocation.
 * Based on: own.
 */
import { CORNER_GOAL } from '../../corridor/types.ts';
import { ahead, findAhead } from '../rest/ahead.ts';
import { lastBodiesOf } from '../nearby/bodies.ts';
import { blockRuns, cellOf, cellsWithin, runsEnd } from '../nearby/grid.ts';
import { isOnGoalOf, restsBecauseOf } from '../rest/settle.ts';
import { isRestStatus } from '../state/rest.ts';
import { AVOID_NONE, STATUS_GAVE_UP } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * The agent stops when bodies at rest fill this share of the circle around the goal that reaches to the agent. A wall
 * may cut off half of the circle.
 */
const FILLED_SHARE = 0.3;
/** The same after a longer time without progress. */
const LOOSE_SHARE = 0.15;
/** Maximum distance from the goal at which it stops, in radii. */
const FAR_RADII = 24;
/** Distance at which two agents count as touching, as a share of the sum of radii. */
const TOUCH_SHARE = 1.2;
/** Areas are summed in parts of the square of the largest radius, in whole numbers. */
const PARTS = 2 ** 20;

/** Per slot: number of the last call that counted the slot. */
let countedBy = new Int32Array(0);
let count = 0;

/**
 * Returns the slot of the agent on the goal of an agent without progress if the latter should settle where it is, or
 * -1. `isLoose`: even when gaps remain.
 */
export function findGoalTaker(crowd: Crowd, slot: number, isLoose: boolean): number {
  const { agents } = crowd;
  const { position, radius, status } = agents;
  if (agents.avoidance[slot] === AVOID_NONE || agents.cornerKind[slot] !== CORNER_GOAL) return -1;
  const { target } = crowd.corridors[slot];
  ahead[0] = target[0] - position[3 * slot];
  ahead[1] = target[2] - position[3 * slot + 2];
  const awaySq = ahead[0] * ahead[0] + ahead[1] * ahead[1];
  const far = FAR_RADII * radius[slot];
  if (awaySq > far * far || findAhead(crowd, slot, TOUCH_SHARE, isInTheWay) < 0) return -1;
  const { grid, largestRadius, drift } = lastBodiesOf(crowd);
  const away = Math.sqrt(awaySq);
  const cx = cellOf(grid, target[0]);
  const cz = cellOf(grid, target[2]);
  // Bodies at rest have moved by less than a radius in this tick.
  const within = Math.max(away, radius[slot] + largestRadius[0]) + drift[0] + largestRadius[0];
  const length = blockRuns(grid.runs, grid, cx, cz, -1, cellsWithin(grid, within));
  if (countedBy.length < crowd.maxAgents) countedBy = new Int32Array(crowd.maxAgents);
  count = (count + 1) | 0;
  let taker = -1;
  let takerSq = Infinity;
  // Whole numbers make the sum independent of the order of the bodies.
  const perPart = PARTS / (largestRadius[0] * largestRadius[0]);
  let filled = 0;
  for (let n = 0; n < runsEnd(length); n += 2) {
    for (let e = grid.runs[n]; e < grid.runs[n + 1]; e++) {
      const other = grid.slot[e];
      const rise = position[3 * other + 1] - target[1];
      if (other === slot || !isRestStatus(status[other]) || status[other] === STATUS_GAVE_UP) continue;
      // A block may list an entry twice.
      if (countedBy[other] === count) continue;
      countedBy[other] = count;
      if (rise > agents.height[slot] || -rise > agents.height[other]) continue;
      const x = position[3 * other] - target[0];
      const z = position[3 * other + 2] - target[2];
      const distanceSq = x * x + z * z;
      if (distanceSq <= awaySq) filled += Math.round(radius[other] * radius[other] * perPart);
      const isNearer = distanceSq < takerSq || (distanceSq === takerSq && other < taker);
      if (!isNearer || !isOnGoalOf(crowd, slot, other) || restsBecauseOf(crowd, other, slot)) continue;
      taker = other;
      takerSq = distanceSq;
    }
  }
  return filled / perPart >= (isLoose ? LOOSE_SHARE : FILLED_SHARE) * awaySq ? taker : -1;
}

/** Returns whether an agent is at rest, and not because of `slot`. */
function isInTheWay(crowd: Crowd, slot: number, other: number): boolean {
  return isRestStatus(crowd.agents.status[other]) && !restsBecauseOf(crowd, other, slot);
}
