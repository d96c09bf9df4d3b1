/**
 * Reads transforms, view boxes and lengths of SVG.
 *
 * Cost: linear in the text.
 * Based on: SVG 2, chapters 8 and 7.10; own code.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import { IDENTITY, compose, rotation, translation } from '../tiled/affine.ts';
import type { Affine } from '../tiled/types.ts';

/** The size that percentages refer to. */
export interface Viewport {
  width: number;
  height: number;
}

/** Units of lengths in pixels of CSS. */
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  q: 96 / 101.6,
  em: 16,
  rem: 16,
  ex: 8,
};

const NUMBERS = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g;
const LENGTH = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([a-z]+|%)?\s*$/i;

/** Returns a length; percentages are of `whole`. Returns undefined for a text that is no length. */
export function readLength(text: string | undefined, whole: number): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = LENGTH.exec(text) ?? [];
  if (number === undefined) return undefined;
  const value = Number(number);
  if (!(value - value === 0)) return undefined;
  if (unit === '') return value;
  if (unit === '%') return (value / 100) * whole;
  const factor = UNITS[unit.toLowerCase()];
  return factor === undefined ? undefined : value * factor;
}

/** Returns the numbers of a text, at most `most`. */
export function readNumbers(text: string, most: number): number[] {
  return [...text.matchAll(NUMBERS)].slice(0, most).map(([number]) => Number(number));
}

/** Returns the transform of an attribute; undefined for a text that is none. */
export function readTransform(text: string | undefined): Affine | undefined {
  if (text === undefined || text.trim() === '' || text.trim() === 'none') return IDENTITY;
  let matrix = IDENTITY;
  const pattern = /[\s,]*([a-zA-Z]+)\s*\(([^()]*)\)/y;
  let at = 0;
  for (;;) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return /^[\s,]*$/.test(text.slice(at)) ? matrix : undefined;
    at = pattern.lastIndex;
    const next = readFunction(found[1], found[2]);
    if (next === undefined) return undefined;
    matrix = compose(matrix, next);
  }
}

function readFunction(name: string, given: string): Affine | undefined {
  const parts = given.split(/[\s,]+/).filter((part) => part !== '');
  const n = parts.map((part) => readLength(part.replace(/deg$/i, ''), NaN) ?? NaN);
  if (n.length === 0 || n.some((value) => !(value - value === 0))) return undefined;
  const [a, b, c] = n;
  switch (name) {
    case 'matrix':
      return n.length === 6 ? [n[0], n[1], n[2], n[3], n[4], n[5]] : undefined;
    case 'translate':
      return n.length <= 2 ? translation(a, b ?? 0) : undefined;
    case 'scale':
      return n.length <= 2 ? [a, 0, 0, b ?? a, 0, 0] : undefined;
    case 'rotate': {
      if (n.length === 1) return rotation(a);
      return n.length === 3 ? compose(compose(translation(b, c), rotation(a)), translation(-b, -c)) : undefined;
    }
    case 'skewX':
      return n.length === 1 ? [1, 0, sinDegrees(a) / cosDegrees(a), 1, 0, 0] : undefined;
    case 'skewY':
      return n.length === 1 ? [1, sinDegrees(a) / cosDegrees(a), 0, 1, 0, 0] : undefined;
    default:
      return undefined;
  }
}

/** Returns the largest factor by which a transform lengthens. */
export function normOf([a, b, c, d]: Affine): number {
  const sum = a * a + b * b + c * c + d * d;
  const det = a * d - b * c;
  return Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * det * det))) / 2);
}

/** Returns x, y, width and height of a view box; undefined without one. */
export function readViewBox(text: string | undefined): readonly [number, number, number, number] | undefined {
  const [x, y, width, height] = readNumbers(text ?? '', 4);
  return width > 0 && height > 0 ? [x, y, width, height] : undefined;
}

/** Returns the transform from a view box to a viewport at (0, 0). */
export function viewBoxTransform(
  [x, y, width, height]: readonly [number, number, number, number],
  viewport: Viewport,
  aspect: string = '',
): Affine {
  let sx = viewport.width / width;
  let sy = viewport.height / height;
  if (!/^\s*none/.test(aspect)) sx = sy = /slice/.test(aspect) ? Math.max(sx, sy) : Math.min(sx, sy);
  const [, alignX = 'Mid', alignY = 'Mid'] = /x(Min|Mid|Max)Y(Min|Mid|Max)/.exec(aspect) ?? [];
  const share = (align: string): number => (align === 'Min' ? 0 : align === 'Max' ? 1 : 0.5);
  const dx = (viewport.width - width * sx) * share(alignX);
  const dy = (viewport.height - height * sy) * share(alignY);
  return [sx, 0, 0, sy, dx - x * sx, dy - y * sy];
}
