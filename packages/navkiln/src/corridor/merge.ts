/**
 * A corridor whose walker or target has moved, or that has a shorter way: what was walked is spliced in, nothing is searched.
 *
 * In: a corridor, and polygons that are each a neighbour of the one before, as `moveAlongSurface` and `raycast` give them. Out:
 * the same corridor, changed in place, or false when the two have no polygon in common: then it is as it was, and a search is
 * due. Its cost and outcome stay what the search said. Polygons may come twice when a walk leaves the corridor and comes back.
 *
 *   start moved   corridor A B C D, walked A B X      ->  X B C D       from where one is, back to what is left
 *   end moved     corridor A B C D, walked D C Y      ->  A B C Y
 *   shortcut      corridor A B C D, seen   A X D      ->  A X D         what the ray crossed replaces what it leads past
 *   neighbour     corridor A B C D, C is beside A     ->  A C D
 *
 * How one polygon leads to the next is looked up: the edge between them, or the widest portal. Cost: the length of the corridor
 * times that of what is spliced in (mostly one polygon or two), comparisons of integers only. No allocation after warm-up.
 *
 * Based on: Detour's path corridor and RecastDemo's follow mode (Mikko Mononen): which of several common polygons counts is as
 * there. Other than there: no limit on polygons (there the far end is cut off), links are never a shortcut, and it is told when
 * nothing is in common.
 */
import { isLinkCrossing } from '../navmesh/crossing.ts';
import type { NavMesh } from '../navmesh/types.ts';
import type { Corridor } from '../query/path/corridor.ts';
import { findCrossing, lastIndexOf, NO_CROSSING, replaceHead, reservePolys } from '../query/path/corridor.ts';

/** Polygons of a corridor that `fixCorridorShortcuts` looks at, the first among them. As in RecastDemo. */
const LOOK_AHEAD = 6;

/**
 * The walker has moved along visited[0 .. count - 1] (dense indices) to the last of them. Of the polygons both have, the one
 * furthest along the corridor counts. False: there is none.
 */
export function mergeCorridorStartMoved(
  corridor: Corridor,
  mesh: NavMesh,
  visited: Int32Array,
  count: number,
): boolean {
  if (!findLastCommon(corridor, visited, count)) return false;
  const { place, step } = common;
  // Where the walker is, back to the common polygon, which the corridor has already.
  const head = count - 1 - step;
  replaceHead(corridor, head, place);
  for (let i = 0; i < head; i++) corridor.polys[i] = visited[count - 1 - i];
  connect(corridor, mesh, 0, head);
  return true;
}

/**
 * A ray from the first polygon crossed visited[0 .. count - 1]: these replace what the corridor has up to the one furthest along
 * it that both have. False: there is none.
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
 * The target has moved along visited[0 .. count - 1] to the last of them. Of the polygons both have, the one that comes first in
 * the corridor counts. False: there is none.
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
 * Cuts out what lies between the first polygon and the furthest of the next few that is a neighbour of it. A link among these
 * stays: it may have been taken because it is cheap. Returns how many polygons were cut out.
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

/** The common polygon found last: its place in the corridor, and in what was visited. @internal */
export const common: { place: number; step: number } = { place: 0, step: 0 };

/** Of the polygons both have, the one furthest along the corridor; false: there is none. @internal */
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

/** The one that comes first in the corridor. @internal */
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

/** Looks up how polygons `from` .. `to` lead to each other. */
function connect(corridor: Corridor, mesh: NavMesh, from: number, to: number): void {
  const { polys, crossings } = corridor;
  for (let i = from; i < to; i++) crossings[i] = findCrossing(mesh, polys[i], polys[i + 1]);
}
