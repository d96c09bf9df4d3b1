/**
 * Step: searches. Who waits for a path, and how much searching is done in a tick.
 *
 * First come, first served: by the tick of the request, then by slot. A tick may expand so many polygons (`searchBudget`) and no
 * more; what it does not use is gone. Whoever asks again keeps its turn and gets a path to the goal it has by then; a search
 * under way is not begun anew for that: its path is handed out, with its end moved on to where the goal is.
 *
 * Those who go to the same place are answered by one search backwards from there (search-fields.ts), which goes on for the next
 * one where the last one ended, and is kept for late comers. The others have A*, one at a time, over as many ticks as it takes;
 * whose agent has walked on by then gets the path from where it is now (search-splice.ts). Where no way leads to the goal, the
 * path leads as near to it as there is one (search-goal.ts). When the mesh keeps changing under a search, it is handed out as far
 * as it has come, and its agent asks again.
 *
 * Cost: nothing when nobody waits; else a look at each who waits, and what the budget says: expanding a polygon counts 1
 * (0.15 µs), handing out a path 1 and a fourth of its polygons, finding ground on an island 16. Over the budget a tick spends
 * what the last of its answers hands out. So nobody waits longer than all that is asked before it costs, divided by the budget,
 * and a tick.
 * 2,000 orders at once on terrain of 924 polygons spend 214,000 (54 ticks of 4,000) when all go elsewhere, 11,000 to one place.
 * Memory: nodes for one A* and for FIELD_COUNT fields, made when needed. No allocation once these have grown.
 *
 * Based on: own. A queue of searches in slices is in Detour's crowd (Mikko Mononen); there a target that moves loses its turn.
 * Not built: whose priority is higher first; then how long one waits would have no bound.
 */
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { beginCorridor, runCorridor, writeCorridor } from '../../query/path/a-star.ts';
import { createCorridor } from '../../query/path/corridor.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { createSearchState } from '../../query/search-state.ts';
import { createSlide } from '../../query/walk/slide.ts';
import { reservePolys } from '../../query/path/corridor.ts';
import { moveCorridorTarget } from '../../corridor/move.ts';
import { resetCorridor, setCorridor } from '../../corridor/corridor.ts';
import { isSettled, readField, runField } from './goal-field.ts';
import { SHARED_FROM, chooseField, isCheapEnough } from './fields.ts';
import { chooseGoal, noteUnreachable } from './goal.ts';
import {
  DETOUR_UNREACHABLE,
  DETOUR_ISLAND,
  DETOUR_NONE,
  SEARCH_CORRIDOR,
  SEARCH_FIELD,
  SEARCH_NEAR,
  endSearch,
  requestPath,
} from './record.ts';
import { spliceStart } from './splice.ts';
import {
  AGENT_AWAITS_PATH,
  AGENT_PARTIAL,
  AGENT_STALE_CORNERS,
  GOAL_AGENT,
  GOAL_POINT,
  STATE_GROUND,
} from '../state/types.ts';
import type { Crowd } from '../state/types.ts';

/** Polygons expanded between two looks whether a start is answered. */
const FIELD_SLICE = 16;
/** A search that changes of the mesh have ended so often is handed out as far as it has come. */
const MAX_RESTARTS = 2;

/** Step: answers those who wait, as far as the budget reaches. */
export function runSearches(crowd: Crowd): void {
  const { searches } = crowd;
  if (searches.queueCount === 0 && searches.askedCount === 0) return;
  admit(crowd);
  const { queue, turn, queueCount } = searches;
  countGoals(crowd, queueCount, 1);
  searches.left = crowd.searchBudget;
  let kept = 0;
  for (let i = 0; i < queueCount; i++) {
    const slot = queue[i];
    const isDone = searches.left > 0 && canSearch(crowd, slot) && answer(crowd, slot);
    if (isDone) {
      if (turn[slot] === 2) turn[slot] = 0;
    } else {
      keep[kept++] = slot;
      if (kept === keep.length) growKeep();
    }
  }
  countGoals(crowd, queueCount, -1);
  for (let i = 0; i < kept; i++) queue[i] = keep[i];
  searches.queueCount = kept;
}

/** Those who go on waiting. */
let keep = new Int32Array(64);

function growKeep(): void {
  const larger = new Int32Array(2 * keep.length);
  larger.set(keep);
  keep = larger;
}

/** Drops those from the queue who have cancelled, appends those who have asked, by slot. */
function admit(crowd: Crowd): void {
  const { searches, slotCount } = crowd;
  const { queue, turn } = searches;
  let count = 0;
  for (let i = 0; i < searches.queueCount; i++) if (turn[queue[i]] === 2) queue[count++] = queue[i];
  for (let slot = 0; searches.askedCount > 0 && slot < slotCount; slot++) {
    if (turn[slot] !== 1) continue;
    turn[slot] = 2;
    queue[count++] = slot;
    searches.askedCount--;
  }
  searches.askedCount = 0;
  searches.queueCount = count;
}

/** Who is on a link, has no ground or a goal without ground keeps its turn until it has. */
function canSearch(crowd: Crowd, slot: number): boolean {
  const { agents } = crowd;
  return (
    agents.state[slot] === STATE_GROUND &&
    agents.poly[slot] >= 0 &&
    agents.goalPoly[slot] >= 0 &&
    (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT)
  );
}

