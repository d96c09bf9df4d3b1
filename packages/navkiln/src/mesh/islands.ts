/**
 * Islands: sets of polygons that are connected, across tiles and links.
 *
 * Inside a tile, `polyIsland` names the island of a polygon. Across tiles, `islandParent` is a union-find
 * with one entry at the root node of each island. A portal, or an enabled link with both ends attached,
 * unites two islands in nearly constant time, whatever its direction. Named polygons (named.ts) are islands of
 * their own inside a tile, and unite with their neighbors while their name is enabled. A removed connection marks the islands
 * stale, and `refreshIslands` unites all connections again. While islands are stale, a query searches
 * without them.
 *
 * Cost: `refreshIslands` is linear in the islands of tiles, portals and links.
 * Based on: own, over base/data/union-find.ts.
 */
import { checkHandle } from '../base/data/refuse.ts';
import { checkNavMesh } from './check-mesh.ts';
import { linkOf, otherEnd } from './crossing.ts';
import { rootOf, unite } from '../base/data/union-find.ts';
import { isClosedPoly } from './named.ts';
import { isPolyIndex, polyOfRef } from './ref.ts';
import { LINK_ENABLED } from './types.ts';
import type { NavMesh } from './types.ts';

/** Returns the root node of a polygon's island in its tile. @internal */
export function islandNode(mesh: NavMesh, poly: number): number {
  return mesh.tileNodeStart[mesh.polyTile[poly]] + mesh.polyIsland[poly];
}

/**
 * Returns the node that represents all polygons connected with a polygon (dense index), or -1 if there is no such polygon.
 * Islands must not be stale. @internal
 */
export function islandOf(mesh: NavMesh, poly: number): number {
  return isPolyIndex(mesh, poly) ? rootOf(mesh.islandParent, islandNode(mesh, poly)) : -1;
}

/**
 * Returns the node that represents all polygons connected with the island at this node, which must be the root of an island in its
 * tile. The call also shortens the paths of the union-find. Islands must not be stale. @internal
 */
export function rootOfIsland(mesh: NavMesh, node: number): number {
  return rootOf(mesh.islandParent, node);
}

/**
 * Returns whether two polygons (dense indices) are connected, for any filter and any direction of links, but not
 * through disabled names (`setEnabled`). 1: they are connected. 0: no path exists, or an index is not that of a
 * polygon. -1: islands are stale (call `refreshIslands`).
 */
export function areOnOneIsland(mesh: NavMesh, a: number, b: number): number {
  checkNavMesh('areOnOneIsland', mesh);
  checkHandle('areOnOneIsland', 'a', a);
  checkHandle('areOnOneIsland', 'b', b);
  return islandRelation(mesh, a, b);
}

/** Returns the same as `areOnOneIsland`, without its checks. @internal */
export function islandRelation(mesh: NavMesh, a: number, b: number): number {
  if (!isPolyIndex(mesh, a) || !isPolyIndex(mesh, b)) return 0;
  const nodeA = islandNode(mesh, a);
  const nodeB = islandNode(mesh, b);
  if (nodeA === nodeB) return 1;
  if (mesh.islandsStale === 1) return -1;
  return rootOfIsland(mesh, nodeA) === rootOfIsland(mesh, nodeB) ? 1 : 0;
}

/** Records that two polygons are connected, unless one of them has a disabled name. */
export function uniteIslands(mesh: NavMesh, polyA: number, polyB: number): void {
  if (mesh.islandsStale === 1 || isClosedPoly(mesh, polyA) || isClosedPoly(mesh, polyB)) return;
  unite(mesh.islandParent, islandNode(mesh, polyA), islandNode(mesh, polyB));
}

/** Records that a polygon is connected with its neighbors inside the tile. */
export function uniteInTile(mesh: NavMesh, poly: number): void {
  const first = mesh.polyEdgeStart[poly];
  for (let e = first; e < first + mesh.polyVertexCount[poly]; e++) {
    if (mesh.edgeNeighbor[e] >= 0) uniteIslands(mesh, poly, mesh.edgeNeighbor[e]);
  }
}

/** Records that a polygon is connected with its neighbors over edges, portals and open links. */
export function uniteAround(mesh: NavMesh, poly: number): void {
  const { linkState, linkPoly } = mesh;
  uniteInTile(mesh, poly);
  for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal]) {
    uniteIslands(mesh, poly, mesh.portalPoly[portal]);
  }
  for (let linkEnd = mesh.polyLink[poly]; linkEnd >= 0; linkEnd = mesh.linkNext[linkEnd]) {
    const other = linkPoly[otherEnd(linkEnd)];
    if ((linkState[linkOf(linkEnd)] & LINK_ENABLED) !== 0 && other >= 0) uniteIslands(mesh, poly, other);
  }
}

/** Records that a connection was removed. */
export function markIslandsStale(mesh: NavMesh): void {
  mesh.islandsStale = 1;
}

/** Gives a mesh the memory of islands that several meshes take turns to use. Returns whether its islands are already there. */
let takeMemory: ((mesh: NavMesh) => boolean) | undefined;

/** Makes `refreshIslands` call a function first, which returns whether the islands are known. Bundles without it are smaller. @internal */
export function setIslandMemory(take: (mesh: NavMesh) => boolean): void {
  takeMemory = take;
}

/** Recomputes the connections of islands. Islands are not stale afterwards. */
export function refreshIslands(mesh: NavMesh): void {
  if (takeMemory?.(mesh)) return;
  const { islandParent, portalPoly, portalBack, linkPoly } = mesh;
  for (let node = 0; node < mesh.nodeCount; node++) {
    if (islandParent[node] >= 0) islandParent[node] = node;
  }
  mesh.islandsStale = 0;
  for (let portal = 0; portal < mesh.portalCount; portal++) {
    if (portalPoly[portal] >= 0) uniteIslands(mesh, portalPoly[portal], portalPoly[portalBack[portal]]);
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    const a = linkPoly[2 * link];
    const b = linkPoly[2 * link + 1];
    if ((mesh.linkState[link] & LINK_ENABLED) !== 0 && a >= 0 && b >= 0) uniteIslands(mesh, a, b);
  }
  // Polygons with names are in use, so their refs need no check.
  for (const ref of mesh.polyGroup.keys()) uniteInTile(mesh, polyOfRef(mesh, ref));
}
