/**
 * The settings panel, generated from the fields of the schema, each with unit, limits and help. A setting
 * that is not set shows the value that the bake derives.
 */
import type { Field } from 'navkiln-cli/config';
import { h } from '../dom/dom.ts';
import { createNumberInput } from '../dom/number-input.ts';
import type { History } from '../state/history.ts';
import {
  FIELDS,
  deriveConfig,
  effectiveValue,
  helpOf,
  labelOf,
  nameOf,
  readSetting,
  withSetting,
} from '../state/settings.ts';
import type { FieldValue } from '../state/settings.ts';
import { AGENT_PRESETS, isPreset, precisionPresets, withPreset } from '../state/presets.ts';
import type { Preset } from '../state/presets.ts';
import type { Settings } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { AgentDiagram } from './agent-diagram.ts';
import { count } from '../tools/pending.ts';
import type { TypesPanel } from './types-panel.ts';

/** The headings and the fields below them, by pattern. All other fields are below 'More'. */
const GROUPS: readonly { title: string; match: RegExp; for: 'level' | 'map' | 'both' }[] = [
  { title: 'Agent', match: /^agent\./, for: 'both' },
  { title: 'Precision', match: /^(cellSize|cellHeight|tileSize)$/, for: 'level' },
  { title: 'Regions', match: /^(partition|region)/, for: 'level' },
  { title: 'Polygons', match: /^(maxEdge|maxVerticesPerPoly|tessellate)/, for: 'level' },
  { title: 'Heights', match: /^detail/, for: 'level' },
  { title: 'Filters', match: /^(filter|medianAreas)/, for: 'level' },
  { title: 'Map', match: /^map\./, for: 'map' },
  { title: 'More', match: /./, for: 'both' },
];

/** Settings that Basic shows. It also shows those that the user has changed. */
const BASIC = /^(agent\.|cellSize$|tileSize$|map\.(mode|yAxis)$)/;
/** Settings that a mesh of a 2D map only records. */
const UPRIGHT = /^agent\.(height|max)/;
const KEY = 'navkiln-studio-settings';
/** Names of choices that are no plain words. */
const CHOICES: Readonly<Record<string, string>> = { delaunay: 'merged triangles', diagonal: 'cuts by diagonals' };

interface Entry {
  field: Field;
  row: HTMLElement;
  show: (value: FieldValue) => void;
}

