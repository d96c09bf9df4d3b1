/**
 * Adds tiles to a mesh and removes them.
 *
 * A tile takes a slot and a range at the end of each pool. Removing it frees the slot and leaves holes in the
 * pools. Queries go from tile to tile or from neighbor to neighbor, so they never visit a hole. When an array
 * would have to grow and at least half of its pool is holes, all pools are compacted instead (compact.ts). A
 * mesh whose tiles are replaced forever stays below about twice its live size. Dense indices hold until the
 * next `addTile` or `removeTile`; refs stay.
 *
 * A free slot is reused with the next generation, last freed first. A slot at the maximum generation is retired.
 * insert-tile.ts connects a tile to its neighbors, attach-links.ts to its links.
 *
 * Cost: amortized linear in the tile.
 * Based on: own.
 */
import { checkMutableMesh } from '../check-mesh.ts';
import { checkHandle } from '../../base/data/refuse.ts';
import { checkTile, checkTileGroups, checkTileKinds, checkTileSettings, checkTileShapes } from '../check/tile.ts';
import { compactMesh, liveCount } from '../tiles/compact.ts';
import { attachLinksAt, detachTileLinks } from '../tiles/attach-links.ts';
import { insertTile, tileCounts } from '../tiles/insert-tile.ts';
import { ARRAY_FIELDS, RANGE_FIELDS } from '../layout.ts';
import type { CountName } from '../layout.ts';
import { removeTileGroups } from '../named.ts';
import { closePortals } from '../tiles/portals.ts';
import { MAX_GENERATION } from '../ref.ts';
import { unlinkTile } from '../tiles/tile-grid.ts';
import type { NavMesh, TileData } from '../types.ts';

/**
 * Adds a tile and returns its slot. The data are checked as `loadNavMesh` checks a file, and copied. Throws a RangeError when the position
 * is taken, the tile was baked with other settings, a number is out of range, a polygon is not convex or has a neighbor that is not its
 * own, or a limit is reached. Throws a TypeError if the value is not a `TileData`. The mesh does not change then.
 */
export function addTile(mesh: NavMesh, tile: TileData): number {
  checkMutableMesh('addTile', mesh);
  checkTileKinds(tile);
  checkTileSettings(mesh, tile);
  checkTile(mesh, tile);
  checkTileGroups(tile);
  checkTileShapes(tile);
  return insertChecked(mesh, tile);
}

/**
 * Does what `addTile` does for a tile that a builder of this library has just made: its fields have the right types, its polygons the
 * right shapes, and it has the settings of the mesh. @internal
 */
export function addBuiltTile(mesh: NavMesh, tile: TileData): number {
  checkTile(mesh, tile);
  return insertChecked(mesh, tile);
}

function insertChecked(mesh: NavMesh, tile: TileData): number {
  const counts = tileCounts(tile);
  if (RANGE_FIELDS.some(({ pool }, i) => needsGrowth(mesh, pool, mesh[pool] + counts[i]))) {
    const isHollow = RANGE_FIELDS.some((range) => mesh[range.pool] > 2 * liveCount(mesh, range));
    if (isHollow) Object.assign(mesh, compactMesh(mesh));
  }
  mesh.revision++;
  const slot = insertTile(mesh, tile);
  attachLinksAt(mesh, tile.x, tile.z);
  return slot;
}

/** Removes the tile in this slot. Refs into it are stale afterwards. Returns false when the slot is free. */
export function removeTile(mesh: NavMesh, slot: number): boolean {
  checkMutableMesh('removeTile', mesh);
  checkHandle('removeTile', 'slot', slot);
  if (mesh.tileState[slot] !== 1) return false;
  mesh.revision++;
  const x = mesh.tileX[slot];
  const z = mesh.tileZ[slot];
  closePortals(mesh, slot);
  detachTileLinks(mesh, slot);
  removeTileGroups(mesh, slot);
  unlinkTile(mesh, slot);
  for (const { pool, start, count } of RANGE_FIELDS) {
    // The last range of a pool leaves no hole.
    if (mesh[start][slot] + mesh[count][slot] === mesh[pool]) mesh[pool] = mesh[start][slot];
    mesh[start][slot] = mesh[count][slot] = 0;
  }
  mesh.tileState[slot] = mesh.tileZ[slot] = mesh.tileLayer[slot] = 0;
  mesh.tileX[slot] = -1;
  mesh.tileBounds.fill(0, 6 * slot, 6 * slot + 6);
  if (mesh.tileGeneration[slot] < MAX_GENERATION) {
    mesh.tileX[slot] = mesh.tileFreeSlot;
    mesh.tileFreeSlot = slot;
  }
  // Links that ended there may find another polygon.
  attachLinksAt(mesh, x, z);
  return true;
}

function needsGrowth(mesh: NavMesh, pool: CountName, count: number): boolean {
  return ARRAY_FIELDS.some((field) => field.pool === pool && mesh[field.name].length < count * field.stride);
}
