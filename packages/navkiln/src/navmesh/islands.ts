/**
 * Which ground is connected with which, over tiles and links: can a path lead from here to there at all?
 *
 * Within a tile `polyIsland` knows. Above it is a union-find over the tiles' islands: `islandParent`, with an entry at the node
 * of each island's root. What connects (a portal, an enabled link with both ends attached, one-way or not) unites two of them, in
 * nearly constant time; what disconnects makes the whole stale, and `refreshIslands` unites anew all that is connected:
 * linear in the islands of tiles, portals and links, a few ns each. A query meets stale islands by searching first.
 *
 * Based on: own, over data/union-find.ts.
 */
import { rootOf, unite } from '../data/union-find.ts';
import { LINK_ENABLED } from './types.ts';
import type { NavMesh } from './types.ts';

/** The node at the root of a polygon's island in its tile. @internal */
export function islandNode(mesh: NavMesh, poly: number): number {
  return mesh.tileNodeStart[mesh.polyTile[poly]] + mesh.polyIsland[poly];
}

/** The node that stands for all ground connected with the island at this node. Islands must not be stale. @internal */
export function rootOfIsland(mesh: NavMesh, node: number): number {
  return rootOf(mesh.islandParent, node);
}

/**
 * Does ground connect two polygons (dense indices), whatever the filter and the directions of links? 1: yes; 0: no, there is
 * no path between them; -1: not known as islands are stale (`refreshIslands`).
 */
export function areOnOneIsland(mesh: NavMesh, a: number, b: number): number {
  const nodeA = islandNode(mesh, a);
  const nodeB = islandNode(mesh, b);
  if (nodeA === nodeB) return 1;
  if (mesh.islandsStale === 1) return -1;
  return rootOfIsland(mesh, nodeA) === rootOfIsland(mesh, nodeB) ? 1 : 0;
}

/** Notes that two polygons are connected from now on. */
export function uniteIslands(mesh: NavMesh, polyA: number, polyB: number): void {
  if (mesh.islandsStale === 1) return;
  unite(mesh.islandParent, islandNode(mesh, polyA), islandNode(mesh, polyB));
}

/** Notes that something that connected polygons has gone. */
export function markIslandsStale(mesh: NavMesh): void {
  mesh.islandsStale = 1;
}

/** Finds out anew what is connected. Islands are not stale then. */
export function refreshIslands(mesh: NavMesh): void {
  const { islandParent, portalPoly, portalBack, linkPoly } = mesh;
  for (let node = 0; node < mesh.nodeCount; node++) {
    if (islandParent[node] >= 0) islandParent[node] = node;
  }
  mesh.islandsStale = 0;
  for (let portal = 0; portal < mesh.portalCount; portal++) {
    if (portalPoly[portal] >= 0) uniteIslands(mesh, portalPoly[portal], portalPoly[portalBack[portal]]);
  }
  for (let linkEnd = 0; linkEnd < 2 * mesh.linkCount; linkEnd += 2) {
    if ((mesh.linkState[linkEnd >> 1] & LINK_ENABLED) === 0 || linkPoly[linkEnd] < 0 || linkPoly[linkEnd + 1] < 0)
      continue;
    uniteIslands(mesh, linkPoly[linkEnd], linkPoly[linkEnd + 1]);
  }
}
