/**
 * Loads the levels to measure: all 3D scenes, and real levels from the folder next to the repository if it
 * exists.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'navkiln/build';
import { parseObj } from 'navkiln/io';
import { findLevelScene, levelScenes } from 'navkiln-scenes';

export interface BenchLevel {
  name: string;
  positions: Float32Array;
  indices: Uint32Array;
  options: BuildOptions;
}

/** Cells of 0.3 x 0.2 and an agent of 0.6 x 2: the usual settings for these two levels. */
const OBJ_OPTIONS: BuildOptions = {
  agent: { radius: 0.6, height: 2, maxClimb: 0.9, maxSlopeDegrees: 45 },
  cellSize: 0.3,
  cellHeight: 0.2,
};

/** Scenes and their scales for `loadGrown`: up to some 20,000 polygons. */
export const GROWN: readonly (readonly [string, number])[] = [
  ['city', 8],
  ['terrain', 20],
];

export function loadGrown(): BenchLevel[] {
  return GROWN.map(([name, scale]) => {
    const scene = findLevelScene(name);
    const { positions, indices } = scene.create(undefined, scale);
    return { name: `${name} x${scale}`, positions, indices, options: { ...scene.options, memoryLimitBytes: 2 ** 36 } };
  });
}

/**
 * Loads levels by name; no names: all. Scenes with fewer than `minTriangles` triangles are skipped unless
 * named.
 */
export function loadLevels(root: string, names: readonly string[], minTriangles: number): BenchLevel[] {
  const folder = join(root, '..', 'shared', 'levels');
  const objs = ['nav_test', 'dungeon'].filter((name) => existsSync(join(folder, `${name}.obj`)));
  const objName = (name: string): string => (levelScenes.some((scene) => scene.name === name) ? `${name}.obj` : name);
  const known = [...objs.map(objName), ...levelScenes.map((scene) => scene.name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new RangeError(`loadLevels: no level ${unknown.join(', ')}. There are: ${known.join(', ')}.`);

  const levels: BenchLevel[] = [];
  for (const file of objs) {
    const name = objName(file);
    if (names.length > 0 && !names.includes(name)) continue;
    const mesh = parseObj(readFileSync(join(folder, `${file}.obj`)));
    const positions = Float32Array.from(mesh.positions);
    levels.push({ name, positions, indices: Uint32Array.from(mesh.indices), options: OBJ_OPTIONS });
  }
  for (const scene of levelScenes) {
    if (names.length > 0 && !names.includes(scene.name)) continue;
    const { positions, indices } = scene.create();
    if (names.length === 0 && indices.length / 3 < minTriangles) continue;
    levels.push({ name: scene.name, positions, indices, options: scene.options });
  }
  return levels;
}
