/**
 * Triangulates a polygon in space.
 *
 * Where the fan around the first vertex stays inside the polygon (seen along its Newell normal), as in any
 * convex one, it is kept: other OBJ readers produce it, too. Otherwise ears are cut, which does not need a
 * planar polygon. When no ear is left (the ring crosses itself), the next corner is cut anyway, so the result
 * always has n - 2 triangles.
 *
 * In: a ring of vertex indices, and positions.
 * Out: n - 2 triangles.
 * Cost: O(n) when the fan is kept; otherwise usually O(n²).
 * Based on: G. H. Meisters, Polygons Have Ears, 1975; M. E. Newell's normal as given by F. Tampieri, 1992.
 */

/**
 * Share of the polygon's area by which a triangle of the fan may be reversed and still count as flat. Files
 * round their coordinates to a few decimals; with a smaller value, nearly straight corners would be cut as
 * ears for nothing.
 */
const FAN_TOLERANCE = 1e-4;

let ring = new Int32Array(64);
let next = new Int32Array(64);
let previous = new Int32Array(64);
let flat = new Float64Array(128);

/** Returns twice the area of triangle a, b, c of the flattened ring; positive for a left turn. */
function turn(a: number, b: number, c: number): number {
  const ax = flat[2 * a];
  const ay = flat[2 * a + 1];
  return (flat[2 * b] - ax) * (flat[2 * c + 1] - ay) - (flat[2 * b + 1] - ay) * (flat[2 * c] - ax);
}

/**
 * Projects the ring onto the axis plane closest to its Newell plane, so that convex corners turn left.
 * Returns false when it has no area.
 */
function flatten(positions: Float64Array, count: number): boolean {
  let nx = 0;
  let ny = 0;
  let nz = 0;
  // Relative to the first corner: far from the origin, products of absolute positions would lose the area.
  const first = 3 * ring[0];
  const ox = positions[first];
  const oy = positions[first + 1];
  const oz = positions[first + 2];
  for (let i = 0, j = count - 1; i < count; j = i++) {
    const a = 3 * ring[j];
    const b = 3 * ring[i];
    const ax = positions[a] - ox;
    const ay = positions[a + 1] - oy;
    const az = positions[a + 2] - oz;
    const bx = positions[b] - ox;
    const by = positions[b + 1] - oy;
    const bz = positions[b + 2] - oz;
    nx += ay * bz - az * by;
    ny += az * bx - ax * bz;
    nz += ax * by - ay * bx;
  }
  const sizeX = Math.abs(nx);
  const sizeY = Math.abs(ny);
  const sizeZ = Math.abs(nz);
  if (!(sizeX + sizeY + sizeZ > 0)) return false;
  let u = 0;
  let v = 1;
  let sign = nz;
  if (sizeX >= sizeY && sizeX >= sizeZ) {
    u = 1;
    v = 2;
    sign = nx;
  } else if (sizeY >= sizeZ) {
    u = 2;
    v = 0;
    sign = ny;
  }
  if (sign < 0) [u, v] = [v, u];
  for (let i = 0; i < count; i++) {
    const p = 3 * ring[i];
    flat[2 * i] = positions[p + u] - positions[first + u];
    flat[2 * i + 1] = positions[p + v] - positions[first + v];
  }
  return true;
}

/** Returns whether no triangle of the fan is reversed. */
function isFanGood(count: number): boolean {
  let area = 0;
  let least = 0;
  for (let i = 1; i + 1 < count; i++) {
    const triangle = turn(0, i, i + 1);
    area += triangle;
    if (triangle < least) least = triangle;
  }
  return least >= -FAN_TOLERANCE * area;
}

/** Corners that `isEar` has compared since `refineFan` was called. */
let comparisons = 0;

/** Returns whether the corner turns left and no other corner of the ring lies in its triangle. */
function isEar(corner: number): boolean {
  const a = previous[corner];
  const c = next[corner];
  if (!(turn(a, corner, c) > 0)) return false;
  for (let p = next[c]; p !== a; p = next[p]) {
    comparisons++;
    // Only a right turn can be the first to lie inside. The same point twice (a bridge to a hole) may touch.
    if (turn(previous[p], p, next[p]) > 0) continue;
    if (ring[p] === ring[a] || ring[p] === ring[corner] || ring[p] === ring[c]) continue;
    if (turn(a, corner, p) >= 0 && turn(corner, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

/**
 * Replaces the fan (v0 v1 v2) (v0 v2 v3) … of a polygon of `count` > 3 vertices, which starts at `start` in
 * `indices`, when it leaves the polygon. The number of triangles stays. Returns the number of comparisons, at most about
 * `maxComparisons`: when they run out, the corners that are left stay a fan. O(n²) comparisons are usual, O(n³) possible.
 */
export function refineFan(
  indices: Uint32Array,
  start: number,
  count: number,
  positions: Float64Array,
  maxComparisons: number,
): number {
  if (ring.length < count) {
    const size = count * 2;
    ring = new Int32Array(size);
    next = new Int32Array(size);
    previous = new Int32Array(size);
    flat = new Float64Array(2 * size);
  }
  ring[0] = indices[start];
  ring[1] = indices[start + 1];
  for (let i = 2; i < count; i++) ring[i] = indices[start + 3 * (i - 2) + 2];
  if (!flatten(positions, count) || isFanGood(count)) return 0;
  comparisons = 0;

  for (let i = 0; i < count; i++) {
    next[i] = (i + 1) % count;
    previous[i] = (i + count - 1) % count;
  }
  let at = start;
  let corner = 1;
  let misses = 0;
  for (let left = count; left > 2;) {
    // First lap: ears. Second lap: corners on a straight line, whose triangle is empty. Then any corner.
    if (comparisons > maxComparisons) misses = 2 * left;
    if (misses < left ? !isEar(corner) : misses < 2 * left && turn(previous[corner], corner, next[corner]) !== 0) {
      misses++;
      corner = next[corner];
      continue;
    }
    const a = previous[corner];
    const c = next[corner];
    indices[at++] = ring[a];
    indices[at++] = ring[corner];
    indices[at++] = ring[c];
    next[a] = c;
    previous[c] = a;
    left--;
    misses = 0;
    corner = comparisons > maxComparisons ? c : next[c];
  }
  return comparisons;
}
