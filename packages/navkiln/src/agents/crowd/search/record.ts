/** Creates the record of a crowd's searches; requests and cancels paths. */
import { createSearchState } from '../../../query/search-state.ts';
import type { Searches } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';
import { AGENT_AWAITS_PATH } from '../state/types.ts';

/** The number of fields that are kept. */
export const FIELD_COUNT = 4;
/** Ticks after which an unused field is discarded. */
export const FIELD_TICKS = 600;
/** The number of unreachable goals that are remembered. */
export const UNREACHABLE_COUNT = 4;

// Searches.turn: whether a slot waits for a path.
export const TURN_NONE = 0;
/** The slot requested a path since the last tick. */
export const TURN_ASKED = 1;
/** The slot is in the queue. */
export const TURN_QUEUED = 2;

// Search.kind: which algorithm answers the search.
export const SEARCH_NONE = 0;
/** No algorithm is needed, because the goal is on the polygon of the start. */
export const SEARCH_NEAR = 1;
/** A*. */
export const SEARCH_CORRIDOR = 2;
/** A shared field. */
export const SEARCH_FIELD = 3;
/** The path index, within one call. */
export const SEARCH_INDEX = 4;

// What a field has done for a search:
/** It used up the budget of the tick. */
export const FIELD_SEARCHED = 0;
/** It found the path. */
export const FIELD_ANSWERED = 1;
/** It has no path, or not one that is cheap enough. */
export const FIELD_USELESS = 2;

// Search.detour: where the path leads when not to the goal.
/** The path leads to the goal. */
export const DETOUR_NONE = 0;
/** The goal is on another island; the path leads to the nearest point of the agent's own island. */
export const DETOUR_ISLAND = 1;
/** Another search could not reach the goal; the path leads to the polygon where that search came nearest. */
export const DETOUR_UNREACHABLE = 2;
/** That polygon was unreachable, too; the search ignores remembered goals. */
export const DETOUR_FORBIDDEN = 3;

/** Creates the searches of a crowd, with no slot waiting. */
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
      detour: DETOUR_NONE,
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

/**
 * Requests a path to the agent's goal. An agent that already waits keeps its turn. The path leads to the goal that the
 * agent has when the search is answered.
 */
export function requestPath(crowd: Crowd, slot: number): void {
  const { agents, searches } = crowd;
  agents.flags[slot] |= AGENT_AWAITS_PATH;
  if (searches.turn[slot] !== TURN_NONE) return;
  searches.turn[slot] = TURN_ASKED;
  searches.askedCount++;
}

/** Cancels the agent's request, even when its search is in progress. */
export function cancelRequest(crowd: Crowd, slot: number): void {
  const { agents, searches } = crowd;
  agents.flags[slot] &= ~AGENT_AWAITS_PATH;
  if (searches.turn[slot] === TURN_ASKED) searches.askedCount--;
  searches.turn[slot] = TURN_NONE;
  if (searches.current.slot === slot) endSearch(searches);
}

/** Ends the search in progress. @internal */
export function endSearch(searches: Searches): void {
  searches.current.slot = -1;
  searches.current.kind = SEARCH_NONE;
  searches.current.restarts = 0;
}
