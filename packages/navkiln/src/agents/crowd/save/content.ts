/**
 * Refs in saved crowds name content: the tile by its rank among the tiles of the mesh, ordered by position and layer. Slots and generations,
 * which tell how often tiles were rebuilt, are not part of saved crowds and their hashes. So a crowd continues on every mesh with
 * the same content.
 *
 * A saved ref is built like a `PolyRef`, with the rank in place of the slot and generation 1. A stale ref has generation 0. Links keep their
 * slots.
 *
 * In: a mesh; refs. Out: saved refs, and refs of the mesh at hand; hashes of tiles and links.
 * Cost: sorting the tiles, once per revision; a few multiplications a ref. Hashes are linear in the mesh.
 * Based on: own.
 */
import { hashWords } from '../../../base/data/hash.ts';
import { MAX_LINKS, linkIndexOf } from '../../../mesh/link-ref.ts';
import { decodeRef, encodeRef, polyIndexOf } from '../../../mesh/ref.ts';
import type { LinkRef, NavMesh, PolyRef } from '../../../mesh/types.ts';

/** `NavMesh.tileState` of a slot with a tile. */
const TILE_USED = 1;
/** The generation of saved refs. */
const SAVED = 1;
/** A saved ref that names no polygon: its generation is 0. */
const STALE = 1;

interface Ranks {
  revision: number;
  /** Slots by rank. */
  slots: number[];
  /** Ranks by slot. */
  ranks: Int32Array;
}

const known = new WeakMap<NavMesh, Ranks>();

function ranksOf(mesh: NavMesh): Ranks {
  const { revision, tileSlotCount, tileState, tileX, tileZ, tileLayer } = mesh;
  let found = known.get(mesh);
  if (found?.revision === revision) return found;
  const slots: number[] = [];
  for (let slot = 0; slot < tileSlotCount; slot++) if (tileState[slot] === TILE_USED) slots.push(slot);
  slots.sort((a, b) => tileZ[a] - tileZ[b] || tileX[a] - tileX[b] || tileLayer[a] - tileLayer[b] || a - b);
  found = { revision, slots, ranks: new Int32Array(tileSlotCount) };
  for (let rank = 0; rank < slots.length; rank++) found.ranks[slots[rank]] = rank;
  known.set(mesh, found);
  return found;
}

/** Returns the saved form of a ref. Numbers that are no ref, 0 and -1, stay. */
export function savedRefOf(mesh: NavMesh, ref: number): number {
  if (ref <= 0) return ref;
  if (polyIndexOf(mesh, ref as PolyRef) < 0) return STALE;
  const { slot, poly } = decodeRef(ref as PolyRef);
  return encodeRef(ranksOf(mesh).ranks[slot], SAVED, poly);
}

/** Returns the ref of a mesh for the saved form of one; a stale one when there is no such tile. */
export function ownRefOf(mesh: NavMesh, saved: number): number {
  if (saved <= 0) return saved;
  const { slot: rank, generation, poly } = decodeRef(saved as PolyRef);
  const slot = generation === SAVED ? ranksOf(mesh).slots[rank] : undefined;
  return slot === undefined ? STALE : encodeRef(slot, mesh.tileGeneration[slot], poly);
}

/** Returns the saved form of the ref of a link; its slot alone for a stale one. */
export function savedLinkOf(mesh: NavMesh, ref: number): number {
  const link = linkIndexOf(mesh, ref as LinkRef);
  return link < 0 ? ref % MAX_LINKS : SAVED * MAX_LINKS + link;
}

/** Returns the ref of a link of a mesh for the saved form of one; a stale one when there is no such link. */
export function ownLinkOf(mesh: NavMesh, saved: number): number {
  const link = saved - SAVED * MAX_LINKS;
  return link >= 0 && link < mesh.linkCount && mesh.linkState[link] !== 0
    ? mesh.linkGeneration[link] * MAX_LINKS + link
    : saved % MAX_LINKS;
}

/** Hashes of the content of a mesh. */
export interface ContentHashes {
  /** Of all links. */
  links: number;
  /** Of each tile, by rank. */
  tiles: Uint32Array;
}

const hashed = new WeakMap<NavMesh, ContentHashes & { revision: number }>();

/** Returns hashes of tiles with their areas and flags, and of links. Slots of tiles and generations are not included. */
export function contentHashesOf(mesh: NavMesh): ContentHashes {
  const before = hashed.get(mesh);
  if (before?.revision === mesh.revision) return before;
  const tiles = Uint32Array.from(ranksOf(mesh).slots, (slot) => hashTile(mesh, slot));
  const found = { revision: mesh.revision, links: hashLinks(mesh), tiles };
  hashed.set(mesh, found);
  return found;
}

/** Returns the name of a tile by its rank. */
export function nameOfTile(mesh: NavMesh, rank: number): string {
  const slot = ranksOf(mesh).slots[rank];
  if (slot === undefined) return 'the first tile';
  const layer = mesh.tileLayer[slot];
  return `tile (${mesh.tileX[slot]}, ${mesh.tileZ[slot]})${layer === 0 ? '' : ` on layer ${layer}`}`;
}

function hashTile(mesh: NavMesh, slot: number): number {
  const { edgeVertex, polyEdgeStart, polyVertexCount } = mesh;
  const words = [mesh.tileX[slot], mesh.tileZ[slot], mesh.tileLayer[slot]];
  const [first, count] = [mesh.tilePolyStart[slot], mesh.tilePolyCount[slot]];
  const vertexStart = mesh.tileVertexStart[slot];
  for (let poly = first; poly < first + count; poly++) {
    words.push(mesh.polyArea[poly] + 64 * mesh.polyFlags[poly], polyVertexCount[poly]);
    if (mesh.sizes.length > 0) words.push(mesh.polySizes[poly]);
    for (let k = 0; k < polyVertexCount[poly]; k++) words.push(edgeVertex[polyEdgeStart[poly] + k] - vertexStart);
  }
  const hash = hashWords(Uint32Array.from(words), 0, words.length, 0);
  const details = hashNumbers(mesh.detailVertices, mesh.tileDetailVertexStart[slot], mesh.tileDetailVertexCount[slot]);
  return hash ^ Math.imul(hashNumbers(mesh.vertices, vertexStart, mesh.tileVertexCount[slot]) ^ (details >>> 1), 3);
}

/** Returns a hash of `count` points from `start` on. */
function hashNumbers(values: Float64Array, start: number, count: number): number {
  const words = new Uint32Array(values.buffer, values.byteOffset + 24 * start, 6 * count);
  return hashWords(words, 0, words.length, count);
}

function hashLinks(mesh: NavMesh): number {
  const words: number[] = [];
  let hash = mesh.linkCount;
  for (let link = 0; link < mesh.linkCount; link++) {
    words.length = 0;
    words.push(mesh.linkState[link]);
    if (mesh.linkState[link] !== 0) {
      words.push(mesh.linkArea[link], mesh.linkFlags[link]);
      if (mesh.sizes.length > 0) words.push(mesh.linkSizes[link]);
      words.push(hashNumbers(mesh.linkPoints, LINK_POINTS * link, LINK_POINTS));
    }
    hash = hashWords(Uint32Array.from(words), 0, words.length, hash);
  }
  return hash;
}

/** Points of `NavMesh.linkPoints` per link. */
const LINK_POINTS = 4;
