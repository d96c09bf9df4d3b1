/**
 * A grid over a map that finds nearby vertices, and edges between two vertices.
 *
 * The grid has four cells per vertex. Each cell lists its vertices and the edges that touch it; edges can be
 * added. Whether two edges meet is decided exactly; cells only limit the search, with a margin for rounding.
 *
 * In: vertices and edges.
 * Out: answers about segments.
 * Cost: that of the cells a segment touches: a few for a short one, 2 sqrt(n) across the whole map.
 * Based on: John Amanatides and Andrew Woo, A fast voxel traversal algorithm for ray tracing, 1987 (column by
 * column here).
 */
import { spendSteps } from '../../../base/plane/budget.ts';
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import type { FaceGrid, Faces } from './types.ts';

/** Cells per vertex. Fewer make chains longer, more make long segments slower. */
const CELLS_PER_VERTEX = 4;
/** Steps that an edge in a cell counts as, for its memory. */
const ENTRY_STEPS = 4;
/** Steps that an edge counts as if it crosses the row of a winding number, because it is kept in a set. */
const SEEN_STEPS = 16;
/** Margin in cells that covers rounding. */
const MARGIN = 1e-6;

export function createFaceGrid(
  vertexCount: number,
  xs: Float64Array,
  ys: Float64Array,
  budget: PolygonBudget,
): FaceGrid {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let v = 0; v < vertexCount; v++) {
    minX = Math.min(minX, xs[v]);
    minY = Math.min(minY, ys[v]);
    maxX = Math.max(maxX, xs[v]);
    maxY = Math.max(maxY, ys[v]);
  }
  if (vertexCount === 0) minX = minY = maxX = maxY = 0;
  const width = maxX - minX + 1;
  const height = maxY - minY + 1;
  const wanted = Math.sqrt((width * height) / (CELLS_PER_VERTEX * vertexCount + 1));
  const cellSize = Math.max(1, wanted, Math.max(width, height) / (4 * vertexCount + 4));
  const columns = Math.floor(width / cellSize) + 1;
  const rows = Math.floor(height / cellSize) + 1;
  const grid: FaceGrid = {
    budget,
    columns,
    rows,
    minX,
    minY,
    cellSize,
    vertexStart: new Int32Array(columns * rows + 1),
    vertexAt: new Int32Array(vertexCount),
    edgeFirst: new Int32Array(columns * rows).fill(-1),
    entryCount: 0,
    entryNext: new Int32Array(0),
    entryFrom: new Int32Array(0),
    entryTo: new Int32Array(0),
  };
  growEntries(grid, 4 * vertexCount + 64);
  const { vertexStart, vertexAt } = grid;
  for (let v = 0; v < vertexCount; v++) vertexStart[cellOf(grid, xs[v], ys[v]) + 1]++;
  for (let c = 0; c < columns * rows; c++) vertexStart[c + 1] += vertexStart[c];
  const fill = vertexStart.slice();
  for (let v = 0; v < vertexCount; v++) vertexAt[fill[cellOf(grid, xs[v], ys[v])]++] = v;
  return grid;
}

export function columnOf({ columns, minX, cellSize }: FaceGrid, x: number): number {
  return Math.max(0, Math.min(columns - 1, Math.floor((x - minX) / cellSize)));
}

export function rowOf({ rows, minY, cellSize }: FaceGrid, y: number): number {
  return Math.max(0, Math.min(rows - 1, Math.floor((y - minY) / cellSize)));
}

function cellOf(grid: FaceGrid, x: number, y: number): number {
  return rowOf(grid, y) * grid.columns + columnOf(grid, x);
}

/** The rows that the segment touches in the column: [0] first and [1] last, in the segment's direction. */
const rowSpan = new Int32Array(2);

