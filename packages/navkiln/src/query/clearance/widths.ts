/**
 * The width of each edge. Between two corners, it is their distance; between a corner and its foot, it is the distance to the wall. Widths are
 * exact values rounded down to a double, so that `2 * radius <= width` is exact for any double.
 *
 * Other edges at a foot have their length as width. They are no narrow passages: if such an edge stops an agent, a narrower edge does, too.
 *
 * In: refined triangles.
 * Out: a width for each half-edge, and the number of narrow passages that are not edges.
 * Cost: linear; big integers for corners and feet.
 * Based on: own.
 */
import { signOfProducts } from '../../base/math/predicates.ts';
import type { RefinedTriangles } from './refine.ts';
import { nextOf } from './types.ts';

const bits = new Float64Array(1);
const whole = new BigInt64Array(bits.buffer);

/** Returns the next double below (by = -1) or above (by = 1) a positive double. */
function step(value: number, by: 1n | -1n): number {
  bits[0] = value;
  whole[0] += by;
  return bits[0];
}

const factors = new Float64Array(6);

/** Returns the largest double that is at most the square root of dx * dx + dy * dy, for integers below 2^27. */
function lengthBelow(dx: number, dy: number): number {
  let width = Math.sqrt(dx * dx + dy * dy);
  factors[0] = factors[1] = dx;
  factors[2] = factors[3] = dy;
  const isAtMost = (value: number): boolean => {
    factors[4] = value;
    factors[5] = -value;
    return signOfProducts(factors) >= 0;
  };
  while (!isAtMost(width)) width = step(width, -1n);
  for (let above = step(width, 1n); isAtMost(above); above = step(above, 1n)) width = above;
  return width;
}

/** Returns the largest double that is at most the distance of a corner, at (dx, dv) from the start of a wall (wx, wv). All are integers. */
function heightBelow(wx: number, wv: number, dx: number, dv: number): number {
  const cross = BigInt(wx) * BigInt(dv) - BigInt(wv) * BigInt(dx);
  const length = BigInt(wx) * BigInt(wx) + BigInt(wv) * BigInt(wv);
  const square = cross * cross;
  let width = Math.abs(Number(cross)) / Math.sqrt(Number(length));
  // With width = mantissa * 2^-84, width^2 * |wall|^2 <= cross^2 is a comparison of integers.
  const isAtMost = (value: number): boolean => {
    const mantissa = BigInt(value * 2 ** 84);
    return mantissa * mantissa * length <= square << 168n;
  };
  while (!isAtMost(width)) width = step(width, -1n);
  for (let above = step(width, 1n); isAtMost(above); above = step(above, 1n)) width = above;
  return width;
}

export function measureWidths(made: RefinedTriangles): { width: Float64Array; missed: number } {
  const { xs, vs, corner, twin, triangleCount, cornerCount, faces, wallFrom, wallTo } = made;
  const width = new Float64Array(3 * triangleCount);
  const isEdge = new Uint8Array(faces.length);
  for (let h = 0; h < 3 * triangleCount; h++) {
    const t = twin[h];
    if (t < h) {
      // Walls have width 0. Each edge is measured once, and both half-edges get its width.
      if (t >= 0) width[h] = width[t];
      continue;
    }
    const a = corner[h];
    const b = corner[nextOf(h)];
    const foot = Math.max(a, b) - cornerCount;
    if (foot < 0) width[h] = lengthBelow(xs[b] - xs[a], vs[b] - vs[a]);
    else if (faces[foot] === Math.min(a, b)) {
      const from = wallFrom[foot];
      const to = wallTo[foot];
      const at = faces[foot];
      width[h] = heightBelow(xs[to] - xs[from], vs[to] - vs[from], xs[at] - xs[from], vs[at] - vs[from]);
      isEdge[foot] = 1;
    } else {
      const dx = xs[b] - xs[a];
      const dv = vs[b] - vs[a];
      width[h] = Math.sqrt(dx * dx + dv * dv);
    }
  }
  let missed = 0;
  for (let i = 0; i < isEdge.length; i++) missed += 1 - isEdge[i];
  return { width, missed };
}
