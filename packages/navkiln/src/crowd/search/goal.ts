/**
 * Where a path is to lead whose goal cannot be reached.
 *
 * A goal on another island is replaced by the ground of the agent's own nearest to it. When it is the filter that bars the way, a
 * search finds out by flooding all that can be reached, and where it came nearest is remembered for the others who ask for the
 * same: they go there, and need not flood. That holds for everybody who can get there, as long as what is open one way is open
 * the other way, too: with one-way links or methods of a filter nothing is remembered.
 *
 * Cost: islands that are stale are found out anew (linear in portals and links), else a look-up, or `findNearestOnIsland`.
 *
 * Based on: own.
 */
import { closestPointOnPoly } from '../../navmesh/ground.ts';
import { areOnOneIsland, islandNode, refreshIslands, rootOfIsland } from '../../navmesh/islands.ts';
import { LINK_BOTH_WAYS, LINK_ENABLED } from '../../navmesh/types.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { passesFilter } from '../../query/filter.ts';
import { findNearestOnIsland } from '../../query/nearest/on-island.ts';
import { createNearestHit } from '../../query/nearest/nearest.ts';
import { UNREACHABLE_COUNT, DETOUR_UNREACHABLE, DETOUR_ISLAND, DETOUR_NONE } from './record.ts';
import type { Crowd } from '../state/types.ts';

/** What finding ground on an island counts in polygons. */
const LANDING_COST = 16;

const landing = createNearestHit();

/** Replaces the goal of the current search when it is known that no way leads there. */
export function chooseGoal(crowd: Crowd): void {
  const { searches, mesh } = crowd;
  const { current, landed } = searches;
  const { startPoly, wanted } = current;
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  if (areOnOneIsland(mesh, startPoly, current.goalPoly) !== 0) {
    if (current.detour !== DETOUR_NONE) takeBarred(crowd);
    return;
  }
  current.detour = DETOUR_ISLAND;
  const root = rootOfIsland(mesh, islandNode(mesh, startPoly));
  const isKnown =
    landed.tick === crowd.tick &&
    landed.root === root &&
    landed.filter === current.filter &&
    landed.goal[0] === wanted[0] &&
    landed.goal[1] === wanted[1] &&
    landed.goal[2] === wanted[2];
  if (!isKnown) {
    searches.left -= LANDING_COST;
    findNearestOnIsland(landing, mesh, startPoly, wanted, crowd.filters[current.filter]);
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

/** Has somebody else found out that there is no way? */
function takeBarred(crowd: Crowd): void {
  const { searches, mesh } = crowd;
  const { current, unreachable } = searches;
  for (let i = 0; i < UNREACHABLE_COUNT; i++) {
    const { revision, filter, goalPoly, poly } = unreachable[i];
    if (revision !== mesh.revision || goalPoly !== current.goalPoly || filter !== current.filter) continue;
    // Who stands on closed ground may have ways that others have not.
    if (!passesFilter(crowd.filters[filter], mesh, current.startPoly)) return;
    current.detour = DETOUR_UNREACHABLE;
    current.goalPoly = poly;
    closestPointOnPoly(current.goal, mesh, poly, current.wanted);
    return;
  }
}

/** The current search has found that no way leads to its goal; `poly` is as near as it gets. */
export function noteUnreachable(crowd: Crowd, poly: number): void {
  const { searches, mesh } = crowd;
  const { current, unreachable } = searches;
  if (crowd.filters[current.filter].passes !== undefined || hasOneWayLink(mesh)) return;
  let place = searches.nextUnreachable;
  for (let i = 0; i < UNREACHABLE_COUNT; i++) {
    if (unreachable[i].goalPoly === current.goalPoly && unreachable[i].filter === current.filter) place = i;
  }
  if (place === searches.nextUnreachable) searches.nextUnreachable = (place + 1) % UNREACHABLE_COUNT;
  unreachable[place].revision = mesh.revision;
  unreachable[place].filter = current.filter;
  unreachable[place].goalPoly = current.goalPoly;
  unreachable[place].poly = poly;
}

function hasOneWayLink(mesh: NavMesh): boolean {
  const { linkState } = mesh;
  for (let link = 0; link < mesh.linkCount; link++) {
    if ((linkState[link] & (LINK_ENABLED | LINK_BOTH_WAYS)) === LINK_ENABLED) return true;
  }
  return false;
}
