/** Cells that upright prisms cover, compared with those of the same triangles one by one. */
import { expect, it } from 'vitest';
import { spansInHole } from '../../../../src/build/voxel/obstacles/carve.ts';
import { placeObstacle } from '../../../../src/build/voxel/obstacles/obstacle.ts';
import type { BakeConfig } from '../../../../src/build/voxel/bake-config.ts';
import type { Obstacle } from '../../../../src/build/voxel/options.ts';
import type { CompactField } from '../../../../src/build/voxel/types.ts';
import { seeded } from '../../meshes.ts';

const FIRST_SEED = Number(process.env['NAVKILN_SEED'] ?? 1);
const SIDE = 40;

/** Floors at heights 0, 6 and 12 in each of 40 x 40 columns. */
function storeys(): CompactField {
  const columns = SIDE * SIDE;
  return {
    width: SIDE,
    depth: SIDE,
    columnStart: Int32Array.from({ length: columns + 1 }, (_, c) => 3 * c),
    y: Uint16Array.from({ length: 3 * columns }, (_, i) => 6 * (i % 3)),
  } as CompactField;
}

const LEVEL = {
  boundsMin: [-10, 0, -10],
  offset: [0, 0, 0],
  tileCells: SIDE,
  borderCells: 0,
  cellSize: 0.5,
  cellHeight: 0.25,
  walkableHeightCells: 5,
} as unknown as BakeConfig;

function randomPrism(random: () => number): Obstacle {
  const about = (width: number): number => (random() - 0.5) * width;
  const size = (): number => (random() < 0.3 ? Math.ceil(6 * random()) / 2 : 0.01 + 6 * random());
  const isOnGrid = random() < 0.3;
  const roll = random();
  const common = {
    position: isOnGrid
      ? [Math.round(about(20)), Math.round(about(4)), Math.round(about(20))]
      : [about(24), about(6), about(24)],
    rotation: roll < 0.3 ? 90 * Math.floor(4 * random()) : roll < 0.4 ? [180, about(360), 0] : about(720),
  };
  const kind = Math.floor(3 * random());
  if (kind === 0) return { type: 'box', size: [size(), size(), size()], ...common };
  if (kind === 1) return { type: 'cylinder', radius: size() / 2, height: size(), ...common };
  const outline = Array.from({ length: 3 + Math.floor(6 * random()) }, (): [number, number] => [about(8), about(8)]);
  return { type: 'convex', outline, minY: -size(), maxY: size(), ...common };
}

it.each([0, 1, 2].map((k) => FIRST_SEED + k))('are the same, seed %i', (seed) => {
  const random = seeded(seed);
  const field = storeys();
  let covered = 0;
  for (let round = 0; round < 300; round++) {
    const placed = placeObstacle('test', randomPrism(random), 'obstacle');
    expect(placed.isPrism).toBe(true);
    const spans = spansInHole(field, placed, LEVEL, 0, 0);
    expect([...spans], `round ${round}`).toEqual([...spansInHole(field, { ...placed, isPrism: false }, LEVEL, 0, 0)]);
    covered += spans.length;
  }
  expect(covered).toBeGreaterThan(1000);
});
