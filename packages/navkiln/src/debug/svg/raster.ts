/**
 * Which face is seen where: the nearest face's depth and label (a colour, an area) on a grid over the page, two cells a pixel.
 *
 * in: triangles and a label each. out: a depth and a label a cell. cost: O(triangles + cells they cover).
 * Based on: the z-buffer, E. Catmull, 1974.
 */
import { pageX, pageY, viewDepth } from './projection.ts';
import type { Projection } from './projection.ts';

/** Side of a cell in page units (tenths of a pixel). */
export const CELL_UNITS = 5;

export interface Raster {
  width: number;
  height: number;
  /** By cell, x + y * width. Larger is nearer; -Infinity: nothing. */
  depth: Float32Array;
  /** 0: nothing. */
  label: Uint16Array;
}

/** For a page of so many pixels. */
export function createRaster(pageWidth: number, pageHeight: number): Raster {
  const width = Math.ceil((pageWidth * 10) / CELL_UNITS);
  const height = Math.ceil((pageHeight * 10) / CELL_UNITS);
  return {
    width,
    height,
    depth: new Float32Array(width * height).fill(-Infinity),
    label: new Uint16Array(width * height),
  };
}

/**
 * Puts a triangle (nine numbers from `at`) in. With `behind`, only cells where it is not further than `slack` behind that raster
 * count. Depth is linear over a triangle in a parallel projection: one plane, evaluated at cell centres row by row.
 */
export function addTriangle(
  raster: Raster,
  projection: Projection,
  c: ArrayLike<number>,
  at: number,
  label: number,
  behind?: Raster,
  slack: number = 0,
): void {
  const x0 = pageX(projection, c[at], c[at + 2]) / CELL_UNITS;
  const y0 = pageY(projection, c[at], c[at + 1], c[at + 2]) / CELL_UNITS;
  const x1 = pageX(projection, c[at + 3], c[at + 5]) / CELL_UNITS - x0;
  const y1 = pageY(projection, c[at + 3], c[at + 4], c[at + 5]) / CELL_UNITS - y0;
  const x2 = pageX(projection, c[at + 6], c[at + 8]) / CELL_UNITS - x0;
  const y2 = pageY(projection, c[at + 6], c[at + 7], c[at + 8]) / CELL_UNITS - y0;
  const twiceArea = x1 * y2 - x2 * y1;
  if (twiceArea === 0) return;
  const d0 = viewDepth(c[at], c[at + 1], c[at + 2]);
  const d1 = viewDepth(c[at + 3], c[at + 4], c[at + 5]) - d0;
  const d2 = viewDepth(c[at + 6], c[at + 7], c[at + 8]) - d0;
  const minX = Math.max(0, Math.floor(x0 + Math.min(0, x1, x2)));
  const maxX = Math.min(raster.width - 1, Math.ceil(x0 + Math.max(0, x1, x2)));
  const minY = Math.max(0, Math.floor(y0 + Math.min(0, y1, y2)));
  const maxY = Math.min(raster.height - 1, Math.ceil(y0 + Math.max(0, y1, y2)));
  const { width, depth, label: labels } = raster;
  for (let y = minY; y <= maxY; y++) {
    const py = y + 0.5 - y0;
    for (let x = minX; x <= maxX; x++) {
      const px = x + 0.5 - x0;
      const u = (px * y2 - x2 * py) / twiceArea;
      const v = (x1 * py - px * y1) / twiceArea;
      if (u < 0 || v < 0 || u + v > 1) continue;
      const cell = x + y * width;
      const d = d0 + u * d1 + v * d2;
      if (!(d > depth[cell]) || (behind !== undefined && d + slack < behind.depth[cell])) continue;
      depth[cell] = d;
      labels[cell] = label;
    }
  }
}

/** True when nothing in the raster is nearer than the point by more than `slack`. */
export function isPointSeen(
  raster: Raster,
  projection: Projection,
  x: number,
  y: number,
  z: number,
  slack: number,
): boolean {
  const px = Math.floor(pageX(projection, x, z) / CELL_UNITS);
  const py = Math.floor(pageY(projection, x, y, z) / CELL_UNITS);
  if (px < 0 || py < 0 || px >= raster.width || py >= raster.height) return true;
  return viewDepth(x, y, z) + slack >= raster.depth[px + py * raster.width];
}
