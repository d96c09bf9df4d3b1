/**
 * Traces outlines of equal labels in a raster as SVG path data. Millions of triangles become small files with straight
 * lines.
 *
 * Each loop runs along cell sides with its label on the right; holes run in the opposite direction. Loops are
 * simplified to within about one cell. Loops of fewer than `minCells` cells are left out.
 *
 * In: labels per cell. Out: path data per label.
 * Cost: O(cells + outline log outline).
 * Based on: own; simplification by D. Douglas, T. Peucker, 1973.
 */
import { CELL_UNITS } from './raster.ts';
import type { Raster } from './raster.ts';

/**
 * Largest deviation of a simplified outline, in cells. A staircase along a straight line deviates by about one cell.
 */
const TOLERANCE = 1.05;

/** Directions of travel: 0 = +x, 1 = +y, 2 = -x, 3 = -y on the page. */
const STEP_X = [1, 0, -1, 0] as const;
const STEP_Y = [0, 1, 0, -1] as const;
/** Offsets from a corner to the next cell on the right and on the left of each direction. */
const RIGHT_X = [0, -1, -1, 0] as const;
const RIGHT_Y = [0, 0, -1, -1] as const;
const LEFT_X = [0, 0, -1, -1] as const;
const LEFT_Y = [-1, 0, 0, -1] as const;

/** Returns path data per label. */
export function traceLabels(raster: Raster, minCells: number): Map<number, string[]> {
  const { width, height, label } = raster;
  const visited = new Uint8Array(width * height);
  const paths = new Map<number, string[]>();
  const loop: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const cell = x + y * width;
      const own = label[cell];
      if (own === 0 || visited[cell] === 1 || (y > 0 && label[cell - width] === own)) continue;
      const area = followLoop(raster, visited, x, y, own, loop);
      if (Math.abs(area) < minCells) continue;
      let parts = paths.get(own);
      if (parts === undefined) paths.set(own, (parts = []));
      parts.push(loopPath(simplifyLoop(loop)));
    }
  }
  return paths;
}

/**
 * Follows the loop along the upper side of a cell. Writes its corners to `loop` and returns its signed area.
 */
function followLoop(
  raster: Raster,
  visited: Uint8Array,
  startX: number,
  startY: number,
  own: number,
  loop: number[],
): number {
  const { width, height, label } = raster;
  const is = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && label[x + y * width] === own;
  loop.length = 0;
  let [x, y] = [startX, startY];
  let direction = 0;
  let twiceArea = 0;
  do {
    if (direction === 0) visited[x + y * width] = 1;
    const nextX = x + STEP_X[direction];
    const nextY = y + STEP_Y[direction];
    twiceArea += x * nextY - nextX * y;
    [x, y] = [nextX, nextY];
    if (!is(x + RIGHT_X[direction], y + RIGHT_Y[direction])) {
      direction = (direction + 1) & 3;
      loop.push(x, y);
    } else if (is(x + LEFT_X[direction], y + LEFT_Y[direction])) {
      direction = (direction + 3) & 3;
      loop.push(x, y);
    }
  } while (x !== startX || y !== startY || direction !== 0);
  return twiceArea / 2;
}

/** Returns the corners to keep of a closed loop [x, y, …]. */
function simplifyLoop(loop: readonly number[]): number[] {
  const count = loop.length / 2;
  if (count <= 4) return loop.slice();
  let far = 0;
  let farSq = -1;
  for (let i = 0; i < count; i++) {
    const dx = loop[i * 2] - loop[0];
    const dy = loop[i * 2 + 1] - loop[1];
    if (dx * dx + dy * dy > farSq) {
      farSq = dx * dx + dy * dy;
      far = i;
    }
  }
  const keep = new Uint8Array(count + 1);
  keep[0] = 1;
  keep[far] = 1;
  keepFarCorners(loop, keep, 0, far);
  keepFarCorners(loop, keep, far, count);
  const out: number[] = [];
  for (let i = 0; i < count; i++) if (keep[i] === 1) out.push(loop[i * 2], loop[i * 2 + 1]);
  return out;
}

function keepFarCorners(loop: readonly number[], keep: Uint8Array, first: number, last: number): void {
  const count = loop.length / 2;
  const stack = [first, last];
  while (stack.length > 0) {
    const to = stack.pop()!;
    const from = stack.pop()!;
    const ax = loop[from * 2];
    const ay = loop[from * 2 + 1];
    const bx = loop[(to % count) * 2] - ax;
    const by = loop[(to % count) * 2 + 1] - ay;
    const lengthSq = bx * bx + by * by;
    let worst = -1;
    let worstSq = TOLERANCE * TOLERANCE;
    for (let i = from + 1; i < to; i++) {
      const px = loop[i * 2] - ax;
      const py = loop[i * 2 + 1] - ay;
      const t = lengthSq === 0 ? 0 : Math.min(1, Math.max(0, (px * bx + py * by) / lengthSq));
      const dx = px - t * bx;
      const dy = py - t * by;
      if (dx * dx + dy * dy > worstSq) {
        worstSq = dx * dx + dy * dy;
        worst = i;
      }
    }
    if (worst < 0) continue;
    keep[worst] = 1;
    stack.push(from, worst, worst, to);
  }
}

function loopPath(loop: readonly number[]): string {
  const parts = [`M${loop[0] * CELL_UNITS} ${loop[1] * CELL_UNITS}l`];
  for (let i = 2; i < loop.length; i += 2) {
    const dx = (loop[i] - loop[i - 2]) * CELL_UNITS;
    const dy = (loop[i + 1] - loop[i - 1]) * CELL_UNITS;
    parts.push(i === 2 ? '' : ' ', dy < 0 ? `${dx}${dy}` : `${dx} ${dy}`);
  }
  parts.push('z');
  return parts.join('');
}
