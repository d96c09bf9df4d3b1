/**
 * Converts rings that cross, overlap or are nested wrongly to the border of the area that they wind around.
 *
 * Rounding in earlier stages occasionally leaves such rings, a fraction of a cell wide. Both cutting modes
 * then see the same area. Crossings between grid points move to the nearest one.
 *
 * In: any rings.
 * Out: rings with their inside on the left, around all positions with a positive winding number.
 * Cost: that of a triangulation.
 * Based on: own.
 */
import type { PolygonBudget } from '../../../base/plane/budget.ts';
import { findWindings, triangulateRings } from '../../../base/plane/triangulate.ts';
import type { Rings } from '../../../base/plane/types.ts';

export function untangleRings(rings: Rings, budget?: PolygonBudget): Rings {
  const mesh = triangulateRings(rings, undefined, budget);
  const winding = findWindings(mesh);
  const { edgeCount, origin, xs, ys, vertexCount } = mesh;
  const isBorder = (h: number): boolean => winding[h] > 0 && !(winding[h ^ 1] > 0);
  // The border edges that start at each vertex. As many end there, so a walk along any of them returns to its
  // start.
  const first = new Int32Array(vertexCount).fill(-1);
  const other = new Int32Array(2 * edgeCount).fill(-1);
  for (let h = 0; h < 2 * edgeCount; h++) {
    if (!isBorder(h)) continue;
    other[h] = first[origin[h]];
    first[origin[h]] = h;
  }
  const start = [0];
  const x: number[] = [];
  const y: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    while (first[v] >= 0) {
      for (let at = v; first[at] >= 0;) {
        const h = first[at];
        first[at] = other[h];
        x.push(xs[at]);
        y.push(ys[at]);
        at = origin[h ^ 1];
      }
      start.push(x.length);
    }
  }
  return { ringCount: start.length - 1, start: Int32Array.from(start), x: Int32Array.from(x), y: Int32Array.from(y) };
}
