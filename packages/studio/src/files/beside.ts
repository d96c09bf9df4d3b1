/** Finds the file that another file names: the buffer of a .gltf, the level of a scene, the tileset of a map. */
import type { FileBytes } from './kinds.ts';

/**
 * Returns the file that the file `from` names by `path`, or undefined. Chosen and dropped files have no folders, so
 * the last part of the path is enough; of several, the one that shares most of the path is taken.
 */
export function findBeside(files: readonly FileBytes[], from: string, path: string): FileBytes | undefined {
  const wanted: string[] = [];
  for (const part of [...from.split('/').slice(0, -1), ...path.split(/[/\\]/)]) {
    if (part === '..') wanted.pop();
    else if (part !== '.' && part !== '') wanted.push(part);
  }
  let best: FileBytes | undefined;
  let most = 0;
  for (const file of files) {
    const parts = file.name.split('/');
    let shared = 0;
    while (shared < parts.length && shared < wanted.length && parts.at(-1 - shared) === wanted.at(-1 - shared))
      shared++;
    if (shared > most) [best, most] = [file, shared];
  }
  return best;
}
