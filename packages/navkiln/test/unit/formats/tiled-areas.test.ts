import { describe, expect, it } from 'vitest';
import type { ParsedMapWarning } from '../../../src/formats/maps/map.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { setEnabled } from '../../../src/mesh/change/enable.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { mapToMesh } from '../../../src/mesh/map-plane.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import type { PolygonBuild } from '../../../src/build/polygon/options.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { COLLIDES, TILESET, mapOf, objects, tiles } from './tiled-file.ts';

const cost = (value: unknown, name = 'cost'): object[] => [
  { name, type: typeof value === 'number' ? 'float' : 'string', value },
];
/** Tiles: 1 plain, 2 collides, 6 mud, 7 road, 8 one-way. */
const SET = {
  ...TILESET,
  tiles: [
    TILESET.tiles[0],
    { id: 5, type: 'mud', properties: cost(3) },
    { id: 6, class: 'road', properties: cost('0.5', 'Move_Cost') },
    { id: 7, properties: [{ name: 'one-way', type: 'bool', value: true }] },
  ],
};
const build = (
  layers: Parameters<typeof mapOf>[0],
  more: object = {},
): PolygonBuild & { warnings: ParsedMapWarning[] } => {
  const map = parseTiled(mapOf(layers, { tilesets: [SET], ...more }));
  return { ...buildFromPolygons(map), warnings: map.warnings };
};
const path = (
  { navMesh, areaCosts }: PolygonBuild,
  from: [number, number],
  to: [number, number],
): ReturnType<typeof findPath2d> => findPath2d(navMesh, from, to, { filter: createFilter({ areaCosts }) });
/** Area of each name of areas in the mesh, in cells. */
function cellsOf({ navMesh, areas }: PolygonBuild): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (let p = 0; p < navMesh.polyCount; p++) {
    let sum = 0;
    const first = navMesh.polyEdgeStart[p];
    const at = (k: number): number => 3 * navMesh.edgeVertex[first + (k % navMesh.polyVertexCount[p])];
    for (let k = 0; k < navMesh.polyVertexCount[p]; k++) {
      const [a, b] = [at(k), at(k + 1)];
      sum += navMesh.vertices[a] * navMesh.vertices[b + 2] - navMesh.vertices[b] * navMesh.vertices[a + 2];
    }
    const name = areas.find(({ id }) => id === navMesh.polyArea[p])?.name ?? '';
    sizes[name] = (sizes[name] ?? 0) + Math.abs(sum) / 512;
  }
  return sizes;
}

