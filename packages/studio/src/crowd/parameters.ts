/** Parts of the crowd's card: parameters of agents, and doors. */
import type { AgentOptions } from 'navkiln/crowd';
import { h } from '../dom/dom.ts';
import { choiceField, switchField } from '../dom/fields.ts';
import { numberField } from '../tools/edit/shared.ts';
import type { CrowdOptions } from './options.ts';
import type { CrowdRunner } from './runner.ts';
import type { CrowdStatus } from './status.ts';
import { AVOIDANCE_KINDS } from './session.ts';

/** A part of the card. */
export interface Section {
  elements: HTMLElement[];
  refresh: (status: CrowdStatus) => void;
}

type NumberKey = 'maxSpeed' | 'maxAcceleration' | 'radius' | 'priority' | 'separationWeight';

const NUMBERS: readonly {
  key: NumberKey;
  title: string;
  unit: string;
  limits: { min: number; max?: number; step: number };
}[] = [
  { key: 'maxSpeed', title: 'Speed', unit: 'm/s', limits: { min: 0, step: 0.1 } },
  { key: 'maxAcceleration', title: 'Acceleration', unit: 'm/s²', limits: { min: 0.01, step: 1 } },
  { key: 'radius', title: 'Radius', unit: 'm', limits: { min: 0.01, step: 0.05 } },
  { key: 'priority', title: 'Priority', unit: '0–1', limits: { min: 0, max: 1, step: 0.1 } },
  { key: 'separationWeight', title: 'Separation', unit: '', limits: { min: 0, max: 1000, step: 0.5 } },
];

const APPLIES_TO: readonly (readonly [CrowdOptions['appliesTo'], string])[] = [
  ['new', 'new agents'],
  ['one', 'the selected agent'],
  ['all', 'all agents'],
];

/**
 * Creates the section with speed, acceleration, radius, priority, separation and avoidance of one agent, of all, or
 * of new ones.
 */
export function createParameterSection(runner: CrowdRunner): Section {
  const target = choiceField('For', (value) => runner.setOptions({ appliesTo: value as CrowdOptions['appliesTo'] }));
  const numbers = NUMBERS.map(({ key, title, unit, limits }) =>
    numberField(title, unit, 0, limits, (value) => runner.setParameters({ [key]: value })),
  );
  const avoidance = choiceField('Avoidance', (value) =>
    runner.setParameters({ avoidance: value as AgentOptions['avoidance'] }),
  );
  const type = choiceField('Agent type', (value) => {
    // The body of the type, unless it is set.
    const radius = status?.crowd.mesh.sizes.find(({ name }) => name === value)?.radius;
    runner.setParameters({ type: value === '' ? undefined : value, ...(radius === undefined ? {} : { radius }) });
  });
  let status: CrowdStatus | undefined;
  const fields = [type.element, ...numbers.map(({ element }) => element), avoidance.element];
  const element = h('details', { class: 'crowd-drawn' }, h('summary', {}, 'Parameters'), target.element, ...fields);
  element.addEventListener('toggle', () => runner.refresh());
  return {
    elements: [element],
    refresh(next) {
      status = next;
      if (!element.open) return;
      const { types } = status.crowd;
      type.element.hidden = types.length === 0;
      type.set([['', 'by its size'], ...types.map(({ name }) => [name, name] as const)], valuesOf(status).type ?? '');
      target.set(APPLIES_TO, status.options.appliesTo);
      const values = valuesOf(status);
      NUMBERS.forEach(({ key }, i) => {
        if (!numbers[i].element.contains(document.activeElement)) numbers[i].set(values[key] ?? 0);
      });
      const titles = { none: 'none', orca: 'exact (ORCA)', sampled: 'sampled' };
      avoidance.set(
        AVOIDANCE_KINDS.map((kind) => [kind, titles[kind]] as const),
        values.avoidance ?? 'orca',
      );
    },
  };
}

/** Returns the values of the selected agent, of the first one for all, or those that new agents get. */
function valuesOf({ options, crowd, selected }: CrowdStatus): AgentOptions {
  const { agents, mesh, active, activeCount, types, filters } = crowd;
  const slot = options.appliesTo === 'new' ? -1 : (selected?.slot ?? (activeCount > 0 ? active[0] : -1));
  if (slot >= 0) {
    const { maxSpeed, maxAcceleration, radius, priority, separationWeight } = agents;
    return {
      maxSpeed: maxSpeed[slot],
      maxAcceleration: maxAcceleration[slot],
      radius: radius[slot],
      priority: priority[slot],
      separationWeight: separationWeight[slot],
      avoidance: AVOIDANCE_KINDS[agents.avoidance[slot]],
      type: types[agents.filter[slot] - filters.length + types.length]?.name,
    };
  }
  const { parameters } = options;
  const radius = parameters.radius ?? (mesh.agent.radius || 0.4);
  const maxSpeed = parameters.maxSpeed ?? 3.5 * radius;
  return { priority: 0.5, separationWeight: 0, maxAcceleration: 8 * maxSpeed, ...parameters, radius, maxSpeed };
}

/** Creates the section with a switch for each name in the mesh: doors, lifts, bridges. */
export function createDoorSection(runner: CrowdRunner): Section {
  const list = h('div', { class: 'crowd-doors', role: 'group', 'aria-label': 'Doors' });
  const element = h('div', {}, h('h3', {}, 'Doors'), list);
  let shown = '';
  let switches: { name: string; set: (isOn: boolean) => void }[] = [];
  return {
    elements: [element],
    refresh({ doors }) {
      element.hidden = doors.length === 0;
      const key = JSON.stringify(doors.map(({ name }) => name));
      if (key !== shown) {
        const fields = doors.map(({ name }) => switchField(`${name} is open`, (isOn) => runner.setDoor(name, isOn)));
        list.replaceChildren(...fields.map((field) => field.element));
        switches = doors.map(({ name }, i) => ({ name, set: fields[i].set }));
      }
      shown = key;
      doors.forEach(({ isOpen }, i) => switches[i].set(isOpen));
    },
  };
}
