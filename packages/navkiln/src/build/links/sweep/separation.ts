/**
 * Decides whether the distance of a convex body to a triangle is at least a given gap.
 *
 * The body is the hull of a few horizontal discs with equal radii. A simplex approaches the point of the Minkowski difference of both shapes
 * that is closest to the origin. Each step also gives a plane, whose distance from the origin is a lower bound of the true distance. Only
 * such a plane leads to the answer "apart", so the answer is proved, up to rounding. A search that does not end counts as contact.
 *
 * In: points, the radius of the disc, a triangle, a distance.
 * Out: whether body and triangle are at least that distance apart.
 * Cost: 3 to 10 steps.
 * Based on: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A Fast Procedure for Computing the Distance between Complex Objects in
 * Three-Dimensional Space, 1988. Closest points on simplices: Christer Ericson, Real-Time Collision Detection, 2005, 5.1.
 */

/** Steps after which a search counts as contact. */
const MOST_STEPS = 48;

/** The body: `count` disc centers, xyz, and the radius of the discs. Callers write it. */
export interface Hull {
  count: number;
  points: Float64Array;
  disc: number;
}

export function createHull(): Hull {
  return { count: 0, points: new Float64Array(24), disc: 0 };
}

/** Up to four points of the simplex, xyz. */
const simplex = new Float64Array(12);
let size = 0;
/** The point of the simplex closest to the origin. */
const close = new Float64Array(3);
const support = new Float64Array(3);

/** Returns whether hull and triangle (nine numbers from `at` on) are at least `gap` apart. */
export function isApart(hull: Hull, triangle: Float64Array, at: number, gap: number): boolean {
  const { points } = hull;
  for (let k = 0; k < 3; k++) close[k] = points[k] - triangle[at + k];
  simplex.set(close);
  size = 1;
  const gapSq = gap * gap;
  for (let step = 0; step < MOST_STEPS; step++) {
    const lengthSq = close[0] * close[0] + close[1] * close[1] + close[2] * close[2];
    // `close` is a point of the difference, so the shapes are at most this far apart.
    if (lengthSq < gapSq || lengthSq === 0) return false;
    setSupport(hull, triangle, at);
    const bound = close[0] * support[0] + close[1] * support[1] + close[2] * support[2];
    if (bound > 0 && bound * bound >= gapSq * lengthSq) return true;
    // No more progress: up to rounding, `close` is the closest point.
    if (lengthSq - bound <= 1e-12 * lengthSq) return true;
    for (let k = 0; k < 3; k++) simplex[3 * size + k] = support[k];
    size++;
    if (!reduce()) return false;
  }
  return false;
}

/** Writes the point of hull - triangle that lies farthest against `close`. */
function setSupport({ points, count, disc }: Hull, triangle: Float64Array, at: number): void {
  const x = close[0];
  const y = close[1];
  const z = close[2];
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const dot = x * points[3 * i] + y * points[3 * i + 1] + z * points[3 * i + 2];
    if (dot < least) {
      least = dot;
      best = 3 * i;
    }
  }
  let corner = at;
  let most = -Infinity;
  for (let i = at; i < at + 9; i += 3) {
    const dot = x * triangle[i] + y * triangle[i + 1] + z * triangle[i + 2];
    if (dot > most) {
      most = dot;
      corner = i;
    }
  }
  for (let k = 0; k < 3; k++) support[k] = points[best + k] - triangle[corner + k];
  if (disc > 0) {
    const length = Math.sqrt(x * x + z * z);
    if (length > 0) {
      support[0] -= (disc * x) / length;
      support[2] -= (disc * z) / length;
    }
  }
}

/** Reduces the simplex to the part that is closest to the origin. Returns false when the origin is inside. */
function reduce(): boolean {
  if (size === 2) {
    closestOnSegment(0, 3);
    return true;
  }
  if (size === 3) {
    closestOnTriangle(0, 3, 6);
    keep();
    return true;
  }
  return reduceTetrahedron();
}

/** Offsets of the points in `simplex` that `reduce` keeps. */
const kept = new Int32Array(3);
let keptCount = 0;
const moved = new Float64Array(9);

function keep(): void {
  for (let i = 0; i < keptCount; i++) for (let k = 0; k < 3; k++) moved[3 * i + k] = simplex[kept[i] + k];
  for (let i = 0; i < 3 * keptCount; i++) simplex[i] = moved[i];
  size = keptCount;
}

