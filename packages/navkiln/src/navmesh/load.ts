/**
 * Bytes -> mesh, format in file-format.ts. Each array is a view of the given bytes: nothing is copied (unless they begin
 * at an odd place in their buffer), and the mesh lives in them from now on. To load the same bytes twice, give a copy.
 *
 * Whatever the bytes, the outcome is an Error or a mesh that has no violation: the section table must be the one
 * `saveNavMesh` writes, the checksum must agree, and then everything that queries rely on is checked (check.ts).
 * Nothing is allocated that the file's own size does not justify. Cost: linear; 25 ms for 57,000 polygons (8 MB), nearly all
 * of it the checks.
 */
import { checkNavMesh } from './check.ts';
import { connectAll } from './connect.ts';
import { emptyNavMesh } from './create.ts';
import {
  CHECKSUM_WORD, FILE_HEADER_BYTES, FILE_MAGIC, FILE_VERSION, SCALARS_ID, SCALAR_COUNT, SECTION_COUNT,
  SECTION_ENTRY_BYTES, fileChecksum, paddedBytes, requireLittleEndian,
} from './file-format.ts';
import { ARRAY_FIELDS, SAVED_FIELDS, TYPE_F64, TYPE_I32, bytesOfType, makeArray, setArray } from './layout.ts';
import { rehashTiles } from './tile-grid.ts';
import type { NavMesh } from './types.ts';

function fail(what: string): never {
  throw new Error(`loadNavMesh: ${what}`);
}

export function loadNavMesh(bytes: Uint8Array | ArrayBuffer): NavMesh {
  requireLittleEndian('loadNavMesh');
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  if (given.length < FILE_HEADER_BYTES || FILE_MAGIC.some((byte, i) => given[i] !== byte)) {
    fail(`these ${given.length} bytes are no .navmesh file (they do not begin with "navkiln"); give what saveNavMesh made`);
  }
  const data = given.byteOffset % 8 === 0 ? given : given.slice();
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length >>> 2);
  if (words[2] !== FILE_VERSION) {
    fail(`the file has version ${words[2]}, this library reads version ${FILE_VERSION}; bake again or update the library`);
  }
  if (data.length !== words[4] * 8) {
    fail(`the file has ${data.length} bytes, but says it has ${words[4] * 8}; it was cut off or added to, fetch it again`);
  }
  if (fileChecksum(words) !== words[CHECKSUM_WORD]) fail('the checksum is wrong; the file is damaged, fetch it again');
  return viewSections(data, words);
}

function viewSections(data: Uint8Array, words: Uint32Array): NavMesh {
  if (words[3] !== SECTION_COUNT) fail(`the file has ${words[3]} sections, not ${SECTION_COUNT}; bake again`);
  let offset = FILE_HEADER_BYTES + SECTION_COUNT * SECTION_ENTRY_BYTES;
  if (data.length < offset) fail(`the file ends within its table of ${SECTION_COUNT} sections; bake again`);
  let entry = FILE_HEADER_BYTES / 4;
  const nextLength = (id: number, type: number): number => {
    const length = words[entry + 2];
    if (words[entry] !== id || words[entry + 1] !== type || words[entry + 3] !== offset / 8) {
      fail(`the table names section ${words[entry]} of type ${words[entry + 1]} at byte ${8 * words[entry + 3]} where ` +
        `section ${id} of type ${type} at byte ${offset} belongs; the file was not made by saveNavMesh`);
    }
    if (length * bytesOfType(type) > data.length - offset) {
      fail(`section ${id} has ${length} elements, more than the file holds; the file was not made by saveNavMesh`);
    }
    entry += SECTION_ENTRY_BYTES / 4;
    return length;
  };

  if (nextLength(SCALARS_ID, TYPE_F64) !== SCALAR_COUNT) fail(`section ${SCALARS_ID} must have ${SCALAR_COUNT} elements`);
  const scalars = new Float64Array(data.buffer, data.byteOffset + offset, SCALAR_COUNT);
  offset += SCALAR_COUNT * 8;
  const [radius, height, maxClimb, maxSlopeDegrees, cellSize, cellHeight, x, y, z, tileSize, tileFreeSlot, linkFree] =
    scalars;
  // What the numbers are worth is checked below, with the rest.
  const agent = { radius, height, maxClimb, maxSlopeDegrees };
  const mesh = emptyNavMesh(agent, cellSize, cellHeight, Float64Array.of(x, y, z), tileSize);
  mesh.tileFreeSlot = tileFreeSlot;
  mesh.linkFree = linkFree;
  let lastPool = '';
  for (const { id, name, pool, type, stride } of SAVED_FIELDS) {
    const length = nextLength(id, type);
    if (pool !== lastPool) {
      lastPool = pool;
      mesh[pool] = Math.floor(length / stride);
    }
    if (length !== mesh[pool] * stride) {
      fail(`section ${id} (${name}) has ${length} elements where ${mesh[pool] * stride} belong; bake again`);
    }
    setArray(mesh, name, makeArray(type, length, data.buffer, data.byteOffset + offset));
    offset += paddedBytes(length * bytesOfType(type));
  }
  for (const { id, name, pool, type, stride } of ARRAY_FIELDS) {
    if (id !== 0) continue;
    const array = makeArray(type, mesh[pool] * stride);
    setArray(mesh, name, type === TYPE_I32 ? array.fill(-1) : array);
  }
  if (offset !== data.length) fail(`${data.length - offset} bytes follow the last section; the file was not made by saveNavMesh`);
  checkNavMesh(mesh, (code, field, index) => {
    fail(`the mesh in the file is not valid: ${field}${index < 0 ? '' : `[${index}]`} (${code}); bake again and save anew`);
  });
  rehashTiles(mesh);
  connectAll(mesh);
  return mesh;
}
