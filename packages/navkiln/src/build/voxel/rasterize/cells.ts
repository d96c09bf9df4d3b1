/**
 * Fills the cells that a polygon touches in one row.
 *
 * Recast cuts the polygon by all column borders, in float32, with a polygon copy at every cut. A cell keeps
 * only the lowest and highest height of its piece. So no cell's polygon is built here: each edge is walked
 * through the columns that it crosses, and the heights at the crossings go to the two cells next to each
 * border (`fillRun`).
 *
 * These heights are computed in doubles from the edge's ends, with a bound on the sum of Recast's rounding
 * errors. Where a voxel's border lies within the bound, `walkEdge` repeats the float32 operations with order
 * and operands of the successive cuts. Corners exactly on a column border count for both sides, as in cuts.
 * Only where three or more lie on the far end does the number of corners decide that a cut hands on; then the
 * polygon is cut (`fillRowByCutting`).
 *
 * In: a polygon in `row`, its row and area. Out: spans added to the raster.
 * Cost: one step per cell and edge.
 * Based on: Mikko Mononen, Recast (2009), rasterizeTri. Every rounding (`f`) is one of Recast's.
 */
import { SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import { addRun, addSpan, packSpan, roomFor } from './columns.ts';
import type { Raster } from './columns.ts';
import { createPolygon, split } from './cut.ts';
import type { Polygon } from './cut.ts';

const f = Math.fround;

/** Longer runs of cells are cut one by one. */
const RUN_LIMIT = 4096;

/** Fractions of a voxel in which heights between columns are computed. */
const FRACTIONS = 1 << 17;

/** More than any height in half voxels. */
const TOP = 2 * SPAN_MAX_HEIGHT;

/** The polygon of the current row. Only x and y are set. */
export const row: Polygon = createPolygon();
const cell = createPolygon();
const rowX = row.x;
const rowY = row.y;
/** Ends of the cells of a run. */
const ends = new Float64Array(RUN_LIMIT + 2);
/** Lowest and highest height of the corners in each cell, half voxels. */
const low = new Int16Array(RUN_LIMIT + 2);
const high = new Int16Array(RUN_LIMIT + 2);
/** Index in `crossing` of the heights of edges on their way left. */
const BACK = RUN_LIMIT + 2;
/**
 * Heights at which edges cross the end of each cell on their way right and, from BACK on, on their way left.
 */
const crossing = new Int16Array(2 * BACK);
/**
 * Number of further edges that are always walked by `walkEdge`, so that the engine has seen that call when it
 * compiles `fillRun`.
 */
const walked = new Int32Array([64]);

/** Fills the cells that the polygon in `row` (n corners) touches in row z. `span` is theirs when not 0. */
export function fillRow(raster: Raster, n: number, z: number, area: number, span: number): void {
  const { width, originX, inverseCellSize, columnEnd, recast } = raster;
  const xs = rowX;
  const ys = rowY;
  let minX = xs[0];
  let maxX = minX;
  for (let i = 1; i < n; i++) {
    const x = xs[i];
    if (x < minX) minX = x;
    else if (x > maxX) maxX = x;
  }
  let x0 = f(f(minX - originX) * inverseCellSize) | 0;
  let x1 = f(f(maxX - originX) * inverseCellSize) | 0;
  if (x1 < 0 || x0 >= width) return;
  if (x0 < -1) x0 = -1;
  if (x1 > width - 1) x1 = width - 1;
  // By rounding, a wall on a border between columns may lie beyond the end of its column. Recast loses it.
  if (minX > columnEnd[x1 + 1] && x1 < width - 1 && !recast) x0 = ++x1;
  const base = z * width;

  if (span !== 0) {
    // The same decisions as in `fillRun`, for the two outermost corners.
    let first = x0;
    let last = x1;
    const end = columnEnd[x1 + 1];
    const before = columnEnd[x1];
    if (maxX > end) last++;
    else if (x1 > x0 && maxX <= before) {
      last--;
      if (maxX === before && cornersAt(n, maxX) >= 3) {
        fillRowByCutting(raster, n, x0, x1, base, area);
        return;
      }
    }
    if (minX > columnEnd[x0 + 1]) first++;
    if (first < last && minX === columnEnd[first + 1] && cornersAt(n, minX) === 1) first++;
    if (first < 0) first = 0;
    if (last > x1) last = x1;
    addRun(raster, first + base, last + base, span | area);
    return;
  }
  if (x1 - x0 < 2 && x0 >= 0 && maxX <= columnEnd[x1 + 1]) {
    if (x0 === x1) {
      let minY = ys[0];
      let maxY = minY;
      for (let i = 1; i < n; i++) {
        const y = ys[i];
        if (y < minY) minY = y;
        else if (y > maxY) maxY = y;
      }
      addSpan(raster, x0 + base, packSpan(raster, minY, maxY), area);
    } else {
      fillPair(raster, n, x0, base, area);
    }
    return;
  }
  fillRun(raster, n, x0, x1, base, area);
}

/** Returns the number of corners at x. */
function cornersAt(n: number, x: number): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (rowX[i] === x) count++;
  return count;
}

