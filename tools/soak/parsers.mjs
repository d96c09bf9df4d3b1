/**
 * `npm run soak -- parsers [--inputs N] [--first SEED] [--seconds S] [--only a,b]`: gives random inputs to every reader of files (default
 * 100,000 inputs) and counts the outcomes.
 *
 * Inputs know the structure of their format: glTF is valid JSON with values of other types, ranges and places, and with random shapes; the
 * lengths of GLB files and the checksums of .navmesh files are repaired; Tiled's layers are compressed again. A reader must give a valid
 * result, or an error of its own that says where the fault is. Anything else fails: an error of the engine, a result that is not valid,
 * or an input that takes more than two seconds of CPU time. The seed of an input repeats it: `--first SEED --inputs 1`.
 *
 * In: the built packages. Out: text; the exit status is 1 when an input failed, 2 for wrong arguments. Cost: about a millisecond an input.
 * Based on: own.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deflateSync, gzipSync, inflateSync } from 'node:zlib';
import { importSource } from '../bundle.mjs';
import { ROOT } from '../files.mjs';

const USAGE = 'usage: npm run soak -- parsers [--inputs N] [--first SEED] [--seconds S] [--only a,b]';
const OPTIONS = {
  inputs: { type: 'string', default: '100000' },
  first: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '3600' },
  only: { type: 'string', default: '' },
};
const MAX_CPU_MS = 2000;
const FILE_FORMAT = join(ROOT, 'packages/navkiln/src/mesh/file/file-format.ts');
/** Texts of JavaScript engines and of other libraries, which no message of a reader has. */
const FOREIGN =
  /call stack|undefined|cannot read|not a function|not iterable|array length|allocation|destructure|is not defined|unexpected token|invalid typed|bigint|bug in navkiln|internal error|zod/i;

/** Returns a generator of numbers in [0, 1) from a seed. */
function stream(seed) {
  let state = Math.imul(seed | 0, 0x9e3779b1);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let h = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
    return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
  };
}

const pick = (next, list) => list[Math.floor(next() * list.length)];
const below = (next, n) => Math.floor(next() * n);

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  4,
  5,
  0.5,
  255,
  256,
  65535,
  65536,
  5120,
  5121,
  5123,
  5125,
  5126,
  2 ** 31,
  2 ** 32,
  1e9,
  1e15,
  2 ** 53,
  1e300,
  -1e300,
  1e-300,
];
const WORDS = [
  '',
  'a',
  'SCALAR',
  'VEC3',
  'VEC4',
  'MAT4',
  'POSITION',
  'TRANSLATION',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
  'group',
  'tilelayer',
  'objectgroup',
  'base64',
  'zlib',
  'isometric',
  'hexagonal',
  'data:,',
  'data:;base64,AAAA',
  '../x',
  'x.bin',
  'constructor',
  '__proto__',
  'toString',
  '\u0000',
  'é',
  '2.0',
  'ATTRIBUTES',
  'TRIANGLES',
  'EXPONENTIAL',
];

/** Returns a random value of JSON. */
function randomJson(next, depth = 3) {
  const kind = next();
  if (depth > 0 && kind < 0.2) return Array.from({ length: below(next, 5) }, () => randomJson(next, depth - 1));
  if (depth > 0 && kind < 0.35) {
    return Object.fromEntries(
      Array.from({ length: below(next, 4) }, () => [pick(next, KEYS), randomJson(next, depth - 1)]),
    );
  }
  if (kind < 0.7) return pick(next, NUMBERS);
  if (kind < 0.85) return pick(next, WORDS);
  return pick(next, [null, true, false, [], {}, [[]], [null], {}]);
}

const KEYS = [
  'asset',
  'buffers',
  'bufferViews',
  'accessors',
  'meshes',
  'primitives',
  'attributes',
  'nodes',
  'children',
  'scenes',
  'scene',
  'extensions',
  'sparse',
  'count',
  'indices',
  'values',
  'POSITION',
  'mode',
  'matrix',
  'uri',
  'byteLength',
  'type',
  'name',
  'layers',
  'objects',
  'polygons',
  'outline',
  'holes',
  'coordinates',
  'geometry',
  'tilesets',
  'x',
  'y',
  'width',
  'height',
  '__proto__',
  'constructor',
];

