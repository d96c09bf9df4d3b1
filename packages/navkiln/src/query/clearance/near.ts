/**
 * Finds triangles within a distance of a line, and the visible walls and corners among them.
 *
 * The flood only crosses edges that are nearer than the distance, so it never visits triangles behind a wall. It always finds the nearest
 * wall of a point.
 *
 * Cost: linear in the triangles within the distance.
 * Based on: own.
 */
import type { Clearance } from './types.ts';

/** Triangles that a flood has reached. The record can be reused for any clearance. */
export interface NearTriangles {
  count: number;
  items: Int32Array;
  stamps: Int32Array;
  stamp: number;
}

export function createNearTriangles(): NearTriangles {
  return { count: 0, items: new Int32Array(0), stamps: new Int32Array(0), stamp: 0 };
}

function reserve(out: NearTriangles, triangleCount: number): void {
  if (out.items.length >= triangleCount) return;
  out.items = new Int32Array(triangleCount);
  out.stamps = new Int32Array(triangleCount);
  out.stamp = 0;
}

/** A line in cells: both ends. */
export type Line = readonly [x0: number, v0: number, x1: number, v1: number];

/** Writes the triangles within `reach` of a line that starts in a triangle. */
export function floodNear(out: NearTriangles, clearance: Clearance, triangle: number, line: Line, reach: number): void {
  const { xs, vs, corner, twin, triangleCount } = clearance;
  reserve(out, triangleCount);
  const { items, stamps } = out;
  const stamp = ++out.stamp;
  const reachSq = reach * reach;
  const px = line[0];
  const pv = line[1];
  const rx = line[2];
  const rv = line[3];
  const dx = rx - px;
  const dv = rv - pv;
  // Points with a larger cross product (distance from the line times its length) on one side are out of reach.
  const aside = reach * Math.sqrt(dx * dx + dv * dv) * (1 + 1e-12);
  items[0] = triangle;
  stamps[triangle] = stamp;
  let count = 1;
  for (let i = 0; i < count; i++) {
    const first = 3 * items[i];
    for (let h = first; h < first + 3; h++) {
      if (twin[h] < 0) continue;
      const other = (twin[h] / 3) | 0;
      if (stamps[other] === stamp) continue;
      const a = corner[h];
      const b = corner[h === first + 2 ? first : h + 1];
      const ofA = dx * (vs[a] - pv) - dv * (xs[a] - px);
      const ofB = dx * (vs[b] - pv) - dv * (xs[b] - px);
      if ((ofA > aside && ofB > aside) || (ofA < -aside && ofB < -aside)) continue;
      if (linesDistanceSq(px, pv, rx, rv, xs[a], vs[a], xs[b], vs[b]) >= reachSq) continue;
      stamps[other] = stamp;
      items[count++] = other;
    }
  }
  out.count = count;
}

/** Returns the squared distance of lines p-r and q-s; 0 where they cross. */
// oxlint-disable-next-line max-params -- kernel: records for lines took a quarter of a query
function linesDistanceSq(
  px: number,
  pv: number,
  rx: number,
  rv: number,
  qx: number,
  qv: number,
  sx: number,
  sv: number,
): number {
  const q = (rx - px) * (qv - pv) - (rv - pv) * (qx - px);
  const s = (rx - px) * (sv - pv) - (rv - pv) * (sx - px);
  if (q * s < 0) {
    const p = (sx - qx) * (pv - qv) - (sv - qv) * (px - qx);
    const r = (sx - qx) * (rv - qv) - (sv - qv) * (rx - qx);
    if (p * r < 0) return 0;
  }
  const one = Math.min(pointDistanceSq(px, pv, rx, rv, qx, qv), pointDistanceSq(px, pv, rx, rv, sx, sv));
  return Math.min(one, pointDistanceSq(qx, qv, sx, sv, px, pv), pointDistanceSq(qx, qv, sx, sv, rx, rv));
}

/** Returns the squared distance of a point from a line. */
// oxlint-disable-next-line max-params -- kernel
export function pointDistanceSq(x0: number, v0: number, x1: number, v1: number, x: number, v: number): number {
  const dx = x1 - x0;
  const dv = v1 - v0;
  const lengthSq = dx * dx + dv * dv;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (v - v0) * dv) / lengthSq)) : 0;
  const ex = x - x0 - t * dx;
  const ev = v - v0 - t * dv;
  return ex * ex + ev * ev;
}

const shared = createNearTriangles();

/** Returns the squared distance from a point in a triangle to the nearest wall, or `reach` squared if none is nearer. */
export function wallDistanceSq(clearance: Clearance, triangle: number, x: number, v: number, reach: number): number {
  const { xs, vs, corner, twin, triangleCount } = clearance;
  reserve(shared, triangleCount);
  const { items, stamps } = shared;
  const stamp = ++shared.stamp;
  items[0] = triangle;
  stamps[triangle] = stamp;
  let least = reach * reach;
  for (let count = 1; count > 0;) {
    const first = 3 * items[--count];
    for (let h = first; h < first + 3; h++) {
      const other = twin[h] < 0 ? -1 : (twin[h] / 3) | 0;
      if (other >= 0 && stamps[other] === stamp) continue;
      const a = corner[h];
      const b = corner[h === first + 2 ? first : h + 1];
      const distanceSq = pointDistanceSq(xs[a], vs[a], xs[b], vs[b], x, v);
      // Nothing behind an edge is nearer than the edge.
      if (distanceSq >= least) continue;
      if (other < 0) {
        least = distanceSq;
      } else {
        stamps[other] = stamp;
        items[count++] = other;
      }
    }
  }
  return least;
}

/**
 * Returns the corner nearest to a line, if it is nearer than `reach`. Two given corners are ignored. Returns -1 if there is no such corner,
 * and -2 if a wall is nearer than `reach`, but its corners are not.
 */
export function cornerNear(
  clearance: Clearance,
  triangle: number,
  line: Line,
  reach: number,
  others: readonly [number, number],
): number {
  const { xs, vs, corner, twin, cornerCount } = clearance;
  floodNear(shared, clearance, triangle, line, reach);
  const { count, items } = shared;
  const px = line[0];
  const pv = line[1];
  const rx = line[2];
  const rv = line[3];
  const dx = rx - px;
  const dv = rv - pv;
  const aside = reach * Math.sqrt(dx * dx + dv * dv) * (1 + 1e-12);
  let least = reach * reach;
  let nearest = -1;
  let isCrossed = false;
  for (let i = 0; i < count; i++) {
    const first = 3 * items[i];
    for (let h = first; h < first + 3; h++) {
      const c = corner[h];
      const ofC = dx * (vs[c] - pv) - dv * (xs[c] - px);
      // Without a radius, lines may touch walls.
      if (twin[h] < 0 && !isCrossed && reach > 0) {
        const b = corner[h === first + 2 ? first : h + 1];
        const ofB = dx * (vs[b] - pv) - dv * (xs[b] - px);
        const isAside = (ofC > aside && ofB > aside) || (ofC < -aside && ofB < -aside);
        isCrossed = !isAside && linesDistanceSq(px, pv, rx, rv, xs[c], vs[c], xs[b], vs[b]) === 0;
      }
      if (ofC > aside || ofC < -aside || c >= cornerCount || c === others[0] || c === others[1]) continue;
      const distanceSq = pointDistanceSq(px, pv, rx, rv, xs[c], vs[c]);
      if (distanceSq < least) {
        least = distanceSq;
        nearest = c;
      }
    }
  }
  return nearest < 0 && isCrossed ? -2 : nearest;
}
