/**
 * The function with which a path index gives its corridors to other searches, such as those of crowds. The index registers itself here,
 * so that bundles without an index do not contain its code.
 *
 * In: the function of the index, set when one is built, loaded or updated (query/index/offer.ts). Out: the same.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import type { Corridor } from './corridor.ts';

/**
 * Writes the shortest path between two positions on polygons (dense indices) into `out`. Returns false if the index does not contain it.
 * In both cases, `out.visitedCount` is the number of searched corners.
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
