/**
 * Triangulation of a convex polygon that takes more points: Delaunay by flips, with samples that know their triangle.
 *
 * The detail mesh asks, again and again: which of many samples lies farthest from the surface? Put it in; ask again. Here
 * every sample hangs on the triangle it lies in (a linked list), a triangle knows its worst sample, and putting a point in
 * moves only the samples of the triangles that change. Recast rebuilds the whole triangulation for each point and compares
 * every sample with every triangle. Cost: a few triangles and their samples for each point.
 *
 * Layout: corner 3t + k of triangle t holds a vertex number; `twin` of corner 3t + k is the corner of the neighbouring
 * triangle at the start of the common edge (the edge from corner k to the next), -1 on the outline. Coordinates are in cells
 * and voxels. Triangles run counter-clockwise in (x, -z), as all polygons here.
 *
 * Based on: Charles Lawson, Software for C1 surface interpolation (1977); Leonidas Guibas and Jorge Stolfi, Primitives for
 * the manipulation of general subdivisions (1985); Michael Garland and Paul Heckbert, Fast polygonal approximation of
 * terrains and height fields (1995), for samples on triangles.
 */

export interface Triangulation {
  vertexCount: number;
  /** x, y, z. */
  vertices: Float64Array;
  triangleCount: number;
  corner: Int32Array;
  twin: Int32Array;
  /** First sample in triangle t, -1 none; next sample in the same triangle. */
  firstSample: Int32Array;
  nextSample: Int32Array;
  /** x, y, z of samples. */
  samples: Float64Array;
  /** Sample of triangle t that is farthest from it, and how far. */
  worst: Int32Array;
  error: Float64Array;
  /** Triangles changed by the last insertion. */
  changed: Int32Array;
  changedCount: number;
  stamp: Int32Array;
  mark: number;
}

/** Most vertices: a detail triangle names them in a byte. */
export const DETAIL_MAX_VERTICES = 255;

const MAX_TRIANGLES = 2 * DETAIL_MAX_VERTICES;

/** Twice the area below which a triangle counts as flat, square cells. Corners are whole numbers, samples fractions of sides. */
const FLAT = 1e-6;

export function createTriangulation(): Triangulation {
  return {
    vertexCount: 0, vertices: new Float64Array(3 * DETAIL_MAX_VERTICES),
    triangleCount: 0, corner: new Int32Array(3 * MAX_TRIANGLES), twin: new Int32Array(3 * MAX_TRIANGLES),
    firstSample: new Int32Array(MAX_TRIANGLES), nextSample: new Int32Array(0), samples: new Float64Array(0),
    worst: new Int32Array(MAX_TRIANGLES), error: new Float64Array(MAX_TRIANGLES),
    changed: new Int32Array(MAX_TRIANGLES), changedCount: 0, stamp: new Int32Array(MAX_TRIANGLES), mark: 0,
  };
}

/** Twice the area of a, b, c in the ground plane; positive when they run as the polygon does. */
function turn(v: Float64Array, a: number, b: number, c: number): number {
  const ax = v[3 * a]!, az = v[3 * a + 2]!;
  return (v[3 * c]! - ax) * (v[3 * b + 2]! - az) - (v[3 * b]! - ax) * (v[3 * c + 2]! - az);
}

/** Of the ring being cut: the corner of the triangle across the side that starts here, and what an ear here would take off. */
const across = new Int32Array(DETAIL_MAX_VERTICES);
const earArea = new Float64Array(DETAIL_MAX_VERTICES);
const earOutline = new Float64Array(DETAIL_MAX_VERTICES);

/**
 * Cuts the ring of vertices `ring[0 .. n)` (convex, with points in the middle of its sides) into triangles: again and again
 * the ear of the shortest outline, never a flat one. False: it encloses no ground.
 */
