/**
 * What holds tiles together: portals, links and islands, put in as a tile comes and taken out as it goes.
 *
 * Cost: linear in the tile and the border edges of those around it. Based on: own.
 */
import { attachAllLinks, attachLinksAt, detachTileLinks } from './attach-links.ts';
import { islandNode } from './islands.ts';
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

/** Connects all tiles of a mesh that has no connections yet, as one that was just read. */
export function connectAll(mesh: NavMesh): void {
  const { tileState, tilePolyStart, tilePolyCount, islandParent } = mesh;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (tileState[slot] === 0) continue;
    const end = tilePolyStart[slot] + tilePolyCount[slot];
    for (let poly = tilePolyStart[slot]; poly < end; poly++) {
      const node = islandNode(mesh, poly);
      islandParent[node] = node;
    }
  }
  // The sides towards +z and +x: each border once.
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (tileState[slot] === 0) continue;
    openPortals(mesh, slot, 1);
    openPortals(mesh, slot, 2);
  }
  attachAllLinks(mesh);
}
