/**
 * Defects of real files: slivers, duplicates, overlapping floors, flipped and degenerate triangles, dust. All
 * numbers are finite.
 */
import { addBox, addFloor, addTriangle, addTrianglePoints, addVertex, createBuilder, finishMesh } from './builder.ts';
import { createRandom, nextFloat, nextInt, nextRange } from './random.ts';
import type { LevelMesh, LevelScene } from './scene.ts';

const SIDE = 40;

function createSoup(seed: number = 13): LevelMesh {
  const random = createRandom(seed);
  const builder = createBuilder();
  addFloor(builder, [0, 0, SIDE, SIDE], 0, 7, 7);
  // The same floor again: exactly, slightly above, slightly below, and facing down.
  addFloor(builder, [5, 5, 15, 15], 0, 3, 3);
  addFloor(builder, [10, 10, 22, 20], 0.001, 2, 5);
  addFloor(builder, [12, 4, 20, 30], -0.001, 1, 1);
  addTrianglePoints(builder, [5, 0, 5, 15, 0, 5, 5, 0, 15]);
  // Slivers of tiny width in all lengths and directions, on the floor and in the air.
  for (let i = 0; i < 200; i++) {
    const x = nextRange(random, 0, SIDE);
    const z = nextRange(random, 0, SIDE);
    const y = nextFloat(random) < 0.5 ? 0 : nextRange(random, 0, 6);
    const x1 = nextRange(random, 0, SIDE);
    const z1 = nextRange(random, 0, SIDE);
    addTrianglePoints(builder, [x, y, z, x1, y, z1, x1 + 1e-4, y + nextRange(random, 0, 0.2), z1 + 1e-4]);
  }
  // Degenerate triangles: a point, a segment, a repeated index, three collinear points.
  for (let i = 0; i < 50; i++) {
    const a = addVertex(builder, nextRange(random, 0, SIDE), nextRange(random, -1, 3), nextRange(random, 0, SIDE));
    const b = addVertex(builder, nextRange(random, 0, SIDE), nextRange(random, -1, 3), nextRange(random, 0, SIDE));
    addTriangle(builder, a, a, a);
    addTriangle(builder, a, b, a);
    addTriangle(builder, a, a, b);
  }
  addTrianglePoints(builder, [1, 0.5, 1, 2, 0.5, 2, 3, 0.5, 3]);
  // Dust: triangles far smaller than a voxel.
  for (let i = 0; i < 300; i++) {
    const x = nextRange(random, 0, SIDE);
    const y = nextRange(random, 0, 0.8);
    const z = nextRange(random, 0, SIDE);
    addTrianglePoints(builder, [x, y, z, x, y, z + 0.01, x + 0.01, y, z]);
  }
  // Random triangles of any winding and slope.
  for (let i = 0; i < 150; i++) {
    const x = nextRange(random, 0, SIDE);
    const y = nextRange(random, 0, 5);
    const z = nextRange(random, 0, SIDE);
    const size = nextRange(random, 0.5, 5);
    const points: number[] = [];
    for (let k = 0; k < 3; k++) {
      points.push(x + nextRange(random, -size, size), y + nextRange(random, -1, 1), z + nextRange(random, -size, size));
    }
    addTrianglePoints(builder, points);
  }
  // Boxes through each other and through the floor, some flat, some paper-thin.
  for (let i = 0; i < 40; i++) {
    const x = nextRange(random, 1, SIDE - 4);
    const y = nextRange(random, -0.5, 0.5);
    const z = nextRange(random, 1, SIDE - 4);
    const thin = nextInt(random, 0, 2);
    const width = thin === 1 ? 0.001 : nextRange(random, 0.2, 3);
    const height = thin === 2 ? 0 : nextRange(random, 0.1, 2.5);
    addBox(builder, [x, y, z], [x + width, y + height, z + nextRange(random, 0.2, 3)]);
  }
  // One triangle over everything, too steep to walk on at one end.
  addTrianglePoints(builder, [-20, -3, -20, -20, 7, 60, 60, 2, 20]);
  // Vertices that no triangle uses.
  for (let i = 0; i < 10; i++) addVertex(builder, nextRange(random, 0, SIDE), 0, nextRange(random, 0, SIDE));
  return finishMesh(builder);
}

export const soupScene: LevelScene = {
  name: 'soup',
  kind: 'level',
  title: 'Soup: slivers, duplicates, overlaps',
  create: createSoup,
  scalable: false,
  options: { agent: { radius: 0.3, height: 1.8, maxClimb: 0.4, maxSlopeDegrees: 45 }, cellSize: 0.2, cellHeight: 0.1 },
  path: { from: [28.3, 0.1, 35], to: [38.3, 0.1, 38.3] },
};
