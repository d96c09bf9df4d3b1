/** `navkiln-cli/cache`: a cache of baked tiles, and stores of published worlds in folders and in S3, for Node. */
export { createFolderCache, createFolderStore } from './folder.ts';
export { createS3Store } from './s3.ts';
export type { S3StoreOptions } from './s3.ts';
