import { describe, expect, it } from 'vitest';
import { cosDegrees, sinDegrees } from '../../../src/base/math/degrees.ts';
import { createProjection, projectPoint, unprojectPoint } from '../../../src/formats/maps/geojson-projection.ts';
import { parseGeoJson } from '../../../src/formats/maps/geojson.ts';
import { guessMapFormat, parsePolygonMap } from '../../../src/formats/maps/map-json.ts';

const square = (x: number, y: number, side: number): number[][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];
const feature = (geometry: object, properties: object | null = null): object => ({
  type: 'Feature',
  properties,
  geometry,
});
const plane = { projection: 'none' } as const;

describe('parseGeoJson', () => {
  it('reads Polygon, MultiPolygon, GeometryCollection, features and holes, and drops the closing point', () => {
    const polygon = { type: 'Polygon', coordinates: [square(0, 0, 10), square(2, 2, 1)] };
    const once = parseGeoJson(polygon, plane);
    expect(once).toEqual({
      polygons: [
        {
          outline: [
            [0, 0],
            [10, 0],
            [10, 10],
            [0, 10],
          ],
          holes: [
            [
              [2, 2],
              [3, 2],
              [3, 3],
              [2, 3],
            ],
          ],
        },
      ],
      obstacles: [],
      yAxis: 'up',
      warnings: [],
      projection: undefined,
    });
    const others = [
      feature(polygon),
      JSON.stringify(polygon),
      `\ufeff${JSON.stringify(feature(polygon))}`,
      new TextEncoder().encode(JSON.stringify(polygon)),
      { type: 'MultiPolygon', coordinates: [polygon.coordinates] },
      { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [polygon] }] },
      {
        type: 'FeatureCollection',
        features: [feature(polygon), { type: 'Feature', properties: null, geometry: null }],
      },
    ];
    for (const other of others) expect(parseGeoJson(other, plane)).toEqual(once);
    expect(
      parseGeoJson({ type: 'Polygon', coordinates: [square(0, 0, 1).map(([x, y]) => [x, y, 99, 1])] }, plane)
        .polygons[0].outline[2],
    ).toEqual([1, 1]);
  });

  it('finds obstacles by property or by predicate, and keeps their holes walkable', () => {
    const ground = feature({ type: 'Polygon', coordinates: [square(0, 0, 10)] });
    const house = (properties: object): object =>
      feature({ type: 'Polygon', coordinates: [square(2, 2, 4), square(3, 3, 1)] }, properties);
    const collection = (...features: object[]): object => ({ type: 'FeatureCollection', features });
    for (const properties of [{ obstacle: true }, { walkable: false }]) {
      const { polygons, obstacles } = parseGeoJson(collection(ground, house(properties)), plane);
      expect([polygons.length, obstacles.length]).toEqual([1, 1]);
      expect(obstacles[0].length).toBe(4 + 4 + 2);
    }
    expect(parseGeoJson(collection(ground, house({ obstacle: false })), plane).obstacles).toEqual([]);
    const byKind = parseGeoJson(collection(ground, house({ building: 'yes' })), {
      ...plane,
      isObstacle: ({ building }) => building !== undefined,
    });
    expect(byKind.obstacles.length).toBe(1);
    expect(() => parseGeoJson(collection(house({ obstacle: true })), plane)).toThrow(
      'parseGeoJson: GeoJSON: has only 1 obstacle(s), so nothing is walkable',
    );
  });

  it('leaves out geometries without area and reports them', () => {
    const { warnings } = parseGeoJson(
      {
        type: 'FeatureCollection',
        features: [
          feature({ type: 'Point', coordinates: [0, 0] }),
          feature({ type: 'LineString', coordinates: [] }),
          feature({ type: 'Polygon', coordinates: [square(0, 0, 1).slice(0, 4)] }),
          feature({ type: 'Polygon', coordinates: [] }),
        ],
      },
      plane,
    );
    expect(warnings).toEqual([
      {
        code: 'not-an-area',
        count: 2,
        message:
          'GeoJSON, feature 0: a Point has no area; left out (the property radius gives points an area; width, or the option lineWidth, gives lines one)',
      },
      {
        code: 'ring-not-closed',
        count: 1,
        message: 'GeoJSON, feature 2, ring 0: does not end where it begins; closed by a straight line',
      },
    ]);
  });

  it('projects to meters around the middle, and back', () => {
    const { polygons, projection, warnings } = parseGeoJson({
      type: 'Polygon',
      coordinates: [square(13.37, 52.5, 0.02)],
    });
    expect(warnings).toEqual([]);
    expect(projection!.origin[0]).toBeCloseTo(13.38, 9);
    const [[x0, y0], [x1], [, y2]] = polygons[0].outline as unknown as [number[], number[], number[]];
    expect(y2! - y0!).toBeCloseTo(0.02 * 111195.08, 1);
    expect(x1! - x0!).toBeCloseTo(0.02 * 111195.08 * Math.cos((52.51 * Math.PI) / 180), 1);
    const [lon, lat] = unprojectPoint(projection!, [x0!, y0!]);
    expect(Math.abs(lon! - 13.37) + Math.abs(lat! - 52.5)).toBeLessThan(1e-12);
    const same = parseGeoJson({ type: 'Polygon', coordinates: [square(13.37, 52.5, 0.01)] }, { projection });
    expect(same.polygons[0].outline[0]).toEqual(polygons[0].outline[0]);
    expect(projectPoint(createProjection([0, 0]), [0, 1])[1]).toBeCloseTo(111195.08, 2);
    expect(parseGeoJson({ type: 'Polygon', coordinates: [square(0, 40, 8)] }).warnings[0].message).toMatch(
      /^GeoJSON: reaches over 8\.00 x 8\.00 degrees: on a plane, lengths are wrong by up to 7\.0 %$/,
    );
  });

  it('computes accurate sines and cosines', () => {
    for (let i = -2000; i <= 2000; i++) {
      const degrees = i * 0.37;
      expect(Math.abs(sinDegrees(degrees) - Math.sin((degrees * Math.PI) / 180))).toBeLessThan(5e-15);
      expect(Math.abs(cosDegrees(degrees) - Math.cos((degrees * Math.PI) / 180))).toBeLessThan(5e-15);
    }
    for (let q = -8; q <= 8; q++) {
      expect(sinDegrees(90 * q) + 0).toBe([0, 1, 0, -1][((q % 4) + 4) % 4]);
      expect(cosDegrees(90 * q) + 0).toBe([1, 0, -1, 0][((q % 4) + 4) % 4]);
    }
    expect(sinDegrees(30)).toBeCloseTo(0.5, 15);
  });

  it.each([
    ['{"type":"Polygon","coordinates":[[[0,0],[1', 'GeoJSON: is not valid JSON ('],
    ['[1]', 'GeoJSON: holds [1], not an object'],
    ['{}', 'GeoJSON: has the type missing, must be Feature, '],
    ['{"type":"Nothing"}', 'GeoJSON: has the type "Nothing", must be Feature, '],
    ['{"type":"Topology"}', 'GeoJSON: is TopoJSON, must be GeoJSON; convert it, '],
    ['{"type":"FeatureCollection"}', 'GeoJSON, features: is missing, must be an array'],
    ['{"type":"FeatureCollection","features":[null]}', 'GeoJSON, feature 0: is null, must be an object'],
    [
      '{"type":"FeatureCollection","features":[{"type":"FeatureCollection","features":[]}]}',
      'GeoJSON, feature 0: has the type "FeatureCollection", must be a Feature',
    ],
    [
      '{"type":"FeatureCollection","features":[]}',
      'GeoJSON: has no Polygon and no MultiPolygon, so nothing is walkable',
    ],
    [
      '{"type":"Feature","id":"a7","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,"1"],[0,0]]]}}',
      'GeoJSON, the feature (id "a7"), ring 0, point 2: is [1, "1"], must be two finite numbers',
    ],
    [
      '{"type":"MultiPolygon","coordinates":[[],[[[0,0],[1,0],[1,1],[0,0]],[[0,0],[1,0],[0,0]]]]}',
      'GeoJSON, polygon 1, ring 1: has 2 different point(s), must have at least 3',
    ],
    [
      '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1e999,1],[0,0]]]}',
      'GeoJSON, ring 0, point 2: is [Infinity, 1], must be two finite numbers',
    ],
    [
      '{"type":"Polygon","coordinates":[[[0,0],[1000,0],[1000,1],[0,0]]]}',
      "GeoJSON: holds [1000, 0], which is no longitude and latitude; are they in metres? Then use projection: 'none'",
    ],
    ['{"type":"Polygon","coordinates":[7]}', 'GeoJSON, ring 0: is 7, must be an array'],
    [
      `${'{"type":"GeometryCollection","geometries":['.repeat(70)}${']}'.repeat(70)}`,
      'has collections in collections 64 deep',
    ],
  ])('refuses %.60j', (text, message) => {
    expect(() => parseGeoJson(text)).toThrow('parseGeoJson: ');
    expect(() => parseGeoJson(text)).toThrow(message);
  });

  it('refuses wrong arguments', () => {
    expect(() => parseGeoJson(7 as unknown as string)).toThrow(
      new TypeError(
        "parseGeoJson: the first argument is 7; must be the file's text, its bytes (Uint8Array), or the parsed object",
      ),
    );
    expect(() => parseGeoJson({}, { projection: 'mercator' as 'none' })).toThrow(TypeError);
    expect(() =>
      parseGeoJson({
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [NaN, 0],
            [1, 1],
          ],
        ],
      }),
    ).toThrow('ring 0, point 1: is [NaN, 0]');
    expect(() => createProjection([0, 90])).toThrow(RangeError);
  });
});

