/**
 * Rasterize: triangles -> solid spans (Heightfield).
 *
 * Input: float32 positions, triangles, one area id a triangle, the grid of the configuration. Output: spans, bit for bit the
 * ones that Recast computes, in every column from the bottom up. Cost: one step a triangle, row and cell touched, then one
 * counting sort of the touched cells.
 *
 * How. Recast cuts each triangle by all row borders, each row by all column borders, in float32, a polygon copy at every cut.
 * What a cell keeps of all this is the lowest and the highest height of its piece. We
 *  - take a triangle that lies within one row, or a row that lies within one cell, as it is: its cuts would change nothing;
 *  - cut rows by keeping x and height only (z is not read again);
 *  - never build a cell's polygon: each *edge* of the row's polygon is walked through the columns it crosses, with the very
 *    float32 operations, order and operands of the successive cuts, and the heights at the crossings go to the two cells
 *    beside. A flat row needs no heights at all;
 *  - fall back to cutting polygons (`fillRowByCutting`) only where a corner lies exactly on an inner column border, because
 *    there the number of corners that a cut hands on decides whether a cell is touched.
 * Cells touched go to a list (column, packed span); a stable counting sort by column brings them together in the order of
 * the triangles, and each column is merged by itself in cache, with Recast's rule: spans that overlap or touch become one,
 * the higher area id wins when the tops differ by no more than the climb.
 *
 * Based on: Mikko Mononen, Recast (2009), rcRasterizeTriangles; Ivan Sutherland and Gary Hodgman, Reentrant polygon clipping
 * (1974). Every rounding (`f`) below is one of Recast's.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import type { BakeConfig } from './options.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

/** Cells touched so far and the grid they lie in. */
interface Raster {
  width: number;
  depth: number;
  originX: number;
  originY: number;
  originZ: number;
  /** Height of the bounds. */
  extentY: number;
  inverseCellSize: number;
  inverseCellHeight: number;
  /** columnEnd[x + 1]: border between columns x and x + 1, x from -1. Rows likewise. */
  columnEnd: Float64Array;
  rowEnd: Float64Array;
  /** Lowest and highest height in each column of the row at hand, index x + 1. */
  low: Float64Array;
  high: Float64Array;
  /** The list of touched cells. */
  count: number;
  column: Int32Array;
  span: Uint32Array;
}

/** Cells listed before they are sorted into columns; bounds the memory that a level of many triangles takes. */
const LIST_LIMIT = 1 << 23;

// A triangle cut by rows has at most 5 corners, cut by columns too at most 7; 16 leaves room.
const restX = new Float64Array(16);
const restY = new Float64Array(16);
const restZ = new Float64Array(16);
const nextX = new Float64Array(16);
const nextY = new Float64Array(16);
const nextZ = new Float64Array(16);
const rowX = new Float64Array(16);
const rowY = new Float64Array(16);
const rowColumn = new Int32Array(16);
const offset = new Float64Array(16);

/**
 * @param positions xyz, float32
 * @param indices three a triangle
 * @param areas one a triangle, 0 .. 63
 */
