/** The agent's radius: corridors exactly as wide as the agent stay open, narrower ones are closed and reported. */
import { cutByDiagonals } from '../../../../src/build/polygon/diagonal/diagonal.ts';
import { describe, expect, it } from 'vitest';
import { parseTiled } from '../../../../src/formats/maps/tiled/tiled.ts';
import { polygonsFromGrid } from '../../../../src/formats/maps/grid-polygons.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { findClosedPassages } from '../../../../src/build/polygon/closed-passages.ts';
import type { PolygonMap, PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { raycast2d } from '../../../../src/query/map/raycast-2d.ts';
import { cosDegrees, sinDegrees } from '../../../../src/base/math/degrees.ts';
import { findMapScene } from 'navkiln-scenes';

const ROOMS = ['.....#.....', '.....#.....', '...........', '.....#.....', '.....#.....'];
const cells = (rows: readonly string[]): number[] =>
  rows.flatMap((row) => [...row].map((one) => (one === '.' ? 1 : 0)));
const grid = (rows: readonly string[], cellSize: number): PolygonMap =>
  polygonsFromGrid(cells(rows), rows[0].length, rows.length, { cellSize });

describe('a corridor exactly as wide as the agent', () => {
  it.each([1, 32, 0.1, 0.3, 1 / 3, 7.7])('of one cell of %d is open to half a cell of radius', (size) => {
    for (const mode of ['delaunay', 'diagonal'] as const) {
      const { navMesh, report } = buildFromPolygons(grid(ROOMS, size), { radius: size / 2, mode, cutByDiagonals });
      expect(validateNavMesh(navMesh)).toEqual([]);
      expect(report.warnings).toEqual([]);
      const from = [size, 2.5 * size];
      const to = [10 * size, 2.5 * size];
      const path = findPath2d(navMesh, from, to);
      expect(path).toMatchObject({ status: 'complete', exact: true });
      expect(path.length).toBeCloseTo(9 * size, 6);
      expect(findPath2d(navMesh, to, [size, size], { mode: 'funnel' }).status).toBe('complete');
      expect(raycast2d(navMesh, from, to).status).toBe('reached');
    }
  });

  it('winds through cells', () => {
    const rows = ['...#####', '...#...#', '.....#..', '...###.#', '...###..'];
    const { navMesh, report } = buildFromPolygons(grid(rows, 32), { radius: 16 });
    expect(report.warnings).toEqual([]);
    expect(findPath2d(navMesh, [48, 80], [240, 144])).toMatchObject({ status: 'complete' });
  });

  it('of a Tiled map is open, too', () => {
    const data = cells(ROOMS).map((free) => (free === 1 ? 0 : 1));
    const size = { width: 11, height: 5 };
    const map = parseTiled({
      type: 'map',
      orientation: 'orthogonal',
      ...size,
      tilewidth: 16,
      tileheight: 16,
      tilesets: [
        {
          firstgid: 1,
          tilewidth: 16,
          tileheight: 16,
          tiles: [{ id: 0, properties: [{ name: 'collides', value: true }] }],
        },
      ],
      layers: [{ type: 'tilelayer', name: 'walls', ...size, data }],
    });
    const { navMesh } = buildFromPolygons(map, { radius: 8 });
    expect(findPath2d(navMesh, [16, 40], [160, 40]).status).toBe('complete');
  });

  it('is open at any angle and place', () => {
    const seed = 3;
    const random = createRandom(seed);
    for (let i = 0; i < 60; i++) {
      const radius = 0.1 + 3 * nextRandom(random);
      const degrees = 360 * nextRandom(random);
      const [c, s] = [cosDegrees(degrees), sinDegrees(degrees)];
      const far = i % 3 === 0 ? 100_000 : 10;
      const [ox, oy] = [far * nextRandom(random), far * nextRandom(random)];
      const turn = (x: number, y: number): [number, number] => [ox + c * x - s * y, oy + s * x + c * y];
      const w = radius;
      const outline = [
        [-40, -20],
        [0, -20],
        [0, -w],
        [20, -w],
        [20, -20],
        [60, -20],
        [60, 20],
        [20, 20],
        [20, w],
        [0, w],
        [0, 20],
        [-40, 20],
      ];
      const { navMesh, report } = buildFromPolygons(
        { polygons: [{ outline: outline.map(([x, y]) => turn(x, y)) }] },
        { radius },
      );
      const where = `seed ${seed}, ${i}: ${degrees} degrees, radius ${radius}`;
      expect(report.warnings, where).toEqual([]);
      expect(findPath2d(navMesh, turn(-20, 3), turn(40, -3)), where).toMatchObject({ status: 'complete' });
    }
  });
});

describe('round corners', () => {
  // Two quads with sharp or blunt corners towards each other divide a box; the gap between the corners is the only passage.
  const gap = (width: number, turn: number, corner: number, middle: readonly [number, number]): PolygonMap => {
    const at = (x: number, y: number): [number, number] => [
      middle[0] + x * cosDegrees(turn) - y * sinDegrees(turn),
      middle[1] + x * sinDegrees(turn) + y * cosDegrees(turn),
    ];
    const half = 30 * (sinDegrees(corner / 2) / cosDegrees(corner / 2));
    const wedge = (side: number): [number, number][] => [
      at(0, (side * width) / 2),
      at(half, side * (30 + width / 2)),
      at(0, side * 60),
      at(-half, side * (30 + width / 2)),
    ];
    const outline = [at(-50, -50), at(50, -50), at(50, 50), at(-50, 50)];
    return { polygons: [{ outline }], obstacles: [wedge(1), wedge(-1)] };
  };

  it.each([30, 60, 90, 110])('of %d degrees keep passages open that are a percent wider than the agent', (corner) => {
    const random = createRandom(corner);
    for (let k = 0; k < 20; k++) {
      const turn = 360 * nextRandom(random);
      const middle = [100 * nextRandom(random), 100 * nextRandom(random)] as const;
      const radius = 1 + nextRandom(random);
      const isOpen = (width: number): boolean => {
        const { navMesh } = buildFromPolygons(gap(width, turn, corner, middle), { radius });
        const to = [-20, 20].map((x): [number, number] => [
          middle[0] + x * cosDegrees(turn),
          middle[1] + x * sinDegrees(turn),
        ]);
        return findPath2d(navMesh, to[0], to[1]).status === 'complete';
      };
      expect(isOpen(2.02 * radius), `turn ${turn}`).toBe(true);
      expect(isOpen(1.999 * radius), `turn ${turn}`).toBe(false);
    }
  });

  it.each(['sixteen-corners', 'twenty-five-corners', 'shapes-map'])(
    'give at most half the further pieces of arcs of 16 sides on %s',
    (name) => {
      const { create, radius } = findMapScene(name);
      const count = (options: PolygonOptions): number => buildFromPolygons(create(), options).report.counts.polygons;
      const whole = count({});
      expect(count({ radius }) - whole).toBeLessThan(0.5 * (count({ radius, arcTolerance: 0.02 }) - whole));
    },
  );
});

describe('closed-by-radius', () => {
  const closed = (map: PolygonMap, options: PolygonOptions) =>
    buildFromPolygons(map, { findClosedPassages, ...options }).report.warnings.filter(
      ({ code }) => code === 'closed-by-radius',
    );

  it('names the corridor that is too narrow, its width, and what an agent needs', () => {
    const [warning] = closed(grid(ROOMS, 32), { radius: 16.5 });
    expect(warning).toMatchObject({ code: 'closed-by-radius', stage: 'offset', count: 1 });
    const [x, y] = warning.where!.at!;
    expect([x >= 160 && x <= 192, y >= 64 && y <= 96]).toEqual([true, true]);
    expect(warning.passages).toHaveLength(1);
    expect(warning.passages![0].width).toBeCloseTo(32, 4);
    expect(warning.message).toMatch(
      /^the radius of 16\.5 closes 1 passage between parts of the map; the widest, at \[\d+, \d+\], is 32 wide, an agent needs 33$/,
    );
    expect(() => buildFromPolygons(grid(ROOMS, 32), { radius: 16.5, strict: true, findClosedPassages })).toThrow(
      /closed-by-radius/,
    );
  });

  it('is not looked for without the function, and refuses another value', () => {
    expect(buildFromPolygons(grid(ROOMS, 32), { radius: 16.5 }).report.warnings).toEqual([]);
    expect(() => buildFromPolygons(grid(ROOMS, 32), { findClosedPassages: true as never })).toThrow(
      'options.findClosedPassages is true; must be the function findClosedPassages',
    );
  });

  it('counts one passage for each part that is cut off, and takes the widest of several', () => {
    const rows = ['...#...#...', '...#.......', '.......#...', '...#...#...', '.......#...', '...#...#...'];
    const [warning] = closed(grid(rows, 10), { radius: 6 });
    expect(warning.count).toBe(2);
    expect(warning.passages!.map(({ width }) => Math.round(width))).toEqual([10, 10]);
    // A wide and a narrow door between two rooms.
    const doors: PolygonMap = {
      polygons: [
        {
          outline: [
            [0, 0],
            [30, 0],
            [30, 20],
            [0, 20],
          ],
        },
      ],
      obstacles: [
        [
          [14, -1],
          [16, -1],
          [16, 5],
          [14, 5],
        ],
        [
          [14, 6],
          [16, 6],
          [16, 14],
          [14, 14],
        ],
        [
          [14, 16],
          [16, 16],
          [16, 21],
          [14, 21],
        ],
      ],
    };
    const [door] = closed(doors, { radius: 1.25 });
    expect(door.count).toBe(1);
    expect(door.passages![0].width).toBeCloseTo(2, 5);
    expect(door.where!.at![1]).toBeGreaterThan(13);
    expect(closed(doors, { radius: 1 })).toEqual([]);
  });

  it('is silent about islands that were apart before, and about narrow ends', () => {
    expect(closed(grid(['...#...'], 10), { radius: 2 })).toEqual([]);
    const wedge: PolygonMap = {
      polygons: [
        {
          outline: [
            [0, 0],
            [40, 5],
            [0, 10],
          ],
        },
      ],
    };
    expect(closed(wedge, { radius: 1 })).toEqual([]);
  });
});
