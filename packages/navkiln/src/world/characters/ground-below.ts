/**
 * The floor below: the highest ground under a place, between two heights. What is above never counts.
 *
 * In: a place (x, z) and heights. Out: the polygon and the point on it. Over the place itself first; where nothing is, the
 * ground nearest to it within `beside`, as bodies reach over the rim of a mesh that was eroded by their radius.
 * Cost: a walk through the trees of the tiles at the place, a height for each polygon over it. No allocation once lists have
 * grown.
 * Based on: own.
 */
import { closestPointOnPoly, setHeight } from '../../navmesh/ground.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../../query/filter.ts';
import { createPolyList, findPolysInBoxInto } from '../../query/nearest/polys-in-box.ts';

export interface FloorHit {
  /** Dense index, or -1. */
  poly: number;
  point: Float64Array;
}

export function createFloorHit(): FloorHit {
  return { poly: -1, point: new Float64Array(3) };
}

const list = createPolyList();
const center = new Float64Array(3);
const extents = new Float64Array(3);
const place = new Float64Array(3);

/**
 * The floor at `point` seen from above with the greatest height in range[0] .. range[1] (low, high; a thousandth of the mesh's
 * climb is forgiven at the top); the lower polygon of equals. range[2]: how far beside the point ground counts where none is
 * there. False: there is none.
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
  // Boxes of polygons are rounded, heights in them are not.
  extents[1] = (high - low) / 2 + 1e-3;
  findPolysInBoxInto(list, mesh, center, extents, filter);
  place[0] = point[0];
  place[2] = point[2];
  for (let i = 0; i < list.count; i++) {
    setHeight(place, mesh, list.polys[i]);
    if (place[1] < low || place[1] > high) continue;
    if (out.poly >= 0 && !(place[1] > out.point[1] || (place[1] === out.point[1] && list.polys[i] < out.poly)))
      continue;
    out.poly = list.polys[i];
    for (let k = 0; k < 3; k++) out.point[k] = place[k];
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
    closestPointOnPoly(place, mesh, list.polys[i], center);
    if (place[1] < low || place[1] > high) continue;
    const dx = place[0] - center[0];
    const dz = place[2] - center[2];
    const distanceSq = dx * dx + dz * dz;
    if (distanceSq > bestSq || (distanceSq === bestSq && out.poly >= 0 && list.polys[i] > out.poly)) continue;
    bestSq = distanceSq;
    out.poly = list.polys[i];
    for (let k = 0; k < 3; k++) out.point[k] = place[k];
  }
  return out.poly >= 0;
}
