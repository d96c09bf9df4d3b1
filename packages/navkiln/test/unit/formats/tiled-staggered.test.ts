/** Tiled's hexagonal and staggered maps: cells computed by hand, and against a formula for the cell at a point. */
import { describe, expect, it } from 'vitest';
import { createRandom, nextRandom } from '../../../src/base/data/random.ts';
import type { ParsedMap } from '../../../src/formats/maps/map.ts';
import { doubleArea } from '../../../src/formats/maps/rings.ts';
import { parseTiled } from '../../../src/formats/maps/tiled/tiled.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { findNearest2d } from '../../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { COLLIDES, shapedTile } from './tiled-file.ts';

interface Grid {
  orientation: 'hexagonal' | 'staggered';
  staggeraxis: 'x' | 'y';
  staggerindex: 'odd' | 'even';
  tilewidth: number;
  tileheight: number;
  hexsidelength?: number;
}

/** Tile 1 is free, tile 2 blocks, tile 3 has a shape: a triangle in its upper left corner. */
const TILESET = {
  firstgid: 1,
  tilewidth: 16,
  tileheight: 16,
  tiles: [
    { id: 1, properties: COLLIDES },
    shapedTile(2, [
      { x: 0, y: 0 },
      { x: 8, y: 0 },
      { x: 0, y: 8 },
    ]),
  ],
};

const mapOf = (grid: Grid, width: number, data: readonly number[], more: object = {}): object => ({
  type: 'map',
  infinite: false,
  ...grid,
  width,
  height: data.length / width,
  tilesets: [{ ...TILESET }],
  layers: [{ type: 'tilelayer', name: 'tiles', width, height: data.length / width, data, ...more }],
});

const POINTY: Grid = {
  orientation: 'hexagonal',
  staggeraxis: 'y',
  staggerindex: 'odd',
  tilewidth: 14,
  tileheight: 12,
  hexsidelength: 6,
};
const FLAT: Grid = {
  orientation: 'hexagonal',
  staggeraxis: 'x',
  staggerindex: 'odd',
  tilewidth: 12,
  tileheight: 14,
  hexsidelength: 6,
};
const DIAMOND: Grid = {
  orientation: 'staggered',
  staggeraxis: 'y',
  staggerindex: 'odd',
  tilewidth: 32,
  tileheight: 16,
};

/** The corners of the only cell that is walkable. */
function onlyCell(grid: Grid, width: number, height: number, column: number, row: number): string[] {
  const data = Array.from({ length: width * height }, (_, i) => (i === row * width + column ? 1 : 0));
  const { polygons } = parseTiled(mapOf(grid, width, data), { walkable: ['tiles'] });
  expect(polygons).toHaveLength(1);
  return polygons[0].outline.map(String).sort();
}

const areaOf = ({ polygons }: ParsedMap): number =>
  polygons.reduce(
    (sum, { outline, holes }) => sum + [outline, ...holes].reduce((own, ring) => own + doubleArea(ring) / 2, 0),
    0,
  );

