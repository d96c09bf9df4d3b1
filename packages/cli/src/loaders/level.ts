/** Reads level files from disk by file type, places them in the world and joins their triangles. */
import { basename } from 'node:path';
import type { LevelMesh } from 'navkiln/io';
import { InputError } from '../errors.ts';
import { formatBytes } from '../output/text.ts';
import { READ_LIMIT_BYTES, isMirrored, levelExtension, showName, transformPoint } from 'navkiln-loaders/files';
import { readBesideFile, readGiven } from './given-file.ts';
import { readLevelFile } from 'navkiln-loaders';
import { placementMatrix } from './placement.ts';
import type { LevelSpec } from './placement.ts';

/** Limits for reading files: which files may be read, and how much memory that may take. */
export interface ReadLimits {
  /** Whether files may name others outside of their folder. Default false. */
  allowOutside?: boolean;
  /** Default 1 GiB. */
  memoryLimitBytes?: number;
  /** Whether triangles count from both sides. Default: as the materials and the shapes of their parts define. */
  twoSided?: boolean;
}

/** Reads one file without a placement. */
export async function readLevel(file: string, limits: ReadLimits = {}): Promise<LevelMesh> {
  levelExtension(file);
  const { allowOutside = false, memoryLimitBytes = READ_LIMIT_BYTES, twoSided } = limits;
  return readLevelFile(readGiven(file, memoryLimitBytes), file, {
    allowOutside,
    memoryLimitBytes,
    ...(twoSided === undefined ? {} : { twoSided }),
    beside: (name, uri) => {
      const label = `${file}: buffer ${showName(uri)}`;
      const bytes = readBesideFile(file, name, label, { allowOutside, limitBytes: memoryLimitBytes });
      if (bytes === undefined) throw new InputError(`${label}: no such file or folder; it must be next to the .gltf`);
      return bytes;
    },
  });
}

export interface LoadLevelsOptions extends ReadLimits {
  onFile?: (file: string, index: number) => void;
}

/**
 * Joins all files in their placements. With several files, group names start with the file's name. Triangles that count from both
 * sides face up afterwards. The memory limit is one for all of them.
 */
export async function loadLevels(specs: readonly LevelSpec[], options: LoadLevelsOptions = {}): Promise<LevelMesh> {
  const { onFile, twoSided, allowOutside, memoryLimitBytes = READ_LIMIT_BYTES } = options;
  const levels: LevelMesh[] = [];
  let heldBytes = 0;
  for (let i = 0; i < specs.length; i++) {
    onFile?.(specs[i].file, i);
    const leftBytes = memoryLimitBytes - heldBytes;
    if (leftBytes <= 0) {
      const held = `the ${i} levels before it take ${formatBytes(heldBytes)}`;
      throw new InputError(`${specs[i].file}: ${held}, all that memoryLimitBytes allows; raise the limit`);
    }
    const sides = specs[i].twoSided ?? twoSided;
    const level = await readLevel(specs[i].file, { allowOutside, memoryLimitBytes: leftBytes, twoSided: sides });
    // Joining copies them once more.
    heldBytes += 2 * (level.positions.byteLength + level.indices.byteLength);
    place(level, specs[i]);
    levels.push(await faceUp(level));
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
async function faceUp({ twoSided, ...level }: LevelMesh): Promise<LevelMesh> {
  if (twoSided === undefined) return level;
  const { orientTwoSided } = await import('navkiln/world');
  return { ...level, indices: orientTwoSided(level.positions, level.indices, twoSided) };
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
