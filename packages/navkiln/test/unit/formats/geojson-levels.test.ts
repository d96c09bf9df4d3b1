/**
 * Indoor GeoJSON as levels: values of levels, doors as gaps, stairs and lifts as links; random buildings whose connections are known.
 * NAVKILN_SEED repeats a run, and NAVKILN_BUILDING_COUNT sets the number of buildings (default 30).
 */
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../../src/formats/maps/geojson.ts';
import { parseGeoJsonLevels } from '../../../src/formats/maps/geojson/levels/levels.ts';
import type { GeoJsonLevelOptions } from '../../../src/formats/maps/geojson/levels/levels.ts';
import { readLevelValues, repeated } from '../../../src/formats/maps/geojson/levels/values.ts';
import { setEnabled } from '../../../src/mesh/change/enable.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { buildFromLevels } from '../../../src/build/polygon/levels.ts';
import type { LevelsBuild } from '../../../src/build/polygon/levels.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { seeded } from '../meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261128) >>> 0;
const COUNT = Number(process.env['NAVKILN_BUILDING_COUNT'] ?? 15);

type Properties = Record<string, unknown>;

const box = (x: number, y: number, u: number, v: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [u, y],
      [u, v],
      [x, v],
      [x, y],
    ],
  ],
});
const line = (...coordinates: number[][]): object => ({ type: 'LineString', coordinates });
const point = (x: number, y: number): object => ({ type: 'Point', coordinates: [x, y] });
const feature = (geometry: object, properties: Properties, more: object = {}): object => ({
  type: 'Feature',
  properties,
  geometry,
  ...more,
});
const building = (...features: object[]): object => ({ type: 'FeatureCollection', features });
const read = (given: object, options: GeoJsonLevelOptions = {}): ReturnType<typeof parseGeoJsonLevels> =>
  parseGeoJsonLevels(given, { projection: 'none', ...options });
const build = (given: object, options: GeoJsonLevelOptions = {}): LevelsBuild =>
  buildFromLevels(read(given, options), { radius: 0.2 });

/** Returns the path between positions x, y on levels at a height. */
const pathOf = ({ navMesh }: LevelsBuild, [x, y, h]: number[], [u, v, k]: number[]): ReturnType<typeof findPath> =>
  findPath(navMesh, [x!, h!, -y!], [u!, k!, -v!], { halfExtents: [0.3, 0.5, 0.3] });

/** Two rooms and a corridor on each of two levels; stairs at the left, a lift at the right. */
const HOUSE = [
  feature(box(0, 0, 20, 3), { indoor: 'corridor', level: '0;1' }),
  feature(box(0, 3, 10, 10), { indoor: 'room', level: 0, repeat_on: '1', name: 'A' }),
  feature(box(10, 3, 20, 10), { indoor: 'room', level: '0', repeat_on: '1', name: 'B' }),
  feature(point(5, 3), { door: 'hinged', level: '0-1' }),
  feature(point(10, 6), { door: 'no', level: '0' }),
  feature(point(15, 3.1), { door: 'yes', level: '1', width: '1.5' }),
];
const STAIRS = feature(line([1, 1], [1, 2]), { highway: 'steps', level: '0;1', incline: 'up' });
const LIFT = feature(point(19, 1), { highway: 'elevator', level: '0-1', ref: 'L1' });

describe('values of levels', () => {
  it.each<[unknown, (number | string)[]]>([
    ['1', [1]],
    [2, [2]],
    ['0;1', [0, 1]],
    ['-1-2', [-1, 0, 1, 2]],
    ['-3--1', [-3, -2, -1]],
    ['0,5', [0.5]],
    ['0;0.5', [0, 0.5]],
    ['2-0', [2, 1, 0]],
    ['EG', ['EG']],
    [
      ['1', 'M'],
      [1, 'M'],
    ],
    ['', []],
    [null, []],
    [NaN, []],
    ['1e9', ['1e9']],
  ])('%j is %j', (given, values) => expect(readLevelValues(given).values).toEqual(values));

  it('huge ranges are bounded; stairs repeat as a whole', () => {
    expect(readLevelValues('0-999999999').values.length).toBeLessThan(1000);
    expect(repeated(readLevelValues('0-1'), readLevelValues('1;2'))).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(repeated(readLevelValues('0'), readLevelValues('1-2'))).toEqual([[0], [1], [2]]);
  });
});

