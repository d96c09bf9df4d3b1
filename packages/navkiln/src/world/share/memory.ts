/**
 * Shared memory of a mesh: versions that one thread writes and others read without waiting.
 *
 * Nothing that a reader can see is ever written again. A new version goes to free memory, and one atomic store makes it
 * the current one. Each reader notes in its slot which version it reads; memory of older versions is free once no reader
 * needs it. So neither side waits, and no reader sees a half-written version.
 *
 *   control  Int32Array   0: position of the current header, in units of 8 bytes; 1: its version; 2: 1 while the writer
 *                         is open; 3 + r: slot of reader r, see below
 *   slot                  0: free. 1: claimed, no memory may be freed. Otherwise the version that the reader reads
 *   header at a position  Int32: number of bytes of the text, 0; then the text, JSON in UTF-8
 *
 * A slot only grows while it is in use. A reader loads the position of the current header before it notes the version:
 * its old note keeps that header until then.
 *
 * In: parts of a version as bytes. Out: their positions; a header.
 * Cost: writing is linear in the parts; reading is an atomic load while nothing changes.
 * Based on: Paul McKenney, John Slingwine, Read-Copy Update: Using Execution History to Solve Concurrency Problems, 1998.
 */

/** Number of readers that can be open at a time. */
export const MAX_READERS = 1024;
/** Bytes of a unit of positions. */
const UNIT = 8;
const HEADER = 0;
const VERSION = 1;
const WRITER = 2;
const SLOTS = 3;
const CLAIMED = 1;

/** Memory that threads share. Plain data for `postMessage`. */
export interface SharedMemory {
  control: SharedArrayBuffer;
  data: SharedArrayBuffer;
}

/** A range of the data, in units. */
interface Range {
  at: number;
  units: number;
}

/** What the writing thread knows of shared memory. */
export interface Writer {
  memory: SharedMemory;
  maxUnits: number;
  /** The current version, from 2 on. */
  version: number;
  header: Range;
  /** Free ranges, by position. The last one ends at the end of the used memory. */
  free: Range[];
  usedUnits: number;
  /** Ranges of older versions, and the version that no longer has them. */
  retired: (Range & { since: number })[];
}

type Growable = SharedArrayBuffer & { grow?: (bytes: number) => void };

/** Returns memory for parts of this size in total, which grows up to `maxBytes` if the engine can grow shared memory. */
export function createWriter(bytes: number, maxBytes: number): Writer {
  const canGrow = 'grow' in SharedArrayBuffer.prototype;
  const Memory = SharedArrayBuffer as new (length: number, options?: { maxByteLength: number }) => SharedArrayBuffer;
  const most = Math.floor(maxBytes / UNIT);
  const data = new Memory(canGrow ? Math.min(bytes, most * UNIT) : most * UNIT, { maxByteLength: most * UNIT });
  const control = new SharedArrayBuffer(4 * (SLOTS + MAX_READERS));
  new Int32Array(control)[WRITER] = 1;
  const none = { at: 0, units: 0 };
  return {
    memory: { control, data },
    maxUnits: most,
    version: 1,
    header: none,
    free: [],
    usedUnits: 0,
    retired: [],
  };
}

/** Copies bytes to free memory and returns their position in units, or -1 if the memory is full. */
export function writePart(writer: Writer, bytes: Uint8Array): number {
  const units = Math.ceil(bytes.length / UNIT);
  const at = takeRange(writer, units);
  if (at >= 0) new Uint8Array(writer.memory.data, at * UNIT, bytes.length).set(bytes);
  return at;
}

/** Returns whether the bytes at a position are equal to these. */
export function isWritten({ memory }: Writer, at: number, bytes: Uint8Array): boolean {
  // Words are compared where possible. `bytes` may begin at any offset.
  const words = bytes.byteOffset % 4 === 0 ? bytes.length >> 2 : 0;
  const one = new Int32Array(bytes.buffer, words > 0 ? bytes.byteOffset : 0, words);
  const two = new Int32Array(memory.data, at * UNIT, words);
  for (let i = 0; i < words; i++) if (one[i] !== two[i]) return false;
  const known = new Uint8Array(memory.data, at * UNIT, bytes.length);
  for (let i = 4 * words; i < bytes.length; i++) if (bytes[i] !== known[i]) return false;
  return true;
}

/** Frees a part that no version has had, or at the next version one that the current version has. */
export function dropPart(writer: Writer, at: number, bytes: number, isNew: boolean): void {
  const range = { at, units: Math.ceil(bytes / UNIT) };
  if (isNew) giveRange(writer, range);
  else writer.retired.push({ ...range, since: writer.version + 1 });
}

