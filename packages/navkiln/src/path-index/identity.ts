/**
 * Decides whether an index may answer for a mesh: whether it is the mesh it was built from, and what has changed since.
 *
 * Tiles are compared by slot and generation, and by a hash of their shape when the index meets a mesh for the first time.
 * As long as surface was only removed, distances have only grown: a path of the index that is still open is still the shortest.
 * When surface was added, a path of the index is still a path.
 *
 * In: an index, a mesh.
 * Out: what the index is good for.
 * Cost: two comparisons as long as nothing changed; linear in tiles and polygons after a change; linear in the mesh when both meet
 * for the first time.
 * Based on: own.
 */
import { hashWords } from '../data/hash.ts';
import { LINK_ENABLED } from '../navmesh/types.ts';
import type { NavMesh } from '../navmesh/types.ts';
import { DEFAULT_FILTER, passesFilter } from '../query/filter.ts';
import type { PathIndex } from './types.ts';

/** What an index is good for: nothing. */
export const INDEX_STALE = 0;
/** Surface was added, so paths may not be the shortest. They have to be walked, as surface may be gone, too. */
export const INDEX_GROWN = 1;
/** Surface was removed: paths that can be walked are the shortest. */
export const INDEX_REDUCED = 2;
/** The mesh is as it was. */
export const INDEX_WHOLE = 3;

/** What was found out about an index and the mesh it was used with last. */
interface Match {
  mesh: NavMesh;
  revision: number;
  worth: number;
}

const matches = new WeakMap<PathIndex, Match>();

/** Writes the identity of the mesh into a new index. */
export function stampMesh(out: PathIndex, mesh: NavMesh): void {
  const slots = mesh.tileSlotCount;
  out.polyCount = mesh.polyCount;
  out.tileGeneration = new Uint16Array(slots);
  out.tilePolyStart = new Int32Array(slots);
  out.tilePolyCount = new Int32Array(slots);
  out.tileHash = new Uint32Array(slots);
  out.polyOpen = new Uint8Array(mesh.polyCount);
  for (let slot = 0; slot < slots; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    out.tileGeneration[slot] = mesh.tileGeneration[slot];
    out.tilePolyStart[slot] = mesh.tilePolyStart[slot];
    out.tilePolyCount[slot] = mesh.tilePolyCount[slot];
    out.tileHash[slot] = hashTile(mesh, slot);
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      out.polyOpen[poly] = passesFilter(DEFAULT_FILTER, mesh, poly) ? 1 : 0;
    }
  }
}

/** Returns a hash of a tile's polygons, whatever their place in the pools. */
export function hashTile(mesh: NavMesh, slot: number): number {
  const vertexStart = mesh.tileVertexStart[slot];
  const polyStart = mesh.tilePolyStart[slot];
  const edgeStart = mesh.tileEdgeStart[slot];
  const edgeCount = mesh.tileEdgeCount[slot];
  const vertices = mesh.vertices.slice(3 * vertexStart, 3 * (vertexStart + mesh.tileVertexCount[slot]));
  const edges = new Int32Array(2 * edgeCount + mesh.tilePolyCount[slot]);
  for (let e = 0; e < edgeCount; e++) {
    edges[2 * e] = mesh.edgeVertex[edgeStart + e] - vertexStart;
    const neighbor = mesh.edgeNeighbor[edgeStart + e];
    edges[2 * e + 1] = neighbor < 0 ? neighbor : neighbor - polyStart;
  }
  for (let p = 0; p < mesh.tilePolyCount[slot]; p++) edges[2 * edgeCount + p] = mesh.polyVertexCount[polyStart + p];
  const hash = hashWords(new Uint32Array(vertices.buffer), 0, 2 * vertices.length, slot);
  return hashWords(new Uint32Array(edges.buffer), 0, edges.length, hash);
}

/** Returns what the index is good for on this mesh as it is now (`INDEX_*`). */
export function worthOf(index: PathIndex, mesh: NavMesh): number {
  let match = matches.get(index);
  if (match === undefined || match.mesh !== mesh || match.revision !== mesh.revision) {
    const isKnown = match !== undefined && match.mesh === mesh;
    match = { mesh, revision: mesh.revision, worth: compare(index, mesh, isKnown) };
    matches.set(index, match);
  }
  return match.worth;
}

/** Compares the tiles. `isKnown`: the shapes of tiles with the same generation are known to be equal. */
function compare(index: PathIndex, mesh: NavMesh, isKnown: boolean): number {
  if (index.tier === 'none' || hasOpenLink(mesh)) return INDEX_STALE;
  let worth = INDEX_WHOLE;
  let sameCount = 0;
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    if (!isSameTile(index, mesh, slot)) {
      worth = INDEX_GROWN;
      continue;
    }
    if (!isKnown && hashTile(mesh, slot) !== index.tileHash[slot]) return INDEX_STALE;
    sameCount++;
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      const isOpen = passesFilter(DEFAULT_FILTER, mesh, poly);
      if (isOpen === (index.polyOpen[poly] === 1)) continue;
      if (isOpen) worth = INDEX_GROWN;
      else if (worth === INDEX_WHOLE) worth = INDEX_REDUCED;
    }
  }
  let builtCount = 0;
  for (const generation of index.tileGeneration) if (generation > 0) builtCount++;
  if (sameCount === 0) return INDEX_STALE;
  return sameCount < builtCount && worth === INDEX_WHOLE ? INDEX_REDUCED : worth;
}

/** Returns whether a path could use a link. */
function hasOpenLink(mesh: NavMesh): boolean {
  for (let link = 0; link < mesh.linkCount; link++) {
    const isOpen = (mesh.linkState[link] & LINK_ENABLED) !== 0;
    if (isOpen && mesh.linkPoly[2 * link] >= 0 && mesh.linkPoly[2 * link + 1] >= 0) return true;
  }
  return false;
}

/** Returns whether the tile in a slot is the one that was there when the index was built, at the same place of the pools. */
export function isSameTile(index: PathIndex, mesh: NavMesh, slot: number): boolean {
  return (
    slot < index.tileGeneration.length &&
    index.tileGeneration[slot] === mesh.tileGeneration[slot] &&
    index.tilePolyStart[slot] === mesh.tilePolyStart[slot]
  );
}
