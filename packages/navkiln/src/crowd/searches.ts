/**
 * Step: searches. Who waits for a path, and how much searching is done in a tick.
 *
 * First come, first served: by the tick of the request, then by slot. A tick may expand so many polygons (`searchBudget`) and not
 * more; what it does not use is gone. Whoever asks again keeps its turn and gets a path to the goal it has by then; a search under
 * way is not begun anew for that: its path is handed out, with its end moved on to where the goal is.
 *
 * Those who go to the same polygon are answered by one search backwards from there (goal-field.ts), which goes on for the next one
 * where the last one ended, and is kept for late comers. The others have A*, one at a time, over as many ticks as it takes; whose
 * agent has walked on by then gets the path from where it is now. A goal on another island is replaced by the ground of the
 * agent's own that is nearest to it; a path that cannot lead to its goal for another reason leads as near to it as the search came.
 *
 * Cost: nothing when nobody waits; else a look at each who waits, and what the budget says: expanding a polygon counts 1,
 * handing out a path 1 and a fourth of its polygons, finding ground on an island 16. A tick spends at most what the last of
 * its answers hands out more than the budget. Memory: nodes for one A* and for FIELD_COUNT fields, made when needed. No
 * allocation once these have grown.
 *
 * Based on: own. A queue of searches in slices is in Detour's crowd (Mikko Mononen); there a target that moves loses its turn.
 * Not built: whose priority is higher first; then how long one waits would have no bound.
 */
import { closestPointOnPoly } from '../navmesh/ground.ts';
import { areOnOneIsland, islandNode, refreshIslands, rootOfIsland } from '../navmesh/islands.ts';
import { beginCorridor, createCorridor, findCorridor, runCorridor, writeCorridor } from '../query/a-star.ts';
import type { Corridor } from '../query/a-star.ts';
import { findNearestOnIsland } from '../query/nearest-on-island.ts';
import { createNearestHit } from '../query/nearest.ts';
import { createSearchState } from '../query/search-state.ts';
import type { SearchState } from '../query/search-state.ts';
import { createSlide } from '../query/slide.ts';
import { moveCorridorTarget, resetCorridor, setCorridor } from './corridor.ts';
import { beginField, createGoalField, isFieldOf, isSettled, readField, runField } from './goal-field.ts';
import type { GoalField } from './goal-field.ts';
import {
  AGENT_AWAITS_PATH, AGENT_PARTIAL, AGENT_STALE_CORNERS, GOAL_AGENT, GOAL_POINT, STATE_GROUND,
} from './types.ts';
import type { Crowd } from './types.ts';

/** Fields that are kept. */
export const FIELD_COUNT = 4;
/** So many who go to the same polygon share a search. */
const SHARED_FROM = 2;
/** A path by a field to another point of the goal's polygon may cost so much more than the best one, as a share. */
const FIELD_SLACK = 0.05;
/** Ticks a field is kept that nobody needs. */
export const FIELD_TICKS = 600;
/** Ticks a field is kept whose filter has methods: what these say may change. */
const FIELD_METHOD_TICKS = 30;
/** Polygons expanded between two looks whether a start is answered. */
const FIELD_SLICE = 16;
/** What finding ground on an island counts in polygons. */
const LANDING_COST = 16;
/** Polygons that may be looked at to get from where an agent is to where its search began. */
const SPLICE_NODES = 256;
/** A search that changes of the mesh have ended so often is handed out as far as it has come. */
const MAX_RESTARTS = 2;

// Search.kind
export const SEARCH_NONE = 0;
/** The goal is on the polygon of the start. */
export const SEARCH_NEAR = 1;
export const SEARCH_CORRIDOR = 2;
export const SEARCH_FIELD = 3;

