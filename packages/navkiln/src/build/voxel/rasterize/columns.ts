/**
 * Collects the spans of cells that triangles touch, and merges them into columns.
 *
 * Spans wait in a short queue. Then each joins the last span of its column, if the column has no other. Only where
 * spans lie apart do they go to a list. A stable counting sort by column joins the list in the order of the
 * triangles. Each column is then merged in cache by Recast's rule: spans that overlap or touch become one. The higher
 * area id wins when the tops differ by no more than the climb.
 *
 * The queue exists because what happens in a column depends on heights, which end a long chain of roundings.
 * A mispredicted branch costs little once they are known, and much while they are computed.
 *
 * In: spans (column, bottom, top, area). Out: the Heightfield's spans by column.
 * Cost: one step per span. Terrain has no list at all.
 * Based on: Mikko Mononen, Recast (2009), rcAddSpan.
 * Tried: without the queue 1.1 times as long on terrain, all spans in the list 1.25 times (`npm run bench --
 *   --only bake --stages`). See docs/notes/voxel.md.
 */
import { SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import type { Workspace } from '../../../base/data/workspace.ts';
import { BATCH } from '../batch.ts';
import { takeSlot } from '../memory.ts';
import { createRecord } from '../records.ts';
import type { BakeConfig } from '../bake-config.ts';
import type { Heightfield } from '../types.ts';

const f = Math.fround;

/** Spans listed before they are merged. It bounds the memory of levels with many triangles. */
const LIST_LIMIT = 1 << 23;

const NO_COLUMNS = new Int32Array(0);
const NO_SPANS = new Uint32Array(0);

/** The spans so far, and the grid they lie in. */
export interface Raster {
  /** Columns along x and z. */
  width: number;
  depth: number;
  /** Corner of the grid, local coordinates. */
  originX: number;
  originY: number;
  /** Height of the bounds. */
  extentY: number;
  inverseCellSize: number;
  inverseCellHeight: number;
  /** Whether the spans are Recast's in every case. */
  recast: boolean;
  /** rowEnd[z + 1]: the end of row z, from row -1 on. */
  rowEnd: Float64Array;
  /** columnEnd[x + 1]: the end of column x, from column -1 on. */
  columnEnd: Float64Array;
  climbCells: number;
  /** Height above the bounds' bottom up to which spans are neither clipped nor too high. */
  highest: number;
  /**
   * The last span of each column; 0: none. All spans of a column without list entries have merged into it.
   */
  last: Int32Array;
  /** start[c + 1]: number of spans of column c in the list. */
  start: Int32Array;
  /** Length of the list of spans that did not stay in `last`. */
  count: number;
  column: Int32Array;
  span: Uint32Array;
  /** Length of the list from which on `shortenList` is called. */
  limit: number;
  /** Spans on their way to their columns; `waiting[0]` is their number, `waiting[1]` the most that wait. */
  waitingColumn: Int32Array;
  waitingSpan: Int32Array;
  waiting: Int32Array;
  workspace: Workspace;
}

/** Creates an empty raster for the grid of a configuration. */
export function createRaster(config: BakeConfig, workspace: Workspace): Raster {
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax, cellSize } = config;
  const endsOf = (slot: 'raster.rowEnd' | 'raster.columnEnd', count: number, origin: number): Float64Array => {
    const ends = takeSlot(workspace, slot, count + 2);
    // With Recast's roundings.
    for (let i = -1; i <= count; i++) ends[i + 1] = f(f(origin + f(i * cellSize)) + cellSize);
    return ends;
  };
  const last = takeSlot(workspace, 'raster.last', width * depth).fill(0);
  const start = takeSlot(workspace, 'solid.columnStart', width * depth + 1).fill(0);
  const rowEnd = endsOf('raster.rowEnd', depth, boundsMin[2]);
  const columnEnd = endsOf('raster.columnEnd', width, boundsMin[0]);
  waiting[0] = 0;
  const raster = createRecord((): Raster => ({
    width,
    depth,
    originX: boundsMin[0],
    originY: boundsMin[1],
    extentY: f(boundsMax[1] - boundsMin[1]),
    inverseCellSize: f(1 / cellSize),
    inverseCellHeight: f(1 / config.cellHeight),
    recast: config.recast,
    rowEnd,
    columnEnd,
    climbCells: config.walkableClimbCells,
    highest: Math.min(f(boundsMax[1] - boundsMin[1]), (SPAN_MAX_HEIGHT - 2) * config.cellHeight),
    last,
    start,
    count: 0,
    column: NO_COLUMNS,
    span: NO_SPANS,
    limit: LIST_LIMIT,
    waitingColumn,
    waitingSpan,
    waiting,
    workspace,
  }));
  growList(raster);
  return raster;
}

