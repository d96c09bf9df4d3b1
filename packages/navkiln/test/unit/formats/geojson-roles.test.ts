/** Roles of GeoJSON features by conditions, lines with a width, and warnings about merged levels and walkable buildings. */
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../../src/formats/maps/geojson.ts';
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
    expect(warnings[0].message).toContain('1 buildings are walkable, 8.8 % of the area; obstacles: ["building"]');
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
