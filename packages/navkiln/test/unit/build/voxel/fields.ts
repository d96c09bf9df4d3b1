/** Tiny fields written as text, for the tests of the bake's stages. Cells and voxels have a size of 1. */
import { buildCompactField } from '../../../../src/build/voxel/field/compact.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import type { CompactField, Heightfield } from '../../../../src/build/voxel/types.ts';
import { spanArea, spanBottom, spanTop } from '../../../../src/build/voxel/types.ts';
import { smallConfig } from '../../../oracle/small-level.ts';

/** Bottom, top, area. */
export type Span = readonly [bottom: number, top: number, area: number];

export function packSpan([bottom, top, area]: Span): number {
  return (bottom | (top << 13) | (area << 26)) >>> 0;
}

/** A configuration of `width` x `depth` cells of size 1, without erosion and with nothing too small. */
export function unitConfig(width: number, depth: number, change: Partial<BakeConfig> = {}): BakeConfig {
  return smallConfig({
    cellSize: 1,
    cellHeight: 1,
    boundsMin: [0, 0, 0],
    boundsMax: [width, 20, depth],
    widthCells: width,
    depthCells: depth,
    walkableHeightCells: 2,
    walkableClimbCells: 1,
    walkableRadiusCells: 0,
    regionMinAreaCells: 0,
    regionMergeAreaCells: 0,
    maxEdgeLengthCells: 0,
    maxEdgeErrorCells: 1,
    detailSampleDistance: 0,
    detailMaxError: 1,
    ...change,
  });
}

/** Columns row by row, each its spans from the bottom up. */
export function solidOf(width: number, depth: number, columns: readonly (readonly Span[])[]): Heightfield {
  const columnStart = new Int32Array(width * depth + 1);
  columns.forEach((spans, c) => (columnStart[c + 1] = columnStart[c] + spans.length));
  const spans = Uint32Array.from(columns.flat().map(packSpan));
  return {
    width,
    depth,
    cellSize: 1,
    cellHeight: 1,
    boundsMin: [0, 0, 0],
    boundsMax: [width, 20, depth],
    columnStart,
    spanCount: spans.length,
    spans,
  };
}

/** Spans of each column, readable. */
export function columnsOf(field: Heightfield): Span[][] {
  return Array.from({ length: field.width * field.depth }, (_, c) =>
    [...field.spans.subarray(field.columnStart[c], field.columnStart[c + 1])].map((span): Span => [
      spanBottom(span),
      spanTop(span),
      spanArea(span),
    ]),
  );
}

/** A field of one storey: rows along +z, a digit from 1 on is ground of that height, anything else is nothing. */
export function fieldOf(rows: readonly string[], change: Partial<BakeConfig> = {}): CompactField {
  const width = rows[0].length,
    depth = rows.length;
  const columns = rows.flatMap((row) => [...row].map((c): Span[] => (/[1-9]/.test(c) ? [[0, Number(c), 63]] : [])));
  return buildCompactField(solidOf(width, depth, columns), unitConfig(width, depth, change));
}

const SIGNS = '.123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** One number a span as rows of signs (0 is '.', 10 is 'A'), ' ' where a column has none; of several storeys the lowest. */
export function rowsOf(field: CompactField, values: ArrayLike<number>): string[] {
  return Array.from({ length: field.depth }, (_, z) =>
    Array.from({ length: field.width }, (_unused, x) => {
      const c = x + z * field.width;
      const i = field.columnStart[c];
      return i === field.columnStart[c + 1] ? ' ' : (SIGNS[values[i]] ?? '?');
    }).join(''),
  );
}

/** Rows of one character. */
export function ground(width: number, depth: number, height: number = 1): string[] {
  return Array.from({ length: depth }, () => String(height).repeat(width));
}
