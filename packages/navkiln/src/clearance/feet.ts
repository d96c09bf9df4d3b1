/**
 * Finds the narrow places between a corner and a wall: the foot of the corner on the wall, where no other corner lies in the circle whose
 * diameter the two are.
 *
 * The room of an agent is least at such places and between two corners whose circle is empty, which are edges of the Delaunay
 * triangulation. From each wall, the search follows the strip of all that lies straight ahead from edge to edge. It ends where a circle
 * that touches the wall and leaves the corners passed outside cannot reach: no corner beyond has an empty circle. Places too many do no
 * harm, so rounding may only add some.
 *
 * In: triangles between walls.
 * Out: the half-edges of walls, and for each the corners that face it, with the distance of their feet along it.
 * Cost: linear in the triangles ahead of walls, a few a wall where the triangulation is Delaunay.
 * Based on: own; that a disc passes wherever it passes the shortest lines between walls is the argument of Marcelo Kallmann, Dynamic and
 * Robust Local Clearance Triangulations, 2014, which splits walls opposite corners for this purpose.
 */
import { distanceOf } from './tangent.ts';
import { beforeOf, nextOf } from './types.ts';
import type { WallTriangles } from './walls.ts';

/** Corners that face walls: wall w, a half-edge, has entries start[w] .. start[w + 1] - 1, sorted along it. */
export interface Feet {
  wall: Int32Array;
  start: Int32Array;
  /** The corner, and the foot as a share of the wall. */
  corner: Int32Array;
  share: Float64Array;
}

/** A strip that is still to be searched: the half-edge that it enters through, and its sides. */
interface Strip {
  half: number;
  low: number;
  high: number;
}

interface Facing {
  corner: number;
  along: number;
  height: number;
}

/** Relative reserve for rounding. */
const SLACK = 1e-9;

/** Corners that are farther than `widest` from a wall are left out. */
export function findFeet(triangles: WallTriangles, widest: number = Infinity): Feet {
  const { twin, triangleCount } = triangles;
  const wall: number[] = [];
  const start = [0];
  const corners: number[] = [];
  const shares: number[] = [];
  for (let h = 0; h < 3 * triangleCount; h++) {
    if (twin[h] >= 0) continue;
    const { found, length } = searchStrip(triangles, h);
    wall.push(h);
    let last = 0;
    for (const { corner, along, height } of found) {
      const share = along / length;
      if (height > widest) continue;
      // Feet nearly at the same place belong to corners behind each other, and those at an end to the wall's own corners.
      if (share - last < 1e-12 || share > 1 - 1e-12) continue;
      corners.push(corner);
      shares.push(share);
      last = share;
    }
    start.push(corners.length);
  }
  return {
    wall: Int32Array.from(wall),
    start: Int32Array.from(start),
    corner: Int32Array.from(corners),
    share: Float64Array.from(shares),
  };
}

/** Returns the corners that face a wall, sorted along it. */
function searchStrip({ xs, vs, corner, twin }: WallTriangles, wall: number): { found: Facing[]; length: number } {
  const a = corner[wall];
  const b = corner[nextOf(wall)];
  const length = distanceOf(xs[a], vs[a], xs[b], vs[b]);
  const ux = (xs[b] - xs[a]) / length;
  const uv = (vs[b] - vs[a]) / length;
  const along = (p: number): number => ux * (xs[p] - xs[a]) + uv * (vs[p] - vs[a]);
  const height = (p: number): number => ux * (vs[p] - vs[a]) - uv * (xs[p] - xs[a]);
  const seen: Facing[] = [];
  const strips: Strip[] = [{ half: wall, low: 0, high: length }];
  for (let strip = strips.pop(); strip !== undefined; strip = strips.pop()) {
    const { half, low, high } = strip;
    // The wall runs from low to high, and so does each entered edge: its triangle is ahead, to its left.
    const apex = corner[beforeOf(half)];
    const x = along(apex);
    seen.push({ corner: apex, along: x, height: height(apex) });
    push(beforeOf(half), apex, low, Math.min(high, x));
    push(nextOf(half), apex, Math.max(low, x), high);
  }
  const found = seen.filter(
    (one) => one.along > 0 && one.along < length && !seen.some((other) => isInCircle(one, other)),
  );
  return { found: found.sort((one, other) => one.along - other.along || one.height - other.height), length };

  function push(half: number, apex: number, low: number, high: number): void {
    const other = twin[half];
    if (other < 0 || !(high > low)) return;
    const p = corner[other];
    const q = corner[nextOf(other)];
    if (canReach(apex === p ? q : p, apex, low, high)) strips.push({ half: other, low, high });
  }

  /** Returns whether a circle on the wall between low and high, with two corners outside, may reach beyond the edge between these. */
  function canReach(p: number, q: number, low: number, high: number): boolean {
    const px = along(p);
    const qx = along(q);
    const ph = height(p);
    const qh = height(q);
    const reach = Math.min(highest(px, ph, low, high), highest(qx, qh, low, high));
    const slope = qx === px ? 0 : (qh - ph) / (qx - px);
    const least = Math.min(ph + slope * (low - px), ph + slope * (high - px));
    return !(least > reach * (1 + SLACK));
  }
}

/** Returns how high circles on the wall between low and high may be that leave a corner outside. */
function highest(x: number, height: number, low: number, high: number): number {
  if (height <= 0) return Infinity;
  const most = Math.max(low - x, x - low, high - x, x - high);
  return height + (most * most) / height;
}

/** Returns whether a corner lies clearly inside the circle between another corner and its foot. */
function isInCircle(one: Facing, other: Facing): boolean {
  if (one === other || one.corner === other.corner) return false;
  const dx = other.along - one.along;
  return dx * dx + other.height * other.height < other.height * one.height * (1 - SLACK);
}
