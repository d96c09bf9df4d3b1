/**
 * Bands: the heights that a moving body fills in each part of its trajectory, for all heights of the ends within their ranges. A triangle
 * that reaches into a band blocks the trajectory.
 *
 *   height |  ____________ high      While the share f of the distance is between f0 and f1, the body fills the band between `low`
 *          | |            |          and `high`. The band leaves out the round ends of the body: in the rest, the body extends at
 *          | |____________| low      least `wide` to each side.
 *          +-f0----------f1-> distance
 *
 * In: kind, peaks, the ranges of heights. Out: bands for each peak, or one band for all peaks.
 * Cost: constant.
 * Based on: own.
 */
import type { AutoLinkKind } from '../../../mesh/auto-linker.ts';
import type { Body } from '../types.ts';
import { jumpHeight } from './way.ts';
import type { EndHeights } from './way.ts';

/** Number of equal parts of a jump. Bands cover all parts except those at the ends. */
const PARTS = 8;
const MOST_PEAKS = 7;

/** Numbers per part of a trajectory: f0, f1; then low, high and wide of each band. */
export const PART: number = 2 + 3 * MOST_PEAKS;

/** Bands of a trajectory, `PART` numbers per part. The record is reused for each trajectory. */
export interface Bands {
  count: number;
  /** Bands of each part: one for all peaks, or one for each. */
  bandCount: number;
  rows: Float64Array;
}

export function createBands(): Bands {
  return { count: 0, bandCount: 0, rows: new Float64Array(PARTS * PART) };
}

/**
 * Writes the bands of a trajectory: one band for each peak, or one band that bodies fill at every peak. Peaks are sorted, lowest first;
 * there are at most `MOST_PEAKS`.
 */
// oxlint-disable-next-line max-params -- kernel
export function setBands(
  out: Bands,
  kind: AutoLinkKind,
  heights: EndHeights,
  peaks: readonly number[],
  isAtAll: boolean,
  body: Body,
): void {
  const { rows } = out;
  const isJump = kind === 'jump';
  out.count = isJump ? PARTS - 2 : 1;
  out.bandCount = isAtAll ? 1 : peaks.length;
  for (let i = 0; i < out.count; i++) {
    rows[PART * i] = isJump ? (i + 1) / PARTS : 0;
    rows[PART * i + 1] = isJump ? (i + 2) / PARTS : 1;
  }
  for (let k = 0; k < out.bandCount; k++) {
    const at = 2 + 3 * k;
    for (let i = at; i < PART * out.count; i += PART) {
      rows[i] = -Infinity;
      rows[i + 1] = Infinity;
    }
    // A higher peak moves the body up.
    narrowAtPeak(out, at, isJump, heights, peaks[k], body);
    if (isAtAll && peaks.length > 1) narrowAtPeak(out, at, isJump, heights, peaks[peaks.length - 1], body);
    for (let i = at; i < PART * out.count; i += PART) cutRounding(rows, i, body);
  }
}

// oxlint-disable-next-line max-params -- kernel
function narrowAtPeak(
  bands: Bands,
  at: number,
  isJump: boolean,
  { startLow, startHigh, endLow, endHigh }: EndHeights,
  peak: number,
  body: Body,
): void {
  if (!isJump) {
    const { rows } = bands;
    rows[at] = Math.max(rows[at], Math.max(startHigh, endHigh) + peak + body.lift);
    rows[at + 1] = Math.min(rows[at + 1], Math.max(startLow, endLow) + peak + body.height);
    return;
  }
  narrow(bands, at, startLow, endLow, peak, body);
  if (startLow === startHigh && endLow === endHigh) return;
  narrow(bands, at, startLow, endHigh, peak, body);
  narrow(bands, at, startHigh, endLow, peak, body);
  narrow(bands, at, startHigh, endHigh, peak, body);
}

/**
 * Narrows the bands of a jump at one peak to the heights that bodies fill on one parabola, and on its chords. Near an end, the lowest part
 * of a body is up to `lift` above the feet. In each part, a parabola is lowest at one of the ends.
 */
// oxlint-disable-next-line max-params -- kernel
function narrow(
  { rows, count }: Bands,
  at: number,
  ys: number,
  ye: number,
  peak: number,
  { lift, height }: Body,
): void {
  const s = (Math.sqrt(peak) + Math.sqrt(peak + Math.abs(ye - ys))) / PARTS;
  let y0 = jumpHeight(ys, ye, peak, rows[0]);
  for (let part = 0; part < count; part++) {
    const y1 = jumpHeight(ys, ye, peak, rows[PART * part + 1]);
    const band = PART * part + at;
    rows[band] = Math.max(rows[band], Math.max(y0, y1) + (s * s) / 4 + lift);
    rows[band + 1] = Math.min(rows[band + 1], Math.min(y0, y1) + height);
    y0 = y1;
  }
}

/** Rounding errors must not make a body wider than it is. */
const SURE = 1 - 1e-6;

/** Shrinks a band by the round ends of the body, and writes the width of the body in the rest. */
function cutRounding(rows: Float64Array, band: number, { rounding, disc }: Body): void {
  const low = rows[band];
  const high = rows[band + 1];
  const inner = Math.max(0, Math.min(rounding, (high - low) / 4));
  rows[band] = low + inner;
  rows[band + 1] = high - inner;
  rows[band + 2] = SURE * (disc + Math.sqrt(inner * (2 * rounding - inner)));
}
