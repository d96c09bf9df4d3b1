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
import type { Store } from '../state/store.ts';

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

interface Entry {
  field: Field;
  row: HTMLElement;
  show: (value: FieldValue) => void;
}

export function createSettingsPanel(store: Store, history: History): HTMLElement {
  const change = (field: Field, value: FieldValue | undefined): void =>
    history.edit(labelOf(field), { settings: withSetting(store.get().settings, field, value) });
  const helpLine = h('p', { class: 'settings-help' }, 'Point at a setting to see what it does.');
  const entries = FIELDS.map((field) => createEntry(field, (value) => change(field, value), helpLine));
  const groups = GROUPS.map((group) => {
    const own = entries.filter(({ field }) => GROUPS.find(({ match }) => match.test(nameOf(field))) === group);
    const content = h('div', { class: 'settings-rows' }, ...own.map(({ row }) => row));
    const element = h('details', { class: 'settings-group', open: true }, h('summary', {}, group.title), content);
    return { ...group, element, isEmpty: own.length === 0 };
  });
  const resetAll = (): void => history.edit('reset settings', { settings: store.get().baseSettings });
  const reset = h('button', { class: 'button', onclick: resetAll }, 'Reset all');

  const refresh = (): void => {
    const { settings, baseSettings, map, level } = store.get();
    const derived = deriveConfig(settings);
    for (const { field, row, show } of entries) {
      show(effectiveValue(field, settings, derived));
      const set = readSetting(settings, field);
      row.classList.toggle('is-derived', set === undefined);
      row.classList.toggle('is-changed', set !== readSetting(baseSettings, field));
    }
    const kind = map !== undefined && level === undefined ? 'map' : 'level';
    for (const group of groups) group.element.hidden = group.isEmpty || (group.for !== 'both' && group.for !== kind);
    reset.disabled = settings === baseSettings;
  };
  store.listen(['settings', 'baseSettings', 'map', 'level'], refresh);
  refresh();
  const foot = h('div', { class: 'settings-foot' }, helpLine, h('div', { class: 'buttons' }, reset));
  const list = h('div', { class: 'settings-list' }, ...groups.map(({ element }) => element));
  return h('div', { class: 'settings' }, list, foot);
}

function createEntry(field: Field, change: (value: FieldValue | undefined) => void, helpLine: HTMLElement): Entry {
  const name = nameOf(field);
  const help = helpOf(field);
  const { element, show } = createControl(field, change, help);
  const unit = field.unit === 'corners' || field.unit === 'share' ? undefined : field.unit;
  const text = unit === undefined ? labelOf(field) : `${labelOf(field)}, ${unit}`;
  const label = h(
    'span',
    {
      class: 'setting-name',
      title: `${help} Double-click to reset to the default.`,
      ondblclick: () => change(undefined),
    },
    text,
  );
  const row = h('div', { class: 'setting', 'data-setting': name }, label, element);
  const showHelp = (): void => void (helpLine.textContent = help);
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
  for (const choice of field.choices) select.append(h('option', { value: choice }, choice));
  return { element: select, show: (value) => void (select.value = String(value)) };
}
