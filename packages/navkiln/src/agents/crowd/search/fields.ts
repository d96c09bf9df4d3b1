/**
 * Chooses the field that answers a search (goal-field.ts): an existing one, a new one, or none.
 *
 * Agents share a field when they go to nearby points of the same polygon. A path to one point must cost at most
 * FIELD_SLACK more than the best path to the other. The excess is at most twice the path between the two points.
 *
 * In: the current search, the queue, the fields.
 * Out: the index of a field, or -1.
 * Cost: constant; linear in the queue when enough of it goes to the same polygon.
 * Based on: own.
 */
import { costBetween } from '../../../query/filter.ts';
import type { Corridor } from '../../../query/path/corridor.ts';
import { createGoalField, beginField, isFieldOf, isSettled, readField, runField } from './goal-field.ts';
import type { GoalField } from '../state/search-types.ts';
import {
  DETOUR_UNREACHABLE,
  DETOUR_ISLAND,
  FIELD_ANSWERED,
  FIELD_COUNT,
  FIELD_SEARCHED,
  FIELD_TICKS,
  FIELD_USELESS,
} from './record.ts';
import type { Search } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * At least this many agents with one goal share a field. For one start, a field expands about five times as many nodes
 * as A* (docs/notes/corridor.md); each further start costs less.
 */
const SHARED_FROM = 4;
/**
 * Maximum extra cost of a path of a field, relative to the best path. The field leads to another point of the polygon.
 */
const FIELD_SLACK = 0.05;
/** Nodes that a field expands before it checks again whether the start is answered. */
const FIELD_SLICE = 16;
/** Ticks after which a field is discarded if its filter has methods, because their results may change. */
const FIELD_METHOD_TICKS = 30;

/** Returns the index of the field that answers the current search, existing or new; -1: use A*. */
export function chooseField(crowd: Crowd): number {
  const { searches, mesh } = crowd;
  const { current, fields, fieldBegun, fieldUsed } = searches;
  const filter = crowd.filters[current.filter];
  const hasMethods = filter.passes !== undefined || filter.cost !== undefined;
  const isShared = countSharers(crowd) >= SHARED_FROM;
  for (let i = 0; i < fields.length; i++) {
    if (!isFieldOf(fields[i], mesh, filter, current.goalPoly)) continue;
    if (crowd.tick - fieldUsed[i] > FIELD_TICKS || (hasMethods && crowd.tick - fieldBegun[i] > FIELD_METHOD_TICKS))
      continue;
    if (!isGoalNear(current, fields[i].goal, 0)) continue;
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

/**
 * Returns how many queued agents share the goal of the current search, itself included; at most SHARED_FROM.
 */
function countSharers(crowd: Crowd): number {
  const { searches, agents } = crowd;
  const { current, queue, queueCount } = searches;
  const goalPoly = agents.goalPoly[current.slot];
  if (queueCount < SHARED_FROM || searches.goalCount[goalPoly] < SHARED_FROM) return 1;
  const isDetour = current.detour === DETOUR_ISLAND || current.detour === DETOUR_UNREACHABLE;
  let count = 0;
  for (let i = 0; i < queueCount && count < SHARED_FROM; i++) {
    const other = queue[i];
    if (agents.goalPoly[other] !== goalPoly || agents.filter[other] !== current.filter) continue;
    if (isDetour || isGoalNear(current, agents.goal, 3 * other)) count++;
  }
  return count;
}

/**
 * Returns true when the goal of the search is, seen from its start, near enough to the goal of a field,
 * other[at .. at + 2].
 */
function isGoalNear(current: Search, other: Float64Array, at: number): boolean {
  let apart = 0;
  let away = 0;
  for (let k = 0; k < 3; k++) {
    apart += (current.goal[k] - other[at + k]) * (current.goal[k] - other[at + k]);
    away += (current.goal[k] - current.start[k]) * (current.goal[k] - current.start[k]);
  }
  return 4 * apart <= FIELD_SLACK * FIELD_SLACK * away;
}

/**
 * Returns true when a found path costs at most FIELD_SLACK more than the best one. The detour over the
 * field's goal bounds that.
 */
function isCheapEnough(crowd: Crowd, field: GoalField, found: Corridor): boolean {
  const { current } = crowd.searches;
  const filter = crowd.filters[current.filter];
  let isSame = true;
  for (let k = 0; k < 3; k++) isSame &&= current.goal[k] === field.goal[k];
  if (isSame) return true;
  const { goalPoly, goal } = current;
  const there = costBetween(filter, crowd.mesh, -1, goalPoly, -1, goal, 0, field.goal, 0);
  const back = costBetween(filter, crowd.mesh, -1, goalPoly, -1, field.goal, 0, goal, 0);
  return there + back <= FIELD_SLACK * found.cost;
}

/** Adds `by` to `goalCount` for the goal of each queued agent. */
export function countGoals(crowd: Crowd, queueCount: number, by: number): void {
  const { searches, agents, mesh } = crowd;
  if (queueCount < SHARED_FROM) return;
  if (searches.goalCount.length < mesh.polyCount) searches.goalCount = new Int32Array(mesh.polyCount);
  const { goalCount, queue } = searches;
  for (let i = 0; i < queueCount; i++) {
    const goalPoly = agents.goalPoly[queue[i]];
    if (goalPoly >= 0) goalCount[goalPoly] += by;
  }
}

/**
 * Continues the field of the current search, and writes its answer into `found`. Returns FIELD_SEARCHED while the budget
 * of the tick is used up, and FIELD_USELESS when a path of A* is cheaper.
 */
export function answerByField(found: Corridor, crowd: Crowd, slot: number, position: Float64Array): number {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  if (!searchField(crowd, slot, position)) return FIELD_SEARCHED;
  const field = searches.fields[current.field];
  const filter = crowd.filters[current.filter];
  const isFound = readField(found, field, mesh, filter, agents.poly[slot], position);
  return isFound && isCheapEnough(crowd, field, found) ? FIELD_ANSWERED : FIELD_USELESS;
}

/** Continues a field. Returns true when it has answered the agent's polygon. */
function searchField(crowd: Crowd, slot: number, position: Float64Array): boolean {
  const { searches, mesh, agents } = crowd;
  const { current } = searches;
  const field = searches.fields[current.field];
  const filter = crowd.filters[current.filter];
  searches.fieldUsed[current.field] = crowd.tick;
  while (!isSettled(field, mesh, filter, agents.poly[slot], position)) {
    if (searches.left <= 0) return false;
    const before = field.expandedCount;
    runField(field, mesh, filter, Math.min(FIELD_SLICE, searches.left));
    searches.left -= field.expandedCount - before;
  }
  return true;
}
