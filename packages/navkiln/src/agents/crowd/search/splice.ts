/**
 * Gives a found path a new start, because a search may take several ticks while its agent keeps moving.
 *
 * In: a path from the start of the search.
 * Out: the same path from the agent's polygon on, when it contains that polygon. Otherwise it is preceded by a path
 * back, up to the first polygon that both paths share.
 * Cost: linear in the path; a small search for an agent that has left it.
 * Based on: own.
 */
import { findCorridor } from '../../../query/path/a-star.ts';
import { createCorridor } from '../../../query/path/corridor.ts';
import type { Corridor } from '../../../query/path/corridor.ts';
import { lastIndexOf, replaceHead } from '../../../query/path/corridor.ts';
import type { Crowd } from '../state/types.ts';

/** The budget, in nodes, of the search from the agent back to the start of the path. */
const SPLICE_NODES = 256;

/** The path from the agent to the start of the search. */
const beginning = createCorridor();

/**
 * Makes `found` start at the agent, whose position is `position`. Returns false, and changes nothing, when no
 * path leads back.
 */
export function spliceStart(found: Corridor, crowd: Crowd, slot: number, position: Float64Array): boolean {
  const { searches, mesh, agents } = crowd;
  const { current, state } = searches;
  const poly = agents.poly[slot];
  if (found.polys[0] === poly) return true;
  let kept = lastIndexOf(found.polys, found.count, poly);
  let head = 0;
  if (kept < 0) {
    // Take the path back up to its first polygon that is also on the found path.
    const filter = crowd.filters[current.filter];
    findCorridor(beginning, state, mesh, filter, poly, position, current.startPoly, current.start, SPLICE_NODES);
    searches.left -= state.expandedCount;
    if (beginning.outcome !== 'complete') return false;
    while (head < beginning.count) {
      kept = lastIndexOf(found.polys, found.count, beginning.polys[head]);
      if (kept >= 0) break;
      head++;
    }
    if (kept < 0) return false;
  }
  replaceHead(found, head, kept);
  for (let i = 0; i < head; i++) {
    found.polys[i] = beginning.polys[i];
    found.crossings[i] = beginning.crossings[i];
  }
  return true;
}
