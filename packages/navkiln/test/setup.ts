/**
 * Runs before each test file. Meshes of many tests have wide links. What refuses them without `enableWideLinks` is tested in
 * processes of their own (test/consumers/consumers.test.ts).
 *
 * `toEqual` compares long arrays by name of each element, which takes most of the time of many tests. Equal arrays are found here first;
 * those that differ are left to it, and so are its messages.
 */
import { expect } from 'vitest';
import { enableWideLinks } from '../src/query/path/wide-links.ts';

enableWideLinks();

/** Returns true if both are arrays of the same kind with the same numbers, texts or truth values, and undefined otherwise. */
function areSameArrays(a: unknown, b: unknown): true | undefined {
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || a.byteLength !== b.byteLength) return undefined;
    const [left, right] = [a, b].map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
    return Buffer.compare(left!, right!) === 0 || undefined;
  }
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return undefined;
  for (let i = 0; i < a.length; i++) if (!PLAIN.has(typeof a[i]) || !Object.is(a[i], b[i])) return undefined;
  return true;
}

const PLAIN: ReadonlySet<string> = new Set(['number', 'string', 'boolean']);
/** Test files of a worker share what they add to `expect`. */
const IS_ADDED = Symbol.for('navkiln.areSameArrays');

if (!(IS_ADDED in globalThis)) {
  Object.defineProperty(globalThis, IS_ADDED, { value: true });
  expect.addEqualityTesters([areSameArrays]);
}
