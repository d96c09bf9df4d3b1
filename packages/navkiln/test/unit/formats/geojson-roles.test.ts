/** Roles of GeoJSON features by conditions, lines with a width, and warnings about merged levels and walkable buildings. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../../src/formats/maps/geojson.ts';
import { parseGeoJsonLevels } from '../../../src/formats/maps/geojson/levels/levels.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';

const box = (x: number, y: number, w: number, h: number, properties: object = {}): object => ({
  type: 'Feature',
  properties,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x, y + h],
        [x, y],
      ],
    ],
  },
});
const line = (coordinates: number[][], properties: object = {}): object => ({
  type: 'Feature',
  properties,
  geometry: { type: 'LineString', coordinates },
});
const map = (...features: object[]): object => ({ type: 'FeatureCollection', projection: 'none', features });

describe('features of GeoJSON', () => {
  const storeys = map(
    box(0, 0, 4, 4, { level: '0' }),
    box(4, 0, 4, 4, { level: '0;1' }),
    box(8, 0, 4, 4, { level: 1 }),
    box(0, 4, 4, 4),
  );

  it('are selected by conditions', () => {
    const xs = (where: string[]): number[] =>
      parseGeoJson(storeys, { where }).polygons.map(({ outline }) => outline[0][0]);
    expect(xs(['level=0'])).toEqual([0, 4]);
    expect(xs(['level=1'])).toEqual([4, 8]);
    expect(xs(['level'])).toEqual([0, 4, 8]);
    expect(() => parseGeoJson(storeys, { where: ['level=7'] })).toThrow('so nothing is walkable');
    expect(() => parseGeoJson(storeys, { where: ['=7'] })).toThrow(
      'options.where[0] is "=7"; must be "property=value"',
    );
    expect(() => parseGeoJson(storeys, { obstacles: 'x' as never })).toThrow(
      'options.obstacles is "x"; must be an array',
    );
  });

  it('of several levels are a warning, unless one is selected', () => {
    const [warning] = parseGeoJson(storeys).warnings;
    expect(warning).toMatchObject({ code: 'levels-merged', count: 1 });
    expect(warning.message).toContain(
      '3 levels become one floor, by the property level: "0" (1), "0;1" (1), "1" (1); where: ["level=0"] (--map-where level=0)',
    );
    expect(parseGeoJson(storeys, { where: ['level=0'] }).warnings).toEqual([]);
  });

  it('are obstacles and floors by conditions', () => {
    const town = map(
      box(0, 0, 10, 10),
      box(2, 2, 2, 5, { building: 'yes' }),
      box(6, 2, 2, 2, { building: 'no', kind: 'pond' }),
    );
    const { warnings } = parseGeoJson(town);
    expect(warnings).toMatchObject([{ code: 'buildings-walkable', count: 1 }]);
    expect(warnings[0].message).toContain('1 building is walkable, 8.8 % of the area; obstacles: ["building"]');
    const blocked = parseGeoJson(town, { obstacles: ['building=*', 'kind=pond'] });
    expect([blocked.polygons.length, blocked.obstacles.length, blocked.warnings]).toEqual([1, 2, []]);
    const ponds = parseGeoJson(town, { walkable: ['kind=pond'], obstacles: ['building'] });
    expect([ponds.polygons.length, ponds.obstacles.length]).toEqual([1, 1]);
    expect(ponds.warnings).toMatchObject([{ code: 'not-selected', count: 1 }]);
  });

  it('are areas when they are lines with a width, or points with a radius', () => {
    const streets = map(
      line([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
      line(
        [
          [10, 10],
          [20, 10],
        ],
        { width: '3 m' },
      ),
      {
        type: 'Feature',
        properties: { obstacle: true, radius: 0.5 },
        geometry: { type: 'Point', coordinates: [5, 0] },
      },
    );
    const built = buildFromPolygons(parseGeoJson(streets, { lineWidth: 2 }));
    const path = findPath2d(built.navMesh, [0, 0], [20, 10]);
    expect(path.status).toBe('complete');
    expect(findPath2d(built.navMesh, [5, 0], [5, 0]).startDistance).toBeCloseTo(0.5, 1);
    expect(findPath2d(built.navMesh, [15, 20], [15, 10]).startDistance).toBeCloseTo(8.5, 9);
    expect(
      parseGeoJson(
        map(
          box(0, 0, 1, 1),
          line([
            [0, 0],
            [1, 1],
          ]),
        ),
      ).warnings,
    ).toMatchObject([{ code: 'not-an-area', count: 1 }]);
    expect(() => parseGeoJson(streets, { lineWidth: 0 })).toThrow('options.lineWidth is 0; must be > 0');
  });
});

describe('houses alone', () => {
  const around = box(-10, -10, 40, 40);
  const house = (x: number, member: object, properties: object = {}): object => ({
    ...box(x, 0, 4, 4, properties),
    ...member,
  });

  it.each([
    ['building', [house(0, {}, { building: 'yes' }), house(10, {}, { building: 'school' })]],
    [
      'feature_type=building',
      [house(0, { feature_type: 'building' }), house(10, {}, { feature_type: 'building', name: 'B' })],
    ],
    ['feature_type=footprint', [house(0, { feature_type: 'footprint' }), house(10, { feature_type: 'footprint' })]],
    ['building,feature_type=building', [house(0, {}, { building: 'yes' }), house(10, { feature_type: 'building' })]],
  ])('with %s are a warning, and its remedies hold', (conditions, houses) => {
    const list = conditions.split(',');
    const { polygons, warnings } = parseGeoJson(map(...houses));
    expect(polygons.length).toBe(2);
    expect(warnings).toMatchObject([{ code: 'buildings-walkable', count: 2 }]);
    const { message } = warnings[0];
    expect(message).toContain('2 buildings are walkable, 100 % of the area; with a Polygon around them');
    expect(message).toContain(
      `obstacles: [${list.map((one) => `"${one}"`).join(', ')}] (--map-obstacles ${conditions})`,
    );
    expect(message).toContain(`(--map-floor ${conditions}) keeps them walkable`);
    const kept = parseGeoJson(map(...houses), { walkable: list });
    expect([kept.polygons.length, kept.warnings]).toEqual([2, []]);
    expect(() => parseGeoJson(map(...houses), { obstacles: list })).toThrow(
      'has only 2 obstacle(s), so nothing is walkable; a Polygon around them, as a further feature, is the floor',
    );
    const town = parseGeoJson(map(...houses, around), { obstacles: list });
    expect([town.polygons.length, town.obstacles.length, town.warnings]).toEqual([1, 2, []]);
    const { navMesh } = buildFromPolygons(town);
    expect(findPath2d(navMesh, [-5, 2], [20, 2]).status).toBe('complete');
    expect(findPath2d(navMesh, [2, 2], [20, 2]).startDistance).toBeCloseTo(2, 6);
  });

  it('in layers count with the ground of all layers', () => {
    const [warning] = parseGeoJson(map(box(10, 0, 4, 12), house(0, {}, { building: 'yes', layer: 'houses' }))).warnings;
    expect(warning.message).toContain('1 building is walkable, 25 % of the area');
  });
});

describe('storeys', () => {
  it.each([
    ['levelNumber', 0, 1],
    ['verticalOrder', 0, 1],
    ['floorNumber', 1, 2],
    ['floorId', 'b-eg', 'b-1'],
    ['floor_id', 'b-eg', 'b-1'],
    ['floor', 'Erster Stock', "Owner's"],
    ['storey', 'EG;UG', 'a, b'],
    ['baseHeight', 0, 3.5],
    ['level_id', 'fc8f18cb-4412-4285-b130-f8c5a9e00000-with-a-long-tail', 'fc8f18cb-4412-4285-b130-f8c5a9e00001'],
  ])('by %s are a warning, and its remedies hold', (key, first, second) => {
    const house = map(box(0, 0, 4, 4, { [key]: first }), box(0, 0, 4, 4, { [key]: second }), box(4, 0, 4, 4));
    const { warnings } = parseGeoJson(house);
    expect(warnings).toMatchObject([{ code: 'levels-merged' }]);
    const { message } = warnings[0];
    expect(message).toContain(`2 levels become one floor, by the property ${key}: `);
    const [, texts, word] = /where: (\[".*"\]) \(--map-where (.*)\) reads one/.exec(message)!;
    const where = JSON.parse(texts) as string[];
    // A shell reads the word as the condition, and a comma would be two conditions.
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(where[0]);
    expect(where[0]).not.toContain(',');
    const one = parseGeoJson(house, { where });
    expect([one.polygons.length, one.warnings]).toEqual([1, []]);
    expect(message).toContain(`parseGeoJsonLevels (--map-levels ${key}) reads each as a level`);
    const { levels } = parseGeoJsonLevels(house, { property: key });
    expect(levels.length).toBeGreaterThanOrEqual(2);
    for (const level of levels) expect(level.map.polygons.length).toBe(1);
    expect(parseGeoJsonLevels(house).levels.length).toBe(levels.length);
  });

  it('have the heights of baseHeight, in meters', () => {
    const house = map(box(0, 0, 4, 4, { baseHeight: 0 }), box(0, 0, 4, 4, { baseHeight: 3.5 }));
    const heights = (levelHeight?: number): number[] =>
      parseGeoJsonLevels(house, { levelHeight }).levels.map(({ height }) => height);
    expect(heights()).toEqual([0, 3.5]);
    expect(heights(2)).toEqual([0, 7]);
  });

  it('of IMDF are told apart by their ordinals, and houses with storeys are no levels', () => {
    const levels = [0, 1].map((ordinal) => ({ ...box(0, 0, 4, 4, { ordinal }), feature_type: 'level' }));
    const [warning] = parseGeoJson(map(...levels)).warnings;
    expect(warning.message).toMatch(/the property ordinal: "0" \(1\), "1" \(1\); .*--map-where ordinal=0\) reads one$/);
    const houses = [0, 1].map((floor) => box(9 * floor, 0, 4, 4, { floor, building: 'yes' }));
    expect(parseGeoJson(map(...houses)).warnings[0].message).not.toContain('--map-levels');
  });

  it('stay a warning when a condition holds for all of them', () => {
    const house = map(box(0, 0, 4, 4, { level: 0 }), box(0, 0, 4, 4, { level: 1 }));
    expect(parseGeoJson(house, { where: ['level'] }).warnings).toMatchObject([{ code: 'levels-merged' }]);
  });
});

describe('a map without ground', () => {
  const point = (properties: object = {}): object => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Point', coordinates: [1, 1] },
  });
  const way = line([
    [0, 0],
    [9, 0],
  ]);

  it('lists what it has, with a remedy that holds', () => {
    expect(() => parseGeoJson(map(point(), point()))).toThrow(
      'has only 2 Point, so nothing is walkable; the property radius makes points walkable',
    );
    expect(parseGeoJson(map(point({ radius: 1 }))).polygons.length).toBe(1);
    expect(() => parseGeoJson(map(way, point(), way))).toThrow(
      'has only 2 LineString, 1 Point, so nothing is walkable; the property width, or lineWidth: 2 (--map-line-width 2), makes lines walkable; ',
    );
    expect(parseGeoJson(map(way, way), { lineWidth: 2 }).polygons.length).toBeGreaterThan(0);
    expect(() =>
      parseGeoJson(map(box(0, 0, 1, 1), { type: 'Feature', geometry: null }), { where: ['level=7'] }),
    ).toThrow('has only 1 feature(s) that do not meet where, 1 feature(s) without a geometry, so nothing is walkable');
    expect(() => parseGeoJson(map(box(0, 0, 1, 1)), { walkable: ['path'] })).toThrow(
      'has only 1 feature(s) that do not meet walkable, so nothing is walkable',
    );
  });
});
