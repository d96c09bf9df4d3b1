/** Worlds over 2D maps: shapes, areas, which tiles change, and refusals. */
import { describe, expect, it } from 'vitest';
import { polyIndexOf } from '../../../src/navmesh/ref.ts';
import { validateNavMesh } from '../../../src/navmesh/validate.ts';
import { findNearest2d } from '../../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { buildFromPolygons } from '../../../src/polygon/build.ts';
import { addLevel } from '../../../src/world/levels/levels.ts';
import { createMapWorld } from '../../../src/world/levels/map.ts';
import {
  addObstacle,
  getObstacle,
  listObstacles,
  moveObstacle,
  removeObstacle,
} from '../../../src/world/levels/obstacles.ts';
import type { World } from '../../../src/world/levels/types.ts';
import { updateWorld } from '../../../src/world/levels/update.ts';
import { slotsOf, tilesOf } from './level-cases.ts';

const SQUARE = [
  [0, 0],
  [40, 0],
  [40, 40],
  [0, 40],
] as [number, number][];

function yard(radius = 0, more: object = {}): World {
  const world = createMapWorld({ polygons: [{ outline: SQUARE }] }, { tileSize: 10, radius, ...more });
  updateWorld(world);
  return world;
}

const isFree = (world: World, x: number, y: number): boolean => findNearest2d(world.navMesh, [x, y]).isInside;

describe('an obstacle', () => {
  it.each(['up', 'down'] as const)('lies where the map says, y %s', (yAxis) => {
    const world = yard(0, { yAxis });
    const rotation = 30;
    addObstacle(world, { type: 'box', size: [10, 2], position: [20, 12], rotation });
    updateWorld(world);
    const angle = ((yAxis === 'up' ? rotation : -rotation) * Math.PI) / 180;
    for (const [u, v, free] of [
      [4.9, 0.9, false],
      [-4.9, -0.9, false],
      [5.1, 0, true],
      [0, 1.1, true],
      [4.9, -1.1, true],
    ] as const) {
      const x = 20 + u * Math.cos(angle) - v * Math.sin(angle);
      const y = 12 + u * Math.sin(angle) + v * Math.cos(angle);
      expect(isFree(world, x, y), `${u}, ${v}`).toBe(free);
    }
  });

  it('keeps the agent away by its radius', () => {
    const world = yard(1.5);
    addObstacle(world, { type: 'cylinder', radius: 2, position: [20, 20] });
    updateWorld(world);
    for (let k = 0; k < 64; k++) {
      const [cos, sin] = [Math.cos(k / 10), Math.sin(k / 10)];
      expect(isFree(world, 20 + 3.49 * cos, 20 + 3.49 * sin)).toBe(false);
      // The circle's polygon may lie a tenth of its radius outside of it.
      expect(isFree(world, 20 + 3.75 * cos, 20 + 3.75 * sin)).toBe(true);
    }
  });

  it('changes the tiles that it touches, and no other', () => {
    const world = yard();
    const before = slotsOf(world.navMesh);
    expect(before.size).toBe(16);
    const id = addObstacle(world, {
      type: 'convex',
      outline: [
        [2, 2],
        [5, 2],
        [3, 5],
      ],
    });
    expect(updateWorld(world).rebuiltTiles).toHaveLength(1);
    const after = slotsOf(world.navMesh);
    expect([...after].filter(([place, slot]) => before.get(place) !== slot)).toHaveLength(1);
    removeObstacle(world, id);
    updateWorld(world);
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(yard().navMesh));
  });

  it('that covers the map leaves an empty mesh, and gives it back', () => {
    const world = yard(1);
    const whole = tilesOf(world.navMesh);
    const id = addObstacle(world, { type: 'box', size: [39.9, 60], position: [20, 20] });
    const other = addObstacle(world, { type: 'box', size: [60, 39.9], position: [20, 20] });
    updateWorld(world);
    expect(tilesOf(world.navMesh).size).toBe(0);
    removeObstacle(world, id);
    moveObstacle(world, other, { position: [20, 59] });
    removeObstacle(world, other);
    updateWorld(world);
    expect(tilesOf(world.navMesh)).toEqual(whole);
  });

  it('closes a passage, and opens it again as it moves', () => {
    const world = yard(1);
    const wall = addObstacle(world, { type: 'box', size: [4, 100], position: [20, 20] });
    updateWorld(world);
    expect(findPath2d(world.navMesh, [5, 5], [35, 5]).status).toBe('partial');
    moveObstacle(world, wall, { position: [20, 55] });
    updateWorld(world);
    expect(findPath2d(world.navMesh, [5, 3.9], [35, 3.9]).status).toBe('complete');
    expect(validateNavMesh(world.navMesh)).toEqual([]);
  });

  it('with an effect of area gives the ground below it an id, the last one counts', () => {
    const areas = [{ name: 'mud', outline: SQUARE.map(([x, y]) => [x / 2, y / 2] as [number, number]) }];
    const map = { polygons: [{ outline: SQUARE }], areas };
    const world = createMapWorld(map, { tileSize: 10 });
    addObstacle(world, { type: 'box', size: [20, 4], position: [20, 10], effect: 'area', area: 9 });
    addObstacle(world, { type: 'box', size: [4, 4], position: [25, 10], effect: 'area', area: 12 });
    updateWorld(world);
    const areaAt = (x: number, y: number): number => {
      const { polyArea } = world.navMesh;
      return polyArea[polyIndexOf(world.navMesh, findNearest2d(world.navMesh, [x, y]).ref)];
    };
    const { id } = buildFromPolygons(map).areas[0]!;
    expect([areaAt(5, 5), areaAt(15, 10), areaAt(25, 10), areaAt(29, 10), areaAt(35, 35)]).toEqual([id, 9, 12, 9, 63]);
  });
});

