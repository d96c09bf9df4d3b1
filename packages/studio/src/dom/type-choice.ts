/** The menu that selects the agent type for queries and the view. Hidden on meshes without types. */
import { h } from './dom.ts';
import { meshTypes } from '../state/agent-types.ts';
import type { Store } from '../state/store.ts';

export function createTypeChoice(store: Store, label: string): HTMLElement {
  const select = h('select', {
    class: 'edit-text',
    'aria-label': label,
    onchange: () => store.update({ agentType: select.value }),
  });
  const element = h('label', { class: 'type-choice' }, h('span', {}, label), select);
  let shown = '';
  const refresh = (): void => {
    const { mesh, agentType } = store.get();
    const names = meshTypes(mesh?.navMesh).map(({ name }) => name);
    const key = JSON.stringify(names);
    element.hidden = names.length === 0;
    if (key !== shown) {
      const all = h('option', { value: '' }, 'any (the smallest size)');
      select.replaceChildren(all, ...names.map((name) => h('option', { value: name }, name)));
    }
    shown = key;
    select.value = names.includes(agentType) ? agentType : '';
  };
  store.listen(['mesh', 'agentType'], refresh);
  refresh();
  return element;
}
