/** Finds, reads and places the levels of a scene file. */
import { createHash } from 'node:crypto';
import { dirname, extname, resolve } from 'node:path';
import type { LevelMesh } from 'navkiln/io';
import { findLevelScene, levelScenes } from 'navkiln-scenes';
import { isMirrored, orientTwoSided, placePositions, placementMatrix } from 'navkiln/world';
import { InputError, didYouMean, messageOf } from '../errors.ts';
import { isObject, splitGltf } from 'navkiln-loaders/parts';
import { READ_LIMIT_BYTES, isLevelFile } from 'navkiln-loaders/files';
import { readBesideFile, readGiven } from '../loaders/given-file.ts';
import type { BesideOptions } from '../loaders/given-file.ts';
import { readLevel } from '../loaders/level.ts';
import type { ReadLimits } from '../loaders/level.ts';
import { withCount } from '../output/text.ts';
import type { SceneDocument } from './parse.ts';
import type { SceneLevel } from './types.ts';

export interface PlacedLevel {
  /** Name in messages: position in the file, number, name. */
  label: string;
  positions: Float64Array;
  indices: Uint32Array;
}

type Note = (message: string) => void;

/**
 * Returns the bytes of a level's files, or the triangles of a bundled level. Throws an `InputError` when
 * there is none.
 */
export function digestLevel(document: SceneDocument, index: number, limits: ReadLimits): string {
  const level = document.scene.levels[index];
  const hash = createHash('sha256');
  if (level.scene !== undefined) {
    const { positions, indices } = createBundled(document, index);
    hash.update('bundled').update(bytesOf(positions)).update(bytesOf(indices));
  } else {
    const label = labelOf(document, index);
    const path = pathOf(document, level);
    if (!isLevelFile(path))
      throw new InputError(`${label}: is not a level format that navkiln reads; use .glb, .gltf or .obj`);
    const { memoryLimitBytes: limitBytes = READ_LIMIT_BYTES, allowOutside = false } = limits;
    const bytes = readGiven(path, limitBytes, label);
    hash.update(extname(path).toLowerCase()).update(bytes);
    for (const name of filesBeside(bytes, path)) {
      hash.update(name).update(readBeside(path, name, { limitBytes, allowOutside }));
    }
  }
  return hash.digest('hex');
}

/** Reads a level and places it. Throws an `InputError` that names it. */
export async function loadPlacedLevel(
  document: SceneDocument,
  index: number,
  note: Note,
  limits: ReadLimits,
): Promise<PlacedLevel> {
  const level = document.scene.levels[index];
  const label = labelOf(document, index);
  let read: Pick<LevelMesh, 'indices' | 'twoSided'> & {
    positions: ArrayLike<number>;
    warnings?: { message: string; count: number }[];
  };
  try {
    read =
      level.scene === undefined ? await readLevel(pathOf(document, level), limits) : createBundled(document, index);
  } catch (error) {
    if (!(error instanceof InputError) || error.message.startsWith(document.path)) throw error;
    throw new InputError(`${label}: ${error.message}`);
  }
  for (const warning of read.warnings ?? []) note(`${label}: ${withCount(warning)}`);
  const { position, rotation, scale, swapYZ } = level;
  let matrix;
  try {
    matrix = placementMatrix({ position, rotation, scale, swapYZ }, 'placement');
  } catch (error) {
    throw new InputError(`${label}: ${messageOf(error).replace(/^placement: (placement\.)?/, '')}`);
  }
  const positions = placePositions(read.positions, matrix);
  const indices = isMirrored(matrix) ? turnedRound(read.indices) : read.indices;
  return { label, positions, indices: orientTwoSided(positions, indices, level.twoSided ?? read.twoSided) };
}

/** Returns the name of a level in messages, such as `town.yaml:4:5 levels[1] (house.obj)`. */
function labelOf(document: SceneDocument, index: number): string {
  const { file, scene } = document.scene.levels[index];
  return `${document.placeOf(['levels', index])} levels[${index}] (${file ?? scene})`;
}

function pathOf(document: SceneDocument, level: SceneLevel): string {
  return resolve(dirname(document.path), level.file!);
}

function createBundled(document: SceneDocument, index: number): { positions: Float32Array; indices: Uint32Array } {
  const name = document.scene.levels[index].scene!;
  const names = levelScenes.map((scene) => scene.name);
  if (names.includes(name)) return findLevelScene(name).create();
  const guess = didYouMean(name, names);
  const remedy = guess === undefined ? `known: ${names.join(', ')}` : `did you mean "${guess}"?`;
  throw new InputError(
    `${document.placeOf(['levels', index, 'scene'])} levels[${index}].scene: no level "${name}"; ${remedy}`,
  );
}

/** Lists the files that a .gltf, or a .glb with external buffers, refers to. */
function filesBeside(bytes: Uint8Array, path: string): string[] {
  if (extname(path).toLowerCase() === '.obj') return [];
  try {
    const { buffers } = splitGltf(bytes, path).json;
    const uris = (Array.isArray(buffers) ? buffers : []).map((buffer: unknown) => isObject(buffer) && buffer['uri']);
    return uris
      .filter((uri) => typeof uri === 'string')
      .filter((uri) => !uri.startsWith('data:'))
      .map((uri) => decodeURIComponent(uri));
  } catch {
    // The reader reports the problem later.
    return [];
  }
}

/** Returns the bytes of a file that a level names. The reader reports missing and refused files later. */
function readBeside(path: string, name: string, options: BesideOptions): Uint8Array | string {
  try {
    return readBesideFile(path, name, path, options) ?? 'missing';
  } catch {
    return 'missing';
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function turnedRound(indices: Uint32Array): Uint32Array {
  const out = indices.slice();
  for (let i = 0; i + 2 < out.length; i += 3) {
    out[i + 1] = indices[i + 2];
    out[i + 2] = indices[i + 1];
  }
  return out;
}
