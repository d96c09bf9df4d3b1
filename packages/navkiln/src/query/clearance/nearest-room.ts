/**
 * Finds the nearest point to a given point where an agent fits ("has room").
 *
 * The distance of that point from walls is the radius. It lies opposite to a wall, on a circle around a corner, or where two of these lines
 * and circles meet. Corners lie on walls, and no point of a triangle is farther from its nearest corner than `mostRoomIn` allows. So an
 * agent fits only in large triangles. They are tried in the order of their distance, each with the walls around it.
 *
 * In: a clearance, a point and a radius, in cells.
 * Out: a point in cells and its triangle.
 * Cost: linear in the triangles around the point; quadratic in the walls around large triangles.
 * Based on: own.
 */
import { isIn, triangleAt } from './locate.ts';
import { createNearTriangles, floodNear, pointDistanceSq, wallDistanceSq } from './near.ts';
import { distanceOf } from './tangent.ts';
import { nextOf } from './types.ts';
import type { Clearance } from './types.ts';

/** A point where an agent fits. */
export interface RoomyPoint {
  triangle: number;
  x: number;
  v: number;
  /** Distance to the nearest wall, at most the radius, cells. */
  room: number;
}

/** Agents may be nearer to a wall by this share of their radius, to allow for rounding errors. */
const ROOM_SLACK = 1e-9;
const TINY_CELLS = 100;
const ROUNDING_CELLS = 1e-7;

/** Returns a point if an agent fits there, else undefined. */
export function roomAt(clearance: Clearance, x: number, v: number, radius: number): RoomyPoint | undefined {
  const triangle = triangleAt(clearance, x, v);
  if (triangle < 0) return undefined;
  const room = Math.sqrt(wallDistanceSq(clearance, triangle, x, v, radius));
  return room >= radius * (1 - ROOM_SLACK) ? { triangle, x, v, room } : undefined;
}

/** A wall nearby: its ends, and unit normal towards the surface. */
interface NearWall {
  ax: number;
  av: number;
  bx: number;
  bv: number;
  nx: number;
  nv: number;
}

interface LargeTriangle {
  triangle: number;
  distance: number;
}

/** Returns the nearest point where an agent fits, and its distance; undefined if there is none within `maxMove`. */
export function nearestRoom(
  clearance: Clearance,
  x: number,
  v: number,
  radius: number,
  maxMove: number,
): (RoomyPoint & { distance: number }) | undefined {
  const { side, columns, rows } = clearance;
  if (clearance.mostRoom < radius) return undefined;
  const outside = Math.max(0, -x, -v, x - columns * side, v - rows * side);
  const farthest = outside + Math.max(columns, rows) * side * 1.5;
  let best: RoomyPoint | undefined;
  let bestDistance = Infinity;
  let seen = 0;
  for (let reach = outside + radius + side; ; reach *= 2) {
    const within = Math.min(reach, maxMove);
    const large = largeTriangles(clearance, x, v, radius, within);
    // The list begins with the triangles that the previous rounds have tried.
    for (const { triangle, distance } of large.slice(seen)) {
      if (distance >= bestDistance) break;
      tryTriangle(triangle);
    }
    seen = large.length;
    if (bestDistance <= within) return { ...best!, distance: bestDistance };
    if (reach >= maxMove || reach > farthest) return undefined;
  }

  function tryTriangle(triangle: number): void {
    const walls = wallsAround(clearance, triangle, radius);
    const least = radius * (1 - ROOM_SLACK);
    const leastSq = least * least;
    const add = (cx: number, cv: number): void => {
      const distance = distanceOf(cx, cv, x, v);
      if (!(distance < bestDistance) || !isIn(clearance, triangle, cx, cv)) return;
      for (let i = 0; i < walls.length; i++) {
        const wall = walls[i];
        if (pointDistanceSq(wall.ax, wall.av, wall.bx, wall.bv, cx, cv) >= leastSq) continue;
        // This wall probably blocks the next points, too, so it moves forward in the list.
        walls[i] = walls[i >> 1];
        walls[i >> 1] = wall;
        return;
      }
      const at = roomAt(clearance, cx, cv, radius);
      if (at === undefined) return;
      best = at;
      bestDistance = distance;
    };
    const all = walls.slice();
    // With a tiny radius, rounded coordinates can be too near to walls.
    const isTiny = radius > 0 && radius < TINY_CELLS;
    for (const far of isTiny ? [radius, radius + ROUNDING_CELLS] : [radius]) {
      for (const wall of all) addAlone(wall, x, v, far, add);
      for (let i = 0; i < all.length; i++) {
        for (let j = 0; j < i; j++) if (areClose(all[i], all[j], 2 * far)) addPair(all[i], all[j], far, add);
      }
    }
  }
}

