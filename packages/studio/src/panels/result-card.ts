/** A card in the view after a bake without walkable surface, or with almost none: why, and buttons that help. */
import { h, icon, row } from '../dom/dom.ts';
import type { Advice, Remedy } from '../state/advice.ts';
import type { History } from '../state/history.ts';
import type { Say } from '../state/message.ts';
import { needsAdvice, seemsHuge } from '../state/needs-advice.ts';
import { inPanelWords } from '../state/settings.ts';
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
  /**
   * The subject of the card: a mesh, a failed job, or a level of unlikely size. `closed` has the subjects whose card
   * was closed.
   */
  let shown: unknown;
  const closed = new WeakSet<object>();
  const apply = (remedy: Remedy): void => {
    const { toolStates } = store.get();
    if ('stage' in remedy) {
      store.update({ tool: 'look', toolStates: { ...toolStates, stages: { stage: remedy.stage } } });
      store.update({ tool: 'stages' });
    } else history.edit(remedy.title, 'edits' in remedy ? { edits: remedy.edits } : { settings: remedy.settings });
    close();
  };
  const close = (): void => {
    const about = subject();
    if (about !== undefined) closed.add(about);
    if (element.contains(document.activeElement)) focusView();
    refresh();
  };
  /** Returns the subject that needs advice. A level is there before it is baked, which may take long. */
  const subject = (): object | undefined => {
    const state = store.get();
    const { level, mesh, job } = state;
    if (job.status !== 'running' && needsAdvice(state)) return mesh ?? job;
    return seemsHuge(state) && !closed.has(level!) ? level : undefined;
  };
  const refresh = (): void => {
    const about = subject();
    if (about === undefined || closed.has(about)) return show(undefined);
    if (about === shown) return;
    void loadPart(() => import('../state/advice.ts'), say).then((code) => {
      if (about !== subject() || closed.has(about)) return;
      show(code?.adviceOf(store.get()));
      shown = about;
    });
  };
  const show = (advice: Advice | undefined): void => {
    shown = undefined;
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
      h('p', { class: 'result-text' }, inPanelWords(advice.text)),
      h('div', { class: 'rows' }, ...advice.figures.map(([name, value]) => row(name, value))),
      h('div', { class: 'buttons' }, ...buttons),
    );
  };
  store.listen(['level', 'edits', 'mesh', 'job'], refresh);
  return element;
}
