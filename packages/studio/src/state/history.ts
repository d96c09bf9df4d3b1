/**
 * Undo and redo of the document. Tools and panels change the document with `edit`; quick edits of one name
 * make one step.
 */
import { DOCUMENT_KEYS } from './state.ts';
import type { StudioState } from './state.ts';
import type { Store } from './store.ts';

type Document = Pick<StudioState, (typeof DOCUMENT_KEYS)[number]>;

interface Step {
  /** Description of the edit for the user: 'cell size', 'move volume'. */
  name: string;
  before: Document;
  after: Document;
  time: number;
}

export interface History {
  /** Changes the document. An edit within 700 ms of the last one of the same name extends that step. */
  edit: (name: string, patch: Partial<Document>) => void;
  /** Returns the name of the undone step, or undefined when there is nothing to undo. */
  undo: () => string | undefined;
  redo: () => string | undefined;
  canUndo: () => boolean;
  canRedo: () => boolean;
  /** Forgets all steps, for example when another level opens. */
  clear: () => void;
  /** Calls the listener whenever the list of steps, or the position in it, changes. */
  onChange: (listener: () => void) => void;
}

const SAME_STEP_MS = 700;
const MAX_STEPS = 200;

export function createHistory(store: Store, now: () => number = () => performance.now()): History {
  let steps: Step[] = [];
  /** Number of steps that are done. The others are undone. */
  let doneCount = 0;
  const listeners: (() => void)[] = [];
  const changed = (): void => listeners.forEach((listener) => listener());
  return {
    edit(name, patch) {
      const before = documentOf(store.get());
      store.update(patch);
      const after = documentOf(store.get());
      if (DOCUMENT_KEYS.every((key) => before[key] === after[key])) return;
      const last = steps[doneCount - 1];
      const time = now();
      steps.length = doneCount;
      if (last !== undefined && last.name === name && time - last.time < SAME_STEP_MS) {
        last.after = after;
        last.time = time;
      } else {
        steps.push({ name, before, after, time });
        if (steps.length > MAX_STEPS) steps.shift();
        doneCount = steps.length;
      }
      changed();
    },
    undo() {
      const step = steps[doneCount - 1];
      if (step === undefined) return undefined;
      doneCount--;
      step.time = -Infinity;
      store.update(step.before);
      changed();
      return step.name;
    },
    redo() {
      const step = steps[doneCount];
      if (step === undefined) return undefined;
      doneCount++;
      store.update(step.after);
      changed();
      return step.name;
    },
    canUndo: () => doneCount > 0,
    canRedo: () => doneCount < steps.length,
    clear() {
      steps = [];
      doneCount = 0;
      changed();
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function documentOf(state: StudioState): Document {
  return { settings: state.settings, edits: state.edits };
}
