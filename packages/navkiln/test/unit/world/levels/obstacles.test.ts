/** Obstacles of worlds: shapes, effects, waiting, budgets and refusals. */
import { dynamicLayers } from '../../../../src/build/voxel/obstacles/baked-layers.ts';
import { describe, expect, it } from 'vitest';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { polyIndexOf, refOf } from '../../../../src/mesh/ref.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';
import { buildNavMesh, prepareTiles, resolveBake } from '../../../../src/build/voxel/build.ts';
import { createObstacles } from '../../../../src/build/voxel/obstacles/create-obstacles.ts';
import { createWorld, openWorld } from '../../../../src/world/levels/create.ts';
import { addLevel, removeLevel } from '../../../../src/world/levels/levels.ts';
import {
  addObstacle,
  getObstacle,
  listObstacles,
  moveObstacle,
  removeObstacle,
} from '../../../../src/world/levels/obstacles.ts';
import { createSurfaceWorld } from '../../../../src/world/levels/surface.ts';
import type { World, WorldObstacle } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';
import { floor } from '../../build/voxel/levels.ts';
import { box, SET_OPTIONS, tilesOf } from './level-cases.ts';

/** A floor of 20 x 12 at height 0. */
function room(): World {
  const world = createWorld(SET_OPTIONS);
  addLevel(world, floor(0, 0, 20, 12));
  updateWorld(world);
  return world;
}

/** Whether a position is on the mesh, in x and z. */
function isWalkable(world: World, x: number, y: number, z: number): boolean {
  return findNearest(world.navMesh, [x, y, z], { halfExtents: [1e-6, 1, 1e-6] }).found;
}

const { radius } = SET_OPTIONS.agent as { radius: number };
const CELL = SET_OPTIONS.cellSize!;

describe('a hole', () => {
  it('keeps the agent away from a turned box by its radius, up to cells and the outline error', () => {
    const world = room();
    const rotation = 30;
    addObstacle(world, { type: 'box', size: [4, 2, 2], position: [10, 1, 6], rotation });
    updateWorld(world);
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
    const random = seeded(1);
    // Two cells of the erosion, one of the covered cells, and the outline error of 1.3 cells.
    const far = radius + CELL * (1 + 1.3 + Math.SQRT2);
    let [inside, outside] = [0, 0];
    for (let i = 0; i < 3000; i++) {
      const [x, z] = [1 + 18 * random(), 1 + 10 * random()];
      const [dx, dz] = [x - 10, z - 6];
      // The inverse rotation, counter-clockwise seen from above.
      const u = Math.abs(cos * dx - sin * dz) - 2;
      const v = Math.abs(sin * dx + cos * dz) - 1;
      const distance = Math.sqrt(Math.max(u, 0) ** 2 + Math.max(v, 0) ** 2);
      if (distance > far) {
        expect(isWalkable(world, x, 0, z), `${x}, ${z}`).toBe(true);
        outside++;
      } else if (distance < radius - 1.3 * CELL) {
        expect(isWalkable(world, x, 0, z), `${x}, ${z}`).toBe(false);
        inside++;
      }
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(100);
  });

  it('of a door thinner than a cell closes its passage, wherever it stands between cell centers', () => {
    const world = room();
    for (let k = 0; k < 8; k++) {
      const id = addObstacle(world, { type: 'box', size: [0.02, 2, 12], position: [10 + (k * CELL) / 8, 1, 6] });
      updateWorld(world);
      expect(findPath(world.navMesh, [2, 0, 6], [18, 0, 6]).status).toBe('partial');
      expect(moveObstacle(world, id, { position: [10, 1, 16] })).toBe(true);
      updateWorld(world);
      expect(findPath(world.navMesh, [2, 0, 6], [18, 0, 6]).status).toBe('complete');
      removeObstacle(world, id);
    }
  });

  it.each([
    ['cylinder', { type: 'cylinder', radius: 1, height: 2, position: [10, 1, 6] }],
    [
      'convex',
      {
        type: 'convex',
        outline: [
          [-1, -1],
          [0, 0],
          [1, -1],
          [1, 1],
          [-1, 1],
        ],
        minY: 0,
        maxY: 2,
        position: [10, 0, 6],
      },
    ],
    ['mesh', { type: 'mesh', ...box(2, 2, 2), position: [9, 0, 5] }],
    ['box on its corner', { type: 'box', size: [2, 2, 2], position: [10, 1, 6], rotation: [45, 0, 35] }],
  ] as [string, WorldObstacle][])('of a %s', (_, obstacle) => {
    const world = room();
    const id = addObstacle(world, obstacle);
    updateWorld(world);
    expect(isWalkable(world, 10, 0, 6)).toBe(false);
    expect(isWalkable(world, 12.5, 0, 6)).toBe(true);
    expect(removeObstacle(world, id)).toBe(true);
    updateWorld(world);
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(room().navMesh));
  });

  it('is cut where an agent would touch the obstacle: under a hanging one, not above its top, not below a high one', () => {
    const world = createWorld(SET_OPTIONS);
    addLevel(world, floor(0, 0, 8, 8));
    addLevel(world, floor(0, 0, 8, 8), { position: [0, 3, 0] });
    const id = addObstacle(world, { type: 'box', size: [2, 2, 2], position: [4, 2, 4] });
    const shown = (position: number[]): [boolean, boolean] => {
      moveObstacle(world, id, { position });
      updateWorld(world);
      return [isWalkable(world, 4, 0, 4), isWalkable(world, 4, 3, 4)];
    };
    // From 1 to 3, its top on the upper floor: the agent of 1.5 below hits its head.
    expect(shown([4, 2, 4])).toEqual([false, true]);
    expect(shown([4, 2.5, 4])).toEqual([true, false]);
    expect(shown([4, 1, 4])).toEqual([false, true]);
    expect(shown([4, -1.2, 4])).toEqual([true, true]);
    expect(shown([4, 6, 4])).toEqual([true, true]);
  });
});

