/**
 * Raster: the cells that triangles touch, and how they become columns of spans. What the exact and the plane way share.
 *
 * Cells touched go to a list (column, packed span); a stable counting sort by column brings them together in the order of
 * the triangles, and each column is merged by itself in cache, with Recast's rule: spans that overlap or touch become one,
 * the higher area id wins when the tops differ by no more than the climb. Putting spans straight into chains of nodes by
 * column, without list and sort, was as fast on terrain and a fifth slower where floors are stacked.
 *
 * Based on: Mikko Mononen, Recast (2009), rcAddSpan.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import { takeFloat64, takeInt32, takeUint32 } from '../data/workspace.ts';
import type { Workspace } from '../data/workspace.ts';
import type { BakeConfig } from './options.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

/** Cells listed before they are sorted into columns; bounds the memory that a level of many triangles takes. */
export const LIST_LIMIT: number = 1 << 23;

/** Cells touched so far and the grid they lie in. */
export interface Raster {
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
  /** Which of two sets of arrays the next sort writes. */
  turn: number;
  workspace: Workspace;
}

export function createRaster(config: BakeConfig, capacity: number, workspace: Workspace): Raster {
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax, cellSize } = config;
  const columnEnd = takeFloat64(workspace, 'raster.columnEnd', width + 1);
  for (let x = -1; x < width; x++) columnEnd[x + 1] = f(f(boundsMin[0] + f(x * cellSize)) + cellSize);
  const rowEnd = takeFloat64(workspace, 'raster.rowEnd', depth + 1);
  for (let z = -1; z < depth; z++) rowEnd[z + 1] = f(f(boundsMin[2] + f(z * cellSize)) + cellSize);
  return {
    width, depth,
    originX: boundsMin[0], originY: boundsMin[1], originZ: boundsMin[2],
    extentY: f(boundsMax[1] - boundsMin[1]),
    inverseCellSize: f(1 / cellSize), inverseCellHeight: f(1 / config.cellHeight),
    columnEnd, rowEnd,
    low: takeFloat64(workspace, 'raster.low', width + 2), high: takeFloat64(workspace, 'raster.high', width + 2),
    count: 0, column: takeInt32(workspace, 'raster.column', capacity), span: takeUint32(workspace, 'raster.span', capacity),
    turn: 0, workspace,
  };
}

/** Notes a touched cell. */
export function listCell(raster: Raster, column: number, minY: number, maxY: number, area: number): void {
  const span = packSpan(raster, minY, maxY);
  if (span < 0) return;
  const at = raster.count++;
  raster.column[at] = column;
  raster.span[at] = span | area;
}

/** Heights in world units -> bottom and top in voxels, packed; -1 when outside the bounds. */
export function packSpan(raster: Raster, minY: number, maxY: number): number {
  const { originY, extentY, inverseCellHeight } = raster;
  let low = f(minY - originY);
  let high = f(maxY - originY);
  if (high < 0 || low > extentY) return -1;
  if (low < 0) low = 0;
  if (high > extentY) high = extentY;
  // Neither is negative: truncation is the floor.
  const rows = f(high * inverseCellHeight);
  let bottom = f(low * inverseCellHeight) | 0;
  let top = rows | 0;
  if (top < rows) top++;
  if (bottom > SPAN_MAX_HEIGHT - 1) bottom = SPAN_MAX_HEIGHT - 1;
  if (top <= bottom) top = bottom + 1;
  else if (top > SPAN_MAX_HEIGHT) top = SPAN_MAX_HEIGHT;
  return bottom | (top << 13);
}

export function growList(raster: Raster, room: number): void {
  const capacity = Math.max(raster.column.length * 2, raster.count + room);
  raster.column = takeInt32(raster.workspace, 'raster.column', capacity, raster.count);
  raster.span = takeUint32(raster.workspace, 'raster.span', capacity, raster.count);
}

/** Empties the list of touched cells into the field: stable counting sort by column, then a merge in each column. */
export function sortIntoColumns(raster: Raster, field: Heightfield, climbCells: number): void {
  const { count, column, span } = raster;
  const columnCount = field.width * field.depth;
  const total = field.spanCount + count;
  const hasSpans = field.spanCount > 0;
  // What is there already goes to new arrays together with what has come.
  const name = raster.turn === 0 ? '' : '2';
  const start = takeInt32(raster.workspace, `solid.columnStart${name}`, columnCount + 1).fill(0);
  for (let i = 0; i < count; i++) start[column[i]! + 1]!++;
  let sum = 0;
  for (let c = 0; c < columnCount; c++) {
    // start[c + 1] becomes where column c begins, and moves to its end as the spans are laid down.
    const n = start[c + 1]!;
    start[c + 1] = sum;
    sum += n + (hasSpans ? field.columnStart[c + 1]! - field.columnStart[c]! : 0);
  }
  const spans = takeUint32(raster.workspace, `solid.spans${name}`, total);
  if (hasSpans) {
    for (let c = 0; c < columnCount; c++) {
      const end = field.columnStart[c + 1]!;
      for (let i = field.columnStart[c]!; i < end; i++) spans[start[c + 1]!++] = field.spans[i]!;
    }
  }
  for (let i = 0; i < count; i++) spans[start[column[i]! + 1]!++] = span[i]!;
  raster.count = 0;
  raster.turn = 1 - raster.turn;

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
