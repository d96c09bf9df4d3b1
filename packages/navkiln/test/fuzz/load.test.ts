/** Random damage to saved meshes. The outcome is a clear Error, or a mesh without violations. */
import { dynamicLayers } from '../../src/build/voxel/obstacles/baked-layers.ts';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CHECKSUM_WORD, FILE_HEADER_BYTES, SCALAR_COUNT, fileChecksum } from '../../src/mesh/file/file-format.ts';
import { setEnabled } from '../../src/mesh/change/enable.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { createNavMesh } from '../../src/mesh/create.ts';
import { addLink, listLinks, removeLink } from '../../src/mesh/change/links.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../src/mesh/types.ts';
import { buildFromPolygons } from '../../src/build/polygon/build.ts';
import { buildNavMesh } from '../../src/build/voxel/build.ts';
import { AGENT, bumpTile, gridTile, meshOf, ringMesh, seeded, wornMesh } from '../unit/meshes.ts';
import { squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const SEED = 20261121;
/** `npm run soak` raises it. */
const ROUNDS = Number(process.env['NAVKILN_FUZZ'] ?? 1000);
const EDGE_VALUES = [0, 1, 2, 3, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7ff00000, 0x7ff80000];

/** Returns the mesh of `linkedMesh` with three names, one of them disabled. */
function namedMesh(): NavMesh {
  const mesh = linkedMesh();
  const tile = squaresTile(
    2,
    0,
    0,
    3,
    () => true,
    () => 0,
  );
  addTile(mesh, {
    ...tile,
    groups: [
      { name: 'door', polys: [0, 4] },
      { name: 'gate', polys: [2, 5, 7] },
    ],
  });
  for (const name of ['door', 'lift']) addLink(mesh, { start: [1, 0, 1], end: [20, 0, 1], name });
  setEnabled(mesh, 'gate', false);
  return mesh;
}

/** Returns two tiles with a border between them, and three links, one of which is removed. */
function linkedMesh(): NavMesh {
  const mesh = tiledMesh();
  for (let x = 0; x < 2; x++)
    addTile(
      mesh,
      squaresTile(
        x,
        0,
        0,
        2 + x,
        () => true,
        () => 0,
      ),
    );
  for (let i = 0; i < 3; i++) addLink(mesh, { start: [1, 0, 1 + i], end: [20, 0, 1 + i], bothWays: i === 2, cost: 3 });
  removeLink(mesh, listLinks(mesh)[1]);
  return mesh;
}

/** Returns two tiles of a mesh with two sizes, links for some of them, and a straight link between segments. */
function sizedMesh(): NavMesh {
  const sizes = ['thin', 'wide'].map((name, k) => ({ ...AGENT, name, radius: 0.2 + 0.3 * k, rules: [0xffff, 0] }));
  const mesh = createNavMesh({ agent: AGENT, cellSize: 0.25, cellHeight: 0.1, tileSize: 12, sizes });
  for (let x = 0; x < 2; x++) {
    const tile = squaresTile(
      x,
      0,
      0,
      2 + x,
      () => true,
      () => 0,
    );
    addTile(mesh, { ...tile, polySizes: tile.polyFlags.map((_, p) => 1 + (p % 3)) });
  }
  addLink(mesh, { start: [1, 0, 1], end: [20, 0, 1], sizes: ['thin'] });
  addLink(mesh, { start: [1, 0, 3], end: [20, 0, 3], name: 'lift' });
  addLink(mesh, {
    start: [
      [1, 0, 2],
      [2, 0, 2],
    ],
    end: [
      [20, 0, 2],
      [21, 0, 2],
    ],
    crossing: 'straight',
  });
  return mesh;
}

const mapMesh = (): NavMesh =>
  buildFromPolygons(
    {
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
              [3, 3],
              [3, 5],
              [5, 5],
            ],
          ],
        },
      ],
    },
    { tileSize: 6 },
  ).navMesh;

/** Returns a mesh with the layers of a dynamic bake. */
const bakedMesh = (): NavMesh =>
  buildNavMesh(
    { positions: [0, 0, 0, 9, 0, 0, 9, 0, 9, 0, 0, 9], indices: [0, 2, 1, 0, 3, 2] },
    { agent: AGENT, tileSize: 6, dynamic: dynamicLayers },
  ).navMesh;

/** Writes the checksum that the bytes should have. */
function seal(bytes: Uint8Array): void {
  const words = new Uint32Array(bytes.buffer, 0, bytes.length >>> 2);
  words[CHECKSUM_WORD] = fileChecksum(words);
}

const WORDS = [...EDGE_VALUES, 4, 7];
const DOUBLES = [0, -0, 1, -1, 0.5, 1e-320, 1e99, 1e100, -1e308, NaN, Infinity, -Infinity, 3, 65_536, 2 ** 53];

