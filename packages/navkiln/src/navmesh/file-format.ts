/**
 * The .navmesh file. Little-endian; every section begins at a multiple of 8 bytes, so that loading is one typed-array view
 * a section.
 *
 *   offset 0    8 bytes   "navkiln" and 0x1a
 *          8    u32       version, 2
 *         12    u32       number of scalars
 *         16    u32       length of the file in units of 8 bytes
 *         20    u32       checksum: `hashWords` of the words 0 .. 4, then of the words 6 to the end
 *         24    the scalars, SCALAR_COUNT f64: origin x, y, z; tileFreeSlot; linkFree; agent radius, height, maxClimb,
 *               maxSlopeDegrees; cellSize; cellHeight; tileSize; linkScale; then how many elements each pool has, in the order
 *               of POOLS
 *               the sections: the saved arrays of layout.ts in the order there, each padded with zeros to the next multiple of 8
 *
 * What is not saved follows from what is: ranges from counts as all lies side by side, boxes from vertices, lists from the
 * polygons and edges their members name. Portals are in the order of their edges, so one mesh has one file.
 */
import { hashWords } from '../data/hash.ts';
import { ARRAY_FIELDS } from './layout.ts';
import type { CountName } from './layout.ts';

export const FILE_VERSION = 2;
export const FILE_HEADER_BYTES = 24;
/** Word of the checksum. */
export const CHECKSUM_WORD = 5;
export const SCALAR_COUNT = 22;

/** Pools in the order of the file. */
export const POOLS: readonly CountName[] = /* @__PURE__ */ listPools();

function listPools(): CountName[] {
  return [...new Set(ARRAY_FIELDS.map(({ pool }) => pool))];
}

/** What a file begins with. */
export const FILE_MAGIC = 'navkiln\x1a';

export function fileChecksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

/** Bytes of a section with its padding. */
export function paddedBytes(byteLength: number): number {
  return Math.ceil(byteLength / 8) * 8;
}
