/**
 * Stop and go: an agent that queues before a narrow portal stands until it can walk, instead of creeping and turning on the
 * spot.
 *
 * In a dense queue, avoidance chooses small velocities in changing directions. An agent stops when the chosen speed is
 * below a fifth of its desired speed, and starts again at half of it. Exceptions are agents with counterflow, near the
 * portal, or without progress for a while, which use every gap. Agents in a line count as making progress (traffic.ts).
 *
 * In: the chosen velocity; `velocity`, `desired`, narrow portals, `counterTick`, `progressTick`.
 * Out: whether the agent stands.
 * Cost: a few comparisons. No allocation.
 * Based on: own.
 * Tried: mixing a share of the current velocity into the chosen one. Agents then turn 10 % less instead of 50 % less.
 * Stop and go at portals and with counterflow makes junctions take a third longer. Everywhere, `rooms-flow` comes to
 * rest 20 s later (`npm run bench -- --only crowd-flow`). Before links, a ladder passes 10 % fewer agents on one seed
 * in three.
 */
import { knowsOfCounterflow } from '../nearby/counterflow.ts';
import { NARROW_AHEAD } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * Shares of the desired speed: below `STOP_SHARE` a moving agent stops, and below `GO_SHARE` a standing agent does not
 * start.
 */
const STOP_SHARE = 0.2;
const GO_SHARE = 0.5;
/** Share of the desired speed below which an agent counts as standing. */
const STANDING_SHARE = 0.05;
/** Distance from the middle of a narrow portal within which agents use every gap, in radii. */
const AT_PORTAL_RADII = 4;
/** Time without progress after which an agent uses every gap, seconds. */
const PATIENCE_SECONDS = 0.6;

/** Returns whether an agent stands rather than take the velocity `chosen`. */
export function standsStill(chosen: Float64Array, crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  const { desired, velocity, position, narrowAt, radius } = agents;
  const at = 2 * slot;
  const wanted = desired[at] * desired[at] + desired[at + 1] * desired[at + 1];
  const speed = chosen[0] * chosen[0] + chosen[1] * chosen[1];
  if (speed >= GO_SHARE * GO_SHARE * wanted) return false;
  const present = velocity[at] * velocity[at] + velocity[at + 1] * velocity[at + 1];
  const stands = present < STANDING_SHARE * STANDING_SHARE * wanted;
  if (speed >= STOP_SHARE * STOP_SHARE * wanted && !stands) return false;
  if (crowd.tick - agents.progressTick[slot] > PATIENCE_SECONDS / crowd.stepSeconds) return false;
  if (knowsOfCounterflow(crowd, slot)) return false;
  if (agents.queueLinkEnd[slot] >= 0 || agents.narrow[NARROW_AHEAD * slot] === 0) return false;
  const dx = narrowAt[at] - position[3 * slot];
  const dz = narrowAt[at + 1] - position[3 * slot + 2];
  const near = AT_PORTAL_RADII * radius[slot];
  return dx * dx + dz * dz >= near * near;
}