/**
 * Fills columns x and x + 1 of row `base`: one cut, of which only the counts of corners and the heights are
 * kept.
 */
function fillPair(raster: Raster, n: number, x: number, base: number, area: number): void {
  const { columnEnd } = raster;
  const end = columnEnd[x + 1];
  const xs = rowX;
  const ys = rowY;
  let leftCount = 0;
  let rightCount = 0;
  let leftMin = Infinity;
  let leftMax = -Infinity;
  let rightMin = Infinity;
  let rightMax = -Infinity;
  let bx = xs[n - 1];
  let by = ys[n - 1];
  let db = f(end - bx);
  for (let i = 0; i < n; i++) {
    const ax = xs[i];
    const ay = ys[i];
    const da = f(end - ax);
    let isLeft = da > 0;
    let isRight = da < 0;
    if (isRight ? db >= 0 : db < 0) {
      const y = f(by + f(f(ay - by) * f(db / f(db - da))));
      leftCount++;
      rightCount++;
      if (y < leftMin) leftMin = y;
      if (y > leftMax) leftMax = y;
      if (y < rightMin) rightMin = y;
      if (y > rightMax) rightMax = y;
    } else if (da === 0) {
      isLeft = true;
      isRight = true;
    }
    if (isLeft) {
      leftCount++;
      if (ay < leftMin) leftMin = ay;
      if (ay > leftMax) leftMax = ay;
    }
    if (isRight) {
      rightCount++;
      if (ay < rightMin) rightMin = ay;
      if (ay > rightMax) rightMax = ay;
    }
    bx = ax;
    by = ay;
    db = da;
  }
  if (leftCount >= 3) addSpan(raster, x + base, packSpan(raster, leftMin, leftMax), area);
  if (rightCount >= 3) addSpan(raster, x + 1 + base, packSpan(raster, rightMin, rightMax), area);
}

/**
 * Fills columns x0 .. x1 by walking the polygon's edges; see the top of the file. Columns count from x0 here.
 */
// oxlint-disable-next-line max-lines-per-function -- hot loop: its steps share eight numbers
function fillRun(raster: Raster, n: number, x0: number, x1: number, base: number, area: number): void {
  const { originX, originY, inverseCellSize, inverseCellHeight, columnEnd, highest } = raster;
  const xs = rowX;
  const ys = rowY;
  const borders = ends;
  const lows = low;
  const highs = high;
  const crossings = crossing;
  const beyond = x1 - x0 + 1;
  if (beyond > RUN_LIMIT) {
    fillRowByCutting(raster, n, x0, x1, base, area);
    return;
  }
  for (let k = 0; k <= beyond; k++) {
    borders[k] = columnEnd[x0 + k + 1];
    lows[k] = TOP;
    highs[k] = 0;
  }
  const scale = inverseCellHeight * FRACTIONS;
  const reach = (beyond + 3) / 64;
  const far = Math.min(Math.abs(originY) * inverseCellHeight, 1 << 22);
  // The column of a corner is the first whose end it does not pass, or `beyond`, whose heights are never
  // read.
  let first = beyond;
  let last = 0;
  let isOnBorder = false;
  let isOdd = false;
  let steps = 0;
  let bx = xs[n - 1];
  let by = ys[n - 1];
  let bv = f(f(by - originY) * inverseCellHeight);
  let kb = columnOf(bx, x0, beyond, originX, inverseCellSize);
  for (let i = 0; i < n; i++) {
    const ax = xs[i];
    const ay = ys[i];
    const ah = f(ay - originY);
    const av = f(ah * inverseCellHeight);
    const ka = columnOf(ax, x0, beyond, originX, inverseCellSize);
    const half = halfOf(av);
    // `packSpan` clips heights outside of the bounds.
    if (!(ah >= 0 && ah <= highest)) isOdd = true;
    if (ka < first) first = ka;
    if (ka > last) last = ka;
    if (ax !== borders[ka] || ka === beyond) {
      note(ka, half);
    } else {
      // A corner on the border counts for the cells on both sides, unless its edge comes from beyond: then
      // the edge's cut counts instead.
      isOnBorder = true;
      if (kb <= ka) {
        note(ka, half);
        note(ka + 1, half);
      }
    }
    if (ka !== kb) {
      let from = kb;
      let to = ka;
      let at = 0;
      if (ka < kb) {
        from = ka;
        to = kb;
        at = BACK;
      }
      steps += to - from;
      if (ay === by) {
        for (let k = from; k < to; k++) crossings[at + k] = half;
      } else {
        // One cut moves a height by at most 2^-24 of itself and of 19 times the edge's rise: six roundings,
        // and their effect on x, which lies within 7 times the edge's length of 0 unless `areNear`. This
        // bounds all cuts together, doubled.
        const error = ((av + bv + far + 16 * Math.abs(av - bv)) * reach + 2) | 0;
        const slope = ((ay - by) / (ax - bx)) * scale;
        const start = (by - originY) * scale - bx * slope;
        const sure = walked[0] > 0 ? 0 : FRACTIONS - 2 * error;
        for (let k = from; k < to; k++) {
          const height = (start + borders[k] * slope) | 0;
          if (((height - error) & (FRACTIONS - 1)) >= sure) {
            walkEdge(raster, i, n, kb, ka);
            if (walked[0] > 0) walked[0]--;
            break;
          }
          crossings[at + k] = (height >> 16) | 1;
        }
      }
    }
    bx = ax;
    by = ay;
    bv = av;
    kb = ka;
  }
  // Where edges double back, a border is crossed more than twice.
  let from = first;
  if (steps !== 2 * (last - first)) isOdd = true;
  if (isOnBorder) {
    // The corners on the far end of the last column decide, and those on the first column's end if no corner
    // lies before.
    if (last < beyond - 1 && cornersAt(n, borders[last]) >= 3) isOdd = true;
    // A single corner on the border makes two equal points in the cell before it, which are no polygon.
    const end = borders[first];
    let before = 0;
    for (let i = 0; i < n; i++) if (xs[i] < end) before++;
    if (first < last && before === 0 && cornersAt(n, end) === 1) from++;
  }
  if (isOdd) {
    fillRowByCutting(raster, n, x0, x1, base, area);
    return;
  }
  if (from + x0 < 0) from++;
  // No edge crosses the last column's end.
  crossings[last] = crossings[BACK + last] = highs[last];
  if (last === beyond) last--;
  const { waiting, waitingColumn: columns, waitingSpan: spans } = raster;
  let at = roomFor(raster, last + 1);
  let beforeLow = TOP;
  let beforeHigh = 0;
  for (let k = first; k <= last; k++) {
    const right = crossings[k];
    const left = crossings[BACK + k];
    let low = lows[k];
    let high = highs[k];
    const d = (right - left) & ((right - left) >> 31);
    const lowHere = left + d;
    const highHere = right - d;
    low += (lowHere - low) & ((lowHere - low) >> 31);
    low += (beforeLow - low) & ((beforeLow - low) >> 31);
    high -= (high - highHere) & ((high - highHere) >> 31);
    high -= (high - beforeHigh) & ((high - beforeHigh) >> 31);
    beforeLow = lowHere;
    beforeHigh = highHere;
    if (k < from) continue;
    const bottom = low >> 1;
    let top = (high + 1) >> 1;
    if (top <= bottom) top = bottom + 1;
    columns[at] = x0 + k + base;
    spans[at++] = bottom | (top << 13) | area;
  }
  waiting[0] = at;
}

