/**
 * The grid of vertical lines ("columns") that samples a level, and the points where triangles cut them.
 *
 * Column (i, j) stands at u = i, v = j. A triangle cuts the columns inside of its outline seen from above; on an edge
 * that two triangles share, exactly one of them does, since both compute the same numbers for it.
 *
 * In: a box; triangles. Out: `Grid`; `Cuts` in columns, from the bottom up.
 * Cost: linear in triangles and cuts.
 * Based on: own.
 */
import { createRandom, nextRandom } from '../../../base/data/random.ts';

/** What decides a grid. */
export interface GridRequest {
  seed: number;
  spacing: number;
  maxColumns: number;
}

export interface Grid {
  /** World = origin + local. */
  origin: [number, number, number];
  /** World units. */
  spacing: number;
  /** Local position of column (0, 0). */
  u0: number;
  v0: number;
  width: number;
  depth: number;
}

/** Points where triangles cut columns. */
export interface Cuts {
  /** First cut of each column; width * depth + 1 entries. */
  start: Uint32Array;
  /** Ascending in each column. */
  y: Float64Array;
  /** Number of the triangle. */
  item: Int32Array;
}

/** Returns the grid over a box. Its offset within a cell is random; the spacing grows until columns are few enough. */
export function makeGrid(min: readonly number[], max: readonly number[], request: GridRequest): Grid {
  const { seed, maxColumns } = request;
  const random = createRandom(seed);
  const width = max[0] - min[0];
  const depth = max[2] - min[2];
  let { spacing } = request;
  const columns = (s: number): number => (Math.ceil(width / s) + 2) * (Math.ceil(depth / s) + 2);
  if (columns(spacing) > maxColumns) {
    spacing = Math.max(spacing, Math.sqrt((width * depth) / maxColumns), (width + depth) / maxColumns);
    while (columns(spacing) > maxColumns) spacing *= 1.05;
  }
  const origin: [number, number, number] = [0, 1, 2].map((k) => Math.round((min[k] + max[k]) / 2)) as never;
  const shift = (): number => (nextRandom(random) - 1) * spacing;
  return {
    origin,
    spacing,
    u0: min[0] - origin[0] + shift(),
    v0: min[2] - origin[2] + shift(),
    width: Math.ceil(width / spacing) + 2,
    depth: Math.ceil(depth / spacing) + 2,
  };
}

/** Cuts the columns of a grid with triangles (u, y, v of three corners each). */
export function cutColumns(grid: Grid, corners: Float64Array, count: number): Cuts {
  const { width, depth } = grid;
  const start = new Uint32Array(width * depth + 1);
  scan(grid, corners, count, start, undefined);
  for (let c = 0, sum = 0; c <= width * depth; c++) {
    const here = start[c];
    start[c] = sum;
    sum += here;
  }
  const total = start[width * depth];
  const cuts: Cuts = { start, y: new Float64Array(total), item: new Int32Array(total) };
  scan(grid, corners, count, start.slice(), cuts);
  sortColumns(cuts, width * depth);
  return cuts;
}

/** Counts the cuts of each column in `next`, or writes them at `next`. */
function scan(
  grid: Grid,
  corners: Float64Array,
  count: number,
  next: Uint32Array,
  out: Pick<Cuts, 'y' | 'item'> | undefined,
): void {
  const { width, depth } = grid;
  const ends = new Float64Array(2);
  for (let t = 0; t < count; t++) {
    const o = 9 * t;
    const au = corners[o];
    const ay = corners[o + 1];
    const av = corners[o + 2];
    const bu = corners[o + 3];
    const by = corners[o + 4];
    const bv = corners[o + 5];
    const cu = corners[o + 6];
    const cy = corners[o + 7];
    const cv = corners[o + 8];
    const first = Math.max(0, Math.ceil(Math.min(av, bv, cv)));
    const last = Math.min(depth - 1, Math.ceil(Math.max(av, bv, cv)) - 1);
    if (first > last) continue;
    if (Math.ceil(Math.min(au, bu, cu)) > Math.ceil(Math.max(au, bu, cu)) - 1) continue;
    const det = (bu - au) * (cv - av) - (cu - au) * (bv - av);
    if (det === 0) continue;
    const gu = ((by - ay) * (cv - av) - (cy - ay) * (bv - av)) / det;
    const gv = ((bu - au) * (cy - ay) - (cu - au) * (by - ay)) / det;
    const low = Math.min(ay, by, cy);
    const high = Math.max(ay, by, cy);
    for (let j = first; j <= last; j++) {
      rowEnds(ends, corners, o, j);
      const from = Math.max(0, Math.ceil(ends[0]));
      const to = Math.min(width - 1, Math.ceil(ends[1]) - 1);
      for (let i = from; i <= to; i++) {
        const column = i + j * width;
        const at = next[column]++;
        if (out === undefined) continue;
        const y = ay + gu * (i - au) + gv * (j - av);
        out.y[at] = y < low ? low : y > high ? high : y;
        out.item[at] = t;
      }
    }
  }
}

/** Writes the least and greatest u of a triangle on row v. */
export function rowEnds(ends: Float64Array, corners: Float64Array, o: number, v: number): void {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < 9; k += 3) {
    let p = o + k;
    let q = k === 6 ? o : p + 3;
    if (corners[p + 2] <= v === corners[q + 2] <= v) continue;
    // The same order of ends for both triangles of an edge.
    if (corners[p + 2] > corners[q + 2]) [p, q] = [q, p];
    const u = corners[p] + ((v - corners[p + 2]) / (corners[q + 2] - corners[p + 2])) * (corners[q] - corners[p]);
    if (u < low) low = u;
    if (u > high) high = u;
  }
  ends[0] = low;
  ends[1] = high;
}

function sortColumns({ start, y, item }: Cuts, columns: number): void {
  for (let c = 0; c < columns; c++) {
    const first = start[c];
    const end = start[c + 1];
    for (let k = first + 1; k < end; k++) {
      const value = y[k];
      const t = item[k];
      let at = k;
      for (; at > first && y[at - 1] > value; at--) {
        y[at] = y[at - 1];
        item[at] = item[at - 1];
      }
      y[at] = value;
      item[at] = t;
    }
  }
}
