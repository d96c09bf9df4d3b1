/**
 * The tape that a crowd is written to and read from: consecutive numbers of 8 bytes, in a buffer that is reused.
 *
 * Based on: own.
 */
import { showValue } from '../../../base/data/refuse.ts';
import { polyIndexOf, refOf } from '../../../mesh/ref.ts';
import { ownLinkOf, ownRefOf, savedRefOf } from './content.ts';
import type { NavMesh, PolyRef } from '../../../mesh/types.ts';

/** Bytes before the first number of the tape. */
export const HEADER_BYTES = 32;

/** The high word of the NaN that is written. Engines use different bits for NaN. */
const NAN_HIGH_WORD = 0x7ff80000;

/** One buffer, seen as bytes, words and numbers. */
export interface Tape {
  /** The index of the next number. */
  at: number;
  bytes: Uint8Array;
  words: Uint32Array;
  numbers: Float64Array;
  ints: Int32Array;
  halves: Uint16Array;
  /** The function that errors name. */
  caller: string;
  /** True: refs are those of the mesh that was saved, as in versions up to 6. */
  hasMeshRefs: boolean;
}

/** Returns a tape on a buffer, at its first number. */
export function tapeOf(buffer: ArrayBuffer, caller: string = ''): Tape {
  return {
    caller,
    hasMeshRefs: false,
    at: HEADER_BYTES / 8,
    bytes: new Uint8Array(buffer),
    words: new Uint32Array(buffer),
    numbers: new Float64Array(buffer),
    ints: new Int32Array(buffer),
    halves: new Uint16Array(buffer),
  };
}

/** The tape that is written to. It keeps its buffer, which grows with the largest crowd written. */
export let shared: Tape = tapeOf(new ArrayBuffer(1024));

/** Allocates space for `count` more numbers. */
export function reserve(count: number): void {
  if (shared.numbers.length >= shared.at + count) return;
  const larger = tapeOf(new ArrayBuffer(8 * Math.max(shared.at + count, 2 * shared.numbers.length)));
  larger.bytes.set(shared.bytes);
  larger.at = shared.at;
  shared = larger;
}

/** Appends a number. Call `reserve` first. */
export function put(value: number): void {
  shared.numbers[shared.at] = value;
  if (value !== value) {
    shared.words[2 * shared.at] = 0;
    shared.words[2 * shared.at + 1] = NAN_HIGH_WORD;
  }
  shared.at++;
}

/** Appends values[from .. to - 1]. */
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

/**
 * Throws an Error for a number on a tape that no crowd can have. `path` is the path of the number in the crowd's
 * records.
 */
export function failTape(tape: Tape, path: string, value: unknown, mustBe: string): never {
  throw new Error(
    `${tape.caller}: ${path} in the bytes is ${showValue(value)}; must be ${mustBe}; the bytes are damaged`,
  );
}

/** Reads the next number, which must be whole and `least` .. `most`. */
export function getWhole(tape: Tape, path: string, least: number, most: number): number {
  const value = get(tape);
  if (!(value >= least && value <= most && value % 1 === 0)) failTape(tape, path, value, `whole, ${least} .. ${most}`);
  return value;
}

/** Reads the next number, a ref or another checked handle. */
export function getHandle(tape: Tape, path: string): number {
  return getWhole(tape, path, 0, Number.MAX_SAFE_INTEGER);
}

/** Reads the next number, the ref of a polygon or -1. Returns its dense index, or -1. */
export function getPoly(tape: Tape, mesh: NavMesh, path: string): number {
  const ref = getWhole(tape, path, -1, Number.MAX_SAFE_INTEGER);
  const poly = ref < 0 ? -1 : polyIndexOf(mesh, refFrom(tape, mesh, ref));
  if (poly < 0 && ref !== -1) failTape(tape, path, ref, 'the ref of a polygon, or -1');
  return poly;
}

/** Throws an Error unless `count` more numbers are on the tape. Call it before allocating memory for them. */
export function expectMore(tape: Tape, count: number, path: string): void {
  const left = tape.numbers.length - tape.at;
  if (!(count <= left)) failTape(tape, path, count, `a count that fits into the remaining ${left} numbers`);
}

/** Reads the next number. */
export function get(tape: Tape): number {
  return tape.numbers[tape.at++];
}

/** Returns the saved ref of a polygon (dense index), or -1 when it does not exist. */
export function refOrNone(mesh: NavMesh, poly: number): number {
  if (poly < 0 || poly >= mesh.polyCount) return -1;
  const ref = refOf(mesh, poly);
  return polyIndexOf(mesh, ref) === poly ? savedRefOf(mesh, ref) : -1;
}

/** Returns the ref of a polygon of the mesh for one from a tape. */
export function refFrom(tape: Tape, mesh: NavMesh, saved: number): PolyRef {
  return (tape.hasMeshRefs ? saved : ownRefOf(mesh, saved)) as PolyRef;
}

/** Returns the ref of a link of the mesh for one from a tape. */
export function linkFrom(tape: Tape, mesh: NavMesh, saved: number): number {
  return tape.hasMeshRefs ? saved : ownLinkOf(mesh, saved);
}
