/** Asks before edits that were not saved are lost because other content opens. Loaded when it is needed. */
import { h } from '../dom/dom.ts';

/** Resolves to true when the user agrees to lose the changes to what is open. */
export function askToLeave(root: HTMLElement, name: string): Promise<boolean> {
  const button = (title: string, value: string, look = 'button'): HTMLElement =>
    h('button', { class: look, onclick: () => dialog.close(value) }, title);
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Changes are not saved' },
    h('h2', {}, 'Changes are not saved'),
    h('p', {}, `Opening something else discards your changes to ${name}. Save keeps them in a file.`),
    h('div', { class: 'buttons' }, button('Stay', 'stay', 'button primary'), button('Discard the changes', 'leave')),
  );
  root.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'leave');
    });
  });
}
