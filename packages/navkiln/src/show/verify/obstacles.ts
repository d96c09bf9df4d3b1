/**
 * Marks everything that a body would touch: for each square between four joined floors, the box around the pieces of
 * triangles that reach into the body's heights above the floor there; for each way between two floors, whether a
 * triangle surely cuts it.
 *
 * The step that a body takes counts from the floor itself, bilinear between the four floors. So ramps and stairs do not
 * obstruct themselves, and a wall between two columns is found however thin it is. Its height counts from the highest of
 * the four.
 *
 * In: triangles, floors. Out: boxes, and bits in `floors.ways`.
 * Cost: linear in the squares that triangles pass over.
 * Based on: own.
 */
import { clipPiece, createPiece } from './shapes/clip.ts';
import type { Floors } from './floors.ts';
import { rowEnds } from './shapes/grid.ts';
import type { Grid } from './shapes/grid.ts';
import type { Triangles } from './level.ts';
import type { Setup } from './setup.ts';

/** Boxes of obstacles. */
export interface Obstacles {
  /** Per floor: the box in the square from its column to the next in +u and +v; -1: none. */
  box: Int32Array;
  count: number;
  /** Least u, least v, greatest u, greatest v of each box. */
  bounds: Float64Array;
}

/** The squares over joined floors: least and greatest height of their four floors; NaN where they are not joined. */
interface Squares {
  low: Float32Array;
  high: Float32Array;
}

/** Finds the boxes in all squares. */
export function findObstacles(grid: Grid, triangles: Triangles, floors: Floors, setup: Setup): Obstacles {
  const squares = measureSquares(floors);
  const obstacles: Obstacles = { box: new Int32Array(floors.count).fill(-1), count: 0, bounds: new Float64Array(1024) };
  const { corners } = triangles;
  const strip = createPiece();
  const piece = createPiece();
  const spare = createPiece();
  const zone = { low: setup.sureStep, high: setup.sureHeight };
  for (let t = 0; t < triangles.count; t++) {
    const o = 9 * t;
    const first = Math.max(0, Math.floor(Math.min(corners[o + 2], corners[o + 5], corners[o + 8])));
    const last = Math.min(grid.depth - 2, Math.floor(Math.max(corners[o + 2], corners[o + 5], corners[o + 8])));
    for (let j = first; j <= last; j++) {
      piece.count = 3;
      for (let k = 0; k < 9; k++) piece.points[k] = corners[o + k];
      clipPiece(spare, piece, 2, j, -1);
      clipPiece(strip, spare, 2, j + 1, 1);
      if (strip.count === 0) continue;
      let least = Infinity;
      let most = -Infinity;
      for (let k = 0; k < strip.count; k++) {
        least = Math.min(least, strip.points[3 * k]);
        most = Math.max(most, strip.points[3 * k]);
      }
      const from = Math.max(0, Math.floor(least));
      const to = Math.min(grid.width - 2, Math.floor(most));
      for (let i = from; i <= to; i++) {
        const c = i + j * grid.width;
        if (floors.start[c] === floors.start[c + 1]) continue;
        let isCut = false;
        for (let p = floors.start[c]; p < floors.start[c + 1]; p++) {
          // NaN fails.
          if (!(squares.low[p] > -Infinity)) continue;
          if (!isCut) {
            clipPiece(spare, strip, 0, i, -1);
            clipPiece(piece, spare, 0, i + 1, 1);
            isCut = true;
            if (piece.count === 0) break;
            measurePiece(piece.points, piece.count);
          }
          if (extent[3] <= squares.low[p] + zone.low || extent[2] >= squares.high[p] + zone.high) continue;
          if (highestOver(piece.points, piece.count, floors, p, i, j) > zone.low + 1e-9) addBox(obstacles, p);
        }
      }
    }
  }
  return obstacles;
}

/** Least and greatest u (0, 1), y (2, 3) and v (4, 5) of the current piece. */
const extent = new Float64Array(6);