/** Sets a property, also one named '__proto__'. */
function setOwn(holder, key, value) {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Changes one to three random values of a copy of a value. */
function mutate(next, value) {
  const copy = structuredClone(value);
  for (let changes = 1 + below(next, 3); changes > 0; changes--) {
    let holder = copy;
    for (;;) {
      const keys = Object.keys(holder);
      if (keys.length === 0) break;
      const key = pick(next, keys);
      const inner = holder[key];
      if (typeof inner === 'object' && inner !== null && next() < 0.8) {
        holder = inner;
        continue;
      }
      const kind = next();
      if (kind < 0.15) delete holder[key];
      else if (kind < 0.35 && typeof inner === 'number') holder[key] = inner + pick(next, [-1, 1, 0.5, 4, 12, -4]);
      else if (kind < 0.5 && typeof inner === 'number') holder[key] = pick(next, NUMBERS);
      else if (kind < 0.58 && Array.isArray(holder)) {
        // Not splice, which fails where a mutation has set a key 'constructor'.
        holder.copyWithin(Number(key), Number(key) + 1);
        if (holder.length > 0) holder.length--;
      } else if (kind < 0.66 && Array.isArray(holder) && holder.length < 500) holder.push(...structuredClone(holder));
      else if (kind < 0.74) holder[key] = [inner];
      else if (kind < 0.8) setOwn(holder, pick(next, KEYS), inner);
      else holder[key] = randomJson(next);
      break;
    }
  }
  return copy;
}

/** Changes bytes or characters of a text. */
function mutateText(next, text, letters) {
  let out = text;
  for (let changes = 1 + below(next, 4); changes > 0; changes--) {
    const at = below(next, out.length + 1);
    const to = at + below(next, 8);
    const kind = next();
    const piece = pick(next, letters);
    if (kind < 0.35) out = out.slice(0, at) + piece + out.slice(at + 1);
    else if (kind < 0.65) out = out.slice(0, at) + piece + out.slice(at);
    else if (kind < 0.8) out = out.slice(0, at) + out.slice(to);
    else if (kind < 0.93) out = out.slice(0, at) + out.slice(at, to).repeat(1 + below(next, 20)) + out.slice(to);
    else out = out.slice(0, at);
  }
  return out;
}

const JSON_LETTERS = [...'0123456789.-eE"[]{},: ', 'null', 'true', '\\u00', '\u0000', '[[', '}}', '1e999', '"a":'];

// ---- glTF

function gltfSeeds() {
  const floats = (...list) => Buffer.from(new Float32Array(list).buffer);
  const positions = floats(0, 0, 0, 0, 0, 9, 9, 0, 0, 9, 0, 9);
  const indices = Buffer.from(new Uint16Array([0, 1, 2, 2, 1, 3]).buffer);
  const places = floats(0, 0, 0, 20, 0, 0, 40, 1, 0);
  const bin = Buffer.concat([positions, indices, places, Buffer.from([1, 0, 2, 0])]);
  const plain = {
    asset: { version: '2.0' },
    extensionsUsed: ['EXT_mesh_gpu_instancing'],
    buffers: [{ byteLength: bin.length }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48, byteStride: 12 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
      { buffer: 0, byteOffset: 60, byteLength: 36 },
      { buffer: 0, byteOffset: 96, byteLength: 4 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: 4 },
      { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 6 },
      { bufferView: 2, componentType: 5126, type: 'VEC3', count: 3 },
      {
        componentType: 5126,
        type: 'VEC3',
        count: 4,
        sparse: {
          count: 2,
          indices: { bufferView: 3, componentType: 5123 },
          values: { bufferView: 0, byteOffset: 12 },
        },
      },
    ],
    materials: [{ name: 'm', doubleSided: true }],
    meshes: [
      { name: 'a', primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] },
      {
        primitives: [
          { attributes: { POSITION: 3 }, mode: 5 },
          { attributes: { POSITION: 0 }, mode: 6, targets: [{}] },
        ],
      },
    ],
    nodes: [
      { name: 'root', children: [1, 2], translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 1, -1] },
      { mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } } },
      { mesh: 1, skin: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1] },
    ],
    scenes: [{ nodes: [0] }],
    scene: 0,
  };
  const packed = structuredClone(plain);
  packed.bufferViews[0].extensions = {
    EXT_meshopt_compression: { buffer: 0, byteOffset: 0, byteLength: 90, byteStride: 12, count: 4, mode: 'ATTRIBUTES' },
  };
  const draco = structuredClone(plain);
  draco.meshes[0].primitives[0].extensions = {
    KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } },
  };
  return { bin, plain, packed, draco };
}

