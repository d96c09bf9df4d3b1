/**
 * One mesh for many threads: a writer puts versions of its mesh into shared memory, and readers open them in place.
 *
 * A reader is a NavMesh whose arrays are views of the shared memory. Named groups and numbers are its own. It moves to
 * the newest version when it is refreshed; until then it keeps its version, whatever the writer does (memory.ts). The
 * writer compares each array with the one that readers have and writes only those that differ. Islands are written
 * with flat parents, so that no query of a reader changes them.
 *
 * JavaScript keeps readers from being changed: they are sealed, which `setEnabled` and the like test.
 *
 * In: a mesh; in another thread, the record. Out: the record; a mesh.
 * Cost: a version is linear in the mesh (4 ms of CPU time for 4 MB); refreshing is linear in the named polygons, and in the
 *   polygons for each overlay.
 * Based on: own, over memory.ts.
 */
import { checkKeys, checkNumberKeys, checkObject, refuse, refuseType } from '../../base/data/refuse.ts';
import { rootOf } from '../../base/data/union-find.ts';
import { checkNavMesh } from '../../mesh/check-mesh.ts';
import { hasWideLink, openGroups, packGroups, typeOf } from '../../mesh/file/packed.ts';
import type { PackedGroup } from '../../mesh/file/packed.ts';
import { refreshIslands } from '../../mesh/islands.ts';
import { ARRAY_FIELDS, makeArray } from '../../mesh/layout.ts';
import type { PoolArray } from '../../mesh/layout.ts';
import { placesOfWide } from '../../mesh/link-places.ts';
import type { NavMesh } from '../../mesh/types.ts';
import { requireShared } from './require-shared.ts';
import {
  MAX_READERS,
  claimSlot,
  closeWriter,
  countReaders,
  createWriter,
  currentHeader,
  dropPart,
  freeRetired,
  freeSlot,
  isWriterOpen,
  isWritten,
  noteVersion,
  offsetOf,
  publishHeader,
  readHeader,
  writePart,
} from './memory.ts';
import type { SharedMemory, Writer } from './memory.ts';
import { isOverlay, keepOverlays, overlaysOf } from './overlay.ts';

const KIND = 'navkiln-shared-mesh';
/** Version of the record and of the memory. */
const LAYOUT = 1;
/** By default, memory for this many meshes of the first size, and some more. */
const DEFAULT_ROOM = 4;
const LEAST_ROOM = 1 << 20;

/** A mesh in shared memory, from `shareNavMesh`. Plain data: send it to other threads with `postMessage`. */
export interface SharedNavMesh extends SharedMemory {
  kind: 'navkiln-shared-mesh';
  /** Version of the layout. `openSharedNavMesh` refuses others. */
  version: number;
}

/** Options of `shareNavMesh`. */
export interface ShareOptions {
  /**
   * Largest number of bytes of shared memory. It must hold the mesh, and what changes while readers still read older
   * versions. Memory that is not needed is not taken, except in engines that cannot grow shared memory (Firefox before
   * 128, Safari before 16.4). Default: four times the mesh, plus 1 MiB.
   */
  maxBytes?: number;
}

/** Result of `updateSharedNavMesh`. */
export interface SharedUpdate {
  /** Number of the version, from 1 on. */
  version: number;
  /** Bytes that were written; 0 if the mesh has not changed. */
  writtenBytes: number;
}

/** Result of `getSharedStatus`. */
export interface SharedStatus {
  /** Whether the writer has not called `closeSharedNavMesh`. It stays true if the writer's thread was stopped. */
  isWriterOpen: boolean;
  /** Readers that are open, in all threads. */
  readers: number;
  /** Those of them that have not been refreshed since the last version. */
  readersBehind: number;
  /** Bytes of shared memory. */
  bytes: number;
}

/** A part of a version in the memory. */
interface Part {
  at: number;
  bytes: number;
  /** As in the header: type, length and position. */
  text: string;
}

interface MeshWriter extends Writer {
  mesh: NavMesh;
  /** `mesh.revision` of the last version. */
  revision: number;
  parts: Map<string, Part>;
}

