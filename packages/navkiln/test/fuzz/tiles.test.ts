/** Random damage to tiles. `addTile` refuses the tile and changes nothing, or the mesh is valid, and can be saved and loaded. */
import { describe, expect, it } from 'vitest';
import { createNavMesh } from '../../src/mesh/create.ts';
import { loadNavMesh } from '../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../src/mesh/file/save.ts';
import { addTile } from '../../src/mesh/change/tiles.ts';
import type { MeshSize, NavMesh, TileData } from '../../src/mesh/types.ts';
import { validateNavMesh } from '../../src/mesh/validate.ts';
import { findPath } from '../../src/query/path/find-path.ts';
import { AGENT, bumpTile, gridTile, seeded, tileOf } from '../unit/meshes.ts';
import { squaresTile, tiledMesh } from '../unit/mesh/tiled-meshes.ts';

const SEED = 20261128;
/** `npm run soak` raises it. */
const ROUNDS = Number(process.env['NAVKILN_FUZZ'] ?? 1000);
const EDGE_VALUES = [
  0,
  1,
  -1,
  2,
  3,
  -2,
  -3,
  -5,
  -6,
  255,
  65535,
  2 ** 31 - 1,
  -(2 ** 31),
  1e9,
  1e50,
  1e100,
  1e101,
  1e308,
];
const ODD_VALUES = [...EDGE_VALUES, -1e308, NaN, Infinity, 0.5, 1e-300];
const SETTINGS = { agent: AGENT, cellSize: 0.2, cellHeight: 0.1 };
const SIZES: MeshSize[] = ['thin', 'wide'].map((name, k) => ({ ...AGENT, name, radius: 0.2 + 0.3 * k, rules: [] }));

const flatSquares = (x: number): TileData =>
  squaresTile(
    x,
    0,
    0,
    3,
    () => true,
    () => 0,
  );

/** Pairs of a mesh and a tile that fits into it. */
const CASES: readonly (readonly [() => NavMesh, TileData])[] = [
  [() => createNavMesh(SETTINGS), gridTile(3, 3)],
  [() => createNavMesh(SETTINGS), bumpTile()],
  [
    () => {
      const mesh = tiledMesh();
      addTile(mesh, flatSquares(1));
      return mesh;
    },
    flatSquares(0),
  ],
  [() => createNavMesh(SETTINGS), { ...gridTile(3, 3), groups: [{ name: 'door', polys: [0, 4] }] }],
  [
    () => createNavMesh({ ...SETTINGS, sizes: SIZES }),
    {
      ...gridTile(3, 3),
      polySizes: new Uint16Array(9).fill(3),
      settings: { ...SETTINGS, tileSize: 0, origin: [0, 0, 0], sizes: SIZES },
    },
  ],
];

type Damaged = Record<string, unknown> & { groups?: { name: unknown; polys: unknown }[] };

/** Changes one field of a tile. */
function damage(tile: Damaged, random: () => number): void {
  const below = (n: number): number => Math.floor(random() * n);
  const keys = Object.keys(tile);
  const key = keys[below(keys.length)];
  const value = tile[key];
  if (ArrayBuffer.isView(value)) {
    const array = value as Float64Array;
    const at = below(array.length);
    if (random() < 0.1) tile[key] = array.slice(0, at);
    else if (array.length > 0)
      array[at] = random() < 0.5 ? ODD_VALUES[below(ODD_VALUES.length)] : array[below(array.length)] + below(3) - 1;
  } else if (typeof value === 'number') tile[key] = EDGE_VALUES[below(EDGE_VALUES.length)];
  else if (key === 'groups') {
    const kind = below(5);
    const polys = [0, ODD_VALUES[below(ODD_VALUES.length)]];
    if (kind === 4) polys.length = 1_000_000_000;
    tile.groups = [
      { name: kind === 0 ? '' : 'gate', polys: kind === 1 ? Float64Array.from(polys) : polys },
      ...(kind === 2 ? [{ name: 'gate', polys: [below(9)] }] : []),
      ...(kind === 3 ? (Array(2) as never[]) : []),
    ];
  } else {
    const settings = { ...(value as Record<string, unknown>) };
    const names = Object.keys(settings);
    settings[names[below(names.length)]] = [undefined, null, 1, NaN, [], {}, [null], [{}]][below(8)];
    tile[key] = settings;
  }
}

