/**
 * A grid over the edges of rings, to find out whether a wall is near a corner.
 *
 * In: rings; a distance.
 * Out: whether a wall is near a corner. Also true when `MAX_COMPARED` edges were compared and none of them is within
 *   the distance.
 * Cost: O(n) on usual maps, O(n sqrt(n)) when most edges cross the whole map; constant for a corner.
 * Based on: own.
 */
import type { Rings } from '../../base/plane/types.ts';

export interface WallGrid {
  rings: Rings;
  minX: number;
  minY: number;
  /** Side of a cell of this grid, in cells of the map's grid. */
  side: number;
  columns: number;
  rows: number;
  /** Edges by cell: edge[start[cell]] .. edge[start[cell + 1] - 1]; an edge is the index of its first point. */
  start: Int32Array;
  edge: Int32Array;
  /** The point after each point in its ring. */
  after: Int32Array;
}

/** Maximum number of edges that are compared with a corner. */
const MAX_COMPARED = 64;

/** Creates the grid for distances up to `reach`. */
export function createWallGrid(rings: Rings, reach: number): WallGrid {
  const { x, y, ringCount, start } = rings;
  const count = x.length;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i < count; i++) {
    if (x[i] < minX) minX = x[i];
    if (x[i] > maxX) maxX = x[i];
    if (y[i] < minY) minY = y[i];
    if (y[i] > maxY) maxY = y[i];
  }
  const after = new Int32Array(count);
  for (let r = 0; r < ringCount; r++) {
    for (let i = start[r]; i < start[r + 1]; i++) after[i] = i + 1 < start[r + 1] ? i + 1 : start[r];
  }
  const side = Math.max(reach, Math.max(maxX - minX, maxY - minY) / Math.sqrt(count), 1);
  const columns = Math.floor((maxX - minX) / side) + 1;
  const rows = Math.floor((maxY - minY) / side) + 1;
  const cellStart = new Int32Array(columns * rows + 1);
  const grid = { rings, minX, minY, side, columns, rows, start: cellStart, edge: new Int32Array(0), after };
  const cell = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    cell[i] = Math.floor((y[i] - minY) / side) * columns + Math.floor((x[i] - minX) / side);
  }
  // Most edges lie within one cell.
  for (let i = 0; i < count; i++) {
    if (cell[i] === cell[after[i]]) cellStart[cell[i] + 1]++;
    else forEachCell(grid, i, (at) => cellStart[at + 1]++);
  }
  for (let at = 0; at < columns * rows; at++) cellStart[at + 1] += cellStart[at];
  const end = cellStart.slice();
  const edge = (grid.edge = new Int32Array(cellStart[columns * rows]));
  for (let i = 0; i < count; i++) {
    if (cell[i] === cell[after[i]]) edge[end[cell[i]]++] = i;
    else {
      forEachCell(grid, i, (at) => {
        edge[end[at]++] = i;
      });
    }
  }
  return grid;
}

/** Calls back for each cell that edge i may touch, row by row. */
function forEachCell(
  { rings: { x, y }, minX, minY, side, columns, rows, after }: WallGrid,
  i: number,
  visit: (cell: number) => void,
): void {
  const ax = (x[i] - minX) / side;
  const ay = (y[i] - minY) / side;
  const bx = (x[after[i]] - minX) / side;
  const by = (y[after[i]] - minY) / side;
  const first = Math.floor(Math.min(ay, by));
  const last = Math.min(Math.floor(Math.max(ay, by)), rows - 1);
  const slope = (bx - ax) / (by - ay);
  for (let row = first; row <= last; row++) {
    let low = Math.min(ax, bx);
    let high = Math.max(ax, bx);
    if (first < last) {
      const below = ax + slope * (row - ay);
      const above = below + slope;
      low = Math.max(low, Math.min(below, above));
      high = Math.min(high, Math.max(below, above));
    }
    // Rounding may not hide a cell, so the row is widened by a little.
    const to = Math.min(Math.floor(high + 1e-6), columns - 1);
    for (let column = Math.max(0, Math.floor(low - 1e-6)); column <= to; column++) visit(row * columns + column);
  }
}

/**
 * Returns whether an edge that does not touch point `corner` comes within `reach` of it, on the side where
 * `aheadX * x + aheadY * y >= behind`, seen from the corner.
 */
export function isWallNear(
  { rings: { x, y }, minX, minY, side, columns, rows, start, edge, after }: WallGrid,
  corner: number,
  reach: number,
  { aheadX, aheadY, behind }: { aheadX: number; aheadY: number; behind: number },
): boolean {
  const px = x[corner];
  const py = y[corner];
  const x0 = Math.max(0, Math.floor((px - reach - minX) / side));
  const x1 = Math.min(columns - 1, Math.floor((px + reach - minX) / side));
  const y0 = Math.max(0, Math.floor((py - reach - minY) / side));
  const y1 = Math.min(rows - 1, Math.floor((py + reach - minY) / side));
  let compared = 0;
  for (let row = y0; row <= y1; row++) {
    for (let k = start[row * columns + x0]; k < start[row * columns + x1 + 1]; k++) {
      const i = edge[k];
      const j = after[i];
      if (i === corner || j === corner) continue;
      if (++compared > MAX_COMPARED) return true;
      let ax = x[i] - px;
      let ay = y[i] - py;
      let bx = x[j] - px;
      let by = y[j] - py;
      const a = aheadX * ax + aheadY * ay - behind;
      const b = aheadX * bx + aheadY * by - behind;
      if (a < 0 && b < 0) continue;
      // The part of the edge on that side.
      if (a < 0 || b < 0) {
        const cx = ax + (a / (a - b)) * (bx - ax);
        const cy = ay + (a / (a - b)) * (by - ay);
        if (a < 0) {
          ax = cx;
          ay = cy;
        } else {
          bx = cx;
          by = cy;
        }
      }
      const dx = bx - ax;
      const dy = by - ay;
      const t = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
      const nearX = ax + t * dx;
      const nearY = ay + t * dy;
      if (nearX * nearX + nearY * nearY < reach * reach) return true;
    }
  }
  return false;
}
