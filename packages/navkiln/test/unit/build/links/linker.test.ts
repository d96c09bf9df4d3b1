/** Automatic links as an option of bakes: the same links as those of `addAutoLinks`, with obstacles and in a pool. */
import { describe, expect, it } from 'vitest';
import { createAutoLinker } from '../../../../src/build/links/linker.ts';
import { addAutoLinks } from '../../../../src/build/links/add.ts';
import { listLinks } from '../../../../src/mesh/change/links.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { bakeNavMesh, buildNavMesh, resolveBake } from '../../../../src/build/voxel/build.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import type { BuildOptions, Obstacle } from '../../../../src/build/voxel/options.ts';
import { createBakePool } from '../../../../src/world/worker/pool.ts';
import { boxLevel } from '../../../property/links-levels.ts';
import type { Box } from '../../../property/links-levels.ts';
import { gap } from './levels.ts';

const BUILD: BuildOptions = { agent: { radius: 0.4, height: 1.8, maxClimb: 0.3 }, cellSize: 0.2, cellHeight: 0.1 };
const LIMITS = { jump: {}, drop: {}, climb: {} };
const autoLinks = createAutoLinker(LIMITS);
const apart = gap(1).map(([a, b, c, d, e, f]): Box => [a, b, c + 5, d, e, f + 5]);
const level = boxLevel([...gap(1), ...apart, [1, 0, 1, 3, 1, 3]]);

describe('bakes with automatic links', () => {
  it('have the links of addAutoLinks, whole, in tiles and in a pool', async () => {
    for (const tileSize of [0, 4]) {
      const options = { ...BUILD, tileSize };
      const expected = buildNavMesh(level, options).navMesh;
      const { report } = addAutoLinks(expected, level, LIMITS);
      expect(listLinks(expected).length).toBeGreaterThanOrEqual(3);
      const built = buildNavMesh(level, { ...options, autoLinks });
      expect(built.report.autoLinks).toEqual(report);
      expect(built.report.stages.at(-1)!.name).toBe('links');
      expect(Buffer.compare(saveNavMesh(built.navMesh), saveNavMesh(expected))).toBe(0);
      for (const baked of [
        await bakeNavMesh(level, { ...options, autoLinks }),
        await bakeNavMesh(level, { ...options, autoLinks, pool: createBakePool({ workers: 0 }) }),
      ]) {
        expect(baked.report.autoLinks).toEqual(report);
        expect(Buffer.compare(saveNavMesh(baked.navMesh), saveNavMesh(expected))).toBe(0);
      }
    }
  });

  it('take obstacles for solid, and added surface', () => {
    const linksWith = (obstacles: Obstacle[]) =>
      listLinks(
        buildNavMesh(boxLevel(gap(1)), {
          ...BUILD,
          obstacles: createObstacles(obstacles),
          autoLinks: createAutoLinker({ jump: {} }),
        }).navMesh,
      );
    const wall = { type: 'box', size: [0.2, 6, 20], position: [6.5, 2, 2] } as const;
    expect(linksWith([]).length).toBeGreaterThan(0);
    expect(linksWith([wall])).toEqual([]);
    expect(linksWith([{ ...wall, effect: 'area', area: 5 }]).length).toBeGreaterThan(0);
    expect(linksWith([{ ...wall, effect: 'surface' }])).toEqual([]);
  });

  it('refuse an invalid linker, and worlds that are published', () => {
    expect(() => createAutoLinker({ jump: { peak: -1 } })).toThrow('createAutoLinker: options.jump.peak is -1');
    const bad = { ...BUILD, autoLinks: { jump: {} } } as unknown as BuildOptions;
    expect(() => buildNavMesh(level, bad)).toThrow(
      'buildNavMesh: options.autoLinks is an object; must be the result of createAutoLinker',
    );
    expect(() => resolveBake(level, { ...BUILD, autoLinks })).not.toThrow();
  });
});
