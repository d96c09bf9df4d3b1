/**
 * Stores in a folder: bytes by name, one file each; and a cache of baked tiles, whose names are content keys. Several processes may use
 * one folder.
 *
 * A file is written under a temporary name in its folder and then renamed, so it is complete or absent.
 *
 * In: names and bytes. Out: bytes.
 * Based on: own.
 */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BakeCache } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import { codeOf } from '../errors.ts';
import { MAX_ATTEMPTS, removeStale, temporaryPath } from '../output/temporary.ts';

const KEY_FILE = /^([0-9a-f]{32})\.navtile$/;
/** Parts of letters, digits, `-`, `_` and `.` that begin with none of the marks, so that no name leads out of the folder. */
const NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const MAX_NAME = 200;

/**
 * Returns a cache for `bakeNavMesh` in a folder, which is created with the first entry. Its methods reject with the system's error when the
 * folder cannot be read or written.
 *
 * @throws TypeError when `folder` is not a string
 */
export function createFolderCache(folder: string): BakeCache {
  const files = filesIn('createFolderCache', folder, (key) =>
    KEY_FILE.test(`${key}.navtile`)
      ? `${key}.navtile`
      : badName('createFolderCache', 'key', key, '32 hexadecimal digits'),
  );
  return { ...files, keys: async () => (await files.keys()).flatMap((name) => KEY_FILE.exec(name)?.[1] ?? []) };
}

/**
 * Returns a store in a folder, as for `publishWorld`; the folder is created with the first file. `/` in names makes folders. Its methods
 * reject with the system's error when the folder cannot be read or written.
 *
 * @throws TypeError when `folder` is not a string
 */
export function createFolderStore(folder: string): BlobStore {
  const caller = 'createFolderStore';
  return filesIn(caller, folder, (name) =>
    NAME.test(name) && name.length <= MAX_NAME
      ? name
      : badName(caller, 'name', name, 'parts of letters, digits, "-", "_" and "." with "/" between them'),
  );
}

function badName(caller: string, what: string, name: string, mustBe: string): never {
  throw new RangeError(`${caller}: ${what} is "${name}"; must be ${mustBe}`);
}

function filesIn(caller: string, folder: string, pathOf: (name: string) => string): BlobStore {
  if (typeof folder !== 'string' || folder === '') {
    throw new TypeError(`${caller}: folder is ${JSON.stringify(folder) ?? String(folder)}; must be a path`);
  }
  let attempt = 0;
  const cleaned = new Set<string>();
  const fileOf = (name: string): string => join(folder, pathOf(String(name)));
  return {
    get: async (name, signal) => {
      try {
        return await readFile(fileOf(name), { signal });
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    set: async (name, bytes) => {
      const file = fileOf(name);
      const parent = dirname(file);
      await mkdir(parent, { recursive: true });
      // Temporary files of processes that were killed.
      if (!cleaned.has(parent)) removeStale(file);
      cleaned.add(parent);
      const temporary = temporaryPath(file, attempt++ % MAX_ATTEMPTS);
      try {
        await writeFile(temporary, bytes, { flag: 'wx' });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    delete: async (name) => rm(fileOf(name), { force: true }),
    keys: () => listFiles(folder, ''),
  };
}

/** Lists the files of a folder and its folders by their names, without hidden ones. */
async function listFiles(folder: string, prefix: string): Promise<string[]> {
  let entries;
  try {
    entries = await readdir(join(folder, prefix), { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  const names: string[] = [];
  for (const entry of entries) {
    const name = `${prefix}${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) for (const inner of await listFiles(folder, `${name}/`)) names.push(inner);
    else if (entry.isFile()) names.push(name);
  }
  return names;
}