/** Returns a GLB with these chunks. Lengths are right unless `next` decides otherwise. */
function glbOf(next, json, bin) {
  const text = Buffer.from(JSON.stringify(json));
  const first = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 32)]);
  const bytes = Buffer.alloc(28 + first.length + bin.length);
  const words = [0x46546c67, 2, bytes.length, first.length, 0x4e4f534a];
  words.forEach((word, i) => bytes.writeUInt32LE(word, 4 * i));
  first.copy(bytes, 20);
  bytes.writeUInt32LE(bin.length, 20 + first.length);
  bytes.writeUInt32LE(0x004e4942, 24 + first.length);
  bin.copy(bytes, 28 + first.length);
  if (next() < 0.1)
    bytes.writeUInt32LE(
      pick(next, [0, 1, 4, 12, 0xffffffff, bytes.length + 1, below(next, 200)]),
      pick(next, [0, 4, 8, 12, 16, 20 + first.length]),
    );
  return next() < 0.05 ? bytes.subarray(0, below(next, bytes.length)) : bytes;
}

function gltfParser(readLevelFile) {
  const { bin, plain, packed, draco } = gltfSeeds();
  return {
    name: 'glTF',
    make(next) {
      const kind = next();
      const seed = kind < 0.9 ? plain : kind < 0.99 ? packed : draco;
      const json = next() < 0.08 ? { asset: { version: '2.0' }, ...randomJson(next, 5) } : mutate(next, seed);
      const data = Buffer.from(bin);
      if (next() < 0.3) for (let i = below(next, 6); i > 0; i--) data[below(next, data.length)] = below(next, 256);
      if (next() < 0.6) return { file: 'level.glb', bytes: glbOf(next, json, data) };
      const first = json.buffers?.[0];
      if (typeof first === 'object' && first !== null && !('uri' in first)) {
        first.uri =
          next() < 0.9
            ? `data:application/octet-stream;base64,${data.toString('base64')}`
            : pick(next, ['x.bin', '../x.bin', '%2e%2e/x', '/x', 'http://x', 'data:', '']);
      }
      let text = JSON.stringify(json);
      if (next() < 0.1) text = mutateText(next, text, JSON_LETTERS);
      return { file: 'level.gltf', bytes: Buffer.from(text) };
    },
    async run({ file, bytes }) {
      const beside = () => bin;
      checkLevel(await readLevelFile(bytes, file, { beside }));
    },
    isOwn: (error) => error.name === 'InputError' && error.message.startsWith('level.gl'),
  };
}

function checkLevel({ positions, indices }) {
  const count = positions.length / 3;
  if (indices.length === 0 || indices.length % 3 !== 0) throw new Error('INVALID: no triangles');
  for (const index of indices) if (index >= count) throw new Error('INVALID: index out of range');
  for (const value of positions) if (!Number.isFinite(value)) throw new Error('INVALID: not finite');
}

// ---- OBJ

const OBJ_SEED =
  'o a\nv 0 0 0\nv 1.5 -2e3 .25\nv 0 1 0\nv 4 4 4\nusemtl s\nf 1/1/1 2//2 3 4\ng b\nf -1 -2 -3\nf 1 2 3 4 2\n';
const OBJ_WORDS = [
  'v ',
  'f ',
  'vt ',
  'o ',
  'g ',
  '\n',
  '\r',
  '\\\n',
  '#',
  '1',
  '2',
  '-1',
  '0',
  '9'.repeat(30),
  '1/2/3',
  '//',
  '1e5',
  '1e999',
  'nan',
  '-',
  '.',
  ' ',
  '\u0000',
  'é',
  'v 0 0 0\n',
  'f 1 2 3\n',
  'f 1 2 3 4 3 2 1\n',
];

function objParser({ parseObj }) {
  return {
    name: 'OBJ',
    make: (next) =>
      mutateText(
        next,
        next() < 0.7 ? OBJ_SEED : Array.from({ length: below(next, 40) }, () => pick(next, OBJ_WORDS)).join(''),
        OBJ_WORDS,
      ),
    run: (text) => checkLevel(parseObj(text, 'x.obj')),
    isOwn: (error) => error.message.startsWith('parseObj: x.obj'),
  };
}

// ---- 2D maps

const square = (x, y, side) => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];

const GEOJSON = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      id: 'a',
      properties: {},
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
};
const MAP = {
  polygons: [{ outline: square(0, 0, 9), holes: [square(1, 1, 2)] }, square(20, 0, 2)],
  obstacles: [
    [
      { x: 0, y: 0 },
      { x: 1, y: 2 },
      { x: 3, y: 0 },
    ],
    square(5, 5, 1),
    square(4, 6, 3),
  ],
};

