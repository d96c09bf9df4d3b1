/**
 * Updates of worlds with provisional tiles: which tiles are cut and rebuilt within a budget, what lockstep machines get, and worlds that
 * refuse the option.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAgentSizes } from '../../../../src/build/voxel/sizes/create.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { createProvisionalTiles } from '../../../../src/world/cut/provisional.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { createMapWorld } from '../../../../src/world/levels/map.ts';
import { addObstacle, moveObstacle } from '../../../../src/world/levels/obstacles.ts';
import type { World } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';
import { box, hills, SET_OPTIONS, tilesOf } from '../levels/level-cases.ts';

afterEach(() => vi.restoreAllMocks());

const crate = (x: number, z: number, rotation = 30) =>
  ({ type: 'box', size: [1, 2, 1], position: [x, 0.5, z], rotation }) as const;

/** A floor of 5 x 5 tiles. */
function floorWorld(settleUpdates = 1): World {
  const world = createWorld({ ...SET_OPTIONS, provisional: createProvisionalTiles({ settleUpdates }) });
  addLevel(world, hills(seeded(3), 8, 20, 0.3), {});
  updateWorld(world);
  return world;
}

/** Makes each reading of the clock `ms` later than the one before. */
function slowClock(ms: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += ms));
}

describe('a budget', () => {
  it('cuts many tiles in one update, after one that a pause made long', () => {
    const world = floorWorld(100);
    const ids = [2, 6, 10, 14, 18].flatMap((x) => [2, 6, 10, 14, 18].map((z) => addObstacle(world, crate(x, z))));
    updateWorld(world, { maxTiles: 1 });
    const move = (rotation: number): number => {
      ids.forEach((id, k) => {
        const { position } = crate(2 + 4 * Math.floor(k / 5), 2 + 4 * (k % 5));
        moveObstacle(world, id, { position, rotation });
      });
      return updateWorld(world, { maxMs: 2 }).rebuiltTiles.length;
    };
    slowClock(0.02);
    expect(move(40)).toBe(25);
    // A pause of 1 s in the first cut.
    let now = 2e3;
    let pause = 3;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += --pause === 0 ? 1e3 : 0.02));
    expect(move(50)).toBeLessThan(25);
    slowClock(0.02);
    expect(move(60)).toBe(25);
  });

  it('leaves time for tiles that wait for a rebuild, while tiles are cut in each update', () => {
    const world = floorWorld(100);
    const id = addObstacle(world, crate(2, 2));
    updateWorld(world, { maxTiles: 1 });
    // An area cannot be cut, so its tile is rebuilt.
    addObstacle(world, { ...crate(14, 14), effect: 'area', area: 7 });
    slowClock(3);
    let updates = 0;
    do {
      moveObstacle(world, id, { position: [2, 0.5, 2], rotation: updates });
      expect(updateWorld(world, { maxMs: 2 }).overMs).toBeGreaterThan(0);
    } while (!world.navMesh.polyArea.includes(7) && ++updates < 300);
    // Four tiles wait, of a dozen stages each.
    expect(updates).toBeLessThan(100);
  });

  it('reports by how much an update was too long', () => {
    const world = floorWorld();
    addObstacle(world, crate(2, 2));
    slowClock(3);
    expect(updateWorld(world, { maxMs: 1 }).overMs).toBeGreaterThanOrEqual(2);
    expect(updateWorld(world, { maxMs: 1e9 }).overMs).toBe(0);
    expect(updateWorld(world).overMs).toBe(0);
  });
});

describe('lockstep', () => {
  it('gives the same bytes after each tick on a fast and on a slow machine', () => {
    const run = (ms: number): string[] => {
      slowClock(ms);
      const random = seeded(5);
      const world = floorWorld(2);
      const ids = Array.from({ length: 12 }, () => addObstacle(world, crate(20 * random(), 20 * random())));
      const out: string[] = [];
      for (let tick = 0; tick < 24; tick++) {
        for (const id of ids)
          if (random() < 0.2) moveObstacle(world, id, { position: crate(20 * random(), 20 * random()).position });
        const { rebuiltTiles, provisionalTiles, pendingTileCount } = updateWorld(world, { maxTiles: 2 });
        out.push(
          [
            rebuiltTiles,
            provisionalTiles,
            pendingTileCount,
            Buffer.from(saveNavMesh(world.navMesh)).toString('base64'),
          ].join(';'),
        );
      }
      return out;
    };
    const fast = run(0.001);
    expect(run(50)).toEqual(fast);
    expect(new Set(fast).size).toBeGreaterThan(12);
  });
});

describe('worlds without provisional tiles', () => {
  const provisional = createProvisionalTiles();
  it('are refused by name, with a remedy', () => {
    const map = {
      polygons: [
        {
          outline: [
            [0, 0],
            [8, 0],
            [8, 8],
            [0, 8],
          ],
          holes: [],
        },
      ],
      obstacles: [],
    };
    const options = { tileSize: 4, agent: { radius: 0.2 } };
    expect(() => createMapWorld(map, { ...options, provisional } as never)).toThrow(
      /^createMapWorld: options\.provisional is "set"; must be absent; .*maxMs/,
    );
    const sizes = createAgentSizes([
      { name: 'small', radius: 0.3, height: 1.5 },
      { name: 'large', radius: 0.6, height: 1.5 },
    ]);
    const rest = { ...SET_OPTIONS, agent: { maxClimb: 0.4, maxSlopeDegrees: 45 } };
    expect(() => createWorld({ ...rest, sizes, provisional })).toThrow(
      /^createProvisionalTiles: the sizes of the world/,
    );
    // The remedies work.
    const world = createMapWorld(map, options);
    while (updateWorld(world, { maxMs: 0 }).pendingTileCount > 0);
    const sized = createWorld({ ...rest, sizes });
    addLevel(sized, box(8, 0.25, 8), {});
    while (updateWorld(sized, { maxMs: 0 }).pendingTileCount > 0);
    expect(tilesOf(world.navMesh).size).toBe(4);
    expect(tilesOf(sized.navMesh).size).toBe(4);
  });
});