it.each([
  ['worn', wornMesh],
  ['ring', ringMesh],
  ['detail', () => meshOf(bumpTile(), gridTile(3, 2))],
  ['empty', () => meshOf()],
  ['links', linkedMesh],
  ['names', namedMesh],
  ['sizes', sizedMesh],
  ['map', mapMesh],
  ['layers', bakedMesh],
])('refuses whatever validateNavMesh refuses, in each section of a file: %s', (_, create) => {
  const file = saveNavMesh(create());
  // All changes at some of the places; `npm run soak` visits all places.
  const step = ROUNDS > 2000 ? 1 : 29;
  let loaded = 0;
  // Each `expect` takes longer than what it checks.
  const faults: string[] = [];
  const attempt = (at: number, change: (bytes: Uint8Array<ArrayBuffer>) => void): void => {
    const bytes = new Uint8Array(file);
    change(bytes);
    seal(bytes);
    let mesh: NavMesh;
    try {
      mesh = loadNavMesh(bytes);
    } catch (error) {
      const { message } = error as Error;
      if (!message.startsWith('loadNavMesh: ')) faults.push(`byte ${at}: ${message}`);
      return;
    }
    loaded++;
    for (const { code } of validateNavMesh(mesh)) faults.push(`byte ${at}: ${code}`);
    loadNavMesh(saveNavMesh(mesh));
  };
  for (let at = 16; at < file.length; at++) {
    const place = Math.floor(at / (at % 8 === 0 ? 8 : at % 4 === 0 ? 4 : 1));
    if (place % step !== 0) continue;
    for (const byte of [0, 1, 127, 255, file[at] ^ 2, file[at] ^ 64]) attempt(at, (bytes) => (bytes[at] = byte));
    if (at % 4 === 0) for (const w of WORDS) attempt(at, ({ buffer }) => (new Uint32Array(buffer)[at / 4] = w));
    if (at % 8 === 0) for (const d of DOUBLES) attempt(at, ({ buffer }) => (new Float64Array(buffer)[at / 8] = d));
  }
  expect(faults).toEqual([]);
  expect(loaded).toBeGreaterThan(10);
});

it('refuses masks of links without a size of the mesh', () => {
  const bytes = readFileSync(new URL('../corpus/link-sizes.navmesh', import.meta.url));
  expect(() => loadNavMesh(bytes)).toThrow('loadNavMesh: bad linkState[');
});

it('refuses a straight link whose ends differ', () => {
  const mesh = sizedMesh();
  mesh.linkPoints[12 * 2 + 3] += 0.5;
  expect(validateNavMesh(mesh).map(({ code }) => code)).toEqual(['link']);
  expect(() => loadNavMesh(saveNavMesh(mesh))).toThrow('loadNavMesh: bad linkState[2]');
});

it('loads and saves names and rules of any length', () => {
  const mesh = sizedMesh();
  Object.assign(mesh.sizes[0], { name: 'n'.repeat(300_000), rules: Array<number>(300_000).fill(1) });
  expect(loadNavMesh(saveNavMesh(mesh)).sizes).toEqual(mesh.sizes);
});

it(`survives ${ROUNDS} damaged files, seed ${SEED}`, () => {
  const random = seeded(SEED);
  const below = (n: number): number => Math.floor(random() * n);
  const files = [
    wornMesh(),
    ringMesh(),
    meshOf(bumpTile(), gridTile(3, 2)),
    meshOf(),
    linkedMesh(),
    namedMesh(),
    sizedMesh(),
  ].map(saveNavMesh);
  const scalarsEnd = FILE_HEADER_BYTES + 8 * SCALAR_COUNT;
  const outcomes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    let bytes = files[below(files.length)].slice();
    const words = new Uint32Array(bytes.buffer);
    const kind = below(6);
    for (let i = 1 + below(kind === 5 ? 8 : 2); i > 0; i--) {
      if (kind === 0) bytes[below(bytes.length)] ^= 1 << below(8);
      if (kind === 1)
        words[below(scalarsEnd / 4)] = random() < 0.5 ? EDGE_VALUES[below(EDGE_VALUES.length)] : below(bytes.length);
      if (kind === 2) words[below(words.length)] = EDGE_VALUES[below(EDGE_VALUES.length)];
      if (kind >= 3) bytes[scalarsEnd + below(bytes.length - scalarsEnd)] ^= 1 << below(8);
    }
    if (random() < 0.1) {
      bytes = bytes.slice(0, below(bytes.length / 8 + 1) * (random() < 0.5 ? 8 : 1));
      if (bytes.length % 8 === 0 && bytes.length > 24) new Uint32Array(bytes.buffer)[4] = bytes.length / 8;
    }
    if (random() < 0.9 && bytes.length >= 24) {
      const all = new Uint32Array(bytes.buffer, 0, bytes.length >>> 2);
      all[CHECKSUM_WORD] = fileChecksum(all);
    }
    const message = `seed ${SEED}, round ${round}`;
    let outcome = 'loaded';
    let mesh: NavMesh | undefined;
    try {
      mesh = loadNavMesh(bytes);
    } catch (error) {
      if (!(error as Error).message.startsWith('loadNavMesh: ')) throw new Error(message, { cause: error });
      outcome =
        /bad (\w+)/.exec((error as Error).message)?.[1] ??
        (error as Error).message.replaceAll(/[0-9]+/g, '').slice(13, 40);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (mesh === undefined) continue;
    const violations = validateNavMesh(mesh);
    if (violations.length > 0) expect(violations, message).toEqual([]);
    findPath(mesh, [0.5, 0, 0.5], [2.5, 0, 2.5]);
  }
  // The damage reaches every stage of the reader.
  expect(outcomes.size, JSON.stringify([...outcomes])).toBeGreaterThan(20);
  expect(outcomes.get('loaded')).toBeGreaterThan(100);
  expect(outcomes.get('groups')).toBeGreaterThan(10);
});
