/**
 * A Delaunay triangulation of a convex polygon that takes more points, with samples that know their triangle.
 *
 * The detail mesh asks repeatedly which sample is farthest from the surface, and inserts it. Every sample is
 * attached to the triangle it lies in (a linked list), and a triangle knows its worst sample. An insertion
 * moves only the samples of the triangles that change.
 *
 * There is one triangulation at a time, in the arrays below, until the next `triangulateRing`. A vertex is
 * named by its offset in `vertices` (0, 3, 6, …), a triangle by its first corner, a sample by its offset in
 * the samples (0, 4, 8, …). Coordinates are in cells, heights in world units. Triangles run counter-clockwise
 * in (x, -z), as all polygons here.
 *
 * In: a ring of vertices and a list of samples. Out: triangles in `corner` and `twin`.
 * Cost: a few triangles and their samples per inserted point.
 * Based on: Charles Lawson, Software for C1 surface interpolation (1977); Leonidas Guibas and Jorge Stolfi,
 *   Primitives for the manipulation of general subdivisions (1985); Michael Garland and Paul Heckbert, Fast
 *   polygonal approximation of terrains and height fields (1995), for samples on triangles. Recast rebuilds
 *   the triangulation for each point.
 */

/** Most vertices of a polygon with its detail: a detail triangle names them in a byte. */
export const DETAIL_MAX_VERTICES = 255;

/** Most corners of triangles. */
const MAX_CORNERS = 6 * DETAIL_MAX_VERTICES;

/**
 * Twice the area up to which a triangle counts as flat, square cells. Corners are whole numbers, samples
 * fractions of sides.
 */
const FLAT = 1e-6;

/** Used lengths of `vertices` and `corner`. */
export const used = { vertices: 0, corners: 0 };
/** x, y, z of each vertex. */
export const vertices: Float64Array = new Float64Array(3 * DETAIL_MAX_VERTICES);
/** Vertices of triangles, three each. */
export const corner: Int32Array = new Int32Array(MAX_CORNERS);
/**
 * For the edge from each corner to the next, the corner at which the adjacent triangle's same edge starts;
 * -1: outline.
 */
export const twin: Int32Array = new Int32Array(MAX_CORNERS);

/** The first sample of each triangle; -1: none. */
const firstSample = new Int32Array(MAX_CORNERS);
/** The worst sample of each triangle. */
const worst = new Int32Array(MAX_CORNERS);
/** The error of the worst sample; -1: not known. */
const error = new Float64Array(MAX_CORNERS);
/** x, y, z of each sample, and the next sample in the same triangle. */
let samples: number[] = [];

/** For each position in the ring being cut: the corner of the triangle across the side that starts there; -1: none. */
const across = new Int32Array(DETAIL_MAX_VERTICES);
/** Area and outline of the ear at each position. */
const earArea = new Float64Array(DETAIL_MAX_VERTICES);
const earOutline = new Float64Array(DETAIL_MAX_VERTICES);

/**
 * Triangulates the ring of vertices ring[0] .. ring[n - 1], which is convex with points on its sides. Cuts
 * the ear with the shortest outline each time, never a flat one. With `isFan`, all triangles start at the
 * first vertex, flat or not.
 *
 * @returns false when the ring has no area
 */
export function triangulateRing(ring: Int32Array, n: number, isFan: boolean): boolean {
  let area = 0;
  for (let i = 0; i < n; i++) {
    across[i] = -1;
    if (i > 1) area += turn(ring[0], ring[i - 1], ring[i]);
  }
  // Ears to measure: those of `count` vertices from position `from` on. One call site lets the engine inline
  // the function.
  let e = 0;
  let from = 0;
  let count = n;
  for (let size = n; size > 2; size--) {
    for (; count > 0; count--) {
      measureEar(ring, size, from);
      from = from + 1 === size ? 0 : from + 1;
    }
    let best = isFan ? 1 : -1;
    let shortest = isFan ? 0 : Infinity;
    for (let i = 0; i < size; i++) {
      // The rest must not become flat: four points of which three are on a line can be cut in one way only.
      if (earArea[i] > FLAT && earOutline[i] < shortest && (size === 3 || area - earArea[i] > FLAT)) {
        shortest = earOutline[i];
        best = i;
      }
    }
    if (best === -1) return false;
    const before = best === 0 ? size - 1 : best - 1;
    const after = best + 1 === size ? 0 : best + 1;
    setTriangle(e, ring[before], ring[best], ring[after], across[before], across[best]);
    connect(e + 2, size === 3 ? across[after] : -1);
    across[before] = e + 2;
    area -= earArea[best];
    for (let i = best; i + 1 < size; i++) {
      ring[i] = ring[i + 1];
      across[i] = across[i + 1];
      earArea[i] = earArea[i + 1];
      earOutline[i] = earOutline[i + 1];
    }
    from = best === 0 ? size - 2 : best - 1;
    count = 2;
    e += 3;
  }
  used.corners = e;
  return true;
}

