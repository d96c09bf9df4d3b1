/** `navkiln-cli/cache`: a cache of baked tiles and a store of published worlds in a folder, for Node. */
export { createFolderCache, createFolderStore } from './folder.ts';
