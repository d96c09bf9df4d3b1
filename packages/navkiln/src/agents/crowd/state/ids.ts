/**
 * Agent ids: generation and slot in one number, like the refs of polygons.
 *
 *   id = generation * 2^20 + slot      generation 1 .. 65535, so 0 is no agent
 *
 * Based on: own.
 */
import { refuseType } from '../../../base/data/refuse.ts';
import { STATE_FREE } from './types.ts';
import type { AgentId, Crowd } from './types.ts';

/** Number of slots that an id can address. */
const SLOT_LIMIT = 1 << 20;

/** Returns the id of the agent in a slot. Kernel: the slot is not checked and must be in use. */
export function agentIdOf(crowd: Crowd, slot: number): AgentId {
  return (crowd.agents.generation[slot] * SLOT_LIMIT + slot) as AgentId;
}

/**
 * Returns the slot of an agent. Returns -1 for `NULL_AGENT`, for a removed agent and for an id of another
 * crowd.
 */
export function agentSlotOf(crowd: Crowd, id: AgentId): number {
  if (!Number.isSafeInteger(id) || id <= 0) return -1;
  const slot = id % SLOT_LIMIT;
  const { generation, state } = crowd.agents;
  const isInUse = slot < crowd.slotCount && state[slot] !== STATE_FREE && generation[slot] === (id - slot) / SLOT_LIMIT;
  return isInUse ? slot : -1;
}

/** Returns what `agentSlotOf` returns. Throws a TypeError for an id that is not a number. @internal */
export function readAgentSlot(crowd: Crowd, id: AgentId, caller: string, path: string = 'id'): number {
  if (typeof id !== 'number') refuseType(caller, path, id, 'an AgentId');
  return agentSlotOf(crowd, id);
}