/** Measures the ear at position i of the ring. */
function measureEar(ring: Int32Array, size: number, i: number): void {
  const a = ring[i === 0 ? size - 1 : i - 1];
  const b = ring[i];
  const c = ring[i + 1 === size ? 0 : i + 1];
  earArea[i] = turn(a, b, c);
  earOutline[i] = length(a, b) + length(b, c) + length(c, a);
}

function length(a: number, b: number): number {
  const dx = vertices[a] - vertices[b];
  const dz = vertices[a + 2] - vertices[b + 2];
  return Math.sqrt(dx * dx + dz * dz);
}

/**
 * Returns the side of a -> b on which (x, z) lies: positive on the inner side of a triangle with that edge.
 */
function side(a: number, b: number, x: number, z: number): number {
  const ax = vertices[a];
  const az = vertices[a + 2];
  return (x - ax) * (vertices[b + 2] - az) - (vertices[b] - ax) * (z - az);
}

/** Returns twice the area of a, b, c seen from above; positive when they run as the polygon does. */
function turn(a: number, b: number, c: number): number {
  return side(a, b, vertices[c], vertices[c + 2]);
}

/**
 * Attaches the samples of a list (x, y, z and a free number each) up to `end` to their triangles, in place of others. Samples in
 * none are dropped.
 */
export function attachSamples(list: number[], end: number): void {
  samples = list;
  const { corners } = used;
  for (let e = 0; e < corners; e += 3) firstSample[e] = error[e] = -1;
  // Samples come in rows: the next one is usually in the same triangle.
  let t = 0;
  for (let s = 0; s < end; s += 4) {
    const x = samples[s];
    const z = samples[s + 2];
    for (let left = corners; left > 0; left -= 3) {
      const a = corner[t];
      const b = corner[t + 1];
      const c = corner[t + 2];
      if (side(a, b, x, z) >= 0 && side(b, c, x, z) >= 0 && side(c, a, x, z) >= 0) {
        attach(t, s);
        break;
      }
      t = t + 3 === corners ? 0 : t + 3;
    }
  }
}

/** Finds the worst sample of triangle t. */
function findWorst(t: number): void {
  let far = -1;
  let most = 0;
  let s = firstSample[t];
  if (s !== -1) {
    const v = vertices;
    const a = corner[t];
    const b = corner[t + 1];
    const c = corner[t + 2];
    const ax = v[a];
    const ay = v[a + 1];
    const az = v[a + 2];
    const ux = v[b] - ax;
    const uy = v[b + 1] - ay;
    const uz = v[b + 2] - az;
    const wx = v[c] - ax;
    const wy = v[c + 1] - ay;
    const wz = v[c + 2] - az;
    const scale = 1 / (ux * wz - uz * wx);
    const slopeX = (uy * wz - wy * uz) * scale;
    const slopeZ = (ux * wy - wx * uy) * scale;
    for (; s !== -1; s = samples[s + 3]) {
      const distance = Math.abs(samples[s + 1] - (ay + slopeX * (samples[s] - ax) + slopeZ * (samples[s + 2] - az)));
      // Ties go to the lower sample, so that the order of the list does not matter.
      if (distance > most || (distance === most && s < far)) {
        most = distance;
        far = s;
      }
    }
  }
  worst[t] = far;
  error[t] = most;
}

/** Returns the triangle with the largest error above `most`, the first of several; -1: none. */
export function worstTriangle(most: number): number {
  const { corners } = used;
  let best = -1;
  for (let t = 0; t < corners; t += 3) {
    if (error[t] < 0) findWorst(t);
    if (error[t] > most) {
      most = error[t];
      best = t;
    }
  }
  return best;
}

