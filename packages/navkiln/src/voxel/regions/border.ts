/**
 * Border: gives the ground within `borderCells` of the field's edge four region ids of its own, flagged `BORDER_REGION`,
 * so that regions of a tile end exactly at its edge.
 *
 * Based on: Mikko Mononen, Recast (2009), paintRectRegion.
 */
import { AREA_NONE } from '../../constants.ts';
import { BORDER_REGION } from '../types.ts';
import type { CompactField } from '../types.ts';

/** @returns how many ids were used: 4, or 0 without a border. */
export function paintBorder(field: CompactField, region: Int32Array): number {
  const { borderCells, width, depth } = field;
  if (borderCells <= 0) return 0;
  const bw = Math.min(width, borderCells);
  const bd = Math.min(depth, borderCells);
  paint(field, region, 0, bw, 0, depth, BORDER_REGION | 1);
  paint(field, region, width - bw, width, 0, depth, BORDER_REGION | 2);
  paint(field, region, 0, width, 0, bd, BORDER_REGION | 3);
  paint(field, region, 0, width, depth - bd, depth, BORDER_REGION | 4);
  return 4;
}

function paint(
  field: CompactField,
  region: Int32Array,
  x0: number,
  x1: number,
  z0: number,
  z1: number,
  id: number,
): void {
  const { width, columnStart, area } = field;
  for (let z = z0; z < z1; z++) {
    const end = columnStart[x1 - 1 + z * width + 1];
    for (let i = columnStart[x0 + z * width]; i < end; i++) if (area[i] !== AREA_NONE) region[i] = id;
  }
}
