/**
 * Cuts a triangle along the cells of a tile: the square, and the rim on its sides and corners.
 *
 * Corners within the tolerance of a line are already on it (weld.ts). The intersection of an edge with a line
 * is computed from the edge's lower end, so all triangles get the same point.
 *
 * In: a triangle and a tile's square.
 * Out: one ring per cell that the triangle touches.
 * Cost: that of the cells the triangle touches.
 * Based on: Ivan Sutherland, Gary Hodgman, Reentrant Polygon Clipping, 1974.
 */
import type { TileSquare } from '../types.ts';

/** The triangle, the strips and the pieces: up to 7 corners, xyz each. */
const strip = new Float64Array(24);
const piece = new Float64Array(24);
const between = new Float64Array(24);
const linesX = new Float64Array(4);
const linesZ = new Float64Array(4);

/** Calls `visit` with a ring of xyz and its number of corners; the ring is reused afterwards. */
export function clipToCells(
  triangle: Float64Array,
  { x0, z0, x1, z1, rim }: TileSquare,
  visit: (ring: Float64Array, size: number) => void,
): void {
  setLines(linesX, x0, x1, rim);
  setLines(linesZ, z0, z1, rim);
  for (let i = 0; i < 3; i++) {
    const ofStrip = clipBetween(triangle, 3, 0, linesX[i], linesX[i + 1], strip);
    if (ofStrip < 3) continue;
    for (let k = 0; k < 3; k++) {
      const size = clipBetween(strip, ofStrip, 2, linesZ[k], linesZ[k + 1], piece);
      if (size > 2) visit(piece, size);
    }
  }
}

function setLines(lines: Float64Array, from: number, to: number, rim: number): void {
  lines[0] = from - rim;
  lines[1] = from;
  lines[2] = to;
  lines[3] = to + rim;
}

function clipBetween(
  ring: Float64Array,
  size: number,
  axis: number,
  low: number,
  high: number,
  out: Float64Array,
): number {
  let isAbove = false;
  let isBelow = false;
  for (let k = axis; k < 3 * size; k += 3) {
    if (ring[k] > low) isAbove = true;
    if (ring[k] < high) isBelow = true;
  }
  return isAbove && isBelow ? clip(between, clip(ring, size, axis, 1, low, between), axis, -1, high, out) : 0;
}

/** Clips a ring to sign * coordinate >= sign * bound. Returns the number of corners. */
function clip(ring: Float64Array, size: number, axis: number, sign: number, bound: number, out: Float64Array): number {
  let n = 0;
  for (let k = 0; k < size; k++) {
    const a = 3 * k;
    const b = k + 1 === size ? 0 : a + 3;
    const da = sign * (ring[a + axis] - bound);
    const db = sign * (ring[b + axis] - bound);
    if (da >= 0) {
      out[n++] = ring[a];
      out[n++] = ring[a + 1];
      out[n++] = ring[a + 2];
    }
    if (da >= 0 === db >= 0 || da === 0 || db === 0) continue;
    const isTurned = ring[a] > ring[b] || (ring[a] === ring[b] && ring[a + 2] > ring[b + 2]);
    const from = isTurned ? b : a;
    const to = isTurned ? a : b;
    const t = (bound - ring[from + axis]) / (ring[to + axis] - ring[from + axis]);
    out[n] = ring[from] + t * (ring[to] - ring[from]);
    out[n + 1] = ring[from + 1] + t * (ring[to + 1] - ring[from + 1]);
    out[n + 2] = ring[from + 2] + t * (ring[to + 2] - ring[from + 2]);
    out[n + axis] = bound;
    n += 3;
  }
  return n / 3;
}
