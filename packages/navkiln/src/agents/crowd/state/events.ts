/** Events: what happened to agents in the last tick, or in the ticks of the last `advanceCrowd`. */
import { agentIdOf } from './ids.ts';
import { EVENT_KINDS } from './types.ts';
import type { AgentEventKind, AgentId, Crowd } from './types.ts';
import { checkCrowd } from './check-crowd.ts';

/** Something that happened to an agent. */
export interface AgentEvent {
  kind: AgentEventKind;
  agent: AgentId;
}

/** Appends an event. Events beyond three per slot are dropped. @internal */
export function noteEvent(crowd: Crowd, kind: number, slot: number): void {
  const { events } = crowd;
  if (events.count >= events.slot.length) return;
  events.kind[events.count] = kind;
  events.slot[events.count] = slot;
  events.count++;
}

/**
 * Returns the events of the last `stepCrowd` or `advanceCrowd`, oldest first. Within one step of a tick they
 * are ordered by slot. Allocates; `crowd.events` holds the same in columns.
 */
export function listEvents(crowd: Crowd): AgentEvent[] {
  checkCrowd('listEvents', crowd);
  const { count, kind, slot } = crowd.events;
  const list: AgentEvent[] = [];
  for (let i = 0; i < count; i++) list.push({ kind: EVENT_KINDS[kind[i]], agent: agentIdOf(crowd, slot[i]) });
  return list;
}
