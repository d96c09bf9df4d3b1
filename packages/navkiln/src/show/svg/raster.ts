/**
 * A depth buffer over the page: the nearest face's depth and label (a color or an area) per cell, two cells
 * per pixel.
 *
 * In: triangles with labels. Out: a depth and a label per cell.
 * Cost: O(triangles + cells they cover).
 * Based on: the z-buffer, E. Catmull, 1974.
 */
import { pageX, pageY, viewDepth } from './projection.ts';
import type { Projection } from './projection.ts';

/** Side of a cell in page units (tenths of a pixel). */
export const CELL_UNITS = 5;

/** Depths and labels per cell x + y * width. */
export interface Raster {
  width: number;
  height: number;
  /** Depth; larger is nearer, -Infinity: empty. */
  depth: Float32Array;
  /** Label; 0: empty. */
  label: Uint16Array;
}

/** Creates an empty raster for a page in pixels. */
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

/** A raster that hides new triangles, and the distance behind it up to which they are still drawn, in world units. */
export interface Occluder {
  level: Raster;
  slack: number;
}

/**
 * Adds a triangle of nine numbers. With an occluder, only cells that are at most its slack behind it are written. Depth
 * is linear over a triangle in a parallel projection, so it is evaluated as a plane at cell centers.
 */
export function addTriangle(
  raster: Raster,
  projection: Projection,
  c: ArrayLike<number>,
  label: number,
  occluder?: Occluder,
): void {
  const x0 = pageX(projection, c[0], c[2]) / CELL_UNITS;
  const y0 = pageY(projection, c[0], c[1], c[2]) / CELL_UNITS;
  const x1 = pageX(projection, c[3], c[5]) / CELL_UNITS - x0;
  const y1 = pageY(projection, c[3], c[4], c[5]) / CELL_UNITS - y0;
  const x2 = pageX(projection, c[6], c[8]) / CELL_UNITS - x0;
  const y2 = pageY(projection, c[6], c[7], c[8]) / CELL_UNITS - y0;
  const twiceArea = x1 * y2 - x2 * y1;
  if (twiceArea === 0) return;
  const d0 = viewDepth(c[0], c[1], c[2]);
  const d1 = viewDepth(c[3], c[4], c[5]) - d0;
  const d2 = viewDepth(c[6], c[7], c[8]) - d0;
  const minX = Math.max(0, Math.floor(x0 + Math.min(0, x1, x2)));
  const maxX = Math.min(raster.width - 1, Math.ceil(x0 + Math.max(0, x1, x2)));
  const minY = Math.max(0, Math.floor(y0 + Math.min(0, y1, y2)));
  const maxY = Math.min(raster.height - 1, Math.ceil(y0 + Math.max(0, y1, y2)));
  const { width, depth, label: labels } = raster;
  const behind = occluder?.level.depth;
  const slack = occluder?.slack ?? 0;
  for (let y = minY; y <= maxY; y++) {
    const py = y + 0.5 - y0;
    for (let x = minX; x <= maxX; x++) {
      const px = x + 0.5 - x0;
      const u = (px * y2 - x2 * py) / twiceArea;
      const v = (x1 * py - px * y1) / twiceArea;
      if (u < 0 || v < 0 || u + v > 1) continue;
      const cell = x + y * width;
      const d = d0 + u * d1 + v * d2;
      if (!(d > depth[cell]) || (behind !== undefined && d + slack < behind[cell])) continue;
      depth[cell] = d;
      labels[cell] = label;
    }
  }
}

/** Returns whether nothing in a raster is nearer than a point by more than `slack`, in world units. */
export function isPointVisible(
  raster: Raster,
  projection: Projection,
  [x, y, z]: readonly number[],
  slack: number,
): boolean {
  const px = Math.floor(pageX(projection, x, z) / CELL_UNITS);
  const py = Math.floor(pageY(projection, x, y, z) / CELL_UNITS);
  if (px < 0 || py < 0 || px >= raster.width || py >= raster.height) return true;
  return viewDepth(x, y, z) + slack >= raster.depth[px + py * raster.width];
}
