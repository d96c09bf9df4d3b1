/**
 * Polygon refs: checked handles that callers keep. A ref is one number below 2^53:
 *
 *      bit 52 … 37        36 … 17       16 … 0
 *      generation         tile slot     polygon in its tile
 *
 * The generation of a slot is incremented each time the slot is given to a tile and is never 0 in use. So 0
 * is null, and a ref into a removed tile is detected. A slot at the maximum generation is retired (tiles.ts),
 * so a stale ref never resolves to another tile. Compare refs with `NULL_REF`; do not test them for truth.
 *
 * Inside the library, a polygon is its dense index into the pools. That index holds until the next `addTile`
 * or `removeTile`. Refs are decoded by plain arithmetic, since bit operators truncate to 32 bits.
 *
 * Cost: a few multiplications.
 * Based on: Detour's salted polygon refs (Mikko Mononen).
 */
import type { NavMesh, PolyRef } from './types.ts';

/** Maximum number of tile slots of a mesh. */
export const MAX_TILE_SLOTS = 0x100000;
/** Maximum number of polygons of a tile. */
export const MAX_POLYS_PER_TILE = 0x20000;
/** Last generation of a slot. */
export const MAX_GENERATION = 0xffff;

/** The ref of no polygon. */
export const NULL_REF: PolyRef = 0 as PolyRef;

/** The parts of a PolyRef. */
export interface DecodedRef {
  slot: number;
  generation: number;
  poly: number;
}

/** Returns the ref of a polygon: `poly` counts within its tile. Numbers are not checked. */
export function encodeRef(slot: number, generation: number, poly: number): PolyRef {
  return ((generation * MAX_TILE_SLOTS + slot) * MAX_POLYS_PER_TILE + poly) as PolyRef;
}

/**
 * Splits a ref into its parts. Generation 0 means null or no ref at all (NaN, a fraction, a negative number).
 */
export function decodeRef(ref: PolyRef): DecodedRef {
  if (!Number.isSafeInteger(ref) || ref <= 0) return { slot: 0, generation: 0, poly: 0 };
  const upper = Math.floor(ref / MAX_POLYS_PER_TILE);
  const generation = Math.floor(upper / MAX_TILE_SLOTS);
  return { slot: upper - generation * MAX_TILE_SLOTS, generation, poly: ref - upper * MAX_POLYS_PER_TILE };
}

/**
 * Returns the ref of the polygon with this dense index. The index is trusted: take it from a query on the
 * same mesh.
 */
export function refOf(mesh: NavMesh, polyIndex: number): PolyRef {
  const slot = mesh.polyTile[polyIndex];
  return encodeRef(slot, mesh.tileGeneration[slot], polyIndex - mesh.tilePolyStart[slot]);
}

/**
 * Returns true when this number is the dense index of a polygon. It returns false for an old index that lies in a
 * hole after a change of tiles. It does not detect an old index that another polygon has taken over; only refs detect
 * this.
 */
export function isPolyIndex(mesh: NavMesh, polyIndex: number): boolean {
  if (!(polyIndex >= 0 && polyIndex < mesh.polyCount)) return false;
  const slot = mesh.polyTile[polyIndex];
  // A free slot has no polygons.
  const number = polyIndex - mesh.tilePolyStart[slot];
  return number >= 0 && number < mesh.tilePolyCount[slot];
}

/** Returns the dense index of a polygon whose ref is known to be valid. */
export function polyOfRef({ tilePolyStart }: NavMesh, ref: PolyRef): number {
  return tilePolyStart[Math.floor(ref / MAX_POLYS_PER_TILE) % MAX_TILE_SLOTS] + (ref % MAX_POLYS_PER_TILE);
}

/** Returns the dense index of a polygon, or -1 when the ref is null, stale or no ref at all. */
export function polyIndexOf(mesh: NavMesh, ref: PolyRef): number {
  if (!Number.isSafeInteger(ref) || ref <= 0) return -1;
  const upper = Math.floor(ref / MAX_POLYS_PER_TILE);
  const poly = ref - upper * MAX_POLYS_PER_TILE;
  const generation = Math.floor(upper / MAX_TILE_SLOTS);
  const slot = upper - generation * MAX_TILE_SLOTS;
  if (slot >= mesh.tileSlotCount || mesh.tileState[slot] !== 1 || mesh.tileGeneration[slot] !== generation) return -1;
  return poly < mesh.tilePolyCount[slot] ? mesh.tilePolyStart[slot] + poly : -1;
}
