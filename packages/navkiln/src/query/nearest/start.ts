/**
 * Locates the start of a query on the mesh: the polygon that the caller names, or the one nearest to the
 * given point.
 *
 * A ref to a removed polygon is an expected outcome (`'stale-ref'`), because a tile may be replaced between two
 * queries. Only values that cannot be refs cause an error.
 */
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { closestPointOnPoly } from '../../mesh/ground.ts';
import { polyIndexOf } from '../../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../../mesh/types.ts';
import { refuseType } from '../../base/data/refuse.ts';
import type { QueryFilter } from '../filter.ts';
import { findNearestInto, readHalfExtents } from './nearest.ts';
import type { NearestHit } from './nearest.ts';
import type { PointLike } from '../../base/math/point.ts';

export interface StartOptions {
  /** The polygon to start on. Default: the one nearest to the point, within `halfExtents`. */
  startRef?: PolyRef;
  /**
   * Half the size of the box in which the point may be moved onto the mesh, world units: `[x, y, z]`, or one
   * number for all three. Default: two agent radii and two cells in x and z, the agent's height in y;
   * everywhere on the mesh of a 2D map.
   */
  halfExtents?: PointLike | number;
}

/**
 * Whether a query has a start polygon. 'off-mesh': no polygon is near the point. 'stale-ref': `startRef` is null, stale
 * or of another mesh.
 */
export type StartStatus = 'found' | 'off-mesh' | 'stale-ref';

const extents = new Float64Array(3);

/**
 * Writes the start polygon, the point on it and `isOver` into `out` and returns `'found'`. Otherwise sets `out.poly` to
 * -1 and returns the reason. Throws a TypeError when `startRef` is not a number. @internal
 */
export function locateStart(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  options: StartOptions,
  filter: QueryFilter,
  caller: string,
): StartStatus {
  readHalfExtents(extents, mesh, options.halfExtents, caller, filter);
  if (options.startRef === undefined) {
    findNearestInto(out, mesh, point, extents, filter);
    return out.poly < 0 ? 'off-mesh' : 'found';
  }
  out.poly = resolvePoly(mesh, options.startRef, caller, 'options.startRef');
  if (out.poly < 0) return 'stale-ref';
  out.isOver = closestPointOnPoly(out.point, mesh, out.poly, point);
  return 'found';
}

/**
 * Returns the dense index of the polygon that a caller's ref names, or -1 when the ref is null, stale or of
 * another mesh. Throws a TypeError when it is not a number: `caller: path is value; must be a polygon ref`.
 * @internal
 */
export function resolvePoly(mesh: NavMesh, ref: PolyRef, caller: string, path: string = 'ref'): number {
  checkNavMesh(caller, mesh);
  if (typeof ref !== 'number') refuseType(caller, path, ref, 'a polygon ref');
  return polyIndexOf(mesh, ref);
}