describe('costs', () => {
  it('of tiles are areas on their cells, named by class, with the cost of the path', () => {
    // A wall, mud before a gap of one cell, and a free way around below.
    const mud = build([tiles([1, 6, 1, 1, 1, 6, 1, 1, 1, 6, 2, 1])]);
    expect(mud.areas).toEqual([{ name: 'mud', id: 1, cost: 3 }]);
    expect(cellsOf(mud)).toEqual({ '': 8, mud: 3 });
    const { length, cost: price } = path(mud, [8, 8], [56, 8]);
    expect([length, price]).toEqual([48, 32 + 3 * 16]);
    const around = build([tiles([1, 6, 1, 1, 1, 6, 1, 1, 1, 1, 1, 1])]);
    expect(path(around, [8, 24], [56, 24]).length).toBeGreaterThan(48);
    expect(path(around, [8, 24], [56, 24]).cost).toBeLessThan(80);
  });

  it('are numbers, also as texts and under other names; the last layer with a cost counts', () => {
    const both = build([
      tiles([6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6]),
      tiles([7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], { name: 'roads' }),
    ]);
    expect(both.areas).toEqual([
      { name: 'mud', id: 1, cost: 3 },
      { name: 'road', id: 2, cost: 0.5 },
    ]);
    expect(cellsOf(both)).toEqual({ mud: 10, road: 2 });
  });

  it('of layers are areas named like the layer, for tiles and for shapes', () => {
    const layered = build([
      tiles([0, 1, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0], { name: 'swamp', properties: cost(5) }),
      {
        ...objects({ x: 48, y: 0, width: 16, height: 48 }, { x: 0, y: 0, width: 8, height: 8, properties: COLLIDES }),
        name: 'snow',
        properties: cost(2),
      },
    ]);
    expect(layered.areas).toEqual([
      { name: 'swamp', id: 1, cost: 5 },
      { name: 'mud', id: 2, cost: 3 },
      { name: 'snow', id: 3, cost: 2 },
    ]);
    expect(cellsOf(layered)).toEqual({ '': 12 - 6 - 0.25, swamp: 2, mud: 1, snow: 3 });
  });

  it('of one name that differ get the cost in their name; tiles with an area have its name', () => {
    const two = {
      ...SET,
      tiles: [
        { id: 0, type: 'mud', properties: cost(2) },
        SET.tiles[1],
        { id: 2, properties: [...cost(4), { name: 'area', type: 'string', value: 'yard' }] },
        { id: 3, properties: cost(7) },
      ],
    };
    const named = build([tiles([1, 6, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0])], { tilesets: [two] });
    expect(named.areas.map(({ name, cost: own }) => [name, own])).toEqual([
      ['mud', 2],
      ['mud (cost 3)', 3],
      ['yard', 4],
      ['cost 7', 7],
    ]);
  });

  it('on isometric, hexagonal and infinite maps, and on layers with an offset', () => {
    const data = [1, 6, 1, 1, 1, 6, 1, 1, 1, 6, 2, 1];
    const iso = build([tiles(data)], { orientation: 'isometric', tilewidth: 32, tileheight: 16 });
    expect(cellsOf(iso)).toEqual({ '': expect.closeTo(8, 6), mud: expect.closeTo(3, 6) });
    const hex = { orientation: 'hexagonal', staggeraxis: 'x', staggerindex: 'odd', hexsidelength: 8 };
    const sizes = cellsOf(build([tiles(data)], hex));
    expect(sizes['mud'] / sizes['']).toBeCloseTo(3 / 8, 6);
    const chunk = { x: -4, y: 5, width: 4, height: 3, data };
    const infinite = build([{ type: 'tilelayer', name: 'tiles', chunks: [chunk] }], { infinite: true });
    expect(cellsOf(infinite)).toEqual({ '': 8, mud: 3 });
    expect(cellsOf(build([tiles(data, { offsetx: 8 })]))).toEqual({ '': 8, mud: 3 });
  });

  it('that are no numbers above 0 do not count, with a warning', () => {
    for (const value of [0, -1, 'free', NaN, '', null, {}]) {
      const wrong = { ...SET, tiles: [{ id: 5, properties: [{ name: 'cost', value }] }, SET.tiles[0]] };
      const { warnings, areas } = build([tiles([1, 6, 1, 1, 1, 6, 1, 1, 1, 6, 2, 1])], { tilesets: [wrong] });
      expect(areas).toEqual([]);
      expect(warnings).toMatchObject([{ code: 'cost-ignored', count: 1 }]);
      expect(warnings[0].message).toContain('tile 5: has a property "cost" that is ');
    }
    const shop = { ...objects({ x: 0, y: 0, width: 8, height: 8, properties: cost(50) }), name: 'Shop' };
    const { warnings, areas } = build([tiles([2, ...Array<number>(11).fill(1)]), shop]);
    expect([areas, warnings.map(({ code }) => code)]).toEqual([[], ['cost-ignored', 'objects-not-walls']]);
  });
});

