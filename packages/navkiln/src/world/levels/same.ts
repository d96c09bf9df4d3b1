/**
 * Compares a tile of a mesh with a newly built tile, number by number.
 *
 * In: a tile slot and a built tile. Out: whether all data are equal.
 * Cost: one pass that ends at the first difference.
 * Based on: own.
 */
import { RANGE_FIELDS } from '../../mesh/layout.ts';
import { hasSameGroups, ownFlags } from '../../mesh/named.ts';
import { tileCounts } from '../../mesh/tiles/insert-tile.ts';
import type { NavMesh, TileData } from '../../mesh/types.ts';

/** Returns whether the tile in a slot equals a built tile. */
export function isSameTile(mesh: NavMesh, slot: number, tile: TileData): boolean {
  const counts = tileCounts(tile);
  if (mesh.tileLayer[slot] !== tile.layer) return false;
  if (RANGE_FIELDS.some(({ count }, i) => mesh[count][slot] !== counts[i])) return false;
  const [vertexCount, polyCount, edgeCount, extraCount, triCount] = counts;
  const [vertexStart, polyStart, edgeStart, extraStart, triStart] = RANGE_FIELDS.map(({ start }) => mesh[start][slot]);
  for (let p = 0; p < polyCount; p++) {
    const poly = polyStart + p;
    if (
      mesh.polyEdgeStart[poly] - edgeStart !== tile.polyEdgeStart[p] ||
      mesh.polyArea[poly] !== tile.polyArea[p] ||
      mesh.polySizes[poly] !== (tile.polySizes?.[p] ?? 0xffff) ||
      ownFlags(mesh, poly) !== tile.polyFlags[p] ||
      mesh.polyDetailVertexStart[poly] - extraStart !== tile.polyDetailVertexStart[p] ||
      mesh.polyDetailTriStart[poly] - triStart !== tile.polyDetailTriStart[p]
    )
      return false;
  }
  for (let e = 0; e < edgeCount; e++) {
    const neighbor = tile.edgeNeighbor[e];
    if (mesh.edgeVertex[edgeStart + e] - vertexStart !== tile.edgeVertex[e]) return false;
    if (mesh.edgeNeighbor[edgeStart + e] !== (neighbor >= 0 ? polyStart + neighbor : neighbor)) return false;
  }
  return (
    hasSameGroups(mesh, slot, tile) &&
    isEqual(mesh.vertices, 3 * vertexStart, tile.vertices, 3 * vertexCount) &&
    isEqual(mesh.detailVertices, 3 * extraStart, tile.detailVertices, 3 * extraCount) &&
    isEqual(mesh.detailTris, 4 * triStart, tile.detailTris, 4 * triCount)
  );
}

function isEqual(pool: ArrayLike<number>, start: number, own: ArrayLike<number>, count: number): boolean {
  for (let i = 0; i < count; i++) if (pool[start + i] !== own[i]) return false;
  return true;
}
