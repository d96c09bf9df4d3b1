/**
 * Reads the shapes of SVG as subpaths: rectangles, circles, ellipses, lines, polylines, polygons and paths.
 *
 * In: an element.
 * Out: its subpaths, in its own coordinates.
 * Cost: linear.
 * Based on: SVG 2, chapter 10; own code.
 */
import type { ParsedPoint } from '../map.ts';
import type { XmlElement } from '../../text/xml.ts';
import { readPathData, readPoints } from './path-data.ts';
import type { PathData } from './path-data.ts';
import { readLength } from './transform.ts';
import type { Viewport } from './transform.ts';
import type { PathPart } from './types.ts';

export function isShape(tag: string): boolean {
  return /^(?:path|rect|circle|ellipse|line|polyline|polygon)$/.test(tag);
}

/** Returns the subpaths of a shape; none for one without extent. */
export function readShape({ tag, attributes }: XmlElement, { width, height }: Viewport): PathData {
  const whole = Math.sqrt((width * width + height * height) / 2);
  const x = (key: string): number => readLength(attributes[key], width) ?? 0;
  const y = (key: string): number => readLength(attributes[key], height) ?? 0;
  switch (tag) {
    case 'path':
      return readPathData(attributes['d'] ?? '');
    case 'polygon':
    case 'polyline':
      return readPoints(attributes['points'] ?? '', tag === 'polygon');
    case 'line':
      return drawn([x('x1'), y('y1')], [{ kind: 'line', end: [x('x2'), y('y2')] }], false);
    case 'circle': {
      const radius = readLength(attributes['r'], whole) ?? 0;
      return oval([x('cx'), y('cy')], radius, radius);
    }
    case 'ellipse': {
      const rx = readLength(attributes['rx'], width);
      const ry = readLength(attributes['ry'], height);
      return oval([x('cx'), y('cy')], rx ?? ry ?? 0, ry ?? rx ?? 0);
    }
    default:
      return rectangle(
        [x('x'), y('y'), x('width'), y('height')],
        readLength(attributes['rx'], width),
        readLength(attributes['ry'], height),
      );
  }
}

function drawn(start: ParsedPoint, parts: PathPart[], isClosed: boolean): PathData {
  return { subpaths: [{ start, parts, isClosed }], isDamaged: false };
}

const NOTHING: PathData = { subpaths: [], isDamaged: false };

function oval(center: ParsedPoint, rx: number, ry: number): PathData {
  if (!(rx > 0 && ry > 0)) return NOTHING;
  const [cx, cy] = center;
  const half = (sign: number): PathPart => {
    const end: ParsedPoint = [cx - sign * rx, cy];
    return { kind: 'arc', center, u: [rx, 0], v: [0, ry], from: [sign, 0], to: [-sign, 0], turn: 1, end };
  };
  return drawn([cx + rx, cy], [half(1), half(-1)], true);
}

function rectangle(
  [x, y, width, height]: readonly [number, number, number, number],
  givenX: number | undefined,
  givenY: number | undefined,
): PathData {
  if (!(width > 0 && height > 0)) return NOTHING;
  const rx = Math.min(Math.max(givenX ?? givenY ?? 0, 0), width / 2);
  const ry = Math.min(Math.max(givenY ?? givenX ?? 0, 0), height / 2);
  const line = (px: number, py: number): PathPart => ({ kind: 'line', end: [px, py] });
  if (rx === 0 || ry === 0) {
    return drawn([x, y], [line(x + width, y), line(x + width, y + height), line(x, y + height)], true);
  }
  /** A quarter around a corner, from one unit vector to the next. */
  const corner = (cx: number, cy: number, from: ParsedPoint): PathPart => {
    const to: ParsedPoint = [0 - from[1], from[0]];
    const end: ParsedPoint = [cx + rx * to[0], cy + ry * to[1]];
    return { kind: 'arc', center: [cx, cy], u: [rx, 0], v: [0, ry], from, to, turn: 1, end };
  };
  const [left, top, right, bottom] = [x + rx, y + ry, x + width - rx, y + height - ry];
  return drawn(
    [left, y],
    [
      line(right, y),
      corner(right, top, [0, -1]),
      line(x + width, bottom),
      corner(right, bottom, [1, 0]),
      line(left, y + height),
      corner(left, bottom, [0, 1]),
      line(x, top),
      corner(left, top, [-1, 0]),
    ],
    true,
  );
}
