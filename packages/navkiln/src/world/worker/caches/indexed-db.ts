/**
 * A cache of baked tiles in the IndexedDB of a page.
 *
 * In: content keys and entries. Out: entries.
 * Cost: one transaction per entry.
 * Based on: the Indexed Database API of the W3C.
 */
import { refuseType } from '../../../base/data/refuse.ts';
import type { BakeCache } from '../../../build/voxel/pool-types.ts';

const STORE = 'tiles';

/**
 * Returns a cache for `bakeNavMesh` in the database `name` of the page's origin, which is created when it does not
 * exist. It also works in workers.
 *
 * @throws TypeError when `name` is not a string, or when there is no IndexedDB
 */
export function createIndexedDbCache(name: string): BakeCache {
  const caller = 'createIndexedDbCache';
  if (typeof name !== 'string' || name === '') refuseType(caller, 'name', name, 'a string that is not empty');
  if (typeof indexedDB === 'undefined') {
    throw new TypeError(`${caller}: there is no indexedDB here; must be called in a page or a Web Worker`);
  }
  let opening: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onblocked = () => reject(new Error(`${caller}: another version of the database "${name}" is open`));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => resolve(request.result);
    });
    // The next call opens the database again.
    opening.catch(() => (opening = undefined));
    return opening;
  };
  const run = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const database = await open();
    return new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      // An entry is stored when its transaction is complete.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    get: (key) => run<Uint8Array | undefined>('readonly', (store) => store.get(key)),
    set: async (key, entry) => void (await run('readwrite', (store) => store.put(entry, key))),
    delete: async (key) => void (await run('readwrite', (store) => store.delete(key))),
    keys: async () => (await run('readonly', (store) => store.getAllKeys())).map(String),
  };
}
