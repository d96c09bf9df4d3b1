import { deflateSync } from 'node:zlib';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../../../src/formats/text/base64.ts';
import type { ParsedMap } from '../../../src/formats/maps/map.ts';
import { doubleArea } from '../../../src/formats/maps/rings.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { COLLIDES, FREE, TILESET, WALKABLE, mapOf, objects, tiles } from './tiled-file.ts';

const RECTANGLE = [
  [0, 0],
  [64, 0],
  [64, 48],
  [0, 48],
];
const bytesOf = (gids: number[]): Buffer => Buffer.from(Uint32Array.from(gids).buffer);

/** Returns the area of the walkable surface that the builder leaves. */
function groundArea(map: ParsedMap): number {
  const { navMesh } = buildFromPolygons(map);
  let area = 0;
  for (let p = 0; p < navMesh.polyCount; p++) {
    const first = navMesh.polyEdgeStart[p],
      count = navMesh.polyVertexCount[p];
    const ring = Array.from({ length: count }, (_, k): [number, number] => {
      const v = 3 * navMesh.edgeVertex[first + k];
      return [navMesh.vertices[v], navMesh.vertices[v + 2]];
    });
    area += Math.abs(doubleArea(ring)) / 2;
  }
  return area;
}

describe('object layers', () => {
  it('reads rectangles, polygons, rotation, offsets and scale', () => {
    const { polygons, obstacles, warnings } = parseTiled(
      mapOf([
        objects(
          { x: 10, y: 20, width: 5, height: 4 },
          { x: 10, y: 20, width: 5, height: 4, rotation: 90 },
          {
            x: 1,
            y: 1,
            polygon: [
              { x: 0, y: 0 },
              { x: 8, y: 0 },
              { x: 0, y: 8 },
            ],
            rotation: 180,
          },
        ),
      ]),
    );
    expect(polygons).toEqual([{ outline: RECTANGLE, holes: [] }]);
    expect(obstacles).toEqual([
      [
        [10, 20],
        [15, 20],
        [15, 24],
        [10, 24],
      ],
      [
        [10, 20],
        [10, 25],
        [6, 25],
        [6, 20],
      ],
      [
        [1, 1],
        [-7, 1],
        [1, -7],
      ],
    ]);
    expect(warnings).toEqual([]);
    const inner = { ...objects({ x: 0, y: 0, width: 2, height: 2 }), offsetx: 1, offsety: 2 };
    const group = {
      type: 'group',
      name: 'outer',
      offsetx: 10,
      offsety: 20,
      layers: [{ type: 'group', name: 'inner', layers: [inner] }],
    };
    expect(parseTiled(mapOf([group]), { scale: 0.5 })).toMatchObject({
      polygons: [{ outline: RECTANGLE.map(([x, y]) => [x! / 2, y! / 2]) }],
      obstacles: [
        [
          [5.5, 11],
          [6.5, 11],
          [6.5, 12],
          [5.5, 12],
        ],
      ],
    });
  });

  it('approximates ellipses and capsules: around obstacles, inside walkable shapes, within the tolerance', () => {
    for (const [width, height] of [
      [40, 40],
      [40, 10],
      [3, 200],
    ] as const) {
      for (const tolerance of [0.01, 0.5, 5]) {
        const shape = { x: 100, y: 200, width, height, ellipse: true };
        const [ring] = parseTiled(mapOf([objects(shape)]), { tolerance }).obstacles;
        const ground = parseTiled(mapOf([{ ...objects(shape), properties: WALKABLE }]), { tolerance }).polygons[0]
          .outline;
        const unit = ([x, y]: [number, number]): number =>
          Math.hypot((x - 100 - width / 2) / (width / 2), (y - 200 - height / 2) / (height / 2));
        const middle = (ring: [number, number][], i: number): [number, number] => {
          const [a, b] = [ring[i], ring[(i + 1) % ring.length]];
          return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        };
        ring!.forEach((point, i) => {
          expect(unit(point)).toBeGreaterThan(1);
          expect(((unit(point) - 1) * Math.max(width, height)) / 2).toBeLessThanOrEqual(tolerance + 1e-9);
          expect(unit(middle(ring!, i))).toBeCloseTo(1, 12);
        });
        ground.forEach((point, i) => {
          expect(unit(point)).toBeCloseTo(1, 12);
          expect(((1 - unit(middle(ground, i))) * Math.max(width, height)) / 2).toBeLessThanOrEqual(tolerance + 1e-9);
        });
      }
    }
    const [capsule] = parseTiled(mapOf([objects({ x: 0, y: 0, width: 100, height: 20, capsule: true })]), {
      tolerance: 0.01,
    }).obstacles;
    expect(Math.abs(doubleArea(capsule!)) / 2).toBeCloseTo(80 * 20 + Math.PI * 100, 0);
    expect(Math.min(...capsule!.map(([x]) => x))).toBeCloseTo(0, 9);
    expect(Math.max(...capsule!.map(([x]) => x))).toBeCloseTo(100, 9);
  });

  it('leaves out shapes without area, and selects obstacles by property', () => {
    const { obstacles, warnings } = parseTiled(
      mapOf([
        objects(
          { x: 1, y: 1, point: true },
          { x: 1, y: 1, text: { text: 'hi' }, width: 9, height: 9 },
          { x: 0, y: 0 },
          { x: 0, y: 0, width: 3, height: 3, properties: FREE },
          { x: 7, y: 0, width: 1, height: 1 },
        ),
        {
          ...objects({ x: 0, y: 0, width: 5, height: 5 }, { x: 0, y: 0, width: 6, height: 6, properties: COLLIDES }),
          name: 'decoration',
          properties: FREE,
        },
        { type: 'imagelayer', name: 'sky', image: 'sky.png' },
        { ...objects({ x: 0, y: 0, polyline: [] }), name: 'roads' },
      ]),
    );
    expect(obstacles.map(([, [x]]) => x)).toEqual([8, 6]);
    expect(warnings).toEqual([
      {
        code: 'shape-without-area',
        count: 1,
        message: 'Tiled map, layer "walls", object 2 (id 3): a shape without a size has no area; left out',
      },
      {
        code: 'not-an-area',
        count: 1,
        message: 'Tiled map, layer "roads", object 0 (id 1): a polyline has no area; left out',
      },
    ]);
    const solid = [{ name: 'solid', type: 'bool', value: false }];
    expect(
      parseTiled(mapOf([objects({ x: 0, y: 0, width: 3, height: 3, properties: solid })]), {
        collisionProperty: 'solid',
      }).obstacles,
    ).toEqual([]);
  });

  it('finds walkable layers by name, by property and by group', () => {
    const room = {
      ...objects({ x: 0, y: 0, width: 30, height: 30 }, { x: 5, y: 5, width: 5, height: 5, properties: COLLIDES }),
      name: 'rooms',
    };
    const wanted = {
      polygons: [
        {
          outline: [
            [0, 0],
            [30, 0],
            [30, 30],
            [0, 30],
          ],
          holes: [],
        },
      ],
      obstacles: [
        [
          [5, 5],
          [10, 5],
          [10, 10],
          [5, 10],
        ],
      ],
      yAxis: 'down',
      warnings: [],
      layerReports: [expect.objectContaining({ layer: 'rooms', mark: 'floor', blocking: 1, free: 0 })],
    };
    expect(parseTiled(mapOf([room]), { walkable: ['rooms'] })).toEqual(wanted);
    expect(parseTiled(mapOf([{ ...room, properties: WALKABLE }]))).toEqual(wanted);
    expect(parseTiled(mapOf([{ type: 'group', name: 'all', layers: [room] }]), { walkable: ['all'] })).toEqual(wanted);
    expect(() => parseTiled(mapOf([room]), { walkable: ['room'] })).toThrow(
      'parseTiled: Tiled map: has no layer "room", which is named walkable; its layers are "rooms"',
    );
  });

  it('places tile objects at their lower left corner, rotated, scaled and flipped', () => {
    const at = (gid: number, more: object = {}): number[][][] =>
      parseTiled(mapOf([objects({ gid, x: 20, y: 40, width: 16, height: 16, ...more })])).obstacles;
    const thing = { ...objects({ gid: 1, x: 20, y: 40, width: 16, height: 16 }), name: 'things' };
    expect(parseTiled(mapOf([thing])).obstacles).toEqual([]);
    expect(at(1, { properties: FREE })).toEqual([]);
    expect(at(1)).toEqual([
      [
        [20, 24],
        [36, 24],
        [36, 40],
        [20, 40],
      ],
    ]);
    expect(at(2)).toEqual([
      [
        [20, 24],
        [36, 24],
        [36, 40],
        [20, 40],
      ],
    ]);
    expect(at(3)).toEqual([
      [
        [20, 24],
        [20, 40],
        [36, 40],
      ],
    ]);
    expect(at(3, { width: 32, height: 8 })).toEqual([
      [
        [20, 32],
        [20, 40],
        [52, 40],
      ],
    ]);
    expect(at(3 + 0x80000000)).toEqual([
      [
        [36, 24],
        [36, 40],
        [20, 40],
      ],
    ]);
    expect(at(3, { rotation: 90 })).toEqual([
      [
        [36, 40],
        [20, 40],
        [20, 56],
      ],
    ]);
    expect(at(3, { properties: FREE })).toEqual([]);
    expect(at(5)).toEqual([]);
  });
});