/** Creates the panel. `importing` stands below those of the agent. */
export function createSettingsPanel(store: Store, history: History, importing: HTMLElement): HTMLElement {
  const change = (field: Field, value: FieldValue | undefined): void =>
    history.edit(labelOf(field), { settings: withSetting(store.get().settings, field, value) });
  const helpLine = h('p', { class: 'settings-help' }, 'Point at a setting to see what it does.');
  let diagram: AgentDiagram | undefined;
  const explain = (name: string, help: string): void => {
    helpLine.textContent = help;
    diagram?.mark(name);
  };
  const entries = FIELDS.map((field) => createEntry(field, (value) => change(field, value), explain));
  const radiusOf = (settings: Settings): number => deriveConfig(settings)?.agent.radius ?? 0.4;
  const presets = [
    createPresets('agent', () => AGENT_PRESETS, store, history),
    createPresets('precision', (settings) => precisionPresets(radiusOf(settings)), store, history),
  ];
  const groups = GROUPS.map((group, i) => {
    const own = entries.filter(({ field }) => GROUPS.find(({ match }) => match.test(nameOf(field))) === group);
    const content = h('div', { class: 'settings-rows' }, presets[i]?.element, ...own.map(({ row }) => row));
    const element = h('details', { class: 'settings-group', open: true }, h('summary', {}, group.title), content);
    return { ...group, element, content, own };
  });
  void import('./agent-diagram.ts').then(
    (code) => {
      diagram = code.createAgentDiagram();
      groups[0].content.prepend(diagram.element);
      refresh();
    },
    // The fields work without the drawing.
    () => undefined,
  );
  const resetAll = (): void => history.edit('reset settings', { settings: store.get().baseSettings });
  const reset = h('button', { class: 'button', onclick: resetAll }, 'Reset all');
  const level = createLevelSwitch(() => refresh());
  const autoLinks = h('input', {
    type: 'checkbox',
    onchange: () => {
      const { autoLinks: _, ...settings } = store.get().settings;
      const added = autoLinks.checked ? { autoLinks: { jump: {}, drop: {}, climb: {} } } : {};
      history.edit('automatic links', { settings: { ...settings, ...added } });
    },
  });
  const autoLinksRow = h('label', { class: 'settings-switch' }, autoLinks, 'Automatic links: jumps, drops, climbs');

  let types: TypesPanel | undefined;
  const loadTypes = async (): Promise<void> => {
    const code = await import('./types-panel.ts');
    if (types !== undefined) return;
    types = code.createTypesPanel(store, history, (help) => explain('', help));
    typesGroup.append(types.element);
    refresh();
  };
  const typesGroup = h(
    'details',
    {
      class: 'settings-group',
      // Without the code, the list stays empty until the group is opened again.
      ontoggle: () => types === undefined && typesGroup.open && count(loadTypes().catch(() => undefined)),
    },
    h('summary', {}, 'Agent types'),
  );

  const refresh = (): void => {
    const { settings, baseSettings, map, level: triangles } = store.get();
    const derived = deriveConfig(settings);
    const isMap = map !== undefined && triangles === undefined;
    for (const { field, row, show } of entries) {
      show(effectiveValue(field, settings, derived));
      const set = readSetting(settings, field);
      const isChanged = set !== readSetting(baseSettings, field);
      row.classList.toggle('is-derived', set === undefined);
      row.classList.toggle('is-changed', isChanged);
      const isBasic = BASIC.test(nameOf(field)) && !(isMap && UPRIGHT.test(nameOf(field)));
      // Agent types have radii and heights of their own.
      const isReplaced = settings.agentTypes !== undefined && /^agent\.(radius|height)$/.test(nameOf(field));
      row.hidden = isReplaced || (!level.isAdvanced() && !isChanged && !isBasic);
    }
    types?.refresh(settings);
    if (settings.agentTypes !== undefined) typesGroup.open = true;
    for (const preset of presets) preset.refresh(settings);
    presets[0].element.hidden = isMap || settings.agentTypes !== undefined;
    if (diagram !== undefined) diagram.element.hidden = isMap;
    if (derived !== undefined) diagram?.show(derived.agent);
    const kind = isMap ? 'map' : 'level';
    for (const { element, own, for: shownFor } of groups) {
      element.hidden = own.every(({ row }) => row.hidden) || (shownFor !== 'both' && shownFor !== kind);
    }
    reset.disabled = settings === baseSettings;
    autoLinks.checked = settings.autoLinks !== undefined;
    autoLinksRow.hidden = isMap;
  };
  store.listen(['settings', 'baseSettings', 'map', 'level', 'mesh', 'edits'], refresh);
  refresh();
  const foot = h('div', { class: 'settings-foot' }, helpLine, h('div', { class: 'buttons' }, reset));
  const [agentGroup, ...otherGroups] = groups.map(({ element }) => element);
  const list = h('div', { class: 'settings-list' }, agentGroup, typesGroup, importing, ...otherGroups, autoLinksRow);
  return h('div', { class: 'settings' }, level.element, list, foot);
}

