/**
 * Gives the spans within `borderCells` of the field's edge four region ids of their own, flagged
 * `BORDER_REGION`.
 *
 * Regions of a tile then end exactly at the tile's edge.
 *
 * In: CompactField and a region id per span. Out: the ids of border spans, in place.
 * Cost: the spans of the border.
 * Based on: Mikko Mononen, Recast (2009), paintRectRegion.
 */
import { AREA_NONE } from '../../../base/constants.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

/** Paints the border. Returns how many ids it used: 4, or 0 without a border. */
export function paintBorder(field: CompactField, region: Int32Array): number {
  const { borderCells, width, depth } = field;
  if (borderCells <= 0) return 0;
  const borderWidth = Math.min(width, borderCells);
  const borderDepth = Math.min(depth, borderCells);
  paint(field, region, [0, borderWidth, 0, depth], BORDER_REGION | 1);
  paint(field, region, [width - borderWidth, width, 0, depth], BORDER_REGION | 2);
  paint(field, region, [0, width, 0, borderDepth], BORDER_REGION | 3);
  paint(field, region, [0, width, depth - borderDepth, depth], BORDER_REGION | 4);
  return 4;
}

type Columns = readonly [x0: number, x1: number, z0: number, z1: number];

/** Gives the walkable spans of columns x0 .. x1 - 1, z0 .. z1 - 1 an id. */
function paint(field: CompactField, region: Int32Array, [x0, x1, z0, z1]: Columns, id: number): void {
  const { width, columnStart, area } = field;
  for (let z = z0; z < z1; z++) {
    const end = columnStart[x1 - 1 + z * width + 1];
    for (let i = columnStart[x0 + z * width]; i < end; i++) if (area[i] !== AREA_NONE) region[i] = id;
  }
}
