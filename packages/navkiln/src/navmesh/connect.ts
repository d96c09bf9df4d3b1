/**
 * Connects a tile with the tiles around it: portals, links and islands.
 *
 * Cost: linear in the tile and in the border edges of its neighbors.
 * Based on: own.
 */
import { attachLinksAt, detachTileLinks } from './attach-links.ts';
import { closePortals, openPortals } from './portals.ts';
import type { NavMesh } from './types.ts';

/** Connects a tile that was just inserted. */
export function connectTile(mesh: NavMesh, slot: number): void {
  for (let side = 0; side < 4; side++) openPortals(mesh, slot, side);
  attachLinksAt(mesh, mesh.tileX[slot], mesh.tileZ[slot]);
}

/** Removes all connections of a tile that is about to be removed. */
export function disconnectTile(mesh: NavMesh, slot: number): void {
  closePortals(mesh, slot);
  detachTileLinks(mesh, slot);
}
