/**
 * Where the path index offers its corridors to searches below it, such as those of crowds, so that programs without an index have none of
 * its code.
 *
 * In: the function of the index, set when one is built, loaded or updated (path-index/offer.ts). Out: the same.
 * Based on: own.
 */
import type { NavMesh } from '../../navmesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import type { Corridor } from './corridor.ts';

/**
 * Writes the shortest path between two positions on polygons (dense indices) into `out`. Returns false when the index does not have it.
 * `out.visitedCount` is the number of corners that were searched, in both cases.
 */
// oxlint-disable-next-line max-params -- kernel: as findCorridor
export type FindIndexedCorridor = (
  out: Corridor,
  index: object,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
  endPoly: number,
  end: Float64Array,
) => boolean;

/** Undefined until an index is built, loaded or updated. */
export const indexedCorridor: { find: FindIndexedCorridor | undefined } = { find: undefined };
