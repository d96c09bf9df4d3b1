/**
 * Measures the ground around a goal: in a corner of a hall it is a quarter of a circle, in a corridor less. Agents that
 * rest there need more space along the walls than in the middle of a hall.
 *
 * In: a mesh, a filter, a point on a polygon. Out: an area.
 * Cost: sixteen rays. No allocation.
 * Based on: own.
 */
import type { NavMesh } from '../../../mesh/types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { createRayHit } from '../../../query/ray/hit.ts';
import { raycastInto } from '../../../query/ray/raycast.ts';

/** x of the directions of four rays, and of a fifth; the others are theirs, turned by right angles. */
const X = [1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898, 0];
const RAYS = 16;

const hit = /* @__PURE__ */ createRayHit();
const end = new Float64Array(3);

/**
 * Returns the area that is seen from a point on `poly` up to a distance, in square world units, between sixteen rays.
 * What lies behind a bend does not count.
 */
export function measureGround(
  mesh: NavMesh,
  filter: QueryFilter,
  poly: number,
  center: Float64Array,
  reach: number,
): number {
  let sum = 0;
  let first = 0;
  let last = 0;
  for (let ray = 0; ray <= RAYS; ray++) {
    let length = first;
    if (ray < RAYS) {
      const k = ray & 3;
      // The direction, turned by a right angle as often as needed.
      const x = ray & 4 ? -X[4 - k] : X[k];
      const z = ray & 4 ? X[k] : X[4 - k];
      const sign = ray & 8 ? -reach : reach;
      end[0] = center[0] + sign * x;
      end[1] = center[1];
      end[2] = center[2] + sign * z;
      raycastInto(hit, mesh, poly, center, end, filter, false);
      length = reach * Math.min(1, hit.t);
    }
    if (ray === 0) first = length;
    sum += last * length;
    last = length;
  }
  // A sixteenth of a circle for each pair of rays, whose squared radius is the product of their lengths.
  return (sum * Math.PI) / RAYS;
}
