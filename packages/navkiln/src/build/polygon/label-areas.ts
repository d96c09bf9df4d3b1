/**
 * Stage 2b, for maps with areas: finds the area of each walkable triangle.
 *
 * Outlines of areas are segments of the triangulation, so each region between segments lies completely in an area or not at
 * all. One position of each region decides; of several areas there, the last counts.
 *
 * In: a triangulation with the outlines of areas, its walkable triangles, areas on the grid.
 * Out: the area id of each half-edge's triangle, 0 where it is not walkable.
 * Cost: linear; for each region, linear in the areas and in the corners of areas whose boxes contain it.
 * Based on: own.
 */
import { AREA_GROUND } from '../../base/constants.ts';
import { ringsOf } from '../../base/plane/overlay.ts';
import type { GridArea } from './rings.ts';
import type { GridPoint, Rings, Triangulation } from '../../base/plane/types.ts';

/** An area and the box around its outline. */
interface BoxedArea extends GridArea {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Areas over the ground. */
export interface AreaOverlay {
  /** The outlines and holes of the areas. */
  rings: Rings;
  areas: readonly BoxedArea[];
  fillRule: 'nonzero' | 'evenodd';
}

/** Prepares areas; undefined when there are none. */
export function overlayOf(areas: readonly GridArea[], fillRule: 'nonzero' | 'evenodd'): AreaOverlay | undefined {
  const used = areas.filter(({ outline }) => outline.points.length > 0);
  if (used.length === 0) return undefined;
  const boxed = used.map((area) => {
    const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
    for (const { x, y } of area.outline.points) {
      box.minX = Math.min(box.minX, x);
      box.minY = Math.min(box.minY, y);
      box.maxX = Math.max(box.maxX, x);
      box.maxY = Math.max(box.maxY, y);
    }
    return { ...area, ...box };
  });
  return {
    rings: ringsOf(used.flatMap(({ outline, holes }) => [outline.points, ...holes.map((one) => one.points)])),
    areas: boxed,
    fillRule,
  };
}

/** Returns the area id of each walkable half-edge's triangle, where `winding` is above 0. */
export function labelAreas(mesh: Triangulation, winding: Int32Array, overlay: AreaOverlay): Uint8Array {
  const { xs, ys, origin, next, fixed, edgeCount } = mesh;
  const label = new Uint8Array(2 * edgeCount);
  const stack: number[] = [];
  const region: number[] = [];
  for (let first = 0; first < 2 * edgeCount; first++) {
    if (winding[first] <= 0 || label[first] !== 0) continue;
    region.length = 0;
    stack.push(first);
    let largest = -1;
    let x = 0;
    let y = 0;
    label[first] = label[next[first]] = label[next[next[first]]] = AREA_GROUND;
    while (stack.length > 0) {
      let h = stack.pop()!;
      const [a, b, c] = [origin[h], origin[next[h]], origin[next[next[h]]]];
      const double = (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a]);
      if (double > largest) {
        largest = double;
        x = (xs[a] + xs[b] + xs[c]) / 3;
        y = (ys[a] + ys[b] + ys[c]) / 3;
      }
      for (let k = 0; k < 3; k++, h = next[h]) {
        region.push(h);
        const t = h ^ 1;
        if (fixed[h >> 1] !== 0 || winding[t] <= 0 || label[t] !== 0) continue;
        label[t] = label[next[t]] = label[next[next[t]]] = AREA_GROUND;
        stack.push(t);
      }
    }
    const id = areaAt(overlay, x, y);
    if (id !== AREA_GROUND) for (const h of region) label[h] = id;
  }
  return label;
}

function areaAt({ areas, fillRule }: AreaOverlay, x: number, y: number): number {
  for (let k = areas.length - 1; k >= 0; k--) {
    const { id, outline, holes, minX, minY, maxX, maxY } = areas[k];
    if (x < minX || x > maxX || y < minY || y > maxY) continue;
    const isIn = (points: readonly GridPoint[]): boolean => {
      const winding = windingAt(points, x, y);
      return fillRule === 'nonzero' ? winding !== 0 : (winding & 1) !== 0;
    };
    if (isIn(outline.points) && !holes.some((hole) => isIn(hole.points))) return id;
  }
  return AREA_GROUND;
}

/** Returns how often a ring winds around a position that is not on it. */
function windingAt(points: readonly GridPoint[], x: number, y: number): number {
  let winding = 0;
  let a = points[points.length - 1];
  for (const b of points) {
    if (a.y <= y !== b.y <= y) {
      const side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
      if (a.y <= y ? side > 0 : side < 0) winding += a.y <= y ? 1 : -1;
    }
    a = b;
  }
  return winding;
}
