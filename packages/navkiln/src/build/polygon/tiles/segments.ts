/**
 * Weighted segments, and their split along the lines of a grid of tiles: the segments of each tile enclose exactly what
 * the whole encloses there.
 *
 * Rings are split first into rows, then each row into columns. Where a segment crosses a line, both sides get the same grid
 * point next to the crossing. Along the line, the winding number on its lower side is known from the crossings in order;
 * segments with that weight close both sides. So a tile needs no complete ring, and its segments depend only on what
 * crosses it and on the winding numbers at its lines.
 *
 * In: rings with weights.
 * Out: segments by tile.
 * Cost: linear, and O(k log k) for k crossings of a line.
 * Based on: own.
 */
import { MAX_GRID_EXTENT } from '../../../base/plane/grid-predicates.ts';
import type { Rings } from '../../../base/plane/types.ts';

/** Numbers of a segment: x and y of its ends, and how much larger the winding number is on its left. */
export const SEGMENT = 5;

/** SegmentList on the grid, `SEGMENT` numbers each. */
export interface SegmentList {
  count: number;
  data: Int32Array;
  /** Whether a crossing with a line was rounded, so that what touched there may be apart. */
  isRounded: boolean;
  /** Whether points on lines belong to the strips on both sides, so that both join the same. They are segments of no length. */
  areShared: boolean;
}

/** The segments of one tile; x and y count tiles. */
export interface TileSegments {
  x: number;
  y: number;
  segments: SegmentList;
}

const X = 0;
const Y = 1;
/** A number above that of the crossings of a line. */
const INDICES = 2 ** 24;

function createSegments(room: number, isRounded: boolean = false, areShared: boolean = false): SegmentList {
  return { count: 0, data: new Int32Array(SEGMENT * room), isRounded, areShared };
}

/** Returns the segments of rings; `weights`: how often each ring counts, or all; `joinCells`: as in `GridMap`. */
export function segmentsOf(
  { ringCount, start, x, y }: Rings,
  weights: number | ArrayLike<number>,
  joinCells: number = 0,
): SegmentList {
  const out = createSegments(x.length, false, joinCells > 0);
  for (let r = 0; r < ringCount; r++) {
    const weight = typeof weights === 'number' ? weights : weights[r];
    for (let i = start[r]; i < start[r + 1]; i++) {
      const j = i + 1 < start[r + 1] ? i + 1 : start[r];
      setEnds(out, x[i], y[i], x[j], y[j]);
      closeSegment(out, weight);
    }
  }
  return out;
}

/** Returns the segments of both lists. */
export function joinSegments(a: SegmentList, b: SegmentList): SegmentList {
  const data = new Int32Array(SEGMENT * (a.count + b.count));
  data.set(a.data.subarray(0, SEGMENT * a.count));
  data.set(b.data.subarray(0, SEGMENT * b.count), SEGMENT * a.count);
  return { count: a.count + b.count, data, isRounded: a.isRounded || b.isRounded, areShared: a.areShared };
}

/** Writes the ends of the next segment. */
function setEnds(out: SegmentList, ax: number, ay: number, bx: number, by: number): void {
  if (SEGMENT * (out.count + 1) > out.data.length) {
    const larger = new Int32Array(2 * out.data.length + 16 * SEGMENT);
    larger.set(out.data);
    out.data = larger;
  }
  const at = SEGMENT * out.count;
  out.data[at] = ax;
  out.data[at + 1] = ay;
  out.data[at + 2] = bx;
  out.data[at + 3] = by;
}

/** Writes the weight of the next segment, and counts it. */
function closeSegment(out: SegmentList, weight: number): void {
  out.data[SEGMENT * out.count++ + 4] = weight;
}

/**
 * Returns the segments of each tile of `side` cells that has any, row by row. Tile (0, 0) begins at cell (0, 0).
 *
 * @param isPart segments of others are added: tiles that the segments only touch are returned, too, with the points on their sides
 */
export function splitIntoTiles(all: SegmentList, side: number, isPart: boolean = false): TileSegments[] {
  const tiles: TileSegments[] = [];
  for (const row of splitAlong(all, Y, side, isPart)) {
    for (const { index, segments } of splitAlong(row.segments, X, side, isPart)) {
      tiles.push({ x: index, y: row.index, segments });
    }
  }
  return tiles;
}

interface Strip {
  index: number;
  segments: SegmentList;
}

/** Crossings of the line at the upper end of a strip: position along the line, and change of the winding number. */
interface Crossings {
  at: number[];
  change: number[];
}

