/**
 * Pauses and resumes agents, and ends traversals of links that callers animate.
 *
 * A paused agent has a maximum speed of 0: it stands, keeps its order and its path, and does not give up.
 *
 * Cost: constant. Based on: own.
 */
import { readAgentSlot } from '../state/ids.ts';
import { AGENT_ASLEEP, MODE_MANUAL_LINKS, MODE_PAUSED, STATE_LINK } from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/**
 * Pauses an agent. It stops and stands until `resumeAgent`, and keeps its order, path and waits. Orders that it gets
 * while paused are accepted and begin on resume. It does not give way; other agents go around it. On a link it first
 * ends its traversal.
 *
 * Returns false when `id` names no agent.
 */
export function pauseAgent(crowd: Crowd, id: AgentId): boolean {
  checkCrowd('pauseAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'pauseAgent');
  if (slot < 0) return false;
  const { agents } = crowd;
  if ((agents.modes[slot] & MODE_PAUSED) !== 0) return true;
  agents.resumeSpeed[slot] = agents.maxSpeed[slot];
  agents.maxSpeed[slot] = 0;
  agents.modes[slot] |= MODE_PAUSED;
  return true;
}

/** Resumes a paused agent. Does nothing for an agent that is not paused. Returns false when `id` names no agent. */
export function resumeAgent(crowd: Crowd, id: AgentId): boolean {
  checkCrowd('resumeAgent', crowd);
  const slot = readAgentSlot(crowd, id, 'resumeAgent');
  if (slot < 0) return false;
  const { agents } = crowd;
  if ((agents.modes[slot] & MODE_PAUSED) === 0) return true;
  agents.maxSpeed[slot] = agents.resumeSpeed[slot];
  agents.resumeSpeed[slot] = 0;
  agents.modes[slot] &= ~MODE_PAUSED;
  agents.flags[slot] &= ~AGENT_ASLEEP;
  return true;
}

/**
 * Ends the traversal of a link by an agent with `linkTraversal: 'manual'`. The agent lands on the far side in the next
 * tick, or as soon as the landing is clear, at most two seconds later. The event `link-left` reports the landing.
 *
 * Returns false when `id` names no agent, or when the agent is not on a link, or the crowd moves it over the link.
 */
export function completeLink(crowd: Crowd, id: AgentId): boolean {
  checkCrowd('completeLink', crowd);
  const slot = readAgentSlot(crowd, id, 'completeLink');
  const { agents } = crowd;
  if (slot < 0 || agents.state[slot] !== STATE_LINK || (agents.modes[slot] & MODE_MANUAL_LINKS) === 0) return false;
  agents.linkTime[slot] = Math.max(agents.linkTime[slot], agents.linkDuration[slot]);
  return true;
}
