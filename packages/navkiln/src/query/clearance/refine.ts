/**
 * Splits walls at the feet of the corners that face them and makes the triangulation Delaunay again, so that each narrow passage is an edge.
 *
 * Because of rounding, a foot may be slightly off its wall. So an edge is only flipped if both new triangles clearly have an area. If an edge
 * is not flipped only because of rounding, a neighboring edge is as narrow.
 *
 * In: triangles between walls, feet.
 * Out: triangles with more vertices; for each new vertex, its wall and the opposite corner.
 * Cost: linear in the feet and flips.
 * Based on: Charles Lawson, Software for C1 surface interpolation, 1977.
 */
import type { Feet } from './feet.ts';
import { beforeOf, nextOf } from './types.ts';
import type { WallTriangles } from './walls.ts';

/** Triangles with feet. Vertices from `cornerCount` on are feet. */
export interface RefinedTriangles extends WallTriangles {
  cornerCount: number;
  /** For each foot: the opposite corner, and both ends of its wall. */
  faces: Int32Array;
  wallFrom: Int32Array;
  wallTo: Int32Array;
}

/** Largest number of flips per half-edge. Only rounding errors could lead to as many. */
const MAX_FLIPS = 30;
/** A determinant counts as positive if it is larger than this share of its terms. */
const CLEAR = 1e-12;

export function refine(base: WallTriangles, feet: Feet): RefinedTriangles {
  const count = feet.corner.length;
  const cornerCount = base.vertexCount;
  const made: RefinedTriangles = {
    ...base,
    cornerCount,
    vertexCount: cornerCount + count,
    xs: grown(base.xs, count),
    vs: grown(base.vs, count),
    triangleCount: base.triangleCount,
    corner: grownInts(base.corner, 3 * count),
    twin: grownInts(base.twin, 3 * count),
    faces: feet.corner,
    wallFrom: new Int32Array(count),
    wallTo: new Int32Array(count),
  };
  // The half-edge of a wall gets another number if its triangle is split along another wall.
  const half = feet.wall.slice();
  const wallOf = new Map<number, number>();
  half.forEach((h, w) => wallOf.set(h, w));
  for (let w = 0; w < half.length; w++) splitWall(made, feet, w, half, wallOf);
  flipAll(made);
  return made;
}

function grown(from: Float64Array, more: number): Float64Array {
  const out = new Float64Array(from.length + more);
  out.set(from);
  return out;
}

function grownInts(from: Int32Array, more: number): Int32Array {
  const out = new Int32Array(from.length + more);
  out.set(from);
  return out;
}

/** Splits the triangle of a wall into a fan of triangles, one for each part of the wall. */
function splitWall(
  made: RefinedTriangles,
  { start, share }: Feet,
  w: number,
  half: Int32Array,
  wallOf: Map<number, number>,
): void {
  const { xs, vs, corner, twin, cornerCount, wallFrom, wallTo } = made;
  let h = half[w];
  const a = corner[h];
  const b = corner[nextOf(h)];
  for (let i = start[w]; i < start[w + 1]; i++) {
    const q = cornerCount + i;
    xs[q] = xs[a] + share[i] * (xs[b] - xs[a]);
    vs[q] = vs[a] + share[i] * (vs[b] - vs[a]);
    wallFrom[i] = a;
    wallTo[i] = b;
    // The triangle keeps the part before the foot. A new triangle takes the rest.
    const n = nextOf(h);
    const apex = corner[beforeOf(h)];
    const added = 3 * made.triangleCount++;
    corner[added] = q;
    corner[added + 1] = b;
    corner[added + 2] = apex;
    twin[added] = -1;
    setTwin(twin, added + 1, twin[n]);
    setTwin(twin, added + 2, n);
    if (twin[added + 1] < 0) {
      const moved = wallOf.get(n)!;
      half[moved] = added + 1;
      wallOf.delete(n);
      wallOf.set(added + 1, moved);
    }
    corner[n] = q;
    h = added;
  }
}

function setTwin(twin: Int32Array, h: number, other: number): void {
  twin[h] = other;
  if (other >= 0) twin[other] = h;
}

/** Flips edges until all are Delaunay. */
function flipAll(made: RefinedTriangles): void {
  const { twin, triangleCount } = made;
  const stack: number[] = [];
  for (let h = 3 * triangleCount - 1; h >= 0; h--) if (twin[h] > h) stack.push(h);
  for (let left = MAX_FLIPS * 3 * triangleCount; left > 0 && stack.length > 0;) {
    const h = stack.pop()!;
    if (twin[h] < 0 || !shouldFlip(made, h)) continue;
    flip(made, h);
    left--;
    // The four edges around: two in the triangle of h, two in that of its twin.
    const t = twin[h];
    stack.push(nextOf(h), beforeOf(h), nextOf(t), beforeOf(t));
  }
}

/** Returns whether the corner beyond an edge is inside the circle of its triangle, and the other diagonal is inside both triangles. */
function shouldFlip({ xs, vs, corner, twin }: RefinedTriangles, h: number): boolean {
  const t = twin[h];
  const d = corner[beforeOf(t)];
  const a = corner[h];
  const b = corner[nextOf(h)];
  const c = corner[beforeOf(h)];
  const ax = xs[a] - xs[d];
  const av = vs[a] - vs[d];
  const bx = xs[b] - xs[d];
  const bv = vs[b] - vs[d];
  const cx = xs[c] - xs[d];
  const cv = vs[c] - vs[d];
  // Both triangles after the flip: (d, b, c) and (d, c, a).
  if (!isLeft(bx, bv, cx, cv) || !isLeft(cx, cv, ax, av)) return false;
  const aa = ax * ax + av * av;
  const bb = bx * bx + bv * bv;
  const cc = cx * cx + cv * cv;
  const det = aa * (bx * cv - bv * cx) + bb * (cx * av - cv * ax) + cc * (ax * bv - av * bx);
  const size = aa * Math.sqrt(bb * cc) + bb * Math.sqrt(cc * aa) + cc * Math.sqrt(aa * bb);
  return det > CLEAR * size;
}

function isLeft(px: number, pv: number, qx: number, qv: number): boolean {
  const left = px * qv;
  const right = pv * qx;
  return left - right > CLEAR * (Math.abs(left) + Math.abs(right));
}

/** Replaces edge h from a to b by the edge from c, the apex of h, to d, the apex of its twin. h and its twin keep their numbers. */
function flip({ corner, twin }: RefinedTriangles, h: number): void {
  const t = twin[h];
  const hn = nextOf(h);
  const hb = beforeOf(h);
  const tn = nextOf(t);
  const tb = beforeOf(t);
  const c = corner[hb];
  const d = corner[tb];
  // Before: (a, b, c) with edges h, hn, hb and (b, a, d) with t, tn, tb. After: (d, c, a) and (c, d, b).
  const bc = twin[hn];
  const ca = twin[hb];
  const ad = twin[tn];
  const db = twin[tb];
  const a = corner[h];
  const b = corner[t];
  corner[h] = d;
  corner[hn] = c;
  corner[hb] = a;
  corner[t] = c;
  corner[tn] = d;
  corner[tb] = b;
  setTwin(twin, hn, ca);
  setTwin(twin, hb, ad);
  setTwin(twin, tn, db);
  setTwin(twin, tb, bc);
}
