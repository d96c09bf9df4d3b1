/** Worlds that keep a path index up to date: all kinds of worlds, budgets, and bakes. */
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { describe, expect, it } from 'vitest';
import { buildPathIndex } from '../../../../src/query/index/build.ts';
import { findIndexedPath } from '../../../../src/query/index/find.ts';
import { createWorldIndex } from '../../../../src/query/index/world-index.ts';
import { savePathIndex } from '../../../../src/query/index/file/save.ts';
import type { PathIndex } from '../../../../src/query/index/types.ts';
import { buildNavMesh } from '../../../../src/build/voxel/build.ts';
import { bakeWorld } from '../../../../src/world/levels/bake.ts';
import { createWorld, openWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { createMapWorld } from '../../../../src/world/levels/map.ts';
import { addObstacle } from '../../../../src/world/levels/obstacles.ts';
import { createSurfaceWorld } from '../../../../src/world/levels/surface.ts';
import type { World } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';

const FLOOR = { positions: [0, 0, 0, 0, 0, 12, 12, 0, 12, 12, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
const OPTIONS = { tileSize: 6, cellSize: 0.3, cellHeight: 0.2, agent: { radius: 0.3 } };
const WALL = { type: 'box', size: [1, 3, 8], position: [6, 0, 4] } as const;

/** Asserts that an index is that of a new build. */
function expectNew(index: PathIndex, world: World): void {
  const want = buildPathIndex(world.navMesh);
  expect(want.tier).toBe('table');
  expect(index.tier).toBe('table');
  expect(Buffer.from(savePathIndex(index)).equals(Buffer.from(savePathIndex(want)))).toBe(true);
}

/** Adds a wall to a world, and asserts that its index is that of a new build after an update. */
function expectUpdated(world: World): void {
  const { index } = world.pathIndex!;
  expect(updateWorld(world).isIndexCurrent).toBe(true);
  expectNew(index, world);
  addObstacle(world, WALL);
  expect(updateWorld(world).isIndexCurrent).toBe(true);
  expectNew(index, world);
}

describe('a world with a path index', () => {
  it('updates it with the mesh', () => {
    const world = createWorld({ ...OPTIONS, pathIndex: createWorldIndex() });
    addLevel(world, FLOOR);
    expectUpdated(world);
    const path = findIndexedPath(world.pathIndex!.index, world.navMesh, [3, 0, 4], [9, 0, 4]);
    expect(path).toMatchObject({ status: 'complete', source: 'index', exact: true });
    expect(path.points.length).toBeGreaterThan(2);
  });

  it('updates an index that was built before, on an opened mesh', () => {
    const { navMesh } = buildNavMesh(FLOOR, { ...OPTIONS, dynamic: dynamicLayers });
    const index = buildPathIndex(navMesh);
    const world = openWorld(navMesh, { pathIndex: createWorldIndex({ index }) });
    expect(world.pathIndex!.index).toBe(index);
    expectUpdated(world);
  });

  it('updates that of a map and of a surface', () => {
    const outline: [number, number][] = [
      [0, 0],
      [20, 0],
      [20, 20],
      [0, 20],
    ];
    const map = createMapWorld(
      { polygons: [{ outline }] },
      { tileSize: 10, radius: 0.5, pathIndex: createWorldIndex() },
    );
    updateWorld(map);
    addObstacle(map, { type: 'box', size: [2, 10], position: [10, 9] });
    expect(updateWorld(map).isIndexCurrent).toBe(true);
    expectNew(map.pathIndex!.index, map);
    const surface = createSurfaceWorld({ tileSize: 6, pathIndex: createWorldIndex() });
    addLevel(surface, FLOOR);
    updateWorld(surface);
    expectNew(surface.pathIndex!.index, surface);
  });

  it('updates it in steps, after the tiles', () => {
    const world = createWorld({ ...OPTIONS, pathIndex: createWorldIndex() });
    addLevel(world, FLOOR);
    const states: boolean[] = [];
    for (let i = 0; i < 99 && states.at(-1) !== true; i++) {
      const { isIndexCurrent, pendingTileCount } = updateWorld(world, { isTimeUp: () => true });
      expect(isIndexCurrent && pendingTileCount > 0).toBe(false);
      states.push(isIndexCurrent);
    }
    expect(states.length).toBeGreaterThan(5);
    expectNew(world.pathIndex!.index, world);
    expect(updateWorld(world, { maxMs: 0 }).isIndexCurrent).toBe(true);
  });

  it('limits each update by maxCorners', () => {
    const world = createWorld({ ...OPTIONS, pathIndex: createWorldIndex({ maxCorners: 1 }) });
    addLevel(world, FLOOR);
    addObstacle(world, WALL);
    let count = 1;
    while (!updateWorld(world).isIndexCurrent) count++;
    expect(count).toBeGreaterThanOrEqual(world.pathIndex!.index.cornerCount);
    expectNew(world.pathIndex!.index, world);
  });

  it('bakes it without blocking', async () => {
    const world = createWorld({ ...OPTIONS, pathIndex: createWorldIndex() });
    addLevel(world, FLOOR);
    expect(await bakeWorld(world)).toMatchObject({ isIndexCurrent: true, pendingTileCount: 0 });
    expectNew(world.pathIndex!.index, world);
  });

  it('does not retry an index that does not fit', () => {
    const world = createWorld({ ...OPTIONS, pathIndex: createWorldIndex({ maxBytes: 100 }) });
    addLevel(world, FLOOR);
    const { index } = world.pathIndex!;
    expect(updateWorld(world).isIndexCurrent).toBe(true);
    expect(index).toMatchObject({ tier: 'none', reason: 'max-bytes' });
    const { tileHash } = index;
    updateWorld(world);
    expect(index.tileHash).toBe(tileHash);
    expect(findIndexedPath(index, world.navMesh, [1, 0, 1], [9, 0, 9]).source).toBe('search');
  });

  it('may be set later', () => {
    const world = createWorld(OPTIONS);
    addLevel(world, FLOOR);
    expect(updateWorld(world).isIndexCurrent).toBe(true);
    world.pathIndex = createWorldIndex();
    expect(updateWorld(world).isIndexCurrent).toBe(true);
    expectNew(world.pathIndex.index, world);
  });

  it('is refused when it cannot be updated', () => {
    expect(() => createWorldIndex({ index: {} as PathIndex })).toThrow('createWorldIndex: options.index is ');
    expect(() => createWorldIndex({ tier: 'fast' as 'table' })).toThrow('createWorldIndex: options.tier is ');
    expect(() => createWorldIndex({ maxCorners: 0 })).toThrow('createWorldIndex: options.maxCorners is 0; must be ');
    const index = buildPathIndex(buildNavMesh(FLOOR, OPTIONS).navMesh) as never;
    expect(() => createWorld({ ...OPTIONS, pathIndex: index })).toThrow('createWorld: options.pathIndex.update is ');
    const map = {
      polygons: [
        {
          outline: [
            [0, 0],
            [9, 0],
            [9, 9],
          ] as [number, number][],
        },
      ],
    };
    expect(() => createMapWorld(map, { tileSize: 9, radius: 0.1, pathIndex: index })).toThrow(
      'createMapWorld: options.pathIndex.update is ',
    );
  });
});
