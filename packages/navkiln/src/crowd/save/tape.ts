/**
 * What a crowd is written to and read from: numbers of 8 bytes each, one after the other, in a buffer that is kept for the next.
 *
 * Based on: own.
 */
import { polyIndexOf, refOf } from '../../navmesh/ref.ts';
import type { NavMesh, PolyRef } from '../../navmesh/types.ts';

/** Bytes before the first number. */
export const HEADER_BYTES = 24;

const NAN_HIGH_WORD = 0x7ff80000;

/** What is being written or read: one buffer, seen as bytes, words and numbers; `at` counts numbers of 8 bytes. */
export interface Tape {
  at: number;
  bytes: Uint8Array;
  words: Uint32Array;
  numbers: Float64Array;
  ints: Int32Array;
  halves: Uint16Array;
}

export function tapeOf(buffer: ArrayBuffer): Tape {
  return {
    at: HEADER_BYTES / 8,
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    numbers: new Float64Array(buffer),
    ints: new Int32Array(buffer),
    halves: new Uint16Array(buffer),
  };
}

/** Grows with the largest crowd that was written. */
export let shared: Tape = tapeOf(new ArrayBuffer(1024));

/** Room for so many numbers more. */
export function reserve(count: number): void {
  if (shared.numbers.length >= shared.at + count) return;
  const larger = tapeOf(new ArrayBuffer(8 * Math.max(shared.at + count, 2 * shared.numbers.length)));
  larger.bytes.set(shared.bytes);
  larger.at = shared.at;
  shared = larger;
}

export function put(value: number): void {
  shared.numbers[shared.at] = value;
  // One NaN of all: engines choose others.
  if (value !== value) {
    shared.words[2 * shared.at] = 0;
    shared.words[2 * shared.at + 1] = NAN_HIGH_WORD;
  }
  shared.at++;
}

export function putAll(values: Float64Array, from: number, to: number): void {
  const { numbers, words } = shared;
  let { at } = shared;
  for (let i = from; i < to; i++, at++) {
    const value = values[i];
    numbers[at] = value;
    if (value === value) continue;
    words[2 * at] = 0;
    words[2 * at + 1] = NAN_HIGH_WORD;
  }
  shared.at = at;
}

export function get(tape: Tape): number {
  return tape.numbers[tape.at++];
}

export function getAll(out: Float64Array, tape: Tape): void {
  for (let i = 0; i < out.length; i++) out[i] = get(tape);
}

/** -1 for what is no polygon, or was one of a tile that has gone. */
export function refOrNone(mesh: NavMesh, poly: number): number {
  if (poly < 0 || poly >= mesh.polyCount) return -1;
  const ref = refOf(mesh, poly);
  return polyIndexOf(mesh, ref) === poly ? ref : -1;
}

export function indexOrNone(mesh: NavMesh, ref: number): number {
  return ref < 0 ? -1 : polyIndexOf(mesh, ref as PolyRef);
}
