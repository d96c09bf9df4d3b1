/** Shows the first page until something is open. Its code is loaded unless a link opens something. */
import { h } from '../dom/dom.ts';
import { loadPart } from '../tools/lazy.ts';
import type { LastSession, WelcomeActions } from '../panels/welcome/welcome.ts';
import type { Core } from './core.ts';

export interface FirstPage {
  element: HTMLElement;
  /** Returns the link of what the first page shows; undefined: something else is open. */
  link: () => string | undefined;
}

export function createWelcome(core: Core, sessions: LastSession, actions: WelcomeActions): FirstPage {
  const { store, view, theme, work, messages } = core;
  const element = h('section', { class: 'welcome', 'aria-label': 'Welcome' });
  const page: FirstPage = { element, link: () => undefined };
  const refresh = (): void => {
    const { source, job } = store.get();
    element.hidden = source !== undefined || job.status === 'running';
    // Tools and panels have nothing to work on yet.
    document.documentElement.classList.toggle('is-welcome', source === undefined);
  };
  store.listen(['source', 'job'], refresh);
  refresh();
  const names = new URLSearchParams(location.hash.slice(1));
  if (['scene', 'new', 'open'].some((key) => names.has(key))) return page;
  void loadPart(() => import('../panels/welcome/welcome.ts'), messages.say).then((code) => {
    if (code === undefined || store.get().source !== undefined) return;
    const { palette, onChange: onTheme } = theme;
    const { bakeShown } = work;
    page.link = code.showWelcome(
      element,
      { store, view, palette, onTheme, sessions, bakeShown, say: messages.say },
      actions,
    );
  });
  return page;
}
