/**
 * Writes a path index to bytes; file-format.ts describes the format.
 *
 * In: an index.
 * Out: bytes. The same index gives the same bytes, even for a mesh with gaps of removed tiles.
 * Cost: linear.
 * Based on: own.
 */
import { fileChecksum, paddedBytes } from '../../../mesh/file/file-format.ts';
import { checkIndex } from '../check-index.ts';
import {
  INDEX_CHECKSUM_WORD,
  INDEX_HEADER_BYTES,
  INDEX_MAGIC,
  INDEX_VERSION,
  REASONS,
  SECTIONS,
  TIERS,
} from './file-format.ts';
import type { PathIndex } from '../types.ts';

/** Returns the index as bytes, for `loadPathIndex` and the mesh that it was built from. Save the mesh with it. */
export function savePathIndex(index: PathIndex): Uint8Array {
  checkIndex('savePathIndex', index);
  // Sections are copied from memory unchanged, and the format is little-endian.
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error('savePathIndex: this machine is big-endian; files are little-endian. Use another one');
  }
  const parts = index.others.map((other) => saveOne(other, 0));
  parts.unshift(saveOne(index, parts.length));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Returns the file of one size. `followCount`: the number of files that follow. */
function saveOne(index: PathIndex, followCount: number): Uint8Array {
  const packed = packPolys(index);
  const { BYTES_PER_ELEMENT } = index.tier === 'overlay' ? index.hops : index.tableHop;
  const sections = SECTIONS.map(([name]) => packed[name]);
  const scalars = Float64Array.of(
    TIERS.indexOf(index.tier),
    REASONS.indexOf(index.reason),
    BYTES_PER_ELEMENT,
    index.gridWidth,
    index.gridDepth,
    index.size,
    followCount,
    ...sections.map((array) => array.length),
  );
  const start = INDEX_HEADER_BYTES + scalars.byteLength;
  const total = sections.reduce((sum, array) => sum + paddedBytes(array.byteLength), start);
  const bytes = new Uint8Array(total);
  const words = new Uint32Array(bytes.buffer);
  for (let i = 0; i < 8; i++) bytes[i] = INDEX_MAGIC.charCodeAt(i);
  words[2] = INDEX_VERSION;
  words[3] = scalars.length;
  words[4] = total / 8;
  new Float64Array(bytes.buffer, INDEX_HEADER_BYTES).set(scalars);
  let offset = start;
  for (const { buffer, byteOffset, byteLength } of sections) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += paddedBytes(byteLength);
  }
  words[INDEX_CHECKSUM_WORD] = fileChecksum(words);
  return bytes;
}

/** Returns the index with its polygons numbered tile by tile. */
function packPolys(index: PathIndex): PathIndex {
  const { tileGeneration, tilePolyStart, tilePolyCount, polyCone } = index;
  const polys: number[] = [];
  for (let slot = 0; slot < tileGeneration.length; slot++) {
    for (let k = 0; k < tilePolyCount[slot]; k++) polys.push(tilePolyStart[slot] + k);
  }
  const placeOf = new Int32Array(index.polyCount);
  polys.forEach((poly, place) => {
    placeOf[poly] = place;
  });
  const starts = new Int32Array(polys.length + 1);
  const tested = new Int32Array(2 * polys.length);
  const cones = new Int32Array(index.cones.length);
  // An index of tier 'none' has no cones.
  const hasCones = polyCone.length > index.polyCount;
  polys.forEach((poly, place) => {
    const from = hasCones ? polyCone[poly] : 0;
    const to = hasCones ? polyCone[poly + 1] : 0;
    cones.set(index.cones.subarray(3 * from, 3 * to), 3 * starts[place]);
    starts[place + 1] = starts[place] + to - from;
    for (let k = 0; k < 2 && hasCones; k++)
      tested[2 * place + k] = starts[place] + index.polyTested[2 * poly + k] - from;
  });
  return {
    ...index,
    polyOpen: Uint8Array.from(polys, (poly) => index.polyOpen[poly]),
    polyExits: Uint32Array.from(polys, (poly) => index.polyExits[poly]),
    cornerPoly: index.cornerPoly.map((poly) => placeOf[poly]),
    polyCone: starts,
    polyTested: tested,
    cones,
    cellPolys: index.cellPolys.map((poly) => placeOf[poly]),
    linkPoly: index.linkPoly.map((poly) => placeOf[poly]),
    polyCell: index.tier === 'overlay' ? Int32Array.from(polys, (poly) => index.polyCell[poly]) : index.polyCell,
    gatePoly: index.gatePoly.map((poly) => placeOf[poly]),
  };
}
