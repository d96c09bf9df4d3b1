/**
 * Step: answers agents that wait for a path, within the search budget of a tick.
 *
 * Requests are answered in the order of their ticks, then of their slots. A tick expands at most `searchBudget`
 * polygons; what it does not use is lost. An agent that requests again keeps its turn and gets a path to its new goal.
 * A search in progress is not restarted for that: the agent gets its path, and the end of the path moves to the goal.
 *
 * A path index answers in one call, if the crowd has one that fits the mesh. Otherwise agents with one goal share a
 * field (fields.ts, goal-field.ts), which continues from one start to the next and is kept for later requests. Other
 * requests are answered by A*, one at a time, over as many ticks as necessary. An agent that has moved in the meantime
 * gets the path from its current position (splice.ts). When the goal is unreachable, the path leads as near to it as
 * possible (goal.ts). When the mesh keeps changing during a search, its agent gets the path so far and requests again.
 *
 * In: the queue of `Searches`, positions and goals of agents.
 * Out: corridors; `searchTick`, `targetDrift` and flags of the answered agents.
 * Cost: nothing when no agent waits. Otherwise linear in the queue, plus the budget: an expanded polygon
 * counts 1, handing out a path 1 and a quarter of its polygons, `findNearestOnIsland` 16, an indexed path 8. A
 * tick exceeds the budget by at most the last path it hands out, so no agent waits longer than the cost of all
 * earlier requests divided by the budget, plus a tick. No allocation after warm-up.
 * Based on: own. Detour's crowd (Mikko Mononen) also has a queue of sliced searches; there an agent with a moving
 * target loses its turn.
 */
