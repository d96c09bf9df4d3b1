/**
 * Reads a path index from bytes, for a mesh; file-format.ts describes the format.
 *
 * For any bytes, the result is an Error or an index that queries can use. Lengths, checksum, tiles and all indices are
 * checked.
 *
 * In: the bytes of a file, the mesh that the index was built from.
 * Out: a path index.
 * Cost: linear in file and mesh.
 * Based on: own.
 */
import { refuseType } from '../../../base/data/refuse.ts';
import { checkNavMesh } from '../../../mesh/check-mesh.ts';
import { fileChecksum, paddedBytes } from '../../../mesh/file/file-format.ts';
import type { NavMesh } from '../../../mesh/types.ts';
import {
  FIRST_COUNT,
  INDEX_CHECKSUM_WORD,
  INDEX_HEADER_BYTES,
  INDEX_MAGIC,
  INDEX_VERSION,
  REASONS,
  SECTIONS,
  TIERS,
} from './file-format.ts';
import { offerCorridors } from '../offer.ts';
import { hashTile } from '../identity.ts';
import { WAY_SHORT, setLinkGates, setLinkScale } from '../links.ts';
import { checkOverlay } from '../overlay/check.ts';
import { emptyPathIndex } from '../types.ts';
import type { PathIndex } from '../types.ts';

function fail(what: string): never {
  throw new Error(`loadPathIndex: ${what}`);
}

function expect(isGood: boolean, field: string): void {
  if (!isGood) fail(`bad ${field} in the file; build the index again`);
}

/**
 * Returns the index from bytes of `savePathIndex`. `mesh` is the mesh from which it was built, or a saved and loaded
 * copy.
 *
 * Throws an Error for bytes that are damaged or of another version, and for an index of another mesh or of an earlier state of it.
 */
export function loadPathIndex(bytes: Uint8Array | ArrayBuffer, mesh: NavMesh): PathIndex {
  if (!(ArrayBuffer.isView(bytes) || bytes instanceof ArrayBuffer))
    refuseType('loadPathIndex', 'bytes', bytes, 'a Uint8Array');
  checkNavMesh('loadPathIndex', mesh);
  offerCorridors();
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  // The copy keeps the index independent of the caller's bytes. Its sections begin at multiples of 8 bytes.
  const { buffer } = given.slice();
  const file = new Uint8Array(buffer);
  const index = loadOne(file, 0, mesh);
  let length = lengthAt(file, 0);
  for (let left = followCount; left > 0; left--) {
    const other = loadOne(file, length, mesh);
    expect(followCount === 0 && ![index, ...index.others].some(({ size }) => size === other.size), 'size');
    index.others.push(other);
    length += lengthAt(file, length);
  }
  if (length !== file.length) fail(`the file has ${file.length} bytes, not ${length}; cut off or added to`);
  return index;
}

/** The number of files after the last one that was read. */
let followCount = 0;

/** Returns the length of the file at an offset, from its header. */
function lengthAt(bytes: Uint8Array, offset: number): number {
  return new Uint32Array(bytes.buffer, offset, INDEX_HEADER_BYTES / 4)[4] * 8;
}

/** Returns the index in the file of one size, at an offset. */
function loadOne(bytes: Uint8Array<ArrayBuffer>, start: number, mesh: NavMesh): PathIndex {
  const { buffer } = bytes;
  const given = bytes.length - start;
  if (given < INDEX_HEADER_BYTES || String.fromCharCode(...bytes.subarray(start, start + 8)) !== INDEX_MAGIC)
    fail(`no path index: its ${given} bytes do not begin with "nkindex"`);
  const { 2: version, 4: units } = new Uint32Array(buffer, start, INDEX_HEADER_BYTES / 4);
  if (version !== INDEX_VERSION) fail(`the file has version ${version}, not ${INDEX_VERSION}; build the index again`);
  const length = units * 8;
  if (given < length || length < INDEX_HEADER_BYTES)
    fail(`the file has ${given} bytes, not ${length}; cut off or added to`);
  const words = new Uint32Array(buffer, start, length >>> 2);
  if (fileChecksum(words) !== words[INDEX_CHECKSUM_WORD]) fail('wrong checksum; the file is damaged');
  const scalarCount = words[3];
  expect(scalarCount === FIRST_COUNT + SECTIONS.length && INDEX_HEADER_BYTES + 8 * scalarCount <= length, 'header');
  const scalars = new Float64Array(buffer, start + INDEX_HEADER_BYTES, scalarCount);
  for (const value of scalars) expect(Number.isInteger(value) && value >= 0 && value <= 0x7fffffff, 'scalar');
  const [tier, reason, hopBytes, gridWidth, gridDepth, size] = scalars;
  followCount = scalars[6];
  expect(tier < TIERS.length && reason < REASONS.length && (hopBytes === 1 || hopBytes === 2), 'scalar');
  expect(size < Math.max(1, mesh.sizes.length) && followCount < 16, 'size');
  const index = emptyPathIndex(size);
  index.tier = TIERS[tier];
  index.reason = REASONS[reason];
  index.gridWidth = gridWidth;
  index.gridDepth = gridDepth;
  const hopName = index.tier === 'overlay' ? 'hops' : 'tableHop';
  const end = start + length;
  let offset = start + INDEX_HEADER_BYTES + 8 * scalarCount;
  SECTIONS.forEach(([name, Type], i) => {
    const ArrayType = name === hopName && hopBytes === 2 ? Uint16Array : Type;
    const count = scalars[FIRST_COUNT + i];
    const byteCount = count * ArrayType.BYTES_PER_ELEMENT;
    expect(offset + byteCount <= end, name);
    Object.assign(index, { [name]: new ArrayType(buffer, offset, count) });
    offset += paddedBytes(byteCount);
  });
  expect(offset === end, 'length');
  index.cornerCount = index.cornerY.length;
  checkNumbers(index);
  checkLabels(index);
  checkLinks(index);
  checkOverlay(index, index.polyOpen.length, expect);
  setLinkScale(index);
  placePolys(index, mesh);
  return index;
}

