/**
 * Finds the place of a tile where filters and erosion remove most surface.
 *
 * In: the spans of a tile before its filters, and its field after erosion. Out: the square of cells that loses most.
 * Cost: a pass over the spans.
 * Based on: own.
 */
import type { BakeConfig } from '../../build/voxel/bake-config.ts';
import { spanArea, spanTop } from '../../build/voxel/types.ts';
import type { CompactField, Heightfield } from '../../build/voxel/types.ts';

/** Side of a square in cells. */
const SQUARE = 8;

/** A place where surface is lost. */
export interface LostPlace {
  /** Lost spans in the square. */
  count: number;
  /** A position on lost surface, world units. */
  position: [number, number, number];
}

/** Returns the walkable spans of a tile as column and floor, in order; borders are left out. */
export function walkableSpans(
  { width, depth, columnStart, spans }: Heightfield,
  { borderCells }: BakeConfig,
): number[] {
  const list: number[] = [];
  for (let z = borderCells; z < depth - borderCells; z++)
    for (let x = borderCells; x < width - borderCells; x++) {
      const column = x + z * width;
      for (let i = columnStart[column]; i < columnStart[column + 1]; i++)
        if (spanArea(spans[i]) !== 0) list.push(column, spanTop(spans[i]));
    }
  return list;
}

/** Returns the square that loses most of these spans. Undefined: none is lost. */
export function findLostPlace(
  walkable: readonly number[],
  field: CompactField,
  config: BakeConfig,
): LostPlace | undefined {
  const { width, columnStart, area, y } = field;
  const squares = new Map<number, { count: number; column: number; floor: number }>();
  let worst: { count: number; column: number; floor: number } | undefined;
  for (let k = 0; k < walkable.length; k += 2) {
    const [column, floor] = [walkable[k], walkable[k + 1]];
    let isKept = false;
    for (let i = columnStart[column]; i < columnStart[column + 1]; i++)
      if (y[i] === floor && area[i] !== 0) isKept = true;
    if (isKept) continue;
    const x = column % width;
    const key = Math.floor(x / SQUARE) + Math.floor((column - x) / width / SQUARE) * width;
    const square = squares.get(key) ?? { count: 0, column, floor };
    if (square.count === 0) squares.set(key, square);
    square.count++;
    if (square.count > (worst?.count ?? 0)) worst = square;
  }
  if (worst === undefined) return undefined;
  const x = worst.column % width;
  const z = (worst.column - x) / width;
  const { offset, cellSize, cellHeight } = config;
  const at = [(x + 0.5) * cellSize, worst.floor * cellHeight, (z + 0.5) * cellSize];
  const position = at.map((value, axis) => field.boundsMin[axis] + offset[axis] + value) as LostPlace['position'];
  return { count: worst.count, position };
}
