/**
 * Converts a grid of free and blocked cells to outlines with holes, exactly along the sides of the cells.
 *
 * Each group of free cells that are connected by sides becomes an outline (counter-clockwise with y up) and
 * its holes (clockwise), with corners only where it turns. Two free cells that touch at a corner only are not
 * connected. With the option `diagonal`, the corners of the two blocked cells there are cut off, so that
 * agents can pass.
 *
 * One pass marks the sides of free cells at each grid point; following them gives the rings. One more pass
 * finds the outline of each hole: the ring to the left of the hole's first side, on the same row of free
 * cells, is its outline or another hole of it.
 *
 * In: one flag per cell, row by row.
 * Out: a 2D map.
 * Cost: linear in cells, 5 bytes per cell.
 * Based on: own.
 */
import { checkKeys, refuse, showValue } from '../../base/data/refuse.ts';
import { isPoint2d, xOf, yOf } from '../../base/math/point-2d.ts';
import type { PointLike2d } from '../../base/math/point-2d.ts';
import type { ParsedPolygon, ParsedRing, ParsedMap } from './map.ts';

/** Maximum number of cells of a grid. */
const MAX_CELLS = 0x10000000;
/** Share of a cell's side that `diagonal: true` cuts off. */
const DEFAULT_CUT = 0.25;

/** Options of `polygonsFromGrid`. */
export interface GridOptions {
  /** Side of a cell, world units. Default 1. */
  cellSize?: number;
  /** [x, y] or { x, y } of the first corner of the first cell, world units. Default [0, 0]. */
  origin?: PointLike2d;
  /**
   * Share of a cell's side, up to 0.5, that is cut off where free cells touch at a corner only; true: 0.25.
   * The gap is 1.41 times as wide. Default false: agents cannot pass there.
   */
  diagonal?: boolean | number;
}

/**
 * Directions: 0 = +x, 1 = +y, 2 = -x, 3 = -y. Bit d of a grid point: a side of a free cell runs from it in
 * direction d.
 */
const STEP_X = [1, 0, -1, 0];
const STEP_Y = [0, 1, 0, -1];

/**
 * Converts a grid to a 2D map. Cell (i, j) is cells[j * width + i], free when it is neither 0 nor false, and
 * covers x from i to i + 1 and y from j to j + 1, in cell sizes. Rows run down the screen, so the map's `yAxis` is
 * 'down'. A grid without free cells has no polygons.
 * Throws a RangeError for sizes that do not fit, and a TypeError for a value that is no flag.
 */
export function polygonsFromGrid(
  cells: ArrayLike<number | boolean>,
  width: number,
  height: number,
  options: GridOptions = {},
): ParsedMap {
  checkKeys('polygonsFromGrid', options, ['cellSize', 'origin', 'diagonal']);
  const { cellSize = 1, origin = [0, 0], diagonal = false } = options;
  check(cells, width, height, cellSize, origin);
  const cut = cutOf('polygonsFromGrid', diagonal);
  const originX = xOf(origin);
  const originY = yOf(origin);
  const sides = markSides(cells, width, height);
  // For each grid point whose upper side (bit 1 or, from above, bit 3) is part of a ring: the ring's number +
  // 1.
  const ringOf = new Int32Array((width + 1) * (height + 1));
  const rings: ParsedRing[] = [];
  const isHole: boolean[] = [];
  for (let at = 0; at < sides.length; at++) {
    while ((sides[at] & 15) !== 0) {
      const ring: ParsedRing = [];
      isHole.push(walkRing(ring, { sides, ringOf, stride: width + 1, cut }, at, rings.length + 1) < 0);
      for (const point of ring) {
        point[0] = originX + point[0] * cellSize;
        point[1] = originY + point[1] * cellSize;
      }
      rings.push(ring);
    }
  }
  return { polygons: gather(rings, isHole, ringOf, width, height), obstacles: [], yAxis: 'down', warnings: [] };
}

function check(
  cells: ArrayLike<number | boolean>,
  width: number,
  height: number,
  cellSize: number,
  origin: PointLike2d,
): void {
  const caller = 'polygonsFromGrid';
  for (const [name, size] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (typeof size !== 'number' || !(size >= 1 && size <= MAX_CELLS) || Math.floor(size) !== size) {
      refuse(caller, name, size, 'an integer >= 1');
    }
  }
  if (typeof cells !== 'object' || cells === null || cells.length !== width * height) {
    const isList = typeof cells === 'object' && cells !== null;
    const mustBe = `${width} x ${height} = ${width * height} cells, row by row`;
    refuse(caller, isList ? 'cells.length' : 'cells', isList ? cells.length : cells, mustBe);
  }
  if (width * height > MAX_CELLS) {
    throw new RangeError(`${caller}: ${width} x ${height} cells are too many; split the grid into parts`);
  }
  if (typeof cellSize !== 'number' || !(cellSize > 0 && cellSize < Infinity)) {
    refuse(caller, 'options.cellSize', cellSize, 'a finite length > 0');
  }
  if (!isPoint2d(origin)) {
    refuse(caller, 'options.origin', origin, 'two finite numbers');
  }
}

