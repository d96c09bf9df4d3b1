/** A floor and a ceiling of noise: halls, crawlways that are too low, and rock where the two meet. */
import { addColumn, addHeightGrid, createBuilder, finishMesh } from './builder.ts';
import { createRandom, fractalNoise, nextRange, valueNoise } from './random.ts';
import type { LevelMesh, LevelScene, Point } from './scene.ts';

const COUNT = 100;
const CELL = 0.7;
const SEED = 17;

function caveFloor(seed: number, x: number, z: number): number {
  return fractalNoise(seed, x / 14, z / 14, 4) * 7;
}

/** Returns the height between floor and ceiling, 0 where there is rock. */
function caveGap(seed: number, x: number, z: number): number {
  const edge = Math.min(x, z, COUNT * CELL - x, COUNT * CELL - z);
  const halls = (fractalNoise(seed + 31, x / 11, z / 11, 3) - 0.4) * 18;
  // Winding galleries follow the line where a noise crosses its mean.
  const gallery = 3.4 - Math.abs(valueNoise(seed + 57, x / 16, z / 16) - 0.5) * 26;
  const gap = Math.min(Math.max(halls, gallery), 6);
  return Math.max(0, Math.min(gap, (edge - 1) * 2));
}

function createCaves(seed: number = SEED): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  const at = (i: number): number => i * CELL;
  addHeightGrid(builder, {
    nx: COUNT,
    nz: COUNT,
    xOf: at,
    zOf: at,
    height: (ix, iz) => caveFloor(seed, ix * CELL, iz * CELL),
    up: true,
  });
  const ceiling = (ix: number, iz: number): number => {
    const x = ix * CELL;
    const z = iz * CELL;
    return caveFloor(seed, x, z) + caveGap(seed, x, z) + 0.02;
  };
  addHeightGrid(builder, { nx: COUNT, nz: COUNT, xOf: at, zOf: at, height: ceiling, up: false });
  for (let i = 0; i < 60; i++) {
    const x = nextRange(random, 4, COUNT * CELL - 4);
    const z = nextRange(random, 4, COUNT * CELL - 4);
    const y = caveFloor(seed, x, z);
    addColumn(
      builder,
      [x, z],
      nextRange(random, 0.2, 0.7),
      [y - 1, y + nextRange(random, 0.2, 2.5)],
      7,
      nextRange(random, 0, 1),
    );
  }
  return finishMesh(builder);
}

/** Returns the highest position near a point. */
function openPosition(seed: number, x: number, z: number): Point {
  let best: Point = [x, caveFloor(seed, x, z), z];
  let bestGap = -1;
  for (let dz = -10; dz <= 10; dz++) {
    for (let dx = -10; dx <= 10; dx++) {
      const px = x + dx * CELL;
      const pz = z + dz * CELL;
      const gap = caveGap(seed, px, pz);
      if (gap <= bestGap) continue;
      bestGap = gap;
      best = [px, caveFloor(seed, px, pz), pz];
    }
  }
  return best;
}

export const cavesScene: LevelScene = {
  name: 'caves',
  kind: 'level',
  title: 'Caves: noise floor and ceiling',
  create: createCaves,
  scalable: false,
  options: { agent: { radius: 0.4, height: 1.6, maxClimb: 0.5, maxSlopeDegrees: 50 }, cellSize: 0.2, cellHeight: 0.1 },
  path: { from: openPosition(SEED, 12, 12), to: openPosition(SEED, 58, 58) },
};