export function triangulateRing(tri: Triangulation, ring: Int32Array, n: number): boolean {
  const { vertices: v, corner, twin } = tri;
  let area = 0;
  for (let i = 0; i < n; i++) {
    across[i] = -1;
    measureEar(v, ring, n, i);
    if (i > 1) area += turn(v, ring[0]!, ring[i - 1]!, ring[i]!);
  }
  let e = 0;
  for (let size = n; size > 2; size--) {
    let best = -1, shortest = Infinity;
    for (let i = 0; i < size; i++) {
      // What is left must not become flat: four points of which three are on a line leave one way only.
      if (earArea[i]! > FLAT && earOutline[i]! < shortest && (size === 3 || area - earArea[i]! > FLAT)) {
        shortest = earOutline[i]!;
        best = i;
      }
    }
    if (best === -1) return false;
    const before = best === 0 ? size - 1 : best - 1, after = best + 1 === size ? 0 : best + 1;
    corner[e] = ring[before]!;
    corner[e + 1] = ring[best]!;
    corner[e + 2] = ring[after]!;
    connect(twin, e, across[before]!);
    connect(twin, e + 1, across[best]!);
    connect(twin, e + 2, size === 3 ? across[after]! : -1);
    across[before] = e + 2;
    area -= earArea[best]!;
    for (let i = best; i + 1 < size; i++) {
      ring[i] = ring[i + 1]!;
      across[i] = across[i + 1]!;
      earArea[i] = earArea[i + 1]!;
      earOutline[i] = earOutline[i + 1]!;
    }
    measureEar(v, ring, size - 1, best === 0 ? size - 2 : best - 1);
    measureEar(v, ring, size - 1, best === size - 1 ? 0 : best);
    e += 3;
  }
  tri.triangleCount = n - 2;
  return true;
}

function measureEar(v: Float64Array, ring: Int32Array, size: number, i: number): void {
  const a = ring[i === 0 ? size - 1 : i - 1]!, b = ring[i]!, c = ring[i + 1 === size ? 0 : i + 1]!;
  earArea[i] = turn(v, a, b, c);
  earOutline[i] = length(v, a, b) + length(v, b, c) + length(v, c, a);
}

function length(v: Float64Array, a: number, b: number): number {
  const dx = v[3 * a]! - v[3 * b]!, dz = v[3 * a + 2]! - v[3 * b + 2]!;
  return Math.sqrt(dx * dx + dz * dz);
}

function next(e: number): number {
  return e % 3 === 2 ? e - 2 : e + 1;
}

/** Hangs samples 0 .. count - 1 on the triangles they lie in; those in none are left out. */
export function hangSamples(tri: Triangulation, count: number): void {
  const { samples, firstSample, triangleCount } = tri;
  firstSample.fill(-1, 0, triangleCount);
  // Samples come in rows: the next one is mostly in the same triangle.
  let t = 0;
  for (let s = 0; s < count; s++) {
    const x = samples[3 * s]!, z = samples[3 * s + 2]!;
    let left = triangleCount;
    while (left > 0 && !contains(tri, t, x, z)) {
      t = t + 1 === triangleCount ? 0 : t + 1;
      left--;
    }
    if (left > 0) hang(tri, t, s);
  }
  for (t = 0; t < triangleCount; t++) rate(tri, t);
}

function contains({ vertices: v, corner }: Triangulation, t: number, x: number, z: number): boolean {
  const a = corner[3 * t]!, b = corner[3 * t + 1]!, c = corner[3 * t + 2]!;
  return side(v, a, b, x, z) >= 0 && side(v, b, c, x, z) >= 0 && side(v, c, a, x, z) >= 0;
}

/** On which side of a -> b a place lies: positive on the inner side of a triangle with that edge. */
function side(v: Float64Array, a: number, b: number, x: number, z: number): number {
  const ax = v[3 * a]!, az = v[3 * a + 2]!;
  return (x - ax) * (v[3 * b + 2]! - az) - (v[3 * b]! - ax) * (z - az);
}

