/**
 * Sweeps bodies from the starts of lanes to their ends, and tests whether agents fit at both.
 *
 * In: triangles near the lanes, the body, two lanes, and the range of heights between them. Out: whether the body touches no triangle.
 * Cost: linear in the triangles near the lanes, for each stretch of the trajectory.
 * Based on: own.
 */
import type { AutoLinkKind } from '../../../mesh/auto-linker.ts';
import { isClear } from './near.ts';
import type { NearTriangles } from './near.ts';
import type { LinkSearch } from '../options.ts';
import { createHull } from './separation.ts';
import type { Body } from '../types.ts';
import { STRETCH, createWay, setWay } from './way.ts';
import type { EndHeights } from './way.ts';

const way = createWay();
const hull = createHull();

/** The sheet in which bodies move: its range along the wall, the distance from start to end, and the heights of both. */
export interface Sheet {
  from: number;
  to: number;
  distance: number;
  heights: EndHeights;
}

/** Returns whether bodies touch no triangle while they move from any start between two lanes to any end between them. */
export function isSheetClear(
  near: NearTriangles,
  { body, ledgeMargin, margin }: LinkSearch,
  { from, to, distance, heights }: Sheet,
  kind: AutoLinkKind,
  peak: number,
): boolean {
  // Peak 0 of a vault is a straight line, on which the agent does not step over obstacles.
  const isStraight = kind === 'vault' && peak === 0;
  setWay(way, kind, heights, peak, distance, kind === 'drop' ? ledgeMargin : isStraight ? 0 : margin, body);
  // Stretches are tested from the middle outward, since most obstacles are in the middle.
  const half = way.count >> 1;
  for (let i = 0; i < way.count; i++) {
    const row = STRETCH * (i <= half ? half - i : i);
    if (!isStretchClear(near, body, from, to, distance, row)) return false;
  }
  return true;
}

/** Tests the hull of one stretch of the trajectory, between two positions along the wall. */
// oxlint-disable-next-line max-params -- kernel
function isStretchClear(
  near: NearTriangles,
  { rounding, disc }: Body,
  from: number,
  to: number,
  distance: number,
  row: number,
): boolean {
  const { rows } = way;
  hull.count = 0;
  hull.disc = disc;
  for (let end = 0; end < 2; end++) {
    if (end === 1 && rows[row] === rows[row + 1]) break;
    const out = rows[row + end] * distance;
    addUprights(from, to, rows[row + 2 + 2 * end] + rounding, rows[row + 3 + 2 * end] - rounding, out);
  }
  return isClear(near, hull, rounding);
}

/** Returns whether agents fit everywhere between two positions along the wall, at heights low .. high. */
// oxlint-disable-next-line max-params -- kernel
export function canStand(
  near: NearTriangles,
  { lift, height, rounding, disc }: Body,
  from: number,
  to: number,
  low: number,
  high: number,
  out: number,
): boolean {
  hull.count = 0;
  hull.disc = disc;
  addUprights(from, to, low + lift + rounding, high + height - rounding, out);
  return isClear(near, hull, rounding);
}

/** Adds vertical segments at two positions to the hull, or one segment if they are equal. */
function addUprights(from: number, to: number, low: number, high: number, out: number): void {
  addPoint(from, low, out);
  addPoint(from, high, out);
  if (from === to) return;
  addPoint(to, low, out);
  addPoint(to, high, out);
}

function addPoint(along: number, up: number, out: number): void {
  const at = 3 * hull.count++;
  hull.points[at] = along;
  hull.points[at + 1] = up;
  hull.points[at + 2] = out;
}
