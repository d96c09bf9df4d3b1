/** Terraced islands over a sea floor, joined by arched and plank bridges. One island is unreachable. */
import { addBox, addColumn, addPrism, createBuilder, finishMesh } from './builder.ts';
import type { MeshBuilder } from './builder.ts';
import { createRandom, nextRange } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

interface Island {
  x: number;
  z: number;
  radius: number;
  y: number;
}

const ISLANDS: readonly Island[] = [
  { x: 0, z: 0, radius: 11, y: 1 },
  { x: 30, z: 4, radius: 9, y: 2 },
  { x: 58, z: -4, radius: 12, y: 1.5 },
  { x: 34, z: 34, radius: 10, y: 3 },
  { x: 4, z: 36, radius: 8, y: 1 },
  { x: 62, z: 30, radius: 9, y: 2.5 },
  { x: 86, z: 14, radius: 7, y: 4 },
];
/** Pairs of connected islands. The last island stays alone. */
const BRIDGES: readonly (readonly [number, number, 'arch' | 'planks'])[] = [
  [0, 1, 'arch'],
  [1, 2, 'planks'],
  [1, 3, 'planks'],
  [0, 4, 'arch'],
  [4, 3, 'arch'],
  [3, 5, 'planks'],
  [2, 5, 'arch'],
];

/** Adds a strip of width 2 * half between two points, as a closed solid 0.3 thick. */
function addStrip(builder: MeshBuilder, a: readonly number[], b: readonly number[], half: number): void {
  const dx = b[0] - a[0];
  const dz = b[2] - a[2];
  const length = Math.sqrt(dx * dx + dz * dz);
  const nx = (-dz / length) * half;
  const nz = (dx / length) * half;
  addPrism(
    builder,
    [a[0] - nx, a[2] - nz, a[0] + nx, a[2] + nz, b[0] + nx, b[2] + nz, b[0] - nx, b[2] - nz],
    [a[1] - 0.3, a[1] - 0.3, b[1] - 0.3, b[1] - 0.3],
    [a[1], a[1], b[1], b[1]],
  );
}

function addBridge(builder: MeshBuilder, from: Island, to: Island, kind: 'arch' | 'planks'): void {
  const dx = to.x - from.x;
  const dz = to.z - from.z;
  const length = Math.sqrt(dx * dx + dz * dz);
  const start = (from.radius - 1.2) / length;
  const end = 1 - (to.radius - 1.2) / length;
  const at = (s: number): [number, number, number] => {
    const t = start + (end - start) * s;
    const bow = kind === 'arch' ? 4 * s * (1 - s) * 2 : -4 * s * (1 - s) * 0.4;
    return [from.x + dx * t, from.y + (to.y - from.y) * s + bow + 0.05, from.z + dz * t];
  };
  const pieces = kind === 'arch' ? 12 : 20;
  for (let i = 0; i < pieces; i++) {
    // Gaps between planks are slightly narrower or wider than a voxel.
    const gap = kind === 'planks' ? 0.06 : 0;
    addStrip(builder, at((i + gap) / pieces), at((i + 1 - gap) / pieces), kind === 'arch' ? 1.6 : 1.1);
  }
}

function createIslands(seed: number = 4): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  for (const island of ISLANDS) {
    addColumn(builder, [island.x, island.z], island.radius, [-4, island.y], 28);
    addColumn(builder, [island.x, island.z], island.radius * 0.6, [island.y, island.y + 0.35], 20);
    addColumn(builder, [island.x, island.z], island.radius * 0.3, [island.y, island.y + 0.7], 14);
    for (let i = 0; i < 6; i++) {
      const x = island.x + nextRange(random, -0.6, 0.6) * island.radius;
      const z = island.z + nextRange(random, -0.6, 0.6) * island.radius;
      addColumn(builder, [x, z], 0.2, [island.y, island.y + 3], 6);
      addColumn(builder, [x, z], 1, [island.y + 2.6, island.y + 4], 8);
    }
  }
  for (const [from, to, kind] of BRIDGES) addBridge(builder, ISLANDS[from], ISLANDS[to], kind);
  addBox(builder, [-20, -6, -24], [100, -4, 52]);
  return finishMesh(builder);
}

export const islandsScene: LevelScene = {
  name: 'islands',
  kind: 'level',
  title: 'Islands: terraces and bridges',
  create: createIslands,
  scalable: false,
  options: { agent: { radius: 0.4, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.25, cellHeight: 0.1 },
  path: { from: [-8, 1, 0], to: [68, 2.5, 32] },
};
