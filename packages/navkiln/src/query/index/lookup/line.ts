/**
 * Writes the line through the corners that the index has found.
 *
 * As in the result of a search, repeated positions are skipped, and so are corners on the line between their neighbors,
 * up to rounding. Both ends of a link stay.
 *
 * In: both ends, the corners between them.
 * Out: a path line and its lengths.
 * Cost: linear in the corners.
 * Based on: own.
 */
import { setLengths } from '../../optimal/optimal.ts';
import type { OptimalBuffer } from '../../optimal/optimal.ts';
import { linkEndAt, linkFrom, linkLengthAt } from '../links.ts';
import type { CornerPath } from './pairs.ts';
import type { PathIndex } from '../types.ts';

/** Maximum distance from a straight line of a corner that is left out, as a share of its coordinates. */
const ROUNDING = 1e-14;

/** Kernel. Writes line, lengths and cost at 1 of `out`, whose ends are located. */
export function writeLine(out: OptimalBuffer, index: PathIndex, path: CornerPath): void {
  const { line, start, end } = out;
  const { points: corners, cornerY } = index;
  if (line.places.length < path.count + 2) {
    const capacity = 2 * path.count + 16;
    line.points = new Float64Array(3 * capacity);
    line.places = new Int32Array(capacity);
    line.linkEnds = new Int32Array(capacity);
  }
  const { points, places, linkEnds } = line;
  points[0] = start.point[0];
  points[1] = start.point[1];
  points[2] = start.point[2];
  linkEnds[0] = -1;
  let count = 1;
  let linkCost = 0;
  // Whether a link is entered at the last corner.
  let isOnLink = false;
  for (let i = 0; i <= path.count; i++) {
    const corner = path.corners[i];
    const isEnd = i === path.count;
    const x = isEnd ? end.point[0] : corners[2 * corner];
    const z = isEnd ? end.point[2] : corners[2 * corner + 1];
    let linkEnd = -1;
    if (isOnLink) {
      isOnLink = false;
      linkEnd = linkEndAt(index, corner);
    } else if (i + 1 < path.count && linkFrom(index, corner) === path.corners[i + 1]) {
      isOnLink = true;
      linkEnd = linkEndAt(index, corner);
      linkCost += linkLengthAt(index, corner);
    }
    let at = count;
    const last = linkEnds[at - 1];
    points[3 * at] = x;
    points[3 * at + 2] = z;
    if (
      points[3 * at - 3] === x &&
      points[3 * at - 1] === z &&
      (linkEnd < 0 || last < 0) &&
      (!isEnd || points[3 * at - 2] === end.point[1])
    ) {
      if (!isEnd || count > 1) at--;
      if (at < count && linkEnd < 0) linkEnd = last;
    } else if (count > 1 && last < 0 && isBetween(points, 3 * at - 3)) {
      at--;
    }
    points[3 * at] = x;
    points[3 * at + 1] = isEnd ? end.point[1] : cornerY[corner];
    points[3 * at + 2] = z;
    linkEnds[at] = linkEnd;
    count = at + 1;
  }
  line.count = count;
  for (let i = 0; i < count; i++) places[i] = i === 0 ? 0 : 1;
  setLengths(out);
  out.corridor.cost = out.planarLength + linkCost;
}

/** Returns whether the corner at offset b lies on the line between the previous and the next corner, up to rounding. */
function isBetween(points: Float64Array, b: number): boolean {
  const ux = points[b] - points[b - 3];
  const uz = points[b + 2] - points[b - 1];
  const vx = points[b + 3] - points[b];
  const vz = points[b + 5] - points[b + 2];
  if (!(ux * vx + uz * vz > 0)) return false;
  const dx = ux + vx;
  const dz = uz + vz;
  const area = ux * dz - uz * dx;
  const slack = ROUNDING * (Math.abs(points[b]) + Math.abs(points[b + 2]));
  return area * area <= slack * slack * (dx * dx + dz * dz);
}
