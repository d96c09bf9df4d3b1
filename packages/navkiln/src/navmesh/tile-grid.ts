/**
 * Look-up of tiles by their place: a hash table of chains over (x, z), as typed arrays in the mesh. It is derived from
 * tileState, tileX and tileZ and rebuilt after loading. Cost: O(1) a tile, the layers of one place included.
 */
import type { NavMesh } from './types.ts';

/** @internal */
export function tileBucket(mesh: NavMesh, x: number, z: number): number {
  const hash = Math.imul(x, 0x2c1b3c6d) ^ Math.imul(z, 0x297a2d39);
  return (hash ^ (hash >>> 15)) & (mesh.tileHash.length - 1);
}

/** First tile at (x, z), or -1; go on with `nextTileAt`. Newest first. */
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

/** The slot of the tile at (x, z, layer), or -1. */
export function findTile(mesh: NavMesh, x: number, z: number, layer: number = 0): number {
  let slot = firstTileAt(mesh, x, z);
  while (slot >= 0 && mesh.tileLayer[slot] !== layer) slot = nextTileAt(mesh, slot);
  return slot;
}

/** Does polygon a come before b (dense indices), by the tile's place and the number in it? So ties do not depend on storage. */
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

/** Builds the table anew, with a bucket for each slot the arrays have room for. @internal */
export function rehashTiles(mesh: NavMesh): void {
  let buckets = 1;
  while (buckets < mesh.tileState.length) buckets *= 2;
  mesh.tileHash = new Int32Array(buckets).fill(-1);
  mesh.tileNext = new Int32Array(mesh.tileState.length).fill(-1);
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] === 1) linkTile(mesh, slot);
  }
}
