/**
 * Writes the line through the corners that the index has found.
 *
 * A repeated position is skipped, and a corner on the line between its neighbors, up to rounding, is left out, as in the result of a
 * search.
 *
 * In: both ends, the corners between them.
 * Out: a path line and its lengths.
 * Cost: linear in the corners.
 * Based on: own.
 */
import type { OptimalBuffer } from '../query/optimal/optimal.ts';
import type { CornerPath } from './pairs.ts';
import type { PathIndex } from './types.ts';

/** How far from a straight line a corner may be that is left out, as a share of its coordinates. */
const ROUNDING = 1e-14;

/** Kernel. Writes line and lengths of `out`, whose ends are located. */
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
  let count = 1;
  for (let i = 0; i <= path.count; i++) {
    const corner = path.corners[i];
    const isEnd = i === path.count;
    const x = isEnd ? end.point[0] : corners[2 * corner];
    const z = isEnd ? end.point[2] : corners[2 * corner + 1];
    let at = 3 * count;
    if (points[at - 3] === x && points[at - 1] === z && (!isEnd || points[at - 2] === end.point[1])) {
      if (!isEnd || count > 1) at -= 3;
    } else if (count > 1 && isBetween(points, at - 3, x, z)) {
      at -= 3;
    }
    points[at] = x;
    points[at + 1] = isEnd ? end.point[1] : cornerY[corner];
    points[at + 2] = z;
    count = at / 3 + 1;
  }
  line.count = count;
  let length = 0;
  let planar = 0;
  for (let i = 0; i < count; i++) {
    places[i] = i === 0 ? 0 : 1;
    linkEnds[i] = -1;
    if (i === 0) continue;
    const dx = points[3 * i] - points[3 * i - 3];
    const dy = points[3 * i + 1] - points[3 * i - 2];
    const dz = points[3 * i + 2] - points[3 * i - 1];
    const lengthSq = dx * dx + dz * dz;
    length += Math.sqrt(lengthSq + dy * dy);
    planar += Math.sqrt(lengthSq);
  }
  out.length = length;
  out.planarLength = planar;
}

/** Returns whether the corner at offset b lies between the one before it and x, z, on the line up to rounding. */
function isBetween(points: Float64Array, b: number, x: number, z: number): boolean {
  const ux = points[b] - points[b - 3];
  const uz = points[b + 2] - points[b - 1];
  const vx = x - points[b];
  const vz = z - points[b + 2];
  if (!(ux * vx + uz * vz > 0)) return false;
  const dx = ux + vx;
  const dz = uz + vz;
  const area = ux * dz - uz * dx;
  const slack = ROUNDING * (Math.abs(points[b]) + Math.abs(points[b + 2]));
  return area * area <= slack * slack * (dx * dx + dz * dz);
}