export function rasterize(
  positions: Float32Array,
  indices: ArrayLike<number>,
  areas: Uint8Array,
  config: BakeConfig,
): Heightfield {
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax } = config;
  const raster = createRaster(config);
  const minX = boundsMin[0], minY = boundsMin[1], minZ = boundsMin[2];
  const maxX = boundsMax[0], maxY = boundsMax[1], maxZ = boundsMax[2];
  const { rowEnd, inverseCellSize } = raster;
  const triangleCount = areas.length;
  const field: Heightfield = {
    width, depth, cellSize: config.cellSize, cellHeight: config.cellHeight, boundsMin, boundsMax,
    columnStart: new Int32Array(width * depth + 1), spanCount: 0, spans: new Uint32Array(0),
  };

  for (let t = 0; t < triangleCount; t++) {
    const a = indices[3 * t]! * 3, b = indices[3 * t + 1]! * 3, c = indices[3 * t + 2]! * 3;
    const ax = positions[a]!, ay = positions[a + 1]!, az = positions[a + 2]!;
    const bx = positions[b]!, by = positions[b + 1]!, bz = positions[b + 2]!;
    const cx = positions[c]!, cy = positions[c + 1]!, cz = positions[c + 2]!;

    const lowZ = az < bz ? (az < cz ? az : cz) : bz < cz ? bz : cz;
    const highZ = az > bz ? (az > cz ? az : cz) : bz > cz ? bz : cz;
    // Not (a <= b) rather than a > b: triangles with NaN fall out here.
    if (!(lowZ <= maxZ && highZ >= minZ)) continue;
    if (!((ax <= maxX || bx <= maxX || cx <= maxX) && (ax >= minX || bx >= minX || cx >= minX))) continue;
    if (!((ay <= maxY || by <= maxY || cy <= maxY) && (ay >= minY || by >= minY || cy >= minY))) continue;

    const area = areas[t]! << 26;
    let z0 = Math.trunc(f(f(lowZ - minZ) * inverseCellSize));
    let z1 = Math.trunc(f(f(highZ - minZ) * inverseCellSize));
    z0 = z0 < -1 ? -1 : z0 > depth - 1 ? depth - 1 : z0;
    z1 = z1 < 0 ? 0 : z1 > depth - 1 ? depth - 1 : z1;

    if (z0 === z1 && highZ <= rowEnd[z0 + 1]!) {
      rowX[0] = ax; rowY[0] = ay;
      rowX[1] = bx; rowY[1] = by;
      rowX[2] = cx; rowY[2] = cy;
      fillRow(raster, 3, z0, area);
    } else {
      restX[0] = ax; restY[0] = ay; restZ[0] = az;
      restX[1] = bx; restY[1] = by; restZ[1] = bz;
      restX[2] = cx; restY[2] = cy; restZ[2] = cz;
      fillRows(raster, z0, z1, area);
    }
    if (raster.count > LIST_LIMIT) sortIntoColumns(raster, field, config.walkableClimbCells);
  }
  if (raster.count > 0) sortIntoColumns(raster, field, config.walkableClimbCells);
  return field;
}

function createRaster(config: BakeConfig): Raster {
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax, cellSize } = config;
  const columnEnd = new Float64Array(width + 1);
  for (let x = -1; x < width; x++) columnEnd[x + 1] = f(f(boundsMin[0] + f(x * cellSize)) + cellSize);
  const rowEnd = new Float64Array(depth + 1);
  for (let z = -1; z < depth; z++) rowEnd[z + 1] = f(f(boundsMin[2] + f(z * cellSize)) + cellSize);
  return {
    width, depth,
    originX: boundsMin[0], originY: boundsMin[1], originZ: boundsMin[2],
    extentY: f(boundsMax[1] - boundsMin[1]),
    inverseCellSize: f(1 / cellSize), inverseCellHeight: f(1 / config.cellHeight),
    columnEnd, rowEnd,
    low: new Float64Array(width + 2), high: new Float64Array(width + 2),
    count: 0, column: new Int32Array(1 << 12), span: new Uint32Array(1 << 12),
  };
}

/** Cuts the triangle in rest* into rows z0 .. z1 and fills each. */
function fillRows(raster: Raster, z0: number, z1: number, area: number): void {
  const { rowEnd } = raster;
  let restCount = 3;
  for (let z = z0; z <= z1; z++) {
    const end = rowEnd[z + 1]!;
    let rowCount = 0, nextCount = 0;
    for (let i = 0; i < restCount; i++) offset[i] = f(end - restZ[i]!);
    let bx = restX[restCount - 1]!, by = restY[restCount - 1]!, bz = restZ[restCount - 1]!;
    let db = offset[restCount - 1]!;
    for (let i = 0; i < restCount; i++) {
      const ax = restX[i]!, ay = restY[i]!, az = restZ[i]!;
      const da = offset[i]!;
      if (da >= 0 !== db >= 0) {
        const s = f(db / f(db - da));
        const x = f(bx + f(f(ax - bx) * s));
        const y = f(by + f(f(ay - by) * s));
        rowX[rowCount] = x; rowY[rowCount++] = y;
        nextX[nextCount] = x; nextY[nextCount] = y;
        nextZ[nextCount++] = f(bz + f(f(az - bz) * s));
        if (da > 0) {
          rowX[rowCount] = ax; rowY[rowCount++] = ay;
        } else if (da < 0) {
          nextX[nextCount] = ax; nextY[nextCount] = ay; nextZ[nextCount++] = az;
        }
      } else {
        if (da >= 0) {
          rowX[rowCount] = ax; rowY[rowCount++] = ay;
        }
        if (!(da > 0)) {
          nextX[nextCount] = ax; nextY[nextCount] = ay; nextZ[nextCount++] = az;
        }
      }
      bx = ax; by = ay; bz = az; db = da;
    }
    for (let i = 0; i < nextCount; i++) {
      restX[i] = nextX[i]!; restY[i] = nextY[i]!; restZ[i] = nextZ[i]!;
    }
    restCount = nextCount;
    if (rowCount >= 3 && z >= 0) fillRow(raster, rowCount, z, area);
  }
}

