/** What happened to characters in the last `advanceCharacters`: a list that the next one overwrites. It grows as needed. */
import type { AgentId, CharacterEventKind, CharacterEvents, CharacterSet } from '../types/characters.ts';

export interface CharacterEvent {
  kind: CharacterEventKind;
  character: AgentId;
  /** Of 'landed': speed down, world units a second; else 0. */
  value: number;
}

/** @internal */
export function createCharacterEvents(): CharacterEvents {
  return { count: 0, kind: [], character: new Float64Array(64), value: new Float64Array(64) };
}

/** @internal */
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

/** What happened in the last `advanceCharacters`, in order: fresh records. */
export function listCharacterEvents(set: CharacterSet): CharacterEvent[] {
  const { count, kind, character, value } = set.events;
  const list: CharacterEvent[] = [];
  for (let i = 0; i < count; i++) list.push({ kind: kind[i], character: character[i] as AgentId, value: value[i] });
  return list;
}
