/**
 * Replaces curves and arcs by lines that are nowhere further away than a tolerance.
 *
 * Curves are divided evenly, and arcs by halving, so that both directions of a curve give the same points.
 *
 * In: a subpath.
 * Out: its points, without repeated ones.
 * Cost: linear in the points.
 * Based on: the bound of a curve's distance from its chord by its second derivative; own code.
 */
import type { ParsedPoint } from '../map.ts';
import type { PathPart, Subpath } from './types.ts';

/** Takes a number of points from a budget. */
export type Spend = (points: number) => void;

/** Returns the points of a subpath. The last one is not the first again. */
export function flatten({ start, parts }: Subpath, tolerance: number, spend: Spend): ParsedPoint[] {
  const points: ParsedPoint[] = [start];
  let here = start;
  for (const part of parts) {
    if (part.kind === 'cubic') addCubic(points, here, part, tolerance, spend);
    else if (part.kind === 'arc') addArc(points, part, tolerance);
    here = part.end;
    points.push(here);
  }
  spend(points.length);
  return points.filter(([x, y], i) => {
    const [u, v] = i === 0 ? [NaN, NaN] : points[i - 1];
    return x !== u || y !== v;
  });
}

/** Adds the points within a curve. */
function addCubic(
  points: ParsedPoint[],
  [ax, ay]: ParsedPoint,
  { first: [bx, by], second: [cx, cy], end: [dx, dy] }: Extract<PathPart, { kind: 'cubic' }>,
  tolerance: number,
  spend: Spend,
): void {
  const bend = (x: number, y: number): number => Math.sqrt(x * x + y * y);
  const most = Math.max(bend(ax - 2 * bx + cx, ay - 2 * by + cy), bend(bx - 2 * cx + dx, by - 2 * cy + dy));
  const count = Math.ceil(Math.sqrt((0.75 * most) / tolerance));
  spend(count);
  for (let k = 1; k < count; k++) {
    const t = k / count;
    const s = (count - k) / count;
    const [wa, wb, wc, wd] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    points.push([wa * ax + wb * bx + (wc * cx + wd * dx), wa * ay + wb * by + (wc * cy + wd * dy)]);
  }
}

/** Adds the points within an arc. */
function addArc(points: ParsedPoint[], arc: Extract<PathPart, { kind: 'arc' }>, tolerance: number): void {
  const { center, u, v, to, turn } = arc;
  const reach = Math.sqrt(u[0] * u[0] + u[1] * u[1] + v[0] * v[0] + v[1] * v[1]);
  const add = ([x, y]: ParsedPoint): void => {
    points.push([center[0] + (x * u[0] + y * v[0]), center[1] + (x * u[1] + y * v[1])]);
  };
  const halve = (a: ParsedPoint, b: ParsedPoint): void => {
    const mx = a[0] + b[0];
    const my = a[1] + b[1];
    const length = Math.sqrt(mx * mx + my * my);
    if (!(reach * (1 - length / 2) > tolerance) || length === 0) return;
    const middle: ParsedPoint = [mx / length, my / length];
    halve(a, middle);
    add(middle);
    halve(middle, b);
  };
  let from = arc.from;
  for (let quarter = 0; quarter < 3; quarter++) {
    const cross = turn * (from[0] * to[1] - from[1] * to[0]);
    const dot = from[0] * to[0] + from[1] * to[1];
    // Half a turn has a cross product of about 0.
    if (dot >= 0 && cross >= 0) break;
    const next: ParsedPoint = [-turn * from[1], turn * from[0]];
    halve(from, next);
    add(next);
    from = next;
  }
  halve(from, to);
}
