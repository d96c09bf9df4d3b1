/**
 * Fixtures for portals between tiles.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseObj } from '../../src/formats/levels/obj.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildFromSurface } from '../../src/build/surface/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel } from '../../src/world/levels/levels.ts';
import { updateWorld } from '../../src/world/levels/update.ts';

function levelOf(name: string): { positions: ArrayLike<number>; indices: ArrayLike<number> } {
  return parseObj(readFileSync(new URL(`./levels/${name}.obj`, import.meta.url), 'utf8'));
}

describe('a storey above another', () => {
  it.each([0, 8, 16, 24])('an attic is not joined to its roof by tiles of %d', (tileSize) => {
    const { navMesh } = buildNavMesh(levelOf('gable-40-deg'), { tileSize });
    for (const x of [7, 9, 12, 15, 17]) {
      expect(findPath(navMesh, [x, 3, 5], [x, 4.68, 2]).status).toBe('partial');
      expect(findPath(navMesh, [x, 3, 5], [12, 3, 4]).status).toBe('complete');
    }
  });

  it.each([0, 8, 12, 16])('the way onto an arch leads around its foot with tiles of %d', (tileSize) => {
    const { navMesh } = buildNavMesh(levelOf('arch-bridge'), { tileSize });
    for (const x of [-1, -0.1, 0.1, 1]) {
      const path = findPath(navMesh, [x, 0, 0], [-x, 3.59, 0]);
      expect(path.status).toBe('complete');
      expect(path.length).toBeGreaterThan(16);
    }
  });
});

describe('a door on a tile border at UTM coordinates', () => {
  const level = levelOf('door-at-utm');
  const options = { tileSize: 8, agent: { radius: 0.4 } };
  const meshes: [string, () => NavMesh][] = [
    ['voxel', () => buildNavMesh(level, options).navMesh],
    ['surface', () => buildFromSurface(level, { tileSize: 8, agent: { radius: 0.4 } }).navMesh],
    [
      'world',
      () => {
        const world = createWorld(options);
        addLevel(world, level);
        updateWorld(world);
        return world.navMesh;
      },
    ],
  ];
  it.each(meshes)('%s: stays open', (_, build) => {
    const mesh = build();
    const path = findPath(mesh, [674_008, 0, -6_579_996], [674_008, 0, -6_579_988]);
    expect(path.status).toBe('complete');
    expect(path.length).toBeLessThan(14);
  });

  it('float32 positions there give a warning that tells their step', () => {
    const coarse = { ...level, positions: Float32Array.from(level.positions) };
    for (const given of [coarse, { ...level, positions: Float64Array.from(coarse.positions) }]) {
      for (const { warnings } of [
        buildNavMesh(given, options).report,
        buildFromSurface(given, { tileSize: 8 }).report,
      ]) {
        const messages = warnings.filter(({ code }) => code === 'coarse-positions').map(({ message }) => message);
        expect(messages).toEqual([expect.stringContaining('0.5 apart at a coordinate of 6580000')]);
      }
    }
    for (const { warnings } of [buildNavMesh(level, options).report, buildFromSurface(level, { tileSize: 8 }).report])
      expect(warnings).toEqual([]);
  });
});
