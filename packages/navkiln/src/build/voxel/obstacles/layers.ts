/**
 * Packs the solid spans of a tile into few bytes, and unpacks them. A world keeps the packed spans of each tile, so that obstacles never
 * rasterize the level again.
 *
 * Columns are written row by row, each as its difference to the column before. A byte stands for up to 64 equal columns, or for a
 * column of one span whose bottom and top moved by at most 4 voxels. Other columns have a count, and a byte or more per span.
 *
 * Unpacking checks everything that the bake relies on, so damaged bytes are refused.
 *
 * In: a Heightfield, or bytes and the size of the grid. Out: bytes, or columns and spans.
 * Cost: linear in columns and spans.
 * Based on: own.
 */
import { SPAN_MAX_HEIGHT } from '../../../base/constants.ts';
import type { LaidSpans } from '../options.ts';
import { spanArea, spanBottom, spanTop } from '../types.ts';
import type { Heightfield } from '../types.ts';

// The first byte of a column, or of a run of columns:
//   0 .. 80     one span, as many as the column before, moved by (byte / 9 - 4, byte % 9 - 4)
//   81 .. 144   a run of 1 .. 64 columns like the one before
//   145 .. 254  0 .. 109 spans, which follow
//   255         a number of spans, and the spans
// The first byte of a span: 0 .. 80 as above, from the span of the same index in the column before; 81: bottom, height and area.
const REACH = 4;
const SIDE = 2 * REACH + 1;
const MOVES = SIDE * SIDE;
const RUN = MOVES;
const MOST_RUN = 64;
const COUNT = RUN + MOST_RUN;
const LONG_COUNT = 255;
const WHOLE_SPAN = MOVES;

let bytes = new Uint8Array(1 << 14);
let length = 0;

function put(value: number): void {
  if (length === bytes.length) {
    const more = new Uint8Array(2 * length);
    more.set(bytes);
    bytes = more;
  }
  bytes[length++] = value;
}

/** Writes a number below 2^28, seven bits a byte. */
function putNumber(value: number): void {
  for (; value > 127; value >>>= 7) put((value & 127) | 128);
  put(value);
}

/** Returns the byte of a span that differs little from the column before; -1: it differs more. */
function moveOf(span: number, before: number): number {
  const bottom = (span & 0x1fff) - (before & 0x1fff) + REACH;
  const top = ((span >>> 13) & 0x1fff) - ((before >>> 13) & 0x1fff) + REACH;
  const isNear = span >>> 26 === before >>> 26 && bottom >= 0 && bottom < SIDE && top >= 0 && top < SIDE;
  return isNear ? bottom * SIDE + top : -1;
}

/** Returns the spans of a tile as bytes: those of each class, one after the other. */
export function packSpans({ solid, classes }: LaidSpans): Uint8Array<ArrayBuffer> {
  length = 0;
  for (const spans of classes ?? [solid.spans]) putSpans(solid, spans);
  return bytes.slice(0, length);
}

function putSpans({ columnStart, width, depth }: Heightfield, spans: Uint32Array): void {
  let from = 0;
  let count = 0;
  let run = 0;
  for (let c = 0; c < width * depth; c++) {
    const start = columnStart[c];
    const own = columnStart[c + 1] - start;
    let isEqual = own === count;
    for (let k = 0; isEqual && k < own; k++) isEqual = spans[start + k] === spans[from + k];
    if (isEqual) {
      if (++run === MOST_RUN) run = putRun(run);
      continue;
    }
    run = putRun(run);
    const move = own === 1 && count === 1 ? moveOf(spans[start], spans[from]) : -1;
    if (move >= 0) put(move);
    else {
      if (COUNT + own < LONG_COUNT) put(COUNT + own);
      else {
        put(LONG_COUNT);
        putNumber(own);
      }
      for (let k = 0; k < own; k++) putSpan(spans[start + k], k < count ? spans[from + k] : 0);
    }
    from = start;
    count = own;
  }
  putRun(run);
}

function putRun(run: number): 0 {
  if (run > 0) put(RUN + run - 1);
  return 0;
}

function putSpan(span: number, before: number): void {
  const move = before === 0 ? -1 : moveOf(span, before);
  if (move >= 0) return put(move);
  put(WHOLE_SPAN);
  putNumber(spanBottom(span));
  putNumber(spanTop(span) - spanBottom(span));
  put(spanArea(span));
}

