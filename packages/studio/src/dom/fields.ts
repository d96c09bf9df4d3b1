/** Text fields, lists of choices and switches with labels, for cards. */
import { h } from './dom.ts';

export interface TextField {
  element: HTMLElement;
  set: (value: string) => void;
}

/** Creates a text field with a label. Empty text is refused. */
export function textField(label: string, onChange: (value: string) => void): TextField {
  const input = h('input', { type: 'text', class: 'edit-text', 'aria-label': label.toLowerCase() });
  let current = '';
  input.addEventListener('change', () => {
    const value = input.value.trim();
    if (value === '' || value === current) input.value = current;
    else onChange(value);
  });
  return {
    element: h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, label), input),
    set(value) {
      current = value;
      if (document.activeElement !== input) input.value = value;
    },
  };
}

export type Choice = readonly [value: string, title: string];

/** Creates a list of choices with a label. */
export function choiceField(
  label: string,
  onChange: (value: string) => void,
): { element: HTMLElement; set: (choices: readonly Choice[], value: string) => void } {
  const select = h('select', {
    class: 'edit-text',
    'aria-label': label.toLowerCase(),
    onchange: () => onChange(select.value),
  });
  let shown = '';
  return {
    element: h('label', { class: 'edit-field' }, h('span', { class: 'row-name' }, label), select),
    set(choices, value) {
      const key = JSON.stringify(choices);
      if (key !== shown) select.replaceChildren(...choices.map(([id, title]) => h('option', { value: id }, title)));
      shown = key;
      select.value = value;
    },
  };
}

export interface SwitchField {
  element: HTMLElement;
  set: (isOn: boolean) => void;
}

/** Creates a switch with a label. */
export function switchField(label: string, onChange: (isOn: boolean) => void): SwitchField {
  const box = h('input', { type: 'checkbox', onchange: () => onChange(box.checked) });
  return { element: h('label', { class: 'edit-field' }, box, label), set: (isOn) => void (box.checked = isOn) };
}
