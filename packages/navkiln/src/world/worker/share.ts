/**
 * Sends the arrays of a level to workers, in shared memory if that is allowed, otherwise as a copy per worker.
 *
 * Arrays are copied in parts, so that the thread is never busy for long. The JavaScript engine clones arrays that are
 * not typed in one call.
 *
 * In: the input of a bake. Out: an input for a worker.
 * Cost: one copy with shared memory, otherwise two per worker. Filling new memory takes ten times as long as filling
 *   memory in use, so a pool reuses the memory of its last bake unless the garbage collector has freed it.
 * Based on: own.
 */
import { nextTurn } from '../../base/data/turn.ts';
import type { TriangleInput } from '../../build/voxel/options.ts';
import type { Request } from './protocol.ts';

/** Number of bytes that are copied before the event loop runs. */
const PART_BYTES = 1 << 20;

/** Shared memory of finished bakes, which the next bake may reuse. */
export type SpareMemory = WeakRef<SharedArrayBuffer>[];

/** Returns shared memory of at least this size, with any content: spare memory that is not much larger, or new memory. */
export function takeShared(spare: SpareMemory, byteLength: number): SharedArrayBuffer {
  for (const [i, weak] of spare.entries()) {
    const memory = weak.deref();
    if (memory === undefined || memory.byteLength < byteLength || memory.byteLength > 2 * byteLength) continue;
    spare.splice(i, 1);
    return memory;
  }
  return new SharedArrayBuffer(byteLength);
}

/**
 * Returns the fields of an input that a bake reads. Levels may have other fields that cannot be sent to a worker, such
 * as the objects of a scene in the report of `levelFromObject3D`.
 */
export function fieldsOf(input: TriangleInput): TriangleInput {
  if (typeof input !== 'object' || input === null) return input;
  const { positions, indices, areas, twoSided } = input;
  const given = Object.entries({ positions, indices, areas, twoSided }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as unknown as TriangleInput;
}

/** Returns an input whose typed arrays are in shared memory from `take`. */
export async function shareInput(
  input: TriangleInput,
  take: (byteLength: number) => SharedArrayBuffer,
): Promise<TriangleInput> {
  const shared: Record<string, unknown> = { ...input };
  for (const [name, array] of typedArraysOf(input)) {
    if (array.buffer instanceof SharedArrayBuffer) continue;
    const type = array.constructor as new (memory: SharedArrayBuffer, at: number, length: number) => Uint8Array;
    const copy = new type(take(array.byteLength), 0, array.length);
    await forParts(array, (part, at) => copy.set(part, at));
    shared[name] = copy;
  }
  return shared as unknown as TriangleInput;
}

/** Sends the typed arrays of an input in parts. Returns the input without them. */
export async function sendParts(
  input: TriangleInput,
  bake: number,
  post: (request: Request) => void,
): Promise<TriangleInput> {
  const rest: Record<string, unknown> = { ...input };
  for (const [name, array] of typedArraysOf(input)) {
    // An array without elements has no parts.
    if (array.length === 0) continue;
    // The part has its own buffer, because sending an array copies its whole buffer.
    await forParts(array, (part, at) =>
      post({ type: 'part', bake, name, length: array.length, at, part: part.slice() }),
    );
    delete rest[name];
  }
  return rest as unknown as TriangleInput;
}

function typedArraysOf(input: TriangleInput): [string, Uint8Array][] {
  const isTyped = ([, value]: [string, unknown]): boolean => ArrayBuffer.isView(value) && !(value instanceof DataView);
  return Object.entries(input).filter(isTyped);
}

/** Visits an array part by part, and yields to the event loop in between. */
async function forParts(array: Uint8Array, visit: (part: Uint8Array, at: number) => void): Promise<void> {
  const length = PART_BYTES / array.BYTES_PER_ELEMENT;
  for (let at = 0; at < array.length; at += length) {
    visit(array.subarray(at, at + length), at);
    await nextTurn();
  }
}
