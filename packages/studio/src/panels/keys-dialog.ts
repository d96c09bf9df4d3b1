/** The list of keyboard shortcuts. */
import { h } from '../dom/dom.ts';
import type { Shortcuts } from '../dom/shortcuts.ts';
import type { ToolKind } from '../tools/tool.ts';

const POINTER: readonly (readonly [string, string])[] = [
  ['Drag', 'rotate the view'],
  ['Right-drag, two fingers', 'pan the view'],
  ['Wheel, pinch', 'zoom'],
  ['Click', 'use the active tool'],
];

/** Keys of the query tools while the view has the focus. */
const QUERY_KEYS: readonly (readonly [string, string])[] = [
  ['Arrows', 'move the last point by 0.1 m, with Shift by 1 m'],
  ['Page up, Page down', 'move it up or down'],
  ['Enter', 'choose the next point'],
];

/** Keys of tools while the view has the focus, by id. */
const TOOL_KEYS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  crowd: [
    ['Space', 'run or pause'],
    ['.', 'run one tick'],
    ['Delete', 'remove the selected agent'],
  ],
  draw: [
    ['Arrows', 'move the cursor or the selected corner'],
    ['Enter', 'set a corner; on the first one, close the shape'],
    ['[ and ]', 'select the previous or next corner'],
    ['Insert, Delete', 'insert or delete a corner'],
  ],
  walk: [
    ['Arrows', 'move the target'],
    ['Enter', 'go there'],
  ],
  path: [
    ['Space', 'play or pause the search'],
    [',', 'previous node'],
    ['.', 'next node'],
  ],
};

export function createKeysDialog(shortcuts: Shortcuts, tools: readonly ToolKind[]): HTMLDialogElement {
  const close = h('button', { class: 'button', onclick: () => dialog.close() }, 'Close');
  const body = h('div', { class: 'keys' });
  const letters = h('input', { type: 'checkbox', onchange: () => shortcuts.setLetters(letters.checked) });
  const toggle = h('label', { class: 'keys-switch' }, letters, 'Shortcuts of a single key');
  const foot = h('div', { class: 'buttons' }, close, toggle);
  const dialog = h(
    'dialog',
    { class: 'dialog', 'aria-label': 'Keyboard shortcuts' },
    h('h2', {}, 'Keyboard shortcuts'),
    body,
    foot,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    letters.checked = shortcuts.hasLetters();
    const groups = new Map<string, (readonly [string, string])[]>();
    for (const { key, title, group } of shortcuts.list()) {
      groups.set(group, [...(groups.get(group) ?? []), [showKey(key), title]]);
    }
    groups.set('Pointer', [...POINTER]);
    groups.set('Queries, with focus on the view', [...QUERY_KEYS]);
    for (const { id, title } of tools) {
      if (id in TOOL_KEYS) groups.set(`${title}, with focus on the view`, [...TOOL_KEYS[id]]);
    }
    const line = ([key, title]: readonly [string, string]): HTMLElement =>
      h('div', { class: 'row' }, h('kbd', {}, key), h('span', {}, title));
    body.replaceChildren(
      ...[...groups].map(([group, keys]) => h('section', {}, h('h3', {}, group), ...keys.map(line))),
    );
    show();
    // The browser scrolls to the focused button at the end of the dialog.
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
