/**
 * Pauses agents and lets them go on, and ends traverses of links that callers animate.
 *
 * A paused agent is one of speed 0: it stands, keeps its order and its path, and does not give up.
 *
 * Cost: constant. Based on: own.
 */
import { checkRecord } from '../../data/refuse.ts';
import { readAgentSlot } from '../state/ids.ts';
import { AGENT_ASLEEP, MODE_MANUAL_LINKS, MODE_PAUSED, STATE_LINK } from '../state/types.ts';
import type { AgentId, Crowd } from '../state/types.ts';

/**
 * Pauses an agent: it stops and stands, with its order, its path and its waits, until `resumeAgent`. Orders that it gets meanwhile are
 * accepted, and begin then. It cannot make way for others; they go around it. On a link it first ends its traverse.
 *
 * Returns false when `id` names no agent.
 */
export function pauseAgent(crowd: Crowd, id: AgentId): boolean {
  checkRecord('pauseAgent', 'crowd', crowd, 'previousHeading', 'a Crowd');
  const slot = readAgentSlot(crowd, id, 'pauseAgent');
  if (slot < 0) return false;
  const { agents } = crowd;
  if ((agents.modes[slot] & MODE_PAUSED) !== 0) return true;
  agents.resumeSpeed[slot] = agents.maxSpeed[slot];
  agents.maxSpeed[slot] = 0;
  agents.modes[slot] |= MODE_PAUSED;
  return true;
}

/** Lets a paused agent go on. Does nothing for one that is not paused. Returns false when `id` names no agent. */
export function resumeAgent(crowd: Crowd, id: AgentId): boolean {
  checkRecord('resumeAgent', 'crowd', crowd, 'previousHeading', 'a Crowd');
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
 * Ends the traverse of a link by an agent with `linkTraversal: 'manual'`: in the next tick it lands on the far side, or as soon as there is
 * room, at most two seconds later. The event `link-left` reports it.
 *
 * Returns false when `id` names no agent, or one that is on no link or is moved over it by the crowd.
 */
export function completeLink(crowd: Crowd, id: AgentId): boolean {
  checkRecord('completeLink', 'crowd', crowd, 'previousHeading', 'a Crowd');
  const slot = readAgentSlot(crowd, id, 'completeLink');
  const { agents } = crowd;
  if (slot < 0 || agents.state[slot] !== STATE_LINK || (agents.modes[slot] & MODE_MANUAL_LINKS) === 0) return false;
  agents.linkTime[slot] = Math.max(agents.linkTime[slot], agents.linkDuration[slot]);
  return true;
}
