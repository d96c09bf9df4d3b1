/** The code of a view, on the card of its tool. Loaded when it is first opened. */
import { h } from '../dom/dom.ts';
import type { Say } from '../state/message.ts';
import type { Store } from '../state/store.ts';
import type { ToolHost } from '../tools/host.ts';
import { viewCode } from './view-code.ts';
import './code-card.css';

/** Fills the element, and keeps it current while it is open. */
export function showCode(element: HTMLDetailsElement, store: Store, host: ToolHost, say: Say): void {
  const code = h('pre', { 'data-part': 'code', tabindex: 0, 'aria-label': 'Code' });
  const copy = (): void => {
    void (navigator.clipboard?.writeText(code.textContent ?? '') ?? Promise.reject(new Error('no clipboard'))).then(
      () => say('info', 'Copied the code.'),
      () => say('info', 'The clipboard is not available: select the code and copy it.'),
    );
  };
  const refresh = (): void => {
    if (!element.open || !element.isConnected) return;
    const { kind, tool } = host.active();
    code.textContent = viewCode(store.get(), kind.id, tool.inspect?.()) || 'Open something first.';
  };
  element.append(code, h('div', { class: 'buttons' }, h('button', { class: 'button', onclick: copy }, 'Copy')));
  element.addEventListener('toggle', refresh);
  store.listen(['mesh', 'settings', 'edits', 'toolStates', 'tool', 'source'], refresh);
  host.onChange(refresh);
  refresh();
}
