/**
 * Match: edges that are the same seen from above, run opposite ways and are within a step in height are joined: `twin`.
 *
 * Edges of the same two points come first, then, of what is left, the nearest in height, when each is the nearest to the other.
 * Blocked edges stay alone. Cost: linear in the edges, quadratic in those that lie over one another.
 *
 * Based on: own.
 */
import { mixNumbers } from '../data/hash.ts';
import { takeInt32 } from '../data/workspace.ts';
import type { Ground, PointTable } from './types.ts';

/** Next half-edge around the same triangle. */
export function nextOf(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

/** Fills `twin` anew; returns how many pairs differ in height. `reach` is how high a step may be. */
export function matchEdges(ground: Ground, table: PointTable, reach: number): number {
  const { corner, twin, blocked, count } = ground;
  const { pointPlan } = table;
  const edges = 3 * count;
  let buckets = 64;
  while (buckets < edges) buckets *= 2;
  const first = takeInt32(table.workspace, 'match.first', buckets).fill(-1);
  const next = takeInt32(table.workspace, 'match.next', edges);
  twin.fill(-1);
  for (let h = 0; h < edges; h++) {
    if (blocked[h] === 1) continue;
    const a = corner[h];
    const b = corner[nextOf(h)];
    const p = pointPlan[a];
    const q = pointPlan[b];
    const bucket = mixNumbers(p < q ? p : q, p < q ? q : p) & (buckets - 1);
    // The same two points the other way round: joined, and out of the chain.
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

/** Joins what is left in the chains, nearest first. */
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

/** Of the half-edges of a chain that may be joined with h, the one nearest in height; of equals, the lowest number. */
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