/** Columns and spans, as in a Heightfield. */
export interface UnpackedSpans {
  columnStart: Int32Array<ArrayBuffer>;
  spans: Uint32Array<ArrayBuffer>;
  spanCount: number;
  /** As in `LaidSpans`. */
  classes?: Uint32Array<ArrayBuffer>[];
}

/** The bytes that are read, and the position in them. */
const source = { bytes, at: 0 };
let out = new Uint32Array(1 << 14);

/**
 * Unpacks the spans of a grid. Those of the last class are a view of memory that the next call overwrites.
 *
 * @param columnStart gets the start of each column: columns + 1
 * @param classCount how often they were packed
 * @throws Error when the bytes do not describe such a grid
 */
export function unpackSpans(
  packed: Uint8Array<ArrayBuffer>,
  columnStart: Int32Array<ArrayBuffer>,
  classCount: number = 1,
): UnpackedSpans {
  source.bytes = packed;
  source.at = 0;
  const classes: Uint32Array<ArrayBuffer>[] = [];
  for (let k = 0; k < classCount; k++) {
    const count = takeSpans(columnStart);
    if (k > 0 && count !== classes[0].length) fail('classes of spans differ');
    classes.push(k + 1 < classCount ? out.slice(0, count) : out.subarray(0, count));
  }
  if (source.at !== packed.length) fail('bytes are left');
  const spans = classes[classCount - 1];
  const unpacked = { columnStart, spans, spanCount: spans.length };
  return classCount > 1 ? { ...unpacked, classes: [...classes.slice(0, -1), spans.slice()] } : unpacked;
}

/** Reads the spans of a class into `out`, and returns their number. */
function takeSpans(columnStart: Int32Array<ArrayBuffer>): number {
  const columnCount = columnStart.length - 1;
  let from = 0;
  let count = 0;
  let end = 0;
  columnStart[0] = 0;
  for (let c = 0; c < columnCount;) {
    const head = take();
    if (head >= RUN && head < COUNT) {
      const run = head - RUN + 1;
      if (c + run > columnCount) fail('a run of columns leaves the grid');
      makeRoom(end + run * count);
      for (let k = 0; k < run; k++) {
        for (let i = 0; i < count; i++) out[end++] = out[from + i];
        columnStart[++c] = end;
      }
      continue;
    }
    const own = head < RUN ? 1 : head === LONG_COUNT ? takeNumber() : head - COUNT;
    if (own > SPAN_MAX_HEIGHT) fail('a column has too many spans');
    makeRoom(end + own);
    const start = end;
    if (head < RUN) {
      if (count !== 1) fail('a span moves without one before it');
      out[end++] = moved(out[from], head, 0);
    } else {
      let floor = 0;
      for (let k = 0; k < own; k++) {
        out[end] = takeSpan(k < count ? out[from + k] : 0, floor);
        // Spans of a column neither overlap nor touch.
        floor = spanTop(out[end++]) + 1;
      }
    }
    from = start;
    count = own;
    columnStart[++c] = end;
  }
  return end;
}

function makeRoom(count: number): void {
  if (count <= out.length) return;
  const more = new Uint32Array(2 * count);
  more.set(out);
  out = more;
}

function takeSpan(before: number, floor: number): number {
  const head = take();
  if (head < MOVES) {
    if (before === 0) fail('a span moves without one before it');
    return moved(before, head, floor);
  }
  if (head !== WHOLE_SPAN) fail('a span has an unknown form');
  const bottom = takeNumber();
  const height = takeNumber();
  const area = take();
  if (area > 63) fail('an area is above 63');
  return checked(bottom, bottom + height, area, floor);
}

function moved(before: number, move: number, floor: number): number {
  const by = (move / SIDE) | 0;
  return checked(spanBottom(before) + by - REACH, spanTop(before) + (move % SIDE) - REACH, spanArea(before), floor);
}

function checked(bottom: number, top: number, area: number, floor: number): number {
  if (bottom < floor || top <= bottom || top > SPAN_MAX_HEIGHT) fail('a span is out of range');
  return (bottom | (top << 13) | (area << 26)) >>> 0;
}

function take(): number {
  if (source.at >= source.bytes.length) fail('bytes are missing');
  return source.bytes[source.at++];
}

function takeNumber(): number {
  let value = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = take();
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
  return fail('a number is too long');
}

function fail(what: string): never {
  throw new Error(`the layers of a tile are damaged: ${what}`);
}
