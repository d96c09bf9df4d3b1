/** Undo and redo over the document: `edit` is how tools and panels change it. Changes in a row with one name are one step. */
import { DOCUMENT_KEYS } from './state.ts';
import type { StudioState } from './state.ts';
import type { Store } from './store.ts';

type Document = Pick<StudioState, (typeof DOCUMENT_KEYS)[number]>;

interface Step {
  /** What was done, for people: 'cell size', 'move volume'. */
  name: string;
  before: Document;
  after: Document;
  time: number;
}

export interface History {
  /** Changes the document. `name` says what is done; within 700 ms of the last edit of that name it is the same step. */
  edit: (name: string, patch: Partial<Document>) => void;
  /** Returns the name of what was undone, undefined: there was nothing. */
  undo: () => string | undefined;
  redo: () => string | undefined;
  canUndo: () => boolean;
  canRedo: () => boolean;
  /** Forgets all steps: another level is open. */
  clear: () => void;
  /** Called when what can be undone has changed. */
  onChange: (listener: () => void) => void;
}

const SAME_STEP_MS = 700;
const MAX_STEPS = 200;

export function createHistory(store: Store, now: () => number = () => performance.now()): History {
  let steps: Step[] = [];
  /** Steps before it are done, the others undone. */
  let at = 0;
  const listeners: (() => void)[] = [];
  const changed = (): void => listeners.forEach((listener) => listener());
  return {
    edit(name, patch) {
      const before = documentOf(store.get());
      store.update(patch);
      const after = documentOf(store.get());
      if (DOCUMENT_KEYS.every((key) => before[key] === after[key])) return;
      const last = steps[at - 1];
      const time = now();
      steps.length = at;
      if (last !== undefined && last.name === name && time - last.time < SAME_STEP_MS) {
        last.after = after;
        last.time = time;
      } else {
        steps.push({ name, before, after, time });
        if (steps.length > MAX_STEPS) steps.shift();
        at = steps.length;
      }
      changed();
    },
    undo() {
      const step = steps[at - 1];
      if (step === undefined) return undefined;
      at--;
      step.time = -Infinity;
      store.update(step.before);
      changed();
      return step.name;
    },
    redo() {
      const step = steps[at];
      if (step === undefined) return undefined;
      at++;
      store.update(step.after);
      changed();
      return step.name;
    },
    canUndo: () => at > 0,
    canRedo: () => at < steps.length,
    clear() {
      steps = [];
      at = 0;
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function documentOf(state: StudioState): Document {
  return { settings: state.settings, edits: state.edits };
}
