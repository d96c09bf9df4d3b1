/**
 * A store that keeps the files read from another store. After a restart, a client loads only the files that it does not
 * have.
 *
 * Files of tiles and routes never change, so a complete kept file is not requested again. The reader checks the
 * checksum of a kept file. This store checks only its length; it checks the checksum when the file is requested again,
 * for example after the reader rejected it. The current manifest is always requested; the kept one is used if the other
 * store does not answer.
 *
 * In: a store to read and one to keep files in. Out: a store.
 * Cost: a look-up before each request, a write after it.
 * Based on: own.
 */
import type { BlobStore } from '../../build/voxel/pool-types.ts';
import { frameLength, readFrame } from '../worker/frame.ts';
import { CURRENT, keyOfName } from './manifest.ts';
import { checkStore } from './store.ts';

/** Letters of the magic of a file. */
const MAGIC_LENGTH = 8;

/**
 * Returns a store that reads from `source`, and keeps files of tiles, routes and manifests in `kept`, such as
 * `createIndexedDbCache` in a page or `createFolderStore` in Node. Damaged files are requested again and not
 * kept. If `kept` fails, the file is read from `source`.
 *
 * @throws TypeError for values that are not stores
 */
export function createKeptStore(source: BlobStore, kept: BlobStore): BlobStore {
  const caller = 'createKeptStore';
  checkStore(caller, source);
  checkStore(caller, kept);
  const lookUp = (name: string): Promise<Uint8Array | undefined> => kept.get(name).catch(() => undefined);
  /** Files that were returned without a check, and files that were checked since. */
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
    get: async (name, signal, maxBytes) => {
      if (name !== CURRENT) {
        const bytes = await lookUp(name);
        if (bytes !== undefined && isGood(name, bytes)) return bytes;
        return keep(name, await source.get(name, signal, maxBytes));
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

/** Returns whether a file is complete and undamaged, according to its own checksum. */
function isWhole(bytes: Uint8Array): boolean {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC_LENGTH));
  return readFrame(magic, bytes) !== undefined;
}

/** Returns whether a file has the length in its header. */
function isFrame(bytes: Uint8Array): boolean {
  return bytes.length > MAGIC_LENGTH + 4 && frameLength(bytes, 0) === bytes.length;
}
