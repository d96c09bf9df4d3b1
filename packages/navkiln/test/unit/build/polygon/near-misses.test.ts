/**
 * Outlines that nearly touch are named with both rings and the distance. The oracle compares all segments of all rings, in map units.
 */
import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { findNearMisses, findNearPairs } from '../../../../src/build/polygon/near-misses.ts';
import { resolvePolygonOptions } from '../../../../src/build/polygon/options.ts';
import type { PolygonMap, PolygonWarning } from '../../../../src/build/polygon/options.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { parseGeoJson } from '../../../../src/formats/maps/geojson.ts';
import { parseSvg } from '../../../../src/formats/maps/svg/svg.ts';
import { parseTiled } from '../../../../src/formats/maps/tiled/tiled.ts';
import { seeded } from '../../meshes.ts';
import { distanceToSegment } from './map-oracle.ts';

type P = [number, number];
const SEED = Number(process.env.NAVKILN_SEED ?? 1);

const box = (x: number, y: number, w: number, h: number): P[] => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

const warningOf = (map: PolygonMap, options: object = {}): PolygonWarning | undefined =>
  buildFromPolygons(map, { findNearMisses, ...options }).report.warnings.find(({ code }) => code === 'near-miss');

describe('outlines that nearly touch', () => {
  const rooms = (gap: number): PolygonMap => ({
    polygons: [{ outline: box(0, 0, 10, 10) }, { outline: box(3, 10 + gap, 4, 5), holes: [box(4, 12, 1, 1)] }],
    obstacles: [box(5, 3, 1, 1), box(6 + gap / 2, 3, 1, 1)],
  });

  it('are named with a place that has the digits to find them, far from the origin', () => {
    const at = 1e7;
    const obstacles = [box(at + 1.5, at, 0.01, 0.499), box(at + 1.5, at + 0.5, 0.01, 0.5)];
    const { message } = warningOf({ polygons: [{ outline: box(at, at, 2, 1) }], obstacles })!;
    expect(message).toMatch(/are 0\.001 apart at \[1000000[01]\.5\d*, 10000000\.(499|5)\d*\]/);
  });

  it('are named, nearest first, and joined with the precision that the warning names', () => {
    const warning = warningOf(rooms(1e-3))!;
    expect(warning.message).toBe(
      'obstacles[0] and obstacles[1] are 0.0005 apart at [6.0005, 3], and 1 more pair of outlines nearly touch; ' +
        'if they should meet, give the map precision: 0.00101',
    );
    expect(warning).toMatchObject({ count: 2, where: { ring: 'obstacles[0]' } });
    expect(warning.nearMisses!.map(({ rings }) => rings)).toEqual([
      ['obstacles[0]', 'obstacles[1]'],
      ['polygons[0].outline', 'polygons[1].outline'],
    ]);
    const precision = Number(/precision: ([\d.e-]+)/.exec(warning.message)![1]);
    const joined = { ...rooms(1e-3), precision };
    expect(findPath2d(buildFromPolygons(joined).navMesh, [5, 5], [5, 14]).status).toBe('complete');
    expect(warningOf(joined)).toBeUndefined();
  });

  it.each([0, 0.01, 1])('are no near miss %f apart', (gap) => expect(warningOf(rooms(gap))).toBeUndefined());

  it('of a slanted side less than a few grid steps apart are named, never as 0 apart', () => {
    const { message } = warningOf(
      {
        polygons: [
          { outline: [[0, 0], [3e5, 1e5], [2e5, 4e5]] }, // oxfmt-ignore
          { outline: [[1.5e5, 5e4 - 0.025], [3e5, 1e5 - 0.025], [3e5, -1e5]] }, // oxfmt-ignore
        ],
      },
      { agent: { height: 1e-3 } },
    )!;
    expect(message).toMatch(/polygons\[0\]\.outline and polygons\[1\]\.outline are 0\.0\d*[1-9]\d* apart/);
  });

  it('are reported as not searched where too many outlines cross', () => {
    const search = (count: number): ReturnType<typeof findNearMisses> => {
      const bars = Array.from({ length: count }, (_, k) => [box(4 * k, 0, 1, 4 * count), box(0, 4 * k, 4 * count, 1)]);
      const obstacles = bars.flat().map((points, k) => ({ name: `${k}`, points: points.map(([x, y]) => ({ x, y })) }));
      const frame = { gridSize: 1, originX: 0, originY: 0 };
      return findNearMisses({ polygons: [], obstacles, frame, joinCells: 0 }, resolvePolygonOptions({}));
    };
    expect(search(500)).toMatchObject({ code: 'near-misses-unsearched', count: 1000 });
    // All bars of one direction are three steps apart.
    expect(search(20)).toMatchObject({ code: 'near-miss', count: 38 });
  });

  it('are named by features, objects and shapes of the files that they come from', () => {
    const coordinates = [[...box(0, 0, 10, 10), [0, 0]]];
    const shifted = [[...box(10.0005, 0, 10, 10), [10.0005, 0]]];
    const features = [
      { type: 'Feature', id: 'hall', geometry: { type: 'Polygon', coordinates } },
      { type: 'Feature', geometry: { type: 'MultiPolygon', coordinates: [shifted] } },
    ];
    const geojson = parseGeoJson(
      { type: 'FeatureCollection', features },
      { name: 'house.geojson', projection: 'none' },
    );
    expect(warningOf({ ...geojson, precision: 0 })!.nearMisses![0].rings).toEqual([
      'polygons[0].outline (house.geojson, feature 0 (id "hall"))',
      'polygons[1].outline (house.geojson, feature 1, polygon 0)',
    ]);
    const objects = [
      { id: 7, name: 'sofa', x: 0, y: 0, width: 10, height: 10 },
      { id: 8, x: 10.0005, y: 0, width: 10, height: 10 },
    ];
    const layers = [{ type: 'objectgroup', name: 'walls', objects }];
    const size = { width: 4, height: 4, tilewidth: 8, tileheight: 8 };
    const tiled = parseTiled(
      { type: 'map', orientation: 'orthogonal', infinite: false, tilesets: [], layers, ...size },
      { name: 'house.tmj' },
    );
    expect(warningOf({ ...tiled, precision: 0 })!.nearMisses![0].rings).toEqual([
      'obstacles[0] (house.tmj, layer "walls", object 0 (id 7) "sofa")',
      'obstacles[1] (house.tmj, layer "walls", object 1 (id 8))',
    ]);
    const svg = parseSvg(
      '<svg viewBox="0 0 30 10"><g id="floor"><rect id="hall" width="10" height="10"/><rect x="10.0005" width="10" height="10"/></g></svg>',
      { name: 'house.svg' },
    );
    expect(warningOf({ ...svg, precision: 0 })!.nearMisses![0].rings).toEqual([
      'polygons[0].outline (house.svg, "hall" of layer "floor")',
      'polygons[1].outline (house.svg, layer "floor")',
    ]);
  });

  it('a function that is none is refused', () => {
    expect(() => buildFromPolygons(rooms(0), { findNearMisses: true as never })).toThrow(
      'options.findNearMisses is true; must be the function findNearMisses',
    );
  });
});