describe('doors', () => {
  /** Two rooms, and a passage of one cell between them at (1, 1). */
  const rooms = tiles([1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1]);
  const door = (more: object): ReturnType<typeof objects> => ({
    ...objects({ x: 16, y: 16, width: 16, height: 16, ...more }),
    name: 'things',
  });
  const through = (built: PolygonBuild): string => path(built, [8, 24], [56, 24]).status;

  it('are named areas that open and close, by class or by name', () => {
    for (const [more, name] of [
      [{ class: 'door', name: 'gate 7' }, 'gate 7'],
      [{ type: 'DoorFeature', name: 'cellar' }, 'cellar'],
      [{ name: 'NorthGate' }, 'NorthGate'],
      [{ class: 'Door' }, 'door 1'],
      [{ gid: 1, y: 32, class: 'door', name: 'hatch' }, 'hatch'],
      [{ gid: 5, y: 32, name: 'by its tile' }, 'by its tile'],
    ] as const) {
      const set = { ...SET, tiles: [...SET.tiles, { id: 4, type: 'door' }] };
      const built = build([rooms, door(more)], { tilesets: [set] });
      expect(built.areas).toEqual([{ name, id: 1, cost: 1 }]);
      expect(built.warnings).toEqual([]);
      expect(through(built)).toBe('complete');
      setEnabled(built.navMesh, name, false);
      expect(through(built)).toBe('partial');
      setEnabled(built.navMesh, name, true);
      expect(through(built)).toBe('complete');
    }
  });

  it('are closed at first if they are locked, or block', () => {
    for (const more of [
      { properties: [{ name: 'starts_locked', type: 'bool', value: true }] },
      { properties: [{ name: 'open', type: 'bool', value: false }] },
      { properties: COLLIDES },
      { gid: 2, y: 32 },
    ]) {
      const built = build([rooms, door({ class: 'door', name: 'vault', ...more })]);
      expect(built.areas).toEqual([{ name: 'vault', id: 1, cost: 1, enabled: false }]);
      expect(through(built)).toBe('partial');
      setEnabled(built.navMesh, 'vault', true);
      expect(through(built)).toBe('complete');
    }
    const walls = build([rooms, { ...door({ class: 'door', name: 'vault' }), name: 'collision' }]);
    expect(walls.areas).toMatchObject([{ name: 'vault', enabled: false }]);
  });

  it('are no spawns and triggers at doors', () => {
    for (const more of [{ name: 'door spawn' }, { class: 'TRIGGER', name: 'south gate' }, { class: 'door_exit' }]) {
      const { areas, warnings } = build([rooms, door(more)]);
      expect(areas).toEqual([]);
      expect(warnings).toMatchObject([{ code: 'objects-not-walls', count: 1 }]);
    }
  });

  it('in walls are a warning with the count', () => {
    const { warnings } = build([rooms, door({ class: 'door', name: 'a', y: 0 })]);
    expect(warnings).toMatchObject([{ code: 'door-in-wall', count: 1 }]);
    expect(warnings[0].message).toContain('door "a": 1 door lies in walls');
    const shape = { ...objects({ x: 30, y: 0, width: 20, height: 48 }), name: 'walls' };
    expect(build([shape, door({ class: 'door', name: 'a', x: 32 })]).warnings).toMatchObject([
      { code: 'door-in-wall' },
    ]);
  });

  it('of more names than a mesh has share them', () => {
    const many = (count: number, name: (k: number) => string): ReturnType<typeof objects> =>
      objects(
        ...Array.from({ length: count }, (_, k) => ({
          class: 'door',
          name: name(k),
          x: 16,
          y: 16,
          width: 16,
          height: 16,
        })),
      );
    const things = (layer: ReturnType<typeof objects>): ReturnType<typeof objects> => ({ ...layer, name: 'things' });
    expect(build([rooms, things(many(62, () => ''))]).areas).toHaveLength(62);
    const unnamed = build([rooms, things(many(100, (k) => (k < 10 ? `d${k}` : '')))]);
    expect(unnamed.areas).toHaveLength(11);
    expect(unnamed.warnings).toMatchObject([{ code: 'names-shared', count: 90 }]);
    const all = build([rooms, things(many(100, (k) => `d${k}`))]);
    expect(all.areas).toMatchObject([{ name: 'doors' }]);
    expect(all.warnings).toMatchObject([{ code: 'names-shared', count: 100 }]);
    setEnabled(all.navMesh, 'doors', false);
    expect(through(all)).toBe('partial');
  });
});

describe('one-way tiles and objects', () => {
  it('are a warning with their count, whose remedy works', () => {
    const { warnings } = build([tiles([1, 8, 1, 1, 1, 8, 1, 2, 1, 8, 1, 1])]);
    expect(warnings).toMatchObject([{ code: 'one-way-ignored', count: 3 }]);
    expect(warnings[0].message).toContain('layer "tiles": 3 tiles and objects are marked as one-way');
    const ledge = {
      ...objects({ x: 0, y: 0, width: 9, height: 9, properties: [{ name: 'oneWay', type: 'bool', value: true }] }),
      name: 'x',
    };
    expect(build([tiles([2, ...Array<number>(11).fill(1)]), ledge]).warnings).toMatchObject([
      { code: 'objects-not-walls' },
      { code: 'one-way-ignored', count: 1 },
    ]);
    // The remedy: the tiles block, and a link leads over them.
    const built = build([tiles([1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1])]);
    const at = (x: number): [number, number, number] =>
      [...mapToMesh(built.navMesh, [x, 24])] as [number, number, number];
    addLink(built.navMesh, { start: at(15), end: at(33), bothWays: false });
    expect(path(built, [8, 24], [56, 24]).status).toBe('complete');
    expect(path(built, [56, 24], [8, 24]).status).toBe('partial');
  });

  it('are none that block, and none by other properties', () => {
    const other = {
      ...SET,
      tiles: [...SET.tiles.slice(0, 3), { id: 7, properties: [...COLLIDES, { name: 'oneway', value: true }] }],
    };
    expect(build([tiles([1, 8, 1, 1, 1, 8, 1, 1, 1, 1, 1, 1])], { tilesets: [other] }).warnings).toEqual([]);
    for (const [name, value] of [
      ['oneway', false],
      ['direction', 'up'],
    ]) {
      const set = { ...SET, tiles: [SET.tiles[0], { id: 7, properties: [{ name, value }] }] };
      expect(build([tiles([2, 8, 1, 1, 1, 8, 1, 1, 1, 1, 1, 1])], { tilesets: [set] }).warnings).toEqual([]);
    }
  });
});

