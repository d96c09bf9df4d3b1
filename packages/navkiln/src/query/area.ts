/**
 * Reads and sets areas and flags of polygons at run time, and saves and restores those of a whole tile.
 *
 * A saved state identifies its tile by position and shape (a hash of vertices and edges). So it can be restored after
 * the tile was removed and added again, and into a mesh loaded from a file; restoring fails for any other tile.
 *
 * Cost: O(1); for the state of a tile linear in the tile.
 * Based on: Detour's storeTileState (Mikko Mononen, 2009), which identifies the tile by its ref.
 */
import { checkMutableMesh, checkMutableStates, checkNavMesh } from '../mesh/check-mesh.ts';
import { AREA_COUNT } from '../base/constants.ts';
import { hashWords } from '../base/data/hash.ts';
import { checkTyped, refuse, refuseType } from '../base/data/refuse.ts';
import { noteLocalChange } from '../mesh/change/local-changes.ts';
import { ownFlags, setOwnFlags } from '../mesh/named.ts';
import { polyIndexOf, refOf } from '../mesh/ref.ts';
import type { NavMesh, PolyRef } from '../mesh/types.ts';
import { checkFlags } from './filter.ts';
import { resolvePoly } from './nearest/start.ts';

/** Areas and flags of a tile. Plain data, so it can be cloned and sent. */
export interface TileState {
  x: number;
  z: number;
  layer: number;
  /** Hash of the tile's vertices and edges. */
  shapeHash: number;
  /** One per polygon, 1 .. 63. */
  areas: Uint8Array;
  /** One per polygon. */
  flags: Uint16Array;
}

/**
 * Returns the area of a polygon, 1 .. 63, or null when the ref is stale. Throws a TypeError when it is not a
 * number.
 */
export function getArea(mesh: NavMesh, ref: PolyRef): number | null {
  const poly = resolvePoly(mesh, ref, 'getArea');
  return poly < 0 ? null : mesh.polyArea[poly];
}

/**
 * Sets the area of a polygon, 1 .. 63. Returns false when the ref is stale. Throws a RangeError for other
 * areas, a TypeError when the ref is not a number. To close a polygon, set its flags to 0.
 */
export function setArea(mesh: NavMesh, ref: PolyRef, area: number): boolean {
  if (!isArea(area)) {
    refuse('setArea', 'area', area, `an integer, 1 .. ${AREA_COUNT - 1} (to close a polygon, set its flags to 0)`);
  }
  checkMutableMesh('setArea', mesh);
  const poly = resolvePoly(mesh, ref, 'setArea');
  if (poly < 0) return false;
  mesh.polyArea[poly] = area;
  noteLocalChange(mesh, [poly]);
  return true;
}

/**
 * Returns the flags of a polygon, 16 bits, or null when the ref is stale. While its name is disabled (`setEnabled`),
 * these are the flags that it gets back when enabled. Throws a TypeError when the ref is not a number.
 */
export function getFlags(mesh: NavMesh, ref: PolyRef): number | null {
  const poly = resolvePoly(mesh, ref, 'getFlags');
  return poly < 0 ? null : ownFlags(mesh, poly);
}

/**
 * Sets the flags of a polygon, 16 bits; with 0, no filter passes it. While its name is disabled (`setEnabled`), they
 * wait until it is enabled. Returns false when the ref is stale.
 * Throws a RangeError for other flags, a TypeError when the ref is not a number.
 */
export function setFlags(mesh: NavMesh, ref: PolyRef, flags: number): boolean {
  checkFlags(flags, 'setFlags', 'flags');
  checkMutableStates('setFlags', mesh);
  const poly = resolvePoly(mesh, ref, 'setFlags');
  if (poly < 0) return false;
  setOwnFlags(mesh, poly, flags);
  noteLocalChange(mesh, [poly]);
  return true;
}

/** Returns a copy of areas and flags of the tile in a slot (see `findTile`), or null when the slot has no tile. */
export function saveTileState(mesh: NavMesh, slot: number): TileState | null {
  checkNavMesh('saveTileState', mesh);
  if (!hasTile(mesh, slot, 'saveTileState')) return null;
  const first = mesh.tilePolyStart[slot];
  const end = first + mesh.tilePolyCount[slot];
  return {
    x: mesh.tileX[slot],
    z: mesh.tileZ[slot],
    layer: mesh.tileLayer[slot],
    shapeHash: shapeHash(mesh, slot),
    areas: mesh.polyArea.slice(first, end),
    flags: Uint16Array.from({ length: end - first }, (_, i) => ownFlags(mesh, first + i)),
  };
}

