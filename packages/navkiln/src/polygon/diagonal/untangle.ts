/**
 * Rings that cross, overlap or lie in the wrong place -> the border of what they wind around, as rings that do not.
 *
 * in: any rings. out: rings with their inside on the left, around all places that the given ones wind around a positive number
 * of times. Crossings between grid points move to the nearest one. Cost: that of a triangulation. Rounding in the stages before
 * leaves such rings now and then, a fraction of a cell wide; the ways of cutting then see the same ground. Based on: own.
 */
import { findWindings, triangulateRings } from '../triangulate.ts';
import type { Rings } from '../types.ts';

export function untangleRings(rings: Rings): Rings {
  const mesh = triangulateRings(rings);
  const winding = findWindings(mesh);
  const { edgeCount, origin, xs, ys, vertexCount } = mesh;
  const isBorder = (h: number): boolean => winding[h] > 0 && !(winding[h ^ 1] > 0);
  // The border edges that start at each vertex. As many end there, so a walk along any of them comes back to where it began.
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
