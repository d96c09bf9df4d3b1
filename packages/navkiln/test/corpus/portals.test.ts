/**
 * Fixtures for portals between tiles.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseObj } from '../../src/io/obj.ts';
import type { NavMesh } from '../../src/navmesh/types.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { buildFromSurface } from '../../src/surface/build.ts';
import { buildNavMesh } from '../../src/voxel/build.ts';
import { createWorld } from '../../src/world/levels/create.ts';
import { addLevel } from '../../src/world/levels/levels.ts';
import { updateWorld } from '../../src/world/levels/update.ts';

function levelOf(name: string): { positions: ArrayLike<number>; indices: ArrayLike<number> } {
  return parseObj(readFileSync(new URL(`./levels/${name}.obj`, import.meta.url), 'utf8'));
}

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
