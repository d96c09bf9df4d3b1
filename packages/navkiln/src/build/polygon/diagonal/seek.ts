/**
 * Finds the best line that starts at a corner.
 *
 * The cost of a line is its length, multiplied when it makes sharp angles with neighboring edges or leaves
 * the corner concave, and reduced when it also resolves a concave corner at its far end. Vertices are visited
 * from near to far, in rings of grid cells, until no further one can be better. Decisions are exact: a line
 * starts and ends strictly inside its corners and meets nothing else. Ties go to the lower vertex at the far
 * end, that is, by position.
 *
 * In: `Faces`, a corner, weights.
 * Out: the best line, if there is one below a cost.
 * Cost: the vertices nearby.
 * Based on: own.
 */
import { cornerTowards, isConcave, isWithinCorner, turn } from './faces.ts';
import type { Faces } from './types.ts';
import { columnOf, isWayFree, rowOf } from './grid.ts';
import { spendSteps } from '../../../base/plane/budget.ts';
import type { FaceGrid } from './types.ts';

/** Weights by which the mode 'diagonal' chooses its cuts. */
export interface LineWeights {
  /** Multiplies the cost of a cut that leaves its corner concave. >= 1. */
  stillConcave: number;
  /** Multiplies the cost of a cut that also resolves a concave corner at its far end. 0 .. 1. */
  curesBoth: number;
  /** Multiplies the cost of a line at angle 0 to a neighboring edge, falling to 1 at `sharpSine`. >= 1. */
  sharpest: number;
  /** Sine of the angle from which on a line is not sharp. */
  sharpSine: number;
}

export interface Seek {
  /** Only cheaper lines are taken; afterwards the cost of the best line. */
  cost: number;
  /** Corners at its ends; -1: none was found. */
  from: number;
  to: number;
}

/** For bridges: the corners at which one may end. */
export interface TiedCorners {
  isTied: Uint8Array;
  /** For each vertex: whether it has such a corner. */
  hasTied: Uint8Array;
}

/**
 * Searches from corner h for a line cheaper than seek.cost and writes it there. With `tied`, searches for a
 * bridge, which only ends at one of these corners; its cost ignores concave corners.
 */
export function seekLine(
  seek: Seek,
  faces: Faces,
  grid: FaceGrid,
  h: number,
  weights: LineWeights,
  tied?: TiedCorners,
): void {
  const { origin, xs, ys } = faces;
  const { columns, rows, cellSize, vertexStart, vertexAt, minX, minY } = grid;
  const v = origin[h];
  const x = xs[v];
  const y = ys[v];
  const column = columnOf(grid, x);
  const row = rowOf(grid, y);
  const least = tied === undefined ? weights.curesBoth : 1;
  const toBorder = Math.min(
    x - minX - column * cellSize,
    y - minY - row * cellSize,
    minX + (column + 1) * cellSize - x,
    minY + (row + 1) * cellSize - y,
  );
  const lastRing = Math.max(column, columns - 1 - column, row, rows - 1 - row);
  for (let ring = 0; ring <= lastRing; ring++) {
    if (ring > 0 && ((ring - 1) * cellSize + toBorder) * least >= seek.cost) return;
    const lowRow = Math.max(0, row - ring);
    const highRow = Math.min(rows - 1, row + ring);
    for (let r = lowRow; r <= highRow; r++) {
      const isWhole = r === row - ring || r === row + ring;
      const step = isWhole || ring === 0 ? 1 : 2 * ring;
      for (let c = column - ring; c <= column + ring; c += step) {
        if (c < 0 || c >= columns) continue;
        const cell = r * columns + c;
        spendSteps(grid.budget, 1 + vertexStart[cell + 1] - vertexStart[cell]);
        for (let i = vertexStart[cell]; i < vertexStart[cell + 1]; i++) {
          const w = vertexAt[i];
          if (w === v || (tied !== undefined && tied.hasTied[w] === 0)) continue;
          const dx = xs[w] - x;
          const dy = ys[w] - y;
          const length = Math.sqrt(dx * dx + dy * dy);
          if (length * least > seek.cost || !isWithinCorner(faces, h, w)) continue;
          const k = cornerTowards(faces, grid, w, v);
          if (k < 0 || (tied !== undefined && tied.isTied[k] === 0)) continue;
          const cost = length * factorOf(faces, h, k, weights, tied !== undefined);
          if (cost > seek.cost) continue;
          if (cost === seek.cost && (seek.to < 0 || isEarlier(origin, seek, v, w))) continue;
          // Two neighboring vertices of one edge are inside no corner of each other, so no edge lies on the
          // segment.
          if (!isWayFree(grid, faces, v, w)) continue;
          seek.cost = cost;
          seek.from = h;
          seek.to = k;
        }
      }
    }
  }
}

function isEarlier(origin: Int32Array, { from, to }: Seek, v: number, w: number): boolean {
  const a = Math.min(origin[from], origin[to]);
  const b = Math.max(origin[from], origin[to]);
  const c = Math.min(v, w);
  const d = Math.max(v, w);
  return a < c || (a === c && b <= d);
}

/** Returns the ratio between the cost of a line between corners h and k and its length. */
export function factorOf(faces: Faces, h: number, k: number, weights: LineWeights, isBridge: boolean): number {
  const { origin, next, prev, xs, ys } = faces;
  const v = origin[h];
  const w = origin[k];
  const vOut = origin[next[h]];
  const vIn = origin[prev[h]];
  const wOut = origin[next[k]];
  const wIn = origin[prev[k]];
  let factor = 1;
  if (!isBridge) {
    if (isConcave(faces, h) && (turn(faces, v, vOut, w) < 0 || turn(faces, v, w, vIn) < 0))
      factor *= weights.stillConcave;
    if (isConcave(faces, k) && turn(faces, w, wOut, v) >= 0 && turn(faces, w, v, wIn) >= 0) factor *= weights.curesBoth;
  }
  const sine = Math.min(
    sineBeside(xs, ys, v, w, vOut),
    sineBeside(xs, ys, v, w, vIn),
    sineBeside(xs, ys, w, v, wOut),
    sineBeside(xs, ys, w, v, wIn),
  );
  if (sine < weights.sharpSine) factor *= 1 + (weights.sharpest - 1) * (1 - sine / weights.sharpSine);
  return factor;
}

/** Returns the sine of the angle at a between the directions to b and c; 1 from a right angle on. */
function sineBeside(xs: Float64Array, ys: Float64Array, a: number, b: number, c: number): number {
  const bx = xs[b] - xs[a];
  const by = ys[b] - ys[a];
  const cx = xs[c] - xs[a];
  const cy = ys[c] - ys[a];
  if (bx * cx + by * cy <= 0) return 1;
  return Math.abs(bx * cy - by * cx) / Math.sqrt((bx * bx + by * by) * (cx * cx + cy * cy));
}