/** Finds the worst sample of a triangle. */
function rate(tri: Triangulation, t: number): void {
  const { vertices: v, corner, samples, nextSample } = tri;
  let worst = -1, error = 0;
  let s = tri.firstSample[t]!;
  if (s !== -1) {
    const a = 3 * corner[3 * t]!, b = 3 * corner[3 * t + 1]!, c = 3 * corner[3 * t + 2]!;
    const ax = v[a]!, ay = v[a + 1]!, az = v[a + 2]!;
    const ux = v[b]! - ax, uy = v[b + 1]! - ay, uz = v[b + 2]! - az;
    const wx = v[c]! - ax, wy = v[c + 1]! - ay, wz = v[c + 2]! - az;
    const scale = 1 / (ux * wz - uz * wx);
    const slopeX = (uy * wz - wy * uz) * scale, slopeZ = (ux * wy - wx * uy) * scale;
    for (; s !== -1; s = nextSample[s]!) {
      const plane = ay + slopeX * (samples[3 * s]! - ax) + slopeZ * (samples[3 * s + 2]! - az);
      const distance = Math.abs(samples[3 * s + 1]! - plane);
      // Ties go to the lower sample, whatever the order of the list.
      if (distance > error || (distance === error && worst !== -1 && s < worst)) {
        error = distance;
        worst = s;
      }
    }
  }
  tri.worst[t] = worst;
  tri.error[t] = error;
}

/** Triangle with the worst sample of all, the first of several; -1: no sample has any error. */
export function worstTriangle(tri: Triangulation): number {
  let best = -1, most = 0;
  for (let t = 0; t < tri.triangleCount; t++) {
    if (tri.error[t]! > most) {
      most = tri.error[t]!;
      best = t;
    }
  }
  return best;
}

/** Makes the worst sample of triangle t a vertex. */
export function insertWorst(tri: Triangulation, t: number): void {
  const { vertices: v, corner, twin, samples, firstSample } = tri;
  const s = tri.worst[t]!;
  const p = tri.vertexCount++;
  v[3 * p] = samples[3 * s]!;
  v[3 * p + 1] = samples[3 * s + 1]!;
  v[3 * p + 2] = samples[3 * s + 2]!;
  unhang(tri, t, s);

  tri.mark++;
  tri.changedCount = 0;
  const a = corner[3 * t]!, b = corner[3 * t + 1]!, c = corner[3 * t + 2]!;
  const ab = twin[3 * t]!, bc = twin[3 * t + 1]!, ca = twin[3 * t + 2]!;
  const t1 = tri.triangleCount++, t2 = tri.triangleCount++;
  // t = a b p, t1 = b c p, t2 = c a p
  corner[3 * t + 2] = p;
  corner[3 * t1] = b; corner[3 * t1 + 1] = c; corner[3 * t1 + 2] = p;
  corner[3 * t2] = c; corner[3 * t2 + 1] = a; corner[3 * t2 + 2] = p;
  connect(twin, 3 * t, ab);
  connect(twin, 3 * t1, bc);
  connect(twin, 3 * t2, ca);
  connect(twin, 3 * t + 1, 3 * t1 + 2);
  connect(twin, 3 * t1 + 1, 3 * t2 + 2);
  connect(twin, 3 * t2 + 1, 3 * t + 2);
  let list = firstSample[t]!;
  firstSample[t] = firstSample[t1] = firstSample[t2] = -1;
  while (list !== -1) {
    const after = tri.nextSample[list]!;
    const x = samples[3 * list]!, z = samples[3 * list + 2]!;
    const fromA = side(v, a, p, x, z), fromB = side(v, b, p, x, z), fromC = side(v, c, p, x, z);
    hang(tri, fromB >= 0 && fromA <= 0 ? t : fromC >= 0 && fromB <= 0 ? t1 : t2, list);
    list = after;
  }
  touchTriangle(tri, t);
  touchTriangle(tri, t1);
  touchTriangle(tri, t2);
  legalize(tri, 3 * t, p);
  legalize(tri, 3 * t1, p);
  legalize(tri, 3 * t2, p);
  for (let k = 0; k < tri.changedCount; k++) rate(tri, tri.changed[k]!);
}

