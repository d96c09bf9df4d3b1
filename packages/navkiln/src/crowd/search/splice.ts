/**
 * A search may take several ticks, and its agent does not wait: the path found gets a new beginning, from where the agent is now.
 *
 * In: a corridor from where the search began. Out: the same one from the agent's polygon on, when that lies on it, else with the
 * way back put before it, up to the first polygon that both have. Cost: the length of the corridor; a search of a few polygons
 * for who has left it.
 *
 * Based on: own.
 */
import { findCorridor } from '../../query/path/a-star.ts';
import { createCorridor } from '../../query/path/corridor.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { lastIndexOf, replaceHead } from '../../query/path/corridor.ts';
import type { Crowd } from '../state/types.ts';

/** Polygons that may be looked at to get from where an agent is to where its search began. */
const SPLICE_NODES = 256;

/** The way back. */
const beginning = createCorridor();

/** False: it does not know the way from the agent's place, `position`, to where its search began, and `found` is as it was. */
export function spliceStart(found: Corridor, crowd: Crowd, slot: number, position: Float64Array): boolean {
  const { searches, mesh, agents } = crowd;
  const { current, state } = searches;
  const poly = agents.poly[slot];
  if (found.polys[0] === poly) return true;
  let place = lastIndexOf(found.polys, found.count, poly);
  let head = 0;
  if (place < 0) {
    // How it gets back; from the first polygon on that way that is on the path, too.
    const filter = crowd.filters[current.filter];
    findCorridor(beginning, state, mesh, filter, poly, position, current.startPoly, current.start, SPLICE_NODES);
    searches.left -= state.expandedCount;
    if (beginning.outcome !== 'complete') return false;
    while ((place = lastIndexOf(found.polys, found.count, beginning.polys[head])) < 0) head++;
  }
  replaceHead(found, head, place);
  for (let i = 0; i < head; i++) {
    found.polys[i] = beginning.polys[i];
    found.crossings[i] = beginning.crossings[i];
  }
  return true;
}
