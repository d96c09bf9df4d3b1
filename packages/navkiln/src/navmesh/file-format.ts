/**
 * The .navmesh file. Little-endian; every section begins at a multiple of 8 bytes, so that loading is one typed-array view
 * a section.
 *
 *   offset 0    8 bytes   "navkiln" and 0x1a
 *          8    u32       version, 1
 *         12    u32       number of sections
 *         16    u32       length of the file in units of 8 bytes
 *         20    u32       checksum: `hashWords` of the words 0 .. 4, then of the words 6 to the end
 *         24    16 bytes a section: u32 id, u32 type (1 f64, 2 f32, 3 i32, 4 u16, 5 u8), u32 count of elements (numbers, not
 *               groups of them), u32 byte offset in units of 8 bytes
 *               the sections, in the order of the table, without gaps but padding zeros to the next multiple of 8
 *
 * Section 1 holds the scalars, SCALAR_COUNT f64: agent radius, height, maxClimb, maxSlopeDegrees; cellSize; cellHeight;
 * origin x, y, z; tileSize; tileFreeSlot; linkFree. The others are the saved arrays of layout.ts, ids and types as there, cut
 * to what is in use and without holes; counts of elements in use follow from their lengths. All sections are present, in the
 * table's order: one mesh has one file.
 */
import { hashWords } from '../data/hash.ts';
import { SAVED_FIELDS } from './layout.ts';

export const FILE_MAGIC: readonly number[] = [0x6e, 0x61, 0x76, 0x6b, 0x69, 0x6c, 0x6e, 0x1a];
export const FILE_VERSION = 1;
export const FILE_HEADER_BYTES = 24;
export const SECTION_ENTRY_BYTES = 16;
export const SCALARS_ID = 1;
export const SCALAR_COUNT = 12;
export const SECTION_COUNT: number = SAVED_FIELDS.length + 1;
/** Word of the checksum. */
export const CHECKSUM_WORD = 5;

export function fileChecksum(words: Uint32Array): number {
  return hashWords(words, CHECKSUM_WORD + 1, words.length, hashWords(words, 0, CHECKSUM_WORD, 0));
}

/** Bytes of a section with its padding. */
export function paddedBytes(byteLength: number): number {
  return Math.ceil(byteLength / 8) * 8;
}

const endianProbe = new Uint8Array(new Uint16Array([1]).buffer);

/** The sections are viewed, not decoded, so the machine must have the file's byte order (all current ones do). */
export function requireLittleEndian(caller: string): void {
  if (endianProbe[0] !== 1) throw new Error(`${caller}: this machine is big-endian; files are little-endian. Use another one`);
}
