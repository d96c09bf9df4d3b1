/**
 * A mesh as a packed file for programs that trust the file: the record as it is in memory, with derived arrays, so that
 * opening it computes and checks nothing. file-format.ts describes the files for all others.
 *
 *   offset 0    8 bytes   "navkiln" and 0x1c
 *          8    u32       version, 1
 *         12    u32       number of bytes of the header
 *         16    the header, JSON in UTF-8, padded with spaces to 8 bytes: the fields of the mesh in their order; a typed
 *               array is the text "type:length" (types as in layout.ts); and `byteLength`, `isWide` and `groups`
 *               the typed arrays in the order of their fields, little-endian, each padded with zeros to 8 bytes
 *
 * In: a mesh; or bytes from `packNavMesh`. Out: bytes; or the mesh.
 * Cost: packing is linear; opening is linear in named polygons and links only.
 * Based on: own.
 */
import { advice } from '../../base/math/advice.ts';
import { refuseType } from '../../base/data/refuse.ts';
import { checkNavMesh } from '../check-mesh.ts';
import { isWideAt, isWideLink, placesOfWide } from '../link-places.ts';
import { bytesOfType, makeArray } from '../layout.ts';
import type { PoolArray } from '../layout.ts';
import type { LinkRef, NamedGroup, NavMesh, PolyRef } from '../types.ts';
import { loadNavMesh } from './load.ts';
import { saveNavMesh } from './save.ts';

const MAGIC = 'navkiln\x1c';
const VERSION = 1;
const HEADER_AT = 16;

/** A named group as plain data. @internal */
export interface PackedGroup {
  name: string;
  isEnabled: boolean;
  polys: [PolyRef, number][];
  links: LinkRef[];
}

/**
 * Returns a mesh as bytes for `openNavMesh`, which opens them without checks. For files that others may have written or
 * changed, use `saveNavMesh` and `loadNavMesh`.
 */
export function packNavMesh(mesh: NavMesh): Uint8Array<ArrayBuffer> {
  checkNavMesh('packNavMesh', mesh);
  const loaded = loadNavMesh(saveNavMesh(mesh));
  const arrays: PoolArray[] = [];
  const header: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(loaded)) {
    header[key] = value;
    if (!ArrayBuffer.isView(value)) continue;
    const array = value as PoolArray;
    header[key] = `${typeOf(array)}:${array.length}`;
    arrays.push(array);
  }
  header['polyGroup'] = 0;
  header['groups'] = packGroups(loaded);
  header['isWide'] = hasWideLink(loaded);
  const size = arrays.reduce((sum, { byteLength }) => sum + padded(byteLength), 0);
  // The length of the file has at most 16 digits, which are reserved.
  const draft = new TextEncoder().encode(JSON.stringify({ ...header, byteLength: 1e15 }));
  const arraysAt = padded(HEADER_AT + draft.length);
  const text = JSON.stringify({ ...header, byteLength: arraysAt + size });
  const bytes = new Uint8Array(arraysAt + size);
  bytes.fill(32, HEADER_AT, arraysAt);
  for (let i = 0; i < 8; i++) bytes[i] = MAGIC.charCodeAt(i);
  new Uint32Array(bytes.buffer, 8, 2).set([VERSION, arraysAt - HEADER_AT]);
  bytes.set(new TextEncoder().encode(text), HEADER_AT);
  let offset = arraysAt;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += padded(byteLength);
  }
  return bytes;
}

/** Returns the named groups of a mesh as plain data. @internal */
export function packGroups({ groups }: NavMesh): PackedGroup[] {
  return groups.map(({ name, isEnabled, polys, links }) => ({
    name,
    isEnabled,
    polys: [...polys],
    links: [...links] as LinkRef[],
  }));
}

/** Returns the named groups, and the group of each polygon. @internal */
export function openGroups(groups: readonly PackedGroup[]): Pick<NavMesh, 'groups' | 'polyGroup'> {
  const polyGroup = new Map<PolyRef, NamedGroup>();
  const named = groups.map(({ polys, links, ...rest }): NamedGroup => {
    const group = { ...rest, polys: new Map(polys), links: new Set(links) };
    for (const [ref] of polys) polyGroup.set(ref, group);
    return group;
  });
  return { groups: named, polyGroup };
}

/** Returns the number of an array's type in layout.ts. @internal */
export function typeOf(array: PoolArray): number {
  for (let type = 1; ; type++) if (makeArray(type, 0).constructor === array.constructor) return type;
}

/** Returns whether an enabled or disabled link is wider than a point. @internal */
export function hasWideLink(mesh: NavMesh): boolean {
  return mesh.linkState.some(
    (state, link) => state !== 0 && (isWideAt(mesh.linkPoints, 12 * link) || isWideLink(mesh, 2 * link)),
  );
}

function padded(byteLength: number): number {
  return Math.ceil(byteLength / 8) * 8;
}

/**
 * Returns the mesh in bytes that `packNavMesh` wrote, in no time: its arrays are views of the bytes, and nothing is
 * checked but the kind, version and length. Only for bytes that you trust: with others, later queries may fail, loop or
 * answer wrongly. `loadNavMesh` checks everything.
 *
 * Changes of the mesh change the bytes, unless their offset in their buffer is no multiple of 8: then they are copied.
 *
 * @throws TypeError for values that are not bytes; Error for bytes of another kind, version or length
 */
export function openNavMesh(bytes: Uint8Array | ArrayBuffer): NavMesh {
  if (!(ArrayBuffer.isView(bytes) || bytes instanceof ArrayBuffer))
    refuseType('openNavMesh', 'bytes', bytes, 'a Uint8Array');
  const given = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const data = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  const { buffer, byteOffset, length } = data;
  const [version, headerBytes] = length < HEADER_AT ? [] : new Uint32Array(buffer, byteOffset + 8, 2);
  const arraysAt = HEADER_AT + headerBytes;
  if (new TextDecoder().decode(data.subarray(0, 8)) !== MAGIC || version !== VERSION || !(arraysAt <= length))
    fail(`the bytes are not those of version ${VERSION}${advice.of('openNavMesh', data, MAGIC)}`);
  const { byteLength, isWide, groups, ...fields } = JSON.parse(
    new TextDecoder().decode(data.subarray(HEADER_AT, arraysAt)),
  ) as Record<string, unknown> & { byteLength: number; isWide: boolean; groups: PackedGroup[] };
  if (byteLength !== length) fail(`${length} bytes, not ${byteLength}`);
  if (isWide) placesOfWide('openNavMesh');
  let offset = byteOffset + arraysAt;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (typeof value !== 'string') continue;
    const [type, count] = value.split(':').map(Number);
    fields[key] = makeArray(type, count, buffer, offset);
    offset += padded(count * bytesOfType(type));
  }
  // The copy is an object whose fields the engine finds fast.
  return { ...fields, ...openGroups(groups) } as unknown as NavMesh;
}

function fail(what: string): never {
  throw new Error(`openNavMesh: ${what}; pack the mesh again with packNavMesh`);
}
