/** The list of keys, made from the table of shortcuts. */
import { h } from '../dom/dom.ts';
import type { Shortcuts } from '../dom/shortcuts.ts';
import type { ToolKind } from '../tools/tool.ts';

const POINTER: readonly (readonly [string, string])[] = [
  ['Drag', 'turn the view'],
  ['Right-drag, two fingers', 'move the view'],
  ['Wheel, pinch', 'nearer, further'],
  ['Click', 'what the tool says'],
];

/** Keys that tools take while the view has the focus. */
const PLACES: readonly (readonly [string, string])[] = [
  ['Arrows', 'move the place touched last, with Shift 1 m'],
  ['Page up, Page down', 'lift or lower it'],
  ['Enter', 'the next place'],
];

export function createKeysDialog(shortcuts: Shortcuts, tools: readonly ToolKind[]): HTMLDialogElement {
  const close = h('button', { class: 'button', onclick: () => dialog.close() }, 'Close');
  const body = h('div', { class: 'keys' });
  const foot = h('div', { class: 'buttons' }, close);
  const dialog = h('dialog', { class: 'dialog', 'aria-label': 'Keys' }, h('h2', {}, 'Keys'), body, foot);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    const groups = new Map<string, (readonly [string, string])[]>();
    for (const { key, title, group } of shortcuts.list()) {
      groups.set(group, [...(groups.get(group) ?? []), [showKey(key), title]]);
    }
    groups.set('Pointer', [...POINTER]);
    groups.set('Questions, view in focus', [...PLACES]);
    for (const { title, keys } of tools) if (keys !== undefined) groups.set(`${title}, view in focus`, [...keys]);
    const line = ([key, title]: readonly [string, string]): HTMLElement =>
      h('div', { class: 'row' }, h('kbd', {}, key), h('span', {}, title));
    body.replaceChildren(
      ...[...groups].map(([group, keys]) => h('section', {}, h('h3', {}, group), ...keys.map(line))),
    );
    show();
    // The button at its end has the focus, and would be scrolled to.
    dialog.scrollTop = 0;
  };
  return dialog;
}

function showKey(key: string): string {
  const names: Readonly<Record<string, string>> = {
    ctrl: 'Ctrl',
    shift: 'Shift',
    alt: 'Alt',
    escape: 'Esc',
    tab: 'Tab',
  };
  return key
    .split('+')
    .map((part) => names[part] ?? part.toUpperCase())
    .join(' ');
}
