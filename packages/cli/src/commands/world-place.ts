/** Opens the store of a world by its place on the command line: a folder, a bucket of S3, or an address that is only read. */
import { createHttpCache } from 'navkiln/worker';
import type { BlobStore } from 'navkiln/world';
import { createFolderStore } from '../cache/folder.ts';
import { InputError, messageOf } from '../errors.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\//i;
export const PLACE_HELP = 'a folder, or s3://BUCKET/FOLDER';

/** Throws an InputError for an address with a user or a password: messages and results repeat the place of a world. */
function refusePassword(place: string): void {
  const address = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i.exec(place);
  if (address === null) return;
  const shown = address[1] + place.slice(address[0].length);
  throw new InputError(
    `${shown}: the address has a user or a password, which the command line would show; leave them out, and let the server know this machine, or mount its folder`,
  );
}

/** Returns the store of a world that is read. */
export async function openPlace(place: string): Promise<BlobStore> {
  refusePassword(place);
  return /^https?:\/\//.test(place) ? createHttpCache(place, { readOnly: true }) : openWritable(place);
}

/** Returns the store of a world that is changed. Throws an InputError for a place that can only be read. */
export async function openWritable(place: string): Promise<BlobStore> {
  refusePassword(place);
  if (place === '') throw new InputError('the name of the world is empty; pass a folder');
  if (place.startsWith('s3://')) return openBucket(place);
  if (ADDRESS.test(place))
    throw new InputError(`${place}: is not a folder; a world can only be changed in ${PLACE_HELP}`);
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
