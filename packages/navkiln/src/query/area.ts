/**
 * Areas and flags of polygons at run time, and all of a tile's at once, to keep and put back.
 *
 * What was kept knows its tile by place and shape (a hash of vertices and edges), so it can be put back after the tile was
 * taken out and came in again, also into a mesh loaded from a file; another tile is refused. Cost: O(1); of a tile's state
 * linear in the tile.
 *
 * Based on: Detour's storeTileState (Mikko Mononen), which knows the tile by its ref.
 */
import { hashWords } from '../data/hash.ts';
import { polyIndexOf, refOf } from '../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../navmesh/types.ts';
import { requirePoly } from './nearest/start.ts';

/** Areas and flags of a tile. Plain data: can be saved and sent. */
export interface TileState {
  x: number;
  z: number;
  layer: number;
  /** Of the tile's vertices and edges. */
  shapeHash: number;
  /** One a polygon. */
  areas: Uint8Array;
  flags: Uint16Array;
}

/** The area of a polygon, 1 .. 63. Throws a RangeError when the ref is stale. */
export function getArea(mesh: NavMesh, ref: PolyRef): number {
  return mesh.polyArea[requirePoly(mesh, ref, 'getArea')];
}

/** Sets the area of a polygon, 1 .. 63. Throws a RangeError when the ref is stale or the area is none. */
export function setArea(mesh: NavMesh, ref: PolyRef, area: number): void {
  const poly = requirePoly(mesh, ref, 'setArea');
  if (!(Number.isInteger(area) && area >= 1 && area <= 63)) {
    throw new RangeError(`setArea: area is ${area}; give 1 .. 63 (to close ground, set its flags to 0)`);
  }
  mesh.polyArea[poly] = area;
  mesh.revision++;
}

/** The flags of a polygon, 16 bits. Throws a RangeError when the ref is stale. */
export function getFlags(mesh: NavMesh, ref: PolyRef): number {
  return mesh.polyFlags[requirePoly(mesh, ref, 'getFlags')];
}

/** Sets the flags of a polygon, 16 bits; 0: no filter lets anybody on. Throws a RangeError when the ref is stale. */
export function setFlags(mesh: NavMesh, ref: PolyRef, flags: number): void {
  const poly = requirePoly(mesh, ref, 'setFlags');
  requireFlags(flags, 'setFlags');
  mesh.polyFlags[poly] = flags;
  mesh.revision++;
}

/** @internal */
export function requireFlags(flags: number, caller: string): void {
  if (!(Number.isInteger(flags) && flags >= 0 && flags <= 0xffff)) {
    throw new RangeError(`${caller}: flags is ${flags}; give 16 bits, 0 .. 0xffff`);
  }
}

/** Copies areas and flags of the tile in a slot (see `findTile`). Throws a RangeError when there is none. */
export function saveTileState(mesh: NavMesh, slot: number): TileState {
  requireTile(mesh, slot, 'saveTileState');
  const first = mesh.tilePolyStart[slot];
  const end = first + mesh.tilePolyCount[slot];
  return {
    x: mesh.tileX[slot],
    z: mesh.tileZ[slot],
    layer: mesh.tileLayer[slot],
    shapeHash: shapeHash(mesh, slot),
    areas: mesh.polyArea.slice(first, end),
    flags: mesh.polyFlags.slice(first, end),
  };
}

/** Puts areas and flags back. Throws a RangeError, and changes nothing, when the tile in the slot is another. */
export function restoreTileState(mesh: NavMesh, slot: number, state: TileState): void {
  requireTile(mesh, slot, 'restoreTileState');
  const { x, z, layer, areas, flags } = state;
  const count = mesh.tilePolyCount[slot];
  if (
    mesh.tileX[slot] !== x ||
    mesh.tileZ[slot] !== z ||
    mesh.tileLayer[slot] !== layer ||
    areas.length !== count ||
    flags.length !== count ||
    shapeHash(mesh, slot) !== state.shapeHash
  ) {
    throw new RangeError(
      `restoreTileState: the state is of tile (${x}, ${z}), layer ${layer}, with ${areas.length} polygons; slot ${slot} ` +
        'holds another; save the state anew after a tile was rebuilt',
    );
  }
  if (areas.some((area) => !(area >= 1 && area <= 63))) {
    throw new RangeError('restoreTileState: the state has areas outside 1 .. 63; give what saveTileState returned');
  }
  mesh.revision++;
  mesh.polyArea.set(areas, mesh.tilePolyStart[slot]);
  mesh.polyFlags.set(flags, mesh.tilePolyStart[slot]);
}

function requireTile(mesh: NavMesh, slot: number, caller: string): void {
  if (!(slot >= 0 && slot < mesh.tileSlotCount) || mesh.tileState[slot] !== 1) {
    throw new RangeError(`${caller}: there is no tile in slot ${String(slot)}; ask findTile`);
  }
}

/** Of vertices and edges, wherever the tile is in the pools. */
function shapeHash(mesh: NavMesh, slot: number): number {
  const vertexStart = mesh.tileVertexStart[slot];
  const vertices = mesh.vertices.slice(3 * vertexStart, 3 * (vertexStart + mesh.tileVertexCount[slot]));
  const edgeStart = mesh.tileEdgeStart[slot];
  const edges = mesh.edgeVertex.slice(edgeStart, edgeStart + mesh.tileEdgeCount[slot]);
  for (let e = 0; e < edges.length; e++) edges[e] -= vertexStart;
  const words = new Uint32Array(vertices.buffer, 0, 2 * vertices.length);
  const hash = hashWords(words, 0, words.length, edges.length);
  return hashWords(new Uint32Array(edges.buffer, 0, edges.length), 0, edges.length, hash);
}

/** Flags of polygons as they were: what undoes a change. Plain data. */
export interface FlagsBackup {
  /** Refs. */
  polys: Float64Array;
  flags: Uint16Array;
}

/** Puts flags back, and returns how many; polygons that are gone since are passed over. */
export function restoreFlags(mesh: NavMesh, backup: FlagsBackup): number {
  let count = 0;
  mesh.revision++;
  for (let i = 0; i < backup.polys.length; i++) {
    const poly = polyIndexOf(mesh, backup.polys[i] as PolyRef);
    if (poly < 0) continue;
    mesh.polyFlags[poly] = backup.flags[i];
    count++;
  }
  return count;
}

/** Gives these polygons (dense indices) other flags, and returns what they had. @internal */
export function replaceFlags(mesh: NavMesh, polys: readonly number[], flags: number): FlagsBackup {
  mesh.revision++;
  const backup = { polys: new Float64Array(polys.length), flags: new Uint16Array(polys.length) };
  polys.forEach((poly, i) => {
    backup.polys[i] = refOf(mesh, poly);
    backup.flags[i] = mesh.polyFlags[poly];
    mesh.polyFlags[poly] = flags;
  });
  return backup;
}
