/**
 * Keeps simplified outlines of a mesh with sizes apart, so that polygons are connected as their cells are.
 *
 *      . . b         An outline is simplified to the line a-b. If a kept point of another outline (v) lies between the raw outline and the
 *    a-'   |         line, both outlines cross: a strip along a wall would be cut, or would overlap its neighbor. Then the
 *      v---'         farthest point between a and b is put back, until no such point is left.
 *
 * If no kept point lies between any line and the raw outline that it replaces, no two lines cross. Both outlines along a border find the
 * same points, since they process the same stretch in the same direction.
 *
 * In: outlines with marks on kept points. Out: more points are marked.
 * Cost: for each round, the raw points times the cells between them and their line, which are one or two.
 * Based on: Alan Saalfeld, Topologically consistent line simplification with the Douglas-Peucker algorithm (1999).
 */
import type { Workspace } from '../../../base/data/workspace.ts';
import { takeSlot } from '../memory.ts';
import { CONTOUR_REGION_MASK } from '../types.ts';
import type { CompactField, Outlines } from '../types.ts';

/** Numbers per raw point, and the offsets of y, z and flags. */
const STRIDE = 4;
const Y = 1;
const Z = 2;
const FLAGS = 3;

/** Larger than the rounding error of a position on a line, smaller than the distance of any cell corner from a line beside it. Cells. */
const ROUNDING = 1e-7;

/** The kept points of all outlines, by position. */
interface Kept {
  points: Int32Array;
  /** Number of cell corners per row. */
  pitch: number;
  /** The first kept point at each cell corner, or -1. */
  first: Int32Array;
  /** For each kept point, the next one at the same position. */
  next: Int32Array;
  /** Largest height difference of points on one floor: at the same position, and for each cell of distance. */
  height: number;
  climb: number;
}

/** Marks further points of outlines as kept. */
export function keepApart(outlines: Outlines, field: CompactField, workspace: Workspace): void {
  const { points, link, start, head, width, depth } = outlines;
  const kept: Kept = {
    points,
    pitch: width + 1,
    first: takeSlot(workspace, 'contours.corners', (width + 1) * (depth + 1)).fill(-1),
    next: takeSlot(workspace, 'contours.nextCorner', link.length),
    height: field.walkableHeightCells,
    climb: field.walkableClimbCells,
  };
  head.forEach((from, c) => {
    const base = start[c];
    const n = start[c + 1] - base;
    const middle = findWidth(outlines, base, n, from);
    if (middle >= 0) {
      const other = link[base + from];
      const isNext = (middle - from + n) % n < (other - from + n) % n;
      link[base + (isNext ? from : other)] = middle;
      link[base + middle] = isNext ? other : from;
    }
    let k = from;
    do {
      addPoint(kept, start[c] + k);
      k = link[start[c] + k];
    } while (k !== from);
  });
  // Points of one round only count in the next round, so that the order of outlines has no influence.
  for (let added: number[] = []; ; added = []) {
    for (let c = 0; c < head.length; c++) {
      const base = start[c];
      const n = start[c + 1] - base;
      let a = head[c];
      do {
        const b = link[base + a];
        const middle = b === a + 1 ? -1 : findMissing(kept, base, n, a, b);
        if (middle >= 0) {
          added.push(base + middle);
          link[base + a] = middle;
          link[base + middle] = b;
        }
        a = b;
      } while (a !== head[c]);
    }
    if (added.length === 0) return;
    for (const point of added) addPoint(kept, point);
  }
}

function addPoint({ points, pitch, first, next }: Kept, point: number): void {
  const corner = points[STRIDE * point] + points[STRIDE * point + Z] * pitch;
  next[point] = first[corner];
  first[corner] = point;
}

/** Returns the point to keep between kept points a and b of the outline at `base` with n points, or -1. */
function findMissing(kept: Kept, base: number, n: number, a: number, b: number): number {
  const { points } = kept;
  const isForward = isBefore(points, base + a, base + b);
  const [from, to] = isForward ? [a, b] : [b, a];
  const step = isForward ? 1 : n - 1;
  const ax = points[STRIDE * (base + from)];
  const az = points[STRIDE * (base + from) + Z];
  const bx = points[STRIDE * (base + to)];
  const bz = points[STRIDE * (base + to) + Z];
  let isMet = false;
  for (let k = (from + step) % n; k !== to; k = (k + step) % n) {
    const at = STRIDE * (base + k);
    const x = points[at];
    const z = points[at + Z];
    if (isKept(kept, x, z, points[at + Y], 0) && !(x === ax && z === az) && !(x === bx && z === bz)) return k;
    isMet ||= meets(kept, at, ax, az, bx, bz);
  }
  return isMet ? farthest(points, base, n, a, b) : -1;
}

