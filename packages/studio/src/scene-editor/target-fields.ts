/** The fields of the selected target: its name, its route, and who follows it. */
import { h } from '../dom/dom.ts';
import { plural } from '../state/format.ts';
import { button, numberField } from '../tools/edit/shared.ts';
import { agentsOf, labelOfAgent, targetsOf } from './editor.ts';
import type { CardPart, SceneActions, SceneEditor } from './editor.ts';
import { switchField, textField } from '../dom/fields.ts';

export function createTargetFields(editorOf: () => SceneEditor, actions: SceneActions): CardPart {
  const change = (name: string, patch: Parameters<SceneActions['changeTarget']>[2]): void => {
    const { selected } = editorOf();
    if (selected?.kind === 'target') actions.changeTarget(name, selected.index, patch);
  };
  const name = textField('Name', (value) => change('target name', { name: freeOf(editorOf(), value) }));
  const speed = numberField('Speed', 'm/s', 2, { min: 0.01, step: 0.5 }, (value) =>
    change('route speed', { speed: value }),
  );
  const start = numberField('Starts at', 's', 0, { min: 0, step: 1 }, (value) =>
    change('route start', { startsAt: value }),
  );
  const loop = switchField('Repeats its route', (isOn) => change('route loop', { loop: isOn || undefined }));
  const add = button('Add points', () => actions.setMode('route'), 'Clicks add points to its route');
  const drop = button('Remove last point', actions.dropPoint);
  const route = h('p', { class: 'note' });
  const followers = h('div', { class: 'scene-list', role: 'group', 'aria-label': 'Followers' });
  const element = h(
    'div',
    {},
    name.element,
    route,
    speed.element,
    start.element,
    loop.element,
    h('div', { class: 'buttons' }, add, drop),
    h('h3', {}, 'Followers'),
    followers,
  );
  return {
    element,
    refresh(editor) {
      const { selected } = editor;
      const target = selected?.kind === 'target' ? targetsOf(editor)[selected.index] : undefined;
      element.hidden = target === undefined;
      if (target === undefined) return;
      const { path } = target;
      name.set(target.name);
      route.textContent = path === undefined ? 'It stands still.' : `A route of ${plural(path.length, 'point')}.`;
      speed.element.hidden = start.element.hidden = loop.element.hidden = drop.hidden = path === undefined;
      speed.set(target.speed ?? 2);
      start.set(target.startsAt ?? 0);
      loop.set(target.loop === true);
      showFollowers(followers, editor, target.name, actions);
    },
  };
}

/** Shows a box for each agent, and one for all. */
function showFollowers(element: HTMLElement, editor: SceneEditor, target: string, actions: SceneActions): void {
  const agents = agentsOf(editor);
  const setAll = (isOn: boolean, of: (index: number) => boolean): void => {
    const next = agents.map((agent, index) => {
      if (!of(index)) return agent;
      const { follows, goal, distance, ...rest } = agent;
      void [follows, goal];
      return isOn ? { ...rest, follows: target, ...(distance === undefined ? {} : { distance }) } : rest;
    });
    actions.change('followers', { agents: next });
  };
  const box = (title: string, isOn: boolean, of: (index: number) => boolean): HTMLElement => {
    const input = h('input', { type: 'checkbox', checked: isOn, onchange: () => setAll(input.checked, of) });
    return h('label', { class: 'edit-field' }, input, title);
  };
  const boxes = agents.map((agent, index) =>
    box(labelOfAgent(agent, index), agent.follows === target, (other) => other === index),
  );
  const all = box(
    'All',
    agents.every(({ follows }) => follows === target),
    () => true,
  );
  element.replaceChildren(
    ...(agents.length === 0
      ? [h('p', { class: 'hint' }, 'There are no agents yet.')]
      : agents.length > 1
        ? [all, ...boxes]
        : boxes),
  );
}

/** Returns the name, or one with a number when another item has it. */
function freeOf(editor: SceneEditor, wanted: string): string {
  const taken = [...targetsOf(editor), ...agentsOf(editor)].map(({ name }) => name);
  let name = wanted === 'random' ? 'random target' : wanted;
  for (let number = 2; taken.includes(name); number++) name = `${wanted} ${number}`;
  return name;
}
