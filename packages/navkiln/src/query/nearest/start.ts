/**
 * Where a query on the ground begins: at a polygon the caller names, or at the ground nearest to the point given.
 */
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { polyIndexOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { findNearestInto, readHalfExtents } from './nearest.ts';
import type { NearestHit } from './nearest.ts';
import type { PointLike } from '../../math/point.ts';

export interface StartOptions {
  /** The polygon to begin on. Default: the one nearest to the point, within `halfExtents`. */
  startRef?: PolyRef;
  /** Half the size of the box in which the point may be moved onto the mesh. Default: see `defaultHalfExtents`. */
  halfExtents?: PointLike;
}

const extents = new Float64Array(3);

/** Sets the polygon (-1: none near) and the point on it. Throws when the ref given is stale. @internal */
export function locateStart(
  out: NearestHit,
  mesh: NavMesh,
  point: Float64Array,
  options: StartOptions,
  filter: QueryFilter,
  caller: string,
): void {
  readHalfExtents(extents, mesh, options.halfExtents, caller);
  if (options.startRef === undefined) {
    findNearestInto(out, mesh, point, extents, filter);
    return;
  }
  out.poly = requirePoly(mesh, options.startRef, caller);
  out.isOver = closestPointOnPoly(out.point, mesh, out.poly, point);
}

/** The dense index of a polygon; throws when the ref is stale or of another mesh. @internal */
export function requirePoly(mesh: NavMesh, ref: PolyRef, caller: string): number {
  const poly = polyIndexOf(mesh, ref);
  if (poly < 0) throw new RangeError(`${caller}: there is no polygon ${String(ref)} (any more); ask for a fresh ref`);
  return poly;
}
