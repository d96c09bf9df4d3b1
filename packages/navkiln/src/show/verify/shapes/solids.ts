/**
 * Finds the closed solids of a level: parts whose every edge is used as often in one direction as in the other, and
 * whose faces look outward. The flat bottom of a part may be missing: nothing leads in through the floor that it stands on. A part
 * without a bottom that holds most of the level is a sky dome, and no solid.
 *
 * Corners are the same when their positions are equal. Parts are sets of triangles that share corners' edges. A part
 * with a positive volume looks outward; a closed room whose faces look inward is none.
 *
 * In: positions, indices, and the numbers of the triangles with area. Out: the height above which each triangle bounds a solid.
 * Cost: linear, by hashing.
 * Based on: own.
 */
import { rootOf, unite } from '../../../base/data/union-find.ts';

/** Share that a dome holds of the area of all parts with a bottom, or without an inside. */
const MOST_OF_LEVEL = 0.5;
/** Number of points of the other parts that decide it. */
const SAMPLES = 200;

/** Largest height of an open edge above the lowest corner of its part, as a share of the part's height. */
const FLAT = 1e-4;

/**
 * Returns the height above which each used triangle bounds a solid: -Infinity in a closed one, the lowest corner of one without a
 * bottom, and Infinity in parts that are no solids.
 */
export function markSolids(positions: ArrayLike<number>, indices: ArrayLike<number>, used: Uint32Array): Float64Array {
  const count = used.length;
  const corner = weld(positions, indices, used);
  const parent = new Int32Array(count).map((_, i) => i);
  // An open-addressing table of edges: ends, a triangle, and uses in one direction less those in the other.
  const mask = tableSize(6 * count) - 1;
  const low = new Int32Array(mask + 1).fill(-1);
  const high = new Int32Array(mask + 1);
  const owner = new Int32Array(mask + 1);
  const balance = new Int32Array(mask + 1);
  for (let e = 0; e < 3 * count; e++) {
    const a = corner[e];
    const b = corner[e % 3 === 2 ? e - 2 : e + 1];
    if (a === b) continue;
    const t = (e / 3) | 0;
    const min = a < b ? a : b;
    const max = a < b ? b : a;
    let slot = (Math.imul(min, 0x9e3779b1) ^ Math.imul(max, 0x85ebca6b)) & mask;
    while (low[slot] >= 0 && (low[slot] !== min || high[slot] !== max)) slot = (slot + 1) & mask;
    if (low[slot] < 0) {
      low[slot] = min;
      high[slot] = max;
      owner[slot] = t;
    } else unite(parent, owner[slot], t);
    balance[slot] += a < b ? 1 : -1;
  }
  const bottom = new Float64Array(count).fill(Infinity);
  const top = new Float64Array(count).fill(-Infinity);
  for (let e = 0; e < 3 * count; e++) {
    const root = rootOf(parent, (e / 3) | 0);
    const y = positions[3 * corner[e] + 1];
    if (y < bottom[root]) bottom[root] = y;
    if (y > top[root]) top[root] = y;
  }
  const isOpen = new Uint8Array(count);
  for (let slot = 0; slot <= mask; slot++) {
    if (low[slot] < 0 || balance[slot] === 0) continue;
    const root = rootOf(parent, owner[slot]);
    const rise = Math.max(positions[3 * low[slot] + 1], positions[3 * high[slot] + 1]) - bottom[root];
    isOpen[root] |= rise <= FLAT * (top[root] - bottom[root]) ? AT_BOTTOM : ABOVE_BOTTOM;
  }
  const volume = volumes(positions, indices, used, parent, bottom);
  const isHood = (root: number): boolean => isOpen[root] === AT_BOTTOM && volume[root] > 0;
  const domes = findDomes({ positions, indices, used, parent }, isHood);
  return bottom.map((_, t) => {
    const root = rootOf(parent, t);
    if (isOpen[root] >= ABOVE_BOTTOM || !(volume[root] > 0) || domes.has(root)) return Infinity;
    return isOpen[root] === 0 ? -Infinity : bottom[root];
  });
}

interface Parts {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
  used: Uint32Array;
  parent: Int32Array;
}

/** Returns the parts without a bottom in which most of the level lies. `isHood` tells for a root whether its part has none. */
function findDomes(parts: Parts, isHood: (root: number) => boolean): Set<number> {
  const { positions: p, indices, used, parent } = parts;
  const domes = new Set<number>();
  const boxes = new Map<number, number[]>();
  for (let n = 0; n < used.length; n++) {
    const root = rootOf(parent, n);
    if (!isHood(root)) continue;
    let box = boxes.get(root);
    if (box === undefined) boxes.set(root, (box = [Infinity, Infinity, -Infinity, -Infinity]));
    for (let k = 0; k < 3; k++) {
      const at = 3 * indices[3 * used[n] + k];
      box[0] = Math.min(box[0], p[at]);
      box[1] = Math.min(box[1], p[at + 2]);
      box[2] = Math.max(box[2], p[at]);
      box[3] = Math.max(box[3], p[at + 2]);
    }
  }
  if (boxes.size === 0) return domes;
  const samples = samplePoints(parts, isHood);
  const least = MOST_OF_LEVEL * (samples.length / 3);
  for (const [root, [x0, z0, x1, z1]] of boxes) {
    const within: number[] = [];
    for (let i = 0; i < samples.length; i += 3)
      if (samples[i] > x0 && samples[i] < x1 && samples[i + 2] > z0 && samples[i + 2] < z1) within.push(i);
    // Most parts, such as crates, are far too small.
    if (!(within.length > least)) continue;
    const own: number[] = [];
    for (let n = 0; n < used.length; n++) if (rootOf(parent, n) === root) own.push(n);
    if (within.filter((i) => isBelow(parts, own, samples, i)).length > least) domes.add(root);
  }
  return domes;
}