describe('tile layers', () => {
  const wall = [1, 2, 1, 1, 1, 2, 0, 1, 1, 1, 1, 1];

  it('cuts colliding tiles out of the surface; reads Base64, chunks and full shapes', () => {
    const wanted = parseTiled(mapOf([tiles(wall)]));
    expect(wanted).toEqual({
      polygons: [
        {
          outline: [
            [16, 0],
            [16, 32],
            [32, 32],
            [32, 0],
            [64, 0],
            [64, 48],
            [0, 48],
            [0, 0],
          ],
          holes: [],
        },
      ],
      obstacles: [],
      yAxis: 'down',
      warnings: [],
      layerReports: [
        {
          layer: 'tiles',
          kind: 'tiles',
          mark: '',
          blocking: 2,
          blockingShare: 0.1667,
          free: 9,
          freeShare: 0.75,
          classes: [],
        },
      ],
    });
    expect(parseTiled(mapOf([tiles(wall.map((gid) => (gid === 2 ? 4 : gid)))]))).toEqual(wanted);
    expect(parseTiled(mapOf([tiles(wall.map((gid) => (gid === 2 ? 2 + 0xe0000000 : gid)))]))).toEqual(wanted);
    const base64 = { encoding: 'base64', compression: '' };
    expect(parseTiled(mapOf([tiles(bytesOf(wall).toString('base64'), base64)]))).toEqual(wanted);
    const zlib = tiles(deflateSync(bytesOf(wall)).toString('base64'), { ...base64, compression: 'zlib' });
    expect(() => parseTiled(mapOf([zlib]))).toThrow(
      'layer "tiles": is compressed (zlib); choose CSV or Base64 (uncompressed) as the tile layer format',
    );
    expect(parseTiled(mapOf([zlib]), { decompress: (bytes) => inflateSync(bytes) })).toEqual(wanted);
    // The same map, two cells to the left and one up, in two chunks.
    const rows = (x: number): number[] => [0, 1, 2].flatMap((y) => [wall[4 * y + x], wall[4 * y + x + 1]]);
    const chunks = [0, 2].map((x) => ({ x: x - 2, y: -1, width: 2, height: 3, data: rows(x) }));
    const infinite = parseTiled(mapOf([{ type: 'tilelayer', name: 'tiles', chunks }], { infinite: true }));
    const back = infinite.polygons[0].outline.map(([x, y]) => [x + 32, y + 16]);
    expect(back).toEqual(wanted.polygons[0].outline);
  });

  it('flips the shapes of tiles', () => {
    const one = (gid: number): number[][] =>
      parseTiled(mapOf([tiles([0, 0, 0, 0, 0, gid, 0, 0, 0, 0, 0, 0])])).obstacles[0];
    expect(one(3)).toEqual([
      [16, 16],
      [16, 32],
      [32, 32],
    ]);
    expect(one(3 + 0x80000000)).toEqual([
      [32, 16],
      [32, 32],
      [16, 32],
    ]);
    expect(one(3 + 0x40000000)).toEqual([
      [16, 32],
      [16, 16],
      [32, 16],
    ]);
    expect(one(3 + 0x20000000)).toEqual([
      [16, 16],
      [32, 16],
      [32, 32],
    ]);
    // A quarter turn clockwise is a diagonal flip, then one in x.
    expect(one(3 + 0xa0000000)).toEqual([
      [32, 16],
      [16, 16],
      [16, 32],
    ]);
    expect(parseTiled(mapOf([tiles([5, ...Array<number>(11).fill(0)])])).obstacles).toEqual([]);
  });

  it('selects blocking layers, layers with an offset, and walkable layers', () => {
    const hedge = [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0];
    expect(groundArea(parseTiled(mapOf([tiles(hedge, { properties: COLLIDES })])))).toBe(64 * 48 - 2 * 256);
    expect(groundArea(parseTiled(mapOf([tiles(wall, { properties: FREE })])))).toBe(64 * 48 - 2 * 256);
    expect(groundArea(parseTiled(mapOf([tiles(hedge, { properties: FREE })])))).toBe(64 * 48);
    const moved = parseTiled(mapOf([tiles(hedge, { properties: COLLIDES, offsetx: 5, offsety: 1 })]));
    expect(moved.obstacles).toEqual([
      [
        [53, 17],
        [53, 33],
        [21, 33],
        [21, 17],
      ],
    ]);
    // A ring of walls encloses the surface.
    const ring = tiles([1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0], { properties: COLLIDES, offsetx: 0.5 });
    expect(groundArea(parseTiled(mapOf([ring])))).toBe(64 * 48 - 8 * 256);
    const floor = tiles([1, 1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0], { name: 'floor' });
    expect(groundArea(parseTiled(mapOf([floor]), { walkable: ['floor'] }))).toBe(8 * 256);
    expect(
      groundArea(
        parseTiled(mapOf([floor, { ...objects({ x: 48, y: 0, width: 16, height: 8 }), name: 'balcony' }]), {
          walkable: ['floor', 'balcony'],
        }),
      ),
    ).toBe(8 * 256 + 128);
  });

  it('reads external tilesets', () => {
    const { firstgid, ...body } = TILESET;
    const map = mapOf([tiles(wall)], { tilesets: [{ firstgid, source: 'a/ground.tsj' }] });
    const wanted = parseTiled(mapOf([tiles(wall)]));
    const asked: string[] = [];
    for (const given of [body, JSON.stringify(body), new TextEncoder().encode(JSON.stringify(body))]) {
      expect(parseTiled(map, { tileset: (source) => (asked.push(source), given) })).toEqual(wanted);
    }
    expect(asked[0]).toBe('a/ground.tsj');
    expect(parseTiled(map).warnings).toMatchObject([
      {
        code: 'tileset-missing',
        count: 1,
        message:
          'Tiled map: 1 tileset in other files was not given: a/ground.tsj (11 tiles); their tiles block only on layers ' +
          'of walls. Put the files next to the map, or embed them',
      },
      { code: 'nothing-blocks' },
    ]);
    expect(() => parseTiled(map, { tileset: () => '{' })).toThrow('parseTiled: a/ground.tsj: is not valid JSON');
    expect(parseTiled(mapOf([tiles(wall)], { tilesets: [] })).warnings).toMatchObject([
      { code: 'unknown-tile', count: 2 },
      { code: 'nothing-blocks' },
    ]);
  });
});

