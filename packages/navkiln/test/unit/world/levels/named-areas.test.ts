/** Names in worlds, dynamic bakes, workers' caches and crowds: their state outlives tiles. */
import { createVolumes } from '../../../../src/build/voxel/volumes.ts';
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { describe, expect, it } from 'vitest';
import { createCrowd } from '../../../../src/agents/crowd/create.ts';
import { addAgent, getAgent } from '../../../../src/agents/crowd/orders/agents.ts';
import { moveAgentTo } from '../../../../src/agents/crowd/orders/orders.ts';
import { stepCrowd } from '../../../../src/agents/crowd/step.ts';
import { isEnabled, listNames, setEnabled } from '../../../../src/mesh/change/enable.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { bakeNavMesh, buildNavMesh } from '../../../../src/build/voxel/build.ts';
import type { BuildOptions } from '../../../../src/build/voxel/options.ts';
import { createBakePool } from '../../../../src/world/worker/pool.ts';
import { createMemoryCache } from '../../../../src/world/worker/caches/memory.ts';
import { createWorld, openWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { addObstacle, removeObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { tilesOf } from './level-cases.ts';

/** A floor of 20 x 6 with a gate across its middle, in tiles of 4. The gate lies on a border of tiles, at x = 8. */
const floor = { positions: [0, 0, 0, 0, 0, 6, 20, 0, 6, 20, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
const options: BuildOptions = {
  agent: { radius: 0.4, height: 1.8 },
  cellSize: 0.25,
  cellHeight: 0.125,
  tileSize: 4,
  volumes: createVolumes([{ type: 'box', name: 'Tür \u{1f6aa}', min: [7, -1, -1], max: [9, 1, 7] }]),
};
const NAME = 'Tür \u{1f6aa}';
const [A, B] = [
  [2, 0, 3],
  [17, 0, 3],
];

describe('a volume that is disabled at first', () => {
  const closed: BuildOptions = {
    ...options,
    volumes: createVolumes([{ ...options.volumes!.list[0]!, enabled: false }]),
  };

  it.each([4, undefined])('closes its name as setEnabled does, with the tileSize %s', async (tileSize) => {
    const { navMesh } = buildNavMesh(floor, { ...closed, tileSize });
    const open = buildNavMesh(floor, { ...options, tileSize }).navMesh;
    expect(findPath(open, A, B).status).toBe('complete');
    setEnabled(open, NAME, false);
    expect(tilesOf(navMesh)).toEqual(tilesOf(open));
    const pool = createBakePool({ workers: 0 });
    const baked = (await bakeNavMesh(floor, { ...closed, tileSize, pool })).navMesh;
    for (const mesh of [navMesh, baked, loadNavMesh(saveNavMesh(navMesh))]) {
      expect([isEnabled(mesh, NAME), findPath(mesh, A, B).status]).toEqual([false, 'partial']);
      expect(validateNavMesh(mesh)).toEqual([]);
      setEnabled(mesh, NAME, true);
      expect(findPath(mesh, A, B).status).toBe('complete');
    }
  });

  it('closes it in a world and in a mesh that is opened as one; one of several volumes is enough', () => {
    const volumes = createVolumes([
      { type: 'box', name: NAME, min: [0, -1, -1], max: [1, 1, 7], enabled: true },
      ...closed.volumes!.list,
    ]);
    const world = createWorld({ ...options, volumes });
    addLevel(world, floor);
    expect(findPath(updateWorld(world).navMesh, A, B).status).toBe('partial');
    const { navMesh } = buildNavMesh(floor, { ...closed, dynamic: dynamicLayers });
    const opened = openWorld(loadNavMesh(saveNavMesh(navMesh)));
    addObstacle(opened, { type: 'box', size: [1, 1, 1], position: [8, 0.5, 3] });
    expect(findPath(updateWorld(opened).navMesh, A, B).status).toBe('partial');
  });

  it('needs a name', () => {
    const [box] = options.volumes!.list as readonly [object];
    const bake = (volume: object): unknown => buildNavMesh(floor, { volumes: createVolumes([volume as never]) });
    expect(() => bake({ ...box, enabled: 1 })).toThrow('createVolumes: volumes[0].enabled is 1; must be true or false');
    expect(() => bake({ ...box, name: undefined, area: 1, enabled: false })).toThrow(
      'createVolumes: volumes[0].enabled is false; must be true or false, with a name',
    );
  });
});

describe('a world', () => {
  it('keeps the state of names while its tiles are rebuilt', () => {
    const world = createWorld(options);
    expect(listNames(world.navMesh)).toEqual([NAME]);
    setEnabled(world.navMesh, NAME, false);
    addLevel(world, floor);
    const { navMesh } = updateWorld(world);
    expect(findPath(navMesh, A, B).status).toBe('partial');
    const before = tilesOf(navMesh);
    // Changes nothing: beneath the floor. Tiles that come out the same stay.
    const below = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [8, -4, 3] });
    expect(updateWorld(world).changedTileCount).toBe(0);
    removeObstacle(world, below);
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [8, 0.5, 3] });
    expect(updateWorld(world).changedTileCount).toBeGreaterThan(0);
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect([isEnabled(navMesh, NAME), findPath(navMesh, A, B).status]).toEqual([false, 'partial']);
    removeObstacle(world, crate);
    updateWorld(world);
    expect(tilesOf(navMesh)).toEqual(before);
    setEnabled(navMesh, NAME, true);
    expect(findPath(navMesh, A, B).status).toBe('complete');
    expect(validateNavMesh(navMesh)).toEqual([]);
  });

  it('opens a dynamic bake with its names and their state', () => {
    const baked = buildNavMesh(floor, { ...options, dynamic: dynamicLayers }).navMesh;
    setEnabled(baked, NAME, false);
    const world = openWorld(loadNavMesh(saveNavMesh(baked)));
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [8, 0.5, 3] });
    updateWorld(world);
    removeObstacle(world, crate);
    const { navMesh } = updateWorld(world);
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect([isEnabled(navMesh, NAME), findPath(navMesh, A, B).status]).toEqual([false, 'partial']);
    expect(tilesOf(navMesh)).toEqual(tilesOf(baked));
  });
});

