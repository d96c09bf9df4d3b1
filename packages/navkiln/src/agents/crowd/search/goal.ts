/**
 * Chooses the end of a path whose goal is unreachable.
 *
 * A goal on another island is replaced by the nearest point of the agent's own island. When the filter blocks all
 * paths, a search finds this out by visiting everything reachable. The polygon nearest to the goal is remembered, and
 * later searches for the same goal lead there immediately. This holds for every agent that can reach that polygon, as
 * long as each crossing can be passed both ways; with one-way links or a `passes` method nothing is remembered.
 *
 * In: the current search, its start and its goal.
 * Out: `current.goalPoly`, `current.goal` and `current.detour`.
 * Cost: a look-up, or `findNearestOnIsland`. Stale islands are computed again, which is linear in portals and links.
 * Based on: own.
 */
import { closestPointOnPoly } from '../../../mesh/ground.ts';
import { islandOf, refreshIslands } from '../../../mesh/islands.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../../../mesh/types.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { passesFilter } from '../../../query/filter.ts';
import { islandRelationFor, sizeIslands } from '../../../query/connected.ts';
import { findNearestOnIsland } from '../../../query/nearest/on-island.ts';
import { createNearestHit } from '../../../query/nearest/nearest.ts';
import { UNREACHABLE_COUNT, DETOUR_UNREACHABLE, DETOUR_ISLAND, DETOUR_FORBIDDEN } from './record.ts';
import type { Crowd } from '../state/types.ts';

/** Cost of `findNearestOnIsland`, in polygons of the search budget. */
const LANDING_COST = 16;

const landing = createNearestHit();

/** Replaces the goal of the current search when it is known to be unreachable. */
export function chooseGoal(crowd: Crowd): void {
  const { searches, mesh } = crowd;
  const { current, landed } = searches;
  const { startPoly, wanted } = current;
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const filter = crowd.filters[current.filter];
  const sizeRoot = sizeIslands.find?.(mesh, filter)?.roots[startPoly] ?? -1;
  if (islandRelationFor(mesh, filter, startPoly, current.goalPoly) !== 0) {
    if (current.detour !== DETOUR_FORBIDDEN) useRememberedGoal(crowd);
    return;
  }
  current.detour = DETOUR_ISLAND;
  const root = sizeRoot < 0 ? islandOf(mesh, startPoly) : -2 - sizeRoot;
  const isKnown =
    landed.tick === crowd.tick &&
    landed.root === root &&
    landed.filter === current.filter &&
    landed.goal[0] === wanted[0] &&
    landed.goal[1] === wanted[1] &&
    landed.goal[2] === wanted[2];
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

/** Replaces the goal when an earlier search could not reach it. */
function useRememberedGoal(crowd: Crowd): void {
  const { searches, mesh } = crowd;
  const { current, unreachable } = searches;
  for (let i = 0; i < UNREACHABLE_COUNT; i++) {
    const { revision, filter, goalPoly, poly } = unreachable[i];
    if (revision !== mesh.revision || goalPoly !== current.goalPoly || filter !== current.filter) continue;
    // An agent on a polygon that does not pass the filter may have paths that other agents do not have.
    if (!passesFilter(crowd.filters[filter], mesh, current.startPoly)) return;
    current.detour = DETOUR_UNREACHABLE;
    current.goalPoly = poly;
    closestPointOnPoly(current.goal, mesh, poly, current.wanted);
    return;
  }
}

/** Remembers that the goal of the current search is unreachable; the search came nearest to it on `poly`. */
export function noteUnreachable(crowd: Crowd, poly: number): void {
  const { searches, mesh } = crowd;
  const { current, unreachable } = searches;
  if (crowd.filters[current.filter].passes !== undefined || hasOneWayLink(mesh)) return;
  let index = searches.nextUnreachable;
  for (let i = 0; i < UNREACHABLE_COUNT; i++) {
    // Dense indices of an earlier revision of the mesh name other polygons.
    const { revision, filter, goalPoly } = unreachable[i];
    if (revision === mesh.revision && goalPoly === current.goalPoly && filter === current.filter) index = i;
  }
  if (index === searches.nextUnreachable) searches.nextUnreachable = (index + 1) % UNREACHABLE_COUNT;
  unreachable[index].revision = mesh.revision;
  unreachable[index].filter = current.filter;
  unreachable[index].goalPoly = current.goalPoly;
  unreachable[index].poly = poly;
}

function hasOneWayLink(mesh: NavMesh): boolean {
  const { linkState } = mesh;
  for (let link = 0; link < mesh.linkCount; link++) {
    if ((linkState[link] & (LINK_ENABLED | LINK_BOTH_WAYS)) === LINK_ENABLED) return true;
  }
  return false;
}