/** Returns the largest distance that a point of a triangle can have from all three corners. */
export function mostRoomIn({ xs, vs, corner }: Pick<Clearance, 'xs' | 'vs' | 'corner'>, triangle: number): number {
  const a = corner[3 * triangle];
  const b = corner[3 * triangle + 1];
  const c = corner[3 * triangle + 2];
  const distanceSq = (p: number, q: number): number =>
    (xs[q] - xs[p]) * (xs[q] - xs[p]) + (vs[q] - vs[p]) * (vs[q] - vs[p]);
  const ab = distanceSq(a, b);
  const bc = distanceSq(b, c);
  const ca = distanceSq(c, a);
  const longest = Math.max(ab, bc, ca);
  const rest = ab + bc + ca - longest;
  const area = Math.abs((xs[b] - xs[a]) * (vs[c] - vs[a]) - (vs[b] - vs[a]) * (xs[c] - xs[a]));
  if (longest <= rest) return (Math.sqrt(ab * bc * ca) / (2 * area)) * (1 + 1e-9);
  // With an obtuse angle, the farthest point is on the longest edge, at equal distances from one of its ends and the opposite corner.
  const middle = Math.max(ab === longest ? Math.max(bc, ca) : bc === longest ? Math.max(ab, ca) : Math.max(ab, bc));
  return middle === 0 ? 0 : ((middle * Math.sqrt(longest)) / (longest + 2 * middle - rest)) * (1 + 1e-9);
}

/** Returns the triangles within a distance of a point in which an agent may fit, nearest first. */
function largeTriangles(clearance: Clearance, x: number, v: number, radius: number, reach: number): LargeTriangle[] {
  const { side, columns, rows, start, items } = clearance;
  const large: LargeTriangle[] = [];
  const seen = new Set<number>();
  const x0 = Math.max(0, Math.floor((x - reach) / side));
  const x1 = Math.min(columns - 1, Math.floor((x + reach) / side));
  const v0 = Math.max(0, Math.floor((v - reach) / side));
  const v1 = Math.min(rows - 1, Math.floor((v + reach) / side));
  for (let row = v0; row <= v1 && x0 <= x1; row++) {
    for (let k = start[row * columns + x0]; k < start[row * columns + x1 + 1]; k++) {
      const triangle = items[k];
      if (seen.has(triangle)) continue;
      seen.add(triangle);
      if (mostRoomIn(clearance, triangle) < radius) continue;
      const distance = triangleDistance(clearance, triangle, x, v);
      if (distance <= reach) large.push({ triangle, distance });
    }
  }
  return large.sort((a, b) => a.distance - b.distance || a.triangle - b.triangle);
}

function triangleDistance(clearance: Clearance, triangle: number, x: number, v: number): number {
  if (isIn(clearance, triangle, x, v)) return 0;
  const { xs, vs, corner } = clearance;
  let least = Infinity;
  for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
    const a = corner[h];
    const b = corner[nextOf(h)];
    const t = shareOf(xs[a], vs[a], xs[b], vs[b], x, v);
    least = Math.min(least, distanceOf(xs[a] + t * (xs[b] - xs[a]), vs[a] + t * (vs[b] - vs[a]), x, v));
  }
  return least;
}

const near = createNearTriangles();

