/** Knows whether there are edits that no file holds, and asks before they are lost. */
import { NO_EDITS, nameOfSource } from '../state/state.ts';
import type { Edits } from '../state/state.ts';
import { loadPart } from '../tools/lazy.ts';
import type { Core } from './core.ts';

export interface Leaving {
  /** Resolves to true when nothing is lost, or when the user agrees. */
  mayLeave: () => Promise<boolean>;
  /** The edits were saved. */
  markSaved: () => void;
}

export function createLeaving({ store, messages: { say } }: Core, root: HTMLElement): Leaving {
  /** The edits that are in a file, or came with the content. */
  let saved: Edits = NO_EDITS;
  const markSaved = (): void => void (saved = store.get().edits);
  store.listen(['source'], markSaved);
  return {
    markSaved,
    async mayLeave() {
      const { edits, source } = store.get();
      if (source === undefined || edits === saved || JSON.stringify(edits) === JSON.stringify(saved)) return true;
      const code = await loadPart(() => import('../panels/leave-dialog.ts'), say);
      return code === undefined || code.askToLeave(root, nameOfSource(source));
    },
  };
}
