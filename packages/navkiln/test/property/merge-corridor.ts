/**
 * A corridor that follows a walk along the surface, as RecastDemo does: an oracle, without the path corridor of the library.
 *
 *   start moved   corridor A B C D, walked A B X     ->  X B C D    from the new start back to the corridor
 *   neighbor      corridor A B C D, C is beside A    ->  A C D
 *
 * Based on: Detour's path corridor and RecastDemo's follow mode (Mikko Mononen).
 */
import { common, findLastCommon } from '../../src/agents/corridor/common.ts';
import { isLinkCrossing } from '../../src/mesh/crossing.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import type { Corridor } from '../../src/query/path/corridor.ts';
import { findCrossing, NO_CROSSING, replaceHead } from '../../src/query/path/corridor.ts';

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

/** Looks up the crossings between polygons `from` .. `to`. */
function connect(corridor: Corridor, mesh: NavMesh, from: number, to: number): void {
  const { polys, crossings } = corridor;
  for (let i = from; i < to; i++) crossings[i] = findCrossing(mesh, polys[i], polys[i + 1]);
}
