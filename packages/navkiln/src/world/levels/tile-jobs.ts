/**
 * The tiles of a world as jobs for workers. A job is plain data with everything that a tile depends on, so that workers
 * need no world.
 *
 * In: a world and the key of a tile. Out: a job, which tile-worker.ts runs.
 * Cost: a copy of the triangles that a tile depends on, or of its packed spans.
 * Based on: own.
 */
import { tileOfKey } from '../../mesh/tiles/tile-grid.ts';
import type { LevelPart, TileCarving } from './builder.ts';
import type { World } from './types.ts';
import { carvingOf, heightsOf, partsOf } from './update.ts';

/** A tile to build. */
export interface TileJob {
  key: number;
  /** Number of the job in its bake. */
  number: number;
  x: number;
  z: number;
  /** Lowest and highest corner of the world. */
  minY: number;
  maxY: number;
  parts: LevelPart[];
  carving: TileCarving;
}

/** Returns the job of a tile for the current state of the world. */
export function tileJob(world: World, key: number, number: number): TileJob {
  const [x, z] = tileOfKey(key);
  const carving = carvingOf(world, key);
  const parts = carving.layers === undefined ? [joinParts(partsOf(world, key))] : [];
  carving.surfaces = carving.surfaces.length === 0 ? [] : [joinParts(carving.surfaces)];
  // The kept spans already include `base`, which need not be sent.
  if (carving.layers !== undefined) carving.base = undefined;
  return { key, number, x, z, ...heightsOf(world), parts, carving };
}

/** Returns triangles of several levels as one part without other triangles. */
function joinParts(parts: readonly LevelPart[]): LevelPart {
  const count = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const positions = new Float64Array(9 * count);
  const areas = new Uint8Array(count);
  let t = 0;
  for (const part of parts) {
    for (let i = part.from; i < part.to; i++, t++) {
      const triangle = part.list[i];
      areas[t] = part.areas[triangle];
      for (let k = 0; k < 3; k++) {
        const from = 3 * part.indices[3 * triangle + k];
        for (let axis = 0; axis < 3; axis++) positions[9 * t + 3 * k + axis] = part.positions[from + axis];
      }
    }
  }
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  const list = Int32Array.from({ length: count }, (_, i) => i);
  return { positions, indices, areas, list, from: 0, to: count };
}
