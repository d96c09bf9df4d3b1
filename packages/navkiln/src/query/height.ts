/**
 * The height of the walkable surface of a polygon at a position. Geometry: mesh/ground.ts.
 *
 * Cost: linear in the polygon's triangles.
 * Based on: Detour's getPolyHeight (Mikko Mononen, 2009).
 */
import { checkFinite } from '../base/data/refuse.ts';
import { isOnSurface } from '../mesh/ground.ts';
import type { NavMesh, PolyRef } from '../mesh/types.ts';
import { resolvePoly } from './nearest/start.ts';

const position = new Float64Array(3);
const closest = new Float64Array(3);

/**
 * Returns the height of a polygon's surface at (x, z), world units, or null when the ref is stale or (x, z)
 * is not over the polygon. Points on its outline count, such as those that other queries return. Throws a TypeError when the ref is not a number.
 */
export function getHeight(mesh: NavMesh, ref: PolyRef, x: number, z: number): number | null {
  checkFinite('getHeight', 'x', x);
  checkFinite('getHeight', 'z', z);
  const poly = resolvePoly(mesh, ref, 'getHeight');
  position[0] = x;
  position[2] = z;
  return poly >= 0 && isOnSurface(closest, mesh, poly, position) ? closest[1] : null;
}
