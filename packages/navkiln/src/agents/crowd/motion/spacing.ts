/**
 * Spacing: steers agents with a separation weight away from moving neighbors, so that they keep their
 * distance.
 *
 * Each neighbor pushes the desired velocity away from itself. A near neighbor pushes more, and one at the edge of the
 * agent's reach not at all. The sum turns the desired velocity by at most 60 degrees and does not change its length, so
 * that an agent always comes nearer to its corner and brakes at its goal. Agents at rest do not count, so that other
 * agents can settle beside them. An agent without progress heads straight for its goal.
 *
 * In: `desired`, positions, neighbors, `separationWeight`.
 * Out: `desired`.
 * Cost: linear in the neighbors. No allocation.
 * Based on: Craig Reynolds, Steering Behaviors For Autonomous Characters, 1999 (separation). Differs: the
 * speed is kept, the turn is limited, and agents at rest have no effect.
 */
import { reachOf } from '../nearby/reach.ts';
import { isRestStatus } from '../state/rest.ts';
import { GOAL_AGENT, GOAL_POINT, MAX_NEIGHBORS } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Time without progress after which an agent heads straight for its goal, seconds. */
const PATIENCE_SECONDS = 0.5;
/** Cosine and sine of the largest turn. */
const LEAST_AHEAD = 0.5;
const MOST_ASIDE: number = Math.sqrt(1 - LEAST_AHEAD * LEAST_AHEAD);

/** Turns `desired` of an agent whose separation weight is above 0, unless it rests, yields or makes no progress. */
export function keepSpacing(crowd: Crowd, slot: number): void {
  const { agents, tick, stepSeconds } = crowd;
  const { status, goalKind } = agents;
  if (isRestStatus(status[slot]) || tick < agents.yieldUntil[slot]) return;
  const hasGoal = goalKind[slot] === GOAL_POINT || goalKind[slot] === GOAL_AGENT;
  if (hasGoal && tick - agents.progressTick[slot] > PATIENCE_SECONDS / stepSeconds) return;
  turnAway(crowd, slot);
}

/** Turns the desired velocity of an agent away from its neighbors. */
function turnAway(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const { position, radius, desired, status, neighbors, neighborCount, neighborDistanceSq } = agents;
  const x = desired[2 * slot];
  const z = desired[2 * slot + 1];
  const speed = Math.sqrt(x * x + z * z);
  if (speed === 0) return;
  const reach = reachOf(agents, slot) + radius[slot];
  const first = MAX_NEIGHBORS * slot;
  let awayX = 0;
  let awayZ = 0;
  for (let n = first; n < first + neighborCount[slot]; n++) {
    const other = neighbors[n];
    if (isRestStatus(status[other])) continue;
    const distance = Math.sqrt(neighborDistanceSq[n]);
    const within = reach + radius[other];
    if (!(distance > 0 && distance < within)) continue;
    const strength = (1 - distance / within) / distance;
    awayX += (position[3 * slot] - position[3 * other]) * strength;
    awayZ += (position[3 * slot + 2] - position[3 * other + 2]) * strength;
  }
  // Computed in the frame of the desired direction.
  const weight = agents.separationWeight[slot];
  const ahead = 1 + (weight * (awayX * x + awayZ * z)) / speed;
  const aside = (weight * (awayZ * x - awayX * z)) / speed;
  const length = Math.sqrt(ahead * ahead + aside * aside);
  if (length === 0) return;
  let cos = ahead / length;
  let sin = aside / length;
  if (cos < LEAST_AHEAD) {
    cos = LEAST_AHEAD;
    sin = sin < 0 ? -MOST_ASIDE : MOST_ASIDE;
  }
  desired[2 * slot] = x * cos - z * sin;
  desired[2 * slot + 1] = z * cos + x * sin;
}
