/** Areas and layers of 2D maps: ids of polygons compared with point-in-polygon tests, costs of paths, layers on and off. */
import { cutByDiagonals } from '../../../../src/build/polygon/diagonal/diagonal.ts';
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { parseGeoJson } from '../../../../src/formats/maps/geojson.ts';
import { parsePolygonMap } from '../../../../src/formats/maps/map-json.ts';
import { parseTiled } from '../../../../src/formats/maps/tiled/tiled.ts';
import { isEnabled, setEnabled } from '../../../../src/mesh/change/enable.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { MapArea, PolygonMap, PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findNearest2d } from '../../../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { createMapWorld } from '../../../../src/world/levels/map.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { mapOf } from '../../formats/tiled-file.ts';
import type { Layer } from '../../formats/tiled-file.ts';
import { distanceToRings, isGround } from './map-oracle.ts';

const box = (x: number, y: number, width: number, height: number): [number, number][] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

const ROOM = { polygons: [{ outline: box(0, 0, 30, 20) }] };

describe('areas of 2D maps', () => {
  it('have the id of the last area at each position, in one tile and in many, with a radius and without', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const next = (most: number): number => most * nextRandom(random);
      const star = (): [number, number][] => {
        const [x, y, size] = [next(30), next(20), 2 + next(5)];
        return Array.from({ length: 7 }, (_, k) => {
          const reach = size * (0.3 + next(0.7));
          return [x + reach * Math.cos((k * Math.PI) / 3.5), y + reach * Math.sin((k * Math.PI) / 3.5)];
        });
      };
      const names = ['mud', 'road', 'ice'];
      const areas: MapArea[] = Array.from({ length: 7 }, (_, k) => ({
        name: names[k % 3],
        outline: star(),
        holes: k % 2 === 0 ? [star()] : [],
      }));
      const map: PolygonMap = { ...ROOM, obstacles: Array.from({ length: 5 }, star), areas };
      for (const options of [{}, { radius: 0.4 }, { tileSize: 4 }, { tileSize: 4, radius: 0.4 }] as PolygonOptions[]) {
        const name = `seed ${seed}, ${JSON.stringify(options)}`;
        const build = buildFromPolygons(map, options);
        expect(validateNavMesh(build.navMesh), name).toEqual([]);
        expect(build.areas.map(({ id, cost }) => [id, cost])).toEqual(names.map((_, k) => [k + 1, 1]));
        const rings = areas.flatMap(({ outline, holes = [] }) => [outline, ...holes]);
        let found = 0;
        for (let k = 0; k < 300; k++) {
          const point: [number, number] = [next(30), next(20)];
          const near = findNearest2d(build.navMesh, point);
          if (!near.isInside || distanceToRings(rings, point) < 1e-6) continue;
          const at = areas.filter((area) => isGround({ polygons: [area] }, point)).at(-1);
          const id = at === undefined ? 63 : names.indexOf(at.name) + 1;
          expect(build.navMesh.polyArea[near.poly], `${name}, [${point.join(', ')}]`).toBe(id);
          found++;
        }
        expect(found, name).toBeGreaterThan(30);
      }
    }
  });

  it('change nothing but ids: the walkable area is the same, and paths have equal lengths', () => {
    const map = { ...ROOM, obstacles: [box(10, -1, 2, 15)] };
    const areas = [{ name: 'mud', outline: box(5, 3, 11, 9), cost: 5 }];
    const plain = buildFromPolygons(map, { radius: 0.5 });
    const marked = buildFromPolygons({ ...map, areas }, { radius: 0.5 });
    for (const to of [
      [29, 1],
      [14, 2],
      [6, 6],
    ] as const) {
      const length = findPath2d(plain.navMesh, [1, 1], to).length;
      expect(findPath2d(marked.navMesh, [1, 1], to).length).toBeCloseTo(length, 9);
    }
    expect(marked.areaCosts).toEqual({ 1: 5 });
    const filter = createFilter({ areaCosts: marked.areaCosts });
    const around = findPath2d(marked.navMesh, [1, 8], [9, 8], { filter });
    expect(around.cost).toBeGreaterThan(findPath2d(marked.navMesh, [1, 8], [9, 8]).cost);
  });

  it('are closed at first if one of their name is, in one tile, in many and in worlds, until they are opened', () => {
    const gate = { name: 'gate', outline: box(10, 0, 5, 20) };
    const map = {
      ...ROOM,
      areas: [
        { ...gate, enabled: true },
        { ...gate, enabled: false },
        { ...gate, name: 'lawn' },
      ],
    };
    const world = createMapWorld(map, { tileSize: 4 });
    updateWorld(world);
    for (const navMesh of [
      buildFromPolygons(map).navMesh,
      buildFromPolygons(map, { tileSize: 4, radius: 0.4 }).navMesh,
      world.navMesh,
    ]) {
      const status = (): string => findPath2d(navMesh, [2, 2], [28, 18]).status;
      expect(validateNavMesh(navMesh)).toEqual([]);
      // The lawn lies over the gate, so no polygon has the name of the gate.
      expect([isEnabled(navMesh, 'gate'), isEnabled(navMesh, 'lawn'), status()]).toEqual([false, true, 'complete']);
    }
    const closed = { ...ROOM, areas: [{ ...gate, enabled: false }] };
    expect(parsePolygonMap({ ...closed, polygons: [closed.polygons[0]] }).areas).toMatchObject([{ enabled: false }]);
    for (const options of [{}, { tileSize: 4 }]) {
      const { navMesh, areas } = buildFromPolygons(closed, options);
      expect(areas).toEqual([{ name: 'gate', id: 1, cost: 1, enabled: false }]);
      expect(findPath2d(navMesh, [2, 2], [28, 18]).status).toBe('partial');
      setEnabled(navMesh, 'gate', true);
      expect(findPath2d(navMesh, [2, 2], [28, 18]).status).toBe('complete');
    }
    expect(() => buildFromPolygons({ ...ROOM, areas: [{ ...gate, enabled: 1 as never }] })).toThrow(
      'map.areas[0].enabled is 1; must be true or false',
    );
    expect(() => parsePolygonMap({ ...closed, areas: [{ ...gate, enabled: 'no' }] })).toThrow(
      'area 0, enabled: is "no"',
    );
  });

  it('are refused when they are invalid', () => {
    const build = (areas: unknown, options: PolygonOptions = {}) =>
      buildFromPolygons({ ...ROOM, areas } as PolygonMap, options);
    const outline = box(1, 1, 2, 2);
    expect(() => build([{ outline }])).toThrow('buildFromPolygons: map.areas[0].name is undefined; must be a string');
    expect(() => build([{ outline, name: 'mud', cost: 0 }])).toThrow(
      'map.areas[0].cost is 0; must be a finite number > 0',
    );
    expect(() =>
      build([
        { outline, name: 'mud', cost: 2 },
        { outline, name: 'mud', cost: 3 },
      ]),
    ).toThrow('map.areas[1].cost is 3; must be 2, the cost of other areas named "mud"');
    expect(() => build(Array.from({ length: 63 }, (_, k) => ({ outline, name: `a${k}` })))).toThrow('at most 62 names');
    expect(() => build([{ outline: [[0, 0]], name: 'mud' }])).toThrow('areas[0].outline has 1 points');
    expect(() => build([{ outline, name: 'mud' }], { mode: 'diagonal', cutByDiagonals })).toThrow(
      "must be 'delaunay' for a map with areas",
    );
  });
});

