/**
 * Finds the floor below a point: the highest walkable surface between two heights. Surfaces above never
 * count.
 *
 * In: a position and a range of heights. Out: the polygon and the point on it. Polygons that contain the point come
 * first. Without one, the nearest surface within range[2] counts, because bodies extend over the edge of a mesh that
 * was eroded by their radius.
 * Cost: one query of the tiles' bounding-volume trees, and a height per polygon that contains the point. No allocation
 * once lists have grown.
 * Based on: own.
 */
import { closestPointOnPoly, setHeight } from '../../../mesh/ground.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { isPolyBefore } from '../../../mesh/tiles/tile-grid.ts';
import { createPolyList, findPolysInBoxInto } from '../../../query/nearest/polys-in-box.ts';

/** Result of `findFloorInto`. */
export interface FloorHit {
  /** Dense index of the polygon, or -1. */
  poly: number;
  point: Float64Array;
}

/** Creates an empty result. */
export function createFloorHit(): FloorHit {
  return { poly: -1, point: new Float64Array(3) };
}

const list = createPolyList();
const center = new Float64Array(3);
const extents = new Float64Array(3);
const candidate = new Float64Array(3);

/**
 * Finds the highest floor at point[0], point[2] with a height in range[0] .. range[1]. Heights may exceed range[1] by a
 * thousandth of the mesh's `maxClimb`. At equal heights, the polygon that `isPolyBefore` puts first wins. range[2] is
 * the horizontal distance within which surfaces count when none is at the point itself.
 *
 * @returns false when there is no such floor; out.poly is then -1
 */
export function findFloorInto(
  out: FloorHit,
  mesh: NavMesh,
  point: Float64Array,
  range: Float64Array,
  filter: QueryFilter,
): boolean {
  out.poly = -1;
  const low = range[0];
  const high = range[1] + 1e-3 * mesh.agent.maxClimb;
  if (!(low <= high)) return false;
  center[0] = point[0];
  center[1] = (low + high) / 2;
  center[2] = point[2];
  extents[0] = extents[2] = 0;
  // Bounding boxes of polygons are rounded, but heights within them are not.
  extents[1] = (high - low) / 2 + 1e-3;
  findPolysInBoxInto(list, mesh, center, extents, filter);
  candidate[0] = point[0];
  candidate[2] = point[2];
  for (let i = 0; i < list.count; i++) {
    setHeight(candidate, mesh, list.polys[i]);
    if (candidate[1] < low || candidate[1] > high) continue;
    if (
      out.poly >= 0 &&
      !(candidate[1] > out.point[1] || (candidate[1] === out.point[1] && isPolyBefore(mesh, list.polys[i], out.poly)))
    )
      continue;
    out.poly = list.polys[i];
    for (let k = 0; k < 3; k++) out.point[k] = candidate[k];
  }
  if (out.poly >= 0 || range[2] <= 0) return out.poly >= 0;
  return findBeside(out, mesh, range, low, high, filter);
}

function findBeside(
  out: FloorHit,
  mesh: NavMesh,
  range: Float64Array,
  low: number,
  high: number,
  filter: QueryFilter,
): boolean {
  const reach = range[2];
  extents[0] = extents[2] = reach;
  findPolysInBoxInto(list, mesh, center, extents, filter);
  let bestSq = reach * reach;
  for (let i = 0; i < list.count; i++) {
    closestPointOnPoly(candidate, mesh, list.polys[i], center);
    if (candidate[1] < low || candidate[1] > high) continue;
    const dx = candidate[0] - center[0];
    const dz = candidate[2] - center[2];
    const distanceSq = dx * dx + dz * dz;
    if (distanceSq > bestSq || (distanceSq === bestSq && out.poly >= 0 && isPolyBefore(mesh, out.poly, list.polys[i])))
      continue;
    bestSq = distanceSq;
    out.poly = list.polys[i];
    for (let k = 0; k < 3; k++) out.point[k] = candidate[k];
  }
  return out.poly >= 0;
}
