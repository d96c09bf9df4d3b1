/**
 * Removes points that flat surface does not need, so that it merges into fewer pieces: points inside it, and
 * points in the middle of straight walls. The inset stage leaves many where the lines of its cuts meet.
 *
 * The triangles around a point are replaced by triangles over the ring of their other corners. Points whose
 * triangles are of several areas, are joined over a step or go on beyond the tile stay.
 *
 * In: joined surface of a tile. Changed in place.
 * Out: the same surface with fewer triangles.
 * Cost: linear in points, cubic in the triangles around one (at most 32).
 * Based on: own.
 */
import { nextOf } from './weld/match.ts';
import { groundOf, isFlat, keepTriangles, planArea } from './weld/weld.ts';
import type { Ground, PointTable } from './types.ts';

/** A point with more triangles around it stays. */
const MOST_AROUND = 32;
/** Maximum difference between heights and a plane, in tolerances. */
const FLAT_TOLERANCES = 1e-3;
/** Maximum distance of a removed wall point from the line between its neighbors, relative to its coordinates. */
const STRAIGHT = 2 ** -40;
/** Points are tried again, since the triangles around them have changed. */
const ROUNDS = 3;

/** The triangles around a point, and the ring of their other corners. */
interface Fan {
  /** Half-edges that start at the point, counter-clockwise. */
  spokes: number[];
  /** Corners of the ring, and what is behind the edge from each to the next. */
  ring: number[];
  twin: number[];
  blocked: number[];
}

/** Returns the surface without the points that it does not need. */
export function thinOut(ground: Ground, table: PointTable): Ground {
  const { count, corner } = ground;
  const dead = new Uint8Array(count);
  const spokeOf = new Int32Array(table.pointCount).fill(-1);
  let removed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = removed;
    for (let h = 0; h < corner.length; h++) if (dead[(h / 3) | 0] === 0) spokeOf[corner[h]] = h;
    for (let point = 0; point < spokeOf.length; point++) {
      const spoke = spokeOf[point];
      if (spoke < 0 || corner[spoke] !== point || dead[(spoke / 3) | 0] === 1) continue;
      if (removePoint(ground, table, dead, spoke)) {
        removed++;
        spokeOf[point] = -1;
      }
    }
    if (removed === before) break;
  }
  return removed === 0 ? ground : withoutDead(ground, dead);
}

function removePoint(ground: Ground, table: PointTable, dead: Uint8Array, spoke: number): boolean {
  const fan = fanOf(ground, table, spoke);
  if (fan === undefined || !isLevel(ground, table, fan)) return false;
  const triangles = triangulate(table, fan.ring);
  if (triangles === undefined) return false;
  replaceFan(ground, dead, fan, triangles);
  return true;
}

/** Returns the triangles around the start of a half-edge, or undefined when the point has to stay. */
function fanOf({ corner, twin, blocked, area }: Ground, table: PointTable, spoke: number): Fan | undefined {
  const point = corner[spoke];
  // Goes back to the wall that the fan begins at, or once around.
  let first = spoke;
  for (let k = 0; twin[first] >= 0; k++) {
    if (k > MOST_AROUND) return undefined;
    first = nextOf(twin[first]);
    if (corner[first] !== point) return undefined;
    if (first === spoke) break;
  }
  const isOpen = twin[first] < 0;
  if (twin[first] < -1) return undefined;
  const fan: Fan = { spokes: [], ring: [], twin: [], blocked: [] };
  const kind = area[(first / 3) | 0];
  let last = -1;
  for (let h = first; ;) {
    const out = nextOf(h);
    last = nextOf(out);
    if (corner[h] !== point || area[(h / 3) | 0] !== kind || fan.spokes.length === MOST_AROUND) return undefined;
    // Over a step, the neighbor has other corners.
    if (twin[h] >= 0 && corner[nextOf(h)] !== corner[twin[h]]) return undefined;
    fan.spokes.push(h);
    fan.ring.push(corner[out]);
    fan.twin.push(twin[out]);
    fan.blocked.push(blocked[out]);
    h = twin[last];
    if (h === first || h < 0) break;
  }
  if (!isOpen) return fan.spokes.length > 2 ? fan : undefined;
  if (fan.spokes.length < 2 || twin[last] !== -1 || blocked[last] !== blocked[first]) return undefined;
  fan.ring.push(corner[last]);
  fan.twin.push(-1);
  fan.blocked.push(blocked[first]);
  return isOnLine(table, corner[last], point, fan.ring[0]) ? fan : undefined;
}

/** Returns whether b lies between a and c, seen from above. */
function isOnLine(table: PointTable, a: number, b: number, c: number): boolean {
  const { planX, planZ, pointPlan } = table;
  const [p, q, r] = [pointPlan[a], pointPlan[b], pointPlan[c]];
  const dx = planX[r] - planX[p];
  const dz = planZ[r] - planZ[p];
  const along = (planX[q] - planX[p]) * dx + (planZ[q] - planZ[p]) * dz;
  const size = Math.max(Math.abs(planX[q]), Math.abs(planZ[q]));
  if (!(along > 0 && along < dx * dx + dz * dz)) return false;
  return Math.abs(planArea(table, a, b, c)) <= STRAIGHT * size * (Math.abs(dx) + Math.abs(dz));
}