/** Returns points on the triangles of the other parts, by area: xyz each. */
function samplePoints(parts: Parts, isHood: (root: number) => boolean): Float64Array {
  const { positions: p, indices, used, parent } = parts;
  const areas = new Float64Array(used.length);
  let total = 0;
  for (let n = 0; n < used.length; n++) {
    if (isHood(rootOf(parent, n))) continue;
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * used[n] + k]);
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    total += areas[n] = Math.sqrt(x * x + y * y + z * z);
  }
  const points: number[] = [];
  let sum = 0;
  for (let n = 0; n < used.length; n++) {
    sum += areas[n];
    for (let i = points.length / 3; i < SAMPLES && sum > ((i + 0.5) / SAMPLES) * total; i++) {
      // A sequence that fills the triangle evenly.
      let r = (0.5 + i * 0.7548776662466927) % 1;
      let s = (0.5 + i * 0.5698402909980532) % 1;
      if (r + s > 1) [r, s] = [1 - r, 1 - s];
      const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * used[n] + k]);
      for (let k = 0; k < 3; k++) points.push(p[a + k] + r * (p[b + k] - p[a + k]) + s * (p[c + k] - p[a + k]));
    }
  }
  return Float64Array.from(points);
}

/** Returns whether a point is below more faces of a part that look up than of those that look down. */
function isBelow(
  { positions: p, indices, used }: Parts,
  own: readonly number[],
  point: Float64Array,
  at: number,
): boolean {
  const [x, y, z] = [point[at], point[at + 1], point[at + 2]];
  let faces = 0;
  for (const n of own) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * used[n] + k]);
    const side = (i: number, j: number): number => (p[j] - p[i]) * (z - p[i + 2]) - (p[j + 2] - p[i + 2]) * (x - p[i]);
    const [u, v, w] = [side(b, c), side(c, a), side(a, b)];
    // A point on a border belongs to one side only.
    const isOver = (u > 0 && v > 0 && w > 0) || (u <= 0 && v <= 0 && w <= 0);
    if (!isOver || u + v + w === 0) continue;
    const height = (u * p[a + 1] + v * p[b + 1] + w * p[c + 1]) / (u + v + w);
    if (height > y) faces += u + v + w < 0 ? 1 : -1;
  }
  return faces > 0;
}

/** Where a part has open edges; bits. */
const AT_BOTTOM = 1;
const ABOVE_BOTTOM = 2;

/** Returns the power of two from 16 that holds this many items. */
function tableSize(items: number): number {
  let size = 16;
  while (size < items) size *= 2;
  return size;
}

/** Returns the signed volume of each part at its root. A missing bottom counts as flat: seen from its height, it adds nothing. */
function volumes(
  p: ArrayLike<number>,
  indices: ArrayLike<number>,
  used: Uint32Array,
  parent: Int32Array,
  bottom: Float64Array,
): Float64Array {
  const volume = new Float64Array(used.length);
  for (let n = 0; n < used.length; n++) {
    const root = rootOf(parent, n);
    // Relative to a corner of the part, so that parts far from the origin keep their digits.
    const o = 3 * indices[3 * used[root]];
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * used[n] + k]);
    const ax = p[a] - p[o];
    const ay = p[a + 1] - bottom[root];
    const az = p[a + 2] - p[o + 2];
    const bx = p[b] - p[o];
    const by = p[b + 1] - bottom[root];
    const bz = p[b + 2] - p[o + 2];
    const cx = p[c] - p[o];
    const cy = p[c + 1] - bottom[root];
    const cz = p[c + 2] - p[o + 2];
    volume[root] += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return volume;
}

const words = new Float64Array(3);
const bytes = new Int32Array(words.buffer);

/** Returns a number for each corner of the used triangles; equal positions have equal numbers. */
function weld(p: ArrayLike<number>, indices: ArrayLike<number>, used: Uint32Array): Int32Array {
  const corner = new Int32Array(3 * used.length);
  const mask = tableSize(6 * used.length) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  for (let k = 0; k < corner.length; k++) {
    const v = 3 * indices[3 * used[(k / 3) | 0] + (k % 3)];
    // Adding 0 turns -0 into 0.
    for (let axis = 0; axis < 3; axis++) words[axis] = p[v + axis] + 0;
    let hash = 0x811c9dc5;
    for (let i = 0; i < 6; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193) ^ (hash >>> 15);
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (; table[slot] >= 0; slot = (slot + 1) & mask) {
      const w = 3 * table[slot];
      if (p[w] === p[v] && p[w + 1] === p[v + 1] && p[w + 2] === p[v + 2]) break;
    }
    if (table[slot] < 0) table[slot] = v / 3;
    corner[k] = table[slot];
  }
  return corner;
}
