/**
 * Finds lanes of a run that are blocked whatever the peak, in one go: a wall blocks hundreds of lanes, and each would be swept at each peak.
 *
 *   height |  ____________ high      The body of every peak holds the band between `low` and `high` while the share f of the way is
 *          | |    /       |          between f0 and f1. A triangle is cut to the band, and what is left covers lanes from
 *          | |___/________| low      s0 to s1: all of these are blocked.
 *          +--s0----s1------ lanes
 *
 * In: a run, bands, triangles. Out: one mark per lane.
 * Cost: linear in the triangles.
 * Based on: own; cutting is that of I. E. Sutherland, G. W. Hodgman, Reentrant Polygon Clipping, 1974.
 */
import { nextIn } from './near.ts';
import type { NearTriangles } from './near.ts';

/** A part of the way and the heights that bodies of all peaks fill there. */
export interface Band {
  f0: number;
  f1: number;
  low: number;
  high: number;
}

/** Lanes of one run: where the first one is along the wall, lane width and count, the distance to the landing. */
export interface LaneStrip {
  along: number;
  step: number;
  count: number;
  distance: number;
}

/** Up to seven corners of a cut triangle, along, up and out; and the same after the next cut. */
let corners = new Float64Array(30);
let spare = new Float64Array(30);
let cornerCount = 0;
const box = new Float64Array(6);

/** Marks blocked lanes with 1. */
export function markBlocked(
  isBlocked: Uint8Array,
  strip: LaneStrip,
  bands: readonly Band[],
  near: NearTriangles,
): void {
  const { along, step, count, distance } = strip;
  box[0] = along;
  box[3] = along + (count - 1) * step;
  for (const { f0, f1, low, high } of bands) {
    if (!(low < high)) continue;
    box[1] = low;
    box[4] = high;
    box[2] = f0 * distance;
    box[5] = f1 * distance;
    for (let t = nextIn(near, 0, box); t < near.count; t = nextIn(near, t + 1, box)) {
      cornerCount = 3;
      for (let i = 0; i < 9; i++) corners[i] = near.corners[9 * t + i];
      cutAt(2, box[2], 1);
      cutAt(2, box[5], -1);
      cutAt(1, low, 1);
      cutAt(1, high, -1);
      if (cornerCount === 0) continue;
      let s0 = Infinity;
      let s1 = -Infinity;
      for (let i = 0; i < cornerCount; i++) {
        s0 = Math.min(s0, corners[3 * i]);
        s1 = Math.max(s1, corners[3 * i]);
      }
      const last = Math.min(count - 1, Math.floor((s1 - along) / step));
      for (let i = Math.max(0, Math.ceil((s0 - along) / step)); i <= last; i++) isBlocked[i] = 1;
    }
  }
}

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
