/**
 * Triangulates a simple ring of integer points, by cutting the ear with the shortest diagonal first.
 *
 * Where a ring touches itself and has no proper ear, ears with touching sides are cut. Where it has none of these
 * either, the triangles so far are returned with `complete` false. The order of ears decides the mesh and is
 * Recast's: the first of the shortest. Ears of other corners keep their measures. A cut may leave an edge without
 * length between two equal points; it blocks lines as in Recast.
 *
 * In: a ring of points at stride 4. Out: triples of positions in the ring.
 * Cost: O(n^2) for the first ears and O(n) per ear cut. A diagonal is tested against every edge left, by a
 *   branch-free box test.
 * Based on: Joseph O'Rourke, Computational Geometry in C (1998); Mikko Mononen, Recast (2009), triangulate.
 */
import { crossProperly, isInCone, samePlace, touch } from '../contours/integer-geometry.ts';

/** The points left of the ring, in order, at stride 4: x, position in the ring, z. */
let left = new Int32Array(1024);
/** The squared length of the diagonal that cuts off each point left as an ear; Infinity: no ear. */
let cut = new Float64Array(256);

/**
 * Triangulates a ring of n points.
 *
 * @param out gets 3 numbers per triangle: positions in the ring; needs room for 3 * (n - 2)
 * @param v points at stride 4
 * @param base first point of the ring
 */
export function triangulate(
  out: Int32Array,
  v: Int32Array,
  base: number,
  n: number,
): { count: number; complete: boolean } {
  if (n > cut.length) {
    left = new Int32Array(n * 8);
    cut = new Float64Array(n * 2);
  }
  for (let i = 0; i < n; i++) {
    left[4 * i] = v[4 * (base + i)];
    left[4 * i + 1] = i;
    left[4 * i + 2] = v[4 * (base + i) + 2];
  }
  for (let i = 0; i < n; i++) measureEar(n, i);
  let count = 0;
  for (let size = n; size > 3; size--) {
    let middle = -1;
    let shortest = Infinity;
    // The first of the shortest, by the position of the point before it.
    for (let k = 1; k <= size; k++) {
      const i = k === size ? 0 : k;
      if (cut[i] < shortest) {
        shortest = cut[i];
        middle = i;
      }
    }
    if (middle === -1) middle = looseEar(size);
    if (middle === -1) return { count, complete: false };
    out[3 * count] = left[4 * before(size, middle) + 1];
    out[3 * count + 1] = left[4 * middle + 1];
    out[3 * count + 2] = left[4 * after(size, middle) + 1];
    count++;
    left.copyWithin(4 * middle, 4 * middle + 4, 4 * size);
    cut.copyWithin(middle, middle + 1, size);
    const next = middle === size - 1 ? 0 : middle;
    measureEar(size - 1, before(size - 1, next));
    measureEar(size - 1, next);
  }
  for (let i = 0; i < 3; i++) out[3 * count + i] = left[4 * i + 1];
  return { count: count + 1, complete: true };
}

function before(size: number, i: number): number {
  return i === 0 ? size - 1 : i - 1;
}

function after(size: number, i: number): number {
  return i + 1 === size ? 0 : i + 1;
}

function measureEar(size: number, middle: number): void {
  const i = before(size, middle);
  const j = after(size, middle);
  cut[middle] = isDiagonal(size, i, j, false) ? distanceSq(i, j) : Infinity;
}

function distanceSq(i: number, j: number): number {
  const dx = left[4 * i] - left[4 * j];
  const dz = left[4 * i + 2] - left[4 * j + 2];
  return dx * dx + dz * dz;
}

/**
 * Returns the ear with touching sides to cut; -1: none. Recast measures it to the point after its diagonal's
 * end.
 */
function looseEar(size: number): number {
  let best = -1;
  let shortest = Infinity;
  for (let i = 0; i < size; i++) {
    const middle = after(size, i);
    const end = after(size, middle);
    if (!isDiagonal(size, i, end, true)) continue;
    const length = distanceSq(i, after(size, end));
    if (length < shortest) {
      shortest = length;
      best = middle;
    }
  }
  return best;
}

/**
 * Returns whether the line between points i and j of the ring left lies inside it and crosses none of its
 * edges.
 */
function isDiagonal(size: number, i: number, j: number, loosely: boolean): boolean {
  const v = left;
  const p = 4 * i;
  const q = 4 * j;
  if (!isInCone(v, 4 * before(size, i), p, 4 * after(size, i), q, loosely ? 1 : 0)) return false;
  const px = v[p];
  const pz = v[p + 2];
  const qx = v[q];
  const qz = v[q + 2];
  const x0 = px < qx ? px : qx;
  const x1 = px < qx ? qx : px;
  const z0 = pz < qz ? pz : qz;
  const z1 = pz < qz ? qz : pz;
  // A bit per side of the line's box that a point lies beyond. An edge with both ends beyond one side cannot
  // cross, unless it has no length.
  let a = 4 * size - 4;
  let x = v[a];
  let z = v[a + 2];
  let beyond = ((x - x0) >>> 31) | (((x1 - x) >>> 31) << 1) | (((z - z0) >>> 31) << 2) | (((z1 - z) >>> 31) << 3);
  for (let b = 0; b < 4 * size; b += 4) {
    const isEmpty = x === v[b] && z === v[b + 2];
    x = v[b];
    z = v[b + 2];
    const ends = beyond;
    beyond = ((x - x0) >>> 31) | (((x1 - x) >>> 31) << 1) | (((z - z0) >>> 31) << 2) | (((z1 - z) >>> 31) << 3);
    if (((ends & beyond) === 0 || isEmpty) && a !== p && b !== p && a !== q && b !== q) {
      const shares = samePlace(v, p, a) || samePlace(v, q, a) || samePlace(v, p, b) || samePlace(v, q, b);
      if (!shares && (loosely ? crossProperly(v, p, q, a, b) : touch(v, p, q, a, b))) return false;
    }
    a = b;
  }
  return true;
}