/**
 * Restores areas and flags of the tile in a slot. Returns false, and changes nothing, when the slot has no tile, a tile
 * at another position, or a tile of another shape (rebuilt since). Throws a RangeError for areas outside 1 .. 63, and a
 * TypeError if the state is of another type.
 */
export function restoreTileState(mesh: NavMesh, slot: number, state: TileState): boolean {
  checkShape('restoreTileState', 'state', state, 'the result of saveTileState');
  checkMutableMesh('restoreTileState', mesh);
  const { areas, flags } = state;
  checkTyped('restoreTileState', 'state.areas', areas, 'Uint8Array');
  checkTyped('restoreTileState', 'state.flags', flags, 'Uint16Array');
  const bad = areas.findIndex((area) => !isArea(area));
  if (bad >= 0) refuse('restoreTileState', `state.areas[${bad}]`, areas[bad], `an integer, 1 .. ${AREA_COUNT - 1}`);
  if (!hasTile(mesh, slot, 'restoreTileState')) return false;
  const count = mesh.tilePolyCount[slot];
  const isSameTile =
    mesh.tileX[slot] === state.x &&
    mesh.tileZ[slot] === state.z &&
    mesh.tileLayer[slot] === state.layer &&
    areas.length === count &&
    flags.length === count &&
    shapeHash(mesh, slot) === state.shapeHash;
  if (!isSameTile) return false;
  mesh.revision++;
  mesh.polyArea.set(areas, mesh.tilePolyStart[slot]);
  flags.forEach((own, i) => setOwnFlags(mesh, mesh.tilePolyStart[slot] + i, own));
  return true;
}

function isArea(area: number): boolean {
  return Number.isInteger(area) && area >= 1 && area < AREA_COUNT;
}

/** Returns whether a slot has a tile. Throws a TypeError when `slot` is not a number. */
function hasTile(mesh: NavMesh, slot: number, caller: string): boolean {
  if (typeof slot !== 'number') refuseType(caller, 'slot', slot, 'a tile slot');
  return slot >= 0 && slot < mesh.tileSlotCount && mesh.tileState[slot] === 1;
}

/** Returns a hash of vertices and edges that does not depend on the position of the tile in the pools. */
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

/** Former flags of polygons, to undo a change. Plain data, so it can be cloned and sent. */
export interface FlagsBackup {
  /** Polygon refs. */
  polys: Float64Array;
  /** One per ref. */
  flags: Uint16Array;
}

/** Restores the flags of a backup and returns the number of restored polygons. Polygons with stale refs are skipped. */
export function restoreFlags(mesh: NavMesh, backup: FlagsBackup): number {
  checkShape('restoreFlags', 'backup', backup, 'a FlagsBackup');
  checkTyped('restoreFlags', 'backup.polys', backup.polys, 'Float64Array');
  checkTyped('restoreFlags', 'backup.flags', backup.flags, 'Uint16Array');
  checkMutableStates('restoreFlags', mesh);
  let count = 0;
  mesh.revision++;
  for (let i = 0; i < backup.polys.length; i++) {
    const poly = polyIndexOf(mesh, backup.polys[i] as PolyRef);
    if (poly < 0) continue;
    setOwnFlags(mesh, poly, backup.flags[i]);
    count++;
  }
  return count;
}

/** Sets the flags of polygons (dense indices) and returns a backup of the former ones. @internal */
export function replaceFlags(mesh: NavMesh, polys: readonly number[], flags: number): FlagsBackup {
  mesh.revision++;
  const backup = { polys: new Float64Array(polys.length), flags: new Uint16Array(polys.length) };
  polys.forEach((poly, i) => {
    backup.polys[i] = refOf(mesh, poly);
    backup.flags[i] = ownFlags(mesh, poly);
    setOwnFlags(mesh, poly, flags);
  });
  return backup;
}

function checkShape(caller: string, path: string, value: unknown, mustBe: string): void {
  if (typeof value !== 'object' || value === null) refuseType(caller, path, value, mustBe);
}