function findRows(grid: FaceGrid, column: number, ax: number, ay: number, bx: number, by: number): void {
  const { minX, cellSize } = grid;
  const left = minX + (column - MARGIN) * cellSize;
  const right = minX + (column + 1 + MARGIN) * cellSize;
  let y0 = ay;
  let y1 = by;
  if (ax !== bx) {
    const slope = (by - ay) / (bx - ax);
    const enter = bx > ax ? left : right;
    const leave = bx > ax ? right : left;
    if (bx > ax ? enter > ax : enter < ax) y0 = ay + (enter - ax) * slope;
    if (bx > ax ? leave < bx : leave > bx) y1 = ay + (leave - ax) * slope;
  }
  const margin = (by >= ay ? MARGIN : -MARGIN) * cellSize;
  rowSpan[0] = rowOf(grid, y0 - margin);
  rowSpan[1] = rowOf(grid, y1 + margin);
}

/** Adds the edge of half-edge h to each cell it touches. */
export function putEdge(grid: FaceGrid, { origin, next, xs, ys }: Faces, h: number): void {
  const a = origin[h];
  const b = origin[next[h]];
  const step = xs[b] >= xs[a] ? 1 : -1;
  const { columns, edgeFirst } = grid;
  const lastColumn = columnOf(grid, xs[b] + step * MARGIN * grid.cellSize);
  for (let column = columnOf(grid, xs[a] - step * MARGIN * grid.cellSize); ; column += step) {
    findRows(grid, column, xs[a], ys[a], xs[b], ys[b]);
    const low = Math.min(rowSpan[0], rowSpan[1]);
    const high = Math.max(rowSpan[0], rowSpan[1]);
    spendSteps(grid.budget, ENTRY_STEPS * (high - low + 1));
    for (let row = low; row <= high; row++) {
      const cell = row * columns + column;
      const entry = grid.entryCount++;
      if (entry === grid.entryNext.length) growEntries(grid, 2 * entry);
      grid.entryFrom[entry] = a;
      grid.entryTo[entry] = b;
      grid.entryNext[entry] = edgeFirst[cell];
      edgeFirst[cell] = entry;
    }
    if (column === lastColumn) return;
  }
}

/**
 * Returns whether no edge meets the segment from a to b, except those that end at a or b. The caller makes
 * sure that no edge at a or b lies on it.
 */
export function isWayFree(
  grid: FaceGrid,
  { xs, ys }: { xs: Float64Array; ys: Float64Array },
  a: number,
  b: number,
): boolean {
  const ax = xs[a];
  const ay = ys[a];
  const bx = xs[b];
  const by = ys[b];
  const dx = bx - ax;
  const dy = by - ay;
  const { columns, edgeFirst, entryNext, entryFrom, entryTo } = grid;
  const step = dx >= 0 ? 1 : -1;
  const lastColumn = columnOf(grid, bx);
  for (let column = columnOf(grid, ax); ; column += step) {
    findRows(grid, column, ax, ay, bx, by);
    const lastRow = rowSpan[1];
    const rowStep = lastRow >= rowSpan[0] ? 1 : -1;
    let steps = 0;
    for (let row = rowSpan[0]; ; row += rowStep) {
      steps++;
      for (let entry = edgeFirst[row * columns + column]; entry >= 0; entry = entryNext[entry]) {
        steps++;
        const p = entryFrom[entry];
        const q = entryTo[entry];
        if (p === a || p === b || q === a || q === b) continue;
        const px = xs[p];
        const py = ys[p];
        const qx = xs[q];
        const qy = ys[q];
        const sideOfP = dx * (py - ay) - dy * (px - ax);
        const sideOfQ = dx * (qy - ay) - dy * (qx - ax);
        if ((sideOfP > 0 && sideOfQ > 0) || (sideOfP < 0 && sideOfQ < 0)) continue;
        if (sideOfP === 0 && sideOfQ === 0) {
          const along = dx * dx + dy * dy;
          const alongP = dx * (px - ax) + dy * (py - ay);
          const alongQ = dx * (qx - ax) + dy * (qy - ay);
          if ((alongP < 0 && alongQ < 0) || (alongP > along && alongQ > along)) continue;
          return false;
        }
        const ex = qx - px;
        const ey = qy - py;
        const sideOfA = ex * (ay - py) - ey * (ax - px);
        const sideOfB = ex * (by - py) - ey * (bx - px);
        if ((sideOfA > 0 && sideOfB > 0) || (sideOfA < 0 && sideOfB < 0)) continue;
        return false;
      }
      if (row === lastRow) break;
    }
    spendSteps(grid.budget, steps);
    if (column === lastColumn) return true;
  }
}