/** Splits segments into strips of `side` cells along an axis. Returns strips with segments only. */
function splitAlong(all: SegmentList, axis: 0 | 1, side: number, isPart: boolean): Strip[] {
  const { count, data } = all;
  let low = Infinity;
  let high = -Infinity;
  for (let k = axis; k < SEGMENT * count; k += SEGMENT) {
    if (data[k] < low) low = data[k];
    if (data[k] > high) high = data[k];
    if (data[k + 2] < low) low = data[k + 2];
    if (data[k + 2] > high) high = data[k + 2];
  }
  if (count === 0) return [];
  // From below, a strip also has the points on its upper line.
  const first = (isPart && all.areShared ? Math.ceil(low / side) : Math.floor(low / side) + 1) - 1;
  const stripCount = Math.floor(high / side) - first + 1;
  const room = Math.ceil((1.1 * count) / stripCount) + 16;
  const strips = Array.from({ length: stripCount }, (_, k) => ({
    index: first + k,
    segments: createSegments(room, all.isRounded, all.areShared),
  }));
  const crossings: Crossings[] = strips.map(() => ({ at: [], change: [] }));
  for (let k = 0; k < SEGMENT * count; k += SEGMENT) {
    placeSegment(data, k, { axis, side, first, strips, crossings });
    if (all.areShared) shareEnd(data, k, { axis, side, first, strips, crossings });
  }
  for (let k = 0; k < stripCount; k++) {
    closeLine(crossings[k], axis, (first + k + 1) * side, strips[k].segments, strips[k + 1]?.segments);
  }
  return strips.filter(({ segments }) => segments.count > 0);
}

interface Placing {
  axis: 0 | 1;
  side: number;
  first: number;
  strips: Strip[];
  crossings: Crossings[];
}

/** Adds a segment to the strips that it runs through, cut at their lines. */
function placeSegment(data: Int32Array, at: number, { axis, side, first, strips, crossings }: Placing): void {
  const weight = data[at + 4];
  const a = data[at + axis];
  const b = data[at + 2 + axis];
  if (a === b) {
    // Along a line, a segment belongs to the strip above it.
    addPiece(
      strips[Math.floor(a / side) - first].segments,
      axis,
      a,
      data[at + 1 - axis],
      b,
      data[at + 3 - axis],
      weight,
    );
    return;
  }
  const isForward = a < b;
  const low = isForward ? a : b;
  const high = isForward ? b : a;
  const lowAcross = data[at + (isForward ? 1 : 3) - axis];
  const highAcross = data[at + (isForward ? 3 : 1) - axis];
  // Winding numbers grow along the line by the weight of segments that lead upwards where the line leads to their left.
  const change = isForward === (axis === X) ? weight : -weight;
  let from = low;
  let fromAcross = lowAcross;
  for (let strip = Math.floor(low / side) - first; ; strip++) {
    const line = (first + strip + 1) * side;
    const to = high < line ? high : line;
    // Exact up to the division, as differences have 26 bits.
    const exact = to === high ? highAcross : lowAcross + ((to - low) * (highAcross - lowAcross)) / (high - low);
    const across = Math.round(exact);
    const { segments } = strips[strip];
    if (across !== exact) segments.isRounded = strips[strip + 1].segments.isRounded = true;
    if (isForward) addPiece(segments, axis, from, fromAcross, to, across, weight);
    else addPiece(segments, axis, to, across, from, fromAcross, weight);
    if (to === line && weight !== 0) {
      crossings[strip].at.push(across);
      crossings[strip].change.push(change);
    }
    if (to === high) return;
    from = to;
    fromAcross = across;
  }
}

/** Adds the first end of a segment to the strips on both sides of the line that it lies on. */
function shareEnd(data: Int32Array, at: number, { axis, side, first, strips }: Placing): void {
  const line = data[at + axis];
  if (line % side !== 0) return;
  const across = data[at + 1 - axis];
  const strip = line / side - first;
  for (let k = strip - 1; k <= strip; k++) {
    if (k >= 0 && k < strips.length) addPiece(strips[k].segments, axis, line, across, line, across, 0);
  }
}

// oxlint-disable-next-line max-params -- hot loop: one call for each segment
function addPiece(
  out: SegmentList,
  axis: number,
  a: number,
  aAcross: number,
  b: number,
  bAcross: number,
  weight: number,
): void {
  if (axis === X) setEnds(out, a, aAcross, b, bAcross);
  else setEnds(out, aAcross, a, bAcross, b);
  closeSegment(out, weight);
}

/** Closes the strips below and above a line by segments along it, where the winding number below it is not 0. */
function closeLine(
  { at, change }: Crossings,
  axis: 0 | 1,
  line: number,
  below: SegmentList,
  above: SegmentList | undefined,
): void {
  // Sorted by position; the lower bits are the index.
  const order = Float64Array.from(at, (position, k) => (position + MAX_GRID_EXTENT) * INDICES + k).sort();
  const sign = axis === X ? 1 : -1;
  let winding = 0;
  let from = 0;
  for (let k = 0; k < order.length; k++) {
    const index = order[k] % INDICES;
    const to = at[index];
    if (winding !== 0 && to > from) {
      addPiece(below, 1 - axis, from, line, to, line, sign * winding);
      addPiece(above!, 1 - axis, from, line, to, line, -sign * winding);
    }
    from = to;
    winding += change[index];
  }
}