const numbers = (...gids) => Buffer.from(Uint32Array.from(gids).buffer);
const TILED = {
  type: 'map',
  orientation: 'orthogonal',
  infinite: false,
  width: 4,
  height: 3,
  tilewidth: 16,
  tileheight: 16,
  tilesets: [
    {
      firstgid: 1,
      tilewidth: 16,
      tileheight: 16,
      tiles: [
        { id: 1, properties: [{ name: 'collides', type: 'bool', value: true }] },
        {
          id: 2,
          objectgroup: {
            objects: [
              {
                x: 0,
                y: 0,
                polygon: [
                  { x: 0, y: 0 },
                  { x: 0, y: 16 },
                  { x: 16, y: 16 },
                ],
              },
            ],
          },
        },
      ],
    },
    { firstgid: 100, source: 'more.tsj' },
  ],
  layers: [
    { type: 'tilelayer', name: 'a', width: 4, height: 3, data: [1, 2, 3, 4, 5, 1, 2, 3, 0, 0, 0, 1] },
    { type: 'tilelayer', name: 'b', width: 4, height: 3, encoding: 'base64', compression: 'zlib', offsetx: 3, data: 0 },
    {
      type: 'group',
      name: 'g',
      layers: [
        {
          type: 'objectgroup',
          name: 'o',
          objects: [
            { x: 1, y: 2, width: 3, height: 4, rotation: 30 },
            { x: 0, y: 0, width: 9, height: 9, ellipse: true },
            { gid: 3, x: 9, y: 9, width: 16, height: 16 },
          ],
        },
      ],
    },
  ],
};
const TILED_INFINITE = {
  ...TILED,
  infinite: true,
  orientation: 'staggered',
  staggeraxis: 'x',
  staggerindex: 'odd',
  layers: [
    {
      type: 'tilelayer',
      name: 'a',
      chunks: [
        { x: -4, y: 0, width: 2, height: 2, data: [1, 2, 3, 4] },
        { x: 0, y: 2, width: 1, height: 1, data: [2] },
      ],
    },
    {
      type: 'objectgroup',
      name: 'o',
      properties: [{ name: 'walkable', type: 'bool', value: true }],
      objects: [{ x: 0, y: 0, width: 30, height: 30 }],
    },
  ],
};

/** Compresses the numbers of layers again, some of them wrongly. */
function packLayers(next, map) {
  if (!Array.isArray(map.layers)) return map;
  for (const layer of map.layers) {
    if (typeof layer !== 'object' || layer === null || layer.encoding !== 'base64') continue;
    const data = numbers(
      ...Array.from({ length: next() < 0.8 ? 12 : below(next, 40) }, () =>
        pick(next, [0, 1, 2, 3, 101, 0xa0000003, 0xffffffff]),
      ),
    );
    let bytes = layer.compression === 'zlib' ? deflateSync(data) : layer.compression === 'gzip' ? gzipSync(data) : data;
    if (next() < 0.15) bytes = bytes.subarray(0, below(next, bytes.length));
    if (next() < 0.15) bytes[below(next, bytes.length)] ^= 1 << below(next, 8);
    layer.data = bytes.toString('base64');
  }
  return map;
}

function mapParser(name, caller, seeds, parse, { buildFromPolygons, validateNavMesh }) {
  return {
    name,
    make(next) {
      const map = next() < 0.05 ? randomJson(next, 5) : packLayers(next, mutate(next, pick(next, seeds)));
      const text = JSON.stringify(map);
      return { input: next() < 0.15 ? mutateText(next, text, JSON_LETTERS) : text, isBuilt: next() < 0.15 };
    },
    run({ input, isBuilt }) {
      const map = parse(input);
      let points = 0;
      for (const ring of [...map.polygons.flatMap(({ outline, holes }) => [outline, ...holes]), ...map.obstacles]) {
        if (ring.length < 3) throw new Error('INVALID: a ring of two points');
        for (const [x, y] of ring)
          if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error('INVALID: not finite');
        points += ring.length;
      }
      if (!isBuilt || points > 5000) return;
      const problems = validateNavMesh(buildFromPolygons(map).navMesh);
      if (problems.length > 0) throw new Error(`INVALID: ${problems[0].message}`);
    },
    isOwn: (error) => error.message.startsWith(`${caller}: `) || error.message.startsWith('buildFromPolygons: '),
  };
}

