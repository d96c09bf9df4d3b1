/**
 * Tracks the islands of each size on a mesh with sizes.
 *
 * Islands of a size are computed when a search for it fails, and again at the next failure after a change of the mesh.
 *
 * In: a mesh. Out: the mesh is registered with `sizeIslands` of connected.ts.
 * Cost: linear in polygons, portals and links, for each size and each change of the mesh before a failed search.
 * Based on: own.
 */
import { MAX_SIZES } from '../base/constants.ts';
import { checkNavMesh } from '../mesh/check-mesh.ts';
import { islandRelation } from '../mesh/islands.ts';
import { findSizeIslands } from '../mesh/size-islands.ts';
import type { SizeIslands } from '../mesh/size-islands.ts';
import type { NavMesh } from '../mesh/types.ts';
import { sizeIslands } from './connected.ts';
import { passEverything } from './filter.ts';
import type { QueryFilter } from './filter.ts';

/** The islands of tracked meshes, by index of the size and closed kinds of links (`placeOf`). */
const tracked = new WeakMap<NavMesh, (SizeIslands | undefined)[]>();

/**
 * Makes queries with a `size` recognize ends that this size cannot reach. Paths of `findPath`, `findOptimalPath` and
 * crowds then lead to the reachable position nearest to such an end, without a search of everything reachable. Call it
 * once for a mesh with sizes, before its first query; it follows changes of the mesh. Without it, and on copies of the
 * mesh, each such query visits all polygons that the size can reach.
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
