/** Events of characters: a list that each `advanceCharacters` overwrites. It grows as needed. */
import { checkRecord } from '../../../base/data/refuse.ts';
import type { AgentId } from '../../crowd/state/types.ts';
import type { CharacterEventKind, CharacterEvents, CharacterSet } from '../types/characters.ts';

/** An event of a character. */
export interface CharacterEvent {
  kind: CharacterEventKind;
  character: AgentId;
  /** Downward speed of 'landed', world units per second; otherwise 0. */
  value: number;
}

/** Creates an empty list of events. @internal */
export function createCharacterEvents(): CharacterEvents {
  return { count: 0, kind: [], character: new Float64Array(64), value: new Float64Array(64) };
}

/** Appends an event of the character in a slot. @internal */
export function noteCharacter(set: CharacterSet, kind: CharacterEventKind, slot: number, value: number): void {
  const { events } = set;
  if (events.count === events.character.length) {
    const { character, value: values } = events;
    events.character = new Float64Array(2 * character.length);
    events.character.set(character);
    events.value = new Float64Array(2 * character.length);
    events.value.set(values);
  }
  events.kind[events.count] = kind;
  events.character[events.count] = set.id[slot];
  events.value[events.count] = value;
  events.count++;
}

/** Returns the events of the last `advanceCharacters` or `stepCharacters` in order, as new records. */
export function listCharacterEvents(set: CharacterSet): CharacterEvent[] {
  checkRecord('listCharacterEvents', 'set', set, 'smoothVelocity', 'a CharacterSet');
  const { count, kind, character, value } = set.events;
  const list: CharacterEvent[] = [];
  for (let i = 0; i < count; i++) list.push({ kind: kind[i], character: character[i] as AgentId, value: value[i] });
  return list;
}
