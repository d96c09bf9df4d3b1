/**
 * Triangulate: a simple ring of integer points -> triangles, by cutting the ear with the shortest diagonal first.
 *
 * Input: offsets of the ring's points. Output: triples of ring positions. Where a ring touches itself and no proper ear is
 * left, ears with touching sides are taken; where none is left either, what was found so far is returned with `complete`
 * false. Cost: a diagonal is tested against every edge of what is left, so O(n^2) for the first look and O(n) for each ear
 * cut, with a box test first. The order of ears is Recast's (first of the shortest; flags of other corners stay as they
 * are), and it decides the mesh.
 *
 * Based on: Joseph O'Rourke, Computational Geometry in C (1998); Mikko Mononen, Recast (2009), triangulate.
 */
import { crossProperly, isInCone, isInConeLoosely, samePlace, touch } from './integer-geometry.ts';

/** Positions 0 .. n - 1 of the ring that are left, in order; and whether each can be cut off as an ear. */
let left = new Int32Array(256);
let isEar = new Uint8Array(256);

/**
 * @param out gets 3 numbers a triangle: positions in the ring
 * @param v points at stride 4
 * @param base first point of the ring; it has n points
 */
export function triangulate(out: Int32Array, v: Int32Array, base: number, n: number): { count: number; complete: boolean } {
  if (n > left.length) {
    left = new Int32Array(n * 2);
    isEar = new Uint8Array(n * 2);
  }
  for (let i = 0; i < n; i++) left[i] = i;
  for (let i = 0; i < n; i++) {
    const middle = i + 1 === n ? 0 : i + 1;
    isEar[middle] = isDiagonal(v, base, n, i, middle + 1 === n ? 0 : middle + 1, false) ? 1 : 0;
  }
  let count = 0;
  let size = n;
  while (size > 3) {
    let best = shortestEar(v, base, size, false);
    if (best === -1) best = shortestEar(v, base, size, true);
    if (best === -1) return { count, complete: false };
    const middle = best + 1 === size ? 0 : best + 1, after = middle + 1 === size ? 0 : middle + 1;
    out[3 * count] = left[best]!;
    out[3 * count + 1] = left[middle]!;
    out[3 * count + 2] = left[after]!;
    count++;
    size--;
    left.copyWithin(middle, middle + 1, size + 1);
    isEar.copyWithin(middle, middle + 1, size + 1);
    const next = middle >= size ? 0 : middle;
    const corner = next === 0 ? size - 1 : next - 1;
    isEar[corner] = isDiagonal(v, base, size, corner === 0 ? size - 1 : corner - 1, next, false) ? 1 : 0;
    isEar[next] = isDiagonal(v, base, size, corner, next + 1 === size ? 0 : next + 1, false) ? 1 : 0;
  }
  out[3 * count] = left[0]!;
  out[3 * count + 1] = left[1]!;
  out[3 * count + 2] = left[2]!;
  return { count: count + 1, complete: true };
}

/** Position before the ear with the shortest diagonal, the first of several; -1: none. */
function shortestEar(v: Int32Array, base: number, size: number, loosely: boolean): number {
  let best = -1, shortest = 0;
  for (let i = 0; i < size; i++) {
    const middle = i + 1 === size ? 0 : i + 1, after = middle + 1 === size ? 0 : middle + 1;
    if (loosely ? !isDiagonal(v, base, size, i, after, true) : isEar[middle] === 0) continue;
    // Recast measures a loose ear to the point after its diagonal's end.
    const end = loosely ? (after + 1 === size ? 0 : after + 1) : after;
    const p = 4 * (base + left[i]!), q = 4 * (base + left[end]!);
    const dx = v[q]! - v[p]!, dz = v[q + 2]! - v[p + 2]!;
    const lengthSq = dx * dx + dz * dz;
    if (best === -1 || lengthSq < shortest) {
      shortest = lengthSq;
      best = i;
    }
  }
  return best;
}

/** Whether the line between positions i and j lies inside what is left and crosses none of its edges. */
function isDiagonal(v: Int32Array, base: number, size: number, i: number, j: number, loosely: boolean): boolean {
  const p = 4 * (base + left[i]!), q = 4 * (base + left[j]!);
  const before = 4 * (base + left[i === 0 ? size - 1 : i - 1]!), after = 4 * (base + left[i + 1 === size ? 0 : i + 1]!);
  if (!(loosely ? isInConeLoosely(v, before, p, after, q) : isInCone(v, before, p, after, q))) return false;
  for (let k = 0; k < size; k++) {
    const next = k + 1 === size ? 0 : k + 1;
    if (k === i || next === i || k === j || next === j) continue;
    const a = 4 * (base + left[k]!), b = 4 * (base + left[next]!);
    if (samePlace(v, p, a) || samePlace(v, q, a) || samePlace(v, p, b) || samePlace(v, q, b)) continue;
    if (loosely ? crossProperly(v, p, q, a, b) : touch(v, p, q, a, b)) return false;
  }
  return true;
}