/** The search under way: the answer to the first in the queue. */
export interface Search {
  /** Whose it is, -1: nobody's. */
  slot: number;
  kind: number;
  /** Of `fields`. */
  field: number;
  filter: number;
  /** Of the mesh, when it began. */
  revision: number;
  /** Where the agent was then: dense index, xyz. */
  startPoly: number;
  start: Float64Array;
  /** Its goal then. */
  wanted: Float64Array;
  /** Where the path leads: that goal, or the ground nearest to it. */
  goalPoly: number;
  goal: Float64Array;
  /** 1: the goal is on another island. */
  isElsewhere: number;
  /** How often the mesh has changed under this agent's search. */
  restarts: number;
}

/** Where ground was looked for last that takes the place of a goal on another island: holds within a tick. */
export interface Landed {
  tick: number;
  root: number;
  filter: number;
  goal: Float64Array;
  /** -1: there is none. */
  poly: number;
  point: Float64Array;
}

export interface Searches {
  /** queue[0 .. queueCount - 1]: slots that wait, first come first. */
  queue: Int32Array;
  queueCount: number;
  /** Of each slot: 0, it does not wait; 1, it has asked since the last tick; 2, it is in the queue. */
  turn: Uint8Array;
  askedCount: number;
  current: Search;
  state: SearchState;
  fields: GoalField[];
  /** Of each field: the tick it began, and the last tick it answered. */
  fieldBegun: Int32Array;
  fieldUsed: Int32Array;
  /** Polygons left to be expanded in this tick. */
  left: number;
  landed: Landed;
  /** How many in the queue go to each polygon; all 0 between ticks. */
  goalCount: Int32Array;
}