describe('parsePolygonMap', () => {
  it('reads a map, points as objects, closed rings, a single polygon, and rings alone', () => {
    const outline = [
      [0, 0],
      [4, 0],
      [4, 4],
    ] as [number, number][];
    const map = { polygons: [{ outline, holes: [outline] }], obstacles: [outline], yAxis: 'up', warnings: [] };
    expect(parsePolygonMap(JSON.stringify(map))).toEqual(map);
    expect(
      parsePolygonMap({
        outline: [...outline, outline[0]],
        holes: [outline.map(([x, y]) => ({ x, y }))],
        obstacles: [outline],
      }),
    ).toEqual(map);
    expect(parsePolygonMap({ polygons: [outline] }).polygons).toEqual([{ outline, holes: [] }]);
  });

  it.each([
    [{}, 'map: has no "polygons"; a map is { "polygons": '],
    [{ polygons: 7 }, 'map, polygons: is 7, must be an array'],
    [{ polygons: [] }, 'map: has no polygon, so nothing is walkable'],
    [{ polygons: [{ holes: [] }] }, 'map, polygon 0: has no "outline"'],
    [
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [1, 0],
            ],
          },
        ],
      },
      'map, polygon 0, outline: has 2 point(s), must have at least 3',
    ],
    [
      {
        polygons: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
          {
            outline: [
              [0, 0],
              [1, 0],
              [1, 1],
            ],
            holes: [[], [[NaN, 1]]],
          },
        ],
      },
      'map, polygon 1, hole 0: has 0 point(s)',
    ],
    [
      {
        outline: [
          [0, 0],
          [1, 0],
          [1, null],
        ],
      },
      'map, outline, point 2: is [1, null], must be two finite numbers',
    ],
    [
      {
        outline: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        obstacles: [7],
      },
      'map, obstacle 0: is 7, must be an array',
    ],
  ])('refuses %j', (map, message) => {
    expect(() => parsePolygonMap(map)).toThrow(`parsePolygonMap: ${message}`);
  });

  it('detects each format', () => {
    expect(
      [{ polygons: [] }, { outline: [] }, { type: 'map' }, { layers: [] }, { type: 'Feature' }, {}, [1], null].map(
        guessMapFormat,
      ),
    ).toEqual(['map', 'map', 'tiled', 'tiled', 'geojson', undefined, undefined, undefined]);
  });
});