describe('cells of', () => {
  it('hexagons with a point on top, rows shifted', () => {
    const at = (x: number, y: number): string[] =>
      [
        [0, 9],
        [0, 3],
        [7, 0],
        [14, 3],
        [14, 9],
        [7, 12],
      ]
        .map(([u, v]) => `${x + u},${y + v}`)
        .sort();
    expect(onlyCell(POINTY, 3, 3, 0, 0)).toEqual(at(0, 0));
    expect(onlyCell(POINTY, 3, 3, 2, 0)).toEqual(at(28, 0));
    expect(onlyCell(POINTY, 3, 3, 0, 1)).toEqual(at(7, 9));
    expect(onlyCell(POINTY, 3, 3, 1, 2)).toEqual(at(14, 18));
    const even: Grid = { ...POINTY, staggerindex: 'even' };
    expect(onlyCell(even, 3, 3, 0, 0)).toEqual(at(7, 0));
    expect(onlyCell(even, 3, 3, 2, 1)).toEqual(at(28, 9));
  });

  it('hexagons with a flat top, columns shifted', () => {
    const at = (x: number, y: number): string[] =>
      [
        [0, 7],
        [3, 0],
        [9, 0],
        [12, 7],
        [9, 14],
        [3, 14],
      ]
        .map(([u, v]) => `${x + u},${y + v}`)
        .sort();
    expect(onlyCell(FLAT, 3, 3, 0, 0)).toEqual(at(0, 0));
    expect(onlyCell(FLAT, 3, 3, 1, 0)).toEqual(at(9, 7));
    expect(onlyCell(FLAT, 3, 3, 2, 1)).toEqual(at(18, 14));
    const even: Grid = { ...FLAT, staggerindex: 'even' };
    expect(onlyCell(even, 3, 3, 0, 0)).toEqual(at(0, 7));
    expect(onlyCell(even, 3, 3, 1, 2)).toEqual(at(9, 28));
  });

  it('diamonds, rows and columns shifted', () => {
    const at = (x: number, y: number): string[] =>
      [
        [0, 8],
        [16, 0],
        [32, 8],
        [16, 16],
      ]
        .map(([u, v]) => `${x + u},${y + v}`)
        .sort();
    expect(onlyCell(DIAMOND, 3, 3, 1, 0)).toEqual(at(32, 0));
    expect(onlyCell(DIAMOND, 3, 3, 1, 1)).toEqual(at(48, 8));
    expect(onlyCell({ ...DIAMOND, staggerindex: 'even' }, 3, 3, 1, 2)).toEqual(at(48, 16));
    expect(onlyCell({ ...DIAMOND, staggeraxis: 'x' }, 3, 3, 1, 1)).toEqual(at(16, 24));
    expect(onlyCell({ ...DIAMOND, staggeraxis: 'x', staggerindex: 'even' }, 3, 3, 2, 0)).toEqual(at(32, 8));
  });

  it('odd sizes, rounded down as Tiled does, still share their sides', () => {
    // Tiled 1.11: 13 of 29 x 33 gives half widths of 14, slants of 9 and rows of 22.
    const odd: Grid = { ...POINTY, tilewidth: 29, tileheight: 33, hexsidelength: 13 };
    expect(onlyCell(odd, 3, 3, 0, 1)).toEqual(['14,31', '14,44', '28,22', '28,53', '42,31', '42,44']);
    const map = parseTiled(mapOf(odd, 4, Array(16).fill(1)));
    expect(map.polygons).toHaveLength(1);
    expect(map.polygons[0].holes).toEqual([]);
    expect(areaOf(map)).toBe(16 * 28 * 22);
  });
});