interface Reader {
  memory: SharedMemory;
  slot: number;
  /** Position of the header of the version that the mesh has. */
  header: number;
  /** The header's texts for arrays and groups. */
  texts: Map<string, string>;
}

/** The writers of this thread. */
const writers = new WeakMap<SharedMemory['control'], MeshWriter>();
const readers = new WeakMap<NavMesh, Reader>();
const closed = new WeakSet<object>();
/** Frees the slots of readers that were collected without a call of `closeSharedNavMesh`. */
let collected: FinalizationRegistry<Reader> | undefined;

/** Names of arrays that have room for more than what is used -> the number of used elements. */
function usedLengths(mesh: NavMesh): Map<string, number> {
  return new Map(ARRAY_FIELDS.map(({ name, pool, stride }) => [name, mesh[pool] * stride]));
}

/**
 * Puts a mesh into shared memory and returns a record that other threads open with `openSharedNavMesh`. The mesh itself
 * does not change and is no longer needed, unless `updateSharedNavMesh` puts further versions of it there.
 *
 * @throws TypeError for a value that is no mesh, RangeError for options out of range; Error if memory cannot be shared:
 *   pages need the headers `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`
 */
export function shareNavMesh(mesh: NavMesh, options: ShareOptions = {}): SharedNavMesh {
  const caller = 'shareNavMesh';
  checkNavMesh(caller, mesh);
  checkObject(caller, 'options', options);
  checkKeys(caller, options, ['maxBytes']);
  checkNumberKeys(caller, options, ['maxBytes']);
  requireShared(caller);
  const used = usedLengths(mesh);
  let bytes = LEAST_ROOM / 16;
  for (const [name, array] of arraysOf(mesh)) bytes += 8 + (used.get(name) ?? array.length) * array.BYTES_PER_ELEMENT;
  const { maxBytes = DEFAULT_ROOM * bytes + LEAST_ROOM } = options;
  if (!(maxBytes >= 1024 && maxBytes <= MOST_BYTES))
    refuse(caller, 'options.maxBytes', maxBytes, `a number of bytes, 1024 .. ${MOST_BYTES}`);
  const writer: MeshWriter = { ...createWriter(bytes, maxBytes), mesh, revision: NaN, parts: new Map() };
  publish(caller, writer);
  writers.set(writer.memory.control, writer);
  return { kind: KIND, version: LAYOUT, ...writer.memory };
}

/** 2 GB, which all engines allow. */
const MOST_BYTES = 0x7fffffff;

/**
 * Makes the current state of a mesh the newest version of its shared memory. Call it on the thread that called
 * `shareNavMesh`, with the same mesh, after tiles, links, areas, flags or names of it have changed. Readers get
 * the version with their next `refreshSharedNavMesh`. Nobody waits.
 *
 * @throws Error for a record of another thread or another mesh (a mesh has one writer), after `closeSharedNavMesh`,
 *   and if the memory is full, because readers have not been refreshed or `maxBytes` is too small; readers then keep
 *   the version that they have
 */
export function updateSharedNavMesh(shared: SharedNavMesh, mesh: NavMesh): SharedUpdate {
  const caller = 'updateSharedNavMesh';
  checkShared(caller, shared);
  checkNavMesh(caller, mesh);
  const writer = writers.get(shared.control);
  if (writer === undefined)
    throw new Error(
      `${caller}: the writer of this mesh is another thread; only the thread that called shareNavMesh() may`,
    );
  if (writer.mesh !== mesh)
    throw new Error(
      `${caller}: mesh is not the one that was shared, which is the only writer; share this one separately`,
    );
  if (!isWriterOpen(shared)) throw new Error(`${caller}: the shared mesh is closed; share the mesh again`);
  const writtenBytes = writer.revision === mesh.revision ? 0 : publish(caller, writer);
  return { version: writer.version - 1, writtenBytes };
}

