/**
 * The settings panel, generated from the fields of the schema, each with unit, limits and help. A setting
 * that is not set shows the value that the bake derives.
 */
import { GUI } from 'lil-gui';
import type { Controller } from 'lil-gui';
import type { Field } from 'navkiln-cli/config';
import { h } from '../dom/dom.ts';
import type { History } from '../state/history.ts';
import type { Say } from '../state/message.ts';
import {
  FIELDS,
  deriveConfig,
  effectiveValue,
  faultOf,
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
  { title: 'Voxels', match: /^(cellSize|cellHeight|tileSize)$/, for: 'level' },
  { title: 'Regions', match: /^(partition|region)/, for: 'level' },
  { title: 'Polygons', match: /^(maxEdge|maxVerticesPerPoly|tessellate)/, for: 'level' },
  { title: 'Heights', match: /^detail/, for: 'level' },
  { title: 'Filters', match: /^(filter|medianAreas)/, for: 'level' },
  { title: 'Map', match: /^map\./, for: 'map' },
  { title: 'More', match: /./, for: 'both' },
];

/** A field gets a slider when it has both limits and a small range. */
function isSlider({ min, max, aboveMin }: Field): boolean {
  return min !== undefined && max !== undefined && max <= 90 && !aboveMin;
}

interface Entry {
  field: Field;
  controller: Controller;
}

export function createSettingsPanel(store: Store, history: History, say: Say): HTMLElement {
  const gui = new GUI({ autoPlace: false, title: 'Settings' });
  gui.domElement.classList.add('settings-gui');
  const values: Record<string, FieldValue> = {};
  const entries: Entry[] = [];
  const folders = GROUPS.map((group) => ({ ...group, gui: undefined as GUI | undefined }));
  let isSetting = false;

  for (const field of FIELDS) {
    const folder = folders.find(({ match }) => match.test(nameOf(field)))!;
    folder.gui ??= gui.addFolder(folder.title);
    entries.push({ field, controller: addField(folder.gui, field) });
  }

  function addField(folder: GUI, field: Field): Controller {
    const name = nameOf(field);
    values[name] = effectiveValue(field, store.get().settings, undefined);
    const controller =
      field.kind === 'choice'
        ? folder.add(values, name, [...field.choices])
        : isSlider(field)
          ? folder.add(values, name, field.min, field.max, field.whole ? 1 : 0.5)
          : field.kind === 'number'
            ? folder.add(values, name).step(field.whole ? 1 : 0.01)
            : folder.add(values, name);
    const unit = field.unit === 'corners' || field.unit === 'share' ? undefined : field.unit;
    controller.name(unit === undefined ? labelOf(field) : `${labelOf(field)}, ${unit}`);
    const help = helpOf(field);
    const label = controller.domElement.querySelector<HTMLElement>('.lil-name, .name');
    label?.setAttribute('title', `${help} Double-click to reset to the default.`);
    label?.addEventListener('dblclick', () => change(field, undefined));
    const input = controller.domElement.querySelector<HTMLElement>('input, select');
    input?.setAttribute('title', help);
    input?.addEventListener('focus', () => (helpLine.textContent = help));
    controller.domElement.addEventListener('pointerenter', () => (helpLine.textContent = help));
    controller.domElement.dataset['setting'] = name;
    controller.onChange((value: FieldValue) => {
      if (isSetting) return;
      const fault = faultOf(field, value);
      if (fault === undefined) change(field, value);
    });
    controller.onFinishChange((value: FieldValue) => {
      const fault = faultOf(field, value);
      if (isSetting || fault === undefined) return;
      say('warning', `${fault.charAt(0).toUpperCase()}${fault.slice(1)}; it stays at ${String(effectiveOf(field))}.`);
      refresh();
    });
    return controller;
  }

  const helpLine = h('p', { class: 'settings-help', 'aria-live': 'off' }, 'Point at a setting to see what it does.');
  const resetAll = (): void => history.edit('reset settings', { settings: store.get().baseSettings });
  const reset = h('button', { class: 'button', onclick: resetAll }, 'Reset all');

  function change(field: Field, value: FieldValue | undefined): void {
    history.edit(labelOf(field), { settings: withSetting(store.get().settings, field, value) });
  }
  function effectiveOf(field: Field): FieldValue {
    const { settings } = store.get();
    return effectiveValue(field, settings, deriveConfig(settings));
  }
  function refresh(): void {
    const { settings, baseSettings, map, level } = store.get();
    const derived = deriveConfig(settings);
    isSetting = true;
    for (const { field, controller } of entries) {
      values[nameOf(field)] = effectiveValue(field, settings, derived);
      controller.updateDisplay();
      const set = readSetting(settings, field);
      controller.domElement.classList.toggle('is-derived', set === undefined);
      controller.domElement.classList.toggle('is-changed', set !== readSetting(baseSettings, field));
    }
    isSetting = false;
    const kind = map !== undefined && level === undefined ? 'map' : 'level';
    for (const { gui: folder, for: target } of folders) folder?.show(target === 'both' || target === kind);
    reset.disabled = settings === baseSettings;
  }
  store.listen(['settings', 'baseSettings', 'map', 'level'], refresh);
  refresh();
  const foot = h('div', { class: 'settings-foot' }, helpLine, h('div', { class: 'buttons' }, reset));
  return h('div', { class: 'settings' }, gui.domElement, foot);
}