// ---- YAML

const SCENE = `version: 1
levels:
  - { scene: dungeon, position: [0, 0, 0], scale: 1 }
  - file: a.obj
    rotation: 90
build: voxel
bake: { cellSize: 0.3, agent: { radius: 0.4 } }
targets:
  - { name: t, position: [1, 0, 2] }
  - { name: m, path: [[0, 0, 0], [5, 0, 5]], speed: 2 }
agents:
  - { name: a, position: [0, 0, 0], goal: t }
  - { count: 5, within: { center: [0, 0, 0], radius: 3 }, follows: a, distance: 2 }
`;
const CONFIG = `levels: [a.obj, { file: b.glb, position: [1, 2, 3] }]
output: o.navmesh
agent: { radius: 0.4, height: 1.8 }
agent-max-climb: 0.4
cell-size: 0.3
volumes:
  - { type: box, area: 1, min: [0, 0, 0], max: [1, 1, 1] }
links:
  - { start: [0, 0, 0], end: [1, 0, 0] }
`;
const YAML_LETTERS = [
  ...'0123456789.-[]{},:#&*!|>?@%\'"\n \t',
  'null',
  '&a ',
  '*a',
  '<<: ',
  '!!binary ',
  '~',
  '\n  - ',
  '\n---\n',
  'a: ',
  '1e999',
  '.nan',
  '__proto__: ',
];

function yamlParser(name, seed, parse) {
  return {
    name,
    make: (next) => mutateText(next, seed, YAML_LETTERS),
    run: (text) => parse(text, 'x.yaml'),
    isOwn: (error) => error.name === 'InputError' && error.message.startsWith('x.yaml'),
  };
}

// ---- meshes

const EDGE_VALUES = [0, 1, 2, 3, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7ff00000, 0x7ff80000];

function damage(next, bytes) {
  let out = bytes.slice();
  const view = new DataView(out.buffer);
  for (let i = 1 + below(next, 4); i > 0; i--) {
    const kind = next();
    const word = 4 * below(next, kind < 0.3 ? Math.min(out.length / 4, 64) : out.length / 4);
    if (kind < 0.5) view.setUint32(word, next() < 0.5 ? pick(next, EDGE_VALUES) : below(next, out.length), true);
    else if (kind < 0.7) view.setUint16(2 * below(next, out.length / 2), below(next, 300), true);
    else out[below(next, out.length)] ^= 1 << below(next, 8);
  }
  if (next() < 0.08)
    out =
      next() < 0.5 ? out.slice(0, 8 * below(next, out.length / 8)) : Uint8Array.from([...out, ...new Uint8Array(8)]);
  return out;
}

function meshParser(name, caller, files, load, validateNavMesh, repair = (bytes) => bytes) {
  return {
    name,
    make: (next) => {
      const bytes = damage(next, pick(next, files));
      return next() < 0.95 ? repair(bytes) : bytes;
    },
    run(bytes) {
      const problems = validateNavMesh(load(bytes));
      if (problems.length > 0) throw new Error(`INVALID: ${problems[0].message}`);
    },
    isOwn: (error) => error.message.startsWith(`${caller}: `),
  };
}

