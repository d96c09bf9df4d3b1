/**
 * The polygons of a tile while outlines are cut out of them: sides that know the side behind them.
 *
 * A convex polygon is split along each line of an outline that crosses it. The part outside of the line is a convex piece, and the rest is
 * split along the next line. What is inside of all lines is removed. Each side knows its twin, the same side of the polygon behind it, so
 * a corner that a split adds to a side is added to both polygons at once, and pieces always conform.
 *
 * A corner within `snap` of a line counts as on it. A split then runs from corner to corner, and no piece is narrower than `snap`.
 *
 * In: a tile without holes and outlines. Out: pieces, which emit.ts turns into a tile.
 * Cost: polygons times outlines for boxes; lines times corners for each polygon that an outline touches.
 * Based on: own; the doubly connected edge list is that of Muller and Preparata (1978).
 */
import type { CleanTile } from './clean.ts';
import { MOST_LINES } from './outline.ts';
import type { Outline } from './outline.ts';
import { heightRange } from './surface.ts';

/** States of a piece: as it was; with more corners; a part of its polygon; removed. */
export const WHOLE = 0;
export const PINNED = 1;
export const PART = 2;
export const GONE = 3;

/** Sides and pieces, as growable arrays. */
export interface Pieces {
  /** xyz. */
  vertices: Float64Array;
  vertexCount: number;
  /** Per side: the corner at which it begins, the next side of its piece, its twin (as in `CleanTile`), its piece. */
  from: Int32Array;
  next: Int32Array;
  twin: Int32Array;
  piece: Int32Array;
  sideCount: number;
  /** Per piece: one of its sides, the polygon that it is a part of, its state, its box (min x, min z, max x, max z). */
  first: Int32Array;
  source: Int32Array;
  state: Uint8Array;
  boxes: Float64Array;
  pieceCount: number;
}

export function createPieces(): Pieces {
  return {
    vertices: new Float64Array(768),
    vertexCount: 0,
    from: new Int32Array(1024),
    next: new Int32Array(1024),
    twin: new Int32Array(1024),
    piece: new Int32Array(1024),
    sideCount: 0,
    first: new Int32Array(256),
    source: new Int32Array(256),
    state: new Uint8Array(256),
    boxes: new Float64Array(1024),
    pieceCount: 0,
  };
}

/** Loads a tile. */
export function loadClean(pieces: Pieces, { tile, twin, boxes }: CleanTile): void {
  const { polyCount, polyEdgeStart, edgeVertex, vertexCount } = tile;
  const sideCount = polyEdgeStart[polyCount];
  reserve(pieces, sideCount, vertexCount, polyCount);
  pieces.vertices.set(tile.vertices.subarray(0, 3 * vertexCount));
  pieces.from.set(edgeVertex.subarray(0, sideCount));
  pieces.twin.set(twin);
  pieces.vertexCount = vertexCount;
  pieces.sideCount = sideCount;
  pieces.pieceCount = polyCount;
  const { next, piece, first, source, state } = pieces;
  const own = pieces.boxes;
  for (let p = 0; p < polyCount; p++) {
    const begin = polyEdgeStart[p];
    const end = polyEdgeStart[p + 1];
    for (let s = begin; s < end; s++) {
      next[s] = s + 1;
      piece[s] = p;
    }
    next[end - 1] = begin;
    first[p] = begin;
    source[p] = p;
    state[p] = WHOLE;
    own[4 * p] = boxes[6 * p];
    own[4 * p + 1] = boxes[6 * p + 2];
    own[4 * p + 2] = boxes[6 * p + 3];
    own[4 * p + 3] = boxes[6 * p + 5];
  }
}

/** Makes room for more sides, corners and pieces. */
function reserve(pieces: Pieces, sides: number, vertices: number, count: number): void {
  if (pieces.from.length < sides) {
    for (const key of ['from', 'next', 'twin', 'piece'] as const) pieces[key] = grown(pieces[key], sides);
  }
  if (pieces.vertices.length < 3 * vertices) pieces.vertices = grown(pieces.vertices, 3 * vertices);
  if (pieces.first.length < count) {
    pieces.first = grown(pieces.first, count);
    pieces.source = grown(pieces.source, count);
    pieces.state = grown(pieces.state, count);
    pieces.boxes = grown(pieces.boxes, 4 * count);
  }
}

