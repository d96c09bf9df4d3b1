/**
 * Exact plane geometry on contour vertices (integers x, z at stride 4): the side of a point, cones at corners, crossing
 * segments. Shared by hole merging and triangulation. All values stay below 2^53, so every answer is exact.
 *
 * `left` is on the inner side of a contour's edges: contours run so that area2 of an ear is negative, as in Recast.
 *
 * Based on: Joseph O'Rourke, Computational Geometry in C (1998), chapter 1; Mikko Mononen, Recast (2009).
 */

/** Twice the signed area of a, b, c (offsets into `v`): negative when c lies left of a -> b. */
export function area2(v: Int32Array, a: number, b: number, c: number): number {
  return (v[b] - v[a]) * (v[c + 2] - v[a + 2]) - (v[c] - v[a]) * (v[b + 2] - v[a + 2]);
}

export function samePlace(v: Int32Array, a: number, b: number): boolean {
  return v[a] === v[b] && v[a + 2] === v[b + 2];
}

/** Whether the segments a-b and c-d cross in a point inside both. */
export function crossProperly(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  return area2(v, a, b, c) * area2(v, a, b, d) < 0 && area2(v, c, d, a) * area2(v, c, d, b) < 0;
}

/** Whether the segments a-b and c-d have a point in common: their boxes overlap, and neither lies on one side of the other. */
export function touch(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  return (
    area2(v, a, b, c) * area2(v, a, b, d) <= 0 &&
    area2(v, c, d, a) * area2(v, c, d, b) <= 0 &&
    overlap(v[a], v[b], v[c], v[d]) &&
    overlap(v[a + 2], v[b + 2], v[c + 2], v[d + 2])
  );
}

function overlap(a: number, b: number, c: number, d: number): boolean {
  return (a < b ? a : b) <= (c < d ? d : c) && (c < d ? c : d) <= (a < b ? b : a);
}

/**
 * Whether p, seen from corner `at` between `before` and `after`, lies strictly within the polygon's inner angle; with
 * `limit` 1 the two sides of a convex corner are included.
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
