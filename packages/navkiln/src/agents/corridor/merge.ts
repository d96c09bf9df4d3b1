/**
 * Repairs a corridor after its start or its target has moved, or after a shortcut was seen. It runs no search.
 *
 *   start moved   corridor A B C D, walked A B X     ->  X B C D    from the new start back to the corridor
 *   end moved     corridor A B C D, walked D C Y     ->  A B C Y
 *   shortcut      corridor A B C D, seen   A X D     ->  A X D      crossed polygons replace bypassed ones
 *   neighbor      corridor A B C D, C is beside A    ->  A C D
 *
 * Crossings are looked up: the edge between two polygons, or the widest portal. Cost and outcome of the
 * corridor stay those of the search. A polygon may occur twice when a walk leaves the corridor and returns.
 *
 * In: a corridor, and a chain of neighboring polygons, as from `moveAlongSurface` and `raycast`.
 * Out: the same corridor, or false when the two have no polygon in common; a search is then due.
 * Cost: the length of the corridor times the number of visited polygons, in comparisons of integers. No
 * allocation after warm-up.
 * Based on: Detour's path corridor and RecastDemo's follow mode (Mikko Mononen), whose choice of the common
 * polygon this is. Here the corridor has no maximum length, links are never shortcuts, and a missing common
 * polygon is reported.
 */
import { isLinkCrossing } from '../../mesh/crossing.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Corridor } from '../../query/path/corridor.ts';
import { findCrossing, lastIndexOf, NO_CROSSING, replaceHead, reservePolys } from '../../query/path/corridor.ts';

/** The number of polygons that `fixCorridorShortcuts` examines, including the first. RecastDemo uses the same value. */
const LOOK_AHEAD = 6;

/**
 * Updates a corridor whose start has moved along visited[0 .. count - 1] (dense indices) to the last of them.
 * Of the common polygons, the one furthest along the corridor counts. Returns false, and changes nothing,
 * when there is none.
 */
export function mergeCorridorStartMoved(
  corridor: Corridor,
  mesh: NavMesh,
  visited: Int32Array,
  count: number,
): boolean {
  if (!findLastCommon(corridor, visited, count)) return false;
  const { place, step } = common;
  // Copy the polygons from the new start back to the common polygon, which the corridor already contains.
  const head = count - 1 - step;
  replaceHead(corridor, head, place);
  for (let i = 0; i < head; i++) corridor.polys[i] = visited[count - 1 - i];
  connect(corridor, mesh, 0, head);
  return true;
}

/**
 * Takes a shortcut: visited[0 .. count - 1], crossed by a ray from the first polygon, replaces the corridor
 * up to the common polygon furthest along it. Returns false, and changes nothing, when there is none.
 */
export function mergeCorridorStartShortcut(
  corridor: Corridor,
  mesh: NavMesh,
  visited: Int32Array,
  count: number,
): boolean {
  if (!findLastCommon(corridor, visited, count)) return false;
  const { place, step } = common;
  if (step === 0) return true;
  replaceHead(corridor, step, place);
  for (let i = 0; i < step; i++) corridor.polys[i] = visited[i];
  connect(corridor, mesh, 0, step);
  return true;
}

/**
 * Updates a corridor whose target has moved along visited[0 .. count - 1] to the last of them. Of the common
 * polygons, the first one in the corridor counts. Returns false, and changes nothing, when there is none.
 */
export function mergeCorridorEndMoved(corridor: Corridor, mesh: NavMesh, visited: Int32Array, count: number): boolean {
  if (!findFirstCommon(corridor, visited, count)) return false;
  const { place, step } = common;
  const total = place + count - step;
  reservePolys(corridor, total);
  for (let i = 1; i < count - step; i++) corridor.polys[place + i] = visited[step + i];
  corridor.count = total;
  connect(corridor, mesh, place, total - 1);
  return true;
}

/**
 * Finds the furthest of the next five polygons that is a neighbor of the first, and removes the polygons in between. A
 * link is never removed, because the path may take it for its low cost. Returns the number of removed polygons.
 */
export function fixCorridorShortcuts(corridor: Corridor, mesh: NavMesh): number {
  const { polys, crossings } = corridor;
  let reach = Math.min(LOOK_AHEAD, corridor.count) - 1;
  for (let i = 0; i < reach; i++) if (isLinkCrossing(crossings[i])) reach = i;
  for (let i = reach; i > 1; i--) {
    const crossing = findCrossing(mesh, polys[0], polys[i]);
    if (crossing === NO_CROSSING) continue;
    replaceHead(corridor, 1, i);
    corridor.crossings[0] = crossing;
    return i - 1;
  }
  return 0;
}

/** The last common polygon found: its index in the corridor (`place`) and in `visited` (`step`). @internal */
export const common: { place: number; step: number } = { place: 0, step: 0 };

/**
 * Sets `common` to the common polygon furthest along the corridor. Returns false when there is none.
 * @internal
 */
export function findLastCommon(corridor: Corridor, visited: Int32Array, count: number): boolean {
  for (let place = corridor.count - 1; place >= 0; place--) {
    const step = lastIndexOf(visited, count, corridor.polys[place]);
    if (step < 0) continue;
    common.place = place;
    common.step = step;
    return true;
  }
  return false;
}

/**
 * Sets `common` to the common polygon that comes first in the corridor. Returns false when there is none.
 * @internal
 */
export function findFirstCommon(corridor: Corridor, visited: Int32Array, count: number): boolean {
  for (let place = 0; place < corridor.count; place++) {
    const step = lastIndexOf(visited, count, corridor.polys[place]);
    if (step < 0) continue;
    common.place = place;
    common.step = step;
    return true;
  }
  return false;
}

/** Looks up the crossings between polygons `from` .. `to`. */
function connect(corridor: Corridor, mesh: NavMesh, from: number, to: number): void {
  const { polys, crossings } = corridor;
  for (let i = from; i < to; i++) crossings[i] = findCrossing(mesh, polys[i], polys[i + 1]);
}
