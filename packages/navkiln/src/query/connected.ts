/**
 * Tests whether two polygons are connected for the size of a filter, on meshes that track islands per size
 * (track-sizes.ts).
 *
 * These islands may be stale, so the result may be "unknown". The caller then searches, calls `sizeIslands.find` when
 * the search fails, and tests again. So its result does not depend on earlier queries.
 *
 * In: a mesh, a filter, two polygons. Out: as `islandRelation`.
 * Cost: a few look-ups.
 * Based on: own.
 */
import { islandRelation } from '../mesh/islands.ts';
import type { SizeIslands } from '../mesh/size-islands.ts';
import type { NavMesh } from '../mesh/types.ts';
import type { QueryFilter } from './filter.ts';

/**
 * Access to tracked islands. track-sizes.ts registers itself here, so that programs that do not track islands contain
 * none of its code. `find` returns the current islands of a filter's size, computed again if they are stale; undefined:
 * the mesh does not track them. @internal
 */
export const sizeIslands: {
  find: ((mesh: NavMesh, filter: QueryFilter) => SizeIslands | undefined) | undefined;
  relate: ((mesh: NavMesh, filter: QueryFilter, a: number, b: number) => number) | undefined;
} = { find: undefined, relate: undefined };

/** Returns the same as `islandRelation`, but only over polygons on which the size of the filter fits. @internal */
export function islandRelationFor(mesh: NavMesh, filter: QueryFilter, a: number, b: number): number {
  return sizeIslands.relate === undefined ? islandRelation(mesh, a, b) : sizeIslands.relate(mesh, filter, a, b);
}
