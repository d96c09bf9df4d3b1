/**
 * Cuts a line into runs that are visible or hidden.
 *
 * In: a line and a visibility test. Out: runs with a precision of about three pixels.
 * Cost: one test per piece.
 * Based on: own.
 */
import { pageX, pageY } from './projection.ts';
import type { Projection } from './projection.ts';

/** Length of a piece in page units: three pixels. */
const PIECE = 30;

/** A part of a line that is visible or hidden from end to end. */
export interface Run {
  from: readonly number[];
  to: readonly number[];
  isVisible: boolean;
}

/** Returns the number of pieces to test on a line, 1 .. most. */
export function runCount(p: Projection, a: readonly number[], b: readonly number[], most: number): number {
  const dx = pageX(p, b[0], b[2]) - pageX(p, a[0], a[2]);
  const dy = pageY(p, b[0], b[1], b[2]) - pageY(p, a[0], a[1], a[2]);
  return Math.max(1, Math.min(most, Math.ceil(Math.sqrt(dx * dx + dy * dy) / PIECE)));
}

/** Returns the runs of a line. Visibility is tested at the middle of each of `count` pieces. */
export function visibleRuns(
  a: readonly number[],
  b: readonly number[],
  count: number,
  isVisible: (point: readonly number[]) => boolean,
): Run[] {
  const at = (i: number): number[] => a.map((value, axis) => value + ((b[axis] - value) * i) / count);
  const runs: Run[] = [];
  let start = 0;
  let current = isVisible(at(0.5));
  for (let i = 1; i <= count; i++) {
    const next = i < count ? isVisible(at(i + 0.5)) : !current;
    if (next === current) continue;
    runs.push({ from: at(start), to: at(i), isVisible: current });
    start = i;
    current = next;
  }
  return runs;
}

/** Returns a run as SVG path data. */
export function runPath(p: Projection, { from, to }: Run): string {
  const x = pageX(p, from[0], from[2]);
  const y = pageY(p, from[0], from[1], from[2]);
  return `M${x} ${y}l${pageX(p, to[0], to[2]) - x} ${pageY(p, to[0], to[1], to[2]) - y}`;
}
