/** Hills: one height function, cut into many small triangles or into a few huge ones. */
import { addHeightGrid, createBuilder, finishMesh } from './builder.ts';
import { fractalNoise } from './random.ts';
import type { LevelMesh, LevelScene, Point } from './scene.ts';

/** Rolling ground with flat valleys and a few slopes too steep to walk on. Metres. */
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
  addHeightGrid(builder, n, n, at, at, (ix, iz) => terrainHeight(seed, at(ix), at(iz)), true);
  return finishMesh(builder);
}

const HUGE = 12;

function createCoarseTerrain(seed: number = 9, scale: number = 1): LevelMesh {
  const n = Math.max(1, Math.round(14 * Math.sqrt(scale)));
  const builder = createBuilder();
  const at = (i: number): number => i * HUGE;
  addHeightGrid(builder, n, n, at, at, (ix, iz) => terrainHeight(seed, at(ix), at(iz)) * 1.5, true);
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

export const coarseTerrainScene: LevelScene = {
  name: 'terrain-coarse',
  kind: 'level',
  title: 'Terrain: hills of huge triangles',
  create: createCoarseTerrain,
  scalable: true,
  options,
  path: { from: [4.4, 4.4, 19.2], to: [161, 11.5, 161] },
};
