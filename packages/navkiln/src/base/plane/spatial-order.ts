/**
 * Orders points along a Hilbert curve, so that each is near the one before; inside a cell by x, then y. Equal
 * points become one. The order depends on positions only, not on the order of the input.
 *
 * In: integers x, y.
 * Out: the rank of each point, and the coordinates by rank.
 * Cost: linear (two radix passes).
 * Based on: David Hilbert, Über die stetige Abbildung einer Linie auf ein Flächenstück, 1891; the state table
 * of the curve is folklore.
 */
import { createWorkspace, takeFloat64, takeInt32, takeUint32 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import { sortByKey } from './radix-sort.ts';

export interface SpatialOrder {
  /** Number of different points. */
  count: number;
  /** The rank of each given point. */
  rankOf: Int32Array;
  /** Coordinates of the different points by rank, from index `base` on. */
  xs: Float64Array;
  ys: Float64Array;
}

/**
 * The quadrant (2 * right + top) visited k-th in each of four states, and the state inside it: as
 * [state][quadrant].
 */
const STEP = Uint8Array.of(0, 1, 3, 2, 0, 3, 1, 2, 2, 1, 3, 0, 2, 3, 1, 0);
const STATE = Uint8Array.of(1, 0, 2, 0, 0, 3, 1, 1, 2, 2, 0, 3, 3, 1, 3, 2);

/** Points of a cell that are sorted by insertion at most. */
const FEW = 16;

/** Returns the order; `workspace`: memory that it lives in until the next one. */
export function orderSpatially(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  base: number,
  workspace: Workspace = createWorkspace(),
): SpatialOrder {
  const n = x.length;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < n; i++) {
    if (x[i] < minX) minX = x[i];
    if (x[i] > maxX) maxX = x[i];
    if (y[i] < minY) minY = y[i];
    if (y[i] > maxY) maxY = y[i];
  }
  let levels = 2;
  let cells = 4;
  while (levels < 11 && cells * cells < 8 * n) {
    levels++;
    cells *= 2;
  }
  const scale = cells / (Math.max(maxX - minX, maxY - minY) + 1);
  const keys = takeUint32(workspace, 'keys', n);
  for (let i = 0; i < n; i++) {
    const cellX = Math.floor((x[i] - minX) * scale);
    const cellY = Math.floor((y[i] - minY) * scale);
    let state = 0;
    let key = 0;
    for (let bit = levels - 1; bit >= 0; bit--) {
      const at = 4 * state + 2 * ((cellX >> bit) & 1) + ((cellY >> bit) & 1);
      key = 4 * key + STEP[at];
      state = STATE[at];
    }
    keys[i] = key;
  }
  const order = sortByKey(keys);
  sortEqualKeys(order, keys, x, y);

  const rankOf = takeInt32(workspace, 'rankOf', n);
  const xs = takeFloat64(workspace, 'xs', base + n);
  const ys = takeFloat64(workspace, 'ys', base + n);
  let count = 0;
  for (let k = 0; k < n; k++) {
    const i = order[k];
    const at = base + count - 1;
    if (count === 0 || x[i] !== xs[at] || y[i] !== ys[at]) {
      xs[at + 1] = x[i];
      ys[at + 1] = y[i];
      count++;
    }
    rankOf[i] = base + count - 1;
  }
  return { count, rankOf, xs, ys };
}

/** Sorts the points of each cell by x, then y. Cells hold few points, except where points lie close together. */
function sortEqualKeys(order: Int32Array, keys: Uint32Array, x: ArrayLike<number>, y: ArrayLike<number>): void {
  const n = order.length;
  let from = 0;
  while (from < n) {
    const key = keys[order[from]];
    let end = from + 1;
    while (end < n && keys[order[end]] === key) end++;
    if (end - from > FEW) {
      order.subarray(from, end).sort((i, j) => x[i] - x[j] || y[i] - y[j]);
    } else {
      for (let k = from + 1; k < end; k++) {
        const i = order[k];
        let at = k;
        for (; at > from; at--) {
          const j = order[at - 1];
          if (x[j] < x[i] || (x[j] === x[i] && y[j] <= y[i])) break;
          order[at] = j;
        }
        order[at] = i;
      }
    }
    from = end;
  }
}
