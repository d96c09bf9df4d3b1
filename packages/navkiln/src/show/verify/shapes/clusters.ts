/**
 * Groups marked points of columns into places, by the columns that they are in.
 *
 * In: marked points with columns and heights, in the order of columns. Out: one place per group.
 * Cost: linear in the points.
 * Based on: own.
 */
import { rootOf, unite } from '../../../base/data/union-find.ts';
import { pointAt } from './points.ts';
import type { Grid } from './grid.ts';

/** A group of points: one of them near its middle, and how many there are. */
export interface Cluster {
  position: [number, number, number];
  count: number;
  /** Index of the point at `position`. */
  index: number;
}

/** Returns the groups of points that are in columns beside each other and within a height. The largest first. */
export function clusterPoints(grid: Grid, columns: Int32Array, heights: Float64Array, reach: number): Cluster[] {
  const { width } = grid;
  const count = columns.length;
  const parent = new Int32Array(count).map((_, i) => i);
  const first = new Map<number, number>();
  for (let k = 0; k < count; k++) if (!first.has(columns[k])) first.set(columns[k], k);
  for (let k = 0; k < count; k++) {
    for (const c of [columns[k], columns[k] - 1, columns[k] - width, columns[k] - width - 1, columns[k] - width + 1]) {
      for (let m = first.get(c) ?? count; m < count && columns[m] === c; m++) {
        if (Math.abs(heights[m] - heights[k]) <= reach) unite(parent, k, m);
      }
    }
  }
  const sums = new Map<number, { u: number; v: number; count: number; index: number; best: number }>();
  for (let k = 0; k < count; k++) {
    const root = rootOf(parent, k);
    const sum = sums.get(root) ?? { u: 0, v: 0, count: 0, index: k, best: Infinity };
    sum.u += columns[k] % width;
    sum.v += Math.floor(columns[k] / width);
    sum.count++;
    sums.set(root, sum);
  }
  for (let k = 0; k < count; k++) {
    const sum = sums.get(rootOf(parent, k))!;
    const du = (columns[k] % width) - sum.u / sum.count;
    const dv = Math.floor(columns[k] / width) - sum.v / sum.count;
    if (du * du + dv * dv >= sum.best) continue;
    sum.best = du * du + dv * dv;
    sum.index = k;
  }
  return [...sums.values()]
    .map(({ count: size, index }) => ({ count: size, index, position: pointAt(grid, columns[index], heights[index]) }))
    .sort((a, b) => b.count - a.count || a.index - b.index);
}