describe('isometric maps', () => {
  const iso = { orientation: 'isometric', tilewidth: 32, tileheight: 16 };

  it('places objects as drawn, or along the grid', () => {
    const layers = [objects({ x: 16, y: 0, width: 16, height: 32 })];
    expect(parseTiled(mapOf(layers, iso))).toMatchObject({
      polygons: [
        {
          outline: [
            [48, 0],
            [112, 32],
            [64, 56],
            [0, 24],
          ],
        },
      ],
      obstacles: [
        [
          [64, 8],
          [80, 16],
          [48, 32],
          [32, 24],
        ],
      ],
    });
    expect(parseTiled(mapOf(layers, iso), { space: 'grid' })).toMatchObject({
      polygons: [
        {
          outline: [
            [0, 0],
            [64, 0],
            [64, 48],
            [0, 48],
          ],
        },
      ],
      obstacles: [
        [
          [16, 0],
          [32, 0],
          [32, 32],
          [16, 32],
        ],
      ],
    });
  });

  it('reads tile layers, and shapes on tiles', () => {
    const cells = tiles([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(groundArea(parseTiled(mapOf([cells], iso)))).toBe(11 * 256);
    expect(groundArea(parseTiled(mapOf([cells], iso), { space: 'grid' }))).toBe(11 * 256);
    // Cell (1, 0) has its upper corner at (64, 8) and its box from (48, 8) to (80, 24). The image is 16 high.
    expect(parseTiled(mapOf([tiles([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])], iso)).obstacles).toEqual([
      [
        [48, 8],
        [48, 24],
        [64, 24],
      ],
    ]);
    const drawn = {
      ...TILESET,
      grid: { orientation: 'isometric', width: 32, height: 16 },
      tilewidth: 32,
      tileheight: 64,
    };
    // The whole cell, along its axes, is the diamond at the foot of the image.
    expect(
      parseTiled(mapOf([tiles([0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])], { ...iso, tilesets: [drawn] })).obstacles,
    ).toEqual([
      [
        [64, 8],
        [80, 16],
        [64, 24],
        [48, 16],
      ],
    ]);
  });
});

describe('invalid maps', () => {
  it.each([
    ['{"type":"map",', 'Tiled map: is not valid JSON ('],
    [{ type: 'tileset' }, 'Tiled map: has the type "tileset", must be a map'],
    [
      mapOf([], { orientation: 'oblique' }),
      'Tiled map: has the orientation "oblique"; orthogonal, isometric, staggered and hexagonal maps are read',
    ],
    [mapOf([], { orientation: undefined }), 'has the orientation missing'],
    [mapOf([], { width: 0 }), 'Tiled map, width: is 0, must be a whole number from 1 to'],
    [mapOf([], { tilewidth: 1.5 }), 'Tiled map, tilewidth: is 1.5, must be a whole number'],
    [mapOf([], { layers: {} }), 'Tiled map, layers: is an object, must be an array'],
    [mapOf([], { tilesets: [{}] }), 'Tiled map, tileset 0, firstgid: is missing'],
    [mapOf([], { tilesets: [{ firstgid: 1, tiles: { 0: 7 } }] }), 'tileset 0, tile 0: is 7, must be an object'],
    [mapOf([null as never]), 'Tiled map, layer 0: is null, must be an object'],
    [mapOf([{ type: 'portal', name: 'x' }]), 'layer "x": has the type "portal"'],
    [mapOf([{ type: 'objectgroup', name: 'x' }]), 'layer "x", objects: is missing, must be an array'],
    [
      mapOf([objects({ x: NaN, y: 0, width: 1, height: 1 })]),
      'layer "walls", object 0 (id 1), x: is NaN, must be a finite number',
    ],
    [
      mapOf([objects({ x: 0, y: 0, width: -1, height: 1, name: 'box' })]),
      'layer "walls", object 0 (id 1) "box": is -1 x 1 large',
    ],
    [
      mapOf([objects({ x: 0, y: 0, polygon: [{ x: 0, y: 0 }, { x: 1 }] })]),
      'object 0 (id 1), polygon, point 1: is an object, must be two finite numbers',
    ],
    [
      mapOf([objects({ x: 0, y: 0, polygon: [{ x: 0, y: 0 }] })]),
      'object 0 (id 1), polygon: has 1 point(s), must have at least 3',
    ],
    [mapOf([objects({ gid: 1.5 })]), 'object 0 (id 1), gid: is 1.5'],
    [mapOf([tiles([1])]), 'layer "tiles", data: has 1 tiles, must have 12'],
    [mapOf([tiles([], { width: 1e9 })]), 'layer "tiles", width: is 1000000000, but the map\'s is 4'],
    [
      mapOf([tiles([1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])]),
      'layer "tiles", tile 1: is -1, must be a whole number from 0 to 4294967295',
    ],
    [mapOf([tiles('AAAA', { encoding: 'base64' })]), 'layer "tiles", data: has 3 bytes, must have 48'],
    [mapOf([tiles('AA!A', { encoding: 'base64' })]), 'layer "tiles", data: is not Base64, or is cut off'],
    [mapOf([tiles('1,2', { encoding: 'csv' })]), 'layer "tiles": has the encoding "csv", must be csv or base64'],
    [mapOf([tiles(Array<number>(12).fill(2))]), 'has a tile that blocks on every cell, so nothing is walkable'],
    [mapOf([], { infinite: true }), 'is infinite and has no tiles, so its area is not known'],
    [
      mapOf(
        [{ type: 'tilelayer', name: 'a', chunks: [0, 9e6].map((x) => ({ x, y: x, width: 1, height: 1, data: [1] })) }],
        { infinite: true },
      ),
      'has chunks over 9000001 x 9000001 tiles',
    ],
    [
      mapOf([{ type: 'tilelayer', name: 'a', chunks: [{ x: 0, y: 0, width: 16, height: 1, data: [1] }] }], {
        infinite: true,
      }),
      'layer "a", chunk 0, data: has 1 tiles, must have 16',
    ],
    [mapOf([{ ...objects(), properties: WALKABLE }]), 'has walkable layers, but nothing on them'],
    [
      mapOf([JSON.parse(`${'{"type":"group","layers":['.repeat(80)}${']}'.repeat(80)}`)]),
      'has groups in groups 64 deep',
    ],
  ])('%# are refused', (map, message) => {
    const call = (): unknown => parseTiled(map as string);
    expect(call).toThrow(message);
    expect(call).toThrow(/^parseTiled: Tiled map.{0,300}$/);
  });

  it('refuses wrong arguments', () => {
    expect(() => parseTiled(mapOf([]), { scale: 0 })).toThrow(
      new RangeError('parseTiled: options.scale is 0; must be > 0'),
    );
    expect(() => parseTiled(mapOf([]), { walkable: 'floor' as never })).toThrow(TypeError);
    expect(() => parseTiled(mapOf([]), { space: 'iso' as never })).toThrow(RangeError);
    expect(() => parseTiled(undefined as never)).toThrow('parseTiled: the first argument is missing; must be');
  });
});

it('decodes Base64', () => {
  for (let length = 0; length < 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 73 + length * 31) & 255);
    expect([
      ...decodeBase64(
        Buffer.from(bytes)
          .toString('base64')
          .replace(/(.{7})/g, '$1\r\n '),
      )!,
    ]).toEqual([...bytes]);
  }
  for (const bad of ['A', 'AA=', 'AB=C', 'A===', 'AAA\u00e9', 'AA-_']) expect(decodeBase64(bad)).toBeUndefined();
});