function grown<T extends Float64Array | Int32Array | Uint8Array>(array: T, least: number): T {
  const out = new (array.constructor as new (length: number) => T)(Math.max(least, 2 * array.length));
  out.set(array);
  return out;
}

/** Offsets of the lines that cross the current polygon. */
const crossing = new Int32Array(MOST_LINES);
/** Its corners: x and z. */
const loop = new Float64Array(2 * 4096);

/** Pieces whose box overlaps the current outline: the piece, and whether it is cut, as the constants below. */
const found: number[] = [];
const verdicts: number[] = [];
const AWAY = 0;
const CUT = 1;
/** The piece overlaps the outline, or may do so, and no floor of it there is between the heights of the outline. */
const MISSED = 2;

/** Cuts an outline out of all pieces. Returns whether it touched one. */
export function cutOutline(pieces: Pieces, clean: CleanTile, outline: Outline, snap: number): boolean {
  const { minX, minZ, maxX, maxZ } = outline;
  found.length = 0;
  let isCut = false;
  let hasMissed = false;
  for (let p = 0; p < pieces.pieceCount; p++) {
    const box = pieces.boxes;
    if (box[4 * p] >= maxX || box[4 * p + 2] <= minX || box[4 * p + 1] >= maxZ || box[4 * p + 3] <= minZ) continue;
    if (pieces.state[p] === GONE) continue;
    const verdict = judge(pieces, clean, p, outline, snap);
    if (verdict === AWAY) continue;
    verdicts[found.length] = verdict;
    found.push(p);
    if (verdict === CUT) isCut = true;
    else hasMissed = true;
  }
  if (!isCut) return false;
  if (hasMissed) spread(pieces, clean, outline, snap);
  for (let i = 0; i < found.length; i++) {
    if (verdicts[i] !== CUT) continue;
    const p = found[i];
    const isEmpty = clean.isEmpty[pieces.source[p]] === 1;
    const crossed = findCrossing(pieces, p, outline, snap, isEmpty);
    if (isEmpty) remove(pieces, p);
    else if (crossed >= 0) cutPiece(pieces, p, outline.lines, crossed, snap);
  }
  return true;
}

/** Returns whether a piece is cut. */
function judge(pieces: Pieces, clean: CleanTile, p: number, outline: Outline, snap: number): number {
  const { boxes, isEmpty } = clean;
  const { minY, maxY } = outline;
  const source = pieces.source[p];
  const b = 6 * source;
  if (boxes[b + 1] >= maxY || boxes[b + 4] <= minY) return MISSED;
  if (findCrossing(pieces, p, outline, snap, isEmpty[source] === 1) < 0) return AWAY;
  // The polygon may be high above the outline in one place and touch it in another.
  return (boxes[b + 1] > minY && boxes[b + 4] < maxY) || isTouched(pieces, clean, p, outline) ? CUT : MISSED;
}

/** Cuts the missed pieces, too, that continue the floor of a cut piece within the outline: an agent there would touch the obstacle. */
function spread(pieces: Pieces, clean: CleanTile, outline: Outline, snap: number): void {
  const { first, next, from, twin, piece, vertices } = pieces;
  const open = found.filter((_, i) => verdicts[i] === CUT);
  for (let p = open.pop(); p !== undefined; p = open.pop()) {
    let side = first[p];
    do {
      const i = twin[side] < 0 ? -1 : found.indexOf(piece[twin[side]]);
      if (i >= 0 && verdicts[i] === MISSED && crosses(outline, vertices, 3 * from[side], 3 * from[next[side]], snap)) {
        const isEmpty = clean.isEmpty[pieces.source[found[i]]] === 1;
        verdicts[i] = findCrossing(pieces, found[i], outline, snap, isEmpty) < 0 ? AWAY : CUT;
        if (verdicts[i] === CUT) open.push(found[i]);
      }
      side = next[side];
    } while (side !== first[p]);
  }
}

