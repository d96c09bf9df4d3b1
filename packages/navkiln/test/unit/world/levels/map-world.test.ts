/** Worlds over 2D maps: shapes, areas, which tiles change, and refusals. */
import { cutByDiagonals } from '../../../../src/build/polygon/diagonal/diagonal.ts';
import { describe, expect, it } from 'vitest';
import { polyIndexOf } from '../../../../src/mesh/ref.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { findNearest2d } from '../../../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { addLevel } from '../../../../src/world/levels/levels.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { bakeWorld } from '../../../../src/world/levels/bake.ts';
import { createWorld } from '../../../../src/world/levels/create.ts';
import { getMapAreas, listMapLayers, setMapLayers } from '../../../../src/world/levels/map-layers.ts';
import { createMapWorld } from '../../../../src/world/levels/map.ts';
import {
  addObstacle,
  getObstacle,
  listObstacles,
  moveObstacle,
  removeObstacle,
} from '../../../../src/world/levels/obstacles.ts';
import type { World } from '../../../../src/world/levels/types.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { slotsOf, tilesOf } from './level-cases.ts';

const SQUARE = [
  [0, 0],
  [40, 0],
  [40, 40],
  [0, 40],
] as [number, number][];

function square(x0: number, y0: number, x1: number, y1: number): [number, number][] {
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

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

describe('layers of the map', () => {
  const map = {
    polygons: [{ outline: SQUARE }],
    layers: [
      { name: 'door', enabled: false, obstacles: [square(19, -1, 21, 41)] },
      { name: 'bridge', polygons: [{ outline: square(40, 18, 60, 22) }] },
      { name: 'flood', enabled: false, areas: [{ name: 'water', cost: 4, outline: square(-1, -1, 33, 33) }] },
    ],
  };
  const make = (more: object = {}): World => {
    const world = createMapWorld(map, { tileSize: 10, ...more });
    updateWorld(world);
    return world;
  };
  const status = (world: World, x: number): string => findPath2d(world.navMesh, [5, 20], [x, 20]).status;

  it('are switched at run time, and only their tiles change', () => {
    const world = make();
    expect(status(world, 55)).toBe('complete');
    const before = tilesOf(world.navMesh);
    setMapLayers(world, { door: true, bridge: false });
    expect(status(world, 55)).toBe('complete');
    expect(before.size).toBe(24);
    // The door lies in two columns of four tiles and on the lower side of two more, the bridge in three columns of two.
    expect(updateWorld(world).rebuiltTiles).toHaveLength(16);
    expect(status(world, 35)).toBe('partial');
    expect(listMapLayers(world)).toEqual([
      { name: 'door', enabled: true },
      { name: 'bridge', enabled: false },
      { name: 'flood', enabled: false },
    ]);
    setMapLayers(world, { door: false, bridge: true });
    updateWorld(world);
    expect(tilesOf(world.navMesh)).toEqual(before);
    setMapLayers(world, { door: false });
    expect(updateWorld(world).rebuiltTiles).toEqual([]);
  });

  it('label tiles that lie in an area without touching its outline', () => {
    const world = make();
    const { areas, areaCosts } = getMapAreas(world);
    expect(areas).toEqual([{ name: 'water', id: 1, cost: 4 }]);
    const cost = (): number =>
      findPath2d(world.navMesh, [12, 15], [18, 15], { filter: createFilter({ areaCosts }) }).cost;
    expect(cost()).toBeCloseTo(6, 6);
    setMapLayers(world, { flood: true });
    updateWorld(world);
    expect(cost()).toBeCloseTo(24, 6);
    // An obstacle in a tile of the area keeps its label.
    addObstacle(world, { type: 'box', size: [1, 1], position: [15, 12] });
    updateWorld(world);
    expect(cost()).toBeCloseTo(24, 6);
  });

  it('keep obstacles, also those on surface that is off', () => {
    const world = make({ radius: 0.5 });
    const crate = { type: 'box', size: [2, 3], position: [50, 20] } as const;
    addObstacle(world, crate);
    setMapLayers(world, { bridge: false });
    updateWorld(world);
    addObstacle(world, { ...crate, position: [50, 21] });
    setMapLayers(world, { bridge: true });
    updateWorld(world);
    expect(status(world, 58)).toBe('partial');
    const like = make({ radius: 0.5 });
    addObstacle(like, crate);
    addObstacle(like, { ...crate, position: [50, 21] });
    updateWorld(like);
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(like.navMesh));
  });

  it('are switched while the world is baked a few milliseconds at a time', async () => {
    const world = make({ tileSize: 2 });
    setMapLayers(world, { door: true });
    const baked = bakeWorld(world);
    setMapLayers(world, { door: false, flood: true });
    // A bake that ended with its first turn has not seen the change.
    await baked;
    expect((await bakeWorld(world)).pendingTileCount).toBe(0);
    const like = make({ tileSize: 2, layers: { flood: true } });
    expect(tilesOf(world.navMesh)).toEqual(tilesOf(like.navMesh));
  });

  it('report the warnings of layers that are switched on once, and throw when strict', () => {
    const crossing = {
      name: 'knot',
      enabled: false,
      obstacles: [[...square(5, 5, 9, 9), [20, 3], [5, 5]] as [number, number][]],
    };
    const layers = { ...map, layers: [...map.layers, crossing] };
    const world = createMapWorld(layers, { tileSize: 10 });
    expect(updateWorld(world).warnings).toEqual([]);
    const codes = [true, false, true].map((knot) => {
      setMapLayers(world, { knot });
      return updateWorld(world).warnings.map(({ code }) => code);
    });
    expect(codes).toEqual([['self-crossing'], [], []]);
    const strict = createMapWorld(layers, { tileSize: 10, strict: true });
    updateWorld(strict);
    expect(() => setMapLayers(strict, { door: true, knot: true })).toThrow(/^setMapLayers: .*self-crossing/);
    expect(listMapLayers(strict).filter(({ enabled }) => enabled)).toEqual([{ name: 'bridge', enabled: true }]);
    expect(updateWorld(strict).rebuiltTiles).toEqual([]);
  });

  it('are refused by other names, values and worlds', () => {
    const world = make();
    expect(() => setMapLayers(world, { dor: true })).toThrow(
      'setMapLayers: a key of enabled is "dor"; must be one of "door", "bridge", "flood"',
    );
    expect(() => setMapLayers(world, { door: 1 } as never)).toThrow(/^setMapLayers: enabled\.door is 1/);
    expect(() => setMapLayers(yard(), { door: true })).toThrow(/the map has no layers/);
    const levels = createWorld({ tileSize: 10, agent: { radius: 0.4 } });
    expect(() => listMapLayers(levels)).toThrow(/^listMapLayers: world is .*; must be one of createMapWorld/);
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
    const diagonal = yard(1, { mode: 'diagonal', cutByDiagonals });
    addObstacle(diagonal, { type: 'box', size: [3, 3], ...inside, rotation: 20 });
    updateWorld(diagonal);
    expect(validateNavMesh(diagonal.navMesh)).toEqual([]);
    expect(() => addObstacle(diagonal, { type: 'box', size: [3, 3], ...inside, effect: 'area', area: 3 })).toThrow(
      /^addObstacle: obstacle\.effect/,
    );
  });
});
