/**
 * Writes values that functions take as arguments as bytes, and reads them: numbers, strings, arrays, plain objects and
 * typed arrays. Small whole numbers take one byte, agent ids four, points 25.
 *
 * A value is a tag (one byte) and its content. Lengths and whole numbers are varints: 7 bits a byte, the lowest first. A
 * string is written once, and later as its number. Values that a recording names instead of storing them, such as the
 * crowd, are references.
 *
 * In: a value, or bytes from anyone: each length is checked against the bytes that are left, before memory is allocated.
 * Out: bytes; the value; an Error that names the byte.
 * Cost: linear.
 * Based on: own; varints are those of Protocol Buffers.
 */
import { addToHash, createLongHash, hexOfHash } from '../../base/data/hash.ts';
import { isHollow, showValue } from '../../base/data/refuse.ts';

/** Bytes that grow, and the strings in them. */
export interface ByteWriter {
  bytes: Uint8Array;
  view: DataView;
  /** Number of bytes written. */
  at: number;
  /** The strings written so far, in their order; the number of each. */
  strings: string[];
  numbers: Map<string, number>;
  /** Where long arguments were written, by their hash. */
  seen: Map<string, number>;
}

/** Bytes that are read. */
export interface ByteReader {
  bytes: Uint8Array;
  view: DataView;
  /** The next byte. */
  at: number;
  /** Where the bytes end. */
  end: number;
  strings: string[];
  /** Throws an Error at the current byte. */
  fail: (what: string) => never;
}

const TAG_UNDEFINED = 0;
const TAG_NULL = 1;
const TAG_FALSE = 2;
const TAG_TRUE = 3;
const TAG_F64 = 4;
const TAG_F32 = 5;
const TAG_NEW_STRING = 6;
const TAG_STRING = 7;
const TAG_ARRAY = 8;
const TAG_OBJECT = 9;
const TAG_TYPED = 10;
const TAG_POINT = 11;
const TAG_ID = 12;
const TAG_WHOLE = 13;
const TAG_NEGATIVE = 14;
const TAG_REFERENCE = 15;
const TAG_LONG = 16;
const TAG_SEEN = 17;
/** This tag and those above it are the whole numbers from 0 on. */
const TAG_SMALL = 32;

/** `AgentId` = generation * 2^20 + slot. */
const ID_FACTOR = 0x100000;
/** Objects and arrays may lie in each other this deep. */
const MAX_DEPTH = 16;
/** Arguments of this many bytes or more, such as tiles, are written once. */
const LONG_BYTES = 128;
/** Longest varint, in bytes: 7 bits each, below 2^53. */
const MAX_VARINT = 8;

const TYPED = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  Uint8ClampedArray,
] as const;

export function createWriter(): ByteWriter {
  const bytes = new Uint8Array(1024);
  return { bytes, view: new DataView(bytes.buffer), at: 0, strings: [], numbers: new Map(), seen: new Map() };
}

export function createReader(bytes: Uint8Array, fail: (at: number, what: string) => never): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reader: ByteReader = {
    bytes,
    view,
    at: 0,
    end: bytes.length,
    strings: [],
    fail: (what) => fail(reader.at, what),
  };
  return reader;
}

/** Makes space for `count` more bytes. */
function reserve(w: ByteWriter, count: number): void {
  if (w.at + count <= w.bytes.length) return;
  const larger = new Uint8Array(Math.max(w.at + count, 2 * w.bytes.length));
  larger.set(w.bytes.subarray(0, w.at));
  w.bytes = larger;
  w.view = new DataView(larger.buffer);
}

export function putByte(w: ByteWriter, value: number): void {
  reserve(w, 1);
  w.bytes[w.at++] = value;
}

export function putWord(w: ByteWriter, value: number): void {
  reserve(w, 4);
  w.view.setUint32(w.at, value, true);
  w.at += 4;
}

