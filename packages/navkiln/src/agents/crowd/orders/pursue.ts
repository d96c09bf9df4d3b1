/**
 * Makes agents follow a moving point, as `followAgent` makes them follow an agent.
 *
 * In: the position of the point on the mesh, each tick.
 * Out: the agent's goal. While the point moves over walkable surface nearby, the end of the path follows it.
 * A search is requested when the point has left that surface or has moved far, at most once a second
 * (search/aim.ts).
 * Cost: a comparison for a point that rests; a slide over the surface for a point that moves.
 * Based on: own.
 */
import { GOAL_SLACK_RADII, followGoal } from '../search/aim.ts';
import { refOf } from '../../../mesh/ref.ts';
import { aimAtPoint } from './orders.ts';
import { endPatrol } from './patrol-state.ts';
import { GOAL_POINT, STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * Gives an agent the goal of staying within `distance` (world units) of a point on a polygon (dense index).
 * Replaces any other order. @internal
 */
export function pursue(crowd: Crowd, slot: number, poly: number, point: Float64Array, distance: number): void {
  const { agents, mesh } = crowd;
  const { goal } = agents;
  endPatrol(crowd, slot);
  agents.arriveDistance[slot] = distance;
  if (agents.goalKind[slot] !== GOAL_POINT) {
    aimAtPoint(crowd, slot, poly, point);
    return;
  }
  if (agents.state[slot] !== STATE_GROUND) return;
  const at = 3 * slot;
  const dx = point[0] - goal[at];
  const dy = point[1] - goal[at + 1];
  const dz = point[2] - goal[at + 2];
  const movedSq = dx * dx + dy * dy + dz * dz;
  const slack = GOAL_SLACK_RADII * agents.radius[slot];
  if (movedSq <= slack * slack && agents.goalPoly[slot] >= 0) return;
  for (let k = 0; k < 3; k++) goal[at + k] = point[k];
  agents.goalPoly[slot] = poly;
  agents.goalRef[slot] = refOf(mesh, poly);
  followGoal(crowd, slot, Math.sqrt(movedSq), distance);
}
