/**
 * A store that keeps what was read from another one: a client that is started again loads only what it does not have.
 *
 * Files of tiles and routes never change, so one that is kept and whole is not requested again. The checksum of a kept file is left to the
 * reader: this store looks at its length, and at its checksum only when the file is asked for again, as one that was refused is. The manifest
 * that counts is always asked for, and taken from what is kept when the other store does not answer.
 *
 * In: a store to read and one to keep files in. Out: a store.
 * Cost: a look-up before each request, a write after it.
 * Based on: own.
 */
import type { BlobStore } from '../voxel/options.ts';
import { frameLength, readFrame } from '../worker/frame.ts';
import { CURRENT, keyOfName } from './manifest.ts';
import { checkStore } from './store.ts';

/** Letters of the magic of a file. */
const MAGIC_LENGTH = 8;

/**
 * Returns a store that reads from `source`, and keeps files of tiles, routes and manifests in `kept`, as `createIndexedDbCache` in a page or
 * `createFolderStore` in Node. Damaged files are requested again and not kept. Errors of `kept` count as files that it does not have.
 *
 * @throws TypeError for stores that are none
 */
export function createKeptStore(source: BlobStore, kept: BlobStore): BlobStore {
  const caller = 'createKeptStore';
  checkStore(caller, source);
  checkStore(caller, kept);
  const lookUp = (name: string): Promise<Uint8Array | undefined> => kept.get(name).catch(() => undefined);
  /** Files that were given out unchecked, and those that were checked since. */
  const given = new Set<string>();
  const checked = new Set<string>();
  const isGood = (name: string, bytes: Uint8Array): boolean => {
    if (keyOfName(name) === undefined || checked.has(name)) return true;
    if (given.has(name)) {
      if (!isWhole(bytes)) return false;
      checked.add(name);
      return true;
    }
    given.add(name);
    return isFrame(bytes);
  };
  const keep = async (name: string, bytes: Uint8Array | undefined): Promise<Uint8Array | undefined> => {
    given.add(name);
    const isKept = bytes !== undefined && (keyOfName(name) === undefined || isFrame(bytes));
    if (isKept) await kept.set(name, bytes).catch(() => {});
    return bytes;
  };
  return {
    get: async (name, signal) => {
      if (name !== CURRENT) {
        const bytes = await lookUp(name);
        if (bytes !== undefined && isGood(name, bytes)) return bytes;
        return keep(name, await source.get(name, signal));
      }
      try {
        return await keep(name, await source.get(name, signal));
      } catch (error) {
        signal?.throwIfAborted();
        const bytes = await lookUp(name);
        if (bytes === undefined) throw error;
        return bytes;
      }
    },
    set: (name, bytes) => source.set(name, bytes),
    delete: async (name) => {
      await source.delete(name);
      await kept.delete(name).catch(() => {});
    },
    keys: () => source.keys(),
  };
}

/** Returns whether a file is not cut off or damaged, as far as its own checksum tells. */
function isWhole(bytes: Uint8Array): boolean {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC_LENGTH));
  return readFrame(magic, bytes) !== undefined;
}

/** Returns whether a file has the length that it names. */
function isFrame(bytes: Uint8Array): boolean {
  return bytes.length > MAGIC_LENGTH + 4 && frameLength(bytes, 0) === bytes.length;
}
