/**
 * The cells of Tiled's hexagonal and staggered maps: where they lie, and their outlines as polygons.
 *
 * Every second column (or row, as `staggeraxis` says) is shifted by half a cell. A cell is a hexagon with two
 * sides of `hexsidelength` along that axis, on staggered maps a diamond. Sizes are whole pixels, rounded down as
 * in Tiled, and a cell reaches exactly to its neighbors, so that cells share their sides.
 *
 * The border of a set of cells is followed side by side: where a side has a free cell behind it, the walk goes on
 * around that one. Cells that touch at a corner only are not connected.
 *
 * In: sets of cells.
 * Out: positions and outlines in screen pixels.
 * Cost: linear in cells, one table entry per side.
 * Based on: Tiled's documentation of its map format and its HexagonalRenderer (Thorbjørn Lindeijer and others);
 * own code.
 */
import { fail, readCount, show } from '../json-source.ts';
import type { JsonRecord, JsonSource } from '../json-source.ts';
import type { ParsedPolygon, ParsedPoint, ParsedRing } from '../map.ts';
import { doubleArea } from '../rings.ts';
import type { CellSet, StaggeredGrid } from './types.ts';

/** Reads the grid of a hexagonal or staggered map. */
export function readStaggeredGrid(source: JsonSource, map: JsonRecord, isHexagonal: boolean): StaggeredGrid {
  const { staggeraxis: axis, staggerindex: index } = map;
  if (axis !== 'x' && axis !== 'y') fail(source, 'staggeraxis', `is ${show(axis)}, must be "x" or "y"`);
  if (index !== 'odd' && index !== 'even') fail(source, 'staggerindex', `is ${show(index)}, must be "odd" or "even"`);
  const sizeOf = (key: string): number => {
    const size = readCount(source, key, map[key], 2, 0x100000);
    return size - (size % 2);
  };
  const tileWidth = sizeOf('tilewidth');
  const tileHeight = sizeOf('tileheight');
  const isAlongX = axis === 'x';
  const most = isAlongX ? tileWidth : tileHeight;
  const side = isHexagonal ? readCount(source, 'hexsidelength', map['hexsidelength'], 0, most) : 0;
  const slantX = Math.floor((tileWidth - (isAlongX ? side : 0)) / 2);
  const slantY = Math.floor((tileHeight - (isAlongX ? 0 : side)) / 2);
  const columnWidth = slantX + (isAlongX ? side : 0);
  const rowHeight = slantY + (isAlongX ? 0 : side);
  // Clockwise on the screen, from the lower end of the left side.
  const octagon: ParsedPoint[] = [
    [0, rowHeight],
    [0, slantY],
    [slantX, 0],
    [columnWidth, 0],
    [columnWidth + slantX, slantY],
    [columnWidth + slantX, rowHeight],
    [columnWidth, rowHeight + slantY],
    [slantX, rowHeight + slantY],
  ];
  const corners = octagon.filter(([x, y], i) => {
    const [u, v] = octagon[(i + 1) % 8];
    return x !== u || y !== v;
  });
  return {
    isAlongX,
    shifted: index === 'odd' ? 1 : 0,
    isHexagonal,
    tileWidth,
    tileHeight,
    columnWidth,
    rowHeight,
    corners,
  };
}

/** Returns the upper left corner of a cell's box. */
export function staggeredCorner(grid: StaggeredGrid, column: number, row: number): ParsedPoint {
  const { isAlongX, shifted, columnWidth, rowHeight, tileWidth, tileHeight } = grid;
  if (isAlongX) return [column * columnWidth, row * tileHeight + ((column & 1) === shifted ? rowHeight : 0)];
  return [column * tileWidth + ((row & 1) === shifted ? columnWidth : 0), row * rowHeight];
}

