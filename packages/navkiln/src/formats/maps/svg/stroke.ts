/**
 * Makes areas of the stroke of a line: its segments, corners and ends as SVG draws them. Dashes are drawn through.
 *
 * In: points of a flattened subpath, and which of them are corners of the path.
 * Out: rings that touch and overlap.
 * Cost: linear.
 * Based on: SVG 2, chapter 13.5; own code.
 */
import type { ParsedPoint, ParsedRing } from '../map.ts';
import { flatten } from './flatten.ts';
import type { Spend } from './flatten.ts';
import type { SvgStyle } from './types.ts';

/** Cosine of the turn up to which segments meet in one side: about 20 degrees. */
const SMOOTH = 0.94;

/** Two ends of a side across the line, to its left and right. */
type Side = [left: ParsedPoint, right: ParsedPoint];

/** A flattened subpath. */
export interface FlatPath {
  points: readonly ParsedPoint[];
  /** Those of its points that are not within a curve. */
  corners: ReadonlySet<ParsedPoint>;
  isClosed: boolean;
}

export function strokeRings(
  { points: given, corners, isClosed }: FlatPath,
  width: number,
  { lineCap, lineJoin, miterLimit }: SvgStyle,
  tolerance: number,
  spend: Spend,
): ParsedRing[] {
  const points = [...given];
  const last = points[points.length - 1];
  if (isClosed && points.length > 1 && last[0] === points[0][0] && last[1] === points[0][1]) points.pop();
  const count = points.length;
  if (count < 2) return [];
  const reach = width / 2;
  const segments = isClosed && count > 2 ? count : count - 1;
  const isLoop = segments === count;
  /** Unit directions of the segments. */
  const along = Array.from({ length: segments }, (_, k): ParsedPoint => {
    const [ax, ay] = points[k];
    const [bx, by] = points[(k + 1) % count];
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    return [(bx - ax) / length, (by - ay) / length];
  });
  const side = (k: number, [nx, ny]: ParsedPoint): Side => {
    const [x, y] = points[k % count];
    return [
      [x - ny * reach, y + nx * reach],
      [x + ny * reach, y - nx * reach],
    ];
  };
  const rings: ParsedRing[] = [];
  const shared = sharedSides(points, along, isLoop, side);
  // Sides at which a segment begins and ends. Nearly straight segments share one.
  const begins = along.map((direction, k) => shared[k] ?? side(k, direction));
  const ends = along.map((direction, k) => shared[(k + 1) % count] ?? side(k + 1, direction));
  for (let k = isLoop ? 0 : 1; k < segments; k++) {
    const before = (k + segments - 1) % segments;
    const [a, b] = [along[before], along[k]];
    const dot = a[0] * b[0] + a[1] * b[1];
    const cross = a[0] * b[1] - a[1] * b[0];
    if (shared[k] !== undefined || (cross === 0 && dot > 0)) continue;
    const outer = cross > 0 ? 1 : 0;
    const join: ParsedRing = [points[k], ends[before][outer], begins[k][outer]];
    // Within a curve there is no corner: the side across the line turns on both ends.
    const isCorner = corners.has(points[k]);
    if (!isCorner && cross !== 0) rings.push([points[k], ends[before][1 - outer], begins[k][1 - outer]]);
    if (lineJoin === 'round' || !isCorner) {
      const turn = cross > 0 ? 1 : -1;
      join.splice(1, 2, ...arcPoints(points[k], ends[before][outer], begins[k][outer], turn, tolerance, spend));
    } else if (lineJoin !== 'bevel' && dot > -1 && 2 <= miterLimit * miterLimit * (1 + dot)) {
      join.splice(2, 0, side(k, [(a[0] + b[0]) / (1 + dot), (a[1] + b[1]) / (1 + dot)])[outer]);
    }
    if (join.length > 3 || cross !== 0) rings.push(join);
  }
  if (!isLoop && lineCap !== 'butt') {
    for (const [at, sign] of [
      [0, -1],
      [segments - 1, 1],
    ] as const) {
      const [left, right] = sign < 0 ? begins[at] : ends[at];
      const center = points[sign < 0 ? 0 : count - 1];
      if (lineCap === 'square') {
        const [dx, dy] = [sign * reach * along[at][0], sign * reach * along[at][1]];
        rings.push([left, right, [right[0] + dx, right[1] + dy], [left[0] + dx, left[1] + dy]]);
      } else if (lineCap === 'round') {
        const [from, to] = sign < 0 ? [left, right] : [right, left];
        rings.push(arcPoints(center, from, to, 1, tolerance, spend));
      }
    }
  }
  for (let k = 0; k < segments; k++) rings.push([begins[k][1], ends[k][1], ends[k][0], begins[k][0]]);
  return rings;
}

/** Returns the sides that nearly straight segments share, by their points. */
function sharedSides(
  points: readonly ParsedPoint[],
  along: readonly ParsedPoint[],
  isLoop: boolean,
  side: (k: number, normal: ParsedPoint) => Side,
): (Side | undefined)[] {
  const segments = along.length;
  const shared = points.map((_, k): Side | undefined => {
    if (!isLoop && (k === 0 || k >= segments)) return undefined;
    const [a, b] = [along[(k + segments - 1) % segments], along[k]];
    const dot = a[0] * b[0] + a[1] * b[1];
    return dot > SMOOTH ? side(k, [(a[0] + b[0]) / (1 + dot), (a[1] + b[1]) / (1 + dot)]) : undefined;
  });
  // A curve that is tighter than the stroke is wide would turn the sides over.
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (let k = 0; k < segments; k++) {
      const next = (k + 1) % points.length;
      const [begin, end] = [shared[k], shared[next]];
      if (begin === undefined && end === undefined) continue;
      const [from, to] = [begin ?? side(k, along[k]), end ?? side(k + 1, along[k])];
      const [dx, dy] = along[k];
      const isTurned = from.some(([x, y], s) => !((to[s as 0 | 1][0] - x) * dx + (to[s as 0 | 1][1] - y) * dy > 0));
      if (!isTurned) continue;
      shared[k] = shared[next] = undefined;
      isDone = false;
    }
  }
  return shared;
}

/** Returns the points of an arc around a center, with both ends. `turn` is 1 from x to y. */
function arcPoints(
  center: ParsedPoint,
  from: ParsedPoint,
  to: ParsedPoint,
  turn: 1 | -1,
  tolerance: number,
  spend: Spend,
): ParsedPoint[] {
  const u: ParsedPoint = [from[0] - center[0], from[1] - center[1]];
  const reachSq = u[0] * u[0] + u[1] * u[1];
  const [x, y] = [to[0] - center[0], to[1] - center[1]];
  const end: ParsedPoint = [(x * u[0] + y * u[1]) / reachSq, (y * u[0] - x * u[1]) / reachSq];
  const v: ParsedPoint = [-u[1], u[0]];
  return flatten(
    { start: from, parts: [{ kind: 'arc', center, u, v, from: [1, 0], to: end, turn, end: to }], isClosed: false },
    tolerance,
    spend,
  );
}