describe('maps', () => {
  it('the whole area is walkable except for tiles that block, with holes', () => {
    const data = [1, 1, 1, 1, 2, 1, 1, 1, 1];
    const map = parseTiled(mapOf(POINTY, 3, data));
    expect(map.obstacles).toEqual([]);
    expect(map.yAxis).toBe('down');
    expect(map.polygons).toHaveLength(1);
    expect(map.polygons[0].holes).toHaveLength(1);
    expect(map.polygons[0].holes[0].map(String).sort()).toEqual(['21,12', '21,18', '28,21', '28,9', '35,12', '35,18']);
    expect(areaOf(map)).toBe(8 * 14 * 9);
    // As obstacles on a layer that is moved: the same cell, moved.
    const moved = parseTiled(mapOf(POINTY, 3, data, { offsetx: 100 }));
    expect(moved.obstacles.map((ring) => ring.map(String).sort())).toEqual([
      ['121,12', '121,18', '128,21', '128,9', '135,12', '135,18'],
    ]);
    expect(areaOf(moved)).toBe(9 * 14 * 9);
  });

  it('diamonds that touch at a corner only are not connected', () => {
    const data = [2, 1, 2, 2, 2, 2, 2, 1, 2];
    const map = parseTiled(mapOf(DIAMOND, 3, data));
    expect(map.polygons).toHaveLength(2);
    expect(findPath2d(buildFromPolygons(map).navMesh, [48, 8], [48, 24]).reason).toBe('unreachable');
    // Over the diamond between them, which is shifted.
    const open = parseTiled(mapOf(DIAMOND, 3, [2, 1, 2, 2, 1, 2, 2, 1, 2]));
    expect(findPath2d(buildFromPolygons(open).navMesh, [48, 8], [48, 24]).status).toBe('complete');
  });

  it('shapes of tiles lie at the lower left corner of their cell, turned by 60 degrees on hexagonal maps', () => {
    const grid: Grid = { ...POINTY, tilewidth: 16, tileheight: 16, hexsidelength: 8 };
    const shapeAt = (gid: number): number[][] => parseTiled(mapOf(grid, 2, [1, 1, 1, gid])).obstacles[0];
    // Cell (1, 1): its box is at (24, 12).
    expect(shapeAt(3)).toEqual([
      [24, 12],
      [32, 12],
      [24, 20],
    ]);
    const turned = (degrees: number): number[][] => {
      const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
      return [
        [-8, -8],
        [0, -8],
        [-8, 0],
      ].map(([x, y]) => [32 + c * x - s * y, 20 + s * x + c * y]);
    };
    for (const [bits, degrees] of [
      [0x20000000, 60],
      [0x10000000, 120],
      [0x30000000, 180],
    ]) {
      shapeAt(bits + 3).forEach(([x, y], i) => {
        expect(x).toBeCloseTo(turned(degrees)[i][0], 9);
        expect(y).toBeCloseTo(turned(degrees)[i][1], 9);
      });
    }
    // On staggered maps the bit swaps x and y, as on orthogonal ones.
    const staggered: Grid = { ...DIAMOND, tilewidth: 16 };
    const [ring] = parseTiled(mapOf(staggered, 2, [1, 1, 1, 0x20000000 + 3])).obstacles;
    expect(ring).toEqual([
      [24, 8],
      [24, 16],
      [32, 8],
    ]);
  });

  it('objects are in pixels of the screen', () => {
    const map = mapOf(POINTY, 3, Array(9).fill(1)) as { layers: object[] };
    map.layers.push({ type: 'objectgroup', name: 'walls', objects: [{ id: 1, x: 5, y: 6, width: 7, height: 8 }] });
    expect(parseTiled(map).obstacles).toEqual([
      [
        [5, 6],
        [12, 6],
        [12, 14],
        [5, 14],
      ],
    ]);
  });

  it('infinite maps and chunks', () => {
    const layer = {
      type: 'tilelayer',
      name: 'tiles',
      chunks: [{ x: -2, y: -2, width: 2, height: 2, data: [1, 1, 1, 1] }],
    };
    const map = parseTiled({ ...mapOf(POINTY, 1, [1]), infinite: true, layers: [layer] });
    const ys = map.polygons[0].outline.map(([, y]) => y);
    expect([Math.min(...ys), Math.max(...ys)]).toEqual([-18, 3]);
    expect(areaOf(map)).toBe(4 * 14 * 9);
  });

  it.each([
    [{ ...POINTY, staggeraxis: 'z' }, 'staggeraxis: is "z", must be "x" or "y"'],
    [{ ...POINTY, staggerindex: undefined }, 'staggerindex: is missing, must be "odd" or "even"'],
    [{ ...POINTY, hexsidelength: 13 }, 'hexsidelength: is 13, must be a whole number from 0 to 12'],
    [{ ...POINTY, hexsidelength: undefined }, 'hexsidelength: is missing'],
    [
      { ...POINTY, orientation: 'oblique' },
      'has the orientation "oblique"; orthogonal, isometric, staggered and hexagonal maps are read',
    ],
  ])('refuses %j', (grid, message) => {
    expect(() => parseTiled(mapOf(grid as Grid, 2, [1, 1, 1, 1]))).toThrow(message);
  });
});