/** Makes a text the header of the current version. Returns false if the memory is full; nothing has changed then. */
export function publishHeader(writer: Writer, text: string): boolean {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(UNIT + body.length);
  new Int32Array(bytes.buffer, 0, 1)[0] = body.length;
  bytes.set(body, UNIT);
  const at = writePart(writer, bytes);
  if (at < 0) return false;
  dropPart(writer, writer.header.at, writer.header.units * UNIT, false);
  writer.header = { at, units: Math.ceil(bytes.length / UNIT) };
  writer.version++;
  const control = controlOf(writer.memory);
  Atomics.store(control, VERSION, writer.version);
  Atomics.store(control, HEADER, at);
  freeRetired(writer);
  return true;
}

/** Frees what no reader needs. */
export function freeRetired(writer: Writer): void {
  const oldest = oldestVersion(writer.memory);
  writer.retired = writer.retired.filter((range) => {
    if (range.since > oldest) return true;
    giveRange(writer, range);
    return false;
  });
}

/** Returns the oldest version that a reader may still read; Infinity without readers. */
function oldestVersion(memory: SharedMemory): number {
  const control = controlOf(memory);
  let oldest = Infinity;
  for (let r = 0; r < MAX_READERS; r++) {
    const version = Atomics.load(control, SLOTS + r);
    if (version !== 0) oldest = Math.min(oldest, version);
  }
  return oldest;
}

/** Returns the number of readers, and of those that still read an older version than the current one. */
export function countReaders(memory: SharedMemory): { readers: number; behind: number } {
  const control = controlOf(memory);
  const current = Atomics.load(control, VERSION);
  let readers = 0;
  let behind = 0;
  for (let r = 0; r < MAX_READERS; r++) {
    const version = Atomics.load(control, SLOTS + r);
    if (version === 0) continue;
    readers++;
    if (version < current) behind++;
  }
  return { readers, behind };
}

export function closeWriter({ memory }: Writer): void {
  Atomics.store(controlOf(memory), WRITER, 0);
}

export function isWriterOpen(memory: SharedMemory): boolean {
  return Atomics.load(controlOf(memory), WRITER) === 1;
}

/** Claims a slot and returns it, or -1 if all are in use. */
export function claimSlot(memory: SharedMemory): number {
  const control = controlOf(memory);
  for (let r = 0; r < MAX_READERS; r++) if (Atomics.compareExchange(control, SLOTS + r, 0, CLAIMED) === 0) return r;
  return -1;
}

/** Frees a slot. */
export function freeSlot(memory: SharedMemory, slot: number): void {
  Atomics.store(controlOf(memory), SLOTS + slot, 0);
}

/** Returns the position of the current header. It stays as it is until the reader in this slot notes another version. */
export function currentHeader(memory: SharedMemory): number {
  return Atomics.load(controlOf(memory), HEADER);
}

/** Returns the text of a header. */
export function readHeader({ data }: SharedMemory, at: number): string {
  const [length] = new Int32Array(data, at * UNIT, 1);
  // The decoder refuses shared memory.
  return new TextDecoder().decode(new Uint8Array(data, at * UNIT + UNIT, length).slice());
}

/** Notes that the reader in a slot reads this version and no older one. */
export function noteVersion(memory: SharedMemory, slot: number, version: number): void {
  Atomics.store(controlOf(memory), SLOTS + slot, version);
}

/** Returns the offset in bytes of a position. */
export function offsetOf(at: number): number {
  return at * UNIT;
}

function controlOf({ control }: SharedMemory): Int32Array<SharedArrayBuffer> {
  return new Int32Array(control);
}

/** Returns the position of a free range, or -1. The first one that is large enough. */
function takeRange(writer: Writer, units: number): number {
  const { free } = writer;
  const i = free.findIndex((range) => range.units >= units);
  if (i >= 0) {
    const { at } = free[i];
    free[i].at += units;
    free[i].units -= units;
    if (free[i].units === 0) free.splice(i, 1);
    return at;
  }
  const at = writer.usedUnits;
  const end = at + units;
  if (end > writer.maxUnits) return -1;
  const data = writer.memory.data as Growable;
  if (end * UNIT > data.byteLength)
    data.grow!(Math.min(writer.maxUnits * UNIT, Math.max(end * UNIT, Math.ceil(data.byteLength * GROWTH))));
  writer.usedUnits = end;
  return at;
}

/** Factor by which memory grows at least. */
const GROWTH = 1.25;

/** Returns a range to the free ones and joins it with its neighbors. */
function giveRange({ free }: Writer, { at, units }: Range): void {
  if (units === 0) return;
  let i = free.findIndex((range) => range.at > at);
  if (i < 0) i = free.length;
  free.splice(i, 0, { at, units });
  for (const k of [i, i - 1]) {
    const next = free[k + 1];
    if (k < 0 || next === undefined || free[k].at + free[k].units !== next.at) continue;
    free[k].units += next.units;
    free.splice(k + 1, 1);
  }
}