describe('a house', () => {
  it('rooms are open at their doors only', () => {
    const map = read(building(...HOUSE, STAIRS, LIFT));
    expect(map.levels.map(({ name, height }) => [name, height])).toEqual([
      ['0', 0],
      ['1', 3],
    ]);
    expect(map.warnings).toEqual([]);
    const built = buildFromLevels(map, { radius: 0.2 });
    expect(validateNavMesh(built.navMesh)).toEqual([]);
    expect(built.warnings).toEqual([]);
    // On level 0, B is reached through A; on level 1, by its own door.
    const ground = pathOf(built, [15, 1, 0], [15, 8, 0]);
    const upper = pathOf(built, [15, 1, 3], [15, 8, 3]);
    expect(ground.status).toBe('complete');
    expect(upper.status).toBe('complete');
    expect(upper.length).toBeCloseTo(7, 6);
    expect(ground.length).toBeGreaterThan(18);
    // A door is a meter wide, or as wide as its property says.
    for (const [radius, isOpen] of [
      [0.74, true],
      [0.76, false],
    ] as const) {
      const wide = buildFromLevels(map, { radius });
      expect(pathOf(wide, [15, 1.5, 3], [15, 8, 3]).status === 'complete').toBe(isOpen);
    }
  });

  it('the cheaper of stairs and lift is used, and either may be closed', () => {
    const built = build(building(...HOUSE, STAIRS, LIFT));
    const ways = (from: number[], to: number[]): number[] => {
      const { status, points } = pathOf(built, from, to);
      return status === 'complete'
        ? points.filter(([, y], k) => k > 0 && y !== points[k - 1]![1]).map(([x]) => x!)
        : [];
    };
    // Stairs cost 3 m per meter of rise, 9; a lift 10 and the rise, 13.
    expect(ways([2, 1, 0], [2, 1, 3])).toEqual([1]);
    expect(ways([18, 1, 0], [18, 1, 3])).toEqual([19]);
    expect(pathOf(built, [1, 1, 0], [1, 2, 3]).cost).toBeCloseTo(9, 6);
    expect(pathOf(built, [19, 1, 0], [19, 1, 3]).cost).toBeCloseTo(13, 6);
    setEnabled(built.navMesh, 'lift', false);
    expect(ways([18, 1, 0], [18, 1, 3])).toEqual([1]);
    setEnabled(built.navMesh, 'stairs', false);
    expect(ways([18, 1, 0], [18, 1, 3])).toEqual([]);
    const cheap = build(building(...HOUSE, STAIRS, LIFT), { costs: { liftWait: 0 } });
    expect(pathOf(cheap, [19, 1, 0], [19, 1, 3]).cost).toBeCloseTo(3, 6);
  });

  it('escalators lead one way; the floors at their ends tell which end is up', () => {
    const floors = [feature(box(0, 0, 10, 10), { level: '0' }), feature(box(10, 0, 20, 10), { level: '1' })];
    // Drawn from level 1 to level 0, and said to lead up.
    const moving = feature(line([12, 5], [8, 5]), {
      highway: 'steps',
      conveying: 'backward',
      level: '0;1',
      incline: 'up',
    });
    const built = build(building(...floors, moving));
    expect(pathOf(built, [2, 5, 0], [18, 5, 3]).status).toBe('complete');
    expect(pathOf(built, [18, 5, 3], [2, 5, 0]).status).not.toBe('complete');
  });

  it('flights that meet between levels have a landing', () => {
    const flights = [
      feature(line([2, 2], [8, 2]), { highway: 'steps', level: '0;0.5' }),
      feature(line([8, 2], [2, 4]), { highway: 'steps', level: '0.5;1' }),
    ];
    const built = build(building(feature(box(0, 0, 6, 9), { level: '0;1' }), ...flights));
    expect(built.warnings).toEqual([]);
    expect(pathOf(built, [5, 8, 0], [5, 8, 3]).status).toBe('complete');
  });

  it('areas of stairs on single levels are joined where they lie above each other; IMDF has numbers of levels and openings', () => {
    const level = (id: string, ordinal: number): object =>
      feature(box(0, 0, 1, 1), { ordinal, short_name: { en: `L${ordinal}` } }, { id, feature_type: 'level' });
    const unit = (geometry: object, category: string, id: string): object =>
      feature(geometry, { category, level_id: id }, { feature_type: 'unit' });
    const units = ['up', 'down'].flatMap((id) => [
      unit(box(0, 0, 10, 4), 'walkway', id),
      unit(box(0, 4, 10, 9), 'room', id),
      unit(box(8, 0, 10, 2), 'stairs', id),
      feature(line([4, 4], [6, 4]), { level_id: id }, { feature_type: 'opening' }),
    ]);
    const map = read(building(level('up', 1), level('down', 0), ...units));
    expect(map.levels.map(({ name, height }) => [name, height])).toEqual([
      ['L0', 0],
      ['L1', 3],
    ]);
    expect(map.warnings).toEqual([]);
    const built = buildFromLevels(map, { radius: 0.9 });
    expect(pathOf(built, [5, 8, 0], [5, 8, 3]).status).toBe('complete');
    expect(pathOf(buildFromLevels(map, { radius: 1.1 }), [5, 7, 0], [5, 2, 0]).status).not.toBe('complete');
  });

  it('kiosks, fixtures and walls of a material block in IMDF; areas without walls are open', () => {
    const of = (geometry: object, type: string, category: string): object =>
      feature(geometry, { category, level_id: 'a' }, { feature_type: type });
    const length = (...more: object[]): number => {
      const level = feature(box(0, 0, 1, 1), { ordinal: 0 }, { id: 'a', feature_type: 'level' });
      const map = read(building(level, of(box(0, 0, 10, 4), 'unit', 'walkway'), ...more));
      expect(map.warnings).toEqual([]);
      return pathOf(buildFromLevels(map, {}), [1, 1, 0], [9, 1, 0]).length;
    };
    expect(length()).toBeCloseTo(8, 6);
    // Around the upper corners of what stands in the way.
    const around = 2 * Math.hypot(3, 2) + 2;
    for (const [type, category] of [
      ['kiosk', 'undefined'],
      ['fixture', 'furniture'],
      ['unit', 'brick'],
      ['unit', 'glass'],
    ])
      expect(length(of(box(4, -1, 6, 3), type!, category!))).toBeCloseTo(around, 6);
    for (const category of ['unenclosedarea', 'road', 'footbridge'])
      expect(length(of(box(4, 1, 6, 8), 'unit', category))).toBeCloseTo(8, 6);
  });
});

