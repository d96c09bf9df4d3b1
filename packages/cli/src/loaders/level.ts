/** Reads level files by file type, places them in the world and joins their triangles. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { parseObj } from 'navkiln/io';
import type { LevelMesh } from 'navkiln/io';
import { InputError, explainSystemError, messageOf } from '../errors.ts';
import { orientTwoSided } from '../library.ts';
import { isMirrored, transformPoint } from './matrix.ts';
import { placementMatrix } from './placement.ts';
import type { LevelSpec } from './placement.ts';

export const LEVEL_EXTENSIONS: readonly string[] = ['.glb', '.gltf', '.obj'];

export function isLevelFile(file: string): boolean {
  return LEVEL_EXTENSIONS.includes(extname(file).toLowerCase());
}

/** Reads one file without a placement. */
export async function readLevel(file: string): Promise<LevelMesh> {
  const extension = extname(file).toLowerCase();
  if (extension === '.obj') {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(file);
    } catch (error) {
      throw new InputError(`${file}: ${explainSystemError(error)}`);
    }
    try {
      return parseObj(bytes, file);
    } catch (error) {
      throw new InputError(messageOf(error).replace(/^parseObj: /, ''));
    }
  }
  if (extension === '.glb' || extension === '.gltf') {
    // Loaded on demand, because it brings a library along.
    const { loadGltf } = await import('./gltf.ts');
    return loadGltf(file, file);
  }
  const kind = extension === '' ? 'a file without an extension' : `"${extension}"`;
  const known = `use ${LEVEL_EXTENSIONS.join(', ')}; 2D maps are .geojson, .tmj, .json`;
  throw new InputError(`${file}: ${kind} is not a level format that navkiln reads; ${known}`);
}

/**
 * Joins all files in their placements. With several files, group names start with the file's name. Triangles that count from both
 * sides face up afterwards.
 *
 * @param twoSided for all files: whether triangles count from both sides. Default: as the materials say. A spec's own value wins.
 */
export async function loadLevels(
  specs: readonly LevelSpec[],
  onFile?: (file: string, index: number) => void,
  twoSided?: boolean,
): Promise<LevelMesh> {
  const levels: LevelMesh[] = [];
  for (let i = 0; i < specs.length; i++) {
    onFile?.(specs[i].file, i);
    const level = await readLevel(specs[i].file);
    place(level, specs[i]);
    levels.push(faceUp(level, specs[i].twoSided ?? twoSided));
  }
  if (levels.length === 1) return levels[0];
  return join(
    levels,
    specs.map((spec) => basename(spec.file)),
  );
}

function place(level: LevelMesh, spec: LevelSpec): void {
  const matrix = placementMatrix(spec);
  if (matrix === undefined) return;
  const { positions, indices } = level;
  for (let i = 0; i < positions.length; i += 3)
    transformPoint(positions, i, matrix, positions[i], positions[i + 1], positions[i + 2]);
  if (!isMirrored(matrix)) return;
  for (let i = 0; i < indices.length; i += 3) {
    const corner = indices[i + 1];
    indices[i + 1] = indices[i + 2];
    indices[i + 2] = corner;
  }
}

/** Returns a placed level whose two-sided triangles face up, without their marks. */
function faceUp({ twoSided, ...level }: LevelMesh, choice: boolean | undefined): LevelMesh {
  const { positions, indices } = level;
  return { ...level, indices: orientTwoSided(positions, indices, choice ?? twoSided) };
}

function join(levels: readonly LevelMesh[], names: readonly string[]): LevelMesh {
  const joined: LevelMesh = {
    positions: new Float64Array(levels.reduce((sum, level) => sum + level.positions.length, 0)),
    indices: new Uint32Array(levels.reduce((sum, level) => sum + level.indices.length, 0)),
    groups: [],
    warnings: levels.flatMap((level) => level.warnings),
  };
  let coordinate = 0;
  let corner = 0;
  levels.forEach((level, i) => {
    joined.positions.set(level.positions, coordinate);
    const base = coordinate / 3;
    for (let k = 0; k < level.indices.length; k++) joined.indices[corner + k] = level.indices[k] + base;
    for (const group of level.groups) {
      joined.groups.push({
        ...group,
        name: `${names[i]}/${group.name}`,
        triangleStart: group.triangleStart + corner / 3,
      });
    }
    coordinate += level.positions.length;
    corner += level.indices.length;
  });
  return joined;
}
