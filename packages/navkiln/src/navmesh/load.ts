/**
 * Bytes -> mesh, format in file-format.ts. Each array is a view of the given bytes: nothing is copied (unless they begin
 * at an odd place in their buffer), and the mesh lives in them from now on. To load the same bytes twice, give a copy.
 *
 * Whatever the bytes, the outcome is an Error or a mesh that has no violation: the section table must be the one
 * `saveNavMesh` writes, the checksum must agree, and then everything that queries rely on is checked (check.ts).
 * What is derived (look-ups, portals, hooks of links, islands) is made anew.
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
import { ARRAY_FIELDS, TYPE_F64, TYPE_I32, bytesOfType, makeArray, setArray } from './layout.ts';
import type { PoolArray } from './layout.ts';
import { rehashTiles } from './tile-grid.ts';
import type { NavMesh } from './types.ts';

function fail(what: string): never {
  throw new Error(`loadNavMesh: ${what}`);
}

export function loadNavMesh(bytes: Uint8Array | ArrayBuffer): NavMesh {
  requireLittleEndian('loadNavMesh');
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  if (given.length < FILE_HEADER_BYTES || FILE_MAGIC.some((byte, i) => given[i] !== byte)) {
    fail(`these ${given.length} bytes are no .navmesh file (they do not begin with "navkiln")`);
  }
  const data = given.byteOffset % 8 === 0 ? given : given.slice();
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length >>> 2);
  if (words[2] !== FILE_VERSION) {
    fail(`the file has version ${words[2]}, this library reads version ${FILE_VERSION}; bake again`);
  }
  if (data.length !== words[4] * 8) {
    fail(`the file has ${data.length} bytes, not ${words[4] * 8}; it was cut off or added to`);
  }
  if (fileChecksum(words) !== words[CHECKSUM_WORD]) fail('the checksum is wrong; the file is damaged');
  return viewSections(data, words);
}

function viewSections(data: Uint8Array, words: Uint32Array): NavMesh {
  let offset = FILE_HEADER_BYTES + SECTION_COUNT * SECTION_ENTRY_BYTES;
  let entry = FILE_HEADER_BYTES / 4;
  const expect = (isGood: boolean, id: number): void => {
    if (!isGood) fail(`section ${id} is not where or what saveNavMesh writes; bake again`);
  };
  const next = (id: number, type: number): PoolArray => {
    const length = words[entry + 2];
    const size = length * bytesOfType(type);
    expect(
      words[entry] === id && words[entry + 1] === type && words[entry + 3] === offset / 8 && size <= data.length - offset, id,
    );
    const array = makeArray(type, length, data.buffer, data.byteOffset + offset);
    offset += paddedBytes(size);
    entry += SECTION_ENTRY_BYTES / 4;
    return array;
  };

  expect(words[3] === SECTION_COUNT, 0);
  const scalars = next(SCALARS_ID, TYPE_F64);
  expect(scalars.length === SCALAR_COUNT, SCALARS_ID);
  const [radius, height, maxClimb, maxSlopeDegrees, cellSize, cellHeight, x, y, z, tileSize, tileFreeSlot, linkFree] =
    scalars;
  // What the numbers are worth is checked below, with the rest.
  const agent = { radius, height, maxClimb, maxSlopeDegrees };
  const mesh = emptyNavMesh(agent, cellSize, cellHeight, Float64Array.of(x, y, z), tileSize);
  mesh.tileFreeSlot = tileFreeSlot;
  mesh.linkFree = linkFree;
  let lastPool = '';
  // Saved arrays come before derived ones of the same pool, so its count is known.
  for (const { id, name, pool, type, stride } of ARRAY_FIELDS) {
    if (id === 0) {
      const array = makeArray(type, mesh[pool] * stride);
      setArray(mesh, name, type === TYPE_I32 ? array.fill(-1) : array);
      continue;
    }
    const array = next(id, type);
    if (pool !== lastPool) mesh[pool] = Math.floor(array.length / stride);
    lastPool = pool;
    expect(array.length === mesh[pool] * stride, id);
    setArray(mesh, name, array);
  }
  expect(offset === data.length, 0);
  checkNavMesh(mesh, (code, field, index) => {
    fail(`the mesh in the file is not valid: ${field}${index < 0 ? '' : `[${index}]`} (${code}); bake again and save anew`);
  });
  rehashTiles(mesh);
  connectAll(mesh);
  return mesh;
}
