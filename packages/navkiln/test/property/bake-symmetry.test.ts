/**
 * Properties that must not affect a bake: the order of triangles, rotation and mirroring of the level, and
 * its position. Seeded; a failure names the seed. NAVKILN_SEED sets another one.
 *
 * A rotated level does not bake to the rotated mesh, because rows are swept along x and ties go to the lower
 * column. Its walkable surface stays the same: the area, within the tolerance of simplified outlines, and
 * which positions are reachable from which.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, nextFloat, nextInt } from '../../../scenes/src/random.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findNearest } from '../../src/query/nearest/nearest.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../src/build/voxel/options.ts';
import { polyIndexOf } from '../../src/mesh/ref.ts';
import { boundsOf, sceneLevel } from '../golden/levels.ts';
import { runNavkiln } from '../golden/stages.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 11);

interface Level {
  name: string;
  input: TriangleInput & { positions: Float32Array; indices: Uint32Array };
  options: BuildOptions;
}

const RADIUS = { house: 0.5, courtyard: 0.25, 'stair-limits': 0.5, 'headroom-limits': 0.5 };

/**
 * Cells are powers of two, so that moving by whole cells is exact. Agents are such that no passage is exactly
 * as wide as they are, because rounding would decide whether it is open.
 */
const LEVELS: readonly Level[] = (['house', 'courtyard', 'stair-limits', 'headroom-limits'] as const).map((name) => {
  const { input, options } = sceneLevel(name);
  const grid: BuildOptions = {
    ...options,
    cellSize: 0.25,
    cellHeight: 0.125,
    agent: { ...options.agent, radius: RADIUS[name] },
  };
  return { name, input: input as Level['input'], options: grid };
});

function areaOf(mesh: NavMesh): number {
  let sum = 0;
  for (let p = 0; p < mesh.polyCount; p++) {
    const first = mesh.polyEdgeStart[p];
    const at = (k: number): number => 3 * mesh.edgeVertex[first + k];
    for (let k = 1; k + 1 < mesh.polyVertexCount[p]; k++) {
      const [a, b, c] = [at(0), at(k), at(k + 1)];
      sum +=
        (mesh.vertices[c] - mesh.vertices[a]) * (mesh.vertices[b + 2] - mesh.vertices[a + 2]) -
        (mesh.vertices[b] - mesh.vertices[a]) * (mesh.vertices[c + 2] - mesh.vertices[a + 2]);
    }
  }
  return sum / 2;
}

/** Returns the same triangles in another order, each with its winding. */
function shuffled(indices: Uint32Array, seed: number): Uint32Array {
  const random = createRandom(seed);
  const order = Array.from({ length: indices.length / 3 }, (_, t) => t);
  for (let k = order.length - 1; k > 0; k--) {
    const other = nextInt(random, 0, k);
    [order[k], order[other]] = [order[other], order[k]];
  }
  return Uint32Array.from(order.flatMap((t) => [...indices.subarray(3 * t, 3 * t + 3)]));
}

