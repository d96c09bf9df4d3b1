/**
 * Settings for reading a level file: unit, up axis, sides, and its objects with their areas. Loaded with the first
 * level file.
 */
import { AREA_GROUND } from 'navkiln';
import { choiceField } from '../dom/fields.ts';
import type { Choice } from '../dom/fields.ts';
import { h, row } from '../dom/dom.ts';
import { createNumberInput } from '../dom/number-input.ts';
import { nameOfArea } from '../state/areas.ts';
import { formatCount, formatNumber, plural } from '../state/format.ts';
import type { History } from '../state/history.ts';
import { LEFT_OUT, NO_CORRECTION, isSameCorrection } from '../state/state.ts';
import type { LevelCorrection, LevelObject } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import './import-panel.css';

const UNITS: readonly Choice[] = [
  ['1', 'Meters'],
  ['0.01', 'Centimeters'],
  ['0.001', 'Millimeters'],
  ['0.0254', 'Inches'],
  ['0.3048', 'Feet'],
];
const OTHER_UNIT: Choice = ['other', 'Other'];
const UP_AXES: readonly Choice[] = [
  ['0', 'Y up'],
  ['-90', 'Z up'],
  ['90', '-Z up'],
];
const SIDES: readonly Choice[] = [
  ['file', 'As in the file'],
  ['flipped', 'Flipped'],
  ['both', 'Both sides'],
];
/** Objects listed at a time: the search finds the others. */
const MAX_LISTED = 100;
/** Areas to choose from, besides ground. */
const AREAS = [1, 2, 3, 4, 5, 6, 7, 8];

export function fillImportPanel(element: HTMLElement, store: Store, history: History): void {
  const current = (): LevelCorrection => store.get().edits.correction ?? NO_CORRECTION;
  const change = (name: string, patch: Partial<LevelCorrection>): void => {
    const next = { ...current(), ...patch };
    const correction = isSameCorrection(next, NO_CORRECTION) ? undefined : next;
    history.edit(name, { edits: { ...store.get().edits, correction } });
  };
  const unit = choiceField('Unit', (value) => value !== 'other' && change('unit', { scale: Number(value) }));
  const scale = createNumberInput({
    label: 'scale of the level',
    min: 0,
    aboveMin: true,
    max: 1e6,
    value: 1,
    props: { class: 'edit-number', title: 'Factor of all positions' },
    onValue: (value) => change('scale', { scale: value }),
  });
  const up = choiceField('Up axis', (value) => change('up axis', { turn: Number(value) }));
  const sides = choiceField('Sides', (value) =>
    change('sides', { isFlipped: value === 'flipped', isTwoSided: value === 'both' }),
  );
  const size = h('div', {});
  const objects = createObjectList(store, current, (next) =>
    change('objects', { objects: Object.keys(next).length === 0 ? undefined : next }),
  );
  const root = h(
    'div',
    { class: 'settings-rows import' },
    unit.element,
    h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, 'Scale'), scale.element),
    up.element,
    sides.element,
    size,
    objects.element,
  );
  element.append(root);
  const refresh = (): void => {
    const { level } = store.get();
    root.hidden = level === undefined;
    if (level === undefined) return;
    const { turn, scale: factor, isFlipped, isTwoSided } = current();
    const isKnown = UNITS.some(([value]) => Number(value) === factor);
    unit.set(isKnown ? UNITS : [...UNITS, OTHER_UNIT], isKnown ? String(factor) : 'other');
    scale.show(factor);
    up.set(UP_AXES, String(turn));
    sides.set(SIDES, isTwoSided ? 'both' : isFlipped ? 'flipped' : 'file');
    size.replaceChildren(row('Size', `${level.measure.size.map(formatNumber).join(' × ')} m`));
    objects.refresh();
  };
  store.listen(['level', 'edits', 'mesh'], refresh);
  refresh();
}

type Choices = NonNullable<LevelCorrection['objects']>;

