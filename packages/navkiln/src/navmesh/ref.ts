/**
 * Polygon refs: checked handles that users keep. A ref is one number below 2^53:
 *
 *      bit 52 … 37        36 … 17       16 … 0
 *      generation         tile slot     polygon in its tile
 *
 * The generation of a slot counts up each time the slot is given to a tile and is never 0 there, so 0 is null and a ref
 * to a removed tile is recognised. A slot whose generation has reached the maximum is retired (see tiles.ts), so that a
 * stale ref never resolves to another tile. Never test a ref for truth: compare with `NULL_REF`.
 *
 * Inside, a polygon is its dense index into the pools; that index holds until the next `addTile` or `removeTile`.
 * Cost: a few multiplications. Plain arithmetic, as bit operators cut numbers to 32 bits.
 */
import type { NavMesh, PolyRef } from './types.ts';

/** Tile slots a mesh may have. */
export const MAX_TILE_SLOTS = 0x100000;
/** Polygons a tile may have. */
export const MAX_POLYS_PER_TILE = 0x20000;
/** Last generation of a slot. */
export const MAX_GENERATION = 0xffff;

/** The ref of no polygon. */
export const NULL_REF: PolyRef = 0 as PolyRef;

export interface DecodedRef {
  slot: number;
  generation: number;
  poly: number;
}

export function encodeRef(slot: number, generation: number, poly: number): PolyRef {
  return ((generation * MAX_TILE_SLOTS + slot) * MAX_POLYS_PER_TILE + poly) as PolyRef;
}

/** The parts of a ref; null and anything that is no ref at all (NaN, a fraction, a negative number) give generation 0. */
export function decodeRef(ref: PolyRef): DecodedRef {
  if (!Number.isSafeInteger(ref) || ref <= 0) return { slot: 0, generation: 0, poly: 0 };
  const upper = Math.floor(ref / MAX_POLYS_PER_TILE);
  const generation = Math.floor(upper / MAX_TILE_SLOTS);
  return { slot: upper - generation * MAX_TILE_SLOTS, generation, poly: ref - upper * MAX_POLYS_PER_TILE };
}

/** The ref of the polygon with this dense index. The index is trusted: take it from a query on the same mesh. */
export function refOf(mesh: NavMesh, polyIndex: number): PolyRef {
  const slot = mesh.polyTile[polyIndex];
  return encodeRef(slot, mesh.tileGeneration[slot], polyIndex - mesh.tilePolyStart[slot]);
}

/** The dense index of a polygon, or -1 when the ref is null, stale, of another mesh's shape or no ref at all. */
export function polyIndexOf(mesh: NavMesh, ref: PolyRef): number {
  if (!Number.isSafeInteger(ref) || ref <= 0) return -1;
  const upper = Math.floor(ref / MAX_POLYS_PER_TILE);
  const poly = ref - upper * MAX_POLYS_PER_TILE;
  const generation = Math.floor(upper / MAX_TILE_SLOTS);
  const slot = upper - generation * MAX_TILE_SLOTS;
  if (slot >= mesh.tileSlotCount || mesh.tileState[slot] !== 1 || mesh.tileGeneration[slot] !== generation) return -1;
  return poly < mesh.tilePolyCount[slot] ? mesh.tilePolyStart[slot] + poly : -1;
}
