/**
 * The side panel with its tabs. A new tab is an entry in the list that app/studio.ts passes to
 * `createSidePanel`.
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

/** Windows narrower than this, in pixels, start with the panel hidden. */
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