/** Creates the list of objects of the file: a checkbox that includes each, and its area. */
function createObjectList(
  store: Store,
  current: () => LevelCorrection,
  change: (choices: Choices) => void,
): { element: HTMLElement; refresh: () => void } {
  const search = h('input', {
    type: 'search',
    class: 'edit-text',
    placeholder: 'Find objects',
    'aria-label': 'Find objects by name',
    oninput: () => refresh(),
  });
  const list = h('ul', { class: 'import-objects' });
  const more = h('p', { class: 'hint' });
  const title = h('summary', {});
  const setMany = (numbers: readonly number[], area: number): void => {
    const choices: Record<string, number> = { ...current().objects };
    for (const number of numbers) {
      if (area === AREA_GROUND) delete choices[number];
      else choices[number] = area;
    }
    change(choices);
  };
  const found = (): number[] => {
    const words = search.value.trim().toLowerCase();
    const objects = store.get().level?.objects ?? [];
    const isFound = ({ name, material }: LevelObject): boolean => `${name} ${material}`.toLowerCase().includes(words);
    return objects.flatMap((object, number) => (isFound(object) ? [number] : []));
  };
  const all = h('button', { class: 'button small', onclick: () => setMany(found(), AREA_GROUND) }, 'Include all');
  const none = h('button', { class: 'button small', onclick: () => setMany(found(), LEFT_OUT) }, 'Leave out all');
  // Folded: a file may have thousands.
  const element = h(
    'details',
    { class: 'import-list' },
    title,
    search,
    list,
    more,
    h('div', { class: 'buttons' }, all, none),
  );

  const rowOf = (number: number): HTMLElement => {
    const state = store.get();
    const { name, material, triangleCount } = state.level!.objects![number];
    const area = current().objects?.[number] ?? AREA_GROUND;
    const text = name === '' ? `Object ${number + 1}` : name;
    const box = h('input', {
      type: 'checkbox',
      checked: area !== LEFT_OUT,
      'aria-label': `Include ${text}`,
      onchange: () => setMany([number], box.checked ? AREA_GROUND : LEFT_OUT),
    });
    const select = h('select', {
      'aria-label': `Area of ${text}`,
      disabled: area === LEFT_OUT,
      onchange: () => setMany([number], Number(select.value)),
    });
    const areas = AREAS.includes(area) || area <= 0 || area === AREA_GROUND ? AREAS : [...AREAS, area];
    const choices: [number, string][] = [
      [AREA_GROUND, nameOfArea(state, AREA_GROUND)],
      [0, 'Not walkable'],
      ...areas.map((id): [number, string] => [id, nameOfArea(state, id)]),
    ];
    for (const [id, label] of choices)
      select.append(h('option', { value: id, selected: id === (area === LEFT_OUT ? AREA_GROUND : area) }, label));
    const about = [material, plural(triangleCount, 'triangle')].filter((part) => part !== '').join(', ');
    const label = h(
      'label',
      { title: `${text}: ${about}` },
      box,
      h('span', { class: 'import-name' }, text, h('small', {}, about)),
    );
    return h('li', {}, label, select);
  };
  let shown = '';
  const refresh = (): void => {
    const { level, edits } = store.get();
    const objects = level?.objects ?? [];
    element.hidden = objects.length < 2;
    if (element.hidden) return;
    const numbers = found();
    const key = JSON.stringify([numbers, objects.map(({ name }) => name), current().objects, edits.areaNames]);
    if (key === shown) return;
    shown = key;
    const left = Object.values(current().objects ?? {}).filter((area) => area === LEFT_OUT).length;
    title.textContent = `${plural(objects.length, 'object')}${left === 0 ? '' : `, ${formatCount(left)} left out`}`;
    search.hidden = objects.length < 12;
    const focused = list.contains(document.activeElement)
      ? document.activeElement?.getAttribute('aria-label')
      : undefined;
    list.replaceChildren(...numbers.slice(0, MAX_LISTED).map(rowOf));
    const hidden = numbers.length - MAX_LISTED;
    more.textContent = hidden > 0 ? `and ${formatCount(hidden)} more; find them by name` : '';
    if (focused)
      [...list.querySelectorAll<HTMLElement>('[aria-label]')]
        .find((input) => input.getAttribute('aria-label') === focused)
        ?.focus();
  };
  return { element, refresh };
}
