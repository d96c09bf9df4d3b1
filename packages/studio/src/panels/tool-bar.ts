/** The toolbar on the left and the card of the active tool. */
import { forPointer, h, icon } from '../dom/dom.ts';
import type { Store } from '../state/store.ts';
import type { ToolHost } from '../tools/host.ts';
import type { Say } from '../state/message.ts';
import { loadPart } from '../tools/lazy.ts';
import { isOffered } from '../tools/tool.ts';
import type { ToolKind } from '../tools/tool.ts';

/** The headings of the toolbar and the tools below them. A tool that is not listed is below the last one. */
const GROUPS: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ['Inspect', ['look', 'stages', 'why', 'verify']],
  ['Query', ['path', 'nearest', 'raycast', 'slide', 'wall', 'reach', 'random', 'height']],
  ['Edit', ['draw', 'volume', 'link', 'prune', 'tiles', 'parts']],
  ['Simulate', []],
];

export function createToolBar(
  store: Store,
  host: ToolHost,
  kinds: readonly ToolKind[],
  say: Say,
): { bar: HTMLElement; card: HTMLElement } {
  const buttons = kinds.map((kind) =>
    h(
      'button',
      {
        class: 'tool-button',
        title: `${kind.title} (${kind.shortcut.toUpperCase()})`,
        'data-tool': kind.id,
        'aria-pressed': 'false',
        onclick: () => store.update({ tool: kind.id }),
      },
      icon(kind.icon),
      h('span', {}, kind.title),
    ),
  );
  const groupOf = ({ id }: ToolKind): number => {
    const index = GROUPS.findIndex(([, ids]) => ids.includes(id));
    return index < 0 ? GROUPS.length - 1 : index;
  };
  const groups = GROUPS.map(([title], index) =>
    h(
      'div',
      { class: 'tool-group', role: 'group', 'aria-label': title },
      h('span', { class: 'tool-heading', 'aria-hidden': 'true' }, title),
      ...buttons.filter((_, i) => groupOf(kinds[i]) === index),
    ),
  );
  const bar = h('nav', { class: 'tools', 'aria-label': 'Tools' }, ...groups);
  const card = h('section', { class: 'card', 'aria-label': 'Tool' });
  const code = createCode(store, host, say);
  const refresh = (): void => {
    const { kind, tool } = host.active();
    if (store.get().source !== undefined && !isOffered(kind, store.get())) return store.update({ tool: kinds[0].id });
    buttons.forEach((button, i) => {
      button.setAttribute('aria-pressed', String(kinds[i] === kind));
      button.hidden = !isOffered(kinds[i], store.get());
    });
    groups.forEach((group, i) => {
      group.hidden = buttons.every((button, k) => button.hidden || groupOf(kinds[k]) !== i);
    });
    const { level, map, mesh, source } = store.get();
    const isMissing = ['mesh', 'world'].includes(kind.needs)
      ? mesh === undefined
      : kind.needs !== 'nothing' && level === undefined && map === undefined;
    const missing = kind.needs === 'triangles' ? 'level' : kind.needs;
    card.hidden = source === undefined;
    card.replaceChildren(
      h('h2', {}, kind.title),
      h('p', { class: 'hint' }, isMissing ? `There is no ${missing} yet.` : forPointer(kind.hint)),
      tool.panel,
      // Query tools write their own code.
      ...(GROUPS[1][1].includes(kind.id) ? [] : [code]),
    );
  };
  host.onChange(refresh);
  store.listen(['source', 'level', 'map', 'mesh', 'world'], refresh);
  refresh();
  return { bar, card };
}

/** Creates the card with the content of the view as a program. */
function createCode(store: Store, host: ToolHost, say: Say): HTMLElement {
  const element = h('details', { class: 'code-card' }, h('summary', {}, 'Code'));
  element.addEventListener(
    'toggle',
    () =>
      void loadPart(() => import('../code/code-card.ts'), say).then((code) =>
        code?.showCode(element, store, host, say),
      ),
    { once: true },
  );
  return element;
}
