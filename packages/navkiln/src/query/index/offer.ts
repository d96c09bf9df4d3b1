/**
 * Registers the corridors of indexes with crowds. The functions that build, load or update an index call it, so that
 * programs without indexes contain none of their code.
 *
 * In: an index, two positions on polygons. Out: a corridor.
 * Cost: one `findIndexedCorridor`. No allocation after warm-up.
 * Based on: own.
 */
import type { NavMesh } from '../../mesh/types.ts';
import type { QueryFilter } from '../filter.ts';
import { reservePolys } from '../path/corridor.ts';
import type { Corridor } from '../path/corridor.ts';
import { indexedCorridor } from '../path/indexed-corridor.ts';
import { createIndexedBuffer, createIndexedState, findIndexedCorridor } from './find.ts';
import type { PathIndex } from './types.ts';

const buffer = createIndexedBuffer();
const state = createIndexedState();

/** Lets crowds find corridors in indexes. */
export function offerCorridors(): void {
  indexedCorridor.find = findCorridor;
}

// oxlint-disable-next-line max-params -- kernel: as findIndexedCorridor
function findCorridor(
  out: Corridor,
  index: object,
  mesh: NavMesh,
  filter: QueryFilter,
  startPoly: number,
  start: Float64Array,
  endPoly: number,
  end: Float64Array,
): boolean {
  const isFound = findIndexedCorridor(buffer, state, index as PathIndex, mesh, filter, startPoly, start, endPoly, end);
  out.visitedCount = state.search.visitedCount;
  if (!isFound) return false;
  const { polys, crossings, count, cost } = buffer.corridor;
  reservePolys(out, count);
  for (let i = 0; i < count; i++) {
    out.polys[i] = polys[i];
    out.crossings[i] = crossings[i];
  }
  out.count = count;
  out.outcome = 'complete';
  out.cost = cost;
  return true;
}
