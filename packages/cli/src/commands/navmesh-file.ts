/** Opens a .navmesh file. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { InputError, explainSystemError, messageOf } from '../errors.ts';
import { loadNavMesh } from '../library.ts';
import type { NavMesh } from '../library.ts';
import { isLevelFile } from '../loaders/level.ts';

export function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InputError(`${file}: ${explainSystemError(error)}`);
  }
}

export function readNavMesh(file: string): { navMesh: NavMesh; bytes: number } {
  const bytes = readBytes(file);
  try {
    return { navMesh: loadNavMesh(bytes), bytes: bytes.length };
  } catch (error) {
    if (isLevelFile(file)) {
      const baked = `${file.slice(0, -extname(file).length)}.navmesh`;
      throw new InputError(`${file}: is a level, not a navigation mesh; bake it first: navkiln bake ${file} -o ${baked}`);
    }
    throw new InputError(`${file}: ${messageOf(error).replace(/^loadNavMesh: /, '')}`);
  }
}
