/**
 * Finds lanes of a run that are blocked at some peaks, in one go: a wall blocks hundreds of lanes, and each would be swept at each peak.
 *
 *   height |  ____________ high      The body holds the band between `low` and `high` while the share f of the way is between f0
 *          | |    /       |          and f1. A triangle is cut to the band, and what is left covers lanes from s0 to s1: all of
 *          | |___/________| low      these are blocked, and so are lanes that are nearer to it than the radius of the body there.
 *          +--s0----s1------ lanes
 *
 * In: a run, bands, triangles. Out: one mark per lane.
 * Cost: linear in the triangles.
 * Based on: own; cutting is that of I. E. Sutherland, G. W. Hodgman, Reentrant Polygon Clipping, 1974.
 */
import { nextIn } from './near.ts';
import type { NearTriangles } from './near.ts';
import type { Body } from './types.ts';

/** Numbers per band: the shares f0 and f1 of a part of the way, and the heights that bodies fill there, low and high. */
export const BAND = 4;

/** Bands of a way, `BAND` numbers each. Reused from way to way. */
export interface Bands {
  count: number;
  rows: Float64Array;
}

export function createBands(): Bands {
  return { count: 0, rows: new Float64Array(8 * BAND) };
}

/** Lanes from .. to of a wall, the distance between them and to the landing. */
export interface LaneStrip {
  from: number;
  to: number;
  step: number;
  distance: number;
}

/** Up to seven corners of a cut triangle, along, up and out; and the same after the next cut. */
let corners = new Float64Array(30);
let spare = new Float64Array(30);
let cornerCount = 0;
const box = new Float64Array(6);

/** Sets the bits of `mask` in the marks of blocked lanes. */
// oxlint-disable-next-line max-params -- kernel
export function markBlocked(
  marks: Uint8Array,
  mask: number,
  strip: LaneStrip,
  { rows, count }: Bands,
  { rounding, disc }: Body,
  near: NearTriangles,
): void {
  const { from, to, step, distance } = strip;
  for (let at = 0; at < BAND * count; at += BAND) {
    const low = rows[at + 2];
    const high = rows[at + 3];
    if (!(low < high)) continue;
    // The body is round at its ends: a part of the band is left out, and the body is this wide in the rest.
    const inner = Math.min(rounding, (high - low) / 4);
    const wide = SURE * (disc + Math.sqrt(inner * (2 * rounding - inner)));
    box[0] = from * step - wide;
    box[3] = to * step + wide;
    box[1] = low + inner;
    box[4] = high - inner;
    box[2] = rows[at] * distance;
    box[5] = rows[at + 1] * distance;
    for (let t = nextIn(near, 0, box); t < near.count; t = nextIn(near, t + 1, box)) {
      let first = Math.max(from, Math.ceil((near.boxes[6 * t] - wide) / step));
      let last = Math.min(to, Math.floor((near.boxes[6 * t + 3] + wide) / step));
      while (first <= last && (marks[first] & mask) === mask) first++;
      if (first > last) continue;
      cutToBox(near, t);
      if (cornerCount === 0) continue;
      let s0 = Infinity;
      let s1 = -Infinity;
      for (let i = 0; i < 3 * cornerCount; i += 3) {
        if (corners[i] < s0) s0 = corners[i];
        if (corners[i] > s1) s1 = corners[i];
      }
      first = Math.max(first, Math.ceil((s0 - wide) / step));
      last = Math.min(last, Math.floor((s1 + wide) / step));
      for (let i = first; i <= last; i++) marks[i] |= mask;
    }
  }
}

/** Cuts a triangle to the heights and distances of the box. */
function cutToBox({ corners: given, boxes }: NearTriangles, t: number): void {
  cornerCount = 3;
  for (let i = 0; i < 9; i++) corners[i] = given[9 * t + i];
  const at = 6 * t;
  if (boxes[at + 2] < box[2]) cutAt(2, box[2], 1);
  if (boxes[at + 5] > box[5]) cutAt(2, box[5], -1);
  if (boxes[at + 1] < box[1]) cutAt(1, box[1], 1);
  if (boxes[at + 4] > box[4]) cutAt(1, box[4], -1);
}

/** Rounding must not make a body wider than it is. */
const SURE = 1 - 1e-6;

/** Keeps the part where a coordinate is at least (sign 1) or at most (sign -1) a value. */
function cutAt(axis: number, value: number, sign: number): void {
  let kept = 0;
  for (let i = 0; i < cornerCount; i++) {
    const p = 3 * i;
    const q = 3 * (i + 1 === cornerCount ? 0 : i + 1);
    const here = sign * (corners[p + axis] - value);
    const there = sign * (corners[q + axis] - value);
    if (here >= 0) {
      for (let k = 0; k < 3; k++) spare[3 * kept + k] = corners[p + k];
      kept++;
    }
    if (here < 0 === there < 0) continue;
    const t = here / (here - there);
    for (let k = 0; k < 3; k++) spare[3 * kept + k] = corners[p + k] + t * (corners[q + k] - corners[p + k]);
    kept++;
  }
  [corners, spare] = [spare, corners];
  cornerCount = kept;
}