it(`pairs of random rings equal those by brute force, seeds from ${SEED}`, () => {
  for (let seed = SEED; seed < SEED + 30; seed++) {
    const random = seeded(seed);
    const rings = Array.from({ length: 2 + Math.floor(40 * random()) }, (_, k) => {
      const [x, y, size] = [Math.round(1000 * random()), Math.round(1000 * random()), 1 + 300 * random() ** 3];
      const turn = 7 * random();
      const points = Array.from({ length: 3 + (k % 4) }, (__, i) => {
        const angle = turn + (2 * Math.PI * i) / (3 + (k % 4));
        return { x: Math.round(x + size * Math.cos(angle)), y: Math.round(y + size * Math.sin(angle)) };
      });
      return { name: String(k), points };
    });
    const within = 1 + 20 * random();
    const wanted = new Map<string, number>();
    const segmentsOf = ({ points }: (typeof rings)[0]): [P, P][] =>
      points.map((a, i) => [
        [a.x, a.y],
        [points[(i + 1) % points.length].x, points[(i + 1) % points.length].y],
      ]);
    const side = (a: P, b: P, c: P): number => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    rings.forEach((one, i) =>
      rings.slice(i + 1).forEach((other) => {
        let least = Infinity;
        for (const [a, b] of segmentsOf(one)) {
          for (const [c, d] of segmentsOf(other)) {
            const doCross = side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
            const ends = [distanceToSegment(a, c, d), distanceToSegment(b, c, d), distanceToSegment(c, a, b)];
            least = Math.min(least, doCross ? 0 : Math.min(...ends, distanceToSegment(d, a, b)));
          }
        }
        if (least > 0 && least <= within) wanted.set(`${one.name} ${other.name}`, least);
      }),
    );
    const found = findNearPairs(rings, within, 0)!;
    expect(new Set(found.map((miss) => miss.rings.join(' '))), `seed ${seed}`).toEqual(new Set(wanted.keys()));
    for (const miss of found) expect(miss.distance).toBeCloseTo(wanted.get(miss.rings.join(' '))!, 9);
  }
});
