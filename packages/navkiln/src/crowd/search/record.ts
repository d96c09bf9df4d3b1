/** The record of a crowd's searches: who waits, what is being searched, what is kept of it; asking and cancelling. */
import { createSearchState } from '../../query/search-state.ts';
import type { Searches } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';
import { AGENT_AWAITS_PATH } from '../state/types.ts';

/** Fields that are kept. */
export const FIELD_COUNT = 4;
/** Ticks a field is kept that nobody needs. */
export const FIELD_TICKS = 600;
/** Goals remembered that cannot be reached. */
export const UNREACHABLE_COUNT = 4;

// Search.kind
export const SEARCH_NONE = 0;
/** The goal is on the polygon of the start. */
export const SEARCH_NEAR = 1;
export const SEARCH_CORRIDOR = 2;
export const SEARCH_FIELD = 3;

// Search.detour
/** The goal is on another island. */
export const DETOUR_ISLAND = 1;
/** Another search could not reach it. */
export const DETOUR_UNREACHABLE = 2;
/** It has been tried to where that other search came, in vain: this one is on its own. */
export const DETOUR_NONE = 3;

export function createSearches(maxAgents: number): Searches {
  return {
    queue: new Int32Array(maxAgents),
    queueCount: 0,
    turn: new Uint8Array(maxAgents),
    askedCount: 0,
    current: {
      slot: -1,
      kind: SEARCH_NONE,
      field: -1,
      filter: 0,
      revision: 0,
      startPoly: -1,
      start: new Float64Array(3),
      wanted: new Float64Array(3),
      goalPoly: -1,
      goal: new Float64Array(3),
      detour: 0,
      restarts: 0,
    },
    state: createSearchState(),
    fields: [],
    fieldBegun: new Int32Array(FIELD_COUNT),
    fieldUsed: new Int32Array(FIELD_COUNT),
    left: 0,
    goalCount: new Int32Array(0),
    landed: { tick: -1, root: -1, filter: 0, goal: new Float64Array(3), poly: -1, point: new Float64Array(3) },
    unreachable: Array.from({ length: UNREACHABLE_COUNT }, () => ({ revision: -1, filter: 0, goalPoly: -1, poly: -1 })),
    nextUnreachable: 0,
  };
}

/** Asks for a path to the agent's goal. One that waits already keeps its turn; its path will lead to the goal it has then. */
export function requestPath(crowd: Crowd, slot: number): void {
  const { agents, searches } = crowd;
  agents.flags[slot] |= AGENT_AWAITS_PATH;
  if (searches.turn[slot] !== 0) return;
  searches.turn[slot] = 1;
  searches.askedCount++;
}

/** The agent needs no path any more. */
export function cancelRequest(crowd: Crowd, slot: number): void {
  const { agents, searches } = crowd;
  agents.flags[slot] &= ~AGENT_AWAITS_PATH;
  if (searches.turn[slot] === 1) searches.askedCount--;
  searches.turn[slot] = 0;
  if (searches.current.slot === slot) endSearch(searches);
}

/** The search under way is over, or not needed any more. @internal */
export function endSearch(searches: Searches): void {
  searches.current.slot = -1;
  searches.current.kind = SEARCH_NONE;
  searches.current.restarts = 0;
}