describe('what people write', () => {
  const plain = { ...TILESET, tiles: [] };
  const walls = [0, 5, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0];

  it.each(['Paredes', 'mur', 'murLow', 'Mauern', 'Wände', 'colisión', 'Стены', '墙壁', '碰撞'])(
    'a layer %s is walls',
    (name) => {
      expect(parseTiled(mapOf([tiles(walls, { name })], { tilesets: [plain] })).polygons).toHaveLength(2);
    },
  );

  it.each(['sol/mur', 'floor + walls', 'Ground, collision'])('a layer %s is not', (name) => {
    expect(parseTiled(mapOf([tiles(walls, { name })], { tilesets: [plain] })).polygons).toHaveLength(1);
  });

  it('a layer that blocks on every cell is named, with the option that leaves it out', () => {
    const map = mapOf([tiles(Array<number>(12).fill(1), { name: 'walls' })], { tilesets: [plain] });
    expect(() => parseTiled(map)).toThrow(
      'so nothing is walkable; ignore: ["walls"] (--map-ignore) leaves the layer out',
    );
  });

  it.each(['always', 'yes', '1', 'TRUE', 1])('a property block: %s blocks', (value) => {
    const layer = tiles(walls, { properties: [{ name: 'block', value }] });
    expect(parseTiled(mapOf([layer], { tilesets: [plain] })).polygons).toHaveLength(2);
  });

  it('a property that is neither true nor false is ignored with a warning', () => {
    const layer = tiles(walls, { properties: [{ name: 'collision', value: 'circle' }] });
    const { polygons, warnings } = parseTiled(mapOf([layer], { tilesets: [plain] }));
    expect(polygons).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toEqual(['property-ignored', 'nothing-blocks']);
    expect(warnings[0].message).toContain('layer "tiles": has a property "collision" that is "circle"');
  });

  it('a layer without data is empty, with a warning', () => {
    for (const data of [[], '']) {
      const empty = tiles(data, data === '' ? { encoding: 'base64' } : {});
      const { polygons, warnings } = parseTiled(mapOf([tiles([2, ...Array<number>(11).fill(1)]), empty]));
      expect([polygons.length, warnings.map(({ code }) => code)]).toEqual([1, ['layer-without-tiles']]);
    }
    const xml =
      '<map orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16">' +
      '<layer name="a" width="4" height="3"><data encoding="csv"/></layer></map>';
    expect(parseTiled(xml).warnings[0]).toMatchObject({ code: 'layer-without-tiles' });
  });

  it('objects with names of zones do not block where others are taken as walls', () => {
    const mixed = {
      ...objects(
        { x: 0, y: 0, width: 16, height: 16 },
        { x: 32, y: 0, width: 16, height: 16, name: 'PlayerSpawn' },
        { x: 32, y: 32, width: 16, height: 16, class: 'trigger' },
      ),
      name: 'Objects',
    };
    const { obstacles, warnings } = parseTiled(mapOf([mixed]));
    expect(obstacles).toHaveLength(1);
    expect(warnings).toMatchObject([
      { code: 'walls-guessed', count: 1 },
      { code: 'objects-not-walls', count: 2 },
    ]);
  });

  it('a tile layer that can be switched is a layer of the map', () => {
    const bars = tiles([0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0], {
      name: 'bars',
      properties: [{ name: 'switchable', type: 'bool', value: true }],
    });
    const map = parseTiled(mapOf([tiles([2, ...Array<number>(11).fill(1)]), bars]));
    expect(map.layers).toMatchObject([{ name: 'bars', enabled: true }]);
    const status = (on: boolean): string => {
      const { navMesh } = buildFromPolygons(map, { layers: { bars: on } });
      return findPath2d(navMesh, [8, 24], [56, 24]).status;
    };
    expect([status(true), status(false)]).toEqual(['partial', 'complete']);
  });

  it('cells without any tile are a warning where ground is drawn, and its remedy makes them no floor', () => {
    const room = [1, 2, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0];
    const chunk = { x: 0, y: 0, width: 4, height: 3, data: room };
    const layer = { type: 'tilelayer', name: 'ground', chunks: [chunk] };
    for (const map of [mapOf([layer], { infinite: true }), mapOf([tiles(room, { name: 'ground' })])]) {
      const { warnings } = parseTiled(map);
      expect(warnings).toMatchObject([{ code: 'cells-without-tiles', count: 3 }]);
      expect(warnings[0].message).toContain('3 cells (25 % of the map) have no tile on any layer');
      expect(warnings[0].message).toContain('walkable: ["ground"] (--map-floor ground)');
    }
    const floor = buildFromPolygons(parseTiled(mapOf([tiles(room, { name: 'ground' })]), { walkable: ['ground'] }));
    expect(cellsOf(floor)).toEqual({ '': 7 });
    // A map of walls only has no ground that is drawn.
    expect(parseTiled(mapOf([tiles([2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])])).warnings).toEqual([]);
  });

  it('several missing tilesets are named with the number of their tiles', () => {
    const sets = [
      { firstgid: 1, source: '../a.tsx' },
      { ...plain, firstgid: 11 },
      { firstgid: 21, source: 'b.tsj' },
    ];
    const map = mapOf(
      [tiles([1, 1, 11, 21, 0, 0, 0, 0, 0, 0, 0, 0]), tiles([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], { name: 'walls' })],
      { tilesets: sets },
    );
    const { warnings, polygons } = parseTiled(map);
    expect(polygons[0].outline).toHaveLength(6);
    expect(warnings).toMatchObject([{ code: 'tileset-missing', count: 2 }]);
    expect(warnings[0].message).toContain(
      '2 tilesets in other files were not given: ../a.tsx (3 tiles), b.tsj (1 tile)',
    );
  });
});