describe('effects', () => {
  it('an area has its id and no clearance', () => {
    const world = room();
    addObstacle(world, { type: 'box', size: [4, 1, 4], position: [10, 0, 6], effect: 'area', area: 5 });
    updateWorld(world);
    const areaAt = (x: number): number => {
      const { ref: polyRef } = findNearest(world.navMesh, [x, 0, 6], { halfExtents: [1e-3, 1, 1e-3] });
      return world.navMesh.polyArea[polyIndexOf(world.navMesh, polyRef)]!;
    };
    expect([10, 11.7, 8.3, 12.6, 7.4].map(areaAt)).toEqual([5, 5, 5, 63, 63]);
  });

  it('a lowered bridge joins two floors, and a raised one does not', () => {
    const world = createWorld(SET_OPTIONS);
    addLevel(world, floor(0, 0, 8, 8));
    addLevel(world, floor(12, 0, 20, 8));
    const status = (): string => findPath(updateWorld(world).navMesh, [2, 0, 4], [18, 0, 4]).status;
    expect(status()).toBe('partial');
    const plank = { type: 'box', size: [6, 0.25, 2], effect: 'surface' } as const;
    const bridge = addObstacle(world, { ...plank, position: [10, 0, 4] });
    expect(status()).toBe('complete');
    moveObstacle(world, bridge, { position: [10, 2, 4] });
    expect(status()).toBe('partial');
    moveObstacle(world, bridge, { position: [10, 0, 4] });
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 2], position: [10, 0.5, 4] });
    expect(status()).toBe('partial');
    removeObstacle(world, crate);
    expect(status()).toBe('complete');
  });

  it('are those of a bake with the same obstacles, in one tile and in tiles', () => {
    const obstacles = createObstacles([
      { type: 'box', size: [2, 2, 2], position: [5, 1, 6] },
      { type: 'cylinder', radius: 2, height: 1, position: [12, 0, 6], effect: 'area', area: 9 },
      { type: 'box', size: [2, 0.25, 2], position: [16, 0.125, 6], effect: 'surface', area: 4 },
    ]);
    for (const tileSize of [0, 4]) {
      const { navMesh, report } = buildNavMesh(floor(0, 0, 20, 12), { ...SET_OPTIONS, tileSize, obstacles });
      expect(validateNavMesh(navMesh)).toEqual([]);
      expect(report.warnings).toEqual([]);
      expect([...new Set(navMesh.polyArea.subarray(0, navMesh.polyCount))].sort()).toEqual([4, 63, 9]);
      expect(findNearest(navMesh, [5, 0, 6], { halfExtents: [0.5, 1, 0.5] }).found).toBe(false);
    }
  });

  it('of a bake are refused when they are not solid, or were not made by createObstacles', () => {
    const box = { type: 'box', size: [1, 0, 1] } as const;
    expect(() => createObstacles([box])).toThrow('createObstacles: obstacles[0].size[1] is 0; must be above 0');
    expect(() => createObstacles(box as never)).toThrow('createObstacles: obstacles is an object; must be an array');
    for (const bake of [buildNavMesh, resolveBake, prepareTiles])
      expect(() => bake(floor(0, 0, 4, 4), { ...SET_OPTIONS, obstacles: [box] as never })).toThrow(
        /: options\.obstacles is .*; must be the result of createObstacles$/,
      );
  });
});

