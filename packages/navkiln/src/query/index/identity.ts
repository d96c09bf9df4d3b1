/**
 * Tests whether an index is valid for a mesh: whether it was built from that mesh, and how the mesh has changed since.
 *
 * Tiles are compared by slot and generation, and by a hash of their shape when the index is used with a mesh for the
 * first time. If surface was only removed, distances have only grown, so a path of the index that is still open is
 * still the shortest. If surface was added, a path of the index is still valid, but may not be the shortest.
 *
 * In: an index, a mesh.
 * Out: `INDEX_STALE`, `INDEX_GROWN`, `INDEX_REDUCED` or `INDEX_WHOLE`.
 * Cost: two comparisons while nothing changes; linear in tiles and polygons after a change; linear in the mesh at the
 * first use of an index with a mesh.
 * Based on: own.
 */
import { hashWords } from '../../base/data/hash.ts';
import { linkLength } from '../../mesh/crossing.ts';
import { islandRelation } from '../../mesh/islands.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { passesFilter } from '../filter.ts';
import { ROUGH, SLIVER, findPieces, pieceOf } from '../optimal/pieces.ts';
import { hashExits } from './exits.ts';
import { WAY_NONE, hasPointEnds, isWayOpen } from './links.ts';
import { filterOf } from './sizes.ts';
import type { PathIndex } from './types.ts';

/** Values of `Match.worth`. The index does not fit the mesh. */
export const INDEX_STALE = 0;
/**
 * Surface was added, so paths may not be the shortest. They have to be checked by a walk, because surface may also have
 * been removed.
 */
export const INDEX_GROWN = 1;
/** Surface was removed. Paths that can still be walked are the shortest. */
export const INDEX_REDUCED = 2;
/** The mesh has not changed. */
export const INDEX_WHOLE = 3;

/** The comparison of an index with a mesh. */
export interface Match {
  mesh: NavMesh;
  revision: number;
  /** `INDEX_*`. */
  worth: number;
  /** Polygons at links whose ends are segments. */
  doubts: number[];
  /**
   * Per polygon without area that is not a sliver, and per polygon that touches itself: its least x and z, and its
   * largest. Where lines of sight touch it, they may be wrong.
   */
  rough: number[];
}

/** Values of `polyOpen`; 0: not in the index. */
const OPEN_CONVEX = 1;
const OPEN_ROUGH = 2;
const OPEN_SLIVER = 3;

/** A share of a length above its rounding errors. */
const TOUCHING = 1e-9;

/** The comparisons of each index with the meshes that it is used with, such as the rooms of a server. */
const matches = new WeakMap<PathIndex, WeakMap<NavMesh, Match>>();

/** Writes the identity of the mesh into a new index. */
export function stampMesh(out: PathIndex, mesh: NavMesh): void {
  const slots = mesh.tileSlotCount;
  out.polyCount = mesh.polyCount;
  out.tileGeneration = new Uint16Array(slots);
  out.tilePolyStart = new Int32Array(slots);
  out.tilePolyCount = new Int32Array(slots);
  out.tileHash = new Uint32Array(slots);
  out.polyOpen = new Uint8Array(mesh.polyCount);
  out.polyExits = new Uint32Array(mesh.polyCount);
  const pieces = findPieces(mesh);
  const filter = filterOf(out);
  for (let slot = 0; slot < slots; slot++) {
    if (mesh.tileState[slot] !== 1) continue;
    out.tileGeneration[slot] = mesh.tileGeneration[slot];
    out.tilePolyStart[slot] = mesh.tilePolyStart[slot];
    out.tilePolyCount[slot] = mesh.tilePolyCount[slot];
    out.tileHash[slot] = hashTile(mesh, slot);
    const end = mesh.tilePolyStart[slot] + mesh.tilePolyCount[slot];
    for (let poly = mesh.tilePolyStart[slot]; poly < end; poly++) {
      if (!passesFilter(filter, mesh, poly)) continue;
      out.polyExits[poly] = hashExits(mesh, filter, poly);
      const piece = pieceOf(pieces, mesh, poly);
      out.polyOpen[poly] = piece === ROUGH ? OPEN_ROUGH : piece === SLIVER ? OPEN_SLIVER : OPEN_CONVEX;
    }
  }
}

/** Returns a hash of a tile's polygons that does not depend on their position in the pools. */
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

/** The comparison for indexes of tier 'none'. */
const NO_MATCH: Match = {
  mesh: undefined as unknown as NavMesh,
  revision: 0,
  worth: INDEX_STALE,
  doubts: [],
  rough: [],
};

/** Returns the comparison of an index with the current state of a mesh. */
export function matchOf(index: PathIndex, mesh: NavMesh): Match {
  if (index.tier === 'none') return NO_MATCH;
  let known = matches.get(index);
  if (known === undefined) matches.set(index, (known = new WeakMap()));
  let match = known.get(mesh);
  if (match?.revision !== mesh.revision) {
    const isKnown = match !== undefined;
    match = { mesh, revision: mesh.revision, worth: INDEX_STALE, doubts: [], rough: [] };
    match.worth = Math.min(compareTiles(match, index, isKnown), compareLinks(match, index));
    known.set(mesh, match);
  }
  return match;
}

/** Makes the next query compare an updated index again. The shapes of tiles are known to be those of the given mesh. */
export function renewMatch(index: PathIndex, mesh?: NavMesh): void {
  const match = mesh && matches.get(index)?.get(mesh);
  matches.delete(index);
  if (match === undefined) return;
  match.revision = NaN;
  matches.set(index, new WeakMap([[match.mesh, match]]));
}

