/**
 * Ids of automatic links: integers that depend only on the position, the kind and the agent size of a link.
 *
 * An id is 2^52 plus 49 bits of a hash plus the number of the kind. The hash reads only integers: the wall's corners in eighths of a cell
 * from the mesh's origin, the lanes, the distance, and the size of agents. Another bake of the same surface gives the same id. A level that
 * moves together with its origin keeps its ids.
 *
 * Cost: constant.
 * Based on: own.
 */
import { addToHash, createLongHash } from '../../base/data/hash.ts';
import type { AutoLinkKind } from '../../mesh/auto-linker.ts';
import type { NavMesh } from '../../mesh/types.ts';
import type { Candidate } from './runs.ts';
import { KINDS } from './types.ts';

const BASE = 2 ** 52;
const PARTS = 8;

/** Returns the id of a candidate. `size` is 0 on a mesh without sizes. */
export function idOf(
  mesh: NavMesh,
  { wall, lanes, kind, distance, corners }: Candidate,
  cell: number,
  size: number,
): number {
  const words = new Int32Array(13);
  for (let k = 0; k < 3; k++) {
    words[k] = Math.round(((wall.a[k] - mesh.origin[k]) / cell) * PARTS);
    words[3 + k] = Math.round(((wall.b[k] - mesh.origin[k]) / cell) * PARTS);
    words[6 + k] = lanes[k];
  }
  words[9] = Math.round((distance / cell) * PARTS);
  words[10] = Math.round(((corners[7] - mesh.origin[1]) / cell) * PARTS);
  words[11] = KINDS.indexOf(kind);
  words[12] = size;
  const hash = createLongHash();
  addToHash(hash, new Uint32Array(words.buffer));
  return BASE + ((hash[0] & 0x1ffff) * 2 ** 32 + hash[1]) * 8 + KINDS.indexOf(kind);
}

/**
 * Returns the kind of the automatic link with this id, or null if the number is not the id of an automatic link. The id of a link is
 * `getLink(mesh, ref).userId`.
 */
export function autoLinkKind(id: number): AutoLinkKind | null {
  if (!Number.isSafeInteger(id) || id < BASE) return null;
  return KINDS[id % 8] ?? null;
}
