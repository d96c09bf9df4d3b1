/** Hills from one height function, divided into many small triangles or a few huge ones. */
import { addColumn, addHeightGrid, createBuilder, finishMesh } from './builder.ts';
import { createRandom, fractalNoise, nextRange } from './random.ts';
import type { LevelMesh, LevelScene, Point } from './scene.ts';

/** Returns the height of rolling hills with flat valleys and a few slopes too steep to walk on, in meters. */
export function terrainHeight(seed: number, x: number, z: number): number {
  const hills = fractalNoise(seed, x / 34, z / 34, 5);
  const raised = hills < 0.4 ? 0.4 + (hills - 0.4) * 0.3 : hills;
  const ridge = fractalNoise(seed + 977, x / 55, z / 55, 3);
  const cliff = ridge > 0.62 ? Math.min(1, (ridge - 0.62) * 22) * 5 : 0;
  return (raised - 0.4) * 26 + cliff;
}

const SMALL = 0.5;
const SMALL_COUNT = 255;

function createTerrain(seed: number = 5, scale: number = 1): LevelMesh {
  const n = Math.max(1, Math.round(SMALL_COUNT * Math.sqrt(scale)));
  const builder = createBuilder();
  const at = (i: number): number => i * SMALL;
  addHeightGrid(builder, {
    nx: n,
    nz: n,
    xOf: at,
    zOf: at,
    height: (ix, iz) => terrainHeight(seed, at(ix), at(iz)),
    up: true,
  });
  return finishMesh(builder);
}

const HUGE = 12;

function createCoarseTerrain(seed: number = 9, scale: number = 1): LevelMesh {
  const n = Math.max(1, Math.round(14 * Math.sqrt(scale)));
  const builder = createBuilder();
  const at = (i: number): number => i * HUGE;
  addHeightGrid(builder, {
    nx: n,
    nz: n,
    xOf: at,
    zOf: at,
    height: (ix, iz) => terrainHeight(seed, at(ix), at(iz)) * 1.5,
    up: true,
  });
  return finishMesh(builder);
}

function onGround(seed: number, x: number, z: number): Point {
  return [x, terrainHeight(seed, x, z), z];
}

const options: LevelScene['options'] = {
  agent: { radius: 0.6, height: 2, maxClimb: 0.5, maxSlopeDegrees: 40 },
  cellSize: 0.3,
  cellHeight: 0.2,
};

export const terrainScene: LevelScene = {
  name: 'terrain',
  kind: 'level',
  title: 'Terrain: hills of small triangles',
  create: createTerrain,
  scalable: true,
  options,
  path: { from: onGround(5, 5.4, 122.4), to: onGround(5, 123.6, 4.6) },
};

/** Returns the height of a wavy slope with boulders: the detail mesh must follow the waves. */
function detailHeight(seed: number, x: number, z: number): number {
  return 0.25 * x + 0.12 * z + 2.2 * fractalNoise(seed, x / 9, z / 9, 4);
}

function createDetailTerrain(seed: number = 23, scale: number = 1): LevelMesh {
  const n = Math.max(1, Math.round(80 * Math.sqrt(scale)));
  const builder = createBuilder();
  const at = (i: number): number => i * SMALL;
  addHeightGrid(builder, {
    nx: n,
    nz: n,
    xOf: at,
    zOf: at,
    height: (ix, iz) => detailHeight(seed, at(ix), at(iz)),
    up: true,
  });
  const random = createRandom(seed);
  for (let z = 3; z < n * SMALL - 2; z += 9) {
    for (let x = 3; x < n * SMALL - 2; x += 9) {
      const [px, pz] = [x + nextRange(random, -1.5, 1.5), z + nextRange(random, -1.5, 1.5)];
      const y = detailHeight(seed, px, pz);
      addColumn(builder, [px, pz], nextRange(random, 0.2, 0.9), [y - 1, y + 1.5], 6, nextRange(random, 0, 1));
    }
  }
  return finishMesh(builder);
}

export const detailTerrainScene: LevelScene = {
  name: 'terrain-detail',
  kind: 'level',
  title: 'Terrain: a wavy slope with boulders and a fine detail mesh',
  create: createDetailTerrain,
  scalable: true,
  options: {
    agent: { radius: 0.3, height: 2, maxClimb: 0.6, maxSlopeDegrees: 60 },
    cellSize: 0.15,
    cellHeight: 0.05,
    detailSampleDistance: 0.45,
    detailMaxError: 0.05,
  },
  path: { from: [4, detailHeight(23, 4, 4), 4], to: [36, detailHeight(23, 36, 36), 36] },
};

export const coarseTerrainScene: LevelScene = {
  name: 'terrain-coarse',
  kind: 'level',
  title: 'Terrain: hills of huge triangles',
  create: createCoarseTerrain,
  scalable: true,
  options,
  path: { from: [4.4, 4.4, 19.2], to: [161, 11.5, 161] },
};
