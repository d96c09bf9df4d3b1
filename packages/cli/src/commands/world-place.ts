/** Opens the store of a world by its place on the command line: a folder, or an address. */
import { createHttpCache } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import { createFolderStore } from '../cache/folder.ts';
import { InputError } from '../errors.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Returns the store of a world that is read. */
export async function openPlace(place: string): Promise<BlobStore> {
  return /^https?:\/\//.test(place) ? createHttpCache(place, { readOnly: true }) : openWritable(place);
}

/** Returns the store of a world that is changed. Throws an InputError for a place that can only be read. */
export async function openWritable(place: string): Promise<BlobStore> {
  if (place === '') throw new InputError('the name of the world is empty; pass a folder');
  if (ADDRESS.test(place)) throw new InputError(`${place}: is no folder; a world can only be changed in a folder`);
  return createFolderStore(place);
}
