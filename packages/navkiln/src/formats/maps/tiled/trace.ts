/**
 * Follows the borders of cells of Tiled's tile layers.
 *
 * In: sets of cells.
 * Out: polygons with holes.
 * Cost: linear in cells.
 * Based on: own; see grid-polygons.ts and staggered.ts.
 */
import { polygonsFromGrid } from '../grid-polygons.ts';
import { spend } from '../json-source.ts';
import type { ParsedPolygon } from '../map.ts';
import { transform } from './affine.ts';
import { POINT_BYTES } from './shapes.ts';
import { traceStaggered } from './staggered.ts';
import type { Affine, CellSet, TiledReader } from './types.ts';

/** Memory of following borders, per cell of the rectangle, and per cell that is set on a staggered grid. */
const TRACE_CELL_BYTES = 6;
const STAGGERED_CELL_BYTES = 768;

/** Returns cells as polygons. */
export function trace({ source, staggered }: TiledReader, set: CellSet, toResult: Affine): ParsedPolygon[] {
  const { x, y, width, height, cells } = set;
  spend(source, '', TRACE_CELL_BYTES * cells.length, `following the borders of ${width} x ${height} tiles`);
  if (staggered !== undefined) {
    let count = 0;
    for (let i = 0; i < cells.length; i++) count += cells[i];
    spend(source, '', STAGGERED_CELL_BYTES * count, `following the borders of ${count} staggered tiles`);
  }
  const polygons =
    staggered === undefined
      ? polygonsFromGrid(cells, width, height, { origin: [x, y] }).polygons
      : traceStaggered(staggered, set);
  let points = 0;
  for (const { outline, holes } of polygons) {
    points += outline.length;
    for (const hole of holes) points += hole.length;
  }
  spend(source, '', POINT_BYTES * points, `the ${points} corners of the borders of its tiles`);
  return polygons.map(({ outline, holes }) => {
    return { outline: transform(outline, toResult), holes: holes.map((hole) => transform(hole, toResult)) };
  });
}
