/**
 * Raster: the spans of cells that triangles touch, and how they become columns.
 *
 * Spans wait a moment, then each joins the last one of its column if that is all the column has. Only where
 * spans lie apart they go to a list, which a stable counting sort by column brings together in the order of
 * the triangles; each column is merged by itself in cache, with Recast's rule: spans that overlap or touch
 * become one, the higher area id wins when the tops differ by no more than the climb. Cost: one step a span;
 * terrain has no list at all.
 *
 * Without the waiting, 1.1 times the time on terrain and caves: what happens in a column depends on heights,
 * and a processor that guesses wrong waits for the whole chain of roundings they come from. All spans in the
 * list: 1.25 times on terrain. Spans straight into chains of nodes by column: no faster than the list on
 * terrain, a fifth slower where floors are stacked. "Nothing changes" as one test without branches rather
 * than three, first of all: 0.97 to 0.99 of the time of the stage. A place within a column counted without
 * branches rather than searched: 1.0 to 1.02.
 *
 * Based on: Mikko Mononen, Recast (2009), rcAddSpan.
 */
import { SPAN_MAX_HEIGHT } from '../constants.ts';
import type { Workspace } from '../data/workspace.ts';
import { takeSlot } from './memory.ts';
import type { BakeConfig } from './options.ts';
import type { Heightfield } from './types.ts';

const f = Math.fround;

/** Spans listed before they are merged; bounds the memory that a level of many triangles takes. */
const LIST_LIMIT = 1 << 23;

/** What the list has room for at first. */
const FIRST_LIST = 1 << 12;

/** Cells touched so far and the grid they lie in. */
export interface Raster {
  width: number;
  depth: number;
  originX: number;
  originY: number;
  /** Height of the bounds. */
  extentY: number;
  inverseCellSize: number;
  inverseCellHeight: number;
  /** Where row z ends, at z + 1, and column x, at x + 1; from -1 on. */
  rowEnd: Float64Array;
  columnEnd: Float64Array;
  climbCells: number;
  /** Height over the bounds' lowest up to which voxels are neither cut off nor too many. */
  highest: number;
  /**
   * The last span of each column, 0: none. As long as the column has none in the list, all its spans merged
   * into one.
   */
  last: Int32Array;
  /** start[c + 1]: how many spans column c has in the list. */
  start: Int32Array;
  /** The list of spans that did not stay in `last`. */
  count: number;
  column: Int32Array;
  span: Uint32Array;
  /** How long the list may get before `shortenList`. */
  limit: number;
  /** Spans on their way to their columns, and how many (one number). */
  waitingColumn: Int32Array;
  waitingSpan: Int32Array;
  waiting: Int32Array;
  workspace: Workspace;
}

export function createRaster(config: BakeConfig, workspace: Workspace): Raster {
  const { widthCells: width, depthCells: depth, boundsMin, boundsMax, cellSize } = config;
  const endsOf = (slot: 'raster.rowEnd' | 'raster.columnEnd', count: number, origin: number): Float64Array => {
    const ends = takeSlot(workspace, slot, count + 2);
    // With Recast's roundings.
    for (let i = -1; i <= count; i++) ends[i + 1] = f(f(origin + f(i * cellSize)) + cellSize);
    return ends;
  };
  const last = takeSlot(workspace, 'raster.last', width * depth).fill(0);
  waiting[0] = 0;
  return {
    width,
    depth,
    originX: boundsMin[0],
    originY: boundsMin[1],
    extentY: f(boundsMax[1] - boundsMin[1]),
    inverseCellSize: f(1 / cellSize),
    inverseCellHeight: f(1 / config.cellHeight),
    rowEnd: endsOf('raster.rowEnd', depth, boundsMin[2]),
    columnEnd: endsOf('raster.columnEnd', width, boundsMin[0]),
    climbCells: config.walkableClimbCells,
    highest: Math.min(f(boundsMax[1] - boundsMin[1]), (SPAN_MAX_HEIGHT - 2) * config.cellHeight),
    last,
    start: takeSlot(workspace, 'solid.columnStart', width * depth + 1).fill(0),
    count: 0,
    column: takeSlot(workspace, 'raster.listColumn', FIRST_LIST),
    span: takeSlot(workspace, 'raster.listSpan', FIRST_LIST),
    limit: LIST_LIMIT,
    waitingColumn,
    waitingSpan,
    waiting,
    workspace,
  };
}

// Spans on their way to their columns. They wait here because what happens there depends on their heights and
// cannot be foretold: a processor that guesses wrong loses little when the heights are known, and much while
// they are being computed.
const WAITING = 1 << 13;
const waitingColumn = new Int32Array(WAITING);
const waitingSpan = new Int32Array(WAITING);
const waiting = new Int32Array(1);

/** Adds a span (0: none) to a column, at some time before `sortIntoColumns`. */
export function addSpan(raster: Raster, column: number, voxels: number, area: number): void {
  if (voxels === 0) return;
  const at = roomFor(raster, 1);
  waitingColumn[at] = column;
  waitingSpan[at] = voxels | area;
  waiting[0] = at + 1;
}

/** Where the next spans wait, of which there are at most WAITING. */
export function roomFor(raster: Raster, count: number): number {
  if (waiting[0] + count > WAITING) addWaiting(raster);
  return waiting[0];
}

