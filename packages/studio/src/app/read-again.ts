/** Reads the file of the open 2D map again after a change of how it is read. Loaded with the first map of a file. */
import type { MapSettings } from 'navkiln-cli/config';
import type { Outcome, Task } from '../bake/protocol.ts';
import type { FileBytes } from '../files/kinds.ts';
import { READ_TOPIC } from '../state/message.ts';
import type { Say } from '../state/message.ts';
import type { StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { mapData } from './loaded.ts';

/** Settings by which the file of a map is read; the others are those of the build. */
const READ_KEYS = [
  'projection',
  'where',
  'obstacles',
  'lineWidth',
  'walls',
  'ignore',
  'walkable',
  'collisionProperty',
  'scale',
  'tolerance',
  'space',
  'precision',
] as const satisfies readonly (keyof MapSettings)[];

/** Warnings about the reading that are shown at a time. */
const MOST_WARNINGS = 4;

/** Returns what a file of a map is read with, for comparison. */
function keyOf({ settings: { map = {} }, edits }: StudioState): string {
  return JSON.stringify([READ_KEYS.map((key) => map[key] ?? null), edits.mapLevels ?? null]);
}

interface OpenFile {
  main: string;
  files: readonly FileBytes[];
  nextId: () => number;
  say: Say;
  forget: (topic: string) => void;
}

/**
 * Returns a function that compares the document with how the map was read, starts to read it again when they differ, and returns whether
 * it does. `opened` is the state with which it was read first. `run` runs the task, and bakes after `use`. Call it when the map is as the document says.
 */
export function createMapReader(
  opened: StudioState,
  store: Store,
  { main, files, nextId, say, forget }: OpenFile,
  run: (main: string, task: Task, use: (outcome: Outcome) => void) => void,
): () => boolean {
  let key = keyOf(opened);
  return () => {
    const state = store.get();
    const next = keyOf(state);
    if (key === next) return false;
    const { settings, edits } = state;
    const { mapLevels: levels, map: drawn } = edits;
    const task: Task = { type: 'files', kind: 'map', main, files: [...files], map: settings.map ?? {}, levels };
    run(main, task, (outcome) => {
      if (outcome.kind !== 'map') return;
      key = next;
      const { choices: before } = store.get().map ?? {};
      const now = outcome.choices?.layers ?? [];
      // Layers that are left out, and levels of which one is read, are still to choose.
      const left = (before?.layers ?? []).filter((one) => !now.some(({ layer }) => layer === one.layer));
      const layers = [...now, ...left];
      const choices = { ...before, ...outcome.choices, ...(layers.length > 0 ? { layers } : {}) };
      store.update({ map: mapData({ ...outcome, choices }, nextId()), mesh: undefined, shell: undefined });
      for (let i = 0; i < 2 * MOST_WARNINGS; i++) forget(`${READ_TOPIC} ${i}`);
      outcome.warnings.slice(0, MOST_WARNINGS).forEach((text, i) => say('warning', text, `${READ_TOPIC} ${i}`));
      const note = 'The map was changed by drawing, and stays as it was drawn. Undo that to see how its file is read.';
      if (drawn !== undefined) say('warning', note);
    });
    return true;
  };
}