/** Lists the cells that the polygon in rowX, rowY (n corners) touches in row z. */
function fillRow(raster: Raster, n: number, z: number, area: number): void {
  const { width, originX, inverseCellSize, columnEnd } = raster;
  let minX = rowX[0]!, maxX = minX, minY = rowY[0]!, maxY = minY;
  for (let i = 1; i < n; i++) {
    const x = rowX[i]!, y = rowY[i]!;
    if (x < minX) minX = x; else if (x > maxX) maxX = x;
    if (y < minY) minY = y; else if (y > maxY) maxY = y;
  }
  let x0 = Math.trunc(f(f(minX - originX) * inverseCellSize));
  let x1 = Math.trunc(f(f(maxX - originX) * inverseCellSize));
  if (x1 < 0 || x0 >= width) return;
  if (x0 < -1) x0 = -1;
  if (x1 > width - 1) x1 = width - 1;
  if (raster.count + (x1 - x0) + 1 > raster.column.length) growList(raster, x1 - x0 + 1);

  if (x0 === x1 && maxX <= columnEnd[x0 + 1]!) {
    const span = packSpan(raster, minY, maxY);
    if (span >= 0) {
      const at = raster.count++;
      raster.column[at] = x0 + z * width;
      raster.span[at] = span | area;
    }
    return;
  }

  // The column of each corner: the first whose end it does not pass; x1 + 1 beyond the last.
  let first = x1 + 1, last = x0;
  for (let i = 0; i < n; i++) {
    const x = rowX[i]!;
    let k = Math.trunc(f(f(x - originX) * inverseCellSize));
    if (k < x0) k = x0; else if (k > x1) k = x1;
    if (x > columnEnd[k + 1]!) k++;
    else if (k > x0 && x <= columnEnd[k]!) k--;
    rowColumn[i] = k;
    if (k < first) first = k;
    if (k > last) last = k;
  }
  let atLastEnd = 0;
  for (let i = 0; i < n; i++) {
    const k = rowColumn[i]!;
    if (k <= x1 && rowX[i] === columnEnd[k + 1]) {
      if (k < last || (k < x1 && ++atLastEnd >= 3)) {
        fillRowByCutting(raster, n, x0, x1, z, area);
        return;
      }
    }
  }

  const begin = first < 0 ? 0 : first;
  const end = last > x1 ? x1 : last;
  let { count } = raster;
  const { column, span: list } = raster;
  if (minY === maxY) {
    const span = packSpan(raster, minY, maxY);
    if (span < 0) return;
    for (let k = begin; k <= end; k++) {
      column[count] = k + z * width;
      list[count++] = span | area;
    }
    raster.count = count;
    return;
  }

  const { low, high } = raster;
  for (let k = first; k <= end; k++) {
    low[k + 1] = Infinity;
    high[k + 1] = -Infinity;
  }
  let bx = rowX[n - 1]!, by = rowY[n - 1]!, kb = rowColumn[n - 1]!;
  for (let i = 0; i < n; i++) {
    const ax = rowX[i]!, ay = rowY[i]!, ka = rowColumn[i]!;
    if (ka <= x1) {
      if (ay < low[ka + 1]!) low[ka + 1] = ay;
      if (ay > high[ka + 1]!) high[ka + 1] = ay;
    }
    if (ka > kb) {
      // Runs to the right: each cut starts from the cut before.
      let px = bx, py = by;
      for (let k = kb; k < ka; k++) {
        const border = columnEnd[k + 1]!;
        const dp = f(border - px);
        const s = f(dp / f(dp - f(border - ax)));
        px = f(px + f(f(ax - px) * s));
        py = f(py + f(f(ay - py) * s));
        if (py < low[k + 1]!) low[k + 1] = py;
        if (py > high[k + 1]!) high[k + 1] = py;
        if (k < end) {
          if (py < low[k + 2]!) low[k + 2] = py;
          if (py > high[k + 2]!) high[k + 2] = py;
        }
      }
    } else if (ka < kb) {
      // Runs to the left: each cut starts from the far corner and ends at the cut before.
      let px = ax, py = ay;
      for (let k = ka; k < kb; k++) {
        const border = columnEnd[k + 1]!;
        const db = f(border - bx);
        const s = f(db / f(db - f(border - px)));
        px = f(bx + f(f(px - bx) * s));
        py = f(by + f(f(py - by) * s));
        if (py < low[k + 1]!) low[k + 1] = py;
        if (py > high[k + 1]!) high[k + 1] = py;
        if (k < end) {
          if (py < low[k + 2]!) low[k + 2] = py;
          if (py > high[k + 2]!) high[k + 2] = py;
        }
      }
    }
    bx = ax; by = ay; kb = ka;
  }
  for (let k = begin; k <= end; k++) {
    const span = packSpan(raster, low[k + 1]!, high[k + 1]!);
    if (span >= 0) {
      column[count] = k + z * width;
      list[count++] = span | area;
    }
  }
  raster.count = count;
}

