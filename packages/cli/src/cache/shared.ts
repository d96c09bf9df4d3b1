/** `navkiln-cli/cache`: a cache of baked tiles in a folder, for `bakeNavMesh` in Node. */
export { createFolderCache } from './folder.ts';
