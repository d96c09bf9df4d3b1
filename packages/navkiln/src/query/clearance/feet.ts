/**
 * Finds narrow passages between a corner and a wall: the line from the corner to its foot on the wall, if no other corner lies in the circle
 * with this line as its diameter.
 *
 * Clearance is smallest in such passages, and between two corners whose circle is empty. The latter are edges of the Delaunay triangulation.
 * From each wall, the search follows the strip straight ahead of it, from edge to edge. It ends at an edge that no circle can reach that
 * touches the wall and contains none of the visited corners: no corner behind that edge has an empty circle. Extra passages do no harm, so
 * rounding is only allowed to add some.
 *
 * In: triangles between walls.
 * Out: the half-edges of walls, and for each the corners that face it, with the positions of their feet along it.
 * Cost: linear in the triangles ahead of walls; a few per wall if the triangulation is Delaunay.
 * Based on: own. The argument that a disc fits through a map if it fits through the shortest lines between walls is that of Marcelo Kallmann,
 * Dynamic and Robust Local Clearance Triangulations, 2014, which splits walls opposite corners for this purpose.
 */
import { distanceOf } from './tangent.ts';
import { beforeOf, nextOf } from './types.ts';
import type { WallTriangles } from './walls.ts';

/** Corners that face walls: wall w has entries start[w] .. start[w + 1] - 1, sorted along the wall. */
export interface Feet {
  wall: Int32Array;
  start: Int32Array;
  /** The corner, and the foot as a share of the wall. */
  corner: Int32Array;
  share: Float64Array;
}

/** A strip that still has to be searched: the half-edge through which it enters a triangle, and its sides. */
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

/** Returns the corners that face each wall. Leaves out corners farther than `widest` from the wall. */
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
      // Feet nearly at the same position belong to corners behind each other. Feet at an end belong to the wall's own corners.
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
    // The wall and each entered edge run from low to high. The triangle ahead is on the left of the edge.
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

  /**
   * Returns whether a circle that touches the wall between low and high may reach beyond the edge p-q, with corners p and q outside of the
   * circle.
   */
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

/** Returns the largest height of a circle that touches the wall between low and high and does not contain a corner. */
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
