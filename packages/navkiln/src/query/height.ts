/**
 * How high is the ground of a polygon here? Geometry in navmesh/ground.ts. Cost: linear in the polygon's triangles.
 *
 * Based on: Detour's getPolyHeight (Mikko Mononen).
 */
import { isOverPoly, setHeight } from '../navmesh/ground.ts';
import { polyIndexOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';

const place = new Float64Array(3);

/** Height of the ground of a polygon at (x, z), or null when the ref is stale or (x, z) is not over the polygon. */
export function getHeight(mesh: NavMesh, ref: PolyRef, x: number, z: number): number | null {
  const poly = polyIndexOf(mesh, ref);
  place[0] = x;
  place[2] = z;
  if (poly < 0 || !isOverPoly(mesh, poly, place)) return null;
  setHeight(place, mesh, poly);
  return place[1];
}
