/** Asks before edits that were not saved are lost because other content opens. */
import { h } from '../dom/dom.ts';
import { NO_EDITS, nameOfSource } from '../state/state.ts';
import type { Edits } from '../state/state.ts';
import type { Store } from '../state/store.ts';

export interface LeaveQuestion {
  dialog: HTMLDialogElement;
  /** Resolves to true when nothing is lost, or when the user agrees. */
  mayLeave: () => Promise<boolean>;
  /** The edits were saved. */
  markSaved: () => void;
}

export function createLeaveQuestion(store: Store): LeaveQuestion {
  /** The edits that are in a file, or came with the content. */
  let saved: Edits = NO_EDITS;
  const markSaved = (): void => void (saved = store.get().edits);
  store.listen(['source'], markSaved);
  const text = h('p', {});
  const button = (title: string, value: string, look = 'button'): HTMLElement =>
    h('button', { class: look, onclick: () => dialog.close(value) }, title);
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Changes are not saved' },
    h('h2', {}, 'Changes are not saved'),
    text,
    h('div', { class: 'buttons' }, button('Stay', 'stay', 'button primary'), button('Discard the changes', 'leave')),
  );
  return {
    dialog,
    markSaved,
    mayLeave() {
      const { edits, source } = store.get();
      if (source === undefined || edits === saved || JSON.stringify(edits) === JSON.stringify(saved)) {
        return Promise.resolve(true);
      }
      text.textContent = `Opening something else discards your changes to ${nameOfSource(source)}. Save keeps them in a file.`;
      dialog.returnValue = 'stay';
      dialog.showModal();
      return new Promise((resolve) => {
        dialog.addEventListener('close', () => resolve(dialog.returnValue === 'leave'), { once: true });
      });
    },
  };
}
