/**
 * Going after a point that moves: `follow` for whatever is no agent.
 *
 * In: where the point is on the ground, each tick. As long as it moves over ground near it the end of the path follows; a
 * search is asked for when it has left that ground or has come far, at most one a second (goals.ts). Cost: a comparison for one
 * that stands, a slide for one that moves. Based on: own.
 */
import { goalHasMoved } from '../goals.ts';
import { refOf } from '../../navmesh/ref.ts';
import { aimAtPoint } from './orders.ts';
import { GOAL_POINT, STATE_GROUND } from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Radii by which a goal may move and count as standing. */
const SLACK_RADII = 0.25;

/**
 * Tells an agent that what it goes after is on this point of a polygon (dense index); it stops within `distance` of it. One
 * that was told something else goes after the point from now on.
 */
export function pursue(crowd: Crowd, slot: number, poly: number, point: Float64Array, distance: number): void {
  const { agents, mesh } = crowd;
  const { goal } = agents;
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
  const slack = SLACK_RADII * agents.radius[slot];
  if (movedSq <= slack * slack && agents.goalPoly[slot] >= 0) return;
  for (let k = 0; k < 3; k++) goal[at + k] = point[k];
  agents.goalPoly[slot] = poly;
  agents.goalRef[slot] = refOf(mesh, poly);
  goalHasMoved(crowd, slot, Math.sqrt(movedSq), distance);
}