/** Returns whether a segment between two vertices crosses an outline, seen from above. */
function crosses({ lines }: Outline, vertices: Float64Array, v: number, w: number, snap: number): boolean {
  let enter = 0;
  let leave = 1;
  for (let l = 0; l < lines.length; l += 3) {
    const d = lines[l] * vertices[v] + lines[l + 1] * vertices[v + 2] - lines[l + 2] + snap;
    const e = lines[l] * vertices[w] + lines[l + 1] * vertices[w + 2] - lines[l + 2] + snap;
    if (d >= 0 && e >= 0) return false;
    if (d > 0) enter = Math.max(enter, d / (d - e));
    else if (e > 0) leave = Math.min(leave, d / (d - e));
  }
  return enter < leave;
}

/** Lists the lines that cross a piece. Returns their number, or -1 if the outline does not overlap the piece. */
function findCrossing(pieces: Pieces, p: number, { lines, corners }: Outline, snap: number, isEmpty: boolean): number {
  const { vertices, from, next, first } = pieces;
  let n = 0;
  const begin = first[p];
  let side = begin;
  do {
    const v = 3 * from[side];
    loop[n++] = vertices[v];
    loop[n++] = vertices[v + 2];
    side = next[side];
  } while (side !== begin);
  let crossed = 0;
  for (let l = 0; l < lines.length; l += 3) {
    const a = lines[l];
    const b = lines[l + 1];
    const c = lines[l + 2];
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < n; k += 2) {
      const d = a * loop[k] + b * loop[k + 1] - c;
      if (d < low) low = d;
      if (d > high) high = d;
    }
    if (low >= -snap) return -1;
    if (high > snap) crossing[crossed++] = l;
  }
  if (isEmpty) return crossed;
  // The outline may also lie outside of one side of the piece.
  for (let k = 0, before = n - 2; k < n; before = k, k += 2) {
    const ax = loop[before];
    const az = loop[before + 1];
    const dx = loop[k] - ax;
    const dz = loop[k + 1] - az;
    let isOutside = true;
    for (let c = 0; isOutside && c < corners.length; c += 2) {
      isOutside = dz * (corners[c] - ax) - dx * (corners[c + 1] - az) <= 0;
    }
    if (isOutside) return -1;
  }
  return crossed;
}

/** Returns whether a floor of the piece within the outline is between the heights of the outline. */
function isTouched(pieces: Pieces, clean: CleanTile, p: number, outline: Outline): boolean {
  const { vertices, from, next, first, source } = pieces;
  const begin = first[p];
  let n = 0;
  let side = begin;
  do {
    const v = 3 * from[side];
    loop[n++] = vertices[v];
    loop[n++] = vertices[v + 2];
    side = next[side];
  } while (side !== begin);
  heightRange(clean, source[p], loop, n / 2, outline, range);
  return range[0] < outline.maxY && range[1] > outline.minY;
}

const range = new Float64Array(2);

/** Splits a piece along the crossing lines, and removes what is inside of all lines. */
// oxlint-disable-next-line max-params -- kernel
function cutPiece(pieces: Pieces, p: number, lines: readonly number[], crossed: number, snap: number): void {
  for (let i = 0; i < crossed; i++) {
    const l = crossing[i];
    if (!splitPiece(pieces, p, lines[l], lines[l + 1], lines[l + 2], snap)) return;
  }
  remove(pieces, p);
}

function remove({ first, next, twin, state }: Pieces, p: number): void {
  const begin = first[p];
  let side = begin;
  do {
    if (twin[side] >= 0) twin[twin[side]] = -1;
    side = next[side];
  } while (side !== begin);
  state[p] = GONE;
}

/**
 * Splits a piece along a line. The part outside becomes a new piece. Returns whether a part is left inside of the line.
 */
