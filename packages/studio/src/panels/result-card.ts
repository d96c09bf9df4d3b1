/** A card in the view after a bake without walkable surface, or with almost none: why, and buttons that help. */
import { h, icon, row } from '../dom/dom.ts';
import type { Advice, Remedy } from '../state/advice.ts';
import type { History } from '../state/history.ts';
import type { Say } from '../state/message.ts';
import { needsAdvice } from '../state/needs-advice.ts';
import type { Store } from '../state/store.ts';
import { loadPart } from '../tools/lazy.ts';

const CLOSE = 'M6 6l12 12M18 6L6 18';

export interface ResultCardActions {
  focusView: () => void;
  /** Tells screen readers. */
  announce: (text: string) => void;
  say: Say;
}

export function createResultCard(
  store: Store,
  history: History,
  { focusView, announce, say }: ResultCardActions,
): HTMLElement {
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
    const isNeeded = job.status !== 'running' && closed !== subject() && needsAdvice(store.get());
    if (!isNeeded) return show(undefined);
    const asked = subject();
    void loadPart(() => import('../state/advice.ts'), say).then((code) => {
      if (asked === subject() && closed !== asked && store.get().job.status !== 'running')
        show(code?.adviceOf(store.get()));
    });
  };
  const show = (advice: Advice | undefined): void => {
    element.hidden = advice === undefined;
    if (advice === undefined) return content.replaceChildren();
    announce(`${advice.title}. ${advice.text}`);
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
