/**
 * The store of a published world. It has the same four methods as a cache of tiles.
 *
 * In: a store and names. Out: manifests.
 * Based on: own.
 */
import { checkFunction, checkObject } from '../../base/data/refuse.ts';
import type { BlobStore } from '../../build/voxel/pool-types.ts';
import { readManifest } from './manifest.ts';
import type { WorldManifest } from './manifest.ts';

const METHODS = ['get', 'set', 'delete', 'keys'] as const;

/** Throws a TypeError unless `store` has the methods of a store. */
export function checkStore(caller: string, store: BlobStore): void {
  checkObject(caller, 'store', store);
  for (const name of METHODS) checkFunction(caller, `store.${name}`, store[name]);
}

/** Returns the manifest in the file `name`. Throws an Error that names `caller` and the file. */
export function manifestIn(caller: string, name: string, bytes: Uint8Array): WorldManifest {
  try {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('store.get did not return a Uint8Array');
    return readManifest(bytes);
  } catch (error) {
    throw new Error(`${caller}: ${name}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Returns the manifest in the file `name` of a store, or undefined if there is none. Rejects with the errors of
 * `manifestIn`.
 */
export async function loadManifest(caller: string, store: BlobStore, name: string): Promise<WorldManifest | undefined> {
  const bytes = await store.get(name);
  return bytes === undefined ? undefined : manifestIn(caller, name, bytes);
}
