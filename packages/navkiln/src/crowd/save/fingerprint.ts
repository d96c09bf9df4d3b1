/**
 * Is it the same? Hashes of a mesh's content and of the layout of agents, for crowds that are restored.
 *
 * Cost: linear in the mesh, once for each of its states.
 * Based on: own.
 */
import { hashWords } from '../../data/hash.ts';
import type { NavMesh } from '../../navmesh/types.ts';
import { AGENT_LAYOUT } from '../state/layout.ts';

/** Of what the crowd's record looks like. */
export function layoutHash(): number {
  if (knownLayout < 0) {
    knownLayout = 0;
    for (const [name, Maker, stride] of AGENT_LAYOUT) {
      for (let i = 0; i < name.length; i++)
        word[0] = Math.imul(word[0] ^ name.charCodeAt(i), 0x2127599b) ^ (word[0] >>> 15);
      word[0] = Math.imul(word[0] ^ (stride + 1024 * new Maker(0).BYTES_PER_ELEMENT), 0x2127599b) ^ (word[0] >>> 15);
    }
    knownLayout = word[0];
  }
  return knownLayout;
}

let knownLayout = -1;
const word = new Uint32Array(1);

const fingerprints = new WeakMap<NavMesh, { revision: number; value: number }>();

/** Of a mesh: its tiles, their polygons' areas and flags, a vertex of each, its links. Not of the numbers it gives to things. */
export function fingerprintOf(mesh: NavMesh): number {
  const known = fingerprints.get(mesh);
  if (known !== undefined && known.revision === mesh.revision) return known.value;
  const words: number[] = [];
  for (let slot = 0; slot < mesh.tileSlotCount; slot++) {
    words.push(mesh.tileState[slot], mesh.tileGeneration[slot]);
    if (mesh.tileState[slot] !== 1) continue;
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
    }
    const at = 3 * mesh.tileVertexStart[slot];
    if (mesh.tileVertexCount[slot] > 0) words.push(...new Uint32Array(mesh.vertices.slice(at, at + 3).buffer));
  }
  for (let link = 0; link < mesh.linkCount; link++) {
    words.push(mesh.linkState[link], mesh.linkGeneration[link]);
    if (mesh.linkState[link] !== 0) words.push(mesh.linkArea[link], mesh.linkFlags[link]);
  }
  const value = hashWords(Uint32Array.from(words), 0, words.length, 0);
  fingerprints.set(mesh, { revision: mesh.revision, value });
  return value;
}
