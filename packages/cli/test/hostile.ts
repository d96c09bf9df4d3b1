/** Small files that need much memory or work, for tests of the limits. Each comes with its command and the expected message. */
import { deflateSync } from 'node:zlib';

export interface HostileCase {
  name: string;
  file: string;
  contents: string | Uint8Array;
  /** Further files next to it. */
  beside?: Readonly<Record<string, string | Uint8Array>>;
  /** Arguments of `bake` besides the file and its output. */
  args?: readonly string[];
  /** Expected text of the message; undefined: the file is baked, in time. */
  says?: RegExp;
}

type Gltf = Record<string, unknown>;

const TRIANGLE = new Uint8Array(new Float32Array([0, 0, 0, 0, 0, 9, 9, 0, 0]).buffer);
const dataUri = (bytes: Uint8Array): string =>
  `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

/** Returns a glTF file of one triangle, changed by `parts`. */
export function gltfOf(parts: Gltf = {}): Gltf {
  return {
    asset: { version: '2.0' },
    buffers: [{ byteLength: TRIANGLE.length, uri: dataUri(TRIANGLE) }],
    bufferViews: [{ buffer: 0, byteLength: TRIANGLE.length }],
    accessors: [{ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    ...parts,
  };
}

const gltf = (name: string, parts: Gltf, says?: RegExp): HostileCase => ({
  name,
  file: 'level.gltf',
  contents: JSON.stringify(gltfOf(parts)),
  ...(says === undefined ? {} : { says }),
});

const numbered = (count: number, of: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => of(i));

function gltfCases(): HostileCase[] {
  const empty = (count: number): Gltf => ({ componentType: 5126, type: 'VEC3', count });
  const big = 1_000_000_000;
  return [
    gltf(
      'an accessor without data, with a billion elements',
      { accessors: [empty(big)] },
      /accessors\[0\] with 1000000000 elements takes 22\.4 GB/,
    ),
    gltf(
      'a thousand accessors without data',
      {
        accessors: numbered(1000, () => empty(200_000)),
        meshes: [{ primitives: numbered(1000, (i) => ({ attributes: { POSITION: i } })) }],
      },
      /beyond the 1\.00 GB of memoryLimitBytes/,
    ),
    gltf(
      'accessors of one view',
      {
        buffers: [{ byteLength: 12e5, uri: 'zeros.bin' }],
        bufferViews: [{ buffer: 0, byteLength: 12e5 }],
        accessors: numbered(1000, () => ({ ...empty(100_000), bufferView: 0 })),
        meshes: [{ primitives: numbered(1000, (i) => ({ attributes: { POSITION: i } })) }],
      },
      /beyond the 1\.00 GB of memoryLimitBytes/,
    ),
    gltf(
      'a million instances of a thousand vertices',
      {
        accessors: [empty(1000), empty(1_000_000)],
        nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }],
        extensionsUsed: ['EXT_mesh_gpu_instancing'],
      },
      /1000000 instances of "" with 1000 vertices takes/,
    ),
    gltf(
      'a hundred million instances',
      {
        accessors: [empty(3), empty(40_000_000)],
        nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }],
      },
      /40000000 instances of "" takes/,
    ),
    gltf(
      'a mesh of 100,000 vertices at 10,000 nodes',
      {
        accessors: [empty(99_999)],
        nodes: numbered(10_000, () => ({ mesh: 0 })),
        scenes: [{ nodes: numbered(10_000, (i) => i) }],
      },
      /with 99999 vertices takes/,
    ),
    gltf(
      'a node named 100,000 times',
      { scenes: [{ nodes: numbered(100_000, () => 0) }] },
      /scenes\[0\]\.nodes\[1\] is 0, which is in the list already/,
    ),
    gltf('a chain of 100,000 nodes', {
      nodes: numbered(100_000, (i) => (i === 99_999 ? { mesh: 0 } : { children: [i + 1] })),
    }),
    gltf(
      'a chain of 100,000 nodes, all of them in the scene',
      {
        nodes: numbered(100_000, (i) => (i === 99_999 ? { mesh: 0 } : { mesh: 0, children: [i + 1] })),
        scenes: [{ nodes: numbered(100_000, (i) => i) }],
      },
      /scenes\[0\]\.nodes\[1\] is 1, which is a child of node 0/,
    ),
    gltf(
      'a circle of 100,000 nodes',
      { nodes: numbered(100_000, (i) => ({ children: [(i + 1) % 100_000] })) },
      /nodes\[0\] is its own ancestor/,
    ),
    gltf(
      'a stride of 1',
      { bufferViews: [{ buffer: 0, byteLength: 36, byteStride: 1 }], accessors: [{ ...empty(25), bufferView: 0 }] },
      /bufferViews\[0\]\.byteStride is 1; must be >= 12/,
    ),
    gltf(
      'a stride of 0',
      { bufferViews: [{ buffer: 0, byteLength: 36, byteStride: 0 }], accessors: [{ ...empty(1e9), bufferView: 0 }] },
      /bufferViews\[0\]\.byteStride is 0/,
    ),
    gltf(
      'sparse indices out of range',
      {
        buffers: [{ byteLength: 40, uri: dataUri(new Uint8Array([...TRIANGLE, 255, 255, 255, 255])) }],
        bufferViews: [
          { buffer: 0, byteLength: 36 },
          { buffer: 0, byteOffset: 36, byteLength: 4 },
        ],
        accessors: [
          {
            ...empty(3),
            sparse: { count: 1, indices: { bufferView: 1, componentType: 5125 }, values: { bufferView: 0 } },
          },
        ],
      },
      /accessors\[0\]\.sparse\.indices has a wrong index at position 0/,
    ),
    gltf(
      'more sparse elements than elements',
      {
        accessors: [
          {
            ...empty(3),
            sparse: { count: 1e9, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 0 } },
          },
        ],
      },
      /accessors\[0\]\.sparse\.count is 1000000000/,
    ),
    gltf(
      'an index of a billion',
      {
        buffers: [
          {
            byteLength: 48,
            uri: dataUri(new Uint8Array([...TRIANGLE, ...new Uint8Array(new Uint32Array([0, 1, 1e9]).buffer)])),
          },
        ],
        bufferViews: [
          { buffer: 0, byteLength: 36 },
          { buffer: 0, byteOffset: 36, byteLength: 12 },
        ],
        accessors: [
          { ...empty(3), bufferView: 0 },
          { bufferView: 1, componentType: 5125, type: 'SCALAR', count: 3 },
        ],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
      },
      /the index at position 2 of "" is out of range: it has 3 vertices/,
    ),
    gltf(
      'a view that decodes to 4 GB',
      {
        bufferViews: [
          {
            buffer: 0,
            byteLength: 4e9,
            extensions: {
              EXT_meshopt_compression: { buffer: 0, byteLength: 36, byteStride: 4, count: 1e9, mode: 'ATTRIBUTES' },
            },
          },
        ],
        extensionsUsed: ['EXT_meshopt_compression'],
      },
      /bufferViews\[0\] with 1000000000 elements takes/,
    ),
    {
      name: 'a million open brackets',
      file: 'level.gltf',
      contents: `{"asset":${'['.repeat(1e6)}`,
      says: /not JSON either \(line 1, column 1000010: the text ends too early\)/,
    },
    {
      name: 'nested a million times, in an unused part',
      file: 'level.gltf',
      contents: JSON.stringify(gltfOf()).replace('{', `{"extras":${'['.repeat(1e6)}${']'.repeat(1e6)},`),
    },
  ].map((one) =>
    one.name === 'accessors of one view' ? { ...one, beside: { 'zeros.bin': new Uint8Array(12e5) } } : one,
  );
}

const square = (x: number, y: number, w: number, h: number): number[][] => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

const map = (name: string, value: unknown, says?: RegExp, file = 'map.json'): HostileCase => ({
  name,
  file,
  contents: JSON.stringify(value),
  ...(says === undefined ? {} : { says }),
});

const tiled = (name: string, value: Record<string, unknown>, says?: RegExp): HostileCase =>
  map(
    name,
    { orientation: 'orthogonal', width: 4, height: 4, tilewidth: 16, tileheight: 16, layers: [], ...value },
    says,
    'map.tmj',
  );

const layer = (value: Record<string, unknown>): Record<string, unknown> => ({
  type: 'tilelayer',
  name: 'a',
  width: 4,
  height: 4,
  ...value,
});

function mapCases(): HostileCase[] {
  const zeros = (bytes: number): string => deflateSync(new Uint8Array(bytes), { level: 9 }).toString('base64');
  const many = (n: number): number[][][] =>
    Array.from({ length: n }, (_, i) => [
      square(0.5, i + 0.25 + 1e-4 * (i % 7), n - 1, 0.5),
      square(i + 0.25, 0.5, 0.5 + 1e-4 * (i % 5), n - 1),
    ]).flat();
  const star = (n: number): number[][] =>
    Array.from({ length: n }, (_, i) => [
      Math.cos((2 * Math.PI * i * (n - 1)) / 2 / n) * 1000,
      Math.sin((2 * Math.PI * i * (n - 1)) / 2 / n) * 1000,
    ]);
  // Points on both sides of a gap, and thin rings along the gap: each ring crosses the edges between all points.
  const gap = (n: number): number[][][] => [
    ...Array.from({ length: n }, (_, i) => square(i, 0, 0.25, 0.25)),
    ...Array.from({ length: n }, (_, i) => square(-10, 1 + i / n, n + 20, 0.25 / n)),
  ];
  const shape = Array.from({ length: 1000 }, (_, i) => ({ x: 8 + Math.cos(i) * 8, y: 8 + Math.sin(i) * 8 }));
  return [
    map(
      'overlaps of 6,000 obstacles',
      { outline: square(0, 0, 3000, 3000), obstacles: many(3000) },
      /its rings cross \d+ times or more/,
    ),
    map('a ring that crosses itself a million times', { outline: star(2001) }, /its rings cross \d+ times or more/),
    map(
      'rings in a gap',
      { outline: square(-20, -20, 30_040, 40), obstacles: gap(8000) },
      /takes .* of memoryLimitBytes|$/,
    ),
    map('two lines of 50,000 points', {
      outline: [
        ...Array.from({ length: 50_000 }, (_, i) => [i, 0]),
        ...Array.from({ length: 50_000 }, (_, i) => [50_000 - i, 30_000]),
      ],
    }),
    map('3,000 holes outside', {
      polygons: [
        {
          outline: star(2).concat(Array.from({ length: 8000 }, (_, i) => [i, 5e4 + (i % 2)])),
          holes: Array.from({ length: 3000 }, (_, i) => square(3 * i, -50, 1, 1)),
        },
      ],
    }),
    tiled(
      'a trillion cells',
      { width: 0x100000, height: 0x100000, layers: [layer({ width: 0x100000, height: 0x100000, data: [] })] },
      /1048576 x 1048576 tiles: takes 10 TiB/,
    ),
    tiled(
      'a staggered map of a trillion cells',
      { orientation: 'staggered', staggeraxis: 'x', staggerindex: 'odd', width: 0x100000, height: 0x100000 },
      /an area of 1048576 x 1048576 tiles: takes/,
    ),
    tiled(
      'a billion cells in zlib',
      {
        width: 32_000,
        height: 32_000,
        layers: [layer({ width: 32_000, height: 32_000, encoding: 'base64', compression: 'zlib', data: zeros(1e6) })],
      },
      /32000 x 32000 tiles: takes/,
    ),
    tiled(
      'zlib beyond the size of the map',
      { layers: [layer({ encoding: 'base64', compression: 'zlib', data: zeros(2e8) })] },
      /decompresses to more than the 64 B that the map's size needs/,
    ),
    tiled(
      'two chunks far apart',
      {
        infinite: true,
        layers: [
          layer({
            chunks: [
              { x: 0, y: 0, width: 1, height: 1, data: [0] },
              { x: 6e7, y: 6e7, width: 1, height: 1, data: [0] },
            ],
          }),
        ],
      },
      /has chunks over 60000001 x 60000001 tiles/,
    ),
    tiled(
      'a shape of 1,000 corners in each of 250,000 cells',
      {
        width: 500,
        height: 500,
        tilesets: [
          {
            firstgid: 1,
            tilewidth: 16,
            tileheight: 16,
            tiles: [{ id: 0, objectgroup: { objects: [{ x: 0, y: 0, polygon: shape }] } }],
          },
        ],
        layers: [layer({ width: 500, height: 500, data: new Array(250_000).fill(1) })],
      },
      /a tile whose shapes have 1000 corners, 250000 times: takes/,
    ),
    tiled('100,000 tilesets and 100,000 tiles', {
      width: 1000,
      height: 100,
      tilesets: Array.from({ length: 100_000 }, (_, i) => ({ firstgid: i + 1 })),
      layers: [layer({ width: 1000, height: 100, data: Array.from({ length: 100_000 }, (_, i) => i + 1) })],
    }),
    tiled(
      '100,000 large ellipses',
      {
        layers: [
          {
            type: 'objectgroup',
            objects: Array.from({ length: 40_000 }, () => ({ x: 0, y: 0, width: 1e9, height: 1e9, ellipse: true })),
          },
        ],
      },
      /round shapes of \d+ corners or more: takes/,
    ),
    ...diagonalCases(),
    {
      name: 'a number of 20 million digits in JSON',
      file: 'map.json',
      contents: `{"outline":[[0,0],[${'1'.repeat(2e7)},0],[0,1]]}`,
      says: /outline, point 1: is \[Infinity, 0\]/,
    },
    {
      name: 'a million open brackets in JSON',
      file: 'map.json',
      contents: '['.repeat(1e6),
      says: /is not valid JSON \(line 1, column 1000001: the text ends too early\)/,
    },
  ];
}

/** Maps for the mode 'diagonal', which searches lines between corners. */
function diagonalCases(): HostileCase[] {
  const count = 10_000;
  const across = Array.from({ length: count / 2 }, (_, i) => [i - count / 4, (i - count / 4) ** 2 / count]);
  const arcs = [...across.map(([x, y]) => [x, -y]), ...across.map(([x, y]) => [x, 5 + y]).reverse()];
  const around = (r: number, i: number): number[] => {
    const turn = (2 * Math.PI * i) / (2 * count);
    return [r * Math.cos(turn), r * Math.sin(turn)];
  };
  const outline = square(-2000, -2000, 4000, 4000);
  const wheel = Array.from({ length: count }, (_, i) => [[0, 0], around(1000, 2 * i), around(1000, 2 * i + 1)]);
  const squares = Array.from({ length: count }, (_, i) => square(0, 2 * i, 1, 1));
  const says =
    /takes (1\.\d+ GiB, )?more than the 1 GiB of memoryLimitBytes, since many of its corners see many others/;
  const diagonal = (name: string, value: unknown, message?: RegExp): HostileCase => ({
    ...map(name, value, message),
    args: ['--map-mode', 'diagonal'],
  });
  return [
    diagonal('two arcs of 5,000 corners that face each other', { polygons: [{ outline: arcs }] }, says),
    diagonal('10,000 holes that share a corner', { polygons: [{ outline, holes: wheel }] }, says),
    diagonal('10,000 holes above each other', {
      polygons: [{ outline: square(-1, -1, 3, 2 * count + 2), holes: squares }],
    }),
  ];
}

function objCases(): HostileCase[] {
  const corners = (n: number): string => Array.from({ length: n }, (_, i) => ((i * 7919) % n) + 1).join(' ');
  const vertices = Array.from({ length: 4096 }, (_, i) => `v ${Math.cos(i * i)} 0 ${Math.cos(5 * i + 1)}`).join('\n');
  const faces = Array.from({ length: 12 }, () => `f ${corners(4096)}`).join('\n');
  const obj = (name: string, contents: string, says?: RegExp): HostileCase => ({
    name,
    file: 'level.obj',
    contents,
    ...(says === undefined ? {} : { says }),
  });
  return [
    obj(
      'a number of 20 million digits',
      `v ${'1'.repeat(2e7)} 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n`,
      /level\.obj:1: vertex coordinate "1{32}…" is not a finite number/,
    ),
    obj('a fraction of 20 million digits', `v 0.${'1'.repeat(2e7)} 0 0\nv 9 0 0\nv 0 0 9\nf 3 2 1\n`),
    obj(
      'an index of 20 million digits',
      `v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 ${'9'.repeat(2e7)}\n`,
      /face index .* is out of range/,
    ),
    obj(
      'an index of a billion in OBJ',
      'v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 1000000000\n',
      /face index 1000000000 is out of range/,
    ),
    // The last face ends the work after the polygons are cut: this is about the reader, not about the bake.
    obj(
      '12 polygons of 4,096 corners that cross themselves',
      `${vertices}\n${faces}\nf 1 2 99999\n`,
      /face index 99999 is out of range/,
    ),
    ...surfaceCases().map(([name, triangles]) => ({
      ...obj(name, triangles.map(([a, b, c]) => `v ${a}\nv ${b}\nv ${c}\nf -3 -2 -1`).join('\n'), CROWDED),
      args: ['--surface'],
    })),
    obj('a name of 20 million letters', `o ${'é'.repeat(1e7)}\nv 0 0 0\nv 9 0 0\nv 0 0 9\nf 3 2 1\n`),
  ];
}

const CROWDED =
  /takes (1\.\d+ GiB, )?more than the 1 GiB of memoryLimitBytes, since many of its triangles lie above each other/;

/** A text of corners: many triangles that overlap, seen from above. */
function surfaceCases(): [name: string, triangles: string[][]][] {
  const corner = (x: number, y: number, z: number): string => `${x} ${y} ${z}`;
  const around = (turn: number, y: number): string => corner(50 * Math.cos(turn), y, 50 * Math.sin(turn));
  /** Half squares with their corners within 10 x 10 m. */
  const halves = (count: number, side: number, rise: number): string[][] =>
    Array.from({ length: count }, (_, i) => {
      const [x, y, z] = [((i * 7919) % count) / (count / 10), i * rise, ((i * 104_729) % count) / (count / 10)];
      return [corner(x, y, z), corner(x, y, z + side), corner(x + side, y, z)];
    });
  return [
    ['8,000 triangles on top of each other', halves(8000, 10, 0)],
    ['12,000 large triangles on top of each other', halves(12_000, 100, 0)],
    ['12,000 large triangles, each a little higher', halves(12_000, 100, 0.001)],
    ['12,000 storeys', halves(12_000, 100, 5)],
    [
      '12,000 slivers through one point',
      Array.from({ length: 12_000 }, (_, i) => [around(i, 0), around(i + Math.PI, 0), around(i + Math.PI - 1e-3, 0)]),
    ],
    [
      '12,000 walls on one triangle',
      [
        [corner(-60, 0, -60), corner(-60, 0, 60), corner(60, 0, -60)],
        ...Array.from({ length: 12_000 }, (_, i) => {
          const [x, z] = [((i * 7919) % 12_000) / 600 - 40, ((i * 104_729) % 12_000) / 600 - 40];
          return [corner(x, 0, z), corner(x + 9 * Math.cos(i), 0, z + 9 * Math.sin(i)), corner(x, 2, z)];
        }),
      ],
    ],
  ];
}

/** Settings in YAML that take much work. */
function settingCases(): HostileCase[] {
  const level = { 'level.obj': 'v 0 0 0\nv 9 0 0\nv 0 0 9\nf 3 2 1\n' };
  const yaml = (name: string, contents: string, says: RegExp): HostileCase => ({
    name,
    file: 'bake.yaml',
    contents,
    beside: level,
    args: ['--config'],
    says,
  });
  const bomb = Array.from(
    { length: 12 },
    (_, i) => `a${i}: &a${i} [${i === 0 ? '1' : `${`*a${i - 1}, `.repeat(8)}*a${i - 1}`}]`,
  ).join('\n');
  return [
    yaml('aliases of aliases', bomb, /bake\.yaml/),
    yaml('nested 20,000 times', `levels: ${'['.repeat(2e4)}${']'.repeat(2e4)}`, /bake\.yaml.*nested too deeply/),
    yaml('a number of 4 million digits', `levels: [level.obj]\nmaxEdgeError: ${'1'.repeat(4e6)}`, /bake\.yaml/),
    yaml(
      '5 MB',
      `levels: [level.obj]\n# ${'x'.repeat(5e6)}`,
      /bake\.yaml: has 4\.77 MB or more, and at most 4\.00 MB are read/,
    ),
    yaml('a million entries', `levels: [${'1,'.repeat(1e6)}1]`, /bake\.yaml/),
    yaml(
      'a million faults',
      `levels: [level.obj]\n${Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n')}`,
      /bake\.yaml/,
    ),
  ];
}

/** Lists the cases. */
export function hostileCases(): HostileCase[] {
  return [...gltfCases(), ...mapCases(), ...objCases(), ...settingCases()];
}