describe('updates', () => {
  it('keep refs of tiles that an obstacle does not touch', () => {
    const world = room();
    const { navMesh } = world;
    const refs = Array.from({ length: navMesh.polyCount }, (_, poly) => refOf(navMesh, poly));
    addObstacle(world, { type: 'box', size: [0.5, 1, 0.5], position: [2, 0.5, 2] });
    const { rebuiltTiles } = updateWorld(world);
    expect(rebuiltTiles).toEqual([[0, 0]]);
    expect(refs.filter((ref) => polyIndexOf(navMesh, ref) < 0).length).toBe(1);
  });

  it('fit into a budget, and no tile waits for ever', () => {
    const world = room();
    const still = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [18, 0.5, 10] });
    expect(isWalkable(world, 18, 0, 10)).toBe(true);
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [2, 0.5, 2] });
    expect(updateWorld(world, { maxMs: 0 }).rebuiltTiles.length).toBe(1);
    for (let frame = 0; frame < 12; frame++) {
      moveObstacle(world, crate, { position: [2 + frame / 10, 0.5, 2] });
      updateWorld(world, { maxTiles: 1 });
    }
    expect(isWalkable(world, 18, 0, 10)).toBe(false);
    removeObstacle(world, still);
    expect(updateWorld(world).pendingTileCount).toBe(0);
    expect(listObstacles(world)).toEqual([crate]);
  });

  /** One stage in each update. */
  const ONE_STAGE = { maxMs: 1e-9 };

  it.each([1, 2, 3])('of one stage at a time give the mesh of a new world, seed %i', (seed) => {
    const random = seeded(seed);
    const world = room();
    const crates: number[] = [];
    const at = (): number[] => [1 + 18 * random(), 0.5, 1 + 10 * random()];
    let [updates, rebuilt, partials] = [0, 0, 0];
    let level = addLevel(world, box(2, 0.3, 2), { position: [4, 0, 4] });
    for (let round = 0; round < 60; round++) {
      if (crates.length < 6) crates.push(addObstacle(world, { type: 'box', size: [1, 1, 1], position: at() }));
      else moveObstacle(world, crates[Math.floor(6 * random())]!, { position: at(), rotation: 360 * random() });
      if (round % 5 === 4) {
        removeLevel(world, level);
        level = addLevel(world, box(2, 0.3, 2), {
          position: [12 * random(), seed === 1 ? -5 * random() : 0, 8 * random()],
        });
      }
      if (round === 33) removeObstacle(world, crates.pop()!);
      for (let i = 40 * random(); i > 0; i--) {
        const { rebuiltTiles } = updateWorld(world, ONE_STAGE);
        updates++;
        rebuilt += rebuiltTiles.length;
        partials += Number(world.partial !== null);
        expect(rebuiltTiles.length).toBeLessThan(2);
      }
      expect(validateNavMesh(world.navMesh)).toEqual([]);
      if (round % 6 > 0) continue;
      // Every other update, on average, has no limit. It builds a tile that is half done again from its start.
      let left = 1;
      for (let i = 0; left > 0 && i < 5000; i++)
        left = updateWorld(world, random() < 0.5 && i > 20 ? {} : ONE_STAGE).pendingTileCount;
      expect(left).toBe(0);
      const other = room();
      const { input, matrix } = world.levels.get(level)!;
      addLevel(other, input, { position: matrix.slice(9) });
      for (const id of crates) addObstacle(other, getObstacle(world, id) as WorldObstacle);
      updateWorld(other);
      expect(tilesOf(world.navMesh)).toEqual(tilesOf(other.navMesh));
    }
    expect(partials).toBeGreaterThan(updates / 3);
    expect(rebuilt).toBeGreaterThan(20);
  });

  it('of one stage at a time make progress while everything moves', () => {
    const world = room();
    const crate = addObstacle(world, { type: 'box', size: [1, 1, 1], position: [4, 0.5, 4] });
    const wide = addObstacle(world, { type: 'box', size: [18, 1, 0.5], position: [10, 0.5, 10] });
    let rebuilt = 0;
    const places = new Set<string>();
    for (let frame = 0; frame < 200; frame++) {
      moveObstacle(world, crate, { position: [4 + frame / 100, 0.5, 4] });
      moveObstacle(world, wide, { position: [10, 0.5, 10 - frame / 100] });
      for (const tile of updateWorld(world, ONE_STAGE).rebuiltTiles) {
        rebuilt++;
        places.add(tile.join());
      }
    }
    expect(places.size).toBe(world.carvedBy.size);
    expect(rebuilt).toBeGreaterThan(10);
    expect(updateWorld(world).pendingTileCount).toBe(0);
    expect(isWalkable(world, 5.99, 0, 4)).toBe(false);
    expect(isWalkable(world, 4.2, 0, 4)).toBe(true);
  });

  it('wait until an obstacle has stood still', () => {
    const world = room();
    const at = (x: number): boolean => !isWalkable(world, x, 0, 6);
    const id = addObstacle(world, { type: 'box', size: [2, 2, 2], position: [5, 1, 6], carveAfterSeconds: 1 });
    expect(updateWorld(world, { seconds: 0.6 })).toMatchObject({ waitingObstacleCount: 1, rebuiltTiles: [] });
    expect(updateWorld(world, { seconds: 0.6 }).waitingObstacleCount).toBe(0);
    expect(at(5)).toBe(true);
    moveObstacle(world, id, { position: [15, 1, 6] });
    updateWorld(world, { seconds: 0.6 });
    // The old hole stays until the new one is cut.
    expect([at(5), at(15)]).toEqual([true, false]);
    moveObstacle(world, id, { position: [14, 1, 6] });
    updateWorld(world, { seconds: 0.6 });
    expect([at(5), at(14)]).toEqual([true, false]);
    updateWorld(world, { seconds: 0.6 });
    expect([at(5), at(14)]).toEqual([false, true]);
  });

  it('take a moving obstacle out with carveOnlyStationary', () => {
    const world = room();
    const at = (x: number): boolean => !isWalkable(world, x, 0, 6);
    const id = addObstacle(world, { type: 'box', size: [2, 2, 2], position: [5, 1, 6], carveOnlyStationary: true });
    updateWorld(world, { seconds: 0.5 });
    expect(at(5)).toBe(true);
    moveObstacle(world, id, { position: [15, 1, 6] });
    updateWorld(world, { seconds: 0.3 });
    expect([at(5), at(15)]).toEqual([false, false]);
    updateWorld(world, { seconds: 0.3 });
    expect([at(5), at(15)]).toEqual([false, true]);
    expect(getObstacle(world, id)).toMatchObject({ position: [15, 1, 6], carveOnlyStationary: true });
  });

  it('also for obstacles whose level was removed', () => {
    const world = createWorld(SET_OPTIONS);
    const level = addLevel(world, floor(0, 0, 20, 12));
    const id = addObstacle(world, { type: 'box', size: [2, 2, 2], position: [5, 1, 6] });
    updateWorld(world);
    removeLevel(world, level);
    expect(tilesOf(updateWorld(world).navMesh).size).toBe(0);
    removeObstacle(world, id);
    addLevel(world, floor(0, 0, 20, 12));
    expect(tilesOf(updateWorld(world).navMesh)).toEqual(tilesOf(room().navMesh));
  });
});

