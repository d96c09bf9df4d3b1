/**
 * Reads the path data of SVG: moves, lines, curves, arcs, and closed subpaths, absolute and relative.
 *
 * In: the text of the attribute `d`, or of `points`.
 * Out: subpaths. Where the text is no path data, those before the fault, as browsers draw them.
 * Cost: linear.
 * Based on: SVG 2, chapter 9 and appendix B.2 (arcs); own code.
 */
import { cosDegrees, sinDegrees } from '../../../base/math/degrees.ts';
import type { ParsedPoint } from '../map.ts';
import type { PathPart, Subpath } from './types.ts';

export interface PathData {
  subpaths: Subpath[];
  isDamaged: boolean;
}

/** Numbers that follow a command. */
const COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Reads numbers and commands one after the other. */
interface Scanner {
  text: string;
  at: number;
}

/** Returns the next number; undefined when there is none, and for one that is not finite. */
function readNumber(scanner: Scanner): number | undefined {
  const pattern = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y;
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  if (found === null) return undefined;
  scanner.at = pattern.lastIndex;
  const value = Number(found[1]);
  return value - value === 0 ? value : undefined;
}

/** Returns the next flag of an arc, which may stand without a space before the next number. */
function readFlag(scanner: Scanner): number | undefined {
  const pattern = /[\s,]*([01])/y;
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  if (found === null) return undefined;
  scanner.at = pattern.lastIndex;
  return Number(found[1]);
}

/** Reads the corners of a polygon or polyline. */
export function readPoints(text: string, isClosed: boolean): PathData {
  const scanner = { text, at: 0 };
  const points: ParsedPoint[] = [];
  for (;;) {
    const x = readNumber(scanner);
    const y = x === undefined ? undefined : readNumber(scanner);
    if (y === undefined) {
      const isDamaged = x !== undefined || text.slice(scanner.at).trim() !== '';
      if (points.length === 0) return { subpaths: [], isDamaged };
      const parts = points.slice(1).map((end): PathPart => ({ kind: 'line', end }));
      return { subpaths: [{ start: points[0], parts, isClosed }], isDamaged };
    }
    points.push([x!, y]);
  }
}

export function readPathData(text: string): PathData {
  const scanner: Scanner = { text, at: 0 };
  const subpaths: Subpath[] = [];
  let open: Subpath | undefined;
  let here: ParsedPoint = [0, 0];
  let start: ParsedPoint = [0, 0];
  /** The last control point, for smooth curves, and the kind of curve it is of. */
  let control: ParsedPoint = here;
  let controlOf = '';
  let command = '';
  const stop = (isDamaged: boolean): PathData => ({ subpaths, isDamaged });
  for (;;) {
    const letter = /[\s,]*([MmLlHhVvCcSsQqTtAaZz])/y;
    letter.lastIndex = scanner.at;
    const found = letter.exec(text);
    if (found !== null) {
      command = found[1];
      scanner.at = letter.lastIndex;
      if (subpaths.length === 0 && command !== 'M' && command !== 'm') return stop(true);
    } else {
      if (/^[\s,]*$/.test(text.slice(scanner.at, scanner.at + 4096))) return stop(false);
      if (command === '' || command === 'Z' || command === 'z') return stop(true);
      // Further numbers of a move are lines.
      if (command === 'M') command = 'L';
      else if (command === 'm') command = 'l';
    }
    const kind = command.toUpperCase();
    const isRelative = command !== kind;
    const n: number[] = [];
    for (let k = 0; k < COUNTS[kind]; k++) {
      const value = kind === 'A' && (k === 3 || k === 4) ? readFlag(scanner) : readNumber(scanner);
      if (value === undefined) return stop(true);
      n.push(value);
    }
    const [dx, dy] = isRelative ? here : [0, 0];
    const point = (k: number): ParsedPoint => [n[k] + dx, n[k + 1] + dy];
    if (kind === 'M') {
      here = start = point(0);
      open = { start, parts: [], isClosed: false };
      subpaths.push(open);
      controlOf = '';
      continue;
    }
    if (kind === 'Z') {
      if (open !== undefined) open.isClosed = true;
      open = undefined;
      here = start;
      controlOf = '';
      continue;
    }
    // After a closed subpath, the next one starts where that one did.
    if (open === undefined) subpaths.push((open = { start, parts: [], isClosed: false }));
    const mirrored = (of: string): ParsedPoint =>
      controlOf === of ? [2 * here[0] - control[0], 2 * here[1] - control[1]] : here;
    const parts = open.parts;
    let end: ParsedPoint;
    let nextControlOf = '';
    if (kind === 'C' || kind === 'S') {
      const first = kind === 'C' ? point(0) : mirrored('C');
      const at = kind === 'C' ? 2 : 0;
      control = point(at);
      end = point(at + 2);
      parts.push({ kind: 'cubic', first, second: control, end });
      nextControlOf = 'C';
    } else if (kind === 'Q' || kind === 'T') {
      const middle = kind === 'Q' ? point(0) : mirrored('Q');
      end = point(kind === 'Q' ? 2 : 0);
      const third = ([ax, ay]: ParsedPoint): ParsedPoint => [
        ax + (2 / 3) * (middle[0] - ax),
        ay + (2 / 3) * (middle[1] - ay),
      ];
      parts.push({ kind: 'cubic', first: third(here), second: third(end), end });
      control = middle;
      nextControlOf = 'Q';
    } else {
      end = kind === 'H' ? [n[0] + dx, here[1]] : kind === 'V' ? [here[0], n[0] + dy] : point(kind === 'A' ? 5 : 0);
      parts.push(kind === 'A' ? arcBetween(here, end, n) : { kind: 'line', end });
    }
    controlOf = nextControlOf;
    here = end;
  }
}

/** Returns the arc from one point to another, by the other numbers of the command. */
function arcBetween([ax, ay]: ParsedPoint, end: ParsedPoint, n: readonly number[]): PathPart {
  const [bx, by] = end;
  let rx = Math.abs(n[0]);
  let ry = Math.abs(n[1]);
  if (rx === 0 || ry === 0 || (ax === bx && ay === by)) return { kind: 'line', end };
  const cos = cosDegrees(n[2]);
  const sin = sinDegrees(n[2]);
  const hx = (ax - bx) / 2;
  const hy = (ay - by) / 2;
  // The start, where the ellipse is the unit circle and the middle of both ends is 0.
  let sx = (cos * hx + sin * hy) / rx;
  let sy = (cos * hy - sin * hx) / ry;
  let size = Math.sqrt(sx * sx + sy * sy);
  if (size > 1) {
    rx *= size;
    ry *= size;
    sx /= size;
    sy /= size;
    size = 1;
  }
  const share = (n[3] === n[4] ? -1 : 1) * Math.sqrt(Math.max(0, 1 / (size * size) - 1));
  const [cx, cy] = [share * sy, share * -sx];
  const u: ParsedPoint = [rx * cos, rx * sin];
  const v: ParsedPoint = [-ry * sin, ry * cos];
  return {
    kind: 'arc',
    center: [(ax + bx) / 2 + cx * u[0] + cy * v[0], (ay + by) / 2 + cx * u[1] + cy * v[1]],
    u,
    v,
    from: [sx - cx, sy - cy],
    to: [-sx - cx, -sy - cy],
    turn: n[4] === 1 ? 1 : -1,
    end,
  };
}
