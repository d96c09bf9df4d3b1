/**
 * The side panel with its tabs; in narrow windows a sheet above the view. A new tab is an entry in the list that
 * app/studio.ts passes to `createSidePanel`.
 */
import { h, icon } from '../dom/dom.ts';

export interface SideTab {
  id: string;
  title: string;
  element: HTMLElement;
  /** A number on the tab; 0 shows none. */
  count?: () => number;
}

export interface SidePanel {
  element: HTMLElement;
  show: (id: string) => void;
  toggle: () => void;
  isShown: () => boolean;
  /** Shows the current numbers on the tabs. */
  refresh: () => void;
}

/** Windows narrower than this, in pixels, start with the panel hidden. */
export const NARROW = 820;
const CLOSE = 'M6 6l12 12M18 6L6 18';

export function createSidePanel(tabs: readonly SideTab[]): SidePanel {
  const badges = tabs.map(() => h('span', { class: 'badge', hidden: true }));
  const buttons = tabs.map(({ id, title }, i) =>
    h(
      'button',
      { class: 'tab', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => show(id) },
      title,
      badges[i],
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
        // A panel that scrolls can be scrolled by keys.
        tabindex: 0,
      },
      content,
    ),
  );
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels' }, ...buttons);
  const toggle = (): void => void document.documentElement.classList.toggle('is-panel-hidden');
  const close = h(
    'button',
    { class: 'icon-button side-close', 'aria-label': 'Close the panel', onclick: toggle },
    icon(CLOSE),
  );
  const element = h(
    'aside',
    { class: 'side', 'aria-label': 'Panel' },
    h('div', { class: 'side-head' }, list, close),
    ...panels,
  );
  const show = (id: string): void => {
    tabs.forEach((tab, i) => {
      buttons[i].setAttribute('aria-selected', String(tab.id === id));
      buttons[i].tabIndex = tab.id === id ? 0 : -1;
      panels[i].hidden = tab.id !== id;
    });
  };
  // Tab enters the list once; the arrow keys move in it.
  list.addEventListener('keydown', (event) => {
    const now = buttons.indexOf(event.target as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (now < 0 || step === undefined) return;
    const next = (now + step + tabs.length) % tabs.length;
    show(tabs[next].id);
    buttons[next].focus();
    event.preventDefault();
  });
  const refresh = (): void => {
    tabs.forEach(({ count }, i) => {
      const value = count?.() ?? 0;
      badges[i].hidden = value === 0;
      // With a space, because it is a part of the tab's name.
      badges[i].textContent = ` ${value}`;
    });
  };
  show(tabs[0].id);
  if (globalThis.innerWidth < NARROW) toggle();
  const isShown = (): boolean => !document.documentElement.classList.contains('is-panel-hidden');
  return { element, show, toggle, isShown, refresh };
}