describe('a mesh of a dynamic bake', () => {
  const bake = (): NavMesh => buildNavMesh(floor(0, 0, 20, 12), { ...SET_OPTIONS, dynamic: dynamicLayers }).navMesh;

  it('is opened as a world, and its layers are refused when damaged, or give a valid mesh', () => {
    const random = seeded(3);
    const baked = bake();
    let refused = 0;
    for (let i = 0; i < 150; i++) {
      const navMesh = structuredClone(baked);
      if (i > 0) navMesh.layers[Math.floor(random() * navMesh.layers.length)]! ^= 1 << Math.floor(8 * random());
      try {
        const world = openWorld(navMesh);
        addObstacle(world, { type: 'box', size: [2, 2, 2], position: [5, 1, 6] });
        updateWorld(world);
        expect(validateNavMesh(navMesh)).toEqual([]);
      } catch (error) {
        expect((error as Error).message).toMatch(/^openWorld: /);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('is refused without layers, and with those of another mesh', () => {
    const other = buildNavMesh(floor(0, 0, 20, 12), { ...SET_OPTIONS, cellSize: 0.2, dynamic: dynamicLayers }).navMesh;
    expect(() => openWorld(room().navMesh)).toThrow(
      /^openWorld: navMesh\.layers is "empty"; must be the layers of a bake/,
    );
    const mixed = { ...bake(), layers: other.layers };
    expect(() => openWorld(mixed)).toThrow(/^openWorld: navMesh\.layers are of a mesh with other settings/);
    const wrong = { ...SET_OPTIONS, dynamic: dynamicLayers };
    expect(() => buildNavMesh(floor(0, 0, 9, 9), { ...wrong, tileSize: 0 })).toThrow(
      /options\.dynamic is an object; must be/,
    );
    expect(() => createWorld(wrong)).toThrow(/^createWorld: options\.dynamic is an object; must be absent/);
  });
});

describe('refusals name the value and leave the world as it was', () => {
  const good = { type: 'box', size: [1, 1, 1], position: [5, 0.5, 5] } as const;
  it.each([
    [{ ...good, type: 'sphere' }, /^addObstacle: obstacle\.type is "sphere"; must be 'box', 'cylinder'/],
    [{ ...good, size: [1, 0, 1] }, /^addObstacle: obstacle\.size\[1\] is 0; must be above 0/],
    [{ ...good, size: [1, NaN, 1] }, /^addObstacle: obstacle\.size\[1\] is NaN/],
    [{ ...good, size: [1, 1] }, /^addObstacle: obstacle\.size\.length is 2; must be 3/],
    [{ ...good, position: [NaN, 0, 0] }, /^addObstacle: obstacle\.position is \[NaN, 0, 0\]/],
    [{ ...good, rotation: 'a' }, /^addObstacle: obstacle\.rotation is "a"/],
    [
      { ...good, position: [50, 0, 5] },
      /^addObstacle: the box of obstacle is \[49\.5, .*must be within the world, which is x 0 \.\. 20/,
    ],
    [{ ...good, size: [50, 1, 50] }, /^addObstacle: the box of obstacle is .*must be smaller than the world/],
    [{ ...good, position: [1e300, 0, 5] }, /^addObstacle: the box of obstacle is .*must be within/],
    [{ ...good, effect: 'mud' }, /^addObstacle: obstacle\.effect is "mud"; must be 'hole', 'area' or 'surface'/],
    [{ ...good, effect: 'area' }, /^addObstacle: obstacle\.area is undefined; must be a whole number from 1 to 63/],
    [{ ...good, area: 3 }, /^addObstacle: obstacle\.area is 3; must be absent/],
    [{ ...good, radius: 3 }, /^addObstacle: obstacle\.radius is unknown; known keys: type/],
    [{ ...good, carveAfterSeconds: -1 }, /^addObstacle: obstacle\.carveAfterSeconds is -1/],
    [{ ...good, carveOnlyStationary: 1 }, /^addObstacle: obstacle\.carveOnlyStationary is 1/],
    [{ type: 'cylinder', radius: 0, height: 1 }, /^addObstacle: obstacle\.radius is 0/],
    [
      {
        type: 'convex',
        outline: [
          [0, 0],
          [1, 1],
        ],
        minY: 0,
        maxY: 1,
      },
      /^addObstacle: obstacle\.outline\.length is 2/,
    ],
    [
      {
        type: 'convex',
        outline: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
        minY: 0,
        maxY: 1,
      },
      /^addObstacle: obstacle\.outline is .*not all on one line/,
    ],
    [
      {
        type: 'convex',
        outline: [
          [0, 0],
          [1, 1],
          [2, 0],
        ],
        minY: 1,
        maxY: 1,
      },
      /^addObstacle: obstacle\.maxY is 1; must be above minY/,
    ],
    [{ type: 'mesh', positions: [0, 0, 0, 1, 1, 1, 2, 2] }, /^addObstacle: obstacle\.positions\.length is 8/],
    [
      { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] },
      /^addObstacle: obstacle\.positions is "a line or a point"/,
    ],
    [{ type: 'mesh', positions: [0, 0, 0, 1, 1, 1, 2, 2, NaN] }, /^addObstacle: obstacle\.positions is NaN/],
    [
      { type: 'mesh', positions: [0, 0, 0, 1, 1, 1, 2, 2, 3], indices: [0, 1, 3] },
      /^addObstacle: obstacle\.indices\[2\] is 3/,
    ],
    [null, /^addObstacle: obstacle is null/],
  ])('%j', (obstacle, message) => {
    const world = room();
    expect(() => addObstacle(world, obstacle as unknown as WorldObstacle)).toThrow(message);
    expect(listObstacles(world)).toEqual([]);
    expect(updateWorld(world).rebuiltTiles).toEqual([]);
    expect(addObstacle(world, good)).toBe(1);
  });

  it('moves, unknown ids, worlds without levels and surface worlds', () => {
    const world = room();
    const id = addObstacle(world, good);
    updateWorld(world);
    expect(() => moveObstacle(world, id, { position: [99, 0, 0] })).toThrow(/^moveObstacle: the box of placement is/);
    expect(() => moveObstacle(world, id, { scale: 2 } as object)).toThrow(/^moveObstacle: placement\.scale is unknown/);
    expect(getObstacle(world, id)).toEqual(good);
    expect(updateWorld(world).rebuiltTiles).toEqual([]);
    expect([moveObstacle(world, 9, {}), removeObstacle(world, 9), getObstacle(world, 9)]).toEqual([false, false, null]);
    expect(() => addObstacle(createWorld(SET_OPTIONS), good)).toThrow(/add a level first/);
    expect(() => addObstacle(createSurfaceWorld({ tileSize: 8 }), good)).toThrow(/^addObstacle: world is/);
    expect(() => updateWorld(world, { maxMs: -1 })).toThrow(/^updateWorld: budget\.maxMs is -1; must be 0 or more/);
    expect(() => updateWorld(world, { seconds: NaN })).toThrow(/^updateWorld: budget\.seconds is NaN/);
    const bounded = createWorld({ ...SET_OPTIONS, bounds: { min: [0, -1, 0], max: [8, 3, 8] } });
    expect(() => addObstacle(bounded, { ...good, position: [9, 0, 5] })).toThrow(
      /within the world, which is x 0 \.\. 8/,
    );
    expect(addObstacle(bounded, good)).toBe(1);
  });
});