/** The same by cutting the polygon at each column border, for polygons with a corner on one. */
function fillRowByCutting(raster: Raster, n: number, x0: number, x1: number, z: number, area: number): void {
  const { columnEnd, width } = raster;
  let restCount = n;
  for (let i = 0; i < n; i++) {
    nextX[i] = rowX[i]!;
    nextY[i] = rowY[i]!;
  }
  for (let k = x0; k <= x1; k++) {
    const end = columnEnd[k + 1]!;
    let cellCount = 0, keepCount = 0;
    let minY = Infinity, maxY = -Infinity;
    let bx = nextX[restCount - 1]!, by = nextY[restCount - 1]!;
    let db = f(end - bx);
    for (let i = 0; i < restCount; i++) {
      const ax = nextX[i]!, ay = nextY[i]!;
      const da = f(end - ax);
      if (da >= 0 !== db >= 0) {
        const s = f(db / f(db - da));
        const x = f(bx + f(f(ax - bx) * s));
        const y = f(by + f(f(ay - by) * s));
        cellCount++;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
        rowX[keepCount] = x; rowY[keepCount++] = y;
        if (da > 0) {
          cellCount++;
          if (ay < minY) minY = ay;
          if (ay > maxY) maxY = ay;
        } else if (da < 0) {
          rowX[keepCount] = ax; rowY[keepCount++] = ay;
        }
      } else {
        if (da >= 0) {
          cellCount++;
          if (ay < minY) minY = ay;
          if (ay > maxY) maxY = ay;
        }
        if (!(da > 0)) {
          rowX[keepCount] = ax; rowY[keepCount++] = ay;
        }
      }
      bx = ax; by = ay; db = da;
    }
    for (let i = 0; i < keepCount; i++) {
      nextX[i] = rowX[i]!;
      nextY[i] = rowY[i]!;
    }
    restCount = keepCount;
    if (cellCount < 3 || k < 0) continue;
    const span = packSpan(raster, minY, maxY);
    if (span >= 0) {
      const at = raster.count++;
      raster.column[at] = k + z * width;
      raster.span[at] = span | area;
    }
  }
}

