/**
 * Number inputs: text fields that keep what was typed, take a decimal comma, and refuse everything that is not a
 * number within the limits. A refused text is replaced by the last value, and the input dispatches a `refused` event whose
 * detail is the sentence for the user. (`type="number"` drops a comma in some locales: 0,125 becomes 0125.)
 */
import { h } from './dom.ts';

export interface NumberLimits {
  min?: number;
  max?: number;
  /** True when `min` itself is not allowed. */
  aboveMin?: boolean;
  whole?: boolean;
}

export interface NumberInputOptions extends NumberLimits {
  /** The accessible name, also of messages: 'cell size'. */
  label: string;
  value?: number;
  /**
   * Amount that an arrow key adds, with Shift ten times as much. Default: a tenth of the magnitude of the value, or
   * 1.
   */
  step?: number;
  /** Further attributes. */
  props?: Readonly<Record<string, string | undefined>>;
  onValue: (value: number) => void;
}

export interface NumberInput {
  element: HTMLInputElement;
  /** Shows a value. A text that is being typed stays while the value is the same. */
  show: (value: number) => void;
}

/** The name of the event that reports a refused text. */
export const REFUSED = 'refused';

/** Parses a number with a decimal point or comma. Returns undefined for anything else. */
export function readNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^\u2212/, '-')
    .replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns why a value is outside the limits, as the end of a sentence, or undefined. */
export function limitFault(value: number, { min, max, aboveMin, whole }: NumberLimits): string | undefined {
  if (whole === true && !Number.isInteger(value)) return 'must be a whole number';
  if (min !== undefined && (aboveMin === true ? value <= min : value < min)) {
    return `must be ${aboveMin === true ? 'above' : 'at least'} ${min}`;
  }
  return max !== undefined && value > max ? `must be at most ${max}` : undefined;
}

export function createNumberInput(options: NumberInputOptions): NumberInput {
  const { label, props = {}, onValue } = options;
  let current = options.value ?? 0;
  const write = (value: number): void => {
    current = value;
    element.value = String(value);
  };
  const commit = (): void => {
    const text = element.value;
    const value = readNumber(text);
    const fault = value === undefined ? 'must be a number' : limitFault(value, options);
    if (value !== undefined && fault === undefined) {
      const isNew = value !== current;
      write(value);
      if (isNew) onValue(value);
      return;
    }
    write(current);
    const given = value === undefined ? ` ("${text.slice(0, 40)}" is not)` : '';
    const detail = `${label.charAt(0).toUpperCase()}${label.slice(1)} ${fault}${given}; it stays at ${current}.`;
    element.dispatchEvent(new CustomEvent(REFUSED, { bubbles: true, detail }));
  };
  const element = h('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': label,
    ...props,
    class: `number ${props['class'] ?? ''}`.trim(),
    onchange: commit,
    onkeydown: (event) => {
      const { key, shiftKey } = event as KeyboardEvent;
      const sign = { ArrowUp: 1, ArrowDown: -1 }[key];
      if (sign === undefined) return;
      event.preventDefault();
      const from = readNumber(element.value) ?? current;
      const step = options.step ?? (options.whole === true ? 1 : stepOf(from));
      const next = Number((from + sign * step * (shiftKey ? 10 : 1)).toPrecision(12));
      if (limitFault(next, options) !== undefined) return;
      write(next);
      onValue(next);
    },
  });
  write(current);
  return {
    element,
    show(value) {
      if (value !== current || document.activeElement !== element) write(value);
    },
  };
}

function stepOf(value: number): number {
  return value === 0 ? 0.1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
}
