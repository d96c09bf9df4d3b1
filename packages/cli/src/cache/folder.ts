/**
 * A cache of baked tiles in a folder: one file per content key. Several processes may use one folder.
 *
 * A file is written next to its place and renamed, so it is whole or absent.
 *
 * In: content keys and entries. Out: entries.
 * Based on: own.
 */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BakeCache } from 'navkiln/worker';
import { codeOf } from '../errors.ts';
import { MAX_ATTEMPTS, removeStale, temporaryPath } from '../output/temporary.ts';

const NAME = /^([0-9a-f]{32})\.navtile$/;

/**
 * Returns a cache for `bakeNavMesh` in a folder, which is created with the first entry. Its methods reject with the system's error when the
 * folder cannot be read or written.
 *
 * @throws TypeError when `folder` is not a text
 */
export function createFolderCache(folder: string): BakeCache {
  if (typeof folder !== 'string' || folder === '') {
    throw new TypeError(`createFolderCache: folder is ${JSON.stringify(folder) ?? String(folder)}; must be a path`);
  }
  let attempt = 0;
  const fileOf = (key: string): string => {
    const name = `${key}.navtile`;
    if (!NAME.test(name)) throw new RangeError(`createFolderCache: key is "${key}"; must be 32 hexadecimal digits`);
    return join(folder, name);
  };
  return {
    get: async (key) => {
      try {
        return await readFile(fileOf(key));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    set: async (key, entry) => {
      const file = fileOf(key);
      await mkdir(folder, { recursive: true });
      // Temporary files of processes that were killed.
      if (attempt === 0) removeStale(file);
      const temporary = temporaryPath(file, attempt++ % MAX_ATTEMPTS);
      try {
        await writeFile(temporary, entry, { flag: 'wx' });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    delete: async (key) => rm(fileOf(key), { force: true }),
    keys: async () => {
      try {
        return (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      }
    },
  };
}