function measurePiece(points: Float64Array, count: number): void {
  for (let k = 0; k < 6; k += 2) {
    extent[k] = Infinity;
    extent[k + 1] = -Infinity;
  }
  for (let k = 0; k < 3 * count; k++) {
    const at = 2 * (k % 3);
    if (points[k] < extent[at]) extent[at] = points[k];
    if (points[k] > extent[at + 1]) extent[at + 1] = points[k];
  }
}

/** Returns the greatest height of a piece above the floors of a square. */
// oxlint-disable-next-line max-params -- hot loop
function highestOver(
  points: Float64Array,
  count: number,
  { y, beside }: Floors,
  p: number,
  i: number,
  j: number,
): number {
  const right = beside[4 * p];
  const y00 = y[p];
  const y10 = y[right];
  const y01 = y[beside[4 * p + 1]];
  const y11 = y[beside[4 * right + 1]];
  let highest = -Infinity;
  for (let k = 0; k < 3 * count; k += 3) {
    const a = points[k] - i;
    const b = points[k + 2] - j;
    const floor = (1 - b) * ((1 - a) * y00 + a * y10) + b * ((1 - a) * y01 + a * y11);
    if (points[k + 1] - floor > highest) highest = points[k + 1] - floor;
  }
  return highest;
}

/** Extends the box of a square to the current piece. */
function addBox(obstacles: Obstacles, p: number): void {
  let n = obstacles.box[p];
  if (n < 0) {
    n = addObstacle(obstacles, extent[0], extent[4], extent[1], extent[5]);
    obstacles.box[p] = n;
    return;
  }
  const { bounds } = obstacles;
  bounds[4 * n] = Math.min(bounds[4 * n], extent[0]);
  bounds[4 * n + 1] = Math.min(bounds[4 * n + 1], extent[4]);
  bounds[4 * n + 2] = Math.max(bounds[4 * n + 2], extent[1]);
  bounds[4 * n + 3] = Math.max(bounds[4 * n + 3], extent[5]);
}

/** Appends a box and returns its number. */
export function addObstacle(obstacles: Obstacles, u0: number, v0: number, u1: number, v1: number): number {
  const n = obstacles.count++;
  if (4 * n + 4 > obstacles.bounds.length) {
    const grown = new Float64Array(2 * obstacles.bounds.length);
    grown.set(obstacles.bounds);
    obstacles.bounds = grown;
  }
  obstacles.bounds[4 * n] = u0;
  obstacles.bounds[4 * n + 1] = v0;
  obstacles.bounds[4 * n + 2] = u1;
  obstacles.bounds[4 * n + 3] = v1;
  return n;
}

/** Returns the floor opposite of p in its square when sure steps lead around the square; -1: they do not. */
export function oppositeFloor({ beside, ways }: Floors, p: number): number {
  if ((ways[p] & 0x30) !== 0x30) return -1;
  const right = beside[4 * p];
  const front = beside[4 * p + 1];
  if ((ways[right] & 0x20) === 0 || (ways[front] & 0x10) === 0) return -1;
  const q = beside[4 * right + 1];
  return q === beside[4 * front] ? q : -1;
}

function measureSquares(floors: Floors): Squares {
  const { count, y, beside } = floors;
  const low = new Float32Array(count).fill(NaN);
  const high = new Float32Array(count).fill(NaN);
  for (let p = 0; p < count; p++) {
    const q = oppositeFloor(floors, p);
    if (q < 0) continue;
    const right = y[beside[4 * p]];
    const front = y[beside[4 * p + 1]];
    low[p] = Math.min(y[p], y[q], right, front);
    high[p] = Math.max(y[p], y[q], right, front);
  }
  return { low, high };
}

/** Marks the ways between floors that a triangle surely cuts: between a step and the agent's height, with margins. */
export function cutWays(grid: Grid, triangles: Triangles, floors: Floors, setup: Setup): void {
  const zone = { low: setup.looseStep, high: setup.agent.height - setup.margins.height };
  if (zone.low >= zone.high) return;
  const { corners, count } = triangles;
  const turned = new Float64Array(9);
  for (let t = 0; t < count; t++) {
    cutRows(grid, corners, 9 * t, floors, zone, 0);
    // The same along v, with u and v exchanged.
    for (let k = 0; k < 9; k += 3) {
      turned[k] = corners[9 * t + k + 2];
      turned[k + 1] = corners[9 * t + k + 1];
      turned[k + 2] = corners[9 * t + k];
    }
    cutRows(grid, turned, 0, floors, zone, 1);
  }
}

