/**
 * Mesh -> bytes, format in file-format.ts. Holes of removed tiles are squeezed out, slots and generations stay, so refs
 * kept beside the file stay good. The same tiles in the same slots give the same bytes. Cost: linear in the live mesh.
 */
import { compactMesh } from './compact.ts';
import {
  CHECKSUM_WORD, FILE_HEADER_BYTES, FILE_MAGIC, FILE_VERSION, SCALARS_ID, SCALAR_COUNT, SECTION_COUNT,
  SECTION_ENTRY_BYTES, fileChecksum, paddedBytes, requireLittleEndian,
} from './file-format.ts';
import { SAVED_FIELDS, TYPE_F64, bytesOfType } from './layout.ts';
import type { PoolArray } from './layout.ts';
import type { NavMesh } from './types.ts';

export function saveNavMesh(mesh: NavMesh): Uint8Array {
  requireLittleEndian('saveNavMesh');
  const tight = compactMesh(mesh);
  const scalars = Float64Array.of(
    tight.agent.radius, tight.agent.height, tight.agent.maxClimb, tight.agent.maxSlopeDegrees,
    tight.cellSize, tight.cellHeight, tight.origin[0], tight.origin[1], tight.origin[2], tight.tileSize, tight.tileFreeSlot,
    tight.linkFree,
  );
  let total = FILE_HEADER_BYTES + SECTION_COUNT * SECTION_ENTRY_BYTES + SCALAR_COUNT * 8;
  for (const { name } of SAVED_FIELDS) total += paddedBytes(tight[name].byteLength);

  const bytes = new Uint8Array(total);
  const words = new Uint32Array(bytes.buffer);
  bytes.set(FILE_MAGIC);
  words[2] = FILE_VERSION;
  words[3] = SECTION_COUNT;
  words[4] = total / 8;
  let entry = FILE_HEADER_BYTES / 4;
  let offset = FILE_HEADER_BYTES + SECTION_COUNT * SECTION_ENTRY_BYTES;
  const write = (id: number, type: number, array: PoolArray): void => {
    words[entry] = id;
    words[entry + 1] = type;
    words[entry + 2] = array.byteLength / bytesOfType(type);
    words[entry + 3] = offset / 8;
    entry += SECTION_ENTRY_BYTES / 4;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += paddedBytes(array.byteLength);
  };
  write(SCALARS_ID, TYPE_F64, scalars);
  for (const { id, type, name } of SAVED_FIELDS) write(id, type, tight[name]);
  words[CHECKSUM_WORD] = fileChecksum(words);
  return bytes;
}