/** The same span for the columns from .. to. */
export function addRun(raster: Raster, from: number, to: number, span: number): void {
  const columns = waitingColumn;
  const spans = waitingSpan;
  for (let column = from | 0; column <= to;) {
    if (waiting[0] === WAITING) addWaiting(raster);
    let at = waiting[0];
    for (; column <= to && at < WAITING; column++, at++) {
      columns[at] = column;
      spans[at] = span;
    }
    waiting[0] = at;
  }
}

function addWaiting(raster: Raster): void {
  const { last, start, climbCells } = raster;
  const columns = waitingColumn;
  const spans = waitingSpan;
  const count = waiting[0];
  waiting[0] = 0;
  if (raster.count + count > raster.column.length) growList(raster);
  const { column: listColumn, span: listSpan } = raster;
  let at = raster.count;
  for (let i = 0; i < count; i++) {
    const column = columns[i];
    const span = spans[i];
    const before = last[column];
    const bottom = span & 0x1fff;
    const top = (span >>> 13) & 0x1fff;
    const area = span >>> 26;
    const otherBottom = before & 0x1fff;
    const otherTop = (before >>> 13) & 0x1fff;
    const otherArea = before >>> 26;
    // What is within the last one, and no higher area, changes nothing: no term is negative then.
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

/** Heights in world units -> bottom and top in voxels, packed; 0 when outside the bounds. */
export function packSpan(raster: Raster, minY: number, maxY: number): number {
  const { originY, extentY, inverseCellHeight } = raster;
  let low = f(minY - originY);
  let high = f(maxY - originY);
  if (high < 0 || low > extentY) return 0;
  if (low < 0) low = 0;
  if (high > extentY) high = extentY;
  // Neither is negative: truncation is the floor.
  let bottom = f(low * inverseCellHeight) | 0;
  let top = Math.ceil(f(high * inverseCellHeight)) | 0;
  if (bottom > SPAN_MAX_HEIGHT - 1) bottom = SPAN_MAX_HEIGHT - 1;
  if (top <= bottom) top = bottom + 1;
  else if (top > SPAN_MAX_HEIGHT) top = SPAN_MAX_HEIGHT;
  return bottom | (top << 13);
}

function growList(raster: Raster): void {
  const { count, workspace } = raster;
  const room = 2 * count + WAITING;
  raster.column = takeSlot(workspace, 'raster.listColumn', room, count);
  raster.span = takeSlot(workspace, 'raster.listSpan', room, count);
}

/** Brings list and last spans into the field: stable counting sort by column, then a merge in each column. */
export function sortIntoColumns(raster: Raster, field: Heightfield): void {
  addWaiting(raster);
  const { last, start } = raster;
  const spans = takeSlot(raster.workspace, 'solid.spans', countSpans(last, start));
  layDown(raster, spans);
  const count = mergeColumns(spans, last, start, raster.climbCells);
  field.columnStart = start;
  field.spans = spans.subarray(0, count);
  field.spanCount = count;
}

// Loops with nothing after them, see compact.ts.

/** Of all columns. start[c + 1] becomes where column c begins; `layDown` moves it to its end. */
function countSpans(last: Int32Array, start: Int32Array): number {
  let sum = 0;
  for (let c = 0; c < last.length; c++) {
    const n = start[c + 1];
    const span = last[c];
    start[c + 1] = sum;
    sum += n + ((span | -span) >>> 31);
  }
  return sum;
}

function layDown({ count, column, span, start }: Raster, spans: Uint32Array): void {
  for (let i = 0; i < count; i++) spans[start[column[i] + 1]++] = span[i];
}

/** Returns the number of spans. */
function mergeColumns(spans: Uint32Array, last: Int32Array, start: Int32Array, climbCells: number): number {
  const columnCount = last.length;
  let out = 0;
  let from = 0;
  for (let c = 0; c < columnCount; c++) {
    const next = start[c + 1];
    const before = last[c];
    start[c] = out;
    if (next === from) {
      if (before === 0) continue;
      spans[out++] = before;
      from++;
    } else {
      let end = next;
      if (before !== 0) spans[end++] = before;
      out = mergeColumn(spans, from, end, out, climbCells);
      from = end;
    }
  }
  return (start[columnCount] = out);
}

/**
 * Merges what is in the list and lists what comes of it: nothing that comes later is merged otherwise for
 * that.
 */
export function shortenList(raster: Raster, field: Heightfield): void {
  sortIntoColumns(raster, field);
  const { last, start } = raster;
  const { spans, spanCount } = field;
  raster.count = spanCount;
  raster.limit = LIST_LIMIT + spanCount;
  growList(raster);
  raster.span.set(spans);
  last.fill(0);
  for (let c = last.length; c > 0; c--) {
    raster.column.fill(c - 1, start[c - 1], start[c]);
    start[c] -= start[c - 1];
  }
}

/**
 * Inserts spans[from .. end) one after the other into the sorted list that grows at `base`; returns the
 * list's end.
 */
function mergeColumn(spans: Uint32Array, from: number, end: number, base: number, climbCells: number): number {
  let size = base | 0;
  // The search begins where the one before ended.
  let a = size;
  for (let i = from | 0; i < end; i++) {
    const fresh = spans[i];
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
  return size;
}