/**
 * Computes the crossings of the edge that ends in corner i, from column kb to ka, by the successive float32
 * cuts.
 */
function walkEdge(raster: Raster, i: number, n: number, kb: number, ka: number): void {
  const { originY, inverseCellHeight, highest } = raster;
  const b = i === 0 ? n - 1 : i - 1;
  const ax = rowX[i];
  const ay = rowY[i];
  const bx = rowX[b];
  const by = rowY[b];
  const isRight = ka > kb;
  const to = isRight ? ka : kb;
  // The edge from p to q shrinks with each cut: to the right from p, to the left from q.
  let px = bx;
  let py = by;
  let qx = ax;
  let qy = ay;
  for (let k = isRight ? kb : ka; k < to; k++) {
    const d = f(ends[k] - px);
    const s = f(d / f(d - f(ends[k] - qx)));
    const x = f(px + f(f(qx - px) * s));
    const y = f(py + f(f(qy - py) * s));
    if (isRight) {
      px = x;
      py = y;
    } else {
      qx = x;
      qy = y;
    }
    const half = halfOf(f(Math.min(Math.max(f(y - originY), 0), highest) * inverseCellHeight));
    crossing[isRight ? k : BACK + k] = half;
  }
}

/**
 * Returns the sum of floor and ceiling of a height in voxels: even on a border between voxels, odd within
 * one.
 */
function halfOf(voxels: number): number {
  return (voxels | 0) + TOP - ((TOP - voxels) | 0);
}

/** Extends the heights of cell k. */
function note(k: number, half: number): void {
  if (half < low[k]) low[k] = half;
  if (half > high[k]) high[k] = half;
}

/** Returns the first column from x0 on whose end x does not pass. */
function columnOf(x: number, x0: number, beyond: number, originX: number, inverseCellSize: number): number {
  let k = 0;
  if (beyond > 4) {
    k = (f(f(x - originX) * inverseCellSize) | 0) - x0 - 1;
    if (k < 0) k = 0;
    else if (k > beyond - 2) k = beyond - 2;
  }
  while (k < beyond && x > ends[k]) k++;
  return k;
}

/** Fills columns x0 .. x1 by cutting the polygon at each column border. */
function fillRowByCutting(raster: Raster, n: number, x0: number, x1: number, base: number, area: number): void {
  row.n = n;
  for (let k = x0; k <= x1; k++) {
    split(row, rowX, raster.columnEnd[k + 1], cell);
    if (cell.n >= 3 && k >= 0) {
      const heights = cell.y.subarray(0, cell.n);
      addSpan(raster, k + base, packSpan(raster, Math.min(...heights), Math.max(...heights)), area);
    }
  }
}
