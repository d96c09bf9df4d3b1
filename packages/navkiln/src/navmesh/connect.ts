/**
 * What holds tiles together: portals, links and islands, put in as a tile comes and taken out as it goes.
 *
 * Cost: linear in the tile and the border edges of those around it. Based on: own.
 */
import { attachLinksAt, detachTileLinks } from './attach-links.ts';
import { closePortals, openPortals } from './portals.ts';
import type { NavMesh } from './types.ts';

/** Connects a tile that is in its place with those around it. */
export function connectTile(mesh: NavMesh, slot: number): void {
  for (let side = 0; side < 4; side++) openPortals(mesh, slot, side);
  attachLinksAt(mesh, mesh.tileX[slot], mesh.tileZ[slot]);
}

/** The opposite. */
export function disconnectTile(mesh: NavMesh, slot: number): void {
  closePortals(mesh, slot);
  detachTileLinks(mesh, slot);
}