// oxlint-disable-next-line max-params -- kernel
function splitPiece(pieces: Pieces, p: number, a: number, b: number, c: number, snap: number): boolean {
  const { vertices, from, next, first } = pieces;
  const begin = first[p];
  // The last side before each of the two corners at which the outside begins and ends; 2: a new corner on that side.
  let side = begin;
  let v = 3 * from[side];
  let d = a * vertices[v] + b * vertices[v + 2] - c;
  let out = -1;
  let outShare = 0;
  let back = -1;
  let backShare = 0;
  let hasInside = false;
  do {
    const after = next[side];
    v = 3 * from[after];
    const e = a * vertices[v] + b * vertices[v + 2] - c;
    if (e < -snap) hasInside = true;
    if (d <= snap && e > snap) {
      // The outside begins at the start of this side, or within it.
      out = side;
      outShare = d < -snap ? d / (d - e) : 0;
    } else if (d > snap && e <= snap) {
      back = side;
      backShare = e < -snap ? d / (d - e) : 1;
    }
    d = e;
    side = after;
  } while (side !== begin);
  if (!hasInside) return false;
  if (out < 0 || back < 0) return true;
  if (outShare > 0) splitSide(pieces, out, outShare);
  if (backShare < 1) splitSide(pieces, back, backShare);
  // The outside runs from the start of `enter` to the start of `leave`.
  const enter = outShare > 0 ? pieces.next[out] : out;
  splitAlong(pieces, p, enter, back);
  return true;
}

/**
 * Adds a corner to a side and to its twin, at a share of its length. The new side follows the side. The corner lies on the line of the side;
 * emit.ts moves it onto the surface.
 */
function splitSide(pieces: Pieces, side: number, share: number): void {
  reserve(pieces, pieces.sideCount + 2, pieces.vertexCount + 1, 0);
  const { vertices, from, next, twin, piece, state } = pieces;
  const vertex = pieces.vertexCount++;
  const u = 3 * from[side];
  const w = 3 * from[next[side]];
  const at = 3 * vertex;
  for (let k = 0; k < 3; k++) vertices[at + k] = vertices[u + k] + share * (vertices[w + k] - vertices[u + k]);
  const more = pieces.sideCount++;
  from[more] = vertex;
  next[more] = next[side];
  next[side] = more;
  piece[more] = piece[side];
  if (state[piece[side]] === WHOLE) state[piece[side]] = PINNED;
  const other = twin[side];
  twin[more] = other;
  if (other < 0) return;
  const back = pieces.sideCount++;
  from[back] = vertex;
  next[back] = next[other];
  next[other] = back;
  piece[back] = piece[other];
  if (state[piece[other]] === WHOLE) state[piece[other]] = PINNED;
  twin[side] = back;
  twin[back] = side;
  twin[more] = other;
  twin[other] = more;
}

/** Makes a new piece of the sides from `enter` to `last`. */
function splitAlong(pieces: Pieces, p: number, enter: number, last: number): void {
  reserve(pieces, pieces.sideCount + 2, 0, pieces.pieceCount + 1);
  const { vertices, from, next, twin, piece, first, state, source, boxes } = pieces;
  const made = pieces.pieceCount++;
  const outer = pieces.sideCount++;
  const inner = pieces.sideCount++;
  const leave = next[last];
  let before = leave;
  while (next[before] !== enter) before = next[before];
  from[outer] = from[leave];
  next[outer] = enter;
  next[last] = outer;
  from[inner] = from[enter];
  next[inner] = leave;
  next[before] = inner;
  twin[outer] = inner;
  twin[inner] = outer;
  piece[inner] = p;
  first[p] = inner;
  first[made] = outer;
  source[made] = source[p];
  state[made] = PART;
  state[p] = PART;
  let minX = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxZ = -Infinity;
  let side = outer;
  do {
    const v = 3 * from[side];
    const x = vertices[v];
    const z = vertices[v + 2];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
    piece[side] = made;
    side = next[side];
  } while (side !== outer);
  boxes[4 * made] = minX;
  boxes[4 * made + 1] = minZ;
  boxes[4 * made + 2] = maxX;
  boxes[4 * made + 3] = maxZ;
}
