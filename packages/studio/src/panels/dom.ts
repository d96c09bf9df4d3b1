/** Elements in one call. Text is set as text, never read as markup. */

export type Child = Node | string | undefined;

type Props = Readonly<Record<string, string | boolean | number | undefined | ((event: Event) => void)>>;

/** `on…` props are listeners, `class`, `title`, `aria-…` and the like attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing of 24 x 24. */
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

/** A name and a value side by side; rows of one card line up. */
export function row(name: string, value: string | Node): HTMLElement {
  return h('div', { class: 'row' }, h('span', { class: 'row-name' }, name), h('span', { class: 'row-value' }, value));
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function formatMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export function formatPoint(point: ArrayLike<number>): string {
  return Array.from(point, (value) => value.toFixed(2)).join(', ');
}

/** 'maxSlope' -> 'max slope'. */
export function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