/** Throws unless all indices in the path index are valid. */
function checkNumbers(index: PathIndex): void {
  const { cornerCount, points, cones, polyTested, edgeTarget, tableLength, tableHop, edgeStart } = index;
  const polyCount = index.polyOpen.length;
  const pointCount = points.length / 2;
  let tilePolys = 0;
  for (const count of index.tilePolyCount) {
    expect(count >= 0, 'tilePolyCount');
    tilePolys += count;
  }
  const { tileGeneration, tilePolyCount, tileHash } = index;
  expect(tilePolys === polyCount && tilePolyCount.length === tileGeneration.length, 'tilePolyCount');
  expect(tileHash.length === tileGeneration.length, 'tileHash');
  expect(pointCount % 1 === 0 && pointCount >= cornerCount, 'points');
  for (const value of points) expect(Number.isFinite(value), 'points');
  for (const value of index.cornerY) expect(Number.isFinite(value), 'cornerY');
  expect(index.cornerWall.length === 2 * cornerCount && index.cornerWall.every(Number.isFinite), 'cornerWall');
  expect(index.grid.length === 3 && index.grid.every(Number.isFinite), 'grid');
  expect(index.cellStart.length === index.gridWidth * index.gridDepth + 1, 'cellStart');
  checkStarts(index.cellStart, index.cellPolys.length, 'cellStart');
  for (const poly of index.cellPolys) expect(poly >= 0 && poly < polyCount, 'cellPolys');
  expect(index.polyCone.length === polyCount + 1, 'polyCone');
  checkStarts(index.polyCone, cones.length / 3, 'polyCone');
  expect(polyTested.length === 2 * polyCount, 'polyTested');
  for (let poly = 0; poly < polyCount; poly++) {
    const [rightEnd, leftEnd] = [polyTested[2 * poly], polyTested[2 * poly + 1]];
    expect(rightEnd >= index.polyCone[poly] && leftEnd >= rightEnd, 'polyTested');
    expect(leftEnd <= index.polyCone[poly + 1], 'polyTested');
  }
  for (let i = 0; i < cones.length; i++) {
    const value = cones[i];
    expect(i % 3 === 0 ? value >= 0 && value < cornerCount : (value ^ (value >> 31)) < pointCount, 'cones');
  }
  expect(edgeStart.length === cornerCount + 1 && index.edgeLength.length === edgeTarget.length, 'edgeStart');
  checkStarts(edgeStart, edgeTarget.length, 'edgeStart');
  for (const corner of edgeTarget) expect(corner >= 0 && corner < cornerCount, 'edgeTarget');
  for (const edge of index.edgeLength) expect(edge >= 0 && edge < Infinity, 'edgeLength');
  expect(index.polyExits.length === polyCount, 'polyExits');
  expect(index.cornerPoly.length === cornerCount, 'cornerPoly');
  for (const poly of index.cornerPoly) expect(poly >= 0 && poly < polyCount, 'cornerPoly');
  const firstLinkEnd = cornerCount - index.linkWays.length;
  const tableSize = index.tier === 'table' ? cornerCount * cornerCount : 0;
  expect(tableLength.length === tableSize && tableHop.length === tableSize, 'tableLength');
  for (let i = 0; i < tableSize; i++) {
    const corner = i % cornerCount;
    const isReached = tableLength[i] >= 0 && tableLength[i] < Infinity;
    if (!isReached) expect(tableLength[i] === Infinity, 'tableLength');
    else if (i !== corner * (cornerCount + 1))
      expect(tableHop[i] < edgeStart[corner + 1] - edgeStart[corner] + (corner < firstLinkEnd ? 0 : 1), 'tableHop');
  }
}