/** Returns walkable slanted floors that overlap each other. */
function floors(): Level['input'] {
  const random = createRandom(SEED);
  const positions: number[] = [],
    indices: number[] = [];
  for (let k = 0; k < 200; k++) {
    const x = nextFloat(random) * 16,
      y = nextFloat(random) * 6,
      z = nextFloat(random) * 16;
    const base = positions.length / 3;
    for (const [dx, dz] of [
      [0, 0],
      [0, 3],
      [3, 3],
      [3, 0],
    ])
      positions.push(x + dx!, y + nextFloat(random), z + dz!);
    indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

describe(`triangles in another order (seed ${SEED})`, () => {
  // Only where all areas are equal. For touching spans of two areas the order decides which one wins, as in
  // Recast.
  const terrain = sceneLevel('terrain-coarse');
  const steep = { ...terrain.options, cellSize: 1, agent: { radius: 1, maxSlopeDegrees: 89 } };
  const fine: BuildOptions = { cellSize: 0.25, cellHeight: 0.125, agent: { radius: 0.25, maxSlopeDegrees: 80 } };
  const uniform: Level[] = [
    { name: 'overlapping floors', input: floors(), options: fine },
    { name: terrain.name, input: terrain.input as Level['input'], options: steep },
  ];
  it.each(uniform)('$name: gives the same bytes', ({ input, options }) => {
    const whole = buildNavMesh(input, options);
    expect(whole.report.counts.walkableTriangles).toBe(input.indices.length / 3);
    expect(whole.navMesh.polyCount).toBeGreaterThan(10);
    for (const seed of [SEED, SEED + 1]) {
      const other = buildNavMesh({ positions: input.positions, indices: shuffled(input.indices, seed) }, options);
      expect(sameBytes(saveNavMesh(other.navMesh), saveNavMesh(whole.navMesh)), `seed ${seed}`).toBe(true);
    }
  });

  it.each(LEVELS)('$name: gives nearly the same surface', ({ input, options }) => {
    const area = areaOf(buildNavMesh(input, options).navMesh);
    const other = buildNavMesh({ positions: input.positions, indices: shuffled(input.indices, SEED) }, options).navMesh;
    expect(Math.abs(areaOf(other) / area - 1)).toBeLessThan(0.01);
  });
});

function sameBytes(a: ArrayBuffer | Uint8Array, b: ArrayBuffer | Uint8Array): boolean {
  return Buffer.compare(Buffer.from(a as Uint8Array), Buffer.from(b as Uint8Array)) === 0;
}

describe('the level moved by whole cells', () => {
  it.each(LEVELS)('$name: gives the same polygons', ({ input, options }) => {
    // On a grid of 1/64, so that moving rounds nothing.
    const still = input.positions.map((value) => Math.round(value * 64) / 64);
    const { polyMesh } = runNavkiln({ positions: still, indices: input.indices }, options).records;
    for (const [dx, dy, dz] of [
      [16, 0, 0],
      [0, 4, -32],
      [-128.25, -2.125, 64.5],
    ] as const) {
      const positions = still.map((value, k) => value + [dx, dy, dz][k % 3]);
      expect(positions.every((value, k) => value - [dx, dy, dz][k % 3] === still[k])).toBe(true);
      const moved = runNavkiln({ positions, indices: input.indices }, options).records.polyMesh!;
      for (const key of ['vertexCount', 'polyCount', 'vertices', 'polys', 'neighbors', 'region', 'area'] as const) {
        expect(moved[key], key).toEqual(polyMesh![key]);
      }
      expect(moved.boundsMin).toEqual(polyMesh!.boundsMin.map((value, axis) => value + [dx, dy, dz][axis]));
    }
  });
});

type Turn = (x: number, z: number) => [x: number, z: number];
const TURNS: [name: string, turn: Turn, mirrors: boolean][] = [
  ['a quarter turn', (x, z) => [z, -x], false],
  ['a half turn', (x, z) => [-x, -z], false],
  ['three quarters', (x, z) => [-z, x], false],
  ['a mirror', (x, z) => [-x, z], true],
  ['a mirror across', (x, z) => [z, x], true],
];

describe(`the level rotated and mirrored (seed ${SEED})`, () => {
  it.each(LEVELS)('$name: gives the same surface', ({ input, options }) => {
    const whole = buildNavMesh(input, { ...options, bounds: wholeCells(input.positions, 0.25) }).navMesh;
    const area = areaOf(whole);
    const samples = sampleCenters(whole, 40);
    const islands = islandsAt(
      whole,
      samples.map(([x, y, z]) => [x, y, z]),
    );
    for (const [name, turn, mirrors] of TURNS) {
      const positions = input.positions.slice();
      for (let k = 0; k < positions.length; k += 3) {
        const [x, z] = turn(positions[k], positions[k + 2]);
        positions[k] = x;
        positions[k + 2] = z;
      }
      const indices = mirrors
        ? input.indices.map((_, k) => input.indices[k - (k % 3) + [0, 2, 1][k % 3]])
        : input.indices;
      const rotated = buildNavMesh({ positions, indices }, { ...options, bounds: wholeCells(positions, 0.25) }).navMesh;
      expect(Math.abs(areaOf(rotated) / area - 1), name).toBeLessThan(0.04);
      const found = islandsAt(
        rotated,
        samples.map(([x, y, z]) => {
          const [tx, tz] = turn(x, z);
          return [tx, y, tz];
        }),
      );
      // Connected positions stay connected, and separate ones stay separate.
      for (let a = 0; a < samples.length; a++) {
        for (let b = 0; b < a; b++) {
          expect(found[a] === found[b], `${name}: ${samples[a]} and ${samples[b]}`).toBe(islands[a] === islands[b]);
        }
      }
    }
  });

  /** Returns bounds on whole cells, so that cells map to cells when they are rotated. */
  function wholeCells(positions: Float32Array, cell: number): BuildOptions['bounds'] {
    const { min, max } = boundsOf(positions);
    return {
      min: [Math.floor(min[0] / cell) * cell, min[1], Math.floor(min[2] / cell) * cell],
      max: [Math.ceil(max[0] / cell) * cell, max[1], Math.ceil(max[2] / cell) * cell],
    };
  }

  /** Returns centers of polygons that are large enough to stay on the surface. */
  function sampleCenters(mesh: NavMesh, count: number): [number, number, number][] {
    const random = createRandom(SEED);
    const centers: [number, number, number][] = [];
    for (let p = 0; p < mesh.polyCount; p++) {
      const first = mesh.polyEdgeStart[p],
        n = mesh.polyVertexCount[p];
      const sum: [number, number, number] = [0, 0, 0];
      let least = Infinity;
      for (let k = 0; k < n; k++) {
        const v = 3 * mesh.edgeVertex[first + k],
          w = 3 * mesh.edgeVertex[first + ((k + 1) % n)];
        for (let axis = 0; axis < 3; axis++) sum[axis] += mesh.vertices[v + axis] / n;
        least = Math.min(
          least,
          Math.hypot(mesh.vertices[v] - mesh.vertices[w], mesh.vertices[v + 2] - mesh.vertices[w + 2]),
        );
      }
      if (least > 1) centers.push(sum);
    }
    expect(centers.length).toBeGreaterThan(1);
    while (centers.length > count) centers.splice(Math.floor(nextFloat(random) * centers.length), 1);
    return centers;
  }

  /** Returns a name for the island at each position, 'none' where there is no surface within a meter. */
  function islandsAt(mesh: NavMesh, samples: readonly number[][]): (number | string)[] {
    const group = islandOfPolys(mesh);
    return samples.map((sample) => {
      const hit = findNearest(mesh, sample as [number, number, number], { halfExtents: [0.5, 1, 0.5] });
      return hit.ref === 0 ? 'none' : group[polyIndexOf(mesh, hit.ref)];
    });
  }

  /** Fills islands over neighbors, independently of the library's islands. */
  function islandOfPolys(mesh: NavMesh): Int32Array {
    const group = new Int32Array(mesh.polyCount).fill(-1);
    for (let p = 0; p < mesh.polyCount; p++) {
      if (group[p] !== -1) continue;
      const stack = [p];
      group[p] = p;
      while (stack.length > 0) {
        const q = stack.pop()!;
        for (let e = mesh.polyEdgeStart[q]; e < mesh.polyEdgeStart[q] + mesh.polyVertexCount[q]; e++) {
          const other = mesh.edgeNeighbor[e];
          if (other >= 0 && group[other] === -1) {
            group[other] = p;
            stack.push(other);
          }
        }
      }
    }
    return group;
  }
});