/** Capacity of the queue, in spans. */
const WAITING = 1 << 13;
/** Spans that wait before the queue is emptied for the first time. */
const FIRST_WAITING = 1 << 6;
const waitingColumn = new Int32Array(WAITING);
const waitingSpan = new Int32Array(WAITING);
// In a process's first bake the queue is emptied early and then ever more rarely, so that the engine has seen this
// when it compiles the functions that fill the queue (see batch.ts).
const waiting = new Int32Array([0, FIRST_WAITING]);

/** Adds a span (0: none) to a column. It reaches the column at the latest in `sortIntoColumns`. */
export function addSpan(raster: Raster, column: number, voxels: number, area: number): void {
  if (voxels === 0) return;
  const at = roomFor(raster, 1);
  waitingColumn[at] = column;
  waitingSpan[at] = voxels | area;
  waiting[0] = at + 1;
}

/** Returns the position of the next `count` spans in the queue, at most WAITING. */
export function roomFor(raster: Raster, count: number): number {
  if (waiting[0] + count > waiting[1]) makeRoom(raster, count);
  return waiting[0];
}

/** Adds the same span to columns from .. to. */
export function addRun(raster: Raster, from: number, to: number, span: number): void {
  const columns = waitingColumn;
  const spans = waitingSpan;
  for (let column = from | 0; column <= to;) {
    let at = roomFor(raster, 1);
    const end = waiting[1];
    for (; column <= to && at < end; column++, at++) {
      columns[at] = column;
      spans[at] = span;
    }
    waiting[0] = at;
  }
}

/** Removes all spans of a raster. */
export function emptyRaster(raster: Raster): void {
  addWaiting(raster);
  raster.count = 0;
  raster.last.fill(0);
  raster.start.fill(0);
}

/** Empties the queue for the next `count` spans. */
function makeRoom(raster: Raster, count: number): void {
  addWaiting(raster);
  if (waiting[1] < WAITING) waiting[1] = Math.min(Math.max(2 * waiting[1], count), WAITING);
}

/** Brings the spans of the queue to their columns. */
function addWaiting(raster: Raster): void {
  const count = waiting[0];
  waiting[0] = 0;
  if (raster.count + count > raster.column.length) growList(raster);
  for (let i = 0; i < count; i += BATCH) addSpans(raster, i, Math.min(i + BATCH, count));
}

/** Brings spans first .. end - 1 of the queue to their columns. */
function addSpans(raster: Raster, first: number, end: number): void {
  const { last, start, climbCells, column: listColumn, span: listSpan } = raster;
  const columns = waitingColumn;
  const spans = waitingSpan;
  let at = raster.count;
  for (let i = first; i < end; i++) {
    const column = columns[i];
    const span = spans[i];
    const before = last[column];
    const bottom = span & 0x1fff;
    const top = (span >>> 13) & 0x1fff;
    const area = span >>> 26;
    const otherBottom = before & 0x1fff;
    const otherTop = (before >>> 13) & 0x1fff;
    const otherArea = before >>> 26;
    // A span within the last one and of no higher area changes nothing. Then no term is negative.
    if (((bottom - otherBottom) | (otherTop - top) | (otherArea - area)) >= 0) continue;
    let next = span;
    if (before !== 0) {
      if (bottom <= otherTop && otherBottom <= top && start[column + 1] === 0) {
        const joined = top > otherTop ? top : otherTop;
        const highest = joined - otherTop <= climbCells && otherArea > area ? otherArea : area;
        next = (bottom < otherBottom ? bottom : otherBottom) | (joined << 13) | (highest << 26);
      } else {
        listColumn[at] = column;
        listSpan[at++] = before;
        start[column + 1]++;
      }
    }
    last[column] = next;
  }
  raster.count = at;
}

/**
 * Returns bottom and top in voxels, packed, of heights in world units; 0 when they are outside of the bounds. A bottom that is less than
 * `rounding` voxels below a border between voxels is on it.
 */
export function packSpan(raster: Raster, minY: number, maxY: number, rounding: number = 0): number {
  const { originY, extentY, inverseCellHeight } = raster;
  let low = f(minY - originY);
  let high = f(maxY - originY);
  if (high < 0 || low > extentY) return 0;
  if (low < 0) low = 0;
  if (high > extentY) high = extentY;
  // Neither number is negative, so truncation is the floor.
  let bottom = (f(low * inverseCellHeight) + rounding) | 0;
  let top = Math.ceil(f(high * inverseCellHeight)) | 0;
  if (bottom > SPAN_MAX_HEIGHT - 1) bottom = SPAN_MAX_HEIGHT - 1;
  if (top <= bottom) top = bottom + 1;
  else if (top > SPAN_MAX_HEIGHT) top = SPAN_MAX_HEIGHT;
  return bottom | (top << 13);
}

