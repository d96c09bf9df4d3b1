/**
 * The trajectories of bodies over links, divided into stretches whose hulls can be swept.
 *
 * A trajectory lies in a vertical plane. At the share f, 0 .. 1, of the horizontal distance, the feet are at height y(f):
 *
 *   jump           one parabola for all cases. With the peak H above the higher end, h1 = H + max(0, ye - ys),
 *                  h2 = H + max(0, ys - ye) and S = sqrt(h1) + sqrt(h2): y = ys + 2 sqrt(h1) S f - S² f²
 *   drop, climb    level at the height of the higher end, vertical at the lower end
 *   vault          vertical at both ends, level at `peak` above the higher one
 *
 * Within `margin` of an end, the lowest part of the body may be `lift` above that end, since agents step over lower obstacles.
 * Elsewhere it is `slack` above the feet.
 *
 * In: kind, peak, the range of heights of both ends, the horizontal distance. Out: rows of stretches.
 * Cost: constant; a parabola has 4 to 64 chords.
 * Based on: own. A parabola lies above its chord by at most S² df² / 4.
 */
import type { AutoLinkKind } from '../../../mesh/auto-linker.ts';
import type { Body } from '../types.ts';

/** Numbers per stretch: shares f0, f1, and at each the lowest and highest height of the body. */
export const STRETCH = 6;

/** Stretches of a trajectory. The record is reused for each trajectory. */
export interface Way {
  count: number;
  /** f0, f1, low at f0, high at f0, low at f1, high at f1; each `STRETCH` numbers. */
  rows: Float64Array;
}

export function createWay(): Way {
  return { count: 0, rows: new Float64Array(STRETCH * 80) };
}

/** Lowest and highest height of the feet at both ends. */
export interface EndHeights {
  startLow: number;
  startHigh: number;
  endLow: number;
  endHigh: number;
}

/** Returns the height of the feet of a jump at share f. */
export function jumpHeight(ys: number, ye: number, peak: number, f: number): number {
  const h1 = peak + Math.max(0, ye - ys);
  const h2 = peak + Math.max(0, ys - ye);
  const s = Math.sqrt(h1) + Math.sqrt(h2);
  return ys + 2 * Math.sqrt(h1) * s * f - s * s * f * f;
}

/** Returns the duration of a crossing in seconds. */
export function durationOf(
  kind: AutoLinkKind,
  rise: number,
  peak: number,
  distance: number,
  gravity: number,
  speed: number,
): number {
  const up = peak + Math.max(0, rise);
  const down = peak + Math.max(0, -rise);
  const fall = Math.sqrt((2 * down) / gravity);
  if (kind === 'jump') return fall + Math.sqrt((2 * up) / gravity);
  // Climbing takes three times as long as walking the same distance.
  return distance / speed + fall + (3 * up) / speed;
}

/** Writes the stretches of a trajectory. */
// oxlint-disable-next-line max-params -- kernel
export function setWay(
  out: Way,
  kind: AutoLinkKind,
  heights: EndHeights,
  peak: number,
  distance: number,
  margin: number,
  body: Body,
): void {
  out.count = 0;
  const { startLow, startHigh, endLow, endHigh } = heights;
  const near = distance > 0 ? Math.min(margin / distance, 1) : 1;
  if (kind === 'jump') {
    addParabola(out, heights, peak, near, body);
    return;
  }
  const top = Math.max(startHigh, endHigh) + peak + body.height;
  const bottom = Math.max(startLow, endLow) + peak;
  if (startLow < bottom || kind === 'vault') addUpright(out, 0, startLow + body.lift, top);
  if (endLow < bottom || kind === 'vault') addUpright(out, 1, endLow + body.lift, top);
  let f0 = 0;
  for (let i = 0; i < 3; i++) {
    const f1 = i === 0 ? Math.min(near, 1 - near) : i === 1 ? Math.max(near, 1 - near) : 1;
    if (f1 <= f0) continue;
    const low = lowest(bottom, startLow, endLow, (f0 + f1) / 2, near, body);
    addRow(out, f0, f1, low, top, low, top);
    f0 = f1;
  }
}

const MOST_CHORDS = 64;

