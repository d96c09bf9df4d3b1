/** Picking with hierarchies that the worker has built. The oracle is picking with those that the page builds. */
import { createRandom, nextRandom } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { findLevelScene } from 'navkiln-scenes';
import { expect, it } from 'vitest';
import { boundsOfMesh, boundsOfPoints } from '../src/bake/bounds.ts';
import { buildLevelTree, buildMeshTree } from '../src/bake/level-tree.ts';
import { measureLevel } from '../src/bake/measure.ts';
import { createState } from '../src/state/state.ts';
import type { LevelData, StudioState } from '../src/state/state.ts';
import { createPicking } from '../src/view/picking.ts';

it('hits in a large level and a large mesh are those without the worker', () => {
  const { create, options } = findLevelScene('dungeon');
  const { positions, indices } = create();
  const { navMesh } = buildNavMesh({ positions, indices }, options);
  const bounds = boundsOfPoints(positions);
  const stateWith = (isBuilt: boolean): StudioState => {
    const level: LevelData = {
      id: 1,
      title: '',
      positions,
      indices,
      display: positions,
      origin: [0, 0, 0],
      bounds,
      tree: isBuilt ? buildLevelTree(positions, indices) : undefined,
      measure: measureLevel(positions, indices, bounds),
      warnings: [],
      opened: { positions, indices },
      correction: undefined,
    };
    const tree = isBuilt ? buildMeshTree(navMesh) : undefined;
    const mesh = { id: 2, navMesh, bounds: boundsOfMesh(navMesh), report: undefined, tree };
    return { ...createState(), level, mesh };
  };
  const [built, plain] = [stateWith(true), stateWith(false)];
  const [one, other] = [createPicking(), createPicking()];
  const random = createRandom(7);
  let hits = 0;
  for (let i = 0; i < 300; i++) {
    const at = (axis: 0 | 2): number => bounds.min[axis] + nextRandom(random) * (bounds.max[axis] - bounds.min[axis]);
    const ray = { origin: [at(0), 30, at(2)], direction: [0.28, -0.96, 0] } as const;
    const hit = one.pick(built, ray);
    expect(hit).toEqual(other.pick(plain, ray));
    if (hit !== undefined) hits++;
  }
  expect(hits).toBeGreaterThan(100);
});