/** Creates the switch between Basic and Advanced. The browser stores the choice. */
function createLevelSwitch(onChange: () => void): { element: HTMLElement; isAdvanced: () => boolean } {
  let isAdvanced = false;
  try {
    isAdvanced = localStorage.getItem(KEY) === 'advanced';
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
  const choose = (next: boolean): void => {
    isAdvanced = next;
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String((i === 1) === isAdvanced)));
    try {
      if (isAdvanced) localStorage.setItem(KEY, 'advanced');
      else localStorage.removeItem(KEY);
    } catch {
      // As above.
    }
    onChange();
  };
  const buttons = ['Basic', 'Advanced'].map((title, i) =>
    h(
      'button',
      { class: 'button small', 'aria-pressed': String((i === 1) === isAdvanced), onclick: () => choose(i === 1) },
      title,
    ),
  );
  const element = h('div', { class: 'settings-level', role: 'group', 'aria-label': 'Settings shown' }, ...buttons);
  return { element, isAdvanced: () => isAdvanced };
}

/** Creates a list of presets, which shows the one that the settings equal. */
function createPresets(
  name: string,
  listOf: (settings: Settings) => readonly Preset[],
  store: Store,
  history: History,
): { element: HTMLElement; refresh: (settings: Settings) => void } {
  const choose = (): void => {
    const { settings } = store.get();
    const preset = listOf(settings).find(({ title }) => title === select.value);
    if (preset !== undefined) history.edit(`${name} preset`, { settings: withPreset(settings, preset) });
  };
  const select = h('select', { 'aria-label': `Preset of the ${name}`, 'data-preset': name, onchange: choose });
  for (const { title } of listOf({})) select.append(h('option', { value: title }, title));
  const custom = h('option', { value: '' }, 'Custom');
  return {
    element: h('div', { class: 'setting' }, h('span', { class: 'setting-name' }, 'Preset'), select),
    refresh(settings) {
      const found = listOf(settings).find((preset) => isPreset(settings, preset));
      if (found === undefined) select.append(custom);
      else custom.remove();
      select.value = found?.title ?? '';
    },
  };
}

function createEntry(
  field: Field,
  change: (value: FieldValue | undefined) => void,
  explain: (name: string, help: string) => void,
): Entry {
  const name = nameOf(field);
  const help = helpOf(field);
  const { element, show } = createControl(field, change, help);
  const unit = field.unit === 'corners' || field.unit === 'share' ? undefined : field.unit;
  const label = labelOf(field);
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  const text = unit === undefined ? title : `${title}, ${unit}`;
  const caption = h(
    'span',
    {
      class: 'setting-name',
      title: `${help} Double-click to reset to the default.`,
      ondblclick: () => change(undefined),
    },
    text,
  );
  const row = h('div', { class: 'setting', 'data-setting': name }, caption, element);
  const showHelp = (): void => explain(name, help);
  row.addEventListener('pointerenter', showHelp);
  element.addEventListener('focus', showHelp);
  return { field, row, show };
}

function createControl(
  field: Field,
  change: (value: FieldValue) => void,
  help: string,
): { element: HTMLElement; show: (value: FieldValue) => void } {
  const props = { title: help, 'aria-label': labelOf(field) };
  if (field.kind === 'number') {
    const { min, max, aboveMin, whole } = field;
    const input = createNumberInput({ label: labelOf(field), min, max, aboveMin, whole, props, onValue: change });
    return { element: input.element, show: (value) => input.show(value as number) };
  }
  if (field.kind === 'boolean') {
    const input = h('input', { type: 'checkbox', ...props, onchange: () => change(input.checked) });
    return { element: input, show: (value) => void (input.checked = value === true) };
  }
  const select = h('select', { ...props, onchange: () => change(select.value) });
  for (const choice of field.choices) select.append(h('option', { value: choice }, CHOICES[choice] ?? choice));
  // A default that is no choice: it depends on the content.
  const other = h('option', { value: '' });
  return {
    element: select,
    show(value) {
      const isChoice = field.choices.includes(String(value));
      if (isChoice) other.remove();
      else {
        other.textContent = CHOICES[String(value)] ?? String(value);
        select.prepend(other);
      }
      select.value = isChoice ? String(value) : '';
    },
  };
}
