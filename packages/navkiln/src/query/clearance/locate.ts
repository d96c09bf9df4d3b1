/**
 * Finds the triangle of a point with a grid of squares. Each square lists the triangles that overlap it.
 *
 * In: triangles, points in cells.
 * Out: triangles.
 * Cost: constant for maps with evenly distributed triangles.
 * Based on: own.
 */
import type { Clearance } from './types.ts';

type Shape = Pick<Clearance, 'xs' | 'vs' | 'corner' | 'triangleCount'>;
type Squares = Pick<Clearance, 'side' | 'columns' | 'rows' | 'start' | 'items'>;

/** Largest distance of a point outside of its triangle, in cells. It covers rounding errors. */
const SLACK_CELLS = 1e-7;

export function fillSquares(shape: Shape): Squares {
  const { xs, vs, triangleCount } = shape;
  let [maxX, maxV] = [1, 1];
  for (let i = 0; i < xs.length; i++) {
    maxX = Math.max(maxX, xs[i]);
    maxV = Math.max(maxV, vs[i]);
  }
  const side = Math.max(1, Math.sqrt((maxX * maxV) / Math.max(1, triangleCount)), Math.max(maxX, maxV) / 4096);
  const columns = Math.floor(maxX / side) + 1;
  const rows = Math.floor(maxV / side) + 1;
  const squares = { side, columns, rows };
  const start = new Int32Array(columns * rows + 1);
  forEachSquare(shape, squares, (square) => start[square + 1]++);
  for (let k = 0; k < columns * rows; k++) start[k + 1] += start[k];
  const items = new Int32Array(start[columns * rows]);
  const at = start.slice();
  forEachSquare(shape, squares, (square, triangle) => (items[at[square]++] = triangle));
  return { ...squares, start, items };
}

/** Visits the squares that each triangle overlaps. */
function forEachSquare(
  { xs, vs, corner, triangleCount }: Shape,
  { side, columns, rows }: Pick<Squares, 'side' | 'columns' | 'rows'>,
  visit: (square: number, triangle: number) => void,
): void {
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [corner[3 * t], corner[3 * t + 1], corner[3 * t + 2]];
    const x0 = clamp(Math.floor(Math.min(xs[a], xs[b], xs[c]) / side), columns);
    const x1 = clamp(Math.floor(Math.max(xs[a], xs[b], xs[c]) / side), columns);
    const v0 = clamp(Math.floor(Math.min(vs[a], vs[b], vs[c]) / side), rows);
    const v1 = clamp(Math.floor(Math.max(vs[a], vs[b], vs[c]) / side), rows);
    for (let row = v0; row <= v1; row++) {
      for (let column = x0; column <= x1; column++) {
        const isAlone = x0 === x1 || v0 === v1;
        if (isAlone || (isLeftOf(a, b) && isLeftOf(b, c) && isLeftOf(c, a))) visit(row * columns + column, t);
        /** Returns whether a part of the square is to the left of an edge. */
        function isLeftOf(from: number, to: number): boolean {
          const dx = xs[to] - xs[from];
          const dv = vs[to] - vs[from];
          // The corner of the square that is farthest to the left of the edge, with a margin for rounding errors.
          const x = (column + (dv < 0 ? 1 + 1e-6 : -1e-6)) * side - xs[from];
          const v = (row + (dx > 0 ? 1 + 1e-6 : -1e-6)) * side - vs[from];
          return dx * v - dv * x >= 0;
        }
      }
    }
  }
}

function clamp(value: number, count: number): number {
  return value < 0 ? 0 : value >= count ? count - 1 : value;
}

/** Returns a triangle that contains a point, inside or on its border; -1 if there is none. */
export function triangleAt(clearance: Clearance, x: number, v: number): number {
  const { start, items } = clearance;
  const square = squareAt(clearance, x, v);
  if (square < 0) return -1;
  for (let k = start[square]; k < start[square + 1]; k++) if (isIn(clearance, items[k], x, v)) return items[k];
  return -1;
}

/** Returns all triangles that contain a point, inside or on their border. */
export function trianglesAt(clearance: Clearance, x: number, v: number): number[] {
  const { start, items } = clearance;
  const square = squareAt(clearance, x, v);
  const found: number[] = [];
  if (square < 0) return found;
  for (let k = start[square]; k < start[square + 1]; k++) if (isIn(clearance, items[k], x, v)) found.push(items[k]);
  return found;
}

function squareAt({ side, columns, rows }: Clearance, x: number, v: number): number {
  const column = Math.floor(x / side);
  const row = Math.floor(v / side);
  return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
}

/** Returns whether a point is in a triangle, or on its border. */
export function isIn({ xs, vs, corner }: Clearance, t: number, x: number, v: number): boolean {
  const a = corner[3 * t];
  const b = corner[3 * t + 1];
  const c = corner[3 * t + 2];
  return isLeft(xs, vs, a, b, x, v) && isLeft(xs, vs, b, c, x, v) && isLeft(xs, vs, c, a, x, v);
}

// oxlint-disable-next-line max-params -- kernel
function isLeft(xs: Float64Array, vs: Float64Array, from: number, to: number, x: number, v: number): boolean {
  const dx = xs[to] - xs[from];
  const dv = vs[to] - vs[from];
  return dx * (v - vs[from]) - dv * (x - xs[from]) >= -SLACK_CELLS * (Math.abs(dx) + Math.abs(dv));
}
