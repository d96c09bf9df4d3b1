/**
 * What happened in the last tick (or in those of the last `advanceCrowd`): kinds and slots in a list that the next overwrites.
 */
import { agentIdOf } from './ids.ts';
import { EVENT_KINDS } from './types.ts';
import type { AgentEventKind, AgentId, Crowd } from './types.ts';

export interface AgentEvent {
  kind: AgentEventKind;
  agent: AgentId;
}

/** Notes an event; more than there is room for (three an agent) are dropped. @internal */
export function noteEvent(crowd: Crowd, kind: number, slot: number): void {
  const { events } = crowd;
  if (events.count >= events.slot.length) return;
  events.kind[events.count] = kind;
  events.slot[events.count] = slot;
  events.count++;
}

/** What happened in the last tick, or in those of the last `advanceCrowd`, in a fixed order: fresh records. */
export function listEvents(crowd: Crowd): AgentEvent[] {
  const { count, kind, slot } = crowd.events;
  const list: AgentEvent[] = [];
  for (let i = 0; i < count; i++) list.push({ kind: EVENT_KINDS[kind[i]], agent: agentIdOf(crowd, slot[i]) });
  return list;
}