const bestKept = new Int32Array(3);
const bestClose = new Float64Array(3);

function reduceTetrahedron(): boolean {
  let best = Infinity;
  let bestCount = 0;
  for (let left = 0; left < 4; left++) {
    const a = left === 0 ? 3 : 0;
    const b = left <= 1 ? 6 : 3;
    const c = left <= 2 ? 9 : 6;
    if (!isOutside(a, b, c, 3 * left)) continue;
    closestOnTriangle(a, b, c);
    const lengthSq = close[0] * close[0] + close[1] * close[1] + close[2] * close[2];
    if (lengthSq < best) {
      best = lengthSq;
      bestCount = keptCount;
      bestKept.set(kept);
      bestClose.set(close);
    }
  }
  if (bestCount === 0) return false;
  keptCount = bestCount;
  kept.set(bestKept);
  close.set(bestClose);
  keep();
  return true;
}

/** Returns whether the origin and point d are on different sides of the plane a, b, c, or the tetrahedron is flat. */
function isOutside(a: number, b: number, c: number, d: number): boolean {
  const s = simplex;
  const ux = s[b] - s[a];
  const uy = s[b + 1] - s[a + 1];
  const uz = s[b + 2] - s[a + 2];
  const vx = s[c] - s[a];
  const vy = s[c + 1] - s[a + 1];
  const vz = s[c + 2] - s[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const origin = -(nx * s[a] + ny * s[a + 1] + nz * s[a + 2]);
  const other = nx * (s[d] - s[a]) + ny * (s[d + 1] - s[a + 1]) + nz * (s[d + 2] - s[a + 2]);
  return origin * other <= 0;
}

/** Writes the point of segment a, b closest to the origin, and keeps the ends that the point depends on. */
function closestOnSegment(a: number, b: number): void {
  const s = simplex;
  const dx = s[b] - s[a];
  const dy = s[b + 1] - s[a + 1];
  const dz = s[b + 2] - s[a + 2];
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const t = lengthSq > 0 ? -(s[a] * dx + s[a + 1] * dy + s[a + 2] * dz) / lengthSq : 0;
  if (t <= 0) keepPoint(a);
  else if (t >= 1) keepPoint(b);
  else keepSegment(a, b, t);
  if (size === 2) keep();
}

function keepPoint(a: number): void {
  for (let k = 0; k < 3; k++) close[k] = simplex[a + k];
  kept[0] = a;
  keptCount = 1;
}

function keepSegment(a: number, b: number, t: number): void {
  for (let k = 0; k < 3; k++) close[k] = simplex[a + k] + t * (simplex[b + k] - simplex[a + k]);
  kept[0] = a;
  kept[1] = b;
  keptCount = 2;
}

/** Writes the point of triangle a, b, c closest to the origin, and keeps the corners that the point depends on. */
function closestOnTriangle(a: number, b: number, c: number): void {
  const s = simplex;
  let d1 = 0;
  let d2 = 0;
  let d3 = 0;
  let d4 = 0;
  let d5 = 0;
  let d6 = 0;
  for (let k = 0; k < 3; k++) {
    const u = s[b + k] - s[a + k];
    const v = s[c + k] - s[a + k];
    d1 -= u * s[a + k];
    d2 -= v * s[a + k];
    d3 -= u * s[b + k];
    d4 -= v * s[b + k];
    d5 -= u * s[c + k];
    d6 -= v * s[c + k];
  }
  if (d1 <= 0 && d2 <= 0) return keepPoint(a);
  if (d3 >= 0 && d4 <= d3) return keepPoint(b);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return keepSegment(a, b, d1 / (d1 - d3));
  if (d6 >= 0 && d5 <= d6) return keepPoint(c);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return keepSegment(a, c, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return keepSegment(b, c, (d4 - d3) / (d4 - d3 + (d5 - d6)));
  const sum = va + vb + vc;
  const v = vb / sum;
  const w = vc / sum;
  for (let k = 0; k < 3; k++) close[k] = s[a + k] + v * (s[b + k] - s[a + k]) + w * (s[c + k] - s[a + k]);
  kept[0] = a;
  kept[1] = b;
  kept[2] = c;
  keptCount = 3;
}
