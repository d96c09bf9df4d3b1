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
  return (v[b]! - v[a]!) * (v[c + 2]! - v[a + 2]!) - (v[c]! - v[a]!) * (v[b + 2]! - v[a + 2]!);
}

export function samePlace(v: Int32Array, a: number, b: number): boolean {
  return v[a] === v[b] && v[a + 2] === v[b + 2];
}

/** Whether the segments a-b and c-d cross in a point inside both. */
export function crossProperly(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  const abc = area2(v, a, b, c);
  if (abc === 0) return false;
  const abd = area2(v, a, b, d);
  if (abd === 0 || abc < 0 === abd < 0) return false;
  const cda = area2(v, c, d, a);
  if (cda === 0) return false;
  const cdb = area2(v, c, d, b);
  return cdb !== 0 && cda < 0 !== cdb < 0;
}

/** Whether c lies on the segment a-b. */
function isBetween(v: Int32Array, a: number, b: number, c: number): boolean {
  if (area2(v, a, b, c) !== 0) return false;
  const k = v[a] !== v[b] ? 0 : 2;
  const p = v[a + k]!, q = v[b + k]!, r = v[c + k]!;
  return (p <= r && r <= q) || (p >= r && r >= q);
}

/** Whether the segments a-b and c-d have a point in common. */
export function touch(v: Int32Array, a: number, b: number, c: number, d: number): boolean {
  // Boxes apart: no.
  const ax = v[a]!, bx = v[b]!, cx = v[c]!, dx = v[d]!;
  if ((ax < bx ? bx : ax) < (cx < dx ? cx : dx) || (cx < dx ? dx : cx) < (ax < bx ? ax : bx)) return false;
  const az = v[a + 2]!, bz = v[b + 2]!, cz = v[c + 2]!, dz = v[d + 2]!;
  if ((az < bz ? bz : az) < (cz < dz ? cz : dz) || (cz < dz ? dz : cz) < (az < bz ? az : bz)) return false;
  return crossProperly(v, a, b, c, d)
    || isBetween(v, a, b, c) || isBetween(v, a, b, d) || isBetween(v, c, d, a) || isBetween(v, c, d, b);
}

/** Whether p, seen from corner `at` between `before` and `after`, lies strictly within the polygon's inner angle. */
export function isInCone(v: Int32Array, before: number, at: number, after: number, p: number): boolean {
  if (area2(v, before, at, after) <= 0) return area2(v, at, p, before) < 0 && area2(v, p, at, after) < 0;
  return !(area2(v, at, p, after) <= 0 && area2(v, p, at, before) <= 0);
}

/** The same, the two sides of a convex corner included. */
export function isInConeLoosely(v: Int32Array, before: number, at: number, after: number, p: number): boolean {
  if (area2(v, before, at, after) <= 0) return area2(v, at, p, before) <= 0 && area2(v, p, at, after) <= 0;
  return !(area2(v, at, p, after) <= 0 && area2(v, p, at, before) <= 0);
}
