/**
 * Frames: a JSON record and typed arrays as bytes, with a checksum.
 *
 * Layout, little-endian: magic (8 bytes), length of the rest, hash of the rest (4 words), length of the text, the text,
 * and the arrays, each aligned to 8 bytes.
 *
 * The checksum detects accidents. Readers check the content, too, since anybody can write a checksum.
 *
 * In: a text and arrays. Out: bytes. The reverse gives the record and the positions of the arrays, or undefined when the
 * bytes are damaged or cut off.
 * Cost: linear.
 * Based on: own.
 */
import { addToHash, createLongHash } from '../../base/data/hash.ts';
import { padded } from './tile-arrays.ts';

/** Number of words of magic, length and hash. */
const HEADER_WORDS = 2 + 1 + 4;
/** Bytes before the text: the header and the length of the text. */
const TEXT_START = 4 * (HEADER_WORDS + 1);

/** A frame that was checked. */
export interface Frame {
  /** The bytes of the frame in separate memory. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The record in the text. Its fields may have any type. */
  record: Readonly<Record<string, unknown>>;
  /** Offset of the first array. */
  start: number;
}

/** Returns a text and arrays as bytes. `magic` has 8 letters. */
export function writeFrame(
  magic: string,
  content: string,
  arrays: readonly ArrayBufferView[],
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(content);
  const start = padded(TEXT_START + text.length);
  const bytes = new Uint8Array(start + arrays.reduce((sum, array) => sum + padded(array.byteLength), 0));
  bytes.set(text, TEXT_START);
  let at = start;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += padded(array.byteLength);
  }
  const words = new Uint32Array(bytes.buffer);
  words[HEADER_WORDS] = text.length;
  bytes.set(new TextEncoder().encode(magic));
  words[2] = bytes.length;
  words.set(hashOf(words), 3);
  return bytes;
}

function hashOf(words: Uint32Array): Uint32Array {
  const hash = createLongHash();
  addToHash(hash, words.subarray(HEADER_WORDS));
  return hash;
}

/** Returns the length in bytes of the frame that begins at `at`; NaN: it is cut off. The frame is not checked. */
export function frameLength(given: Uint8Array, at: number): number {
  if (at + 12 > given.length) return NaN;
  return new DataView(given.buffer, given.byteOffset, given.length).getUint32(at + 8, true);
}

/** Returns the frame in `given`, or undefined when it is damaged, cut off, or of another kind. */
export function readFrame(magic: string, given: Uint8Array): Frame | undefined {
  // A store may return anything.
  if (!(given instanceof Uint8Array) || given.length < TEXT_START || given.length % 8 !== 0) return undefined;
  // The copy is aligned and independent of the caller's memory.
  const bytes = new Uint8Array(given);
  const words = new Uint32Array(bytes.buffer);
  const isIntact =
    new TextDecoder().decode(bytes.subarray(0, 8)) === magic &&
    words[2] === bytes.length &&
    hashOf(words).every((word, i) => word === words[3 + i]);
  if (!isIntact || words[HEADER_WORDS] > bytes.length - TEXT_START) return undefined;
  const textEnd = TEXT_START + words[HEADER_WORDS];
  const record = recordIn(new TextDecoder().decode(bytes.subarray(TEXT_START, textEnd)));
  return record === undefined ? undefined : { bytes, record, start: padded(textEnd) };
}

function recordIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the offset of each array of a frame, for arrays of `lengths` elements with as many bytes as `sizes` says. Returns undefined
 * unless they fill the frame exactly, so that no memory is taken for numbers that are only claimed.
 */
export function arrayPlaces({ bytes, start }: Frame, lengths: unknown, sizes: readonly number[]): number[] | undefined {
  if (!Array.isArray(lengths) || lengths.length !== sizes.length || !lengths.every(isCount)) return undefined;
  let at = start;
  const places = sizes.map((size, i) => {
    const place = at;
    at += padded(lengths[i] * size);
    return place;
  });
  return at === bytes.length ? places : undefined;
}

/** Returns whether a value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