function countGoals(crowd: Crowd, queueCount: number, by: number): void {
  const { searches, agents, mesh } = crowd;
  if (queueCount < SHARED_FROM) return;
  if (searches.goalCount.length < mesh.polyCount) searches.goalCount = new Int32Array(mesh.polyCount);
  const { goalCount, queue } = searches;
  for (let i = 0; i < queueCount; i++) {
    const goalPoly = agents.goalPoly[queue[i]];
    if (goalPoly >= 0) goalCount[goalPoly] += by;
  }
}

/** The corridor at hand. */
const found = createCorridor();
const position = new Float64Array(3);
const goal = new Float64Array(3);
const slide = createSlide();
const slideState = createSearchState();

/** Goes on with the agent's search; true when it has been answered. */
function answer(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  for (let k = 0; k < 3; k++) position[k] = agents.position[3 * slot + k];
  if (current.slot !== slot || current.revision !== mesh.revision || current.filter !== agents.filter[slot]) {
    beginSearchOf(crowd, slot, 0);
  }
  if (!search(crowd, slot)) return false;
  // It has been put somewhere else: it asks again.
  if (current.kind === SEARCH_CORRIDOR && !spliceStart(found, crowd, slot, position)) {
    endSearch(searches);
    requestAgain(crowd, slot);
    return true;
  }
  if (agents.poly[slot] === current.goalPoly) writeOne(found, agents.poly[slot]);
  handOut(crowd, slot);
  return true;
}

/** Goes on until `found` is what the search has to say: true; false: the budget is spent. */
function search(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  for (;;) {
    if (current.kind === SEARCH_FIELD) {
      if (!searchField(crowd, slot)) return false;
      const field = searches.fields[current.field];
      const filter = crowd.filters[current.filter];
      const isFound = readField(found, field, mesh, filter, agents.poly[slot], position);
      if (isFound && isCheapEnough(crowd, field, found)) return true;
      beginAStar(crowd);
    }
    if (current.kind !== SEARCH_CORRIDOR) return true;
    if (!searchCorridor(crowd)) return false;
    if (found.outcome !== 'unreachable') return true;
    if (current.detour !== DETOUR_UNREACHABLE) break;
    // Not even where the other one came: it looks for itself.
    beginSearchOf(crowd, slot, DETOUR_NONE);
  }
  if (current.detour !== DETOUR_ISLAND) noteUnreachable(crowd, found.polys[found.count - 1]);
  return true;
}

/** Goes on with a field; true when it knows what it can know about where the agent is. */
function searchField(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  const field = searches.fields[current.field];
  const filter = crowd.filters[current.filter];
  while (!isSettled(field, mesh, filter, agents.poly[slot], position)) {
    if (searches.left <= 0) return false;
    const before = field.expandedCount;
    runField(field, mesh, filter, Math.min(FIELD_SLICE, searches.left));
    searches.left -= field.expandedCount - before;
  }
  searches.fieldUsed[current.field] = crowd.tick;
  return true;
}

/** Goes on with A*; true when `found` is what it has to say. */
function searchCorridor(crowd: Crowd): boolean {
  const { searches, mesh } = crowd;
  const { current, state } = searches;
  const before = state.expandedCount;
  const isOver = runCorridor(state, mesh, crowd.filters[current.filter], Infinity, Math.max(searches.left, 0));
  searches.left -= state.expandedCount - before;
  if (!isOver && current.restarts <= MAX_RESTARTS) return false;
  writeCorridor(found, state, mesh);
  return true;
}

function requestAgain(crowd: Crowd, slot: number): void {
  crowd.searches.turn[slot] = 0;
  requestPath(crowd, slot);
}

/** Chooses where the path is to lead, and how it is found. `detour`: 0, or DETOUR_NONE. */
function beginSearchOf(crowd: Crowd, slot: number, detour: number): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  current.restarts = current.slot === slot && current.revision !== mesh.revision ? current.restarts + 1 : 0;
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
  const field = chooseField(crowd);
  if (field < 0) {
    beginAStar(crowd);
    return;
  }
  current.kind = SEARCH_FIELD;
  current.field = field;
}

function beginAStar(crowd: Crowd): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  current.kind = SEARCH_CORRIDOR;
  current.startPoly = agents.poly[current.slot];
  for (let k = 0; k < 3; k++) current.start[k] = position[k];
  const filter = crowd.filters[current.filter];
  beginCorridor(searches.state, mesh, filter, current.startPoly, current.start, current.goalPoly, current.goal);
}

function writeOne(out: Corridor, poly: number): void {
  reservePolys(out, 1);
  out.polys[0] = poly;
  out.count = 1;
  out.outcome = 'complete';
}

/** Gives the agent the corridor in `found`. */
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
    const isThere = moveCorridorTarget(corridor, mesh, slide, slideState, goal, filter);
    const { polys, count } = corridor.corridor;
    if (!isThere || polys[count - 1] !== agents.goalPoly[slot]) requestAgain(crowd, slot);
  }
}
