/** Files of path indexes: level.navindex next to level.navmesh. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf } from '../errors.ts';
import type { NavMesh } from 'navkiln';
import type { IndexedPath, IndexedPathOptions, PathIndexReason } from 'navkiln/index';
import { warn } from '../output/print.ts';
import { readBytes } from './navmesh-file.ts';

/** Returns the file name of the index that belongs to a mesh file. */
export function indexFileOf(file: string): string {
  return `${file.slice(0, file.length - extname(file).length)}.navindex`;
}

/** Describes why an index has the tier 'none'. */
export function explainEmptyIndex(reason: PathIndexReason): string {
  const why = {
    '': 'the mesh has no polygons',
    'max-bytes': 'its limit of bytes is too low (raise --index-max-bytes)',
    overlap: 'tiles overlap',
    degenerate: 'polygons are not convex or tiles do not meet',
  };
  return `the index is empty and paths are searched: ${why[reason]}`;
}

/** Finds paths with an index. */
export type IndexedSearch = (from: number[], to: number[], options: IndexedPathOptions) => IndexedPath;

/**
 * Returns a search that uses the mesh's index file, or undefined when there is none. A file that does not match the mesh, or holds an
 * empty index, is noted on standard error.
 */
export async function readPathIndex(file: string, navMesh: NavMesh): Promise<IndexedSearch | undefined> {
  const indexFile = indexFileOf(file);
  if (!existsSync(indexFile)) return undefined;
  // Loaded only by commands that need it.
  const { findIndexedPath, loadPathIndex } = await import('navkiln/index');
  try {
    const index = loadPathIndex(readBytes(indexFile), navMesh);
    for (const { tier, reason } of [index, ...index.others])
      if (tier === 'none') warn(`note: ${indexFile}: ${explainEmptyIndex(reason)}\n`);
    return (from, to, options) => findIndexedPath(index, navMesh, from, to, options);
  } catch (error) {
    warn(`note: ${indexFile} is not used: ${messageOf(error).replace(/^loadPathIndex: /, '')}\n`);
    return undefined;
  }
}