import { closestPointOnPoly } from '../../../mesh/ground.ts';
import type { PathIndex } from '../../../query/index/types.ts';
import type { QueryFilter } from '../../../query/filter.ts';
import { beginCorridor, runCorridor, writeCorridor } from '../../../query/path/a-star.ts';
import { createCorridor } from '../../../query/path/corridor.ts';
import type { Corridor } from '../../../query/path/corridor.ts';
import { indexedCorridor } from '../../../query/path/indexed-corridor.ts';
import { createSearchState } from '../../../query/search-state.ts';
import { createSlide } from '../../../query/walk/slide.ts';
import { reservePolys } from '../../../query/path/corridor.ts';
import { moveCorridorTarget } from '../../corridor/move.ts';
import { resetCorridor, setCorridor } from '../../corridor/corridor.ts';
import { isHeldUp } from '../state/standing.ts';
import { chooseGoal, noteUnreachable } from './goal.ts';
import {
  DETOUR_UNREACHABLE,
  DETOUR_ISLAND,
  DETOUR_FORBIDDEN,
  DETOUR_NONE,
  FIELD_ANSWERED,
  FIELD_USELESS,
  SEARCH_CORRIDOR,
  SEARCH_FIELD,
  SEARCH_INDEX,
  SEARCH_NEAR,
  TURN_ASKED,
  TURN_NONE,
  TURN_QUEUED,
  endSearch,
  requestPath,
} from './record.ts';
import { spliceStart } from './splice.ts';
import {
  AGENT_AVOID_ONLY,
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** A search that the mesh has interrupted more often is answered with the path so far. */
export const MAX_RESTARTS = 2;

/** Step: answers waiting agents within the budget. */
export function runSearches(crowd: Crowd): void {
  const { searches } = crowd;
  if (searches.queueCount === 0 && searches.askedCount === 0) return;
  admit(crowd);
  const { queue, turn, queueCount } = searches;
  crowd.behaviors.countGoals?.(crowd, queueCount, 1);
  searches.left = crowd.searchBudget;
  let kept = 0;
  for (let i = 0; i < queueCount; i++) {
    const slot = queue[i];
    const isDone = searches.left > 0 && canSearch(crowd, slot) && answer(crowd, slot);
    if (isDone) {
      if (turn[slot] === TURN_QUEUED) turn[slot] = TURN_NONE;
    } else {
      keep[kept++] = slot;
      if (kept === keep.length) growKeep();
    }
  }
  crowd.behaviors.countGoals?.(crowd, queueCount, -1);
  for (let i = 0; i < kept; i++) queue[i] = keep[i];
  searches.queueCount = kept;
}

/** Slots that stay in the queue. */
let keep = new Int32Array(64);

function growKeep(): void {
  const larger = new Int32Array(2 * keep.length);
  larger.set(keep);
  keep = larger;
}

/** Removes cancelled requests from the queue and appends the new ones, ordered by slot. */
function admit(crowd: Crowd): void {
  const { searches, slotCount } = crowd;
  const { queue, turn } = searches;
  let count = 0;
  for (let i = 0; i < searches.queueCount; i++) if (turn[queue[i]] === TURN_QUEUED) queue[count++] = queue[i];
  for (let slot = 0; searches.askedCount > 0 && slot < slotCount; slot++) {
    if (turn[slot] !== TURN_ASKED) continue;
    turn[slot] = TURN_QUEUED;
    queue[count++] = slot;
    searches.askedCount--;
  }
  searches.askedCount = 0;
  searches.queueCount = count;
}

/**
 * Returns whether an agent can search now: it is on its polygon, not only avoided, and its goal is on the mesh.
 * Otherwise it keeps its turn.
 */
function canSearch(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  return (
    agents.state[slot] === STATE_GROUND &&
    (agents.flags[slot] & AGENT_AVOID_ONLY) === 0 &&
    agents.poly[slot] >= 0 &&
    agents.goalPoly[slot] >= 0 &&
    (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT)
  );
}

/** The path of the current search. */
const found = createCorridor();
/** The position of the current agent. */
const position = new Float64Array(3);
const goal = new Float64Array(3);
const slide = createSlide();
const slideState = createSearchState();

/** Continues the search of an agent. Returns true when it is answered. */
function answer(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  for (let k = 0; k < 3; k++) position[k] = agents.position[3 * slot + k];
  if (current.slot !== slot || current.revision !== mesh.revision || current.filter !== agents.filter[slot]) {
    beginSearchOf(crowd, slot, DETOUR_NONE);
  }
  if (!search(crowd, slot)) return false;
  // The agent was teleported and requests another path.
  if (current.kind === SEARCH_CORRIDOR && !spliceStart(found, crowd, slot, position)) {
    endSearch(searches);
    requestAgain(crowd, slot);
    return true;
  }
  if (agents.poly[slot] === current.goalPoly) writeOne(found, agents.poly[slot]);
  handOut(crowd, slot);
  return true;
}

/** Searches until `found` is the answer. Returns false when the budget is used up. */
function search(crowd: Crowd, slot: number): boolean {
  const { current } = crowd.searches;
  for (;;) {
    if (current.kind === SEARCH_FIELD) {
      const outcome = crowd.behaviors.answerByField!(found, crowd, slot, position);
      if (outcome !== FIELD_USELESS) return outcome === FIELD_ANSWERED;
      beginAStar(crowd);
    }
    if (current.kind !== SEARCH_CORRIDOR) return true;
    if (!searchCorridor(crowd)) return false;
    if (found.outcome !== 'unreachable') return true;
    if (current.detour !== DETOUR_UNREACHABLE) break;
    // The remembered polygon is unreachable, too, so search without it.
    beginSearchOf(crowd, slot, DETOUR_FORBIDDEN);
  }
  if (current.detour !== DETOUR_ISLAND) noteUnreachable(crowd, found.polys[found.count - 1]);
  return true;
}

/** Continues A*. Returns true when `found` is its answer. */
function searchCorridor(crowd: Crowd): boolean {
  const { searches, mesh } = crowd;
  const { current, state } = searches;
  const before = state.expandedCount;
  const filter = filterOfSearch(crowd);
  const isOver = runCorridor(state, mesh, filter, Infinity, Math.max(searches.left, 0));
  searches.left -= state.expandedCount - before;
  if (!isOver && current.restarts <= MAX_RESTARTS) return false;
  writeCorridor(found, state, mesh);
  return true;
}

/** Returns the filter of the search in progress. */
function filterOfSearch(crowd: Crowd): QueryFilter {
  const { slot, filter } = crowd.searches.current;
  const own = crowd.filters[filter];
  return isHeldUp(crowd, slot) ? (crowd.behaviors.weighBodies?.(crowd, slot, own) ?? own) : own;
}

function requestAgain(crowd: Crowd, slot: number): void {
  crowd.searches.turn[slot] = TURN_NONE;
  requestPath(crowd, slot);
}

/**
 * Begins the search of an agent: chooses its goal and its algorithm. `detour` is DETOUR_NONE or
 * DETOUR_FORBIDDEN.
 */
function beginSearchOf(crowd: Crowd, slot: number, detour: number): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  current.restarts =
    current.slot === slot && current.revision !== mesh.revision ? Math.min(current.restarts, MAX_RESTARTS) + 1 : 0;
  current.slot = slot;
  current.filter = agents.filter[slot];
  current.revision = mesh.revision;
  current.startPoly = agents.poly[slot];
  current.goalPoly = agents.goalPoly[slot];
  current.detour = detour;
  for (let k = 0; k < 3; k++) {
    current.start[k] = position[k];
    current.goal[k] = current.wanted[k] = agents.goal[3 * slot + k];
  }
  chooseGoal(crowd);
  if (current.startPoly === current.goalPoly) {
    current.kind = SEARCH_NEAR;
    return;
  }
  if (isHeldUp(crowd, slot)) {
    beginAStar(crowd);
    return;
  }
  if (crowd.pathIndex !== undefined && readIndex(crowd, crowd.pathIndex)) {
    current.kind = SEARCH_INDEX;
    return;
  }
  const field = crowd.behaviors.chooseField?.(crowd) ?? -1;
  if (field < 0) {
    beginAStar(crowd);
    return;
  }
  current.kind = SEARCH_FIELD;
  current.field = field;
}

