/**
 * Mutations of valid maps for the readers of 2D maps. The outcome is a map of finite points that the builder
 * accepts, or an Error that names its reader, within a time limit. NAVKILN_SEED repeats a run, and
 * NAVKILN_MAP_MUTATIONS sets the number of mutations per reader (default 5,000).
 */
import { describe, expect, it } from 'vitest';
import { parseGeoJson } from '../../src/formats/maps/geojson.ts';
import { polygonsFromGrid } from '../../src/formats/maps/grid-polygons.ts';
import { parsePolygonMap } from '../../src/formats/maps/map-json.ts';
import type { ParsedMap } from '../../src/formats/maps/map.ts';
import { parseSvg } from '../../src/formats/maps/svg/svg.ts';
import { parseTiled } from '../../src/formats/maps/tiled/tiled.ts';
import { COLLIDES, WALKABLE, mapOf, objects, tiles } from '../unit/formats/tiled-file.ts';
import { seeded } from '../unit/meshes.ts';

const SEED = Number(process.env['NAVKILN_SEED'] ?? 20261121) >>> 0;
const MUTATIONS = Number(process.env['NAVKILN_MAP_MUTATIONS'] ?? 1250);

type Reader = (input: string | object) => ParsedMap;

const square = (x: number, y: number, side: number): number[][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];

const CASES: [string, Reader, object[]][] = [
  [
    'parseGeoJson',
    (input) => parseGeoJson(input),
    [
      {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            id: 'a',
            properties: { walkable: true },
            geometry: { type: 'Polygon', coordinates: [square(0, 0, 1), square(0.2, 0.2, 0.1)] },
          },
          {
            type: 'Feature',
            properties: { obstacle: true },
            geometry: { type: 'MultiPolygon', coordinates: [[square(0.5, 0.5, 0.2)], [square(0, 0, 0.1)]] },
          },
          {
            type: 'Feature',
            properties: null,
            geometry: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [0, 0] }] },
          },
        ],
      },
    ],
  ],
  [
    'parsePolygonMap',
    (input) => parsePolygonMap(input),
    [
      {
        polygons: [{ outline: square(0, 0, 9), holes: [square(1, 1, 2)] }, square(20, 0, 2)],
        obstacles: [
          [
            { x: 0, y: 0 },
            { x: 1, y: 2 },
            { x: 3, y: 0 },
          ],
        ],
      },
      { outline: square(0, 0, 9) },
    ],
  ],
  [
    'parseTiled',
    (input) => parseTiled(input),
    [
      mapOf([
        tiles([1, 2, 3, 4, 5, 1, 2, 3 + 0xa0000000, 0, 0, 0, 1]),
        tiles(Buffer.from(Uint32Array.from([0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0]).buffer).toString('base64'), {
          encoding: 'base64',
          offsetx: 3,
          name: 'b',
        }),
        {
          type: 'group',
          name: 'g',
          offsety: 2,
          layers: [
            objects(
              { x: 1, y: 2, width: 3, height: 4, rotation: 30 },
              { x: 0, y: 0, width: 9, height: 9, ellipse: true },
              { gid: 3, x: 9, y: 9, width: 16, height: 16 },
              {
                x: 5,
                y: 5,
                polygon: [
                  { x: 0, y: 0 },
                  { x: 3, y: 0 },
                  { x: 0, y: 3 },
                ],
                properties: COLLIDES,
              },
            ),
          ],
        },
      ]),
      mapOf(
        [
          {
            type: 'tilelayer',
            name: 'a',
            chunks: [
              { x: -4, y: 0, width: 2, height: 2, data: [1, 2, 3, 4] },
              { x: 0, y: 2, width: 1, height: 1, data: [2] },
            ],
          },
          { ...objects({ x: 0, y: 0, width: 30, height: 30 }), properties: WALKABLE },
        ],
        { infinite: true, orientation: 'isometric' },
      ),
    ],
  ],
];

const STRANGE: unknown[] = [
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  -1,
  0.5,
  1e9,
  1e300,
  -1e300,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  '',
  'x',
  'type',
  '1',
  null,
  undefined,
  true,
  false,
  {},
  [],
  [[]],
  [null],
  { x: 1 },
  [1],
  [1, 2],
  'Polygon',
  'GeometryCollection',
  'group',
  'tilelayer',
  'objectgroup',
  () => 1,
  7n,
  Symbol('s'),
];

/** Returns 'map' or 'error'. Throws when the reader breaks its contract. */
function check(name: string, reader: Reader, input: string | object): 'map' | 'error' {
  let map;
  try {
    map = reader(input);
  } catch (error) {
    const { message } = error as Error;
    // Each `expect` takes longer than what it checks.
    const isOfEngine = /call stack|undefined is not|Cannot read|array length|not iterable/.test(message);
    if (!(error instanceof Error) || !message.startsWith(`${name}: `) || message.length >= 600 || isOfEngine)
      throw error;
    return 'error';
  }
  if (map.polygons.length === 0) throw new Error('no polygon');
  for (const ring of [...map.polygons.flatMap(({ outline, holes }) => [outline, ...holes]), ...map.obstacles]) {
    if (ring.length < 3) throw new Error(`a ring of ${ring.length} points`);
    for (const point of ring) {
      if (point.length !== 2 || point[0] - point[0] + point[1] - point[1] !== 0) throw new Error(`point [${point}]`);
    }
  }
  return 'map';
}