/** Returns whether one of two polygons is a sliver. The index answers only queries from and to other polygons. */
export function isOnSliver({ polyOpen }: PathIndex, a: number, b: number): boolean {
  return polyOpen[a] === OPEN_SLIVER || polyOpen[b] === OPEN_SLIVER;
}

/**
 * Returns whether a path from a polygon may pass links for which the index cannot guarantee the shortest path.
 */
export function isDoubtful({ mesh, doubts }: Match, poly: number): boolean {
  for (const doubt of doubts) if (islandRelation(mesh, poly, doubt) !== 0) return true;
  return false;
}

/**
 * Returns whether a path between the positions of `ends` that is at most as long as `length[0]` could touch a rough
 * polygon. No other path depends on these polygons.
 */
export function mayBeRough(
  { rough }: Match,
  { linkScale }: PathIndex,
  ends: Float64Array,
  length: Float64Array,
): boolean {
  const longest = length[0] * (1 + TOUCHING);
  for (let i = 0; i < rough.length; i += 4) {
    let sum = 0;
    for (let end = 0; end < 4; end += 2) {
      const dx = Math.max(0, rough[i] - ends[end], ends[end] - rough[i + 2]);
      const dz = Math.max(0, rough[i + 1] - ends[end + 1], ends[end + 1] - rough[i + 3]);
      sum += Math.sqrt(dx * dx + dz * dz);
    }
    if (linkScale * sum <= longest) return true;
  }
  return false;
}

/** Writes the box of a polygon, seen from above. */
function addBox(out: number[], { vertices, edgeVertex, polyEdgeStart, polyVertexCount }: NavMesh, poly: number): void {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let e = polyEdgeStart[poly]; e < polyEdgeStart[poly] + polyVertexCount[poly]; e++) {
    for (let k = 0; k < 2; k++) {
      const at = vertices[3 * edgeVertex[e] + 2 * k];
      box[k] = Math.min(box[k], at);
      box[k + 2] = Math.max(box[k + 2], at);
    }
  }
  for (const value of box) out.push(value);
}

/** Compares the tiles. `isKnown`: the shapes of tiles with the same generation are known to be equal. */
function compareTiles({ mesh, rough }: Match, index: PathIndex, isKnown: boolean): number {
  const filter = filterOf(index);
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
      if (index.polyOpen[poly] === OPEN_ROUGH) addBox(rough, mesh, poly);
      const isOpen = passesFilter(filter, mesh, poly);
      if (isOpen === index.polyOpen[poly] > 0) continue;
      worth = Math.min(worth, isOpen ? INDEX_GROWN : INDEX_REDUCED);
    }
  }
  let builtCount = 0;
  for (const generation of index.tileGeneration) if (generation > 0) builtCount++;
  if (sameCount === 0) return INDEX_STALE;
  return sameCount < builtCount ? Math.min(worth, INDEX_REDUCED) : worth;
}

/** Compares the links. */
function compareLinks({ mesh, doubts }: Match, index: PathIndex): number {
  const { linkSlot, linkWays } = index;
  const filter = filterOf(index);
  let worth = INDEX_WHOLE;
  let known = 0;
  for (let link = 0; link < mesh.linkCount || known < linkSlot.length; link++) {
    const isKnown = linkSlot[known] === link;
    const isSame = isKnown && link < mesh.linkCount && isSameLink(index, mesh, known);
    for (let side = 0; side < 2; side++) {
      const wasOpen = isKnown && linkWays[2 * known + side] !== WAY_NONE;
      const isOpen = link < mesh.linkCount && isWayOpen(mesh, filter, 2 * link + side);
      if (wasOpen && !(isOpen && isSame)) worth = Math.min(worth, INDEX_REDUCED);
      if (!isOpen || (wasOpen && isSame)) continue;
      if (hasPointEnds(mesh, link)) worth = INDEX_GROWN;
      else doubts.push(mesh.linkPoly[2 * link + side]);
    }
    if (isKnown) known++;
  }
  return worth;
}

/** Returns whether the link in a slot of the mesh is in the index. Another link may have taken the slot. */
export function isIndexedLink(index: PathIndex, mesh: NavMesh, slot: number): boolean {
  const { linkSlot } = index;
  let low = 0;
  let high = linkSlot.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (linkSlot[middle] < slot) low = middle + 1;
    else high = middle;
  }
  return linkSlot[low] === slot && isSameLink(index, mesh, low);
}

/** Returns whether a link of the index is unchanged, at the same position. */
function isSameLink(index: PathIndex, mesh: NavMesh, known: number): boolean {
  const { points, cornerY, cornerCount, linkPoly, linkSlot } = index;
  const link = linkSlot[known];
  if (mesh.linkGeneration[link] !== index.linkGeneration[known] || !hasPointEnds(mesh, link)) return false;
  if (linkLength(mesh, 2 * link) !== index.linkLength[known]) return false;
  for (let side = 0; side < 2; side++) {
    const end = 2 * known + side;
    const corner = cornerCount - linkPoly.length + end;
    const anchor = 6 * (2 * link + side);
    if (mesh.linkPoly[2 * link + side] !== linkPoly[end]) return false;
    if (
      mesh.linkAnchors[anchor] !== points[2 * corner] ||
      mesh.linkAnchors[anchor + 1] !== cornerY[corner] ||
      mesh.linkAnchors[anchor + 2] !== points[2 * corner + 1]
    )
      return false;
  }
  return true;
}

/** Returns whether the tile in a slot is the same as when the index was built, at the same position in the pools. */
export function isSameTile(index: PathIndex, mesh: NavMesh, slot: number): boolean {
  return (
    slot < index.tileGeneration.length &&
    index.tileGeneration[slot] === mesh.tileGeneration[slot] &&
    index.tilePolyStart[slot] === mesh.tilePolyStart[slot]
  );
}
