/**
 * One mesh for several sizes on random floors with rooms, doors, lintels and furniture. Oracles: the cells of each size, which are connected
 * where a path is complete, and a bake of each size alone, on which shortest lengths differ by a few cells at most.
 *
 * Seeds 2, 63 and 73 had passages that were closed: regions of a single cell had no outline, and outlines that meet at a corner only were
 * simplified differently on both sides. NAVKILN_SIZES sets the number of further seeds from NAVKILN_SEED on.
 */
import { optionsFromSettings } from '../../src/build/voxel/settings.ts';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/base/data/random.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findOptimalPath } from '../../src/query/optimal/optimal.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../src/build/voxel/options.ts';
import { createAgentSizes } from '../../src/build/voxel/sizes/create.ts';
import { randomOf, randomSizes, rooms } from './random-rooms.ts';
import { sizeCells } from './size-cells.ts';

const MORE = Number(process.env.NAVKILN_SIZES ?? 0);
const FIRST = Number(process.env.NAVKILN_SEED ?? 1000);
const SEEDS = [2, 63, 73, ...Array.from({ length: MORE }, (_, i) => FIRST + i)];
const PAIRS = 40;

describe('sizes on random floors', () => {
  it.each(SEEDS)('answer as meshes of their own do, seed %i', (seed) => {
    const r = randomOf(seed);
    const level = rooms(r);
    const sizes = randomSizes(r);
    const cellSize = 0.1 + r() * 0.08;
    const partition = (['watershed', 'monotone', 'layers'] as const)[Math.floor(r() * 3)];
    const options: BuildOptions = {
      cellSize,
      cellHeight: 0.08,
      ...optionsFromSettings({ partition }),
      bounds: { min: [-1, -0.5, -1], max: [level.width + 1, 3.9, level.depth + 1] },
      ...(r() < 0.5 ? { tileSize: 5 + r() * 8 } : {}),
    };
    const { navMesh } = buildNavMesh(level, { ...options, agent: { maxClimb: 0.3 }, sizes: createAgentSizes(sizes) });
    expect(validateNavMesh(navMesh)).toEqual([]);
    const random = createRandom(seed);
    for (const { name, ...body } of sizes) {
      const alone = { ...options, agent: { ...body, maxClimb: 0.3 } };
      const own = buildNavMesh(level, alone).navMesh;
      const cells = sizeCells(level, alone);
      const on = { size: name, halfExtents: 1 };
      for (let k = 0; k < PAIRS && cells.count > 0; k++) {
        const [from, to] = [cells.pick(random), cells.pick(random)];
        const [a, b] = [from.point, to.point];
        const what = `${name}, ${JSON.stringify([a, b])}`;
        const { status } = findPath(navMesh, a, b, on);
        expect(status, what).toBe(cells.isConnected(from.cell, to.cell) ? 'complete' : 'partial');
        const known = findOptimalPath(own, a, b, { halfExtents: 1 });
        if (status !== 'complete' || known.status !== 'complete') continue;
        const { length } = findOptimalPath(navMesh, a, b, on);
        expect(Math.abs(length - known.length), what).toBeLessThan(Math.max(0.02 * known.length, 4 * cellSize));
      }
    }
  });
});
