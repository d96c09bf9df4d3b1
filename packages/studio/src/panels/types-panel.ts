/** The agent types of the bake, in the settings panel: add, rename, change and remove them. */
import { MAX_SIZES } from 'navkiln';
import type { AgentSize } from 'navkiln/build';
import { h } from '../dom/dom.ts';
import { createNumberInput } from '../dom/number-input.ts';
import { isMapOpen, shareBody, withTypes } from '../state/agent-types.ts';
import type { History } from '../state/history.ts';
import { deriveConfig } from '../state/settings.ts';
import type { Settings, StudioState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { areasOfType, nextType } from '../state/type-edits.ts';
import { createTypeRules } from './type-rules.ts';
import type { RulesContext } from './type-rules.ts';
import './types-panel.css';

type NumberKey = 'radius' | 'height' | 'maxClimb' | 'maxSlopeDegrees';

const NUMBERS: readonly {
  key: NumberKey;
  title: string;
  unit: string;
  help: string;
  min: number;
  max?: number;
  aboveMin?: boolean;
}[] = [
  { key: 'radius', title: 'radius', unit: 'm', help: 'Distance kept from walls.', min: 0 },
  { key: 'height', title: 'height', unit: 'm', help: 'Clearance needed under a ceiling.', min: 0, aboveMin: true },
  {
    key: 'maxClimb',
    title: 'step height',
    unit: 'm',
    help: 'Highest step that it climbs. Default: that of all agents.',
    min: 0,
  },
  {
    key: 'maxSlopeDegrees',
    title: 'max slope',
    unit: '°',
    help: 'Steepest slope. Default: that of all agents.',
    min: 0,
    max: 90,
  },
];

export interface TypesPanel {
  element: HTMLElement;
  refresh: (settings: Settings) => void;
}

/** Creates the panel. `explain` shows a line of help. */
export function createTypesPanel(store: Store, history: History, explain: (help: string) => void): TypesPanel {
  const list = h('div', {});
  const message = h('p', { class: 'note', role: 'status' });
  const types = (): readonly AgentSize[] => store.get().settings.agentTypes ?? [];
  const write = (what: string, next: readonly AgentSize[]): void => {
    message.textContent = '';
    history.edit(what, { settings: withTypes(store.get().settings, next) });
  };
  /** Changes a type; its body is that of all types where they share one. */
  const change = (i: number, what: string, patch: Partial<AgentSize>, isBody: boolean = false): void =>
    write(
      `${what} of ${types()[i].name}`,
      types().map((type, k) =>
        k === i || (isBody && shareBody(store.get())) ? withoutUndefined({ ...type, ...patch }) : type,
      ),
    );
  const redraw = (): void => {
    shownFor = undefined;
    refresh(store.get().settings);
  };
  const say = (text: string): void => {
    message.textContent = text;
    redraw();
  };
  const add = h(
    'button',
    {
      class: 'button small',
      onclick: () => {
        const { settings } = store.get();
        const agent = isMapOpen(store.get())
          ? { radius: 0, height: 1.8, ...settings.agent }
          : (deriveConfig(settings)?.agent ?? { radius: 0.4, height: 1.8 });
        write('add agent type', [...types(), nextType(types(), agent, shareBody(store.get()))]);
        list.querySelector<HTMLInputElement>('.type:last-of-type input')?.focus();
      },
    },
    'Add agent type',
  );
  const note = h('p', { class: 'note' });
  const element = h(
    'div',
    { class: 'settings-rows', 'data-part': 'types' },
    note,
    list,
    h('div', { class: 'buttons' }, add),
    message,
  );
  /** The types that the rows were made for. */
  let shownFor: readonly AgentSize[] | undefined;
  let shownAreas = '';
  /** Areas that were added to the lists. */
  const added = new Set<number>();

  function refresh(settings: Settings): void {
    const now = settings.agentTypes ?? [];
    add.disabled = now.length >= MAX_SIZES;
    const areas = JSON.stringify([
      now.map((type) => areasOfType(store.get(), type, added)),
      store.get().edits.areaNames,
    ]);
    // While nothing is baked, the areas are unknown.
    if (now === shownFor && (areas === shownAreas || store.get().mesh === undefined)) return;
    shownAreas = areas;
    note.textContent = shareBody(store.get())
      ? 'Types of this mesh share one body, and differ in what they may use and what it costs.'
      : 'One mesh serves several types: each polygon knows which of them fit.';
    // Rows are made again after each change: the same control keeps the focus.
    const label = document.activeElement?.getAttribute('aria-label') ?? '';
    const isInside = list.contains(document.activeElement);
    const place = isInside ? [...list.querySelectorAll('input, button, summary')].indexOf(document.activeElement!) : -1;
    shownFor = now;
    // Rules that were unfolded stay so. A renamed type keeps its place, the others their names.
    const rows = [...list.querySelectorAll<HTMLElement>('.type')];
    const wasOpen = (name: string, i: number): boolean => {
      const own = rows.length === now.length ? rows[i] : rows.find(({ dataset }) => dataset.type === name);
      return own?.querySelector('details')?.open === true;
    };
    const editor: TypesEditor = {
      state: store.get(),
      added,
      change,
      remove(i) {
        write(
          'remove agent type',
          types().filter((_, k) => k !== i),
        );
        add.focus();
      },
      say,
      add(area) {
        added.add(area);
        redraw();
      },
      explain,
    };
    list.replaceChildren(...now.map((type, i) => createTypeRow(editor, type, i, wasOpen(type.name, i))));
    const controls = [...list.querySelectorAll<HTMLElement>('input, button, summary')];
    if (isInside) (controls.find((one) => one.getAttribute('aria-label') === label) ?? controls[place])?.focus();
  }
  return { element, refresh };
}

/** What the rows of types use. */
interface TypesEditor extends Pick<RulesContext, 'say' | 'add' | 'added' | 'explain'> {
  state: StudioState;
  change: (i: number, what: string, patch: Partial<AgentSize>, isBody?: boolean) => void;
  remove: (i: number) => void;
}

/** Returns the controls of a type. */
function createTypeRow(editor: TypesEditor, type: AgentSize, i: number, isOpen: boolean): HTMLElement {
  const { state, change, say, explain } = editor;
  const { settings } = state;
  const field = (title: string, help: string, input: HTMLElement): HTMLElement => {
    input.addEventListener('focus', () => explain(help));
    const text = title.charAt(0).toUpperCase() + title.slice(1);
    return h('label', { class: 'setting', title: help }, h('span', { class: 'setting-name' }, text), input);
  };
  const name = h('input', {
    type: 'text',
    class: 'edit-text',
    'aria-label': `name of agent type ${i + 1}`,
    value: type.name,
  });
  name.addEventListener('change', () => {
    const value = name.value.trim();
    const isTaken = (settings.agentTypes ?? []).some((other, k) => k !== i && other.name === value);
    if (value === '' || isTaken) return say(value === '' ? 'A type needs a name.' : `The name "${value}" is taken.`);
    change(i, 'name', { name: value });
  });
  const usual = { maxClimb: settings.agent?.maxClimb ?? 0.4, maxSlopeDegrees: settings.agent?.maxSlopeDegrees ?? 45 };
  const shown = isMapOpen(state) ? NUMBERS.slice(0, 1) : NUMBERS;
  const numbers = shown.map(({ key, title, unit, help, ...limits }) => {
    const label = `${title} of ${type.name}`;
    const value = type[key] ?? usual[key as keyof typeof usual];
    const onValue = (next: number): void => change(i, title, { [key]: next }, true);
    return field(`${title}, ${unit}`, help, createNumberInput({ label, value, ...limits, onValue }).element);
  });
  const rules = createTypeRules(type, isOpen, { ...editor, change: (what, patch) => change(i, what, patch) });
  const remove = h(
    'button',
    {
      class: 'button small',
      'aria-label': `Remove agent type ${type.name}`,
      onclick: () => editor.remove(i),
    },
    'Remove',
  );
  return h(
    'fieldset',
    { class: 'type', 'data-type': type.name },
    h('legend', {}, `Agent type ${i + 1}`),
    field('name', 'The name in queries, scenes and crowds.', name),
    ...numbers,
    rules,
    h('div', { class: 'buttons' }, remove),
  );
}

function withoutUndefined(type: AgentSize): AgentSize {
  return Object.fromEntries(Object.entries(type).filter(([, value]) => value !== undefined)) as unknown as AgentSize;
}