describe('reports', () => {
  const codes = (given: object, options: GeoJsonLevelOptions = {}): [string, number][] =>
    read(given, options).warnings.map(({ code, count }) => [code, count]);

  it('counts features without a level, rooms without doors, doors without rooms, levels without numbers, lines without a width', () => {
    const extra = [
      feature(box(30, 0, 40, 9), { name: 'outside' }),
      feature(box(20, 3, 30, 10), { indoor: 'room', level: '0', name: 'C' }),
      feature(point(25, 7), { door: 'yes', level: '1' }),
      feature(box(0, 0, 5, 5), { level: 'attic' }),
      feature(line([0, 0], [5, 5]), { level: '0' }),
    ];
    const map = read(building(...HOUSE, ...extra));
    expect(map.warnings.map(({ code, count }) => [code, count]).sort()).toEqual([
      ['doors-unused', 1],
      ['level-missing', 1],
      ['levels-unordered', 1],
      ['not-an-area', 1],
      ['rooms-without-door', 1],
    ]);
    expect(map.levels.map(({ height }) => height)).toEqual([0, 3, 6]);
    expect(map.warnings.find(({ code }) => code === 'rooms-without-door')!.message).toContain(
      '1 of 3 rooms of level "0" have no door, so nothing leads into them',
    );
    const built = buildFromLevels(map);
    expect(built.warnings).toMatchObject([{ code: 'level-unreachable', count: 2 }]);
    expect(built.warnings[0]!.message).toContain('2 of 3 levels');
  });

  it('rooms without any door, or mostly without, are open to what touches them', () => {
    const rooms = [0, 1, 2].map((k) => feature(box(9 * k, 0, 9 * k + 9, 9), { indoor: 'room', level: '0' }));
    expect(codes(building(...rooms))).toEqual([['doors-missing', 3]]);
    expect(pathOf(build(building(...rooms)), [4, 4, 0], [22, 4, 0]).status).toBe('complete');
    expect(pathOf(build(building(...rooms), { wallWidth: 0.2 }), [4, 4, 0], [22, 4, 0]).status).toBe('complete');
    const one = building(...rooms, feature(point(0, 4), { door: 'yes', level: '0' }));
    expect(codes(one)).toEqual([['rooms-without-door', 2]]);
    expect(pathOf(build(one), [13, 4, 0], [22, 4, 0]).status).toBe('complete');
    expect(pathOf(build(one), [4, 4, 0], [13, 4, 0]).status).not.toBe('complete');
  });

  it('connections that reach no floor are not used, and reported with the first place', () => {
    const lost = feature(line([50, 50], [51, 51]), { highway: 'steps', level: '0;1', name: 'Nord' });
    const built = build(building(...HOUSE, lost));
    expect(built.warnings.map(({ code }) => code)).toEqual(['connection-off-mesh', 'level-unreachable']);
    expect(built.warnings[0]!.message).toContain('1 of 1 connections');
    expect(built.warnings[0]!.message).toContain('stairs "Nord" from level "0" to "1" at [50, 50]');
  });

  it('degrees become meters on one plane for all levels', () => {
    const corner = feature(box(13.4, 52.5, 13.401, 52.501), { level: '0;1' });
    const map = parseGeoJsonLevels(
      building(corner, feature(point(13.4005, 52.5005), { highway: 'elevator', level: '0;1' })),
    );
    expect(map.connections[0]!.from.point[0]).toBeCloseTo(0, 6);
    expect(map.levels[1]!.map.polygons[0]!.outline[2]![1]).toBeCloseTo(55.6, 1);
  });

  it.each<[object, GeoJsonLevelOptions, RegExp]>([
    [building(feature(box(0, 0, 1, 1), {})), {}, /no feature has a level; name the property/],
    [building(feature(box(0, 0, 1, 1), { level: 1 })), { property: 'storey' }, /no feature has the property "storey"/],
    [building(feature(point(0, 0), { highway: 'elevator', level: '0;1' })), {}, /no floor on any of them/],
    [{ type: 'Polygon', coordinates: [] }, {}, /must be a FeatureCollection/],
    [
      building(
        feature(
          {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 'x'],
                [1, 1],
              ],
            ],
          },
          { level: 0 },
        ),
      ),
      {},
      /feature 0, ring 0, point 1/,
    ],
    [building(feature({ type: 'Blob' }, { level: 0 })), {}, /has the type "Blob"/],
    [building(feature(box(0, 0, 1, 1), { level: 0 })), { levelHeight: 0 }, /options\.levelHeight is 0/],
    [building(feature(box(0, 0, 1, 1), { level: 0 })), { costs: { lifts: 1 } } as object, /lifts/],
  ])('refuses what is no building: %#', (given, options, message) => {
    expect(() => read(given, options)).toThrow(message);
  });
});