/** Returns the share of a cell's side that the option `diagonal` cuts off. Throws a RangeError for an invalid one. */
export function cutOf(caller: string, diagonal: unknown): number {
  const cut = diagonal === true ? DEFAULT_CUT : diagonal === false ? 0 : diagonal;
  if (typeof cut === 'number' && cut >= 0 && cut <= 0.5) return cut;
  return refuse(caller, 'options.diagonal', diagonal, 'true, false, or a share of a cell, 0 .. 0.5');
}

/**
 * Bit of a grid point where free cells touch at a corner only: two sides start there, in opposite directions.
 */
const TOUCH = 16;

/**
 * Marks the sides of free cells at the grid points they start from, directed so that the cell is on the left
 * (with y up).
 */
function markSides(cells: ArrayLike<number | boolean>, width: number, height: number): Uint8Array {
  const stride = width + 1;
  const sides = new Uint8Array(stride * (height + 1));
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const cell = cells[j * width + i];
      if (typeof cell !== 'boolean' && !(typeof cell === 'number' && cell === cell)) {
        throw new TypeError(`polygonsFromGrid: cell (${i}, ${j}) is ${showValue(cell)}; must be a number or a boolean`);
      }
      if (!cell) continue;
      const at = j * stride + i;
      if (j === 0 || !cells[(j - 1) * width + i]) sides[at] |= 1;
      if (i + 1 === width || !cells[j * width + i + 1]) sides[at + 1] |= 2;
      if (j + 1 === height || !cells[(j + 1) * width + i]) sides[at + stride + 1] |= 4;
      if (i === 0 || !cells[j * width + i - 1]) sides[at + stride] |= 8;
    }
  }
  for (let at = 0; at < sides.length; at++) if (sides[at] === 5 || sides[at] === 10) sides[at] |= TOUCH;
  return sides;
}

/** The grid points while rings are followed; `stride` is the number of grid points per row. */
interface GridSides {
  sides: Uint8Array;
  ringOf: Int32Array;
  stride: number;
  cut: number;
}

/**
 * Follows a ring and clears its sides. Returns twice its area in cells, before corners are cut; negative for
 * holes.
 */
function walkRing(ring: ParsedRing, { sides, ringOf, stride, cut }: GridSides, start: number, number: number): number {
  // Where two sides start (free cells touch at a corner), either leads around.
  const bits = sides[start] & 15;
  const first = 31 - Math.clz32(bits & -bits);
  let at = start;
  let x = start % stride;
  let y = (start - x) / stride;
  let direction = first;
  let area = 0;
  do {
    sides[at] &= ~(1 << direction);
    if (direction === 1) ringOf[at] = number;
    else if (direction === 3) ringOf[at - stride] = number;
    const dx = STEP_X[direction];
    const dy = STEP_Y[direction];
    area += x * dy - y * dx;
    x += dx;
    y += dy;
    at += dx + stride * dy;
    const left = (direction + 1) & 3;
    const right = (direction + 3) & 3;
    if ((sides[at] & TOUCH) !== 0) {
      if (cut === 0) {
        // Goes on around the same cell.
        ring.push([x, y]);
        direction = left;
      } else {
        // Goes around the cut corner of the cell on the right, to the cell behind it.
        ring.push([x - cut * dx, y - cut * dy], [x + cut * STEP_X[right], y + cut * STEP_Y[right]]);
        direction = right;
      }
    } else {
      // The side that the ring began with was cleared.
      const open = at === start ? 1 << first : sides[at];
      if (((open >> direction) & 1) === 0) {
        ring.push([x, y]);
        direction = ((open >> left) & 1) !== 0 ? left : right;
      }
    }
  } while (at !== start || direction !== first);
  return area;
}

/** Assigns holes to their outlines. */
function gather(
  rings: readonly ParsedRing[],
  isHole: readonly boolean[],
  ringOf: Int32Array,
  width: number,
  height: number,
): ParsedPolygon[] {
  const polygons: ParsedPolygon[] = [];
  // The polygon that each ring belongs to.
  const owner: (ParsedPolygon | undefined)[] = rings.map((outline, i) => {
    if (isHole[i]) return undefined;
    const polygon: ParsedPolygon = { outline, holes: [] };
    polygons.push(polygon);
    return polygon;
  });
  let left = rings.length - polygons.length;
  for (let j = 0; j < height && left > 0; j++) {
    let before = -1;
    for (let at = j * (width + 1); at < (j + 1) * (width + 1); at++) {
      if (ringOf[at] === 0) continue;
      const ring = ringOf[at] - 1;
      if (owner[ring] === undefined) {
        owner[ring] = owner[before];
        owner[ring]!.holes.push(rings[ring]);
        left--;
      }
      before = ring;
    }
  }
  return polygons;
}