/** Returns the point between a and b that is farthest from their line; -1 if all are on the line. Ties go to the first by position. */
function farthest(points: Int32Array, base: number, n: number, a: number, b: number): number {
  // The outline on the other side of the line leads from b to a.
  const isForward = isBefore(points, base + a, base + b);
  const from = STRIDE * (base + (isForward ? a : b));
  const to = STRIDE * (base + (isForward ? b : a));
  let far = -1;
  let most = 0;
  for (let k = (a + 1) % n; k !== b; k = (k + 1) % n) {
    const at = STRIDE * (base + k);
    const distance = distanceSq(points[at], points[at + Z], points[from], points[from + Z], points[to], points[to + Z]);
    if (distance > most || (distance === most && far !== -1 && isBefore(points, base + k, base + far))) {
      most = distance;
      far = k;
    }
  }
  return far;
}

/**
 * Returns the point to keep so that an outline does not become a line. Returns -1 if the outline has an area, or has several neighbors, which
 * then share the line. Without such a point, pieces one cell wide within one region would be lost.
 */
function findWidth({ points, link }: Outlines, base: number, n: number, a: number): number {
  const b = link[base + a];
  const neighborAfter = (k: number): number => points[STRIDE * (base + ((k + 1) % n)) + FLAGS] & CONTOUR_REGION_MASK;
  if (a === b || link[base + b] !== a || neighborAfter(a) !== neighborAfter(b)) return -1;
  const p = farthest(points, base, n, a, b);
  const q = farthest(points, base, n, b, a);
  if (p === -1 || q === -1) return p === -1 ? q : p;
  // Outlines on both sides of the line choose the same point.
  return isBefore(points, base + p, base + q) ? p : q;
}

/** Returns whether a kept point lies between the raw point at offset `at` and the line a-b, or on the line, along the shorter axis. */
// oxlint-disable-next-line max-params -- two places
function meets(kept: Kept, at: number, ax: number, az: number, bx: number, bz: number): boolean {
  const { points } = kept;
  const x = points[at];
  const y = points[at + Y];
  const z = points[at + Z];
  const dx = bx - ax;
  const dz = bz - az;
  const isSteep = Math.abs(dz) > Math.abs(dx);
  const [major, minor] = isSteep ? [z, x] : [x, z];
  const [a, aMinor, length, rise] = isSteep ? [az, ax, dz, dx] : [ax, az, dx, dz];
  // The position on the line at the point's coordinate along the longer axis.
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, (major - a) / length));
  const end = aMinor + t * rise;
  const step = end > minor ? 1 : -1;
  // Points on the line count, so the rounding of t must not exclude them.
  const goal = end + step * ROUNDING;
  for (let m = minor + step; step > 0 ? m <= goal : m >= goal; m += step) {
    const qx = isSteep ? m : x;
    const qz = isSteep ? z : m;
    if ((qx === ax && qz === az) || (qx === bx && qz === bz)) continue;
    if (isKept(kept, qx, qz, y, Math.abs(m - minor))) return true;
  }
  return false;
}

/** Returns whether a point at a position is kept, on the floor that has height y at a distance of `steps` cells. */
function isKept(
  { points, pitch, first, next, height, climb }: Kept,
  x: number,
  z: number,
  y: number,
  steps: number,
): boolean {
  for (let k = first[x + z * pitch]; k !== -1; k = next[k]) {
    if (Math.abs(points[STRIDE * k + Y] - y) < height + climb * steps) return true;
  }
  return false;
}

/** Returns whether point a comes before b: by x, then by z. */
function isBefore(points: Int32Array, a: number, b: number): boolean {
  const dx = points[STRIDE * a] - points[STRIDE * b];
  return dx < 0 || (dx === 0 && points[STRIDE * a + Z] < points[STRIDE * b + Z]);
}

/** Returns the squared distance of a point from the segment a-b. */
// oxlint-disable-next-line max-params -- three places
function distanceSq(x: number, z: number, ax: number, az: number, bx: number, bz: number): number {
  const dx = bx - ax;
  const dz = bz - az;
  const lengthSq = dx * dx + dz * dz;
  let t = (x - ax) * dx + (z - az) * dz;
  t = t <= 0 ? 0 : t >= lengthSq ? 1 : t / lengthSq;
  const offX = ax + t * dx - x;
  const offZ = az + t * dz - z;
  return offX * offX + offZ * offZ;
}
