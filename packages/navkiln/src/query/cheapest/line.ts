/**
 * Writes the corners of a refined path.
 *
 * In: a strip with its shares, and the corridor that it was made of.
 * Out: a path line, as the funnel writes it.
 * Cost: linear in the strip.
 * Based on: own.
 */
import { isLinkCrossing, linkEndOf, otherEnd } from '../../mesh/crossing.ts';
import type { Corridor } from '../path/corridor.ts';
import type { PathLine } from '../path/path-line.ts';
import { corners, pull } from './refine.ts';
import { END_STRIDE } from './strip.ts';
import type { Strip } from './strip.ts';

/** A corner is left out if the sine of its angle is at most this. */
const STRAIGHT = 1e-9;
const spot = new Float64Array(3);

/** Writes the corners of the line of least cost. */
export function writeCheapestLine(out: PathLine, strip: Strip, { crossings }: Corridor): void {
  const { ends, joint, share, count } = strip;
  out.count = 0;
  addCorner(out, strip.start, 0, -1);
  for (let from = -1; from < count;) {
    let to = from + 1;
    while (to < count && joint[to] === 0) to++;
    pull(strip, from, to);
    for (let c = 1; c < corners.count - 1; c++) {
      const end = corners.end[c];
      setSpot(ends, END_STRIDE * (end >> 1), end & 1);
      addCorner(out, spot, (end | 1) + 1, -1);
    }
    if (to < count && isLinkCrossing(crossings[to])) {
      const linkEnd = linkEndOf(crossings[to]);
      setSpot(ends, END_STRIDE * to, share[to]);
      addCorner(out, spot, 2 * to + 1, linkEnd);
      setSpot(ends, END_STRIDE * to + 6, share[to]);
      addCorner(out, spot, 2 * to + 2, otherEnd(linkEnd));
    } else if (to < count) {
      setSpot(ends, END_STRIDE * to, share[to]);
      addCorner(out, spot, 2 * to + 2, -1);
    }
    from = to;
  }
  addCorner(out, strip.end, 2 * count + 1, -1);
}

/** Sets `spot` to a share of the segment at ends[at]. */
function setSpot(ends: Float64Array, at: number, share: number): void {
  for (let k = 0; k < 3; k++) {
    spot[k] = share === 1 ? ends[at + 3 + k] : ends[at + k] + share * (ends[at + 3 + k] - ends[at + k]);
  }
}

/** Appends a corner; see `PathLine`. Replaces the last corner if the line is straight there. Link ends are kept. */
function addCorner(out: PathLine, point: Float64Array, place: number, linkEnd: number): void {
  let i = out.count;
  if (i > 0 && linkEnd < 0 && isSame(out, i - 1, point)) {
    i--;
    linkEnd = out.linkEnds[i];
  } else if (i > 1 && out.linkEnds[i - 1] < 0 && isStraight(out, i - 1, point)) {
    i--;
  }
  if (i >= out.places.length) growLine(out, i);
  out.points.set(point, 3 * i);
  out.places[i] = place;
  out.linkEnds[i] = linkEnd;
  out.count = i + 1;
}

function isSame({ points }: PathLine, i: number, point: Float64Array): boolean {
  return points[3 * i] === point[0] && points[3 * i + 2] === point[2];
}

function isStraight({ points }: PathLine, i: number, point: Float64Array): boolean {
  const ux = points[3 * i] - points[3 * i - 3];
  const uz = points[3 * i + 2] - points[3 * i - 1];
  const vx = point[0] - points[3 * i];
  const vz = point[2] - points[3 * i + 2];
  const area = ux * vz - uz * vx;
  const lengths = (ux * ux + uz * uz) * (vx * vx + vz * vz);
  return area * area <= STRAIGHT * STRAIGHT * lengths && ux * vx + uz * vz >= 0;
}

function growLine(out: PathLine, count: number): void {
  const capacity = 2 * count + 32;
  const { points, places, linkEnds } = out;
  out.points = new Float64Array(3 * capacity);
  out.places = new Int32Array(capacity);
  out.linkEnds = new Int32Array(capacity);
  out.points.set(points.subarray(0, 3 * count));
  out.places.set(places.subarray(0, count));
  out.linkEnds.set(linkEnds.subarray(0, count));
}
