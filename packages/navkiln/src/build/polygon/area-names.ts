/**
 * Names the polygons of the areas of a 2D map, so that `setEnabled` finds them.
 *
 * Cost: one pass over the polygons of a tile.
 * Based on: own.
 */
import { ensureGroup } from '../../mesh/named.ts';
import type { NavMesh, TileData, TileGroup } from '../../mesh/types.ts';
import type { NamedArea } from './options.ts';

/** Adds the names of areas to a mesh. Areas need not have polygons. */
export function addAreaNames(mesh: NavMesh, named: readonly NamedArea[]): void {
  for (const { name, enabled } of named) ensureGroup(mesh, name, enabled);
}

/** Returns a tile with the names of its areas. */
export function withNames(tile: TileData, named: readonly NamedArea[]): TileData {
  const groups: TileGroup[] = [];
  for (const { name, id } of named) {
    const polys: number[] = [];
    for (let p = 0; p < tile.polyCount; p++) if (tile.polyArea[p] === id) polys.push(p);
    if (polys.length > 0) groups.push({ name, polys });
  }
  return groups.length === 0 ? tile : { ...tile, groups };
}