function growList(raster: Raster): void {
  const { count, workspace } = raster;
  // Powers of two, so that the size depends little on when the queue was emptied.
  let room = 2 * WAITING;
  while (room < count + 2 * WAITING) room *= 2;
  raster.column = takeSlot(workspace, 'raster.listColumn', room, count);
  raster.span = takeSlot(workspace, 'raster.listSpan', room, count);
}

/**
 * Fills the field from list and last spans: a stable counting sort by column, then a merge in each column.
 */
export function sortIntoColumns(raster: Raster, field: Heightfield): void {
  addWaiting(raster);
  const { last, start } = raster;
  const columnCount = last.length;
  let sum = 0;
  for (let c = 0; c < columnCount; c += BATCH) sum = countSpans(last, start, sum, c, Math.min(c + BATCH, columnCount));
  const spans = takeSlot(raster.workspace, 'solid.spans', sum);
  const { count: listed } = raster;
  for (let i = 0; i < listed; i += BATCH) placeSpans(raster, spans, i, Math.min(i + BATCH, listed));
  const merged = createRecord((): Merged => ({ spans, from: 0, count: 0 }));
  for (let c = 0; c < columnCount; c += BATCH) mergeColumns(raster, merged, c, Math.min(c + BATCH, columnCount));
  const { count } = merged;
  start[columnCount] = count;
  field.columnStart = start;
  field.spans = spans.subarray(0, count);
  field.spanCount = count;
}

// The next functions end with their loops, see batch.ts.

/**
 * Adds the number of spans of columns first .. end - 1 to `sum` and returns it. start[c + 1] becomes the start of column c; `placeSpans`
 * moves it to its end.
 */
function countSpans(last: Int32Array, start: Int32Array, sum: number, first: number, end: number): number {
  for (let c = first; c < end; c++) {
    const n = start[c + 1];
    const span = last[c];
    start[c + 1] = sum;
    sum += n + ((span | -span) >>> 31);
  }
  return sum;
}

/** Copies spans first .. end - 1 of the list to their columns, in the order of the list. */
function placeSpans({ column, span, start }: Raster, spans: Uint32Array, first: number, end: number): void {
  for (let i = first; i < end; i++) spans[start[column[i] + 1]++] = span[i];
}

/** The spans while columns are merged in place. */
interface Merged {
  spans: Uint32Array;
  /** Start of the next column's spans. */
  from: number;
  /** How many spans are left of the columns before it. */
  count: number;
}

/**
 * Merges the spans of each of columns first .. end - 1: inserts them one by one into the sorted list that starts at the column's new
 * start.
 */
function mergeColumns({ last, start, climbCells }: Raster, merged: Merged, first: number, end: number): void {
  const { spans } = merged;
  let { from, count: size } = merged;
  for (let c = first; c < end; c++) {
    const next = start[c + 1];
    const before = last[c];
    const base = size;
    start[c] = base;
    if (next === from) {
      if (before === 0) continue;
      spans[size++] = before;
      from++;
      continue;
    }
    let stop = next;
    if (before !== 0) spans[stop++] = before;
    // Each search starts where the one before it ended.
    let a = base;
    for (; from < stop; from++) {
      const fresh = spans[from];
      let bottom = fresh & 0x1fff;
      let top = (fresh >>> 13) & 0x1fff;
      let area = fresh >>> 26;
      while (a > base && ((spans[a - 1] >>> 13) & 0x1fff) >= bottom) a--;
      while (a < size && ((spans[a] >>> 13) & 0x1fff) < bottom) a++;
      let b = a;
      while (b < size) {
        const other = spans[b];
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
      if (b === a) {
        for (let k = size; k > a; k--) spans[k] = spans[k - 1];
        size++;
      } else if (b > a + 1) {
        const gap = b - a - 1;
        for (let k = b; k < size; k++) spans[k - gap] = spans[k];
        size -= gap;
      }
      spans[a] = bottom | (top << 13) | (area << 26);
    }
  }
  merged.from = from;
  merged.count = size;
}

/** Merges the spans of the list and lists the result. */
export function shortenList(raster: Raster, field: Heightfield): void {
  sortIntoColumns(raster, field);
  raster.last.fill(0);
  loadSpans(raster, field);
}

/**
 * Fills an empty raster with the spans of a field. Spans that are added later merge with them as with the spans before they were merged.
 */
export function loadSpans(raster: Raster, { columnStart, spans, spanCount }: Heightfield): void {
  const { last, start } = raster;
  raster.count = spanCount;
  raster.limit = LIST_LIMIT + spanCount;
  growList(raster);
  raster.span.set(spans);
  for (let c = last.length; c > 0; c--) {
    raster.column.fill(c - 1, columnStart[c - 1], columnStart[c]);
    start[c] = columnStart[c] - columnStart[c - 1];
  }
}