it(
  `${COUNT} random buildings are connected as their doors, stairs and lifts say, seed ${SEED}`,
  { timeout: 20_000 + 2000 * COUNT },
  () => {
    const random = seeded(SEED);
    const below = (n: number): number => Math.floor(random() * n);
    const results = { complete: 0, none: 0 };
    for (let trial = 0; trial < COUNT; trial++) {
      const [columns, rows, levels] = [2 + below(3), 2 + below(2), 2 + below(3)];
      const side = 4;
      const cell = (l: number, i: number, j: number): number => (l * rows + j) * columns + i;
      const parent = Array.from({ length: levels * rows * columns }, (_, k) => k);
      const root = (k: number): number => (parent[k] === k ? k : root(parent[k]!));
      const join = (a: number, b: number): void => void (parent[root(a)] = root(b));
      const features: object[] = [];
      const doors = new Map<number, number>();
      const open = (k: number): void => void doors.set(k, (doors.get(k) ?? 0) + 1);
      const first = -below(2);
      for (let l = 0; l < levels; l++) {
        const level = random() < 0.5 ? l + first : String(l + first);
        for (let j = 0; j < rows; j++) {
          for (let i = 0; i < columns; i++) {
            features.push(
              feature(box(side * i, side * j, side * i + side, side * j + side), { indoor: 'room', level }),
            );
            const shift = (random() - 0.5) * 1.6;
            if (i + 1 < columns && random() < 0.55) {
              features.push(
                feature(point(side * i + side + (random() - 0.5) * 0.2, side * j + 2 + shift), { door: 'yes', level }),
              );
              join(cell(l, i, j), cell(l, i + 1, j));
              open(cell(l, i, j));
              open(cell(l, i + 1, j));
            }
            if (j + 1 < rows && random() < 0.55) {
              features.push(feature(point(side * i + 2 + shift, side * j + side), { door: 'yes', level }));
              join(cell(l, i, j), cell(l, i, j + 1));
              open(cell(l, i, j));
              open(cell(l, i, j + 1));
            }
          }
        }
        // Where most rooms have no door, those without one are open, which this oracle does not know.
        for (let k = cell(l, 0, 0); k < cell(l, 0, 0) + rows * columns; k++) {
          if (doors.has(k)) continue;
          const [i, j] = [k % columns, Math.floor(k / columns) % rows];
          // A door to the outside.
          const isEdge = i === 0;
          if (isEdge) features.push(feature(point(0, side * j + 2), { door: 'yes', level }));
          if (isEdge) open(k);
        }
      }
      const isKnown = Array.from({ length: levels }, (_, l) => l).every((l) => {
        let closed = 0;
        for (let k = cell(l, 0, 0); k < cell(l, 0, 0) + rows * columns; k++) if (!doors.has(k)) closed++;
        return 2 * closed <= rows * columns && closed < rows * columns;
      });
      if (!isKnown) continue;
      for (let count = below(3); count > 0; count--) {
        const [l, i, j, u, v] = [below(levels - 1), below(columns), below(rows), below(columns), below(rows)];
        const steps = line([side * i + 1, side * j + 1], [side * u + 3, side * v + 3]);
        features.push(feature(steps, { highway: 'steps', level: `${l + first};${l + first + 1}`, incline: 'up' }));
        join(cell(l, i, j), cell(l + 1, u, v));
      }
      if (random() < 0.5) {
        const [i, j, from] = [below(columns), below(rows), below(levels - 1)];
        features.push(
          feature(point(side * i + 1, side * j + 3), {
            highway: 'elevator',
            level: `${from + first}-${levels - 1 + first}`,
          }),
        );
        for (let l = from; l + 1 < levels; l++) join(cell(l, i, j), cell(l + 1, i, j));
      }
      const built = build(building(...features.sort(() => random() - 0.5)));
      expect(validateNavMesh(built.navMesh)).toEqual([]);
      for (let query = 0; query < 12; query++) {
        const ends = [0, 1].map(() => ({ l: below(levels), i: below(columns), j: below(rows) }));
        const [a, b] = ends.map(({ l, i, j }) => [
          side * i + 1 + 2 * random(),
          side * j + 1 + 2 * random(),
          3 * (l + first),
        ]);
        const isJoined =
          root(cell(ends[0]!.l, ends[0]!.i, ends[0]!.j)) === root(cell(ends[1]!.l, ends[1]!.i, ends[1]!.j));
        const { status } = pathOf(built, a!, b!);
        expect(status === 'complete', `building ${trial}, ${JSON.stringify(ends)}: ${status}`).toBe(isJoined);
        results[isJoined ? 'complete' : 'none']++;
      }
    }
    expect(results.complete).toBeGreaterThan(COUNT * 3);
    expect(results.none).toBeGreaterThan(COUNT);
  },
);

it('a file that keeps its coordinates, by the member projection, is read so with levels as without', () => {
  const file = { ...building(...HOUSE), projection: 'none' };
  const levels = parseGeoJsonLevels(structuredClone(file));
  expect(levels.projection).toBeUndefined();
  expect(levels.levels).toEqual(read(structuredClone(file)).levels);
  const { warnings, projection } = parseGeoJson(structuredClone(file));
  expect(projection).toBeUndefined();
  const found = warnings.find(({ code }) => code === 'levels-merged')!.levels;
  expect(found).toEqual({ property: 'level', values: ['0;1', '0', '0-1', '1'], hasFloors: true });
});
