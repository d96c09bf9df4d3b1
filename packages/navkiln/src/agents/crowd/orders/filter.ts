/**
 * Replaces a filter of a crowd, and lets its agents search again.
 *
 * Cost: linear in the slots; the searches share the budget. Based on: own.
 */
import { refuse } from '../../../base/data/refuse.ts';
import { checkFilter } from '../../../query/filter.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { endSearch, requestPath } from '../search/record.ts';
import { filterCount, filtersBySize } from '../state/filters.ts';
import { isDoneStatus } from '../state/rest.ts';
import {
  AGENT_ASLEEP,
  AGENT_AVOID_ONLY,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_FREE,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';
import { checkCrowd } from '../state/check-crowd.ts';

/**
 * Replaces the filter at `index`, or applies changes of it when `filter` is the same record. Moving agents of the
 * filter request new paths and follow their old paths in the meantime; blocked agents retry immediately. Agents at rest
 * at their goals stay.
 *
 * @throws RangeError for an index without a filter and for an invalid filter, TypeError for arguments of another type
 */
export function setCrowdFilter(crowd: Crowd, index: number, filter: QueryFilter): void {
  checkCrowd('setCrowdFilter', crowd);
  const { mesh } = crowd;
  const count = filterCount(crowd);
  if (!Number.isInteger(index) || index < 0 || index >= count)
    refuse('setCrowdFilter', 'index', index, `the index of one of the crowd's ${count} filters`);
  checkFilter('setCrowdFilter', filter, 'filter');
  filtersBySize(mesh, [filter]).forEach((one, size) => replaceFilter(crowd, index + size * count, one));
}

function replaceFilter(crowd: Crowd, index: number, filter: QueryFilter): void {
  const { filters, searches, agents } = crowd;
  filters[index] = filter;
  // Results of earlier searches are valid for the old filter only.
  for (const goal of searches.unreachable) if (goal.filter === index) goal.revision = -1;
  if (searches.landed.filter === index) searches.landed.tick = -1;
  const { current } = searches;
  if (current.slot >= 0 && current.filter === index) endSearch(searches);
  // Fields compare the numbers of filters, but cannot compare results of their methods.
  if (filter.passes !== undefined || filter.cost !== undefined) {
    searches.fields.forEach((field, i) => {
      const isCurrent = current.slot >= 0 && current.field === i;
      const { passes, cost } = field.filter;
      if (passes === filter.passes && cost === filter.cost && !isCurrent) field.goalPoly = -1;
    });
  }
  for (let slot = 0; slot < crowd.slotCount; slot++) {
    if (agents.state[slot] !== STATE_FREE && agents.filter[slot] === index) searchAgain(crowd, slot);
  }
}

/** Lets a moving agent search again after a change of its filter. @internal */
export function searchAgain(crowd: Crowd, slot: number): void {
  const { agents } = crowd;
  agents.wallPoly[slot] = -1;
  agents.flags[slot] = (agents.flags[slot] | AGENT_STALE_CORNERS) & ~AGENT_ASLEEP;
  const hasGoal = agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT;
  const isOnGround = agents.state[slot] === STATE_GROUND && (agents.flags[slot] & AGENT_AVOID_ONLY) === 0;
  if (hasGoal && isOnGround && !isDoneStatus(agents.status[slot]) && agents.goalPoly[slot] >= 0)
    requestPath(crowd, slot);
}