describe('warnings give advice that fits', () => {
  const free = { tilesets: [{ ...TILESET, tiles: [] }] };
  const layer = (name: string, more: object = {}): ReturnType<typeof objects> => ({
    ...objects({ x: 0, y: 0, width: 32, height: 32, ...more }),
    name,
  });
  const warned = (layers: Parameters<typeof mapOf>[0]): string =>
    parseTiled(mapOf(layers, free))
      .warnings.map(({ message }) => message)
      .join('\n');
  const walls = { ...objects({ x: 40, y: 0, width: 8, height: 8 }), name: 'walls' };

  it('layers of zones are ignored, layers of ground are the floor, others are walls', () => {
    expect(warned([walls, layer('NPC')])).toContain('; ignore: ["NPC"] (--map-ignore NPC) leaves them out');
    expect(warned([walls, layer('NPC'), layer('Objects')])).toContain(
      '; walls: ["Objects"] (--map-walls Objects) makes',
    );
    expect(warned([walls, layer('navmesh')])).toContain(
      '; walkable: ["navmesh"] (--map-floor navmesh) makes them the floor',
    );
    expect(parseTiled(mapOf([layer('navmesh')], free)).obstacles).toEqual([]);
  });

  it('where nothing blocks, layers that may be walls are named', () => {
    const town = [tiles(Array<number>(12).fill(1), { name: 'grass' })];
    for (const name of ['Buildings', 'trees']) town.push(tiles([1, ...Array<number>(11).fill(0)], { name }));
    expect(warned(town)).toContain('the option walls (--map-walls Buildings,trees)');
    const map = parseTiled(mapOf(town, free), { walls: ['Buildings', 'trees'] });
    expect(map.warnings).toEqual([]);
  });
});

describe('templates of collision shapes in tilesets', () => {
  const tsx =
    '<tileset name="t" tilewidth="16" tileheight="16"><tile id="1"><objectgroup>' +
    '<object id="1" template="corner.tx" x="8" y="8"/></objectgroup></tile></tileset>';
  const map = mapOf([tiles([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])], {
    tilesets: [{ firstgid: 1, source: '../sets/t.tsx' }],
  });

  it('are read beside the tileset', () => {
    const files: Record<string, string> = {
      '../sets/t.tsx': tsx,
      '../sets/corner.tx': '<template><object width="8" height="8"/></template>',
    };
    const { obstacles, warnings } = parseTiled(map, { tileset: (name) => files[name] });
    expect(obstacles).toEqual([
      [
        [8, 8],
        [16, 8],
        [16, 16],
        [8, 16],
      ],
    ]);
    expect(warnings).toEqual([]);
    delete files['../sets/corner.tx'];
    expect(parseTiled(map, { tileset: (name) => files[name] }).warnings[0]).toMatchObject({ code: 'template-missing' });
  });

  it('that need themselves are refused', () => {
    const files: Record<string, string> = {
      '../sets/t.tsx': tsx,
      '../sets/corner.tx':
        '<template><tileset firstgid="1" source="u.tsx"/><object gid="1" width="8" height="8"/></template>',
      '../sets/u.tsx': tsx,
    };
    expect(() => parseTiled(map, { tileset: (name) => files[name] })).toThrow('corner.tx, which needs itself');
  });
});