/** Throws unless link ends have valid corners and polygons. */
function checkLinks(index: PathIndex): void {
  const { linkSlot, linkGeneration, linkLength, linkPoly, linkWays } = index;
  const count = linkSlot.length;
  expect(linkGeneration.length === count && linkLength.length === count, 'linkSlot');
  expect(linkPoly.length === 2 * count && linkWays.length === 2 * count && 2 * count <= index.cornerCount, 'linkPoly');
  for (let link = 0; link < count; link++) {
    expect(linkSlot[link] > (link === 0 ? -1 : linkSlot[link - 1]), 'linkSlot');
    expect(linkLength[link] >= 0 && linkLength[link] < Infinity, 'linkLength');
  }
  for (const poly of linkPoly) expect(poly >= 0 && poly < index.polyOpen.length, 'linkPoly');
  for (const way of linkWays) expect(way <= WAY_SHORT, 'linkWays');
}

/** Throws unless labels contain valid hubs and corners, in the order of hubs. */
function checkLabels({ tier, cornerCount, labelStart, labelHub, labelLength, labelNext }: PathIndex): void {
  const count = labelHub.length;
  expect(labelLength.length === count && labelNext.length === count, 'labelLength');
  expect(labelStart.length === (tier === 'labels' ? cornerCount + 1 : 0), 'labelStart');
  if (tier !== 'labels') expect(count === 0, 'labelHub');
  else checkStarts(labelStart, count, 'labelStart');
  for (let corner = 0; corner + 1 < labelStart.length; corner++) {
    for (let i = labelStart[corner]; i < labelStart[corner + 1]; i++) {
      const least = i === labelStart[corner] ? 0 : labelHub[i - 1] + 1;
      expect(labelHub[i] >= least && labelHub[i] < cornerCount, 'labelHub');
      expect(labelNext[i] >= 0 && labelNext[i] < cornerCount, 'labelNext');
      expect(labelLength[i] >= 0 && labelLength[i] < Infinity, 'labelLength');
    }
  }
}

/** Throws unless ranges begin at 0, follow each other and end at `count`. */
function checkStarts(starts: Int32Array, count: number, field: string): void {
  expect(starts[0] === 0 && starts[starts.length - 1] === count, field);
  for (let i = 1; i < starts.length; i++) expect(starts[i] >= starts[i - 1], field);
}

/** Converts polygon numbers to dense indices of the mesh. Throws unless the mesh has the same tiles. */
function placePolys(index: PathIndex, mesh: NavMesh): void {
  const { tileGeneration, tilePolyCount, polyCone, polyOpen, polyExits } = index;
  const slotCount = tileGeneration.length;
  const polys: number[] = [];
  index.tilePolyStart = new Int32Array(slotCount);
  for (let slot = 0; slot < Math.max(slotCount, mesh.tileSlotCount); slot++) {
    const isUsed = slot < mesh.tileSlotCount && mesh.tileState[slot] === 1;
    const isSame = isUsed
      ? slot < slotCount &&
        mesh.tileGeneration[slot] === tileGeneration[slot] &&
        mesh.tilePolyCount[slot] === tilePolyCount[slot] &&
        hashTile(mesh, slot) === index.tileHash[slot]
      : slot >= slotCount || tileGeneration[slot] === 0;
    if (!isSame) fail(`the index is not of this mesh, or tile ${slot} has changed since; build the index again`);
    if (!isUsed) continue;
    index.tilePolyStart[slot] = mesh.tilePolyStart[slot];
    for (let k = 0; k < mesh.tilePolyCount[slot]; k++) polys.push(mesh.tilePolyStart[slot] + k);
  }
  index.polyCount = mesh.polyCount;
  index.polyOpen = new Uint8Array(mesh.polyCount);
  index.polyExits = new Uint32Array(mesh.polyCount);
  const counts = new Int32Array(mesh.polyCount + 1);
  polys.forEach((poly, place) => {
    index.polyOpen[poly] = polyOpen[place];
    index.polyExits[poly] = polyExits[place];
    counts[poly + 1] = polyCone[place + 1] - polyCone[place];
  });
  for (let poly = 0; poly < mesh.polyCount; poly++) counts[poly + 1] += counts[poly];
  const cones = new Int32Array(index.cones.length);
  polys.forEach((poly, place) => {
    cones.set(index.cones.subarray(3 * polyCone[place], 3 * polyCone[place + 1]), 3 * counts[poly]);
  });
  const tested = new Int32Array(2 * mesh.polyCount);
  polys.forEach((poly, place) => {
    for (let k = 0; k < 2; k++) tested[2 * poly + k] = counts[poly] + index.polyTested[2 * place + k] - polyCone[place];
  });
  index.polyTested = tested;
  index.polyCone = counts;
  index.cones = cones;
  index.cellPolys = index.cellPolys.map((place) => polys[place]);
  index.cornerPoly = index.cornerPoly.map((place) => polys[place]);
  index.linkPoly = index.linkPoly.map((place) => polys[place]);
  if (index.tier !== 'overlay') return;
  const { polyCell } = index;
  index.polyCone = new Int32Array(1);
  index.gateCell = index.gatePoly.map((place) => polyCell[place]);
  index.gatePoly = index.gatePoly.map((place) => polys[place]);
  setLinkGates(index);
  index.polyCell = new Int32Array(mesh.polyCount).fill(-1);
  polys.forEach((poly, place) => {
    index.polyCell[poly] = polyCell[place];
  });
}