/** Heights in world units -> bottom and top in voxels, packed; -1 when outside the bounds. */
function packSpan(raster: Raster, minY: number, maxY: number): number {
  const { originY, extentY, inverseCellHeight } = raster;
  let low = f(minY - originY);
  let high = f(maxY - originY);
  if (high < 0 || low > extentY) return -1;
  if (low < 0) low = 0;
  if (high > extentY) high = extentY;
  let bottom = Math.floor(f(low * inverseCellHeight));
  let top = Math.ceil(f(high * inverseCellHeight));
  if (bottom > SPAN_MAX_HEIGHT - 1) bottom = SPAN_MAX_HEIGHT - 1;
  if (top <= bottom) top = bottom + 1;
  else if (top > SPAN_MAX_HEIGHT) top = SPAN_MAX_HEIGHT;
  return bottom | (top << 13);
}

function growList(raster: Raster, room: number): void {
  const capacity = Math.max(raster.column.length * 2, raster.count + room);
  const column = new Int32Array(capacity);
  column.set(raster.column.subarray(0, raster.count));
  const span = new Uint32Array(capacity);
  span.set(raster.span.subarray(0, raster.count));
  raster.column = column;
  raster.span = span;
}

/** Empties the list of touched cells into the field: stable counting sort by column, then a merge in each column. */
function sortIntoColumns(raster: Raster, field: Heightfield, climbCells: number): void {
  const { count, column, span } = raster;
  const columnCount = field.width * field.depth;
  const total = field.spanCount + count;
  const start = new Int32Array(columnCount + 1);
  for (let i = 0; i < count; i++) start[column[i]! + 1]!++;
  const hasSpans = field.spanCount > 0;
  let sum = 0;
  for (let c = 0; c < columnCount; c++) {
    // start[c + 1] becomes where column c begins, and moves to its end as the spans are laid down.
    const n = start[c + 1]!;
    start[c + 1] = sum;
    sum += n + (hasSpans ? field.columnStart[c + 1]! - field.columnStart[c]! : 0);
  }
  const spans = new Uint32Array(total);
  if (hasSpans) {
    for (let c = 0; c < columnCount; c++) {
      const end = field.columnStart[c + 1]!;
      for (let i = field.columnStart[c]!; i < end; i++) spans[start[c + 1]!++] = field.spans[i]!;
    }
  }
  for (let i = 0; i < count; i++) spans[start[column[i]! + 1]!++] = span[i]!;
  raster.count = 0;

  let out = 0, from = 0;
  for (let c = 0; c < columnCount; c++) {
    const end = start[c + 1]!;
    start[c] = out;
    if (end - from === 1) spans[out++] = spans[from]!;
    else if (end > from) out = mergeColumn(spans, from, end, out, climbCells);
    from = end;
  }
  start[columnCount] = out;
  field.columnStart = start;
  field.spans = spans.subarray(0, out);
  field.spanCount = out;
}

/** Inserts spans[from .. end) one after the other into the sorted list that grows at `base`; returns the list's end. */
function mergeColumn(spans: Uint32Array, from: number, end: number, base: number, climbCells: number): number {
  let size = base;
  for (let i = from; i < end; i++) {
    const fresh = spans[i]!;
    let bottom = fresh & 0x1fff, top = (fresh >>> 13) & 0x1fff, area = fresh >>> 26;
    let a = base;
    while (a < size && ((spans[a]! >>> 13) & 0x1fff) < bottom) a++;
    let b = a;
    while (b < size) {
      const other = spans[b]!;
      const otherBottom = other & 0x1fff;
      if (otherBottom > top) break;
      const otherTop = (other >>> 13) & 0x1fff;
      if (otherBottom < bottom) bottom = otherBottom;
      if (otherTop > top) top = otherTop;
      if (top - otherTop <= climbCells) {
        const otherArea = other >>> 26;
        if (otherArea > area) area = otherArea;
      }
      b++;
    }
    const merged = bottom | (top << 13) | (area << 26);
    if (b === a) {
      for (let k = size; k > a; k--) spans[k] = spans[k - 1]!;
      size++;
    } else if (b > a + 1) {
      const gap = b - a - 1;
      for (let k = b; k < size; k++) spans[k - gap] = spans[k]!;
      size -= gap;
    }
    spans[a] = merged;
  }
  return size;
}
