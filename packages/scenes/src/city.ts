/**
 * Streets, kerbs, cars, a footbridge, and houses whose roofs are reached by ramps and outside stairs. `scale`
 * adds blocks.
 */
import { addBox, addColumn, addFloor, addRamp, addStairs, createBuilder, finishMesh } from './builder.ts';
import type { MeshBuilder } from './builder.ts';
import { createRandom, nextFloat, nextInt, nextRange } from './random.ts';
import type { Random } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const BLOCKS = 4;
const BLOCK = 24;
const STREET = 8;
const PITCH = BLOCK + STREET;
const KERB = 0.15;

/** Adds a closed house with bay windows. */
function addHouse(builder: MeshBuilder, random: Random, x0: number, z0: number, x1: number, z1: number): void {
  const storeys = nextInt(random, 1, 4);
  const top = KERB + storeys * 3;
  addBox(builder, [x0, 0, z0], [x1, top, z1]);
  for (let storey = 0; storey < storeys; storey++) {
    const y = KERB + storey * 3 + 1;
    for (let x = x0 + 1; x < x1 - 1.5; x += 2.5) {
      addBox(builder, [x, y, z0 - 0.15], [x + 1, y + 1.2, z0]);
      addBox(builder, [x, y, z1], [x + 1, y + 1.2, z1 + 0.15]);
    }
  }
  if (storeys === 1) addStairs(builder, [x1, z0, x1 + 1.6, z0 + 6], { bottom: 0, low: KERB, high: top, up: 3 }, 16);
  else addBox(builder, [x0 + 1, top, z0 + 1], [x0 + 2.5, top + 1, z0 + 2]);
}

function addPark(builder: MeshBuilder, random: Random, x0: number, z0: number): void {
  addRamp(builder, [x0 + 3, z0 + 8, x0 + 9, z0 + 14], { bottom: 0, low: KERB, high: KERB + 1.5, up: 2 });
  addBox(builder, [x0 + 9, 0, z0 + 8], [x0 + 13, KERB + 1.5, z0 + 14]);
  addStairs(builder, [x0 + 13, z0 + 9, x0 + 16, z0 + 13], { bottom: 0, low: KERB, high: KERB + 1.5, up: 0 }, 6);
  for (let i = 0; i < 8; i++) {
    const x = x0 + nextRange(random, 2, BLOCK - 2);
    const z = z0 + nextRange(random, 16, BLOCK - 2);
    addColumn(builder, [x, z], 0.25, [0, 3], 7);
    addColumn(builder, [x, z], 1.4, [3, 5.5], 9);
  }
}

function addBlock(builder: MeshBuilder, random: Random, x0: number, z0: number): void {
  addBox(builder, [x0, -0.5, z0], [x0 + BLOCK, KERB, z0 + BLOCK]);
  if (nextFloat(random) < 0.2) {
    addPark(builder, random, x0, z0);
  } else {
    const half = BLOCK / 2;
    for (let iz = 0; iz < 2; iz++) {
      for (let ix = 0; ix < 2; ix++) {
        if (nextFloat(random) < 0.15) continue;
        const x = x0 + ix * half + 2;
        const z = z0 + iz * half + 2;
        addHouse(builder, random, x, z, x + nextRange(random, 5, 8), z + nextRange(random, 6, 8.5));
      }
    }
  }
  const cars = nextInt(random, 1, 4);
  for (let i = 0; i < cars; i++) {
    const x = x0 + nextRange(random, 1, BLOCK - 5);
    const z = z0 - (nextFloat(random) < 0.5 ? 2.2 : STREET - 0.4);
    addBox(builder, [x, 0.2, z], [x + 4, 0.9, z + 1.8]);
    addBox(builder, [x + 0.9, 0.9, z + 0.15], [x + 3.1, 1.5, z + 1.65]);
  }
  addColumn(builder, [x0 + 0.5, z0 + 0.5], 0.1, [KERB, 4], 6);
}

/** Adds a ramp up, a deck over the street, and stairs down, along x over the street after the first block. */
function addFootbridge(builder: MeshBuilder, x0: number, z: number): void {
  addRamp(builder, [x0 - 10, z, x0, z + 2.4], { bottom: 0, low: KERB, high: 3.6, up: 2 });
  addBox(builder, [x0, 3.2, z], [x0 + STREET, 3.6, z + 2.4]);
  addBox(builder, [x0, 3.6, z - 0.1], [x0 + STREET, 4.6, z]);
  addBox(builder, [x0, 3.6, z + 2.4], [x0 + STREET, 4.6, z + 2.5]);
  addStairs(builder, [x0 + STREET, z, x0 + STREET + 6, z + 2.4], { bottom: 0, low: KERB, high: 3.6, up: 0 }, 18);
}

function createCity(seed: number = 11, scale: number = 1): LevelMesh {
  const blocks = Math.max(1, Math.round(BLOCKS * Math.sqrt(scale)));
  const random = createRandom(seed);
  const builder = createBuilder();
  const side = blocks * PITCH + STREET;
  addFloor(builder, [0, 0, side, side], 0, blocks * 4, blocks * 4);
  for (let iz = 0; iz < blocks; iz++) {
    for (let ix = 0; ix < blocks; ix++) addBlock(builder, random, STREET + ix * PITCH, STREET + iz * PITCH);
  }
  for (let i = 1; i < blocks; i += 3) addFootbridge(builder, i * PITCH, STREET + i * PITCH - STREET + 3);
  return finishMesh(builder);
}

export const cityScene: LevelScene = {
  name: 'city',
  kind: 'level',
  title: 'City: blocks, kerbs, ramps, roofs',
  create: createCity,
  scalable: true,
  options: { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.3, cellHeight: 0.1 },
  path: { from: [1.5, 0, 1.5], to: [134, 0, 134.5] },
};