/** Cost of an indexed path in polygons of the budget, in addition to the corners that were searched for it. */
const INDEX_COST = 8;

/** Writes the shortest path of the current search into `found`. Returns false when the index does not have it. */
function readIndex(crowd: Crowd, index: PathIndex): boolean {
  const { searches, mesh } = crowd;
  const { startPoly, start, goalPoly, goal: end, filter: number } = searches.current;
  const filter = crowd.filters[number];
  const isFound = indexedCorridor.find?.(found, index, mesh, filter, startPoly, start, goalPoly, end);
  if (isFound !== undefined) searches.left -= found.visitedCount;
  if (isFound !== true) return false;
  searches.left -= INDEX_COST;
  return true;
}

function beginAStar(crowd: Crowd): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  current.kind = SEARCH_CORRIDOR;
  current.startPoly = agents.poly[current.slot];
  for (let k = 0; k < 3; k++) current.start[k] = position[k];
  const filter = filterOfSearch(crowd);
  beginCorridor(searches.state, mesh, filter, current.startPoly, current.start, current.goalPoly, current.goal);
}

/** Makes `out` a path of one polygon. Sets every field, because `out` may contain a path of another agent or crowd. */
function writeOne(out: Corridor, poly: number): void {
  reservePolys(out, 1);
  out.polys[0] = poly;
  out.count = 1;
  out.outcome = 'complete';
  out.cost = 0;
  out.visitedCount = 1;
}

/** Gives an agent the path in `found`, and moves the end of the path to the current goal. */
function handOut(crowd: Crowd, slot: number): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  const corridor = crowd.corridors[slot];
  const isShort = found.outcome === 'budget';
  const isPartial =
    current.detour === DETOUR_ISLAND || current.detour === DETOUR_UNREACHABLE || found.outcome !== 'complete';
  for (let k = 0; k < 3; k++) goal[k] = current.goal[k];
  if (found.outcome !== 'complete') closestPointOnPoly(goal, mesh, found.polys[found.count - 1], goal);
  resetCorridor(corridor, mesh, agents.poly[slot], position);
  setCorridor(corridor, mesh, found, goal);
  agents.flags[slot] = (agents.flags[slot] & ~(AGENT_AWAITS_PATH | AGENT_PARTIAL)) | AGENT_STALE_CORNERS;
  if (isPartial) agents.flags[slot] |= AGENT_PARTIAL;
  agents.searchTick[slot] = crowd.tick;
  agents.targetDrift[slot] = 0;
  crowd.searchCount++;
  searches.left -= 1 + (found.count >> 2);
  let hasMoved = false;
  for (let k = 0; k < 3; k++) {
    goal[k] = agents.goal[3 * slot + k];
    if (goal[k] !== current.wanted[k]) hasMoved = true;
  }
  endSearch(searches);
  if (isShort || (hasMoved && isPartial && agents.goalKind[slot] === GOAL_POINT)) {
    requestAgain(crowd, slot);
  } else if (hasMoved && !isPartial) {
    const filter = crowd.filters[agents.filter[slot]];
    const isReached = moveCorridorTarget(corridor, mesh, slide, slideState, goal, filter);
    const { polys, count } = corridor.corridor;
    if (!isReached || polys[count - 1] !== agents.goalPoly[slot]) requestAgain(crowd, slot);
  }
}