describe('layers of 2D maps', () => {
  const map: PolygonMap = {
    ...ROOM,
    obstacles: [box(14, -1, 2, 10), box(14, 11, 2, 10)],
    layers: [
      { name: 'door', enabled: false, obstacles: [box(14, 8, 2, 4)] },
      {
        name: 'bridge',
        polygons: [{ outline: box(29, 5, 10, 2) }],
        areas: [{ name: 'wood', outline: box(31, 5, 8, 2) }],
      },
    ],
  };
  const status = (options: PolygonOptions, to: [number, number]): string =>
    findPath2d(buildFromPolygons(map, options).navMesh, [2, 2], to, { halfExtents: [1, 1] }).status;

  it('are on unless the map or the options say otherwise', () => {
    expect(status({}, [28, 2])).toBe('complete');
    expect(status({ layers: { door: true } }, [28, 2])).toBe('partial');
    expect(status({}, [38, 6])).toBe('complete');
    expect(status({ layers: { bridge: false } }, [38, 6])).toBe('none');
    expect(status({ tileSize: 5 }, [38, 6])).toBe('complete');
  });

  it('keep ids, and the grid, when they are off', () => {
    const [on, off] = [true, false].map((bridge) => buildFromPolygons(map, { layers: { bridge } }));
    expect(off.areas).toEqual(on.areas);
    expect(off.report.frame).toEqual(on.report.frame);
  });

  it('have names that are known', () => {
    expect(() => buildFromPolygons(map, { layers: { gate: true } })).toThrow(
      'buildFromPolygons: a key of options.layers is "gate"; must be the name of a layer of the map',
    );
    const twice = { ...ROOM, layers: [{ name: 'a' }, { name: 'a' }] };
    expect(() => buildFromPolygons(twice)).toThrow('map.layers[1].name is "a"; must be a name that no other layer has');
    expect(() => buildFromPolygons({ ...ROOM, layers: [{ name: 'a', doors: [] }] } as unknown as PolygonMap)).toThrow(
      'doors',
    );
  });
});

