/**
 * Moves an end of a path to the nearest point where an agent has room.
 *
 * That point is the end itself, or lies at the radius from walls: across from a wall, around a corner, or where two of these lines meet. All
 * such points of the walls nearby are tried, the nearest first.
 *
 * In: a point, a radius.
 * Out: a point in cells, its triangle, how far it was moved.
 * Cost: one flood around the point if it has room; otherwise quadratic in the walls within about the radius.
 * Based on: own.
 */
import { triangleAt } from './locate.ts';
import { wallDistanceSq } from './near.ts';
import { distanceOf } from './tangent.ts';
import { nextOf } from './types.ts';
import type { Clearance } from './types.ts';

/** An end with room. Triangle -1: there is none within reach. */
export interface PlacedEnd {
  triangle: number;
  x: number;
  v: number;
  /** How far it was moved, units of the map. */
  distance: number;
  /** Distance to the nearest wall, at most the radius, cells. */
  room: number;
}

/** An agent may stand nearer to a wall by this share of its radius, for rounding. */
const ROOM_SLACK = 1e-9;

export function placeEnd(
  clearance: Clearance,
  [px, py]: readonly [number, number],
  radius: number,
  maxMove: number,
): PlacedEnd {
  const { gridSize, originX, originV, mapYSign } = clearance;
  const cells = radius / gridSize;
  const x = (px - originX) / gridSize;
  const v = (-mapYSign * py - originV) / gridSize;
  const at = roomAt(clearance, x, v, cells);
  if (at !== undefined) return { ...at, distance: 0 };
  const none = { triangle: -1, x, v, distance: Infinity, room: 0 };
  const moved = maxMove > 0 ? nearestRoom(clearance, x, v, cells, maxMove / gridSize) : undefined;
  return moved === undefined ? none : { ...moved, distance: moved.distance * gridSize };
}

/** Returns a point where an agent has room; undefined when it has none. */
function roomAt(clearance: Clearance, x: number, v: number, radius: number): Omit<PlacedEnd, 'distance'> | undefined {
  const triangle = triangleAt(clearance, x, v);
  if (triangle < 0) return undefined;
  const room = Math.sqrt(wallDistanceSq(clearance, triangle, x, v, radius));
  return room >= radius * (1 - ROOM_SLACK) ? { triangle, x, v, room } : undefined;
}

interface Candidate {
  x: number;
  v: number;
  distance: number;
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

function nearestRoom(
  clearance: Clearance,
  x: number,
  v: number,
  radius: number,
  maxMove: number,
): PlacedEnd | undefined {
  const { side, columns, rows } = clearance;
  const outside = Math.max(0, -x, -v, x - columns * side, v - rows * side);
  const farthest = outside + Math.max(columns, rows) * side * 1.5;
  for (let reach = outside + 2 * radius + side; ; reach *= 2) {
    const found = tryWithin(clearance, x, v, radius, reach);
    // Walls farther away than `reach` do not count for a point that lies a radius within it.
    if (found !== undefined && found.distance + radius <= reach) return found.distance <= maxMove ? found : undefined;
    if (reach - radius > maxMove || reach > farthest + radius) return found;
  }
}

function tryWithin(clearance: Clearance, x: number, v: number, radius: number, reach: number): PlacedEnd | undefined {
  const walls = wallsWithin(clearance, x, v, reach);
  const candidates: Candidate[] = [];
  const add = (cx: number, cv: number): void => {
    candidates.push({ x: cx, v: cv, distance: distanceOf(cx, cv, x, v) });
  };
  for (const wall of walls) addAlone(wall, x, v, radius, add);
  let best = firstWithRoom(clearance, candidates, radius);
  const limit = best === undefined ? reach : best.distance;
  candidates.length = 0;
  // Lines at the radius from two walls meet only where these are within two radii of each other, and matter only near the point.
  const close = walls.filter((wall) => wallDistance(wall, x, v) < limit + radius);
  for (let i = 0; i < close.length; i++) for (let j = 0; j < i; j++) addPair(close[i], close[j], radius, add);
  const nearer = candidates.filter(({ distance }) => distance < limit);
  best = firstWithRoom(clearance, nearer, radius) ?? best;
  return best;
}

function firstWithRoom(clearance: Clearance, candidates: Candidate[], radius: number): PlacedEnd | undefined {
  candidates.sort((a, b) => a.distance - b.distance);
  for (const candidate of candidates) {
    const at = roomAt(clearance, candidate.x, candidate.v, radius);
    if (at !== undefined) return { ...at, distance: candidate.distance };
  }
  return undefined;
}

function wallsWithin(
  { side, columns, rows, start, items, corner, twin, xs, vs }: Clearance,
  x: number,
  v: number,
  reach: number,
): NearWall[] {
  const walls: NearWall[] = [];
  const seen = new Set<number>();
  const x0 = Math.max(0, Math.floor((x - reach) / side));
  const x1 = Math.min(columns - 1, Math.floor((x + reach) / side));
  const v0 = Math.max(0, Math.floor((v - reach) / side));
  const v1 = Math.min(rows - 1, Math.floor((v + reach) / side));
  for (let row = v0; row <= v1; row++) {
    for (let k = start[row * columns + Math.min(x0, columns - 1)]; k < start[row * columns + x1 + 1]; k++) {
      const t = items[k];
      if (seen.has(t)) continue;
      seen.add(t);
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        if (twin[h] >= 0) continue;
        const a = corner[h];
        const b = corner[nextOf(h)];
        const length = distanceOf(xs[a], vs[a], xs[b], vs[b]);
        const nx = -(vs[b] - vs[a]) / length;
        const nv = (xs[b] - xs[a]) / length;
        const wall = { ax: xs[a], av: vs[a], bx: xs[b], bv: vs[b], nx, nv };
        if (wallDistance(wall, x, v) < reach) walls.push(wall);
      }
    }
  }
  return walls;
}

function wallDistance({ ax, av, bx, bv }: NearWall, x: number, v: number): number {
  const t = shareOf(ax, av, bx, bv, x, v);
  return distanceOf(ax + t * (bx - ax), av + t * (bv - av), x, v);
}

// oxlint-disable-next-line max-params -- two ends and a point
function shareOf(ax: number, av: number, bx: number, bv: number, x: number, v: number): number {
  const dx = bx - ax;
  const dv = bv - av;
  return Math.max(0, Math.min(1, ((x - ax) * dx + (v - av) * dv) / (dx * dx + dv * dv)));
}

/** Adds the points nearest to (x, v) across from a wall and around its first corner. */
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

/** Adds the points where lines at the radius from two walls, or circles around their first corners, meet. */
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

/** Adds the points where the line n . x = k of a wall meets the circle around the first corner of another one. */
// oxlint-disable-next-line max-params -- two walls and what both share
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