/** Writes a version and returns its number of new bytes. If the memory is full, nothing has changed. */
function publish(caller: string, writer: MeshWriter): number {
  const { mesh, parts } = writer;
  freeRetired(writer);
  if (mesh.islandsStale === 1) refreshIslands(mesh);
  const { islandParent } = mesh;
  for (let node = 0; node < mesh.nodeCount; node++)
    if (islandParent[node] >= 0) islandParent[node] = rootOf(islandParent, node);
  const used = usedLengths(mesh);
  const added = new Map<string, Part>();
  const header: Record<string, unknown> = { ...mesh, polyGroup: 0, revision: writer.version + 1 };
  let written = 0;
  let isFull = false;
  for (const [name, array] of arraysOf(mesh)) {
    const length = used.get(name) ?? array.length;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, length * array.BYTES_PER_ELEMENT);
    let part = parts.get(name);
    if (part?.bytes !== bytes.length || !isWritten(writer, part.at, bytes)) {
      const at = writePart(writer, bytes);
      if ((isFull = at < 0)) break;
      written += bytes.length;
      part = { at, bytes: bytes.length, text: `${typeOf(array)}:${length}:${at}` };
      added.set(name, part);
    }
    header[name] = part.text;
  }
  header['groups'] = JSON.stringify(packGroups(mesh));
  header['isWide'] = hasWideLink(mesh);
  if (isFull || !publishHeader(writer, JSON.stringify(header))) {
    for (const { at, bytes } of added.values()) dropPart(writer, at, bytes, true);
    const { readers: all, behind } = countReaders(writer.memory);
    throw new Error(
      `${caller}: the shared memory of ${writer.maxUnits * 8} bytes is full, and ${behind} of ${all} readers read an older version; ` +
        `call refreshSharedNavMesh() in each reader and closeSharedNavMesh() in those that end, or share the mesh with larger maxBytes`,
    );
  }
  for (const [name, part] of added) {
    const old = parts.get(name);
    // The header was published: the last version no longer needs the old part.
    if (old !== undefined) writer.retired.push({ at: old.at, units: Math.ceil(old.bytes / 8), since: writer.version });
    parts.set(name, part);
  }
  freeRetired(writer);
  writer.revision = mesh.revision;
  return written;
}

function arraysOf(mesh: NavMesh): [string, PoolArray][] {
  return Object.entries(mesh).filter(([, value]) => ArrayBuffer.isView(value)) as [string, PoolArray][];
}

/**
 * Returns a mesh over shared memory, at its newest version, for all queries, crowds and indexes of this thread. It takes some kilobytes.
 * It cannot be changed (`createMeshOverlay` returns meshes with their own doors), except by `refreshSharedNavMesh`. Call
 * `closeSharedNavMesh` when it is no longer needed. It outlives the writer.
 *
 * @throws TypeError for a value that is no record, Error for one of another version of navkiln, if memory cannot be
 *   shared, and for more than 1024 readers
 */
export function openSharedNavMesh(shared: SharedNavMesh): NavMesh {
  const caller = 'openSharedNavMesh';
  checkShared(caller, shared);
  return openInSlot(shared, claimReader(caller, shared));
}

/** Claims a slot for a reader, and throws an Error if all are in use. @internal */
export function claimReader(caller: string, shared: SharedNavMesh): number {
  const slot = claimSlot(shared);
  if (slot >= 0) return slot;
  throw new Error(
    `${caller}: ${MAX_READERS} readers are open; close some with closeSharedNavMesh(), or open one a thread`,
  );
}

/** Opens a mesh in a slot that is claimed, or that is left by a reader whose thread has ended. @internal */
export function openInSlot({ control, data }: SharedNavMesh, slot: number): NavMesh {
  const memory = { control, data };
  const reader: Reader = { memory, slot, header: -1, texts: new Map() };
  // The copy is an object whose fields the engine finds fast.
  const mesh = Object.seal({ ...readChanges(reader) }) as unknown as NavMesh;
  noteVersion(memory, slot, mesh.revision);
  readers.set(mesh, reader);
  collected ??= new FinalizationRegistry((lost) => freeSlot(lost.memory, lost.slot));
  collected.register(mesh, reader, reader);
  return mesh;
}

/**
 * Moves a mesh of `openSharedNavMesh`, and all overlays of it, to the newest version. Returns whether there was one. Call
 * it between queries, such as at the start of a tick; without a new version, it takes less than a microsecond.
 *
 * @throws TypeError for another mesh, and for one that is closed
 */
