/** Reads a .gltf or .glb file from disk. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LevelMesh } from 'navkiln/io';
import { InputError, explainSystemError } from '../errors.ts';
import { readGltf } from './gltf-read.ts';

/** `file` is how messages name it. */
export async function loadGltf(path: string, file: string): Promise<LevelMesh> {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new InputError(`${file}: ${explainSystemError(error)}`);
  }
  return readGltf(bytes, file, (name, uri) => {
    try {
      return new Uint8Array(readFileSync(resolve(dirname(path), name)));
    } catch (error) {
      throw new InputError(`${file}: buffer "${uri}": ${explainSystemError(error)}; it must be next to the .gltf`);
    }
  });
}
