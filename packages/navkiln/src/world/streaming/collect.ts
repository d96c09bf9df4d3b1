/**
 * Removes old manifests of a published world from a store, and the files that no remaining manifest names.
 *
 * In: a store. Out: the store without old manifests and their tiles.
 * Cost: linear in the names of the store.
 * Based on: own.
 */
import { checkKeys, refuse } from '../../base/data/refuse.ts';
import type { BlobStore } from '../../build/voxel/pool-types.ts';
import { CURRENT, keyOfName, sequenceOfName } from './manifest.ts';
import { checkStore, loadManifest } from './store.ts';

/** Options of `collectWorld`. */
export interface CollectOptions {
  /** Number of manifests to keep, the newest ones, >= 1. Clients of an older manifest lose their tiles. Default 1. */
  keep?: number;
}

/** Result of `collectWorld`: the removed files. */
export interface Collection {
  manifests: number;
  tiles: number;
}

/**
 * Removes all but the newest manifests of a published world, and the files of tiles that none of them names. Do not
 * call it during a publication, because no manifest names its tiles before its end.
 *
 * @throws (rejects with) RangeError for `keep` below 1; Error when a manifest that is kept cannot be read, before anything is removed;
 *   errors of the store
 */
export async function collectWorld(store: BlobStore, options: CollectOptions = {}): Promise<Collection> {
  const caller = 'collectWorld';
  checkStore(caller, store);
  checkKeys(caller, options, ['keep']);
  const { keep = 1 } = options;
  if (!(Number.isInteger(keep) && keep >= 1)) refuse(caller, 'options.keep', keep, 'a whole number from 1');
  const names = await store.keys();
  const history = names.filter((name) => sequenceOfName(name) !== undefined).sort();
  const used = new Set<string>();
  for (const name of [CURRENT, ...history.slice(-keep)]) {
    const manifest = await loadManifest(caller, store, name);
    for (const key of manifest?.tiles.key ?? []) used.add(key);
    for (const key of manifest?.routes?.key ?? []) used.add(key);
  }
  const old = history.slice(0, -keep);
  const unused = names.filter((name) => {
    const key = keyOfName(name);
    return key !== undefined && !used.has(key);
  });
  // Manifests are removed first, so that none names a removed tile.
  for (const name of [...old, ...unused]) await store.delete(name);
  return { manifests: old.length, tiles: unused.filter((name) => name.startsWith('tiles/')).length };
}
