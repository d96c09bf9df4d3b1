/**
 * Exact plane geometry on contour vertices: the side of a point, cones at corners, crossing segments.
 *
 * Vertices are integers x, z at stride 4. All values stay below 2^53, so every answer is exact. Shared by
 * hole merging and triangulation. Contours run so that `area2` of a convex corner is negative, as in Recast:
 * the inner side of an edge is its left side.
 *
 * In: an array of vertices and offsets into it. Out: numbers and truth values.
 * Cost: constant.
 * Based on: Joseph O'Rourke, Computational Geometry in C (1998), chapter 1; Mikko Mononen, Recast (2009).
 */

/** Offset of z in a vertex. */
const Z = 2;

/** Returns twice the signed area of a, b, c (offsets into `v`): negative when c lies left of a -> b. */
export function area2(v: Int32Array, a: number, b: number, c: number): number {
  return (v[b] - v[a]) * (v[c + Z] - v[a + Z]) - (v[c] - v[a]) * (v[b + Z] - v[a + Z]);
}

/** Returns whether vertices a and b have the same x and z. */
export function samePlace(v: Int32Array, a: number, b: number): boolean {
  return v[a] === v[b] && v[a + Z] === v[b + Z];
}

/** Returns whether the segments a-b and c-d cross in a point inside both. */
export function crossProperly(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  return area2(v, a, b, c) * area2(v, a, b, d) < 0 && area2(v, c, d, a) * area2(v, c, d, b) < 0;
}

/**
 * Returns whether the segments a-b and c-d share a point: their boxes overlap, and neither lies on one side
 * of the other. As in Recast, which compares only z there, a segment c-d without length is touched by any segment with an end at its z.
 */
export function touch(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  if (samePlace(v, c, d) && (v[c + Z] === v[a + Z] || v[c + Z] === v[b + Z])) return true;
  return (
    area2(v, a, b, c) * area2(v, a, b, d) <= 0 &&
    area2(v, c, d, a) * area2(v, c, d, b) <= 0 &&
    overlap(v[a], v[b], v[c], v[d]) &&
    overlap(v[a + Z], v[b + Z], v[c + Z], v[d + Z])
  );
}

function overlap(a: number, b: number, c: number, d: number): boolean {
  return (a < b ? a : b) <= (c < d ? d : c) && (c < d ? c : d) <= (a < b ? b : a);
}

/**
 * Returns whether p lies strictly within the polygon's inner angle at corner `at`, between `before` and
 * `after`. With `limit` 1 the two sides of a convex corner are included.
 */
export function isInCone(
  v: Int32Array,
  before: number,
  at: number,
  after: number,
  p: number,
  limit: number = 0,
): boolean {
  if (area2(v, before, at, after) <= 0) return area2(v, at, p, before) < limit && area2(v, p, at, after) < limit;
  return area2(v, at, p, after) > 0 || area2(v, p, at, before) > 0;
}