const ends = new Float64Array(2);

/** Marks ways along u (side 0) or, with exchanged coordinates, along v (side 1). */
// oxlint-disable-next-line max-params -- hot loop
function cutRows(
  grid: Grid,
  corners: Float64Array,
  o: number,
  floors: Floors,
  zone: { low: number; high: number },
  side: 0 | 1,
): void {
  const rows = side === 0 ? grid.depth : grid.width;
  const length = side === 0 ? grid.width : grid.depth;
  const first = Math.max(0, Math.ceil(Math.min(corners[o + 2], corners[o + 5], corners[o + 8])));
  const last = Math.min(rows - 1, Math.ceil(Math.max(corners[o + 2], corners[o + 5], corners[o + 8])) - 1);
  for (let v = first; v <= last; v++) {
    rowEnds(ends, corners, o, v);
    heightsAt(corners, o, v);
    const from = Math.max(0, Math.floor(ends[0]));
    const to = Math.min(length - 2, Math.floor(ends[1]));
    const span = rowLine[2] - rowLine[0];
    for (let u = from; u <= to; u++) {
      const a = Math.max(u, ends[0]);
      const b = Math.min(u + 1, ends[1]);
      let ya = rowLine[1];
      let yb = rowLine[3];
      if (span > 1e-12) {
        const rise = (rowLine[3] - rowLine[1]) / span;
        ya = rowLine[1] + rise * (a - rowLine[0]);
        yb = rowLine[1] + rise * (b - rowLine[0]);
      }
      const here = side === 0 ? u + v * grid.width : v + u * grid.width;
      const there = side === 0 ? here + 1 : here + grid.width;
      markWays(floors, here, side, a - u, ya, b - u, yb, zone);
      markWays(floors, there, side + 2, u + 1 - a, ya, u + 1 - b, yb, zone);
    }
  }
}

/** u and y of the two ends of the current triangle's line on a row, the lower u first. */
const rowLine = new Float64Array(4);

function heightsAt(corners: Float64Array, o: number, v: number): void {
  let n = 0;
  for (let k = 0; k < 9 && n < 4; k += 3) {
    const p = o + k;
    const q = k === 6 ? o : p + 3;
    if (corners[p + 2] <= v === corners[q + 2] <= v) continue;
    const s = (v - corners[p + 2]) / (corners[q + 2] - corners[p + 2]);
    rowLine[n++] = corners[p] + s * (corners[q] - corners[p]);
    rowLine[n++] = corners[p + 1] + s * (corners[q + 1] - corners[p + 1]);
  }
  if (rowLine[0] <= rowLine[2]) return;
  const u = rowLine[0];
  const y = rowLine[1];
  rowLine[0] = rowLine[2];
  rowLine[1] = rowLine[3];
  rowLine[2] = u;
  rowLine[3] = y;
}

/** Marks the ways from the floors of a column to a side that the line (a, ya) to (b, yb) cuts; a, b: 0 .. 1 on the way. */
// oxlint-disable-next-line max-params -- hot loop
function markWays(
  { start, y, beside, ways }: Floors,
  column: number,
  d: number,
  a: number,
  ya: number,
  b: number,
  yb: number,
  zone: { low: number; high: number },
): void {
  for (let p = start[column]; p < start[column + 1]; p++) {
    const q = beside[4 * p + d];
    const rise = q < 0 ? 0 : y[q] - y[p];
    const ha = ya - y[p] - a * rise;
    const hb = yb - y[p] - b * rise;
    if (Math.max(ha, hb) > zone.low && Math.min(ha, hb) < zone.high) ways[p] |= 1 << d;
  }
}