it('a cache gives named tiles back, and another name is another tile', async () => {
  const pool = await createBakePool({ workers: 0 });
  const cache = createMemoryCache();
  const bake = (name: string): ReturnType<typeof bakeNavMesh> =>
    bakeNavMesh(floor, { ...options, pool, cache, volumes: createVolumes([{ ...options.volumes!.list[0]!, name }]) });
  const first = await bake(NAME);
  const again = await bake(NAME);
  const other = await bake('door');
  const once = buildNavMesh(floor, options).navMesh;
  for (const { navMesh } of [first, again]) expect(saveNavMesh(navMesh)).toEqual(saveNavMesh(once));
  expect(listNames(other.navMesh)).toEqual(['door']);
  expect(validateNavMesh(other.navMesh)).toEqual([]);
});

describe('a crowd', () => {
  it('stops at a closed gate, leaves it when it closes, and goes on when it opens', () => {
    const { navMesh } = buildNavMesh(floor, options);
    const crowd = createCrowd(navMesh, { maxAgents: 4 });
    const [walker, guard] = [addAgent(crowd, A), addAgent(crowd, [8.2, 0, 2])];
    const run = (seconds: number): void => {
      for (let tick = 0; tick < 60 * seconds; tick++) {
        stepCrowd(crowd);
        for (const id of [walker, guard]) {
          const { position } = getAgent(crowd, id)!;
          const { ref, distance } = findNearest(navMesh, position);
          expect([ref === 0, distance < 0.01]).toEqual([false, true]);
        }
      }
    };
    moveAgentTo(crowd, walker, B);
    moveAgentTo(crowd, guard, [10, 0, 2]);
    setEnabled(navMesh, NAME, false);
    run(1);
    expect(getAgent(crowd, guard)!.position[0]).toBeGreaterThan(8.9);
    run(9);
    expect([getAgent(crowd, walker)!.status, getAgent(crowd, guard)!.status]).toEqual(['blocked', 'arrived']);
    expect(getAgent(crowd, walker)!.position[0]).toBeLessThan(7.1);
    setEnabled(navMesh, NAME, true);
    run(20);
    expect(getAgent(crowd, walker)!.status).toBe('arrived');
  });
});
