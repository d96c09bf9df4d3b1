/**
 * Runs before each test file. Meshes of many tests have wide links. What refuses them without `enableWideLinks` is tested in
 * processes of their own (test/consumers/consumers.test.ts).
 *
 * `toEqual` compares long arrays by name of each element, which takes most of the time of many tests. Equal arrays are found here first;
 * those that differ are left to it, and so are its messages.
 */
import { enableWideLinks } from '../src/query/path/wide-links.ts';
import { areSame, vitestExpect } from './expect.ts';

enableWideLinks();

/** Test files of a worker share what they add to `expect`. */
const IS_ADDED = Symbol.for('navkiln.areSame');

if (!(IS_ADDED in globalThis)) {
  Object.defineProperty(globalThis, IS_ADDED, { value: true });
  const isArray = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);
  vitestExpect.addEqualityTesters([(a, b) => (isArray(a) && isArray(b) && areSame(a, b)) || undefined]);
}