/** Returns whether all corners of a fan lie in the plane of its largest triangle. */
function isLevel({ corner }: Ground, table: PointTable, { spokes, ring }: Fan): boolean {
  const { pointY, pointPlan, planX, planZ, tolerance } = table;
  const o = corner[spokes[0]];
  let a = -1;
  let b = -1;
  let largest = 0;
  for (let k = 0; k < spokes.length; k++) {
    const next = ring[(k + 1) % ring.length];
    const size = planArea(table, o, ring[k], next);
    if (size <= largest) continue;
    largest = size;
    a = ring[k];
    b = next;
  }
  if (largest === 0) return false;
  const [ox, oz] = [planX[pointPlan[o]], planZ[pointPlan[o]]];
  const [ux, uz, uy] = [planX[pointPlan[a]] - ox, planZ[pointPlan[a]] - oz, pointY[a] - pointY[o]];
  const [vx, vz, vy] = [planX[pointPlan[b]] - ox, planZ[pointPlan[b]] - oz, pointY[b] - pointY[o]];
  const gx = (uz * vy - vz * uy) / largest;
  const gz = (vx * uy - ux * vy) / largest;
  return ring.every((point) => {
    const plan = pointPlan[point];
    const off = pointY[o] + gx * (planX[plan] - ox) + gz * (planZ[plan] - oz) - pointY[point];
    return Math.abs(off) <= FLAT_TOLERANCES * tolerance;
  });
}

/** Returns triangles over a ring, as positions in it; the widest ear is cut first. Undefined when it has none. */
function triangulate(table: PointTable, ring: readonly number[]): number[] | undefined {
  const rest = ring.map((_, k) => k);
  const out: number[] = [];
  while (rest.length > 2) {
    let best = -1;
    let widest = 0;
    for (let k = 0; k < rest.length; k++) {
      const width = widthOfEar(table, ring, rest, k);
      if (width <= widest) continue;
      widest = width;
      best = k;
    }
    if (best < 0) return undefined;
    const size = rest.length;
    out.push(rest[(best + size - 1) % size], rest[best], rest[(best + 1) % size]);
    rest.splice(best, 1);
  }
  return out;
}

/** Returns how wide the triangle at corner k is, compared with its longest side; 0 when it is no ear. */
function widthOfEar(table: PointTable, ring: readonly number[], rest: readonly number[], k: number): number {
  const size = rest.length;
  const [i, j] = [(k + size - 1) % size, (k + 1) % size];
  const [a, b, c] = [ring[rest[i]], ring[rest[k]], ring[rest[j]]];
  const double = planArea(table, a, b, c);
  if (!(double > 0) || isFlat(table, a, b, c)) return 0;
  for (let m = 0; m < size; m++) {
    if (m === i || m === k || m === j) continue;
    const p = ring[rest[m]];
    if (planArea(table, a, b, p) >= 0 && planArea(table, b, c, p) >= 0 && planArea(table, c, a, p) >= 0) return 0;
  }
  const longest = Math.max(lengthSq(table, a, b), lengthSq(table, b, c), lengthSq(table, c, a));
  return double / longest;
}

function lengthSq({ pointPlan, planX, planZ }: PointTable, a: number, b: number): number {
  const dx = planX[pointPlan[a]] - planX[pointPlan[b]];
  const dz = planZ[pointPlan[a]] - planZ[pointPlan[b]];
  return dx * dx + dz * dz;
}

/** Writes triangles over the ring in place of a fan, joined with each other and with what was around it. */
function replaceFan({ corner, twin, blocked }: Ground, dead: Uint8Array, fan: Fan, triangles: readonly number[]): void {
  const { spokes, ring } = fan;
  const size = ring.length;
  // The inner edges so far, by both ends.
  const inner = new Map<number, number>();
  for (let k = 0; k < spokes.length; k++) if (3 * k >= triangles.length) dead[(spokes[k] / 3) | 0] = 1;
  for (let i = 0; i < triangles.length; i++) {
    const from = triangles[i];
    const to = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const h = 3 * ((spokes[(i / 3) | 0] / 3) | 0) + (i % 3);
    corner[h] = ring[from];
    if (to === (from + 1) % size) {
      twin[h] = fan.twin[from];
      blocked[h] = fan.blocked[from];
      if (twin[h] >= 0) twin[twin[h]] = h;
      continue;
    }
    blocked[h] = 0;
    const other = inner.get(to * size + from);
    twin[h] = -1;
    if (other === undefined) inner.set(from * size + to, h);
    else {
      twin[h] = other;
      twin[other] = h;
    }
  }
}

function withoutDead(ground: Ground, dead: Uint8Array): Ground {
  const { count, twin } = ground;
  const place = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let t = 0; t < count; t++) if (dead[t] === 0) place[t] = kept++;
  const out = groundOf(new Int32Array(3 * kept), new Uint8Array(kept), new Int32Array(kept));
  keepTriangles(out, ground, place);
  for (let h = 0; h < 3 * count; h++) {
    const to = place[(h / 3) | 0];
    if (to < 0) continue;
    const other = twin[h];
    out.twin[3 * to + (h % 3)] = other < 0 ? other : 3 * place[(other / 3) | 0] + (other % 3);
  }
  return out;
}
