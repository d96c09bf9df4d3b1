/**
 * The file of a path index. It is little-endian, and every section begins at a multiple of 8 bytes. An index for
 * several sizes consists of several files, one after the other.
 *
 *   offset 0    8 bytes   "nkindex" and 0x1a
 *          8    u32       version, 3
 *         12    u32       number of scalars
 *         16    u32       length of this file in units of 8 bytes
 *         20    u32       checksum: `hashWords` of words 0 .. 4, then of words 6 to the end
 *         24    f64 scalars: tier and reason (positions in TIERS and REASONS), bytes of a hop in the table or the overlay,
 *               gridWidth, gridDepth, size, number of files that follow, then the number of elements of each section
 *               the sections, in the order of SECTIONS, each padded with zeros to 8 bytes
 *
 * Polygons are numbered tile by tile, in the order of tile slots, so that a file fits the mesh after it was saved and
 * loaded.
 */
import type { PathIndex, PathIndexReason, PathIndexTier } from '../types.ts';

export const INDEX_MAGIC = 'nkindex\x1a';
export const INDEX_VERSION = 3;
export const INDEX_HEADER_BYTES = 24;
/** Index of the checksum word. */
export const INDEX_CHECKSUM_WORD = 5;

export const TIERS: readonly PathIndexTier[] = ['none', 'table', 'labels', 'graph', 'overlay'];
export const REASONS: readonly PathIndexReason[] = ['', 'max-bytes', 'overlap', 'degenerate'];

/** Number of scalars before the numbers of elements. */
export const FIRST_COUNT = 7;

type SectionName = {
  [K in keyof PathIndex]: PathIndex[K] extends ArrayLike<number> ? (PathIndex[K] extends string ? never : K) : never;
}[keyof PathIndex];

type SectionArray =
  | Float64ArrayConstructor
  | Float32ArrayConstructor
  | Int32ArrayConstructor
  | Uint32ArrayConstructor
  | Uint16ArrayConstructor
  | Uint8ArrayConstructor;

/** The arrays of an index and their types, in the order of the file. */
export const SECTIONS: readonly (readonly [SectionName, SectionArray])[] = [
  ['tileGeneration', Uint16Array],
  ['tilePolyCount', Int32Array],
  ['tileHash', Uint32Array],
  ['polyOpen', Uint8Array],
  ['polyExits', Uint32Array],
  ['points', Float64Array],
  ['cornerY', Float64Array],
  ['cornerPoly', Int32Array],
  ['cornerWall', Float64Array],
  ['grid', Float64Array],
  ['cellStart', Int32Array],
  ['cellPolys', Int32Array],
  ['polyCone', Int32Array],
  ['polyTested', Int32Array],
  ['cones', Int32Array],
  ['edgeStart', Int32Array],
  ['edgeTarget', Int32Array],
  ['edgeLength', Float64Array],
  ['linkSlot', Int32Array],
  ['linkGeneration', Uint16Array],
  ['linkLength', Float64Array],
  ['linkPoly', Int32Array],
  ['linkWays', Uint8Array],
  ['tableLength', Float32Array],
  ['tableHop', Uint8Array],
  ['labelStart', Int32Array],
  ['labelHub', Int32Array],
  ['labelLength', Float64Array],
  ['labelNext', Int32Array],
  ['polyCell', Int32Array],
  ['cellParent', Int32Array],
  ['gatePoint', Float64Array],
  ['gatePoly', Int32Array],
  ['gateLevel', Uint8Array],
  ['gateLink', Int32Array],
  ['cellGateStart', Int32Array],
  ['cellGates', Int32Array],
  ['cellLengthStart', Int32Array],
  ['cellLengths', Float32Array],
  ['viaStart', Int32Array],
  ['viaPoints', Float64Array],
  ['hopStart', Int32Array],
  ['hops', Uint8Array],
];
