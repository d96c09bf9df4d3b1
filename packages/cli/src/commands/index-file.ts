/** The path index beside a navigation mesh: level.navindex for level.navmesh. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { messageOf } from '../errors.ts';
import type { NavMesh } from 'navkiln';
import type { IndexedPath, IndexedPathOptions } from 'navkiln/index';
import { readBytes } from './navmesh-file.ts';

/** Returns the name of the index beside a mesh. */
export function indexFileOf(file: string): string {
  return `${file.slice(0, file.length - extname(file).length)}.navindex`;
}

/** Finds paths with an index. */
export type IndexedSearch = (from: number[], to: number[], options: IndexedPathOptions) => IndexedPath;

/** Returns a search with the index beside a mesh, or undefined when there is none that fits it, with a note on standard error. */
export async function readPathIndex(file: string, navMesh: NavMesh): Promise<IndexedSearch | undefined> {
  const indexFile = indexFileOf(file);
  if (!existsSync(indexFile)) return undefined;
  // Loaded only by commands that need it.
  const { findIndexedPath, loadPathIndex } = await import('navkiln/index');
  try {
    const index = loadPathIndex(readBytes(indexFile), navMesh);
    return (from, to, options) => findIndexedPath(index, navMesh, from, to, options);
  } catch (error) {
    process.stderr.write(`note: ${indexFile} is not used: ${messageOf(error).replace(/^loadPathIndex: /, '')}\n`);
    return undefined;
  }
}