/** Returns the cells of a set as polygons with holes, in screen pixels. */
export function traceStaggered(grid: StaggeredGrid, set: CellSet): ParsedPolygon[] {
  const sides = listSides(grid, set);
  const polygons = new Map<number, ParsedPolygon>();
  const holes: [group: number, ring: ParsedRing][] = [];
  for (let side = 0; side < sides.isBorder.length; side++) {
    if (sides.isBorder[side] === 0) continue;
    const ring = followBorder(grid, sides, side);
    const group = sides.group[Math.floor(side / grid.corners.length)];
    if (doubleArea(ring) > 0) polygons.set(group, { outline: ring, holes: [] });
    else holes.push([group, ring]);
  }
  for (const [group, ring] of holes) polygons.get(group)!.holes.push(ring);
  return [...polygons.values()];
}

/** The sides of the cells of a set: side n * i + k of cell i runs from its corner k to the next, n corners each. */
interface Sides {
  /** Upper left corners of the cells' boxes. */
  corner: ParsedPoint[];
  /** The same side as seen from the cell behind it; -1: none of the set. */
  behind: Int32Array;
  /** 1: no cell of the set behind it, and not followed yet. */
  isBorder: Uint8Array;
  /** The least cell that each cell is connected with. */
  group: Int32Array;
}

function listSides(grid: StaggeredGrid, { x, y, width, cells }: CellSet): Sides {
  const { corners } = grid;
  const n = corners.length;
  const corner: ParsedPoint[] = [];
  for (let i = 0; i < cells.length; i++) {
    if (cells[i] !== 0) corner.push(staggeredCorner(grid, x + (i % width), y + Math.floor(i / width)));
  }
  const behind = new Int32Array(n * corner.length).fill(-1);
  // Cells are symmetric, so side k of a cell is side k + n / 2 of the one behind it.
  const known = new Map<string, number>();
  const parent = Int32Array.from(corner, (_, i) => i);
  corner.forEach(([left, top], i) => {
    corners.forEach(([fromX, fromY], k) => {
      const [toX, toY] = corners[(k + 1) % n];
      const other = known.get(`${left + toX},${top + toY},${(k + n / 2) % n}`);
      const side = n * i + k;
      if (other === undefined) {
        known.set(`${left + fromX},${top + fromY},${k}`, side);
        return;
      }
      behind[side] = other;
      behind[other] = side;
      const [a, b] = [rootOf(parent, i), rootOf(parent, Math.floor(other / n))];
      parent[Math.max(a, b)] = Math.min(a, b);
    });
  });
  return {
    corner,
    behind,
    isBorder: Uint8Array.from(behind, (side) => (side < 0 ? 1 : 0)),
    group: parent.map((_, i) => rootOf(parent, i)),
  };
}

function rootOf(parent: Int32Array, i: number): number {
  while (parent[i] !== i) i = parent[i] = parent[parent[i]];
  return i;
}

/** Returns the ring that a border side belongs to, without corners where it goes straight on. */
function followBorder({ corners }: StaggeredGrid, { corner, behind, isBorder }: Sides, first: number): ParsedRing {
  const n = corners.length;
  const ring: ParsedRing = [];
  for (let side = first; isBorder[side] !== 0;) {
    isBorder[side] = 0;
    const cell = Math.floor(side / n);
    const [x, y] = corners[side % n];
    const [left, top] = corner[cell];
    addCorner(ring, [left + x, top + y]);
    // The next side around the end of this one, through the cells of the set.
    side = n * cell + ((side + 1) % n);
    while (behind[side] >= 0) {
      const back = behind[side];
      side = n * Math.floor(back / n) + ((back + 1) % n);
    }
  }
  // The ends of the list meet.
  while (ring.length > 2 && isStraight(ring[ring.length - 2], ring[ring.length - 1], ring[0])) ring.pop();
  while (ring.length > 2 && isStraight(ring[ring.length - 1], ring[0], ring[1])) ring.shift();
  return ring;
}

function addCorner(ring: ParsedRing, point: ParsedPoint): void {
  const n = ring.length;
  if (n > 1 && isStraight(ring[n - 2], ring[n - 1], point)) ring[n - 1] = point;
  else ring.push(point);
}

function isStraight([ax, ay]: ParsedPoint, [bx, by]: ParsedPoint, [cx, cy]: ParsedPoint): boolean {
  return (bx - ax) * (cy - ay) === (by - ay) * (cx - ax);
}