describe('readers of maps', () => {
  it('read areas and layers from JSON', () => {
    const map = {
      ...ROOM,
      areas: [{ name: 'mud', cost: 3, outline: box(1, 1, 3, 3) }],
      layers: [{ name: 'door', enabled: false, obstacles: [box(14, -1, 2, 30)] }],
    };
    const read = parsePolygonMap(JSON.stringify(map));
    expect(read.areas).toEqual([{ name: 'mud', cost: 3, outline: box(1, 1, 3, 3), holes: [] }]);
    expect(read.layers).toMatchObject(map.layers);
    expect(buildFromPolygons(read).areaCosts).toEqual({ 1: 3 });
    expect(() => parsePolygonMap({ ...ROOM, areas: [{ outline: box(1, 1, 3, 3) }] })).toThrow('area 0');
    expect(() => parsePolygonMap({ ...ROOM, layers: [{ polygons: [] }] })).toThrow('layer 0');
  });

  it('read areas and layers from GeoJSON', () => {
    const feature = (properties: object, ring: [number, number][]): object => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    });
    const read = parseGeoJson(
      {
        type: 'FeatureCollection',
        features: [
          feature({}, box(0, 0, 30, 20)),
          feature({ area: 'mud', cost: 4 }, box(1, 1, 3, 3)),
          feature({ obstacle: true, layer: 'door', enabled: false }, box(14, -1, 2, 30)),
          feature({ area: 'ice', layer: 'winter' }, box(20, 1, 3, 3)),
        ],
      },
      { projection: 'none' },
    );
    expect(read.areas).toMatchObject([{ name: 'mud', cost: 4 }]);
    expect(read.layers).toMatchObject([
      { name: 'door', enabled: false, obstacles: [box(14, -1, 2, 30)] },
      { name: 'winter', areas: [{ name: 'ice' }] },
    ]);
    expect(buildFromPolygons(read).areas).toEqual([
      { name: 'mud', id: 1, cost: 4 },
      { name: 'ice', id: 2, cost: 1 },
    ]);
    expect(findPath2d(buildFromPolygons(read).navMesh, [1, 1], [29, 1]).status).toBe('complete');
    expect(findPath2d(buildFromPolygons(read, { layers: { door: true } }).navMesh, [1, 1], [29, 1]).status).toBe(
      'partial',
    );
  });

  it('read areas and layers from Tiled', () => {
    const object = (x: number, properties: object[] = []): object => ({
      id: x,
      x,
      y: 0,
      width: 8,
      height: 64,
      properties,
    });
    const property = (name: string, type: string, value: unknown): object => ({ name, type, value });
    const layer = (name: string, objects: object[], more: object): Layer => ({
      type: 'objectgroup',
      name,
      objects,
      ...more,
    });
    const map = mapOf([
      layer('marsh', [object(0), object(8, [property('area', 'string', 'ice')])], {
        properties: [property('area', 'string', 'mud'), property('cost', 'float', 2.5)],
      }),
      layer('gates', [object(24)], { visible: false, properties: [property('switchable', 'bool', true)] }),
    ]);
    const read = parseTiled(map);
    expect(read.areas).toMatchObject([
      { name: 'mud', cost: 2.5 },
      { name: 'ice', cost: 2.5 },
    ]);
    expect(read.layers).toMatchObject([{ name: 'gates', enabled: false, polygons: [], areas: [] }]);
    expect(read.layers![0].obstacles).toHaveLength(1);
    expect(read.obstacles).toEqual([]);
    expect(buildFromPolygons(read).areaCosts).toEqual({ 1: 2.5, 2: 2.5 });
    const wrong = mapOf([layer('marsh', [object(0)], { properties: [property('area', 'int', 7)] })]);
    expect(() => parseTiled(wrong)).toThrow('has a property "area" that is 7; make it a string');
  });
});
