/**
 * Replaces a tile again and again in the same slot and, while it fits, in the same ranges of the pools.
 *
 * `removeTile` and `addTile` leave holes in the pools, so that tiles that change in each frame would compact the mesh all the time. A tile
 * that does not fit its ranges gets new ones with room to grow.
 *
 * In: a mesh, the slot of a tile, a sound tile at the same position. Out: the tile in its place; refs into the slot are stale.
 * Cost: linear in the tile, its tree, and the border edges of its neighbors.
 * Based on: own.
 */
import { removeTileGroups } from '../named.ts';
import { RANGE_FIELDS } from '../layout.ts';
import { MAX_GENERATION, MAX_POLYS_PER_TILE } from '../ref.ts';
import type { NavMesh, TileData } from '../types.ts';
import { attachLinksAt, detachTileLinks } from './attach-links.ts';
import { growPool } from './grow-pool.ts';
import { fillSlot, tileCounts } from './insert-tile.ts';
import { closePortals, openPortals } from './portals.ts';

/** The ranges of tiles that were swapped before. */
export interface SwapRooms {
  /** All ranges are lost when the mesh is compacted, which replaces this array. */
  polyTile: Int32Array | null;
  bySlot: Map<number, Room>;
}

/** Ranges, which are replaced and never changed. */
interface Room {
  /** The ranges are lost when the slot is given to another tile. */
  readonly generation: number;
  /** In the order of RANGE_FIELDS. */
  readonly starts: readonly number[];
  readonly sizes: readonly number[];
}

export function createSwapRooms(): SwapRooms {
  return { polyTile: null, bySlot: new Map() };
}

/** Returns a copy of the ranges that are still valid. */
export function copySwapRooms(mesh: NavMesh, { polyTile, bySlot }: SwapRooms): SwapRooms {
  return { polyTile: null, bySlot: new Map(polyTile === mesh.polyTile ? bySlot : []) };
}

/** Numbers that new ranges have more than they need: at least so many, and this share. */
const MORE = 16;
const MORE_SHARE = 0.5;

/**
 * Replaces the tile in a slot. Returns false, without a change, when pools are mostly holes or the slot is at its last generation: then
 * remove the tile and add the other one.
 */
export function swapTile(mesh: NavMesh, slot: number, tile: TileData, rooms: SwapRooms): boolean {
  const generation = mesh.tileGeneration[slot];
  if (generation >= MAX_GENERATION || tile.polyCount > MAX_POLYS_PER_TILE) return false;
  if (rooms.polyTile !== mesh.polyTile) rooms.bySlot.clear();
  const counts = tileCounts(tile);
  let room = rooms.bySlot.get(slot);
  let hasRoom = room?.generation === generation;
  for (let i = 0; hasRoom && i < counts.length; i++)
    hasRoom = counts[i] <= room!.sizes[i] && mesh[RANGE_FIELDS[i].start][slot] === room!.starts[i];
  if (!hasRoom) room = makeRoom(mesh, counts);
  if (room === undefined) return false;
  rooms.polyTile = mesh.polyTile;
  const { starts, sizes } = room;
  rooms.bySlot.set(slot, { generation: generation + 1, starts, sizes });
  mesh.revision++;
  closePortals(mesh, slot);
  detachTileLinks(mesh, slot);
  removeTileGroups(mesh, slot);
  mesh.tileGeneration[slot] = generation + 1;
  for (let i = 0; i < RANGE_FIELDS.length; i++) {
    const { start, count } = RANGE_FIELDS[i];
    mesh[start][slot] = starts[i];
    mesh[count][slot] = counts[i];
  }
  fillSlot(mesh, slot, tile);
  for (let side = 0; side < 4; side++) openPortals(mesh, slot, side);
  attachLinksAt(mesh, tile.x, tile.z);
  return true;
}

/** Takes ranges at the ends of the pools. Returns undefined if the pools are mostly holes. */
function makeRoom(mesh: NavMesh, counts: readonly number[]): Room | undefined {
  const sizes = counts.map((count) => Math.ceil(count * (1 + MORE_SHARE)) + MORE);
  for (let i = 0; i < sizes.length; i++) {
    const { pool, count } = RANGE_FIELDS[i];
    let room = 4 * MORE * mesh.tileSlotCount;
    for (let slot = 0; slot < mesh.tileSlotCount; slot++) room += 4 * mesh[count][slot];
    if (mesh[pool] > room) return undefined;
  }
  const starts = sizes.map((size, i) => {
    const { pool } = RANGE_FIELDS[i];
    growPool(mesh, pool, mesh[pool] + size);
    mesh[pool] += size;
    return mesh[pool] - size;
  });
  return { generation: 0, starts, sizes };
}
