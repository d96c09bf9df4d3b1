/**
 * Replaces triangles by their remaining parts: convex shapes seen from above become triangles of the surface
 * again. The clearance and inset stages share it.
 *
 * Cost: linear.
 * Based on: own.
 */
import { roomiestFan } from '../shapes/convex.ts';
import type { Shape } from '../shapes/convex.ts';
import { planAt, pointAt } from '../shapes/points.ts';
import { groundOf, isFlat } from './weld.ts';
import type { Ground, PointTable } from '../types.ts';

/**
 * Returns the surface with each triangle replaced by its shapes, whose third numbers are heights; undefined
 * keeps the triangle. The result has no joints.
 */
export function replaceTriangles(
  ground: Ground,
  table: PointTable,
  shapesOf: (t: number) => Shape[] | undefined,
): Ground {
  const corner: number[] = [];
  const area: number[] = [];
  const source: number[] = [];
  for (let t = 0; t < ground.count; t++) {
    const pieces = shapesOf(t);
    if (pieces === undefined) {
      corner.push(ground.corner[3 * t], ground.corner[3 * t + 1], ground.corner[3 * t + 2]);
      area.push(ground.area[t]);
      source.push(ground.source[t]);
      continue;
    }
    for (const piece of pieces) {
      const ring = pointsOf(table, piece);
      for (let k = 1; k + 1 < ring.length; k++) {
        if (isFlat(table, ring[0], ring[k], ring[k + 1])) continue;
        corner.push(ring[0], ring[k], ring[k + 1]);
        area.push(ground.area[t]);
        source.push(ground.source[t]);
      }
    }
  }
  return groundOf(Int32Array.from(corner), Uint8Array.from(area), Int32Array.from(source));
}

/** Sets the third numbers of all corners to the heights of a triangle's plane. */
export function setHeights(shapes: readonly Shape[], xyz: Float64Array, plane: readonly number[]): void {
  for (const shape of shapes) {
    for (const corner of shape)
      corner[2] = plane[0] + plane[1] * (corner[0] - xyz[0]) + plane[2] * (corner[1] - xyz[2]);
  }
}

/** Returns the height at the first corner of a triangle, and its change along x and z. */
export function planeOf(xyz: Float64Array): [number, number, number] {
  const ux = xyz[3] - xyz[0];
  const uy = xyz[4] - xyz[1];
  const uz = xyz[5] - xyz[2];
  const vx = xyz[6] - xyz[0];
  const vy = xyz[7] - xyz[1];
  const vz = xyz[8] - xyz[2];
  const ny = uz * vx - ux * vz;
  return [xyz[1], -(uy * vz - uz * vy) / ny, -(ux * vy - uy * vx) / ny];
}

const spot = new Float64Array(3);

/** Returns the points of a piece, whose third numbers are heights. The first is the best start of a fan. */
function pointsOf(table: PointTable, piece: Shape): number[] {
  const ring: number[] = [];
  for (const [x, z, y] of roomiestFan(piece)) {
    spot[0] = x;
    spot[1] = y;
    spot[2] = z;
    const point = pointAt(table, planAt(table, spot), spot);
    if (ring.length > 0 && table.pointPlan[ring[ring.length - 1]] === table.pointPlan[point]) continue;
    ring.push(point);
  }
  while (ring.length > 1 && table.pointPlan[ring[0]] === table.pointPlan[ring[ring.length - 1]]) ring.pop();
  return ring;
}