/** Returns the walls that may be within the radius of points of a triangle. */
function wallsAround(clearance: Clearance, triangle: number, radius: number): NearWall[] {
  const { xs, vs, corner, twin } = clearance;
  let longest = 3 * triangle;
  let lengthMost = 0;
  for (let h = 3 * triangle; h < 3 * triangle + 3; h++) {
    const length = distanceOf(xs[corner[h]], vs[corner[h]], xs[corner[nextOf(h)]], vs[corner[nextOf(h)]]);
    if (length <= lengthMost) continue;
    longest = h;
    lengthMost = length;
  }
  const a = corner[longest];
  const b = corner[nextOf(longest)];
  const c = corner[nextOf(nextOf(longest))];
  const area = (xs[b] - xs[a]) * (vs[c] - vs[a]) - (vs[b] - vs[a]) * (xs[c] - xs[a]);
  floodNear(near, clearance, triangle, [xs[a], vs[a], xs[b], vs[b]], (radius + area / lengthMost) * (1 + 1e-9));
  const walls: NearWall[] = [];
  for (let i = 0; i < near.count; i++) {
    for (let h = 3 * near.items[i]; h < 3 * near.items[i] + 3; h++) {
      if (twin[h] >= 0) continue;
      const p = corner[h];
      const q = corner[nextOf(h)];
      const length = distanceOf(xs[p], vs[p], xs[q], vs[q]);
      const nx = -(vs[q] - vs[p]) / length;
      const nv = (xs[q] - xs[p]) / length;
      walls.push({ ax: xs[p], av: vs[p], bx: xs[q], bv: vs[q], nx, nv });
    }
  }
  return walls;
}

/** Returns whether two walls may be within a distance of each other. */
function areClose(p: NearWall, q: NearWall, distance: number): boolean {
  return (
    Math.max(p.ax, p.bx) >= Math.min(q.ax, q.bx) - distance &&
    Math.max(q.ax, q.bx) >= Math.min(p.ax, p.bx) - distance &&
    Math.max(p.av, p.bv) >= Math.min(q.av, q.bv) - distance &&
    Math.max(q.av, q.bv) >= Math.min(p.av, p.bv) - distance
  );
}

// oxlint-disable-next-line max-params -- two ends and a point
function shareOf(ax: number, av: number, bx: number, bv: number, x: number, v: number): number {
  const dx = bx - ax;
  const dv = bv - av;
  return Math.max(0, Math.min(1, ((x - ax) * dx + (v - av) * dv) / (dx * dx + dv * dv)));
}

/** Adds the points nearest to (x, v) on the line opposite to a wall, and on the circle around its first corner. */
function addAlone(
  { ax, av, bx, bv, nx, nv }: NearWall,
  x: number,
  v: number,
  radius: number,
  add: (x: number, v: number) => void,
): void {
  const t = shareOf(ax, av, bx, bv, x, v);
  add(ax + t * (bx - ax) + radius * nx, av + t * (bv - av) + radius * nv);
  const dx = x - ax;
  const dv = v - av;
  const length = Math.sqrt(dx * dx + dv * dv);
  if (length > 0) add(ax + (radius * dx) / length, av + (radius * dv) / length);
}

/** Adds the intersections of two walls' lines at the radius, and of the circles around their first corners. */
function addPair(p: NearWall, q: NearWall, radius: number, add: (x: number, v: number) => void): void {
  const det = p.nx * q.nv - p.nv * q.nx;
  const pk = p.nx * p.ax + p.nv * p.av + radius;
  const qk = q.nx * q.ax + q.nv * q.av + radius;
  if (Math.abs(det) > 1e-12) add((pk * q.nv - qk * p.nv) / det, (qk * p.nx - pk * q.nx) / det);
  addLineCircle(p, q, pk, radius, add);
  addLineCircle(q, p, qk, radius, add);
  const dx = q.ax - p.ax;
  const dv = q.av - p.av;
  const lengthSq = dx * dx + dv * dv;
  if (lengthSq === 0 || lengthSq > 4 * radius * radius) return;
  const across = Math.sqrt(Math.max(0, (radius * radius) / lengthSq - 0.25));
  add(p.ax + dx / 2 - across * dv, p.av + dv / 2 + across * dx);
  add(p.ax + dx / 2 + across * dv, p.av + dv / 2 - across * dx);
}

/** Adds the intersections of the line n . x = k of a wall with the circle around the first corner of another wall. */
// oxlint-disable-next-line max-params -- two walls and their common values
function addLineCircle(
  line: NearWall,
  circle: NearWall,
  k: number,
  radius: number,
  add: (x: number, v: number) => void,
): void {
  const off = k - line.nx * circle.ax - line.nv * circle.av;
  const restSq = radius * radius - off * off;
  if (restSq < 0) return;
  const rest = Math.sqrt(restSq);
  add(circle.ax + off * line.nx - rest * line.nv, circle.av + off * line.nv + rest * line.nx);
  add(circle.ax + off * line.nx + rest * line.nv, circle.av + off * line.nv - rest * line.nx);
}
