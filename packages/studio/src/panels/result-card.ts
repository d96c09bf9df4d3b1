/** A card in the view after a bake without walkable surface, or with almost none: why, and buttons that help. */
import { h, icon, row } from '../dom/dom.ts';
import { adviceOf } from '../state/advice.ts';
import type { Remedy } from '../state/advice.ts';
import type { History } from '../state/history.ts';
import type { Store } from '../state/store.ts';

const CLOSE = 'M6 6l12 12M18 6L6 18';

export function createResultCard(store: Store, history: History, focusView: () => void): HTMLElement {
  const content = h('div', {});
  const element = h('section', { class: 'result', 'aria-label': 'Result of the bake', hidden: true }, content);
  /** The mesh whose card was closed. */
  let closed: unknown;
  const apply = (remedy: Remedy): void => {
    const { toolStates } = store.get();
    if ('stage' in remedy) {
      store.update({ tool: 'look', toolStates: { ...toolStates, stages: { stage: remedy.stage } } });
      store.update({ tool: 'stages' });
    } else history.edit(remedy.title, 'edits' in remedy ? { edits: remedy.edits } : { settings: remedy.settings });
    close();
  };
  const close = (): void => {
    closed = subject();
    if (element.contains(document.activeElement)) focusView();
    refresh();
  };
  const subject = (): unknown => store.get().mesh ?? store.get().job;
  const refresh = (): void => {
    const { job } = store.get();
    const advice = job.status === 'running' || closed === subject() ? undefined : adviceOf(store.get());
    element.hidden = advice === undefined;
    if (advice === undefined) return content.replaceChildren();
    const buttons = advice.remedies.map((remedy, i) =>
      h(
        'button',
        { class: i === 0 ? 'button primary' : 'button', title: remedy.help, onclick: () => apply(remedy) },
        remedy.title,
      ),
    );
    content.replaceChildren(
      h(
        'div',
        { class: 'result-head' },
        h('h2', {}, advice.title),
        h('button', { class: 'icon-button', 'aria-label': 'Close the result', onclick: close }, icon(CLOSE)),
      ),
      h('p', { class: 'result-text' }, advice.text),
      h('div', { class: 'rows' }, ...advice.figures.map(([name, value]) => row(name, value))),
      h('div', { class: 'buttons' }, ...buttons),
    );
  };
  store.listen(['mesh', 'job'], refresh);
  return element;
}
