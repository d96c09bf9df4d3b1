/**
 * Creates DOM elements. Strings become text nodes and are never parsed as markup; control characters in them are
 * shown by their codes.
 */
import { visible } from '../state/format.ts';

export type Child = Node | string | undefined;

type Props = Readonly<Record<string, string | boolean | number | undefined | ((event: Event) => void)>>;

/** Creates an element. Functions under `on…` become listeners; every other property becomes an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, visible(String(value)));
  }
  for (const child of children) {
    if (child !== undefined) element.append(typeof child === 'string' ? visible(child) : child);
  }
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an icon from SVG path data, 24 x 24, drawn as a line. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/** Creates a row with a name and a value. The rows of one card are aligned. */
export function row(name: string, value: string | Node): HTMLElement {
  return h('div', { class: 'row' }, h('span', { class: 'row-name' }, name), h('span', { class: 'row-value' }, value));
}

/** Returns a hint in the words of fingers where there is no mouse. */
export function forPointer(hint: string): string {
  if (!matchMedia('(pointer: coarse)').matches) return hint;
  return hint
    .replace(/[,;]? (?:or )?Shift-click[^,.;]*/g, '')
    .replace('right-drag pans, wheel or pinch zooms', 'two fingers pan and zoom')
    .replace(/([Cc])lick/g, (_, letter: string) => (letter === 'C' ? 'Tap' : 'tap'));
}
