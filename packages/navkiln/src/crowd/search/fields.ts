/**
 * Which field answers a search (goal-field.ts): one that is there, a new one, or none.
 *
 * Those share one who go to the same polygon, to places in it so near to each other that a way to the one is at most FIELD_SLACK
 * dearer than the best to the other: it need not be more than twice the way between the two. Cost: a look at the queue, when
 * enough of it go to that polygon.
 *
 * Based on: own.
 */
import type { Corridor } from '../../query/path/corridor.ts';
import { createGoalField, beginField, isFieldOf, isSettled } from './goal-field.ts';
import type { GoalField } from '../state/search-types.ts';
import { DETOUR_UNREACHABLE, DETOUR_ISLAND, FIELD_COUNT, FIELD_TICKS } from './record.ts';
import type { Search } from '../state/search-types.ts';
import type { Crowd } from '../state/types.ts';

/**
 * So many who go to the same place share a search. For one start a field expands five times what A* does (473 to 93 on terrain,
 * 342 to 110 in a dungeon), for the next ones less and less.
 */
export const SHARED_FROM = 4;
/** A path by a field to another point of the goal's polygon may cost so much more than the best one, as a share of it. */
const FIELD_SLACK = 0.05;
/** Ticks a field is kept whose filter has methods: what these say may change. */
const FIELD_METHOD_TICKS = 30;

/** The field that answers the current search: one that knows already, one to go on with, a new one; -1: it is to have A*. */
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

/** How many of the queue go where the current one goes, itself among them; at most SHARED_FROM. */
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

/** A field leads to a polygon. Seen from the start, is the goal at hand near enough to this one for the way there to serve? */
function isGoalNear(current: Search, other: Float64Array, at: number): boolean {
  let apart = 0;
  let away = 0;
  for (let k = 0; k < 3; k++) {
    apart += (current.goal[k] - other[at + k]) * (current.goal[k] - other[at + k]);
    away += (current.goal[k] - current.start[k]) * (current.goal[k] - current.start[k]);
  }
  return 4 * apart <= FIELD_SLACK * FIELD_SLACK * away;
}

/** The same, now that it is known what the way costs: the detour over the field's goal bounds what it costs too much. */
export function isCheapEnough(crowd: Crowd, field: GoalField, found: Corridor): boolean {
  const { current } = crowd.searches;
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (current.goal[k] - field.goal[k]) * (current.goal[k] - field.goal[k]);
  if (sum === 0) return true;
  const areaCost = crowd.filters[current.filter].areaCosts[crowd.mesh.polyArea[current.goalPoly]];
  return 2 * areaCost * Math.sqrt(sum) <= FIELD_SLACK * found.cost;
}
