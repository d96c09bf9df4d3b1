/** The list of keys, made from the table of shortcuts. */
import type { Shortcuts } from '../app/shortcuts.ts';
import { h } from './dom.ts';

const POINTER: readonly [string, string][] = [
  ['Drag', 'turn the view'], ['Right-drag, two fingers', 'move the view'], ['Wheel, pinch', 'nearer, further'],
  ['Click', 'what the tool says'],
];

export function createKeysDialog(shortcuts: Shortcuts): HTMLDialogElement {
  const close = h('button', { class: 'button', onclick: () => dialog.close() }, 'Close');
  const body = h('div', { class: 'keys' });
  const foot = h('div', { class: 'buttons' }, close);
  const dialog = h('dialog', { class: 'dialog', 'aria-label': 'Keys' }, h('h2', {}, 'Keys'), body, foot);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    const groups = new Map<string, [string, string][]>();
    for (const { key, title, group } of shortcuts.list()) {
      groups.set(group, [...(groups.get(group) ?? []), [showKey(key), title]]);
    }
    groups.set('Pointer', [...POINTER]);
    const line = ([key, title]: [string, string]): HTMLElement =>
      h('div', { class: 'row' }, h('kbd', {}, key), h('span', {}, title));
    body.replaceChildren(...[...groups].map(([group, keys]) => h('section', {}, h('h3', {}, group), ...keys.map(line))));
    show();
  };
  return dialog;
}

function showKey(key: string): string {
  const names: Readonly<Record<string, string>> = { ctrl: 'Ctrl', shift: 'Shift', alt: 'Alt', escape: 'Esc', tab: 'Tab' };
  return key.split('+').map((part) => names[part] ?? part.toUpperCase()).join(' ');
}