describe('random maps', () => {
  const seed = Number(process.env.NAVKILN_SEED ?? 1);

  /** Whether a point is in a free cell, by the distance to the middle of each cell; undefined near a side. */
  function isFree(
    grid: Grid,
    width: number,
    data: readonly number[],
    [px, py]: readonly [number, number],
  ): boolean | undefined {
    const { tilewidth: w, tileheight: h, staggeraxis, staggerindex } = grid;
    const side = grid.hexsidelength ?? 0;
    for (let i = 0; i < data.length; i++) {
      const column = i % width;
      const row = Math.floor(i / width);
      const isShifted = ((staggeraxis === 'x' ? column : row) % 2 === 1) === (staggerindex === 'odd');
      const shift = isShifted ? 0.5 : 0;
      const x = staggeraxis === 'x' ? (column * (w + side)) / 2 + w / 2 : (column + shift + 0.5) * w;
      const y = staggeraxis === 'x' ? (row + shift + 0.5) * h : (row * (h + side)) / 2 + h / 2;
      const dx = Math.abs(px - x) / w;
      const dy = Math.abs(py - y) / h;
      // Half the box along the axis of the shift, less what the slant takes.
      const [along, across, part] = staggeraxis === 'x' ? [dx, dy, side / w] : [dy, dx, side / h];
      const reach = 0.5 - across * (1 - part) - along;
      if (Math.abs(reach) < 1e-6 && across < 0.5 + 1e-6) return undefined;
      if (Math.abs(across - 0.5) < 1e-6) return undefined;
      if (reach > 0 && across < 0.5) return data[i] === 1;
    }
    return false;
  }

  const GRIDS = (['x', 'y'] as const).flatMap((staggeraxis) =>
    (['odd', 'even'] as const).flatMap((staggerindex): Grid[] => [
      { orientation: 'hexagonal', staggeraxis, staggerindex, tilewidth: 28, tileheight: 32, hexsidelength: 12 },
      { orientation: 'hexagonal', staggeraxis, staggerindex, tilewidth: 16, tileheight: 12, hexsidelength: 0 },
      { orientation: 'staggered', staggeraxis, staggerindex, tilewidth: 64, tileheight: 32 },
    ]),
  );

  it.each(GRIDS)(`$orientation, $staggeraxis $staggerindex, $tilewidth x $tileheight, seed ${seed}`, (grid) => {
    const random = createRandom(seed);
    for (let round = 0; round < 12; round++) {
      const width = 1 + Math.floor(7 * nextRandom(random));
      const height = 1 + Math.floor(7 * nextRandom(random));
      const data = Array.from({ length: width * height }, () => (nextRandom(random) < 0.6 ? 1 : 2));
      if (!data.includes(1)) continue;
      const map = parseTiled(mapOf(grid, width, data));
      const where = `round ${round}, ${width} x ${height}: ${data.join('')}`;
      const { tilewidth: w, tileheight: h, hexsidelength: side = 0, staggeraxis } = grid;
      const cellArea = staggeraxis === 'x' ? (h * (w + side)) / 2 : (w * (h + side)) / 2;
      expect(areaOf(map), where).toBe(data.filter((gid) => gid === 1).length * cellArea);
      const { navMesh, report } = buildFromPolygons(map);
      expect(validateNavMesh(navMesh), where).toEqual([]);
      expect(report.warnings, where).toEqual([]);
      for (let i = 0; i < 200; i++) {
        const point = [(width + 1) * w * nextRandom(random), (height + 1) * h * nextRandom(random)] as const;
        const free = isFree(grid, width, data, point);
        if (free === undefined) continue;
        expect(findNearest2d(navMesh, point).isInside, `${where}, at ${point}`).toBe(free);
      }
    }
  });
});