export function createSearches(maxAgents: number): Searches {
  return {
    queue: new Int32Array(maxAgents), queueCount: 0, turn: new Uint8Array(maxAgents), askedCount: 0,
    current: {
      slot: -1, kind: SEARCH_NONE, field: -1, filter: 0, revision: 0, startPoly: -1, start: new Float64Array(3),
      wanted: new Float64Array(3), goalPoly: -1, goal: new Float64Array(3), isElsewhere: 0, restarts: 0,
    },
    state: createSearchState(), fields: [], fieldBegun: new Int32Array(FIELD_COUNT), fieldUsed: new Int32Array(FIELD_COUNT),
    left: 0, goalCount: new Int32Array(0),
    landed: { tick: -1, root: -1, filter: 0, goal: new Float64Array(3), poly: -1, point: new Float64Array(3) },
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

function endSearch(searches: Searches): void {
  searches.current.slot = -1;
  searches.current.kind = SEARCH_NONE;
  searches.current.restarts = 0;
}

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
  return agents.state[slot] === STATE_GROUND && agents.poly[slot] >= 0 && agents.goalPoly[slot] >= 0 &&
    (agents.goalKind[slot] === GOAL_POINT || agents.goalKind[slot] === GOAL_AGENT);
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

/** The corridor at hand, and the beginning that is put before it. */
const found = createCorridor();
const beginning = createCorridor();
const position = new Float64Array(3);
const goal = new Float64Array(3);
const slide = createSlide();
const slideState = createSearchState();

/** Goes on with the agent's search; true when it has been answered. */
function answer(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current, state } = searches;
  for (let k = 0; k < 3; k++) position[k] = agents.position[3 * slot + k];
  if (current.slot !== slot || current.revision !== mesh.revision || current.filter !== agents.filter[slot]) {
    beginSearchOf(crowd, slot);
  }
  const filter = crowd.filters[current.filter];
  if (current.kind === SEARCH_FIELD) {
    const field = searches.fields[current.field];
    while (!isSettled(field, mesh, filter, agents.poly[slot], position)) {
      if (searches.left <= 0) return false;
      const before = field.expandedCount;
      runField(field, mesh, filter, Math.min(FIELD_SLICE, searches.left));
      searches.left -= field.expandedCount - before;
    }
    searches.fieldUsed[current.field] = crowd.tick;
    if (agents.poly[slot] === current.goalPoly) current.kind = SEARCH_NEAR;
    else if (!readField(found, field, mesh, filter, agents.poly[slot], position) || !isNearEnough(crowd, field)) {
      beginAStar(crowd);
    }
  }
  if (current.kind === SEARCH_NEAR) writeOne(found, agents.poly[slot]);
  if (current.kind === SEARCH_CORRIDOR) {
    const before = state.expandedCount;
    const isOver = runCorridor(state, mesh, filter, Infinity, Math.max(searches.left, 0));
    searches.left -= state.expandedCount - before;
    const isTired = current.restarts > MAX_RESTARTS;
    if (!isOver && !isTired) return false;
    writeCorridor(found, state, mesh);
    if (!spliceStart(crowd, slot)) {
      // It has been put somewhere else: it asks again.
      endSearch(searches);
      requestAgain(crowd, slot);
      return true;
    }
  }
  handOut(crowd, slot);
  return true;
}

function requestAgain(crowd: Crowd, slot: number): void {
  crowd.searches.turn[slot] = 0;
  requestPath(crowd, slot);
}

/** Chooses where the path is to lead, and how it is found. */
function beginSearchOf(crowd: Crowd, slot: number): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  current.restarts = current.slot === slot && current.revision !== mesh.revision ? current.restarts + 1 : 0;
  current.slot = slot;
  current.filter = agents.filter[slot];
  current.revision = mesh.revision;
  current.startPoly = agents.poly[slot];
  current.goalPoly = agents.goalPoly[slot];
  for (let k = 0; k < 3; k++) {
    current.start[k] = position[k];
    current.goal[k] = current.wanted[k] = agents.goal[3 * slot + k];
  }
  land(crowd);
  if (current.startPoly === current.goalPoly) {
    current.kind = SEARCH_NEAR;
    return;
  }
  const field = chooseField(crowd, slot);
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

const landing = createNearestHit();

/** A goal on another island: the ground of the agent's own island nearest to it takes its place. */
function land(crowd: Crowd): void {
  const { searches, mesh } = crowd;
  const { current } = searches;
  const { startPoly, wanted } = current;
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  current.isElsewhere = areOnOneIsland(mesh, startPoly, current.goalPoly) === 0 ? 1 : 0;
  if (current.isElsewhere === 0) return;
  const filter = crowd.filters[current.filter];
  const root = rootOfIsland(mesh, islandNode(mesh, startPoly));
  const { landed } = searches;
  const isKnown = landed.tick === crowd.tick && landed.root === root && landed.filter === current.filter &&
    landed.goal[0] === wanted[0] && landed.goal[1] === wanted[1] && landed.goal[2] === wanted[2];
  if (!isKnown) {
    searches.left -= LANDING_COST;
    findNearestOnIsland(landing, mesh, startPoly, wanted, filter);
    landed.tick = crowd.tick;
    landed.root = root;
    landed.filter = current.filter;
    landed.goal.set(wanted);
    landed.poly = landing.poly;
    landed.point.set(landing.point);
  }
  current.goalPoly = landed.poly >= 0 ? landed.poly : startPoly;
  current.goal.set(landed.poly >= 0 ? landed.point : current.start);
}

/** The field that answers the current search: one that knows already, one to go on with, a new one; -1: it is to have A*. */
function chooseField(crowd: Crowd, slot: number): number {
  const { searches, mesh, agents } = crowd;
  const { current, fields, fieldBegun, fieldUsed, queue, queueCount, goalCount } = searches;
  const filter = crowd.filters[current.filter];
  const hasMethods = filter.passes !== undefined || filter.cost !== undefined;
  let isShared = false;
  if (queueCount >= SHARED_FROM && goalCount[agents.goalPoly[slot]] >= SHARED_FROM) {
    for (let i = 0; i < queueCount && !isShared; i++) {
      const other = queue[i];
      isShared = other !== slot && agents.goalPoly[other] === agents.goalPoly[slot] && agents.filter[other] === current.filter;
    }
  }
  for (let i = 0; i < fields.length; i++) {
    if (!isFieldOf(fields[i], mesh, filter, current.goalPoly)) continue;
    if (crowd.tick - fieldUsed[i] > FIELD_TICKS || (hasMethods && crowd.tick - fieldBegun[i] > FIELD_METHOD_TICKS)) continue;
    if (isShared || isSettled(fields[i], mesh, filter, current.startPoly, current.start)) return i;
  }
  if (!isShared) return -1;
  let chosen = fields.length;
  if (chosen === FIELD_COUNT) {
    chosen = 0;
    for (let i = 1; i < FIELD_COUNT; i++) if (fieldUsed[i] < fieldUsed[chosen]) chosen = i;
  } else {
    fields.push(createGoalField());
  }
  fieldBegun[chosen] = fieldUsed[chosen] = crowd.tick;
  beginField(fields[chosen], mesh, filter, current.goalPoly, current.goal);
  return chosen;
}

/** A field leads to a polygon; is the path in `found` good for the goal at hand, too? */
function isNearEnough(crowd: Crowd, field: GoalField): boolean {
  const { current } = crowd.searches;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (current.goal[k] - field.goal[k]) * (current.goal[k] - field.goal[k]);
  if (sum === 0) return true;
  const areaCost = crowd.filters[current.filter].areaCosts[crowd.mesh.polyArea[current.goalPoly]];
  return 2 * areaCost * Math.sqrt(sum) <= FIELD_SLACK * found.cost;
}

function writeOne(out: Corridor, poly: number): void {
  if (out.polys.length === 0) {
    out.polys = new Int32Array(32);
    out.crossings = new Int32Array(32);
  }
  out.polys[0] = poly;
  out.count = 1;
  out.outcome = 'complete';
}

/** Has `found` begin where the agent is by now; false: it does not know the way from there to where the search began. */
function spliceStart(crowd: Crowd, slot: number): boolean {
  const { searches, mesh, agents } = crowd;
  const { current, state } = searches;
  const poly = agents.poly[slot];
  if (found.polys[0] === poly) return true;
  let place = lastPlaceOf(poly);
  let head = 0;
  if (place < 0) {
    // How it gets back; from the first polygon on that way that is on the path, too.
    const filter = crowd.filters[current.filter];
    findCorridor(beginning, state, mesh, filter, poly, position, current.startPoly, current.start, SPLICE_NODES);
    searches.left -= state.expandedCount;
    if (beginning.outcome !== 'complete') return false;
    while ((place = lastPlaceOf(beginning.polys[head])) < 0) head++;
  }
  const kept = found.count - place;
  if (found.polys.length < head + kept) growFound(head + kept);
  found.polys.copyWithin(head, place, found.count);
  found.crossings.copyWithin(head, place, found.count);
  for (let i = 0; i < head; i++) {
    found.polys[i] = beginning.polys[i];
    found.crossings[i] = beginning.crossings[i];
  }
  found.count = head + kept;
  return true;
}

function lastPlaceOf(poly: number): number {
  for (let i = found.count - 1; i >= 0; i--) if (found.polys[i] === poly) return i;
  return -1;
}

function growFound(count: number): void {
  const { polys, crossings } = found;
  found.polys = new Int32Array(2 * count);
  found.polys.set(polys);
  found.crossings = new Int32Array(2 * count);
  found.crossings.set(crossings);
}

/** Gives the agent the corridor in `found`. */
function handOut(crowd: Crowd, slot: number): void {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  const corridor = crowd.corridors[slot];
  const isShort = found.outcome === 'budget';
  const isPartial = current.isElsewhere === 1 || found.outcome !== 'complete';
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
  if (isShort) {
    requestAgain(crowd, slot);
  } else if (hasMoved && !isPartial) {
    const filter = crowd.filters[agents.filter[slot]];
    const isThere = moveCorridorTarget(corridor, mesh, slide, slideState, goal, filter);
    const { polys, count } = corridor.corridor;
    if (!isThere || polys[count - 1] !== agents.goalPoly[slot]) requestAgain(crowd, slot);
  }
}