/** Returns a height that no body exceeds on the trajectory, at this peak or a lower one. */
export function highestOf(heights: EndHeights, peak: number, body: Body): number {
  const s = speedOf(heights, peak);
  const above = Math.max(chordSlack(body), (s * s) / (4 * MOST_CHORDS * MOST_CHORDS));
  return Math.max(heights.startHigh, heights.endHigh) + peak + above + body.height;
}

/** Returns S of the steepest parabola between ends in these ranges. */
function speedOf({ startLow, startHigh, endLow, endHigh }: EndHeights, peak: number): number {
  return Math.sqrt(peak) + Math.sqrt(peak + Math.max(endHigh - startLow, startHigh - endLow, 0));
}

/** Returns how far a parabola may lie above its chords, if `MOST_CHORDS` chords are enough. */
function chordSlack({ slack }: Body): number {
  return Math.max(slack, 1e-3) / 2;
}

const cuts = new Float64Array(80);

// oxlint-disable-next-line max-params -- kernel
function addParabola(out: Way, heights: EndHeights, peak: number, near: number, body: Body): void {
  const { startLow, startHigh, endLow, endHigh } = heights;
  const s = speedOf(heights, peak);
  const chords = Math.min(MOST_CHORDS, Math.max(4, Math.ceil(s / (2 * Math.sqrt(chordSlack(body))))));
  const above = (s * s) / (4 * chords * chords) + body.height;
  const isFlat = startLow === startHigh && endLow === endHigh;
  let count = 0;
  for (let i = 0; i <= chords; i++) {
    const f = i / chords;
    // The inner ends of both margins also divide the parabola.
    for (let end = 0; end < 2 && count > 0; end++) {
      const cut = end === 0 ? Math.min(near, 1 - near) : Math.max(near, 1 - near);
      if (cut > cuts[count - 1] + 1e-12 && cut < f - 1e-12) cuts[count++] = cut;
    }
    cuts[count++] = f;
  }
  let least = startLow;
  let most = startHigh;
  for (let i = 1; i < count; i++) {
    const f0 = cuts[i - 1];
    const f1 = cuts[i];
    const low = least;
    const high = most;
    least = most = jumpHeight(startLow, endLow, peak, f1);
    if (!isFlat) {
      const crossed = jumpHeight(startLow, endHigh, peak, f1);
      const other = jumpHeight(startHigh, endLow, peak, f1);
      least = Math.min(least, crossed, other);
      most = Math.max(jumpHeight(startHigh, endHigh, peak, f1), crossed, other);
    }
    const middle = (f0 + f1) / 2;
    let low0 = lowest(low, startLow, endLow, middle, near, body);
    const rule = lowestRule;
    let low1 = lowest(least, startLow, endLow, middle, near, body);
    // Within one rule, the curve lies above its chord. Where the rule changes along a stretch, the curve may lie below the chord.
    if (rule !== lowestRule) low0 = low1 = Math.min(low0, low1);
    addRow(out, f0, f1, low0, high + above, low1, most + above);
  }
}

/** Returns the lowest height of the body if the feet are at `feet`, on a stretch around share f. */
function lowest(feet: number, start: number, end: number, f: number, near: number, { lift, slack }: Body): number {
  let low = feet + slack;
  lowestRule = 0;
  const atStart = Math.min(start, feet) + lift;
  const atEnd = Math.min(end, feet) + lift;
  if (f < near && atStart > low) {
    low = atStart;
    lowestRule = 1;
  }
  if (f > 1 - near && atEnd > low) {
    low = atEnd;
    lowestRule = 2;
  }
  return low;
}

/** The rule that decided the last result of `lowest`: 0 the slack, 1 the margin of the start, 2 the margin of the end. */
let lowestRule = 0;

function addUpright(out: Way, f: number, low: number, high: number): void {
  addRow(out, f, f, low, high, low, high);
}

// oxlint-disable-next-line max-params -- kernel
function addRow(out: Way, f0: number, f1: number, low0: number, high0: number, low1: number, high1: number): void {
  const { rows } = out;
  const at = STRETCH * out.count++;
  rows[at] = f0;
  rows[at + 1] = f1;
  rows[at + 2] = low0;
  rows[at + 3] = high0;
  rows[at + 4] = low1;
  rows[at + 5] = high1;
}
