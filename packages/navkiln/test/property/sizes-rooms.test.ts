/**
 * One mesh for several sizes on random floors with rooms, doors, lintels and furniture. Oracle: a bake of each size alone. Paths have the same
 * status, and shortest lengths differ by a few cells at most.
 *
 * Seeds 2, 63 and 73 had passages that were closed: regions of a single cell had no outline, and outlines that meet at a corner only were
 * simplified differently on both sides. NAVKILN_SIZES sets the number of further seeds from NAVKILN_SEED on.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/data/random.ts';
import { validateNavMesh } from '../../src/navmesh/validate.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { findRandomPoint } from '../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../src/voxel/build.ts';
import type { BuildOptions, TriangleInput } from '../../src/voxel/options.ts';
import { createAgentSizes } from '../../src/voxel/sizes/create.ts';

const MORE = Number(process.env.NAVKILN_SIZES ?? 0);
const FIRST = Number(process.env.NAVKILN_SEED ?? 1000);
const SEEDS = [2, 63, 73, ...Array.from({ length: MORE }, (_, i) => FIRST + i)];
const PAIRS = 40;

/** The generator of the seeds above. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Rooms extends TriangleInput {
  width: number;
  depth: number;
}

/** A floor that is divided by walls with doors, again and again, with furniture in what is left. */
function rooms(r: () => number): Rooms {
  const positions: number[] = [];
  const indices: number[] = [];
  // oxlint-disable-next-line max-params -- two corners
  const box = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void => {
    const first = positions.length / 3;
    for (const y of [y0, y1]) positions.push(x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1);
    const sides = [
      [4, 7, 6, 5],
      [0, 1, 2, 3],
      [0, 4, 5, 1],
      [1, 5, 6, 2],
      [2, 6, 7, 3],
      [3, 7, 4, 0],
    ];
    for (const [a, b, c, d] of sides) indices.push(...[a, b, c, a, c, d].map((k) => first + k));
  };
  const width = 20 + r() * 20;
  const depth = 20 + r() * 20;
  box(0, -0.2, 0, width, 0, depth);
  const wall = (x0: number, z0: number, x1: number, z1: number): void => {
    const length = Math.hypot(x1 - x0, z1 - z0);
    const door = 0.8 + r() * 2.5;
    const at = 0.3 + r() * (length - door - 0.6);
    const lintel = r() < 0.4 ? 1.9 + r() : 0;
    const part = (from: number, to: number, bottom: number): void => {
      if (x0 === x1) box(x0 - 0.1, bottom, z0 + from, x0 + 0.1, 3.4, z0 + to);
      else box(x0 + from, bottom, z0 - 0.1, x0 + to, 3.4, z0 + 0.1);
    };
    for (const [from, to] of [
      [0, at],
      [at + door, length],
    ])
      if (to - from >= 0.1) part(from, to, 0);
    if (lintel > 0) part(at, at + door, lintel);
  };
  const furnish = (x0: number, z0: number, w: number, d: number): void => {
    const count = Math.floor(r() * 4);
    for (let i = 0; i < count; i++) {
      const a = 0.4 + r() * 1.6;
      const b = 0.4 + r() * 1.6;
      if (w < a + 1 || d < b + 1) continue;
      const x = x0 + r() * (w - a);
      const z = z0 + r() * (d - b);
      box(x, r() < 0.3 ? 1.9 : 0, z, x + a, 0.3 + r() * 2.5, z + b);
    }
  };
  // oxlint-disable-next-line max-params -- two corners and a depth
  const divide = (x0: number, z0: number, x1: number, z1: number, left: number): void => {
    const w = x1 - x0;
    const d = z1 - z0;
    if (left === 0 || Math.max(w, d) < 5 || (left < 3 && r() < 0.1)) return furnish(x0, z0, w, d);
    const share = 0.3 + 0.4 * r();
    if (w > d) {
      const x = x0 + w * share;
      wall(x, z0, x, z1);
      divide(x0, z0, x, z1, left - 1);
      divide(x, z0, x1, z1, left - 1);
    } else {
      const z = z0 + d * share;
      wall(x0, z, x1, z);
      divide(x0, z0, x1, z, left - 1);
      divide(x0, z, x1, z1, left - 1);
    }
  };
  divide(0, 0, width, depth, 4);
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices), width, depth };
}

describe('sizes on random floors', () => {
  it.each(SEEDS)('answer as meshes of their own do, seed %i', (seed) => {
    const r = randomOf(seed);
    const level = rooms(r);
    const count = 2 + Math.floor(r() * 2);
    let radius = 0.25 + r() * 0.2;
    let height = 1.5 + r() * 0.3;
    const sizes = Array.from({ length: count }, (_, i) => {
      const size = { name: `size ${i}`, radius, height };
      radius += 0.2 + r() * 0.5;
      height += r() * 0.8;
      return size;
    });
    const cellSize = 0.1 + r() * 0.08;
    const partition = (['watershed', 'monotone', 'layers'] as const)[Math.floor(r() * 3)];
    const options: BuildOptions = {
      cellSize,
      cellHeight: 0.08,
      partition,
      bounds: { min: [-1, -0.5, -1], max: [level.width + 1, 3.9, level.depth + 1] },
      ...(r() < 0.5 ? { tileSize: 5 + r() * 8 } : {}),
    };
    const { navMesh } = buildNavMesh(level, { ...options, agent: { maxClimb: 0.3 }, sizes: createAgentSizes(sizes) });
    expect(validateNavMesh(navMesh)).toEqual([]);
    const random = createRandom(seed);
    for (const { name, ...body } of sizes) {
      const own = buildNavMesh(level, { ...options, agent: { ...body, maxClimb: 0.3 } }).navMesh;
      const on = { size: name, halfExtents: 1 };
      for (let k = 0; k < PAIRS && own.polyCount > 0; k++) {
        const a = findRandomPoint(own, random)!.point;
        const b = findRandomPoint(own, random)!.point;
        const known = findOptimalPath(own, a, b);
        const what = `${name}, ${JSON.stringify([a, b])}`;
        expect(findPath(navMesh, a, b, on).status, what).toBe(known.status);
        if (known.status !== 'complete') continue;
        const { length } = findOptimalPath(navMesh, a, b, on);
        expect(Math.abs(length - known.length), what).toBeLessThan(Math.max(0.02 * known.length, 4 * cellSize));
      }
    }
  });
});
