/**
 * The best line that can start at a corner: to which other corner?
 *
 * A line's cost is its length, times more when it makes sharp angles with the edges beside it or leaves the corner concave, and
 * times less when it also cures a concave corner at its far end. Vertices are looked through from near to far, in rings of grid
 * cells, until no farther one can be better: so the search is as wide as the map is dense. Exact: a line starts and ends strictly
 * within its corners and meets nothing else. Ties go to the far end's vertex with the lower number, that is: by place.
 *
 * What the factors do to pieces and angles: see diagonal.ts. Based on: own.
 */
import { cornerTowards, isConcave, isWithinCorner, turn } from './faces.ts';
import type { Faces } from './types.ts';
import { columnOf, isWayFree, rowOf } from './grid.ts';
import type { FaceGrid } from './types.ts';

export interface LineWeights {
  /** Times a cut that leaves its corner concave. 1 or more. */
  stillConcave: number;
  /** Times a cut whose far end was concave and no longer is. 0 to 1. */
  curesBoth: number;
  /** Times a line at angle 0 to an edge beside it, less for wider angles, 1 from `sharpSine` on. 1 or more. */
  sharpest: number;
  /** Sine of the angle that is wide enough. */
  sharpSine: number;
}

export interface Seek {
  /** Only lines cheaper than this are taken; the cost of the best. */
  cost: number;
  /** Corners at its ends; -1: none was found. */
  from: number;
  to: number;
}

/** For bridges: corners at which one may end. */
export interface TiedCorners {
  isTied: Uint8Array;
  /** Of each vertex: does it have one? */
  hasTied: Uint8Array;
}

/**
 * Looks from corner h for a line cheaper than seek.cost and writes it there. With `tied`, for a bridge, which only ends at one
 * of these corners; costs then do not ask who is concave.
 */
export function seekLine(
  seek: Seek,
  faces: Faces,
  grid: FaceGrid,
  h: number,
  taste: LineWeights,
  tied?: TiedCorners,
): void {
  const { origin, xs, ys } = faces;
  const { columns, rows, cellSize, vertexStart, vertexAt, minX, minY } = grid;
  const v = origin[h];
  const x = xs[v];
  const y = ys[v];
  const column = columnOf(grid, x);
  const row = rowOf(grid, y);
  const least = tied === undefined ? taste.curesBoth : 1;
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
        for (let i = vertexStart[cell]; i < vertexStart[cell + 1]; i++) {
          const w = vertexAt[i];
          if (w === v || (tied !== undefined && tied.hasTied[w] === 0)) continue;
          const dx = xs[w] - x;
          const dy = ys[w] - y;
          const length = Math.sqrt(dx * dx + dy * dy);
          if (length * least > seek.cost || !isWithinCorner(faces, h, w)) continue;
          const k = cornerTowards(faces, w, v);
          if (k < 0 || (tied !== undefined && tied.isTied[k] === 0)) continue;
          const cost = length * factorOf(faces, h, k, taste, tied !== undefined);
          if (cost > seek.cost) continue;
          if (cost === seek.cost && (seek.to < 0 || isEarlier(origin, seek, v, w))) continue;
          // Two vertices next to each other on one edge are within no corner of each other, so no edge lies on the way.
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

/** By how much a line between corners h and k costs more than its length. */
export function factorOf(faces: Faces, h: number, k: number, taste: LineWeights, isBridge: boolean): number {
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
      factor *= taste.stillConcave;
    if (isConcave(faces, k) && turn(faces, w, wOut, v) >= 0 && turn(faces, w, v, wIn) >= 0) factor *= taste.curesBoth;
  }
  const sine = Math.min(
    sineBeside(xs, ys, v, w, vOut),
    sineBeside(xs, ys, v, w, vIn),
    sineBeside(xs, ys, w, v, wOut),
    sineBeside(xs, ys, w, v, wIn),
  );
  if (sine < taste.sharpSine) factor *= 1 + (taste.sharpest - 1) * (1 - sine / taste.sharpSine);
  return factor;
}

/** Sine of the angle at a between the ways to b and c, 1 from a right angle on. */
function sineBeside(xs: Float64Array, ys: Float64Array, a: number, b: number, c: number): number {
  const bx = xs[b] - xs[a];
  const by = ys[b] - ys[a];
  const cx = xs[c] - xs[a];
  const cy = ys[c] - ys[a];
  if (bx * cx + by * cy <= 0) return 1;
  return Math.abs(bx * cy - by * cx) / Math.sqrt((bx * bx + by * by) * (cx * cx + cy * cy));
}
