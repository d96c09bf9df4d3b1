/**
 * Finds the islands of each size on a mesh with sizes: sets of polygons on which the size fits, connected only through
 * such polygons.
 *
 * In: a mesh, the index of a size, the closed kinds of links. Out: the island of each polygon.
 * Cost: linear in polygons, portals and links.
 * Based on: own, over base/data/union-find.ts.
 */
import { unite } from '../base/data/union-find.ts';
import { KIND_SHIFT } from './link-kinds.ts';
import { LINK_ENABLED } from './types.ts';
import type { NavMesh } from './types.ts';

/** The islands of a size, at a revision of the mesh. */
export interface SizeIslands {
  revision: number;
  /** By polygon: the lowest polygon index of its island; -1 if the size does not fit there or the polygon has no flags. */
  roots: Int32Array;
  /** By tile slot: the lowest and the highest root in the tile. */
  lows: Int32Array;
  highs: Int32Array;
}

/** Returns the islands of a size, without links of closed kinds (a mask). */
export function findSizeIslands(mesh: NavMesh, size: number, closedLinks: number): SizeIslands {
  const { polyCount, polyEdgeStart, edgeNeighbor, portalPoly, linkPoly, polyTile, tileSlotCount } = mesh;
  const roots = new Int32Array(polyCount);
  const lows = new Int32Array(tileSlotCount).fill(polyCount);
  const highs = new Int32Array(tileSlotCount);
  const join = (a: number, b: number): void => {
    if (a >= 0 && b >= 0 && roots[a] >= 0 && roots[b] >= 0) unite(roots, a, b);
  };
  for (let poly = 0; poly < polyCount; poly++)
    roots[poly] = ((mesh.polySizes[poly] >> size) & 1) !== 0 && mesh.polyFlags[poly] !== 0 ? poly : -1;
  for (let poly = 0; poly < polyCount; poly++) {
    if (roots[poly] < 0) continue;
    const end = polyEdgeStart[poly] + mesh.polyVertexCount[poly];
    for (let e = polyEdgeStart[poly]; e < end; e++) join(poly, edgeNeighbor[e]);
    for (let portal = mesh.polyPortal[poly]; portal >= 0; portal = mesh.portalNext[portal])
      join(poly, portalPoly[portal]);
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    const state = mesh.linkState[link];
    const isOpen = (state & LINK_ENABLED) !== 0 && ((mesh.linkSizes[link] >> size) & 1) !== 0;
    if (isOpen && ((closedLinks >> (state >> KIND_SHIFT)) & 1) === 0) join(linkPoly[2 * link], linkPoly[2 * link + 1]);
  }
  for (let poly = 0; poly < polyCount; poly++) {
    // The root has a lower index, so the loop has handled it before.
    const root = roots[poly] < 0 ? -1 : (roots[poly] = roots[roots[poly]]);
    const slot = polyTile[poly];
    if (root < 0) continue;
    if (root < lows[slot]) lows[slot] = root;
    if (root > highs[slot]) highs[slot] = root;
  }
  return { revision: mesh.revision, roots, lows, highs };
}