export function refreshSharedNavMesh(mesh: NavMesh): boolean {
  const reader = readerOf('refreshSharedNavMesh', mesh);
  const { memory, slot } = reader;
  // Memory of the own version is not used again before the slot is changed, so an equal position is the same version.
  if (currentHeader(memory) === reader.header) return false;
  const restore = keepOverlays(mesh);
  Object.assign(mesh, readChanges(reader));
  restore();
  noteVersion(memory, slot, mesh.revision);
  return true;
}

/** Returns the fields of the newest version that the reader does not have. */
function readChanges(reader: Reader): Record<string, unknown> {
  const { memory, texts } = reader;
  const at = currentHeader(memory);
  const { groups, isWide, ...fields } = JSON.parse(readHeader(memory, at)) as Record<string, unknown>;
  if (isWide === true) placesOfWide('openSharedNavMesh');
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'string') continue;
    if (isNews(texts, key, value)) {
      const [type, length, position] = value.split(':').map(Number);
      fields[key] = makeArray(type, length, memory.data, offsetOf(position));
    } else delete fields[key];
  }
  delete fields['polyGroup'];
  if (isNews(texts, 'groups', groups as string))
    Object.assign(fields, openGroups(JSON.parse(groups as string) as PackedGroup[]));
  reader.header = at;
  return fields;
}

function isNews(texts: Map<string, string>, key: string, text: string): boolean {
  if (texts.get(key) === text) return false;
  texts.set(key, text);
  return true;
}

/**
 * Ends the use of shared memory: of a mesh of `openSharedNavMesh`, which is then no mesh any more, or, with the record in
 * the writer's thread, of the writer. Readers keep the version that they have. Closing again does nothing.
 *
 * @throws TypeError for other values
 */
export function closeSharedNavMesh(shared: SharedNavMesh | NavMesh): void {
  const reader = readers.get(shared as NavMesh);
  if (reader !== undefined) {
    readers.delete(shared as NavMesh);
    closed.add(shared);
    collected!.unregister(reader);
    // The memory may be used again, so that no query may read it.
    for (const mesh of [shared as NavMesh, ...overlaysOf(shared as NavMesh)])
      for (const [key] of arraysOf(mesh)) (mesh as unknown as Record<string, unknown>)[key] = undefined;
    freeSlot(reader.memory, reader.slot);
    return;
  }
  if (typeof shared === 'object' && shared !== null && closed.has(shared)) return;
  checkShared('closeSharedNavMesh', shared as SharedNavMesh);
  const writer = writers.get((shared as SharedNavMesh).control);
  if (writer !== undefined) closeWriter(writer);
}

/** Returns the state of shared memory, for metrics. Any thread may call it. */
export function getSharedStatus(shared: SharedNavMesh): SharedStatus {
  checkShared('getSharedStatus', shared);
  const { readers: count, behind } = countReaders(shared);
  return {
    isWriterOpen: isWriterOpen(shared),
    readers: count,
    readersBehind: behind,
    bytes: shared.data.byteLength + shared.control.byteLength,
  };
}

function readerOf(caller: string, mesh: NavMesh): Reader {
  const reader = typeof mesh === 'object' && mesh !== null ? readers.get(mesh) : undefined;
  if (reader !== undefined) return reader;
  const remedy = isOverlay(mesh) ? 'the base of the overlay' : 'a mesh of openSharedNavMesh() that is not closed';
  return refuseType(caller, 'mesh', mesh, remedy);
}

/** Throws unless a value is the record of a shared mesh that this version of navkiln can read. @internal */
export function checkShared(caller: string, shared: SharedNavMesh, path: string = 'shared'): void {
  requireShared(caller);
  if ((shared as SharedNavMesh | null | undefined)?.kind !== KIND)
    refuseType(caller, path, shared, 'a record of shareNavMesh()');
  const { version, control, data } = shared;
  if (version !== LAYOUT)
    throw new Error(
      `${caller}: ${path}.version is ${String(version)}; must be ${LAYOUT}: all threads must run the same version of navkiln`,
    );
  for (const [name, memory] of Object.entries({ control, data }))
    if (!(memory instanceof SharedArrayBuffer)) refuseType(caller, `${path}.${name}`, memory, 'a SharedArrayBuffer');
}
