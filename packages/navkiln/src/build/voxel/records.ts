/**
 * How the bake creates the records that its hot functions read.
 *
 * V8 11 (Node 20) takes the fields of an object literal to always hold objects of the kind that they held the first time, and compiles
 * functions with that assumption. When the literal is evaluated for the second time, it drops the assumption and all code that was
 * compiled with it. Without this file a second bake compiles every stage again, and takes twice as long
 * (`npm run bench -- --first-calls --calls bake`).
 */

/** Returns the second of two equal records, so that code compiled for it stays valid. `create` must not have effects. */
export function createRecord<T extends object>(create: () => T): T {
  create();
  return create();
}
