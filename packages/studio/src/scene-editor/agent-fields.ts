/** The fields of the selected agent or group: where it goes, and how it moves. */
import type { SceneAgent } from 'navkiln-cli/scene';
import { h } from '../dom/dom.ts';
import { numberField } from '../tools/edit/shared.ts';
import { agentsOf, targetsOf } from './editor.ts';
import type { CardPart, SceneActions, SceneEditor } from './editor.ts';
import { choiceField, switchField, textField } from '../dom/fields.ts';
import type { Choice } from '../dom/fields.ts';

type NumberKey =
  | 'radius'
  | 'height'
  | 'walkSpeed'
  | 'runSpeed'
  | 'acceleration'
  | 'deceleration'
  | 'maxTurnDegrees'
  | 'priority'
  | 'separation';

interface NumberInfo {
  key: NumberKey;
  title: string;
  unit: string;
  limits: { min: number; max?: number; step: number };
  /** The value of an agent that does not set it. */
  usual: (agent: SceneAgent, radius: number, height: number) => number;
}

const walkOf = ({ walkSpeed }: SceneAgent, radius: number): number => walkSpeed ?? 3.5 * radius;
const NUMBERS: readonly NumberInfo[] = [
  {
    key: 'walkSpeed',
    title: 'Walks at',
    unit: 'm/s',
    limits: { min: 0, step: 0.1 },
    usual: (_, radius) => 3.5 * radius,
  },
  {
    key: 'runSpeed',
    title: 'Runs at',
    unit: 'm/s',
    limits: { min: 0, step: 0.1 },
    usual: (agent, radius) => 2 * walkOf(agent, radius),
  },
  {
    key: 'acceleration',
    title: 'Acceleration',
    unit: 'm/s²',
    limits: { min: 0.01, step: 1 },
    usual: (agent, radius) => 8 * walkOf(agent, radius),
  },
  { key: 'radius', title: 'Radius', unit: 'm', limits: { min: 0.01, step: 0.05 }, usual: (_, radius) => radius },
  {
    key: 'height',
    title: 'Height',
    unit: 'm',
    limits: { min: 0.01, step: 0.1 },
    usual: (_, _radius, height) => height,
  },
  { key: 'maxTurnDegrees', title: 'Turns at', unit: '°/s', limits: { min: 1, step: 30 }, usual: () => 720 },
  { key: 'priority', title: 'Priority', unit: '0–1', limits: { min: 0, max: 1, step: 0.1 }, usual: () => 0.5 },
  { key: 'separation', title: 'Separation', unit: '', limits: { min: 0, max: 1000, step: 0.5 }, usual: () => 0 },
];

const AVOIDANCE: readonly Choice[] = [
  ['orca', 'exact (ORCA)'],
  ['sampled', 'sampled'],
  ['none', 'none'],
];

