/**
 * The levels of the golden tests: every 3D scene, and the real levels in `../shared/levels` when that folder exists.
 * A test that needs a missing level is skipped and reports it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { levelScenes } from '../../../scenes/src/index.ts';
import { parseObj } from '../../src/formats/levels/obj.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';

export interface GoldenLevel {
  name: string;
  input: TriangleInput & { positions: Float32Array };
  options: BuildOptions;
}

const folder = new URL('../../../../../shared/levels/', import.meta.url);

export const OBJ_NAMES = ['nav_test', 'dungeon'] as const;

export const hasObjLevels: boolean = existsSync(fileURLToPath(new URL('nav_test.obj', folder)));

/** Loads one of the two real levels with the cell sizes and agent that are commonly used for it. */
export function objLevel(name: (typeof OBJ_NAMES)[number]): GoldenLevel {
  const { positions, indices } = parseObj(readFileSync(fileURLToPath(new URL(`${name}.obj`, folder))));
  return {
    name: `${name}.obj`,
    input: { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) },
    options: { agent: { radius: 0.6, height: 2, maxClimb: 0.9, maxSlopeDegrees: 45 }, cellSize: 0.3, cellHeight: 0.2 },
  };
}

export function sceneLevel(name: string): GoldenLevel {
  const scene = levelScenes.find((candidate) => candidate.name === name)!;
  const { positions, indices } = scene.create();
  return { name, input: { positions, indices }, options: { ...scene.options } };
}

export const SCENE_NAMES: readonly string[] = levelScenes.map((scene) => scene.name);

export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

export function boundsOf(positions: ArrayLike<number>): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < positions.length; k++) {
    const value = positions[k];
    if (!Number.isFinite(value)) continue;
    min[k % 3] = Math.min(min[k % 3], value);
    max[k % 3] = Math.max(max[k % 3], value);
  }
  return { min, max };
}
