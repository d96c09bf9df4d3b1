/**
 * Finds out how a shape is drawn: attributes, the attribute `style`, and style sheets with simple selectors (a tag, a class, an
 * id). Rules with other selectors are counted, and not applied.
 *
 * In: elements of the picture.
 * Out: filled, stroked, visible; the width of the stroke.
 * Cost: linear in the declarations.
 * Based on: SVG 2, chapters 6 and 13; CSS 2.1, chapter 6 (cascade); own code.
 */
import type { XmlElement } from '../../text/xml.ts';
import type { SvgStyle } from './types.ts';

export interface StyleSheet {
  /** Declarations by selector: "rect", ".wall", "#door". */
  rules: Map<string, [key: string, value: string][]>;
  /** Rules and at-rules that are not applied. */
  ignored: number;
}

const SIMPLE = /^(?:[a-zA-Z]+|\*|[a-zA-Z]*\.[\w-]+|[a-zA-Z]*#[\w-]+)$/;

/** Adds the rules of a style sheet. */
export function readSheet(sheet: StyleSheet, text: string): void {
  const plain = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '').replace(/<!--|-->/g, '');
  let at = 0;
  while (at < plain.length) {
    const open = plain.indexOf('{', at);
    const end = plain.indexOf(';', at);
    if (plain.slice(at).trimStart().startsWith('@') && end >= 0 && (open < 0 || end < open)) {
      sheet.ignored++;
      at = end + 1;
      continue;
    }
    if (open < 0) return;
    const selectors = plain.slice(at, open).trim();
    let depth = 1;
    let close = open + 1;
    while (close < plain.length && depth > 0) {
      if (plain[close] === '{') depth++;
      else if (plain[close] === '}') depth--;
      close++;
    }
    at = close;
    if (selectors.startsWith('@')) {
      // Fonts draw no shapes.
      if (!selectors.startsWith('@font-face')) sheet.ignored++;
      continue;
    }
    const declarations = readDeclarations(plain.slice(open + 1, close - 1));
    for (const one of selectors.split(',')) {
      const selector = one.trim().replace(/^\*(?=[.#])/, '');
      if (!SIMPLE.test(selector)) {
        sheet.ignored++;
        continue;
      }
      const known = sheet.rules.get(selector);
      if (known === undefined) sheet.rules.set(selector, [...declarations]);
      else for (const declaration of declarations) known.push(declaration);
    }
  }
}

function readDeclarations(text: string): [string, string][] {
  return text.split(';').flatMap((one): [string, string][] => {
    const colon = one.indexOf(':');
    if (colon < 0) return [];
    const value = one.slice(colon + 1).replace(/!\s*important\s*$/i, '');
    return [[one.slice(0, colon).trim().toLowerCase(), value.trim()]];
  });
}

/** Returns the properties that an element states: those of style sheets go before attributes, those of `style` before both. */
export function statedProperties(sheet: StyleSheet, { tag, attributes }: XmlElement): Map<string, string> {
  const stated = new Map<string, string>();
  for (const key of PROPERTIES) if (attributes[key] !== undefined) stated.set(key, attributes[key].trim());
  if (sheet.rules.size > 0) {
    const classes = (attributes['class'] ?? '').split(/\s+/).filter((name) => name !== '');
    const id = attributes['id'] ?? '';
    // Rules of the same weight count in the order of classes, not of the sheet; drawing programs give an element one.
    const selectors = ['*', tag, ...classes.flatMap((name) => [`.${name}`, `${tag}.${name}`])];
    if (id !== '') selectors.push(`#${id}`, `${tag}#${id}`);
    for (const selector of selectors)
      for (const [key, value] of sheet.rules.get(selector) ?? []) stated.set(key, value);
  }
  const { style } = attributes;
  if (style !== undefined) for (const [key, value] of readDeclarations(style)) stated.set(key, value);
  return stated;
}

const PROPERTIES = [
  'display',
  'visibility',
  'fill',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
];

/** Returns the style of the root, before it states anything. */
export function initialStyle(): SvgStyle {
  return {
    isFilled: true,
    isEvenOdd: false,
    isStroked: false,
    strokeWidth: '1',
    lineCap: 'butt',
    lineJoin: 'miter',
    miterLimit: 4,
    isVisible: true,
  };
}

/** Returns the style of an element within another one. */
export function styleWithin(outer: SvgStyle, stated: ReadonlyMap<string, string>): SvgStyle {
  if (stated.size === 0) return outer;
  const style = { ...outer };
  for (const [key, value] of stated) {
    if (value === 'inherit') continue;
    if (key === 'fill') style.isFilled = isPaint(value);
    else if (key === 'fill-rule') style.isEvenOdd = value === 'evenodd';
    else if (key === 'stroke') style.isStroked = isPaint(value);
    else if (key === 'stroke-width') style.strokeWidth = value;
    else if (key === 'stroke-linecap') style.lineCap = value;
    else if (key === 'stroke-linejoin') style.lineJoin = value;
    else if (key === 'stroke-miterlimit' && Number(value) >= 1) style.miterLimit = Number(value);
    else if (key === 'visibility') style.isVisible = value === 'visible';
  }
  return style;
}

function isPaint(value: string): boolean {
  return value !== 'none' && value !== 'transparent';
}
