/**
 * Levels as artists make them: floors of a few triangles with props of many, which overlap each other and stick into the
 * floor. They build within the default limit of work, and the free floor around the props stays one surface.
 *
 * Props are round shells of hundreds of triangles, folds of cloth, trees with crowns of leaves, and heaps of tiny boxes.
 */
import { describe, expect, it } from 'vitest';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { raycast } from '../../src/query/ray/raycast.ts';
import { seeded } from '../unit/meshes.ts';
import { floors, wall } from '../unit/build/surface/levels.ts';

const SEEDS = Number(process.env.NAVKILN_ART_SEEDS ?? 1);
const TRIANGLES = Number(process.env.NAVKILN_ART_TRIANGLES ?? 9_000);
const SIDE = 30;

type Point = [x: number, y: number, z: number];

/** A grid of quads over a function of two parameters, 0 .. 1. */
function sheet(across: number, along: number, at: (u: number, v: number) => Point): number[] {
  const out: number[] = [];
  for (let i = 0; i < across; i++) {
    for (let j = 0; j < along; j++) {
      const [a, b] = [at(i / across, j / along), at((i + 1) / across, j / along)];
      const [c, d] = [at((i + 1) / across, (j + 1) / along), at(i / across, (j + 1) / along)];
      out.push(...a, ...d, ...c, ...a, ...c, ...b);
    }
  }
  return out;
}

function ball(next: () => number, x: number, y: number, z: number, radius: number): number[] {
  const [wide, high] = [0.6 + 0.8 * next(), 0.4 + next()];
  return sheet(18, 12, (u, v) => [
    x + radius * wide * Math.sin(Math.PI * v) * Math.cos(2 * Math.PI * u),
    y - radius * high * Math.cos(Math.PI * v),
    z + radius * Math.sin(Math.PI * v) * Math.sin(2 * Math.PI * u),
  ]);
}

function cloth(next: () => number, x: number, z: number): number[] {
  const phase = 6 * next();
  return sheet(24, 10, (u, v) => [
    x + 2 * u + 0.05 * Math.sin(9 * v),
    0.1 + 1.2 * v + 0.08 * Math.sin(40 * u + phase),
    z + 0.3 * Math.sin(12 * u + phase) * (0.3 + v),
  ]);
}

function tree(next: () => number, x: number, z: number): number[] {
  const trunk = sheet(10, 4, (u, v) => [x + 0.2 * Math.cos(-6.28 * u), 2.5 * v - 0.2, z + 0.2 * Math.sin(-6.28 * u)]);
  const leaves = Array.from({ length: 80 }, () => {
    const [a, b, c] = [x + 2.4 * (next() - 0.5), 1.2 + 2 * next(), z + 2.4 * (next() - 0.5)];
    return [a, b, c, a + 0.3, b + 0.2 * next(), c, a, b + 0.3 * next(), c + 0.3];
  });
  return [...trunk, ...leaves.flat()];
}

function heap(next: () => number, x: number, z: number): number[] {
  return Array.from({ length: 20 }, () => {
    const [x0, z0, y] = [x + next(), z + next(), 0.5 * next()];
    const [x1, z1] = [x0 + 0.2 * next() + 0.05, z0 + 0.2 * next() + 0.05];
    return [
      ...floors([x0, z0, x1, z1, y]),
      ...wall(x0, z0, x1, z0, -0.1, y),
      ...wall(x1, z0, x1, z1, -0.1, y),
      ...wall(x1, z1, x0, z1, -0.1, y),
      ...wall(x0, z1, x0, z0, -0.1, y),
    ];
  }).flat();
}

function artLevel(seed: number): number[] {
  const next = seeded(seed);
  // A lane along z = 1 stays free.
  const parts = [floors([0, 0, SIDE, SIDE, 0])];
  let count = 0;
  while (count < 9 * TRIANGLES) {
    const [x, z] = [2 + (SIDE - 4) * next(), 5 + (SIDE - 9) * next()];
    const kind = next();
    const prop =
      kind < 0.5
        ? ball(next, x, 0.3 * next(), z, 0.2 + 0.8 * next())
        : kind < 0.7
          ? cloth(next, x, z)
          : kind < 0.85
            ? tree(next, x, z)
            : heap(next, x, z);
    parts.push(prop);
    count += prop.length;
  }
  return parts.flat();
}

describe('art levels', () => {
  it.each(Array.from({ length: SEEDS }, (_, k) => k + 1))('build within the limit, seed %i', (seed) => {
    const positions = artLevel(seed);
    for (const radius of [0, 0.4]) {
      const { navMesh } = buildFromSurface({ positions }, { agent: { radius } });
      expect(validateNavMesh(navMesh)).toEqual([]);
      const ray = raycast(navMesh, [1, 0, 1], [SIDE - 1, 0, 1], { halfExtents: [0.01, 0.01, 0.01] });
      expect(ray).toMatchObject({ status: 'reached', t: 1 });
    }
  });
});