function connect(twin: Int32Array, e: number, o: number): void {
  twin[e] = o;
  if (o !== -1) twin[o] = e;
}

function hang(tri: Triangulation, t: number, s: number): void {
  tri.nextSample[s] = tri.firstSample[t]!;
  tri.firstSample[t] = s;
}

function unhang(tri: Triangulation, t: number, s: number): void {
  const { firstSample, nextSample } = tri;
  if (firstSample[t] === s) {
    firstSample[t] = nextSample[s]!;
    return;
  }
  let k = firstSample[t]!;
  while (nextSample[k] !== s) k = nextSample[k]!;
  nextSample[k] = nextSample[s]!;
}

function touchTriangle(tri: Triangulation, t: number): void {
  if (tri.stamp[t] === tri.mark) return;
  tri.stamp[t] = tri.mark;
  tri.changed[tri.changedCount++] = t;
}

/** Flips edge e (of a triangle whose third corner is the new vertex p) when its far corner sees p in its circle. */
function legalize(tri: Triangulation, e: number, p: number): void {
  const { vertices: v, corner, twin } = tri;
  const o = twin[e]!;
  if (o === -1) return;
  const a = corner[e]!, b = corner[next(e)]!;
  const far = corner[next(next(o))]!;
  // A flip must leave two triangles that are not flat.
  if (!(turn(v, p, a, far) > FLAT && turn(v, far, b, p) > FLAT)) return;
  // p on the edge itself makes a flat triangle, which always goes.
  if (turn(v, a, b, p) > FLAT && !isInCircle(v, a, b, p, far)) return;
  const t = (e / 3) | 0, u = (o / 3) | 0;
  // e: a b p and o: b a far  ->  t: a far p, u: far b p
  const outA = twin[next(o)]!, outB = twin[next(next(o))]!;
  const bp = twin[next(e)]!, pa = twin[next(next(e))]!;
  corner[3 * t] = a; corner[3 * t + 1] = far; corner[3 * t + 2] = p;
  corner[3 * u] = far; corner[3 * u + 1] = b; corner[3 * u + 2] = p;
  connect(twin, 3 * t, outA);
  connect(twin, 3 * t + 1, 3 * u + 2);
  connect(twin, 3 * t + 2, pa);
  connect(twin, 3 * u, outB);
  connect(twin, 3 * u + 1, bp);
  let first = tri.firstSample[t]!, second = tri.firstSample[u]!;
  tri.firstSample[t] = tri.firstSample[u] = -1;
  while (first !== -1 || second !== -1) {
    if (first === -1) {
      first = second;
      second = -1;
    }
    const after = tri.nextSample[first]!;
    hang(tri, side(v, far, p, tri.samples[3 * first]!, tri.samples[3 * first + 2]!) >= 0 ? t : u, first);
    first = after;
  }
  touchTriangle(tri, t);
  touchTriangle(tri, u);
  legalize(tri, 3 * t, p);
  legalize(tri, 3 * u, p);
}

/** Whether d lies inside the circle through a, b, c (which run as the polygon does). */
function isInCircle(v: Float64Array, a: number, b: number, c: number, d: number): boolean {
  const dx = v[3 * d]!, dz = v[3 * d + 2]!;
  const ax = v[3 * a]! - dx, az = v[3 * a + 2]! - dz;
  const bx = v[3 * b]! - dx, bz = v[3 * b + 2]! - dz;
  const cx = v[3 * c]! - dx, cz = v[3 * c + 2]! - dz;
  const aa = ax * ax + az * az, bb = bx * bx + bz * bz, cc = cx * cx + cz * cz;
  // The sign is turned: triangles run clockwise in (x, z).
  return ax * (bz * cc - bb * cz) - az * (bx * cc - bb * cx) + aa * (bx * cz - bz * cx) < -1e-9;
}
