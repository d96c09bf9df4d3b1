/**
 * Moves the goals of agents that follow other agents. The step of goals calls it (goals.ts).
 *
 * In: positions of followed agents. Out: goals, ends of corridors, requests, `status`.
 * Cost: nothing for a goal that does not move.
 * Based on: own.
 */
import { CORNER_NONE } from '../../corridor/types.ts';
import { agentSlotOf } from '../state/ids.ts';
import { CHANGE_TARGET_REMOVED, changeStatus } from '../state/status.ts';
import { GOAL_NONE, STATE_AIR, STATE_GROUND, STATE_LINK, STATE_LOST } from '../state/types.ts';
import type { AgentId, Behavior, Crowd } from '../state/types.ts';
import { GOAL_SLACK_RADII, followGoal, moveGoalToAgent } from './aim.ts';
import { cancelRequest } from './record.ts';

/** The behavior of agents that follow others, which `followAgent` adds. */
export const pursuit: Behavior = { pursue };

/** Moves the goal of a follower to the agent that it follows. */
function pursue(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  const other = agentSlotOf(crowd, agents.goalAgent[slot] as AgentId);
  if (other < 0) {
    cancelRequest(crowd, slot);
    agents.goalKind[slot] = GOAL_NONE;
    changeStatus(crowd, slot, CHANGE_TARGET_REMOVED);
    agents.cornerKind[slot] = CORNER_NONE;
    return;
  }
  if (agents.state[other] === STATE_LOST || agents.state[slot] !== STATE_GROUND) return;
  const at = 3 * slot;
  const dx = agents.position[3 * other] - agents.goal[at];
  const dy = agents.position[3 * other + 1] - agents.goal[at + 1];
  const dz = agents.position[3 * other + 2] - agents.goal[at + 2];
  const slack = GOAL_SLACK_RADII * agents.radius[slot];
  const movedSq = dx * dx + dy * dy + dz * dz;
  if (movedSq <= slack * slack && agents.goalPoly[slot] >= 0) return;
  // A followed agent off the mesh has no polygon: the goal stays at its last position on the mesh.
  if (agents.state[other] === STATE_LINK || agents.state[other] === STATE_AIR) return;
  moveGoalToAgent(crowd, slot, other);
  if (agents.goalPoly[slot] < 0) return;
  followGoal(crowd, slot, Math.sqrt(movedSq), agents.followDistance[slot]);
}