/** Returns the parsers. Imports the packages as their users do. */
export async function listParsers() {
  const { addLink, loadNavMesh, saveNavMesh } = await import('navkiln');
  const io = await import('navkiln/io');
  const polygon = await import('navkiln/polygon');
  const { buildNavMesh } = await import('navkiln/build');
  const { validateNavMesh } = await import('navkiln/debug');
  const { readLevelFile } = await import('navkiln-loaders');
  const { parseSceneText } = await import('navkiln-cli/scene');
  const { parseConfigText } = await import('navkiln-cli/config-text');
  const { CHECKSUM_WORD, fileChecksum } = await importSource(FILE_FORMAT);
  const floor = io.parseObj('v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nv 3 1 3\nv 3 1 5\nv 5 1 5\nf 1 2 3 4\nf 5 6 7\n');
  const meshes = [
    buildNavMesh(floor, { cellSize: 0.3 }).navMesh,
    buildNavMesh(floor, { cellSize: 0.3, tileSize: 4 }).navMesh,
    polygon.buildFromPolygons(polygon.parsePolygonMap(structuredClone(MAP))).navMesh,
  ];
  addLink(meshes[1], { start: [1, 0, 1], end: [8, 0, 8], bothWays: true });
  const repair = (bytes) => {
    if (bytes.length < 24) return bytes;
    const all = new Uint32Array(bytes.buffer, 0, bytes.length >>> 2);
    all[CHECKSUM_WORD] = fileChecksum(all);
    return bytes;
  };
  const tiled = (text) =>
    polygon.parseTiled(text, {
      name: 'x.tmj',
      tileset: (source) => (source === 'more.tsj' ? '{"tiles":[{"id":1}]}' : undefined),
      decompress: (bytes, compression, size) => {
        try {
          if (compression === 'zlib') return inflateSync(bytes, { maxOutputLength: Math.max(1, size) });
        } catch {
          // Refused below.
        }
        throw new Error('parseTiled: this compression is not read, or the data are damaged');
      },
    });
  const builder = { buildFromPolygons: polygon.buildFromPolygons, validateNavMesh };
  return [
    gltfParser(readLevelFile),
    objParser(io),
    mapParser('GeoJSON', 'parseGeoJson', [GEOJSON], (text) => polygon.parseGeoJson(text), builder),
    mapParser('Tiled', 'parseTiled', [TILED, TILED, TILED_INFINITE], tiled, builder),
    mapParser('map JSON', 'parsePolygonMap', [MAP], (text) => polygon.parsePolygonMap(text), builder),
    yamlParser('scene', SCENE, parseSceneText),
    yamlParser('config', CONFIG, parseConfigText),
    meshParser('.navmesh', 'loadNavMesh', meshes.map(saveNavMesh), loadNavMesh, validateNavMesh, repair),
    meshParser(
      'Detour .bin',
      'parseDetourBin',
      meshes.map((mesh) => io.writeDetourBin(mesh).bytes),
      (bytes) => io.parseDetourBin(bytes).navMesh,
      validateNavMesh,
    ),
  ];
}

/**
 * Gives one input to one parser. Returns its outcome: 'read', or the kind of its error; and what failed, if anything.
 */
export async function tryInput(parser, seed) {
  const input = parser.make(stream(seed));
  const from = process.cpuUsage();
  let outcome = 'read';
  let failure;
  try {
    await parser.run(input);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome = message
      .replace(/"[^"]*"|'[^']*'/g, '"…"')
      .replace(/[-+]?[0-9][0-9.e+-]*/g, '#')
      .slice(0, 70);
    const isOwn = error instanceof Error && parser.isOwn(error) && !FOREIGN.test(message.replace(/"[^"]*"/g, ''));
    if (!isOwn) failure = error instanceof Error ? error.stack : message;
    else if (message.length > 4000) failure = `a message of ${message.length} characters`;
  }
  const { user, system } = process.cpuUsage(from);
  if ((user + system) / 1000 > MAX_CPU_MS) failure ??= `${Math.round((user + system) / 1000)} ms of CPU time`;
  return { outcome, failure };
}

/** Runs the inputs. Returns the exit status. */
export async function soak(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch {
    console.error(USAGE);
    return 2;
  }
  const [inputs, first, seconds] = [values.inputs, values.first, values.seconds].map(Number);
  const all = await listParsers();
  const wanted = values.only === '' ? all.map(({ name }) => name) : values.only.split(',');
  const parsers = all.filter(({ name }) => wanted.includes(name));
  if (!(inputs > 0 && Number.isInteger(first) && seconds > 0) || parsers.length !== wanted.length) {
    console.error(`${USAGE}\nparsers: ${all.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  const end = Date.now() + 1000 * seconds;
  const counts = new Map(parsers.map(({ name }) => [name, new Map()]));
  let done = 0;
  let failed = 0;
  for (let i = 0; i < inputs && Date.now() < end && failed < 20; i++, done++) {
    const parser = parsers[i % parsers.length];
    const seed = first + Math.floor(i / parsers.length);
    const { outcome, failure } = await tryInput(parser, seed);
    const outcomes = counts.get(parser.name);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (failure === undefined) continue;
    failed++;
    console.error(
      `${parser.name} seed ${seed} FAILED: ${failure}\n  again: npm run soak -- parsers --only "${parser.name}" --first ${seed} --inputs 1`,
    );
  }
  for (const [name, outcomes] of counts) {
    const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const read = outcomes.get('read') ?? 0;
    console.log(
      `${name}: ${total} inputs, ${read} read, ${total - read} refused with ${outcomes.size - (read > 0 ? 1 : 0)} kinds of messages`,
    );
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${done} inputs from seed ${first}, ${failed} failed, ${memory} MB at most`);
  return failed > 0 ? 1 : 0;
}
