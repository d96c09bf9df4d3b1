/**
 * Reads a mesh from bytes; file-format.ts describes the format.
 *
 * Each saved array is a view of one copy of the given bytes. With `copy: false`, arrays are views of the given bytes:
 * changes of the mesh then change them, and every other mesh that was loaded from them. Bytes that begin at an
 * unaligned offset of their buffer are always copied.
 *
 * Whatever the bytes, the outcome is an Error or a mesh without violations. Lengths and the checksum must
 * agree, then derive.ts computes the derived fields and checks everything that queries rely on. No allocation
 * is out of proportion to the size of the file.
 *
 * In: the bytes of a .navmesh file.
 * Out: a NavMesh.
 * Cost: linear.
 * Based on: own.
 */
import { checkKeys, refuseType } from '../../base/data/refuse.ts';
import { emptyNavMesh } from '../create.ts';
import { deriveMesh } from './derive.ts';
import { advice } from '../../base/math/advice.ts';
import {
  CHECKSUM_WORD,
  FILE_HEADER_BYTES,
  FILE_MAGIC,
  FILE_VERSION,
  POOLS,
  SCALAR_COUNT,
  fileChecksum,
  paddedBytes,
} from './file-format.ts';
import { ARRAY_FIELDS, TYPE_I32, bytesOfType, makeArray, setArray } from '../layout.ts';
import { areSizes, decodeSizes, isSizeMask } from '../sizes-file.ts';
import type { NavMesh } from '../types.ts';

function fail(what: string): never {
  throw new Error(`loadNavMesh: ${what}; bake and save the mesh again`);
}

function expect(isGood: boolean, field: string, index: number = -1): void {
  if (!isGood) fail(`bad ${field}${index < 0 ? '' : `[${index}]`}`);
}

/** Options of `loadNavMesh`. */
export interface LoadOptions {
  /**
   * Whether the mesh has memory of its own. False: its arrays are views of the given bytes, which saves a copy. Changes such as
   * `setArea` and `setEnabled` then change the bytes, and other meshes that were loaded from them. Default true.
   */
  copy?: boolean;
}

/**
 * Returns the mesh of a file's bytes, which `saveNavMesh` wrote. It shares no memory with them, unless `options.copy` is false.
 *
 * @throws TypeError for values that are not bytes; Error for bytes that are not a valid mesh, with the field
 *   and the problem
 */
export function loadNavMesh(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): NavMesh {
  if (!(ArrayBuffer.isView(bytes) || bytes instanceof ArrayBuffer))
    refuseType('loadNavMesh', 'bytes', bytes, 'a Uint8Array');
  checkKeys('loadNavMesh', options, ['copy']);
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  if (given.length < FILE_HEADER_BYTES || String.fromCharCode(...given.subarray(0, 8)) !== FILE_MAGIC) {
    fail(`the bytes do not begin with "navkiln"${advice.of('loadNavMesh', given, FILE_MAGIC)}`);
  }
  const data = options?.copy === false && given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  const { buffer, byteOffset, length } = data;
  const words = new Uint32Array(buffer, byteOffset, length >>> 2);
  if (words[2] !== FILE_VERSION) {
    fail(`version ${words[2]}, not ${FILE_VERSION}`);
  }
  if (length !== words[4] * 8) fail(`${length} bytes, not ${words[4] * 8}`);
  if (fileChecksum(words) !== words[CHECKSUM_WORD]) fail('wrong checksum');

  // The mesh of a 2D map has one more, a mesh with layers two, one with names three, one with sizes four.
  const scalarCount = words[3];
  const more = scalarCount - SCALAR_COUNT;
  let offset = FILE_HEADER_BYTES + 8 * scalarCount;
  expect(more >= 0 && more < 5 && offset <= length, 'header');
  const scalars = new Float64Array(buffer, byteOffset + FILE_HEADER_BYTES, scalarCount);
  // The first five scalars and mapYSign may be negative.
  scalars.forEach((value, i) =>
    expect(value - value === 0 && (value >= 0 || i < 5 || i === SCALAR_COUNT), 'scalar', i),
  );
  const [
    x,
    y,
    z,
    tileFreeSlot,
    linkFree,
    radius,
    height,
    maxClimb,
    maxSlopeDegrees,
    cellSize,
    cellHeight,
    tileSize,
    linkScale,
    ...counts
  ] = scalars;
  const last = counts.slice(POOLS.length);
  const [mapYSign = 0, layerBytes = 0, groupWords = 0, sizeWords = 0] = last;
  // The last one is not 0. With a larger scale of links, searches would miss the cheapest path.
  expect(
    counts.every((value) => value % 1 === 0) && mapYSign * mapYSign <= 1 && last.at(-1) !== 0 && linkScale <= 1,
    'header',
  );
  const agent = { radius, height, maxClimb, maxSlopeDegrees };
  const mesh = emptyNavMesh(agent, cellSize, cellHeight, Float64Array.of(x, y, z), tileSize);
  Object.assign(mesh, { tileFreeSlot, linkFree, linkScale, mapYSign });
  POOLS.forEach((pool, i) => {
    mesh[pool] = counts[i];
  });
  // The saved arrays of a pool come first: none has more elements than the file has bytes.
  for (const { name, pool, type, stride, isSaved } of ARRAY_FIELDS) {
    const count = mesh[pool] * stride;
    const size = isSaved ? count * bytesOfType(type) : 0;
    expect(offset + size <= length, name);
    const array = makeArray(type, count, isSaved ? buffer : undefined, byteOffset + offset);
    setArray(mesh, name, isSaved || type !== TYPE_I32 ? array : array.fill(-1));
    offset += paddedBytes(size);
  }
  const layersEnd = offset + paddedBytes(layerBytes);
  const groupsEnd = layersEnd + 8 * groupWords;
  const sizesEnd = groupsEnd + 8 * sizeWords;
  const polysEnd = sizesEnd + paddedBytes(2 * mesh.polyCount);
  expect((sizeWords > 0 ? polysEnd + paddedBytes(2 * mesh.linkCount) : sizesEnd) === length, 'length');
  mesh.layers = data.subarray(offset, offset + layerBytes);
  mesh.polySizes.fill(0xffff);
  if (sizeWords > 0) {
    mesh.polySizes = new Uint16Array(buffer, byteOffset + sizesEnd, mesh.polyCount);
    mesh.sizes = decodeSizes(new Float64Array(buffer, byteOffset + groupsEnd, sizeWords));
    expect(areSizes(mesh.sizes), 'sizes');
    mesh.linkSizes = new Uint16Array(buffer, byteOffset + polysEnd, mesh.linkCount);
    mesh.polySizes.forEach((mask, poly) => expect(isSizeMask(mesh, mask), 'polySizes', poly));
  }
  deriveMesh(mesh, new Float64Array(buffer, byteOffset + layersEnd, groupWords), expect);
  return mesh;
}