/** Inserts the worst sample of triangle t as a vertex. */
export function insertWorst(t: number): void {
  const s = worst[t];
  const p = used.vertices;
  const a = corner[t];
  const b = corner[t + 1];
  const c = corner[t + 2];
  const t1 = used.corners;
  const t2 = t1 + 3;
  const bc = twin[t + 1];
  const ca = twin[t + 2];
  used.vertices += 3;
  used.corners += 6;
  for (let k = 0; k < 3; k++) vertices[p + k] = samples[s + k];
  let list = firstSample[t];
  setTriangle(t, a, b, p, twin[t], t1 + 2);
  setTriangle(t1, b, c, p, bc, t2 + 2);
  setTriangle(t2, c, a, p, ca, t + 2);
  while (list !== -1) {
    const after = samples[list + 3];
    const x = samples[list];
    const z = samples[list + 2];
    if (list !== s) {
      const fromB = side(b, p, x, z);
      attach(fromB >= 0 && side(a, p, x, z) <= 0 ? t : side(c, p, x, z) >= 0 && fromB <= 0 ? t1 : t2, list);
    }
    list = after;
  }
  legalize(t, p);
  legalize(t1, p);
  legalize(t2, p);
}

/**
 * Sets triangle t to a b c, without samples. `acrossA` and `acrossB` are the corners across the edges from a
 * and from b.
 */
function setTriangle(t: number, a: number, b: number, c: number, acrossA: number, acrossB: number): void {
  corner[t] = a;
  corner[t + 1] = b;
  corner[t + 2] = c;
  connect(t, acrossA);
  connect(t + 1, acrossB);
  firstSample[t] = error[t] = -1;
}

/** Makes corners e and o each other's twins; o = -1: e is on the outline. */
function connect(e: number, o: number): void {
  twin[e] = o;
  if (o !== -1) twin[o] = e;
}

/** Adds sample s to the list of triangle t. */
function attach(t: number, s: number): void {
  samples[s + 3] = firstSample[t];
  firstSample[t] = s;
}

/**
 * Flips the edge from corner t, opposite to the new vertex p, when p lies in the circle of the triangle
 * across it.
 */
function legalize(t: number, p: number): void {
  const o = twin[t];
  if (o === -1) return;
  const u = o - (o % 3);
  const afterO = u + ((o + 1) % 3);
  const beforeO = u + ((o + 2) % 3);
  const a = corner[t];
  const b = corner[t + 1];
  const far = corner[beforeO];
  // A flip must not leave flat triangles.
  if (!(turn(p, a, far) > FLAT && turn(far, b, p) > FLAT)) return;
  // If p lies on the edge itself, its triangle is flat and is always flipped.
  if (turn(a, b, p) > FLAT && !isInCircle(a, b, p, far)) return;
  const acrossFar = twin[beforeO];
  const bp = twin[t + 1];
  let first = firstSample[t];
  let second = firstSample[u];
  // t: a b p and u: b a far  ->  t: a far p, u: far b p
  setTriangle(t, a, far, p, twin[afterO], u + 2);
  setTriangle(u, far, b, p, acrossFar, bp);
  while (first !== -1 || second !== -1) {
    if (first === -1) {
      first = second;
      second = -1;
    }
    const after = samples[first + 3];
    attach(side(far, p, samples[first], samples[first + 2]) >= 0 ? t : u, first);
    first = after;
  }
  legalize(t, p);
  legalize(u, p);
}

/** Returns whether d lies inside the circle through a, b, c, which run as the polygon does. */
function isInCircle(a: number, b: number, c: number, d: number): boolean {
  const v = vertices;
  const dx = v[d];
  const dz = v[d + 2];
  const ax = v[a] - dx;
  const az = v[a + 2] - dz;
  const bx = v[b] - dx;
  const bz = v[b + 2] - dz;
  const cx = v[c] - dx;
  const cz = v[c + 2] - dz;
  const aa = ax * ax + az * az;
  const bb = bx * bx + bz * bz;
  const cc = cx * cx + cz * cz;
  // The sign is reversed, because triangles run clockwise in (x, z).
  return ax * (bz * cc - bb * cz) - az * (bx * cc - bb * cx) + aa * (bx * cz - bz * cx) < -1e-9;
}
