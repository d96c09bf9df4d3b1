/** Opens the store of a world by its place on the command line: a folder, a bucket of S3, or an address that is only read. */
import { createHttpCache } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import { createFolderStore } from '../cache/folder.ts';
import { InputError, messageOf } from '../errors.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;
export const PLACE_HELP = 'a folder, or s3://BUCKET/FOLDER';

/** Returns the store of a world that is read. */
export async function openPlace(place: string): Promise<BlobStore> {
  return /^https?:\/\//.test(place) ? createHttpCache(place, { readOnly: true }) : openWritable(place);
}

/** Returns the store of a world that is changed. Throws an InputError for a place that can only be read. */
export async function openWritable(place: string): Promise<BlobStore> {
  if (place === '') throw new InputError('the name of the world is empty; pass a folder');
  if (place.startsWith('s3://')) return openBucket(place);
  if (ADDRESS.test(place)) throw new InputError(`${place}: is no folder; a world can only be changed in ${PLACE_HELP}`);
  return createFolderStore(place);
}

/** Opens s3://BUCKET/FOLDER. The server, the region and the credentials come from the SDK's variables. */
async function openBucket(place: string): Promise<BlobStore> {
  const [bucket, ...rest] = place.slice('s3://'.length).replace(/\/$/, '').split('/');
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? process.env['AWS_ENDPOINT_URL'];
  const { createS3Store } = await import('../cache/s3.ts');
  try {
    return createS3Store({ bucket: bucket!, prefix: rest.join('/'), ...(endpoint === undefined ? {} : { endpoint }) });
  } catch (error) {
    throw new InputError(`${place}: ${messageOf(error).replace(/^createS3Store: options\./, '')}`);
  }
}