describe('refused, without a change:', () => {
  const inside = { position: [20, 20] as [number, number] };
  it.each([
    ['another shape', { type: 'mesh', positions: [], ...inside }, /^addObstacle: obstacle\.type is .*mesh/],
    ['a flat box', { type: 'box', size: [1, 0], ...inside }, /^addObstacle: obstacle\.size\[1\] is 0/],
    ['a box of three sizes', { type: 'box', size: [1, 1, 1], ...inside }, /^addObstacle: obstacle\.size/],
    ['a radius of NaN', { type: 'cylinder', radius: NaN, ...inside }, /^addObstacle: obstacle\.radius is NaN/],
    ['a height', { type: 'cylinder', radius: 1, height: 2, ...inside }, /^addObstacle: .*height/],
    [
      'points on a line',
      {
        type: 'convex',
        outline: [
          [0, 0],
          [1, 1],
          [2, 2],
        ],
        ...inside,
      },
      /^addObstacle: obstacle\.outline/,
    ],
    [
      'a point of NaN',
      {
        type: 'convex',
        outline: [
          [0, 0],
          [1, NaN],
          [2, 2],
        ],
      },
      /^addObstacle: obstacle\.outline\[1\]/,
    ],
    ['a position of NaN', { type: 'box', size: [1, 1], position: [NaN, 1] }, /^addObstacle: obstacle\.position/],
    ['three angles', { type: 'box', size: [1, 1], rotation: [1, 2, 3] }, /^addObstacle: obstacle\.rotation/],
    ['a place outside', { type: 'box', size: [1, 1], position: [50, 20] }, /^addObstacle: the box of obstacle/],
    ['larger than the world', { type: 'box', size: [50, 50], ...inside }, /^addObstacle: the box of obstacle/],
    ['added surface', { type: 'box', size: [1, 1], ...inside, effect: 'surface' }, /^addObstacle: obstacle\.effect/],
    ['an unknown key', { type: 'box', size: [1, 1], ...inside, colour: 1 }, /^addObstacle: .*colour/],
  ])('%s', (_, obstacle, message) => {
    const world = yard(1);
    const before = tilesOf(world.navMesh);
    expect(() => addObstacle(world, obstacle as never)).toThrow(message);
    expect(listObstacles(world)).toEqual([]);
    updateWorld(world);
    expect(tilesOf(world.navMesh)).toEqual(before);
  });

  it('moves to bad places', () => {
    const world = yard();
    const id = addObstacle(world, { type: 'box', size: [1, 1], ...inside });
    for (const position of [[NaN, 0], [100, 0], [1, 2, Infinity].slice(1)]) {
      expect(() => moveObstacle(world, id, { position: position as [number, number] })).toThrow(/^moveObstacle: /);
    }
    expect(getObstacle(world, id)!.position).toEqual([20, 20]);
  });

  it('options and levels', () => {
    const map = { polygons: [{ outline: SQUARE }] };
    expect(() => createMapWorld(map, {} as never)).toThrow(/^createMapWorld: options\.tileSize/);
    expect(() => createMapWorld(map, { tileSize: 1e-9 })).toThrow(/^createMapWorld: options\.tileSize/);
    expect(() => createMapWorld(map, { tileSize: 10, radii: [1] } as never)).toThrow(/^createMapWorld: options\.radii/);
    expect(() => createMapWorld({ polygons: [] }, { tileSize: 10 })).toThrow(/^createMapWorld: map\.polygons/);
    expect(() => addLevel(yard(), { positions: [0, 0, 0, 0, 0, 1, 1, 0, 0] })).toThrow(/^addLevel: world/);
    const diagonal = yard(1, { mode: 'diagonal' });
    addObstacle(diagonal, { type: 'box', size: [3, 3], ...inside, rotation: 20 });
    updateWorld(diagonal);
    expect(validateNavMesh(diagonal.navMesh)).toEqual([]);
    expect(() => addObstacle(diagonal, { type: 'box', size: [3, 3], ...inside, effect: 'area', area: 3 })).toThrow(
      /^addObstacle: obstacle\.effect/,
    );
  });
});