/** Returns the vertices strictly between a and b on the segment, in order. */
export function verticesAlong(grid: FaceGrid, xs: Float64Array, ys: Float64Array, a: number, b: number): number[] {
  const ax = xs[a];
  const ay = ys[a];
  const bx = xs[b];
  const by = ys[b];
  const dx = bx - ax;
  const dy = by - ay;
  const step = dx >= 0 ? 1 : -1;
  const { columns, vertexStart, vertexAt } = grid;
  const along = (v: number): number => dx * (xs[v] - ax) + dy * (ys[v] - ay);
  let found: number[] | undefined;
  const lastColumn = columnOf(grid, bx + step * MARGIN * grid.cellSize);
  for (let column = columnOf(grid, ax - step * MARGIN * grid.cellSize); ; column += step) {
    findRows(grid, column, ax, ay, bx, by);
    const low = Math.min(rowSpan[0], rowSpan[1]);
    const high = Math.max(rowSpan[0], rowSpan[1]);
    for (let row = low; row <= high; row++) {
      const cell = row * columns + column;
      spendSteps(grid.budget, 1 + vertexStart[cell + 1] - vertexStart[cell]);
      for (let i = vertexStart[cell]; i < vertexStart[cell + 1]; i++) {
        const v = vertexAt[i];
        if (v === a || v === b || dx * (ys[v] - ay) !== dy * (xs[v] - ax)) continue;
        const d = along(v);
        if (d > 0 && d < dx * dx + dy * dy) (found ??= []).push(v);
      }
    }
    if (column === lastColumn) return found === undefined ? NONE : found.sort((v, w) => along(v) - along(w));
  }
}

const NONE: number[] = [];

/** Returns the winding number of walls around the position just left of vertex v and slightly above it. */
export function windingNumber(grid: FaceGrid, { xs, ys, vertexCount }: Faces, v: number): number {
  const { columns, edgeFirst, entryNext, entryFrom, entryTo } = grid;
  const x = xs[v];
  const y = ys[v];
  const row = rowOf(grid, y);
  const seen = new Set<number>();
  let winding = 0;
  for (let column = columnOf(grid, x); column >= 0; column--) {
    spendSteps(grid.budget, 1);
    for (let entry = edgeFirst[row * columns + column]; entry >= 0; entry = entryNext[entry]) {
      const p = entryFrom[entry];
      const q = entryTo[entry];
      const isPAbove = ys[p] > y;
      const isQAbove = ys[q] > y;
      if (isPAbove === isQAbove) continue;
      const side = (xs[q] - xs[p]) * (y - ys[p]) - (ys[q] - ys[p]) * (x - xs[p]);
      // To the right of the edge when it goes up, to the left when it goes down.
      if (isQAbove ? side >= 0 : side <= 0) continue;
      if (seen.has(p * vertexCount + q)) continue;
      seen.add(p * vertexCount + q);
      spendSteps(grid.budget, SEEN_STEPS);
      winding += isQAbove ? -1 : 1;
    }
  }
  return winding;
}

function growEntries(grid: FaceGrid, capacity: number): void {
  for (const name of ['entryNext', 'entryFrom', 'entryTo'] as const) {
    const larger = new Int32Array(capacity);
    larger.set(grid[name]);
    grid[name] = larger;
  }
}
