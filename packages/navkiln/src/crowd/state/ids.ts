/** Handles of agents: generation and slot in one number, as refs of polygons are made. */
import { STATE_FREE } from './types.ts';
import type { AgentId, Crowd } from './types.ts';

/** Slots a generation counts over. */
const SLOTS = 1 << 20;

/** The id of the agent in a slot, which is trusted. */
export function agentIdOf(crowd: Crowd, slot: number): AgentId {
  return (crowd.agents.generation[slot] * SLOTS + slot) as AgentId;
}

/** The slot of an agent, or -1: it is null, was removed, or is none of this crowd. */
export function agentSlotOf(crowd: Crowd, id: AgentId): number {
  if (!Number.isSafeInteger(id) || id <= 0) return -1;
  const slot = id % SLOTS;
  const { generation, state } = crowd.agents;
  const isThere = slot < crowd.slotCount && state[slot] !== STATE_FREE && generation[slot] === (id - slot) / SLOTS;
  return isThere ? slot : -1;
}