/** Changes a random value in a copy of a record. */
function mutate(random: () => number, value: any): any {
  const copy = structuredClone(value);
  for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes--) {
    let holder = copy;
    for (;;) {
      const keys = Object.keys(holder);
      if (keys.length === 0) break;
      const key = keys[Math.floor(random() * keys.length)];
      const inner = holder[key];
      if (typeof inner === 'object' && inner !== null && random() < 0.85) {
        holder = inner;
        continue;
      }
      const kind = random();
      if (kind < 0.2) delete holder[key];
      else if (kind < 0.3 && typeof inner === 'number') holder[key] = inner + Math.floor(random() * 5) - 2;
      else if (kind < 0.4 && Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (kind < 0.45 && Array.isArray(holder)) holder.push(...holder);
      else holder[key] = STRANGE[Math.floor(random() * STRANGE.length)];
      break;
    }
  }
  return copy;
}

describe(`readers of 2D maps under fuzzing, seed ${SEED}`, () => {
  it.each(CASES)('%s survives changed values', (name, reader, validInputs) => {
    const random = seeded(SEED);
    const results = { map: 0, error: 0 };
    for (const good of validInputs) expect(check(name, reader, good)).toBe('map');
    for (let run = 0; run < MUTATIONS; run++)
      results[check(name, reader, mutate(random, validInputs[run % validInputs.length]))]++;
    expect(results.map).toBeGreaterThan(MUTATIONS / 20);
    expect(results.error).toBeGreaterThan(MUTATIONS / 20);
  });

  it.each(CASES)('%s survives text that is changed or cut off', (name, reader, validInputs) => {
    const random = seeded(SEED + 1);
    const results = { map: 0, error: 0 };
    for (let run = 0; run < MUTATIONS; run++) {
      let text = JSON.stringify(validInputs[run % validInputs.length]);
      for (let changes = 1 + Math.floor(random() * 2); changes > 0; changes--) {
        const at = Math.floor(random() * text.length),
          to = at + Math.floor(random() * 8),
          kind = random();
        const letter = '0123456789.-eE"[]{},:nulltrue xyz\u0000\u00e9'[Math.floor(random() * 39)];
        if (kind < 0.5) text = text.slice(0, at) + letter + text.slice(at + 1);
        else if (kind < 0.7) text = text.slice(0, at) + letter + text.slice(at);
        else if (kind < 0.9) text = text.slice(0, at) + text.slice(to);
        else text = text.slice(0, at);
      }
      results[check(name, reader, text)]++;
    }
    expect(results.map).toBeGreaterThan(MUTATIONS / 50);
    expect(results.error).toBeGreaterThan(MUTATIONS / 20);
  });

  it('parseSvg survives text that is changed or cut off', () => {
    const random = seeded(SEED + 3);
    const good = [
      `<svg viewBox="0 0 100 60"><style>.a{fill:none;stroke:#000} #b{display:none}</style><defs><g id="u"><rect width="9" height="9"/></g></defs>
        <path d="M0 0h80v50h-80z M10 10c9-3 4 5 9 9S20 30 5 9a3 4 9 1 0 9 9z"/><g class="walls"><use href="#u" x="5" transform="rotate(9) scale(2)"/>
        <polyline class="a" points="1,2 3 4 9 9" stroke-width="2"/></g><circle cx="9%" cy="1" r="2mm"/></svg>`,
    ];
    const results = { map: 0, error: 0 };
    for (let run = 0; run < MUTATIONS; run++) {
      let text = good[run % good.length]!;
      for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
        const at = Math.floor(random() * text.length);
        const letter = '0123456789.-eE%"<>/=&;#{}()MZaAcCqQ xyz\u0000\u00e9'[Math.floor(random() * 43)];
        const kind = random();
        if (kind < 0.5) text = text.slice(0, at) + letter + text.slice(at + 1);
        else if (kind < 0.7) text = text.slice(0, at) + letter + text.slice(at);
        else if (kind < 0.97) text = text.slice(0, at) + text.slice(at + Math.floor(random() * 8));
        else text = text.slice(0, at);
      }
      results[check('parseSvg', (input) => parseSvg(input as string), text)]++;
    }
    expect(results.map).toBeGreaterThan(MUTATIONS / 10);
    expect(results.error).toBeGreaterThan(MUTATIONS / 20);
  });

  it('polygonsFromGrid survives arguments of any kind', () => {
    const random = seeded(SEED + 2);
    const any = (...usual: unknown[]): unknown => {
      const from = random() < 0.85 ? usual : STRANGE;
      return from[Math.floor(random() * from.length)];
    };
    const results = { map: 0, error: 0 };
    for (let run = 0; run < MUTATIONS; run++) {
      const cells = any([1, 1, 0, 1], [true, false, 1, 0, 1, 1], Uint8Array.of(1, 1, 1, 1), [
        1,
        1,
        1,
        STRANGE[run % STRANGE.length],
      ]);
      const options =
        random() < 0.5
          ? undefined
          : { cellSize: any(1, 0.5), diagonal: any(false, true, 0.3), origin: any([0, 0], [1, 2]) };
      results[
        check(
          'polygonsFromGrid',
          () => {
            const map = polygonsFromGrid(cells as never, any(2, 4, 3) as never, any(2, 1) as never, options as never);
            return map.polygons.length > 0
              ? map
              : {
                  ...map,
                  polygons: [
                    {
                      outline: [
                        [0, 0],
                        [1, 0],
                        [0, 1],
                      ],
                      holes: [],
                    },
                  ],
                };
          },
          {},
        )
      ]++;
    }
    expect(Math.min(results.map, results.error)).toBeGreaterThan(MUTATIONS / 20);
  });
});
