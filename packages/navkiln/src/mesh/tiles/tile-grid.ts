/**
 * Finds tiles by grid position: a hash table of chains over (x, z), stored as typed arrays in the mesh.
 *
 * The table is derived from tileState, tileX and tileZ and rebuilt after loading.
 *
 * Cost: O(1) per tile, including the layers at one position.
 * Based on: own.
 */
import { mixNumbers } from '../../base/data/hash.ts';
import type { NavMesh } from '../types.ts';

/** Tile coordinates run from -MOST_TILES to MOST_TILES. */
export const MOST_TILES = 0x2000000;

/** Returns a tile position as one number, ordered by z, then x. */
export function keyOfTile(x: number, z: number): number {
  return (z + MOST_TILES) * (2 * MOST_TILES) + (x + MOST_TILES);
}

/** Returns x and z of a position number. */
export function tileOfKey(key: number): [number, number] {
  const row = Math.floor(key / (2 * MOST_TILES));
  return [key - row * 2 * MOST_TILES - MOST_TILES, row - MOST_TILES];
}

/** @internal */
export function tileBucket(mesh: NavMesh, x: number, z: number): number {
  return mixNumbers(x, z) & (mesh.tileHash.length - 1);
}

/** Returns the newest tile at (x, z), or -1. `nextTileAt` returns the next one. */
export function firstTileAt(mesh: NavMesh, x: number, z: number): number {
  return matching(mesh, mesh.tileHash[tileBucket(mesh, x, z)], x, z);
}

export function nextTileAt(mesh: NavMesh, slot: number): number {
  return matching(mesh, mesh.tileNext[slot], mesh.tileX[slot], mesh.tileZ[slot]);
}

function matching(mesh: NavMesh, slot: number, x: number, z: number): number {
  while (slot >= 0 && (mesh.tileX[slot] !== x || mesh.tileZ[slot] !== z)) slot = mesh.tileNext[slot];
  return slot;
}

/** Returns the slot of the tile at (x, z, layer), or -1. */
export function findTile(mesh: NavMesh, x: number, z: number, layer: number = 0): number {
  let slot = firstTileAt(mesh, x, z);
  while (slot >= 0 && mesh.tileLayer[slot] !== layer) slot = nextTileAt(mesh, slot);
  return slot;
}

/**
 * Returns whether polygon a comes before b (dense indices) by tile position and number in the tile. Used for
 * ties, so that results do not depend on storage.
 */
export function isPolyBefore(mesh: NavMesh, a: number, b: number): boolean {
  const { polyTile, tileX, tileZ, tileLayer } = mesh;
  const s = polyTile[a];
  const t = polyTile[b];
  return (tileX[s] - tileX[t] || tileZ[s] - tileZ[t] || tileLayer[s] - tileLayer[t] || a - b) < 0;
}

/** @internal */
export function linkTile(mesh: NavMesh, slot: number): void {
  const bucket = tileBucket(mesh, mesh.tileX[slot], mesh.tileZ[slot]);
  mesh.tileNext[slot] = mesh.tileHash[bucket];
  mesh.tileHash[bucket] = slot;
}

/** @internal */
export function unlinkTile(mesh: NavMesh, slot: number): void {
  const { tileHash, tileNext } = mesh;
  const bucket = tileBucket(mesh, mesh.tileX[slot], mesh.tileZ[slot]);
  if (tileHash[bucket] === slot) {
    tileHash[bucket] = tileNext[slot];
    return;
  }
  let before = tileHash[bucket];
  while (tileNext[before] !== slot) before = tileNext[before];
  tileNext[before] = tileNext[slot];
}

/** Rebuilds the table, with a bucket for each slot that the arrays have room for. @internal */
export function rehashTiles(mesh: NavMesh): void {
  let buckets = 1;
  while (buckets < mesh.tileState.length) buckets *= 2;
  mesh.tileHash = new Int32Array(buckets).fill(-1);
  mesh.tileNext = new Int32Array(mesh.tileState.length).fill(-1);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 1) linkTile(mesh, slot);
  }
}

/** Result of `findTilesNear`: slots[0 .. count - 1]. Shared; valid until the next call. */
export const tilesNear: { count: number; slots: Int32Array } = { count: 0, slots: new Int32Array(16) };

/**
 * Writes to `tilesNear` the tiles that may hold something within `reach` of a point in x and z (half extents,
 * three numbers): those at the positions in reach, or all tiles when these are fewer. Returns whether it lists all.
 * It terminates for any numbers.
 */
export function findTilesNear(mesh: NavMesh, point: Float64Array, reach: Float64Array): boolean {
  const { tileSize, origin, tileSlotCount, tileState } = mesh;
  // Tiles may stick out of their squares by a cell.
  const slack = Math.max(mesh.cellSize, 1e-6 * tileSize);
  const x0 = Math.floor((point[0] - reach[0] - slack - origin[0]) / tileSize);
  const x1 = Math.floor((point[0] + reach[0] + slack - origin[0]) / tileSize);
  const z0 = Math.floor((point[2] - reach[2] - slack - origin[2]) / tileSize);
  const z1 = Math.floor((point[2] + reach[2] + slack - origin[2]) / tileSize);
  tilesNear.count = 0;
  // Beyond this range, adding 1 would not change a coordinate.
  if (Math.abs(x0) + Math.abs(z0) < 2 ** 40 && (x1 - x0 + 1) * (z1 - z0 + 1) < tileSlotCount) {
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        for (let slot = firstTileAt(mesh, x, z); slot >= 0; slot = nextTileAt(mesh, slot)) noteTile(slot);
      }
    }
    return false;
  }
  for (let slot = 0; slot < tileSlotCount; slot++) if (tileState[slot] === 1) noteTile(slot);
  return true;
}

function noteTile(slot: number): void {
  if (tilesNear.count === tilesNear.slots.length) {
    const { slots } = tilesNear;
    tilesNear.slots = new Int32Array(2 * slots.length);
    tilesNear.slots.set(slots);
  }
  tilesNear.slots[tilesNear.count++] = slot;
}
