/**
 * Match stage: joins edges that are equal seen from above, run in opposite directions and are within a step
 * in height.
 *
 * Edges with the same two points come first. Then, of the rest, each pair of edges that are nearest to each
 * other in height. Blocked edges stay alone.
 *
 * In: surface without joints.
 * Out: `twin`.
 * Cost: linear in the edges, quadratic in edges above one another.
 * Based on: own.
 */
import { mixNumbers } from '../../../base/data/hash.ts';
import { takeInt32 } from '../../../base/data/workspace.ts';
import type { Ground, PointTable } from '../types.ts';

/** Returns the next half-edge around the same triangle. */
export function nextOf(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

/**
 * Computes `twin`. Returns the number of pairs that differ in height. `reach` is the largest height of a
 * step.
 */
export function matchEdges(ground: Ground, table: PointTable, reach: number): number {
  ground.twin.fill(-1);
  return matchRest(ground, table, reach);
}

/** Joins edges without a partner. Returns the number of these pairs that differ in height. */
export function matchRest(ground: Ground, table: PointTable, reach: number): number {
  const { corner, twin, blocked, count } = ground;
  const { pointPlan } = table;
  const edges = 3 * count;
  let alone = 0;
  for (let h = 0; h < edges; h++) if (twin[h] < 0) alone++;
  let buckets = 64;
  while (buckets < alone) buckets *= 2;
  const first = takeInt32(table.workspace, 'match.first', buckets).fill(-1);
  const next = takeInt32(table.workspace, 'match.next', edges);
  for (let h = 0; h < edges; h++) {
    if (blocked[h] === 1 || twin[h] >= 0) continue;
    const a = corner[h];
    const b = corner[nextOf(h)];
    const p = pointPlan[a];
    const q = pointPlan[b];
    const bucket = mixNumbers(p < q ? p : q, p < q ? q : p) & (buckets - 1);
    // The reverse edge of the same two points: joined, and removed from the chain.
    let before = -1;
    let other = first[bucket];
    while (other >= 0 && !(corner[other] === b && corner[nextOf(other)] === a)) {
      before = other;
      other = next[other];
    }
    if (other >= 0) {
      twin[h] = other;
      twin[other] = h;
      if (before < 0) first[bucket] = next[other];
      else next[before] = next[other];
      continue;
    }
    next[h] = first[bucket];
    first[bucket] = h;
  }
  return matchSteps(ground, table, reach, first, next);
}

/** Joins the rest of the chains, nearest in height first. */
function matchSteps(ground: Ground, table: PointTable, reach: number, first: Int32Array, next: Int32Array): number {
  const { twin } = ground;
  let steps = 0;
  for (let bucket = 0; bucket < first.length; bucket++) {
    if (first[bucket] < 0 || next[first[bucket]] < 0) continue;
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (let h = first[bucket]; h >= 0; h = next[h]) {
        if (twin[h] >= 0) continue;
        const other = nearestIn(ground, table, reach, first[bucket], next, h);
        if (other < 0 || nearestIn(ground, table, reach, first[bucket], next, other) !== h) continue;
        twin[h] = other;
        twin[other] = h;
        steps++;
        isChanged = true;
      }
    }
  }
  return steps;
}

/**
 * Returns the half-edge of a chain nearest in height that may be joined with h; of equals, the lowest number.
 */
function nearestIn(
  ground: Ground,
  table: PointTable,
  reach: number,
  from: number,
  next: Int32Array,
  h: number,
): number {
  const { corner, twin } = ground;
  const { pointPlan, pointY } = table;
  const a = corner[h];
  const b = corner[nextOf(h)];
  let best = -1;
  let bestOff = reach;
  for (let other = from; other >= 0; other = next[other]) {
    if (twin[other] >= 0) continue;
    const c = corner[nextOf(other)];
    const d = corner[other];
    if (pointPlan[c] !== pointPlan[a] || pointPlan[d] !== pointPlan[b]) continue;
    const offA = Math.abs(pointY[a] - pointY[c]);
    const offB = Math.abs(pointY[b] - pointY[d]);
    const off = offA > offB ? offA : offB;
    if (off < bestOff || (off === bestOff && (best < 0 || other < best))) {
      bestOff = off;
      best = other;
    }
  }
  return best;
}