export function putVarint(w: ByteWriter, value: number): void {
  reserve(w, MAX_VARINT);
  let rest = value;
  while (rest >= 0x80) {
    w.bytes[w.at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  w.bytes[w.at++] = rest;
}

export function putBytes(w: ByteWriter, bytes: Uint8Array): void {
  reserve(w, bytes.length);
  w.bytes.set(bytes, w.at);
  w.at += bytes.length;
}

/** Forgets what was written after `at` bytes and `strings` strings. */
export function truncateWriter(w: ByteWriter, at: number, strings: number): void {
  w.at = at;
  while (w.strings.length > strings) w.numbers.delete(w.strings.pop()!);
}

/**
 * Writes a value. Objects of `references` are written as their number. Throws a TypeError for a value that is no data, such as a
 * function, with its path.
 */
export function putValue(
  w: ByteWriter,
  value: unknown,
  references: readonly unknown[],
  caller: string,
  path: string,
  depth: number = 0,
): void {
  if (value === undefined) return putByte(w, TAG_UNDEFINED);
  if (value === null) return putByte(w, TAG_NULL);
  if (value === false || value === true) return putByte(w, value ? TAG_TRUE : TAG_FALSE);
  if (typeof value === 'number') return putNumber(w, value);
  if (typeof value === 'string') return putString(w, value);
  const reference = references.indexOf(value);
  if (reference >= 0) {
    putByte(w, TAG_REFERENCE);
    return putByte(w, reference);
  }
  const typed = TYPED.findIndex((Maker) => value instanceof Maker);
  if (typed >= 0) {
    const array = value as Uint8Array;
    putByte(w, TAG_TYPED);
    putByte(w, typed);
    putVarint(w, array.length);
    return putBytes(w, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  const isPlain = typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);
  if (depth >= MAX_DEPTH || !(Array.isArray(value) ? !isHollow(value) : isPlain))
    throw new TypeError(`${caller}: ${path} is ${showValue(value)}; must be data, at most ${MAX_DEPTH} levels deep`);
  if (!Array.isArray(value)) {
    const entries = Object.entries(value as object);
    putByte(w, TAG_OBJECT);
    putVarint(w, entries.length);
    for (const [key, part] of entries) {
      putString(w, key);
      putValue(w, part, references, caller, `${path}.${key}`, depth + 1);
    }
    return;
  }
  const isPoint = value.length === 3 && value.every((x) => typeof x === 'number' && Math.fround(x) !== x);
  putByte(w, isPoint ? TAG_POINT : TAG_ARRAY);
  if (isPoint) return value.forEach((x: number) => putF64(w, x));
  putVarint(w, value.length);
  for (let i = 0; i < value.length; i++)
    putValue(w, value[i] as unknown, references, caller, `${path}[${i}]`, depth + 1);
}

/**
 * Writes an argument of a call, as `putValue` does. A long one has strings of its own, so that it has the same bytes each time; the
 * second time, only the place of the first is written.
 */
export function putArgument(
  w: ByteWriter,
  value: unknown,
  references: readonly unknown[],
  caller: string,
  path: string,
): void {
  const { at } = w;
  const strings = w.strings.length;
  putValue(w, value, references, caller, path);
  if (w.at - at < LONG_BYTES) return;
  truncateWriter(w, at, strings);
  const alone = createWriter();
  putValue(alone, value, references, caller, path);
  const bytes = alone.bytes.subarray(0, alone.at);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  const hash = createLongHash();
  addToHash(hash, words);
  const key = `${hexOfHash(hash)} ${bytes.length}`;
  const known = w.seen.get(key);
  if (known !== undefined && known < at && bytes.every((byte, i) => byte === w.bytes[known + i])) {
    putByte(w, TAG_SEEN);
    return putVarint(w, known);
  }
  putByte(w, TAG_LONG);
  w.seen.set(key, w.at);
  putBytes(w, bytes);
}

/** Reads an argument from `putArgument`. */
export function getArgument(r: ByteReader, references: readonly unknown[]): unknown {
  const { at, strings } = r;
  const tag = getByte(r);
  if (tag !== TAG_SEEN && tag !== TAG_LONG) {
    r.at = at;
    return getValue(r, references);
  }
  const place = tag === TAG_SEEN ? getVarint(r) : r.at;
  if (tag === TAG_SEEN && place >= at) r.fail(`an argument refers to byte ${place}, which is not before it`);
  const next = r.at;
  r.at = place;
  r.strings = [];
  const value = getValue(r, references);
  r.strings = strings;
  if (tag === TAG_SEEN) r.at = next;
  return value;
}

function putNumber(w: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    if (value >= 0 && value < 256 - TAG_SMALL) return putByte(w, TAG_SMALL + value);
    putByte(w, value < 0 ? TAG_NEGATIVE : value < ID_FACTOR ? TAG_WHOLE : TAG_ID);
    if (value < ID_FACTOR) return putVarint(w, Math.abs(value));
    putVarint(w, value % ID_FACTOR);
    return putVarint(w, Math.floor(value / ID_FACTOR));
  }
  const isSingle = Object.is(Math.fround(value), value);
  putByte(w, isSingle ? TAG_F32 : TAG_F64);
  if (!isSingle) return putF64(w, value);
  reserve(w, 4);
  w.view.setFloat32(w.at, value, true);
  w.at += 4;
}

function putF64(w: ByteWriter, value: number): void {
  reserve(w, 8);
  w.view.setFloat64(w.at, value, true);
  w.at += 8;
}

export function putString(w: ByteWriter, text: string): void {
  const known = w.numbers.get(text);
  if (known !== undefined) {
    putByte(w, TAG_STRING);
    return putVarint(w, known);
  }
  const bytes = new TextEncoder().encode(text);
  putByte(w, TAG_NEW_STRING);
  putVarint(w, bytes.length);
  putBytes(w, bytes);
  w.numbers.set(text, w.strings.length);
  w.strings.push(text);
}

function expect(r: ByteReader, count: number): void {
  if (count > r.end - r.at) r.fail(`${count} more bytes are needed, and ${r.end - r.at} are left`);
}

function getByte(r: ByteReader): number {
  expect(r, 1);
  return r.bytes[r.at++];
}

export function getWord(r: ByteReader): number {
  expect(r, 4);
  r.at += 4;
  return r.view.getUint32(r.at - 4, true);
}

export function getVarint(r: ByteReader): number {
  let value = 0;
  let factor = 1;
  for (let i = 0; i < MAX_VARINT; i++, factor *= 0x80) {
    const byte = getByte(r);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return Number.isSafeInteger(value) ? value : r.fail('a number is above 2^53');
  }
  return r.fail(`a number has more than ${MAX_VARINT} bytes`);
}

export function getBytes(r: ByteReader, count: number): Uint8Array {
  expect(r, count);
  r.at += count;
  return r.bytes.subarray(r.at - count, r.at);
}

/** Reads a value from `putValue`. */
export function getValue(r: ByteReader, references: readonly unknown[], depth: number = 0): unknown {
  const tag = getByte(r);
  if (tag >= TAG_SMALL) return tag - TAG_SMALL;
  if (depth > MAX_DEPTH) r.fail(`values lie more than ${MAX_DEPTH} levels deep`);
  switch (tag) {
    case TAG_UNDEFINED:
      return undefined;
    case TAG_NULL:
      return null;
    case TAG_FALSE:
    case TAG_TRUE:
      return tag === TAG_TRUE;
    case TAG_F32:
      expect(r, 4);
      r.at += 4;
      return r.view.getFloat32(r.at - 4, true);
    case TAG_F64:
      return getF64(r);
    case TAG_POINT:
      return [getF64(r), getF64(r), getF64(r)];
    case TAG_WHOLE:
      return getVarint(r);
    case TAG_NEGATIVE:
      return -getVarint(r);
    case TAG_ID: {
      const low = getVarint(r);
      const value = low + getVarint(r) * ID_FACTOR;
      return Number.isSafeInteger(value) ? value : r.fail('a number is above 2^53');
    }
    case TAG_REFERENCE: {
      const number = getByte(r);
      return number < references.length && references[number] !== undefined
        ? references[number]
        : r.fail(`reference ${number} names nothing`);
    }
    case TAG_TYPED: {
      const type = getByte(r);
      const Maker = TYPED[type] ?? r.fail(`${type} is no kind of typed array`);
      const length = getVarint(r);
      const bytes = getBytes(r, length * Maker.BYTES_PER_ELEMENT);
      return new Maker(bytes.slice().buffer);
    }
    case TAG_ARRAY: {
      const length = getVarint(r);
      expect(r, length);
      return Array.from({ length }, () => getValue(r, references, depth + 1));
    }
    case TAG_OBJECT: {
      const out: Record<string, unknown> = {};
      let count = getVarint(r);
      expect(r, 2 * count);
      for (; count > 0; count--) {
        const key = getString(r);
        if (key === '__proto__') r.fail('a key is __proto__');
        out[key] = getValue(r, references, depth + 1);
      }
      return out;
    }
    default:
      r.at--;
      return getString(r);
  }
}

function getF64(r: ByteReader): number {
  expect(r, 8);
  r.at += 8;
  return r.view.getFloat64(r.at - 8, true);
}

export function getString(r: ByteReader): string {
  const tag = getByte(r);
  if (tag === TAG_STRING) {
    const number = getVarint(r);
    return r.strings[number] ?? r.fail(`string ${number} was not written before`);
  }
  if (tag !== TAG_NEW_STRING) r.fail(`${tag} is no kind of value`);
  const text = new TextDecoder().decode(getBytes(r, getVarint(r)));
  r.strings.push(text);
  return text;
}
