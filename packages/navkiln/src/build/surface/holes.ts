/**
 * Finds rings of open edges some tolerances wide, fills those that are holes and cuts those that are overlaps. They remain where cuts of
 * the clearance stage or of the inset nearly meet, or overlap. The inset would take them for walls.
 *
 * In: joined surface.
 * Out: the same with more triangles, joined; marks on the edges of the rings.
 * Cost: linear in the edges.
 * Based on: own.
 */
import { takeInt32, takeUint8 } from '../../base/data/workspace.ts';
import { matchEdges, nextOf } from './weld/match.ts';
import { addSplit, applySplits, createSplits } from './weld/splits.ts';
import type { Splits } from './weld/splits.ts';
import { groundOf, planArea } from './weld/weld.ts';
import type { Ground, PointTable } from './types.ts';

/** Maximum width of a ring, in tolerances, and maximum number of its edges. */
const RING_TOLERANCES = 4;
const RING_EDGES = 12;

/** Returns the surface without small holes. `reach`: the largest height of a step. */
export function fillHoles(
  joined: { ground: Ground; steps: number },
  table: PointTable,
  reach: number,
): { ground: Ground; steps: number } {
  const { corner, area, source } = joined.ground;
  const fill: number[] = [];
  const from: number[] = [];
  const splits = createSplits(joined.ground, table);
  forEachRing(joined.ground, table, reach, (ring) => {
    splitOverlap(splits, joined.ground, table, ring);
    // Around a hole, edges run clockwise. Other triangles are turned over, and not added.
    const [a] = ring;
    for (let k = ring.length - 1; k > 1; k--) {
      const [b, c] = [ring[k], ring[k - 1]];
      if (!(planArea(table, corner[a], corner[b], corner[c]) > 0)) continue;
      fill.push(corner[a], corner[b], corner[c]);
      from.push((a / 3) | 0);
    }
  });
  if (from.length === 0 && splits.plan.length === 0) return joined;
  const rest = splits.plan.length === 0 ? joined.ground : applySplits(joined.ground, table, splits);
  const ground = groundOf(
    Int32Array.from([...rest.corner, ...fill]),
    Uint8Array.from([...rest.area, ...from.map((t) => area[t])]),
    Int32Array.from([...rest.source, ...from.map((t) => source[t])]),
  );
  ground.blocked.set(rest.blocked);
  return { ground, steps: matchEdges(ground, table, reach) };
}

/** Cuts the longest edge of a ring that runs around an overlap at the ring's other corners, so that all of its edges meet. */
function splitOverlap(splits: Splits, { corner }: Ground, table: PointTable, ring: readonly number[]): void {
  const { planX, planZ, pointPlan } = table;
  let double = 0;
  let longest = 0;
  let longestSq = 0;
  ring.forEach((h, k) => {
    const p = pointPlan[corner[h]];
    const q = pointPlan[corner[nextOf(h)]];
    if (k > 0) double += planArea(table, corner[ring[0]], corner[h], corner[nextOf(h)]);
    const [dx, dz] = [planX[q] - planX[p], planZ[q] - planZ[p]];
    if (dx * dx + dz * dz <= longestSq) return;
    longestSq = dx * dx + dz * dz;
    longest = k;
  });
  if (!(double > 0)) return;
  for (const h of ring) addSplit(splits, ring[longest], pointPlan[corner[h]]);
}

/** Returns 1 for each edge of a small ring; such edges are no walls. */
export function markRings(ground: Ground, table: PointTable, reach: number): Uint8Array {
  const marks = takeUint8(table.workspace, 'holes.marks', ground.twin.length).fill(0);
  forEachRing(ground, table, reach, (ring) => ring.forEach((h) => (marks[h] = 1)));
  return marks;
}

/** Calls `visit` with the edges of each ring. */
function forEachRing(
  { corner, twin, blocked }: Ground,
  table: PointTable,
  reach: number,
  visit: (ring: readonly number[]) => void,
): void {
  const { planX, planZ, pointPlan, pointY, tolerance } = table;
  const most = RING_TOLERANCES * tolerance;
  const isNear = (a: number, b: number): boolean =>
    Math.abs(planX[pointPlan[a]] - planX[pointPlan[b]]) <= most &&
    Math.abs(planZ[pointPlan[a]] - planZ[pointPlan[b]]) <= most &&
    Math.abs(pointY[a] - pointY[b]) <= reach;
  const short: number[] = [];
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] < 0 && blocked[h] === 0 && isNear(corner[h], corner[nextOf(h)])) short.push(h);
  }
  if (short.length < 3) return;
  // The short open edge that starts at each position; -1: none, -2: several.
  const startAt = takeInt32(table.workspace, 'holes.startAt', table.planCount).fill(-1);
  for (const h of short) {
    const plan = pointPlan[corner[h]];
    startAt[plan] = startAt[plan] === -1 ? h : -2;
  }
  for (const first of short) {
    const ring: number[] = [];
    let h = first;
    // Each ring once: from the first of its edges.
    while (h >= first && ring.length < RING_EDGES && isNear(corner[first], corner[h])) {
      ring.push(h);
      h = startAt[pointPlan[corner[nextOf(h)]]];
      if (h === first) break;
    }
    if (h === first && ring.length > 2) visit(ring);
  }
}
