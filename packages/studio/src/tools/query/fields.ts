/** The parameters of a query tool: numbers, choices and switches with names, units and limits. */
import { h } from '../../dom/dom.ts';
import { createNumberInput } from '../../dom/number-input.ts';

interface FieldBase {
  id: string;
  title: string;
  /** The tooltip. */
  help?: string;
  /** Shows the field only while another field has one of these values. */
  when?: readonly [id: string, ...values: (string | boolean)[]];
}

export interface NumberField extends FieldBase {
  kind: 'number';
  unit?: string;
  min: number;
  max: number;
  step: number;
  initial: number;
}

export interface ChoiceField extends FieldBase {
  kind: 'choice';
  choices: readonly (readonly [value: string, title: string])[];
  initial: string;
}

export interface SwitchField extends FieldBase {
  kind: 'switch';
  initial: boolean;
}

export type Field = NumberField | ChoiceField | SwitchField;
export type Value = number | string | boolean;
export type Values = Readonly<Record<string, Value>>;

/** Returns the value from a link, clamped, or the initial value when it is missing or invalid. */
export function readValue(field: Field, value: unknown): Value {
  if (field.kind === 'number') {
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(field.max, Math.max(field.min, value))
      : field.initial;
  }
  if (field.kind === 'switch') return typeof value === 'boolean' ? value : field.initial;
  return field.choices.some(([choice]) => choice === value) ? (value as string) : field.initial;
}

export interface FieldRows {
  element: HTMLElement;
  show: (values: Values) => void;
}

export function createFieldRows(
  fields: readonly Field[],
  onChange: (id: string, value: Value, isDone: boolean) => void,
): FieldRows {
  const rows = fields.map((field) => {
    const { element, show } = rowOf(field, (value, isDone) => onChange(field.id, value, isDone));
    element.dataset['field'] = field.id;
    if (field.help !== undefined) element.title = field.help;
    return { field, element, show };
  });
  return {
    element: h('div', { class: 'query-fields' }, ...rows.map(({ element }) => element)),
    show(values) {
      for (const {
        field: { id, when },
        element,
        show,
      } of rows) {
        element.hidden = when !== undefined && !when.slice(1).includes(values[when[0]] as string);
        show(values[id]);
      }
    },
  };
}

interface Row {
  element: HTMLElement;
  show: (value: Value) => void;
}

function rowOf(field: Field, onChange: (value: Value, isDone: boolean) => void): Row {
  if (field.kind === 'switch') {
    const input = h('input', { type: 'checkbox', onchange: () => onChange(input.checked, true) });
    return {
      element: h('label', { class: 'query-field' }, input, h('span', {}, field.title)),
      show: (value) => void (input.checked = value === true),
    };
  }
  if (field.kind === 'choice') {
    const select = h('select', { 'aria-label': field.title, onchange: () => onChange(select.value, true) });
    for (const [value, title] of field.choices) select.append(h('option', { value }, title));
    return {
      element: h('label', { class: 'query-field' }, h('span', { class: 'query-name' }, field.title), select),
      show: (value) => void (select.value = String(value)),
    };
  }
  const { min, max, step, title, unit = '' } = field;
  const set = (text: string, isDone: boolean): void => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) onChange(Math.min(max, Math.max(min, value)), isDone);
  };
  const slider = h('input', {
    type: 'range',
    min,
    max,
    step,
    'aria-label': title,
    oninput: () => set(slider.value, false),
    onchange: () => set(slider.value, true),
  });
  const number = createNumberInput({ label: title, min, max, step, onValue: (value) => onChange(value, true) });
  return {
    element: h(
      'div',
      { class: 'query-field' },
      h('span', { class: 'query-name' }, title),
      slider,
      number.element,
      h('span', { class: 'query-unit' }, unit),
    ),
    show(value) {
      slider.value = String(value);
      number.show(Number(value));
    },
  };
}
