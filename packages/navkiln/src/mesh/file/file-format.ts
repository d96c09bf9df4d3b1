/**
 * The .navmesh file. It is little-endian, and every section begins at a multiple of 8 bytes, so each section
 * loads as one typed-array view.
 *
 *   offset 0    8 bytes   "navkiln" and 0x1a
 *          8    u32       version, 2
 *         12    u32       number of scalars
 *         16    u32       length of the file in units of 8 bytes
 *         20    u32       checksum: `hashWords` of words 0 .. 4, then of words 6 to the end
 *         24    SCALAR_COUNT f64 scalars, for a 2D map one more, with layers two more, with names three more, with
 *               sizes four more: origin x, y, z; tileFreeSlot; linkFree; agent radius, height, maxClimb, maxSlopeDegrees; cellSize; cellHeight;
 *               tileSize; linkScale; then the element count of each pool, in the order of POOLS; then as many as are
 *               needed of mapYSign, the number of bytes of the layers, and those of f64 numbers of the names and of the sizes
 *               the sections: the saved arrays of layout.ts in their order, each padded with zeros to 8 bytes;
 *               with layers, their bytes, padded to 8 (build/voxel/obstacles/baked-layers.ts); with names, f64 numbers (named-file.ts);
 *               with sizes, f64 numbers (sizes-file.ts), `polySizes` and `linkSizes`, each padded to 8
 *
 * Fields that are not saved are derived from those that are (derive.ts). Portals are stored in the order of
 * their edges, so one mesh has exactly one file.
 */
import { hashWords } from '../../base/data/hash.ts';
import { ARRAY_FIELDS } from '../layout.ts';
import type { CountName } from '../layout.ts';

export const FILE_VERSION = 2;
export const FILE_HEADER_BYTES = 24;
/** Index of the checksum word. */
export const CHECKSUM_WORD = 5;
export const SCALAR_COUNT = 22;

/** Pools in the order of the file. */
export const POOLS: readonly CountName[] = /* @__PURE__ */ listPools();

function listPools(): CountName[] {
  return [...new Set(ARRAY_FIELDS.map(({ pool }) => pool))];
}

/** The first bytes of every file. */
export const FILE_MAGIC = 'navkiln\x1a';

export function fileChecksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

/** Returns the bytes of a section including its padding. */
export function paddedBytes(byteLength: number): number {
  return Math.ceil(byteLength / 8) * 8;
}
