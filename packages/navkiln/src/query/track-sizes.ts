/**
 * Tracks on a mesh with sizes which polygons are connected for each size.
 *
 * Islands of a size are computed when a search for it has failed, and after a change of the mesh when the next one has.
 *
 * In: a mesh. Out: `sizeIslands` of connected.ts knows it.
 * Cost: linear in polygons, portals and links, for each size and change of the mesh that a failed search follows.
 * Based on: own.
 */
import { MAX_SIZES } from '../constants.ts';
import { checkNavMesh } from '../navmesh/check-mesh.ts';
import { islandRelation } from '../navmesh/islands.ts';
import { findSizeIslands } from '../navmesh/size-islands.ts';
import type { SizeIslands } from '../navmesh/size-islands.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { sizeIslands } from './connected.ts';
import { passEverything } from './filter.ts';
import type { QueryFilter } from './filter.ts';

/** The islands of tracked meshes, by index of the size and closed kinds of links (`placeOf`). */
const tracked = new WeakMap<NavMesh, (SizeIslands | undefined)[]>();

/**
 * Lets queries with a `size` know ends that this size cannot reach: `findPath`, `findOptimalPath` and crowds then lead to the reachable
 * position that is nearest to such an end without a search for it. Call it once for a mesh with sizes, before its first query; changes of
 * the mesh are followed. Without it, and on copies of the mesh, each such query searches all that the size can reach.
 */
export function trackSizeIslands(mesh: NavMesh): void {
  checkNavMesh('trackSizeIslands', mesh);
  if (!tracked.has(mesh)) tracked.set(mesh, []);
  sizeIslands.find = find;
  sizeIslands.relate = relate;
}

function find(mesh: NavMesh, filter: QueryFilter): SizeIslands | undefined {
  const bySize = listOf(mesh, filter);
  if (bySize === undefined) return undefined;
  const at = placeOf(filter);
  const islands = bySize[at];
  if (islands?.revision === mesh.revision) return islands;
  return (bySize[at] = findSizeIslands(mesh, filter.size ?? 0, filter.closedLinks ?? 0));
}

function placeOf({ size = 0, closedLinks = 0 }: QueryFilter): number {
  return size + MAX_SIZES * closedLinks;
}

function relate(mesh: NavMesh, filter: QueryFilter, a: number, b: number): number {
  const relation = islandRelation(mesh, a, b);
  const bySize = listOf(mesh, filter);
  if (relation === 0 || bySize === undefined) return relation;
  const islands = bySize[placeOf(filter)];
  if (islands?.revision !== mesh.revision) return -1;
  const { roots } = islands;
  return roots[a] < 0 || roots[b] < 0 ? relation : +(roots[a] === roots[b]);
}

function listOf(mesh: NavMesh, { passes }: QueryFilter): (SizeIslands | undefined)[] | undefined {
  return mesh.sizes.length === 0 || passes === passEverything ? undefined : tracked.get(mesh);
}
