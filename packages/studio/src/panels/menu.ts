/**
 * A button with a drop-down list. A choice, Escape or a click elsewhere closes it; arrow keys move through
 * it.
 */
import { h, icon } from '../dom/dom.ts';
import type { Child } from '../dom/dom.ts';

export interface MenuItem {
  title: string;
  /** A smaller line below the title. */
  help?: string;
  /** A note on the right: a key or a file extension. */
  note?: string;
  isDisabled?: boolean;
  isChecked?: boolean;
  run: () => void;
}

export interface MenuGroup {
  title?: string;
  items: MenuItem[];
}

const DOWN = 'M7 10l5 5 5-5';

/** Calls `groups` each time the menu opens. */
export function createMenu(
  label: string,
  iconPath: string,
  groups: () => MenuGroup[],
  props: Record<string, string> = {},
): HTMLElement {
  const list = h('div', { class: 'menu-list', role: 'menu', hidden: true });
  const button = h(
    'button',
    {
      class: 'button menu-button',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      onclick: () => (list.hidden ? open() : close()),
      ...props,
    },
    icon(iconPath),
    h('span', { class: 'label' }, label),
    icon(DOWN),
  );
  const box = h('div', { class: 'menu' }, button, list);
  const outside = (event: Event): void => {
    if (!box.contains(event.target as Node)) close();
  };
  const close = (): void => {
    list.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
  };
  const open = (): void => {
    list.replaceChildren(...groups().flatMap(groupElements));
    list.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside, true);
    (list.querySelector('button:not([disabled])') as HTMLElement | null)?.focus();
  };
  const groupElements = ({ title, items }: MenuGroup): Node[] => [
    ...(title === undefined ? [] : [h('div', { class: 'menu-title' }, title)]),
    ...items.map((item) => {
      const content: Child[] = [
        h('span', { class: 'menu-text' }, item.title, item.help === undefined ? undefined : h('small', {}, item.help)),
        item.note === undefined ? undefined : h('span', { class: 'note' }, item.note),
      ];
      return h(
        'button',
        {
          class: 'menu-item',
          role: item.isChecked === undefined ? 'menuitem' : 'menuitemradio',
          'aria-checked': item.isChecked === undefined ? undefined : String(item.isChecked),
          disabled: item.isDisabled === true,
          onclick: () => {
            close();
            button.focus();
            item.run();
          },
        },
        ...content,
      );
    }),
  ];
  // Tab leaves the menu and closes it.
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget as Node)) close();
  });
  box.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const items = [...list.querySelectorAll<HTMLElement>('button:not([disabled])')];
    const index = items.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape') {
      close();
      button.focus();
    } else if (event.key === 'ArrowDown') items[(index + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(index - 1 + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return box;
}
