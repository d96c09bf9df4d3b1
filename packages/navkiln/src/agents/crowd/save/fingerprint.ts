/**
 * Hashes that tell whether a saved crowd fits: one of the content of a mesh, and one of the layout of agents.
 *
 * In: a mesh; the table of layout.ts.
 * Out: 32 bits each.
 * Cost: linear in the mesh, once per revision.
 * Based on: own.
 */
import { hashWords } from '../../../base/data/hash.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import { AGENT_LAYOUT } from '../state/layout.ts';

/** The multiplier of the layout hash. */
const HASH_FACTOR = 0x2127599b;
/** `NavMesh.tileState` of a slot with a tile. */
const TILE_USED = 1;

/** Returns a hash of the names, types and strides of the agents' columns. */
export function layoutHash(): number {
  if (knownLayout < 0) {
    knownLayout = 0;
    for (const [name, Maker, stride] of AGENT_LAYOUT) {
      for (let i = 0; i < name.length; i++) mix(name.charCodeAt(i));
      mix(stride + 1024 * new Maker(0).BYTES_PER_ELEMENT);
    }
    knownLayout = word[0];
  }
  return knownLayout;
}

let knownLayout = -1;
/** The layout hash so far. */
const word = new Uint32Array(1);

function mix(value: number): void {
  word[0] = Math.imul(word[0] ^ value, HASH_FACTOR) ^ (word[0] >>> 15);
}

const fingerprints = new WeakMap<NavMesh, { revision: number; value: number }>();

/**
 * Returns a hash of a mesh: its tiles, a vertex of each, the areas and flags of polygons, and links. Dense indices are
 * not included.
 */
export function fingerprintOf(mesh: NavMesh): number {
  const known = fingerprints.get(mesh);
  if (known !== undefined && known.revision === mesh.revision) return known.value;
  const words: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    words.push(mesh.tileState[slot], mesh.tileGeneration[slot]);
    if (mesh.tileState[slot] !== TILE_USED) continue;
    words.push(
      mesh.tileX[slot],
      mesh.tileZ[slot],
      mesh.tileLayer[slot],
      mesh.tilePolyCount[slot],
      mesh.tileVertexCount[slot],
    );
    const first = mesh.tilePolyStart[slot];
    for (let poly = first; poly < first + mesh.tilePolyCount[slot]; poly++) {
      words.push(mesh.polyArea[poly] + 64 * mesh.polyFlags[poly]);
      if (mesh.sizes.length > 0) words.push(mesh.polySizes[poly]);
    }
    const at = 3 * mesh.tileVertexStart[slot];
    if (mesh.tileVertexCount[slot] > 0) words.push(...new Uint32Array(mesh.vertices.slice(at, at + 3).buffer));
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    words.push(mesh.linkState[link], mesh.linkGeneration[link]);
    if (mesh.linkState[link] === 0) continue;
    words.push(mesh.linkArea[link], mesh.linkFlags[link]);
    if (mesh.sizes.length > 0) words.push(mesh.linkSizes[link]);
  }
  const value = hashWords(Uint32Array.from(words), 0, words.length, 0);
  fingerprints.set(mesh, { revision: mesh.revision, value });
  return value;
}
