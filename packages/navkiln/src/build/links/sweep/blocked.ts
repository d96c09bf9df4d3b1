/**
 * Finds the peaks at which lanes of a run are blocked, for all lanes together. One wall can block hundreds of lanes, and a separate sweep
 * of each lane at each peak is slow.
 *
 *   height |  ____________ high      A triangle is cut to a band (bands.ts). The rest covers lanes from s0 to s1: these lanes are
 *          | |    /       |          blocked, and so are lanes that are nearer to it than `wide` of the band.
 *          | |___/________| low
 *          +--s0----s1------ lanes
 *
 * In: a run, bands, triangles. Out: one mark per lane.
 * Cost: linear in the triangles.
 * Based on: own; the triangles are clipped as in I. E. Sutherland, G. W. Hodgman, Reentrant Polygon Clipping, 1974.
 */
import { PART } from './bands.ts';
import type { Bands } from './bands.ts';
import { nextIn } from './near.ts';
import type { NearTriangles } from './near.ts';

/** Lanes `from` .. `to` of a wall, the distance between two lanes, and the distance to the landing. */
export interface LaneStrip {
  from: number;
  to: number;
  step: number;
  distance: number;
}

/** The rest of a clipped triangle: up to seven corners with coordinates along the wall, up and outward. */
interface Piece {
  count: number;
  corners: Float64Array;
}

const createPiece = (): Piece => ({ count: 0, corners: new Float64Array(24) });
const given = createPiece();
const spare = createPiece();
/** Pieces of the current triangle: clipped to the distances of a part of the trajectory, and then to heights. */
const part = createPiece();
const piece = createPiece();
const box = new Float64Array(6);

/**
 * Marks blocked lanes. If the bands hold for all peaks, a lane gets all bits of `all`; otherwise the band of peak k sets bit k. Returns
 * whether a lane is free at some peak.
 */
// oxlint-disable-next-line max-params -- kernel
export function markBlocked(
  marks: Uint8Array,
  all: number,
  strip: LaneStrip,
  { rows, count, bandCount }: Bands,
  near: NearTriangles,
): boolean {
  const { from, to, step, distance } = strip;
  for (let row = 0; row < PART * count; row += PART) {
    box[1] = Infinity;
    box[4] = -Infinity;
    let widest = 0;
    for (let i = row + 2; i < row + 2 + 3 * bandCount; i += 3) {
      box[1] = Math.min(box[1], rows[i]);
      box[4] = Math.max(box[4], rows[i + 1]);
      widest = Math.max(widest, rows[i + 2]);
    }
    box[0] = from * step - widest;
    box[3] = to * step + widest;
    box[2] = rows[row] * distance;
    box[5] = rows[row + 1] * distance;
    for (let t = nextIn(near, 0, box); t < near.count; t = nextIn(near, t + 1, box)) {
      const first = Math.max(from, Math.ceil((near.boxes[6 * t] - widest) / step));
      const last = Math.min(to, Math.floor((near.boxes[6 * t + 3] + widest) / step));
      if (areMarked(marks, all, first, last)) continue;
      for (let i = 0; i < 9; i++) given.corners[i] = near.corners[9 * t + i];
      given.count = 3;
      cutTo(part, given, 2, box[2], box[5]);
      if (part.count === 0) continue;
      for (let k = 0; k < bandCount; k++) {
        const mask = bandCount === 1 ? all : 1 << k;
        if (!areMarked(marks, mask, first, last)) markPart(marks, strip, mask, rows, row + 2 + 3 * k);
      }
    }
    if (areMarked(marks, all, from, to)) return false;
  }
  return true;
}

/** Marks the lanes that `part` blocks in one band. */
function markPart(
  marks: Uint8Array,
  { from, to, step }: LaneStrip,
  mask: number,
  rows: Float64Array,
  band: number,
): void {
  if (!(rows[band] < rows[band + 1])) return;
  cutTo(piece, part, 1, rows[band], rows[band + 1]);
  const wide = rows[band + 2];
  let s0 = Infinity;
  let s1 = -Infinity;
  for (let i = 0; i < 3 * piece.count; i += 3) {
    if (piece.corners[i] < s0) s0 = piece.corners[i];
    if (piece.corners[i] > s1) s1 = piece.corners[i];
  }
  const last = Math.min(to, Math.floor((s1 + wide) / step));
  for (let i = Math.max(from, Math.ceil((s0 - wide) / step)); i <= last; i++) marks[i] |= mask;
}

function areMarked(marks: Uint8Array, mask: number, from: number, to: number): boolean {
  for (let i = from; i <= to; i++) if ((marks[i] & mask) !== mask) return false;
  return true;
}

/** Keeps the part of a piece whose coordinate is between low and high. */
function cutTo(out: Piece, from: Piece, axis: number, low: number, high: number): void {
  let least = Infinity;
  let most = -Infinity;
  for (let i = axis; i < 3 * from.count; i += 3) {
    if (from.corners[i] < least) least = from.corners[i];
    if (from.corners[i] > most) most = from.corners[i];
  }
  if (least > high || most < low) {
    out.count = 0;
    return;
  }
  if (least >= low) {
    cutAt(out, from, axis, high, -1);
    return;
  }
  if (most <= high) {
    cutAt(out, from, axis, low, 1);
    return;
  }
  cutAt(spare, from, axis, low, 1);
  cutAt(out, spare, axis, high, -1);
}

/** Keeps the part where a coordinate is at least (sign 1) or at most (sign -1) a value. */
function cutAt(out: Piece, from: Piece, axis: number, value: number, sign: number): void {
  const { corners, count } = from;
  const kept = out.corners;
  let at = 0;
  for (let p = 0; p < 3 * count; p += 3) {
    const q = p + 3 === 3 * count ? 0 : p + 3;
    const here = sign * (corners[p + axis] - value);
    const there = sign * (corners[q + axis] - value);
    if (here >= 0) {
      kept[at] = corners[p];
      kept[at + 1] = corners[p + 1];
      kept[at + 2] = corners[p + 2];
      at += 3;
    }
    if (here < 0 === there < 0) continue;
    const t = here / (here - there);
    kept[at] = corners[p] + t * (corners[q] - corners[p]);
    kept[at + 1] = corners[p + 1] + t * (corners[q + 1] - corners[p + 1]);
    kept[at + 2] = corners[p + 2] + t * (corners[q + 2] - corners[p + 2]);
    at += 3;
  }
  out.count = at / 3;
}