it(`survives ${ROUNDS} damaged tiles, seed ${SEED}`, () => {
  const random = seeded(SEED);
  let added = 0;
  const refusals = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const message = `seed ${SEED}, round ${round}`;
    const [create, sound] = CASES[round % CASES.length];
    const mesh = create();
    const before = saveNavMesh(mesh);
    const tile = structuredClone(sound) as unknown as Damaged;
    for (let i = random() < 0.3 ? 2 : 1; i > 0; i--) damage(tile, random);
    try {
      addTile(mesh, tile as unknown as TileData);
    } catch (error) {
      expect((error as Error).message, message).toMatch(/^addTile: /);
      expect(saveNavMesh(mesh), message).toEqual(before);
      refusals.add((error as Error).message.replaceAll(/[-\d.]+/g, '').slice(0, 60));
      continue;
    }
    added++;
    expect(validateNavMesh(mesh), message).toEqual([]);
    expect(() => loadNavMesh(saveNavMesh(mesh)), message).not.toThrow();
    expect(() => findPath(mesh, [0.5, 0, 0.5], [2.5, 0, 2.5]), message).not.toThrow();
  }
  // The damage reaches many of the checks, and is sometimes harmless.
  expect(refusals.size, JSON.stringify([...refusals])).toBeGreaterThan(20);
  expect(added).toBeGreaterThan(ROUNDS / 10);
});

describe('addTile refuses a tile that loadNavMesh would refuse:', () => {
  const square = [0, 3, 4, 1].map((v) => v);
  const grid = [0, 1, 2].flatMap((z) => [0, 1, 2].map((x) => [x, 0, z]));
  const refusal = (tile: TileData): string => {
    try {
      addTile(createNavMesh(SETTINGS), tile);
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  const changed = (change: (tile: TileData) => void): TileData => {
    const tile = tileOf(grid, [{ corners: square }, { corners: [1, 4, 5, 2] }]);
    change(tile);
    return tile;
  };
  it.each([
    ['a polygon that is not convex', changed((tile) => (tile.vertices[9] = 3)), /polygon 0 is not convex/],
    ['a polygon that winds clockwise', tileOf(grid, [{ corners: [1, 4, 3, 0] }]), /polygon 0 is not convex/],
    ['a neighbor without the edge', changed((tile) => (tile.edgeNeighbor[0] = 1)), /edgeNeighbor\[0\] is 1, which/],
    [
      'a polygon that is its own neighbor',
      changed((tile) => (tile.edgeNeighbor[0] = 0)),
      /edgeNeighbor\[0\] is 0, which/,
    ],
    [
      'a neighbor that does not name the polygon',
      changed((tile) => (tile.edgeNeighbor[4] = -1)),
      /edgeNeighbor\[2\] is 1/,
    ],
    ['a coordinate whose square overflows', changed((tile) => (tile.vertices[1] = 1e200)), /vertices\[1\] is 1e\+200/],
    [
      'a group with a hole',
      { ...changed(() => {}), groups: [{ name: 'a', polys: Array(3) as number[] }] },
      /polys is .*without gaps/,
    ],
    ['a list of groups with a hole', { ...changed(() => {}), groups: Array(1) as never[] }, /groups is .*without gaps/],
  ])('%s', (_, tile, text) => {
    expect(refusal(changed(() => {}))).toBe('none');
    expect(refusal(tile)).toMatch(text);
  });
});