export function createAgentFields(editorOf: () => SceneEditor, actions: SceneActions): CardPart {
  const change = (what: string, patch: Partial<SceneAgent>): void => {
    const { selected } = editorOf();
    if (selected?.kind === 'agent') actions.changeAgent(what, selected.index, patch);
  };
  const selectedAgent = (): SceneAgent | undefined => {
    const { selected } = editorOf();
    return selected?.kind === 'agent' ? agentsOf(editorOf())[selected.index] : undefined;
  };
  const name = textField('Name', (value) => {
    const taken = [...targetsOf(editorOf()), ...agentsOf(editorOf())].some((other) => other.name === value);
    if (taken || value === 'random')
      editorOf().context.say('info', `The name "${value}" is taken; choose another one.`);
    else change('agent name', { name: value });
    actions.show();
  });
  const count = numberField('Agents', '', 1, { min: 1, max: 20_000, step: 1 }, (value) => {
    change('size of group', { count: Math.round(value) });
  });
  const type = choiceField('Agent type', (value) => change('agent type', { type: value === '' ? undefined : value }));
  const area = numberField('Within', 'm', 1, { min: 0.1, step: 0.5 }, (value) => {
    const { within } = selectedAgent() ?? {};
    if (within?.center !== undefined) change('radius of group', { within: { center: within.center, radius: value } });
  });
  const errand = choiceField('Does', (value) => setErrand(editorOf(), actions, change, value));
  const distance = numberField('Distance', 'm', 0, { min: 0, step: 0.5 }, (value) =>
    change('distance', { distance: value }),
  );
  const run = switchField('Runs', (isOn) => change('running', { run: isOn || undefined }));
  const numbers = NUMBERS.map(({ key, title, unit, limits }) =>
    numberField(title, unit, 0, limits, (value) => change(title.toLowerCase(), { [key]: value })),
  );
  const avoidance = choiceField('Avoidance', (value) =>
    change('avoidance', { avoidance: value === 'orca' ? undefined : (value as SceneAgent['avoidance']) }),
  );
  const movement = h(
    'details',
    {},
    h('summary', {}, 'Movement'),
    run.element,
    ...numbers.map(({ element }) => element),
    avoidance.element,
  );
  const element = h(
    'div',
    {},
    name.element,
    type.element,
    count.element,
    area.element,
    errand.element,
    distance.element,
    movement,
  );
  return {
    element,
    refresh(editor) {
      const agent = selectedAgent();
      element.hidden = agent === undefined;
      if (agent === undefined) return;
      const { index } = editor.selected!;
      const { mesh, settings } = editor.context.store.get();
      const { agentTypes = [] } = settings;
      const own = mesh?.navMesh.sizes.find((size) => size.name === agent.type);
      const shape = own ?? mesh?.navMesh.agent;
      type.element.hidden = agentTypes.length === 0;
      type.set([['', 'by its size'], ...agentTypes.map((one): Choice => [one.name, one.name])], agent.type ?? '');
      const radius = agent.radius ?? (shape?.radius || 0.4);
      name.set(agent.name ?? '');
      count.element.hidden = agent.within === undefined;
      area.element.hidden = agent.within?.center === undefined;
      count.set(agent.count ?? 1);
      area.set(agent.within?.radius ?? 1);
      errand.set(errandsOf(editor, index), errandOf(agent));
      distance.element.hidden = agent.follows === undefined;
      distance.set(agent.distance ?? 0);
      run.set(agent.run === true);
      NUMBERS.forEach(({ key, usual }, i) => numbers[i].set(agent[key] ?? usual(agent, radius, shape?.height || 1.8)));
      avoidance.set(AVOIDANCE, agent.avoidance ?? 'orca');
    },
  };
}

function errandOf({ goal, follows }: SceneAgent): string {
  if (follows !== undefined) return `follow ${follows}`;
  if (Array.isArray(goal)) return 'point';
  return goal === undefined ? 'stand' : goal === 'random' ? 'random' : `go ${goal}`;
}

function errandsOf(editor: SceneEditor, index: number): Choice[] {
  const targets = targetsOf(editor);
  const others = agentsOf(editor).flatMap((agent, i) => (i === index || agent.name === undefined ? [] : [agent.name]));
  return [
    ['stand', 'stands'],
    ['point', 'goes to a point …'],
    ...targets.map(({ name }): Choice => [`follow ${name}`, `follows ${name}`]),
    ...targets.map(({ name }): Choice => [`go ${name}`, `goes to ${name}`]),
    ...(targets.length > 1 ? [['random', 'goes to any target'] as const] : []),
    ...others.map((name): Choice => [`follow ${name}`, `follows ${name}`]),
  ];
}

function setErrand(
  editor: SceneEditor,
  actions: SceneActions,
  change: (what: string, patch: Partial<SceneAgent>) => void,
  value: string,
): void {
  const [verb, ...words] = value.split(' ');
  const name = words.join(' ');
  const nothing = { goal: undefined, follows: undefined, distance: undefined };
  if (verb === 'point') return actions.setMode('goal');
  if (verb === 'follow') {
    change(`follow ${name}`, { ...nothing, follows: name });
    if (targetsOf(editor).some((target) => target.name === name)) editor.marked = name;
  } else change('goal', { ...nothing, ...(verb === 'stand' ? {} : { goal: verb === 'random' ? 'random' : name }) });
}
