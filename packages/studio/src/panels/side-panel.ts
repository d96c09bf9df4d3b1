/**
 * The panel at the right: tabs over one another. Adding one is an entry in `createSidePanel`'s list
 * (app/studio.ts).
 */
import { h } from '../dom/dom.ts';

export interface SideTab {
  id: string;
  title: string;
  element: HTMLElement;
}

export interface SidePanel {
  element: HTMLElement;
  show: (id: string) => void;
  toggle: () => void;
}

/** Narrow windows start without it. */
const NARROW = 820;

export function createSidePanel(tabs: readonly SideTab[]): SidePanel {
  const buttons = tabs.map(({ id, title }) =>
    h(
      'button',
      { class: 'tab', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => show(id) },
      title,
    ),
  );
  const panels = tabs.map(({ id, element: content }) =>
    h(
      'div',
      {
        class: 'tab-panel',
        role: 'tabpanel',
        id: `panel-${id}`,
        'aria-labelledby': `tab-${id}`,
        'data-panel': id,
      },
      content,
    ),
  );
  const element = h('aside', { class: 'side' }, h('div', { class: 'tabs', role: 'tablist' }, ...buttons), ...panels);
  const show = (id: string): void => {
    tabs.forEach((tab, i) => {
      buttons[i].setAttribute('aria-selected', String(tab.id === id));
      panels[i].hidden = tab.id !== id;
    });
  };
  show(tabs[0].id);
  const toggle = (): void => void document.documentElement.classList.toggle('is-panel-hidden');
  if (globalThis.innerWidth < NARROW) toggle();
  return { element, show, toggle };
}
