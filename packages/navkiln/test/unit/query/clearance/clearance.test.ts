import { describe, expect, it } from 'vitest';
import { createClearance } from '../../../../src/query/clearance/create.ts';
import { findClearPath2d } from '../../../../src/query/clearance/find.ts';
import { narrowestBetween } from '../../../../src/query/clearance/tree.ts';
import type { Clearance } from '../../../../src/query/clearance/types.ts';
import { validateClearance } from '../../../../src/query/clearance/validate.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap, PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';

type P = [number, number];

const box = (x0: number, y0: number, x1: number, y1: number): P[] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

function clearanceOf(map: PolygonMap, options?: PolygonOptions): Clearance {
  const clearance = createClearance(buildFromPolygons(map, options).navMesh);
  expect(validateClearance(clearance)).toEqual([]);
  return clearance;
}

const UP = 1 + 2 ** -52;
const DOWN = 1 - 2 ** -53;

/** Two rooms, and a corridor of width 2 at y = 4 .. 6. */
const rooms: PolygonMap = {
  polygons: [{ outline: box(0, 0, 30, 10) }],
  obstacles: [box(10, 0, 20, 4), box(10, 6, 20, 10)],
};

describe('widths are exact', () => {
  it('a corridor as wide as the agent is open, one bit less is closed', () => {
    const clearance = clearanceOf(rooms);
    for (const [radius, status] of [
      [DOWN, 'complete'],
      [1, 'complete'],
      [UP, 'none'],
    ] as const) {
      expect(findClearPath2d(clearance, [5, 5], [25, 5], radius).status, String(radius)).toBe(status);
    }
    expect(findClearPath2d(clearance, [5, 5], [25, 5], UP)).toMatchObject({
      reason: 'unreachable',
      points: [],
      passage: { width: 2 },
    });
  });

  it('two corners at a distance of 5, across a grid', () => {
    const clearance = clearanceOf({
      polygons: [{ outline: box(0, 0, 40, 20) }],
      obstacles: [
        [
          [20, 8],
          [19, 0],
          [21, 0],
        ],
        [
          [23, 12],
          [22, 20],
          [24, 20],
        ],
      ],
    });
    expect(findClearPath2d(clearance, [5, 10], [35, 10], 2.5).status).toBe('complete');
    const closed = findClearPath2d(clearance, [5, 10], [35, 10], 2.5 * UP);
    expect(closed.passage).toEqual({ at: [21.5, 10], width: 5 });
  });

  it('passages are as wide with a largest radius as without', () => {
    for (const maxRadius of [1, UP, 3]) {
      const clearance = createClearance(buildFromPolygons(rooms).navMesh, { maxRadius });
      expect(validateClearance(clearance)).toEqual([]);
      expect(findClearPath2d(clearance, [5, 5], [25, 5], 1).status).toBe('complete');
      if (maxRadius > 1) expect(findClearPath2d(clearance, [5, 5], [25, 5], UP).passage!.width).toBe(2);
    }
  });

  it('a corner that faces a slanted wall: the disturbance behind an edge', () => {
    // The corner at [10, 4] lies across from the wall 3x + 4y = 66: the distance is |30 + 16 - 66| / 5 = 4.
    const clearance = clearanceOf({
      polygons: [
        {
          outline: [
            [-10, -10],
            [40, -10],
            [22, 0],
            [-6, 21],
            [-10, 21],
          ],
        },
      ],
      obstacles: [
        [
          [10, 4],
          [-8, 3],
          [8, -10],
        ],
      ],
    });
    expect(findClearPath2d(clearance, [-5, 15], [20, -5], 2).status).toBe('complete');
    const closed = findClearPath2d(clearance, [-5, 15], [20, -5], 2 * UP);
    expect(closed.status).toBe('none');
    expect(closed.passage!.width).toBe(4);
  });

  it('far from the origin', () => {
    const move = ([x, y]: P): P => [x + 131072, y - 65536];
    const far: PolygonMap = {
      polygons: [{ outline: box(0, 0, 30, 10).map(move) }],
      obstacles: [box(10, 0, 20, 4).map(move), box(10, 6, 20, 10).map(move)],
    };
    const clearance = clearanceOf(far);
    const path = findClearPath2d(clearance, move([5, 8]), move([25, 2]), 1);
    const near = findClearPath2d(clearanceOf(rooms), [5, 8], [25, 2], 1);
    expect(path.length).toBeCloseTo(near.length, 9);
    path.points.forEach((point, i) => {
      const [x, y] = move(near.points[i]);
      expect(Math.abs(point[0] - x) + Math.abs(point[1] - y)).toBeLessThan(1e-3);
    });
  });
});

describe('paths', () => {
  it('turn around corners on arcs', () => {
    const clearance = clearanceOf({ polygons: [{ outline: box(0, 0, 20, 20) }], obstacles: [box(8, 0, 12, 10)] });
    const path = findClearPath2d(clearance, [2, 10], [18, 10], 2);
    expect(path.arcs.map(({ center }) => center)).toEqual([
      [8, 10],
      [12, 10],
    ]);
    // Tangents from 6 beside a corner at radius 2, arcs, and the top of the obstacle.
    const tangent = Math.sqrt(36 - 4);
    const turn = Math.asin(2 / 6);
    expect(path.length).toBeCloseTo(2 * tangent + 4 * turn + 4, 9);
    expect(path.arcs[0].turn).toBeCloseTo(-turn, 9);
    // Corners of the line lie outside of the arcs.
    for (const [x, y] of path.points) {
      const corner = x < 10 ? 8 : 12;
      expect((x - corner) ** 2 + (y - 10) ** 2).toBeGreaterThan(4 - 1e-9);
    }
  });

  it('bend both ways in an S, along the inner tangent', () => {
    const clearance = clearanceOf({
      polygons: [{ outline: box(0, 0, 30, 20) }],
      obstacles: [box(10, 0, 12, 12), box(18, 8, 20, 20)],
    });
    const path = findClearPath2d(clearance, [5, 4], [25, 16], 1.5);
    expect(path.status).toBe('complete');
    expect(path.arcs.map(({ turn }) => Math.sign(turn))).toEqual([-1, -1, 1, 1]);
  });

  it('are straight lines without a radius, as those of the map', () => {
    const path = findClearPath2d(clearanceOf(rooms), [5, 9], [25, 9], 0);
    expect(path.points).toEqual([
      [5, 9],
      [10, 6],
      [20, 6],
      [25, 9],
    ]);
  });

  it('start and end in one triangle beside a corner that reaches into it', () => {
    const clearance = clearanceOf({
      polygons: [{ outline: box(0, 0, 40, 20) }],
      obstacles: [
        [
          [20, 3],
          [18, 0],
          [22, 0],
        ],
      ],
    });
    const path = findClearPath2d(clearance, [12, 5], [28, 5], 3);
    expect(path.arcs.map(({ center }) => center)).toEqual([[20, 3]]);
    expect(path.length).toBeGreaterThan(16);
  });

  it('turn the right way where y points down', () => {
    const map: PolygonMap = {
      polygons: [{ outline: box(0, 0, 20, 20) }],
      obstacles: [box(8, 0, 12, 10)],
      yAxis: 'down',
    };
    const path = findClearPath2d(clearanceOf(map), [2, 10], [18, 10], 2);
    expect(path.arcs[0].center).toEqual([8, 10]);
    // With y down, an angle above 0 turns clockwise on the screen; the path goes up to y = 12 and back.
    expect(path.arcs[0].turn).toBeLessThan(0);
    expect(path.points[1][1]).toBeGreaterThan(10);
  });
});

/** Maps that random trials found, made as small as they still failed. */
const FOUND: { name: string; outline: P[]; obstacles: P[][]; from: P; to: P; radii: number[] }[] = [
  {
    name: 'a turn of more than a right angle around a tip',
    outline: box(0, 0, 60, 40),
    obstacles: [
      [
        [13.08, 23.13],
        [10.49, 20.69],
        [12.52, 21.12],
      ],
      [
        [18.38, 20.51],
        [17.04, 18.49],
        [15.09, 17.96],
        [17.21, 14.85],
      ],
    ],
    from: [23.28, 9.14],
    to: [16.81, 19.07],
    radii: [0, 0.1, 0.2],
  },
  {
    name: 'the same where the tip comes after another corner',
    outline: box(0, 0, 60, 40),
    obstacles: [
      [
        [20.32, 3.48],
        [21.37, 3.97],
        [22.47, 3.47],
      ],
      [
        [13.08, 23.13],
        [10.49, 20.69],
        [12.52, 21.12],
      ],
      [
        [18.38, 20.51],
        [17.04, 18.49],
        [15.09, 17.96],
        [17.21, 14.85],
      ],
    ],
    from: [23.28, 9.14],
    to: [16.81, 19.07],
    radii: [0, 0.1, 0.2],
  },
  {
    name: 'a point on a wall close to the corner that the path turns around',
    outline: box(0, 0, 60, 40),
    obstacles: [
      [
        [56.12, 28.66],
        [53.65, 29.51],
        [57.82, 26.81],
      ],
    ],
    from: [57.84, 27.41],
    to: [1.61, 29.15],
    radii: [0, 0.01],
  },
  {
    name: 'the same with three obstacles',
    outline: box(0, 0, 15.41, 10.27),
    obstacles: [
      [
        [3.05, 10.59],
        [4.02, 9.66],
        [3.72, 10.14],
      ],
      [
        [5.23, 9.17],
        [4.73, 9.03],
        [5.7, 8.23],
      ],
      [
        [3.88, 9.76],
        [4.38, 8.82],
        [4.67, 9.26],
      ],
    ],
    from: [1.7, 9.53],
    to: [11.84, 10.06],
    radii: [0],
  },
  {
    name: 'a goal beside a wall whose end lies farther away',
    outline: box(0, 0, 60, 40),
    obstacles: [
      [
        [27.9, 16.6],
        [31.7, 15.5],
        [32.5, 19.8],
      ],
      [
        [20.6, 14.9],
        [18.5, 11.7],
        [22.3, 9.6],
      ],
    ],
    from: [35.4, 31.1],
    to: [29.5, 16],
    radii: [0, 0.1],
  },
];

describe('random trials found', () => {
  it.each(FOUND)('$name', ({ outline, obstacles, from, to, radii }) => {
    const { navMesh } = buildFromPolygons({ polygons: [{ outline }], obstacles });
    const clearance = createClearance(navMesh);
    let last = findPath2d(navMesh, from, to).length;
    for (const radius of radii) {
      const { length } = findClearPath2d(clearance, from, to, radius);
      if (radius === 0) expect(length).toBeCloseTo(last, 6);
      // Without a map for the radius: longer than for the last one, but not by more than a turn around each corner.
      expect(length).toBeGreaterThanOrEqual(last * (1 - 1e-9));
      expect(length).toBeLessThanOrEqual(last + 8 * Math.PI * radius);
      last = length;
    }
  });
});

describe('ends', () => {
  it('without room are moved to the nearest point with room', () => {
    const clearance = clearanceOf(rooms);
    const path = findClearPath2d(clearance, [5, 0.25], [25, 5], 0.75);
    expect(path.startDistance).toBeCloseTo(0.5, 12);
    expect(path.points[0]).toEqual([5, 0.75]);
    // A corner of two walls, and a point in a wall.
    expect(findClearPath2d(clearance, [0, 0], [25, 5], 1).points[0]).toEqual([1, 1]);
    expect(findClearPath2d(clearance, [15, 3], [25, 5], 0.5).points[0]).toEqual([15, 4.5]);
    expect(findClearPath2d(clearance, [-100, 5], [25, 5], 0.5).startDistance).toBeCloseTo(100.5, 9);
  });

  it('are off the mesh when that is too far, or nowhere is room', () => {
    const clearance = clearanceOf(rooms);
    const far = findClearPath2d(clearance, [5, 0.25], [25, 5], 0.75, { maxMove: 0.4 });
    expect(far).toMatchObject({ status: 'none', reason: 'start-off-mesh', startDistance: Infinity });
    expect(findClearPath2d(clearance, [5, 5], [25, 5], 6).reason).toBe('start-off-mesh');
    expect(findClearPath2d(clearance, [5, 5], [25, 0.25], 0.75, { maxMove: 0 }).reason).toBe('end-off-mesh');
  });

  it('are not moved beyond maxMove to a place a little farther away', () => {
    const clearance = clearanceOf({ polygons: [{ outline: box(0, 0, 4, 100) }, { outline: box(4, 80, 60, 100) }] });
    expect(findClearPath2d(clearance, [2, 47], [30, 90], 8).startDistance).toBeCloseTo(41.4367, 4);
    expect(findClearPath2d(clearance, [2, 47], [30, 90], 8, { maxMove: 20 }).reason).toBe('start-off-mesh');
  });

  it('at the point where two obstacles touch leave to both sides, without a radius', () => {
    const clearance = clearanceOf({
      polygons: [{ outline: box(0, 0, 20, 20) }],
      obstacles: [box(4, 4, 10, 10), box(10, 10, 16, 16)],
    });
    for (const [x, y] of [
      [13, 6],
      [6, 13],
    ]) {
      expect(findClearPath2d(clearance, [10, 10], [x, y], 0).length).toBeCloseTo(5, 9);
      expect(findClearPath2d(clearance, [x, y], [10, 10], 0).length).toBeCloseTo(5, 9);
    }
  });

  it('where both are one point', () => {
    const path = findClearPath2d(clearanceOf(rooms), [5, 5], [5, 5], 1);
    expect([path.status, path.length, path.points.length]).toEqual(['complete', 0, 2]);
  });
});

describe('meshes', () => {
  it('in tiles, with areas and from files have the same clearance', () => {
    const map: PolygonMap = { ...rooms, areas: [{ name: 'mud', cost: 3, outline: box(3, 3, 27, 7) }] };
    const whole = clearanceOf(rooms);
    const tiled = clearanceOf(map, { tileSize: 4 });
    const loaded = createClearance(loadNavMesh(saveNavMesh(buildFromPolygons(map).navMesh)));
    for (const one of [tiled, loaded]) {
      expect(findClearPath2d(one, [5, 9], [25, 1], 1).passage).toEqual(undefined);
      expect(findClearPath2d(one, [5, 9], [25, 1], UP).passage!.width).toBe(2);
      expect(findClearPath2d(one, [5, 9], [25, 1], 0.9).length).toBe(
        findClearPath2d(whole, [5, 9], [25, 1], 0.9).length,
      );
    }
  });

  it('excluded areas are walls', () => {
    const map: PolygonMap = { ...rooms, areas: [{ name: 'mud', cost: 3, outline: box(14, 5, 16, 7) }] };
    const { navMesh, areas } = buildFromPolygons(map);
    const filter = createFilter({ passes: (mesh, poly) => mesh.polyArea[poly] !== areas[0].id });
    const clearance = createClearance(navMesh, { filter });
    expect(findClearPath2d(clearance, [5, 5], [25, 5], 0.5).status).toBe('complete');
    expect(findClearPath2d(clearance, [5, 5], [25, 5], 0.51).passage!.width).toBe(1);
  });

  it('an empty map has no place to stand', () => {
    const { navMesh } = buildFromPolygons({ polygons: [{ outline: box(0, 0, 1, 1) }], obstacles: [box(-1, -1, 2, 2)] });
    expect(findClearPath2d(createClearance(navMesh), [0, 0], [1, 1], 0.1).reason).toBe('start-off-mesh');
  });

  it('survives structuredClone', () => {
    const clearance = clearanceOf(rooms);
    const copy = structuredClone(clearance);
    expect(findClearPath2d(copy, [5, 9], [25, 1], 1)).toEqual(findClearPath2d(clearance, [5, 9], [25, 1], 1));
  });
});

describe('refusals and checks', () => {
  const clearance = clearanceOf(rooms);

  it('name the function and the value', () => {
    const { navMesh } = buildFromPolygons(rooms, { radius: 0.5 });
    expect(() => createClearance(navMesh)).toThrow(
      'createClearance: mesh.agent.radius is 0.5; must be 0: build the map without a radius',
    );
    expect(() => createClearance({} as never)).toThrow(TypeError);
    for (const maxRadius of [-1, NaN, '1' as never]) {
      expect(() => createClearance(buildFromPolygons(rooms).navMesh, { maxRadius })).toThrow('options.maxRadius is');
    }
    const bounded = createClearance(buildFromPolygons(rooms).navMesh, { maxRadius: 0.5 });
    expect(findClearPath2d(bounded, [5, 5], [25, 5], 0.5).status).toBe('complete');
    expect(() => findClearPath2d(bounded, [5, 5], [25, 5], 0.5 * UP)).toThrow(
      'radius is 0.5000000000000001; must be at most 0.5, the maxRadius of the clearance',
    );
    for (const radius of [-1, NaN, Infinity, '1' as never]) {
      expect(() => findClearPath2d(clearance, [5, 5], [6, 6], radius)).toThrow('findClearPath2d: radius is');
    }
    expect(() => findClearPath2d(clearance, [5, NaN], [6, 6], 1)).toThrow('findClearPath2d: start is [5, NaN]');
    expect(() => findClearPath2d(clearance, [5, 5], [6, 6], 1, { maxMove: -1 })).toThrow('options.maxMove');
    expect(() => findClearPath2d(clearance, [5, 5], [6, 6], 1, { arcTolerance: 0 })).toThrow('options.arcTolerance');
    expect(() => findClearPath2d(clearance, [5, 5], [6, 6], 1, { radius: 1 } as never)).toThrow('radius');
    expect(() => findClearPath2d({} as never, [5, 5], [6, 6], 1)).toThrow(TypeError);
  });

  it('validateClearance finds a field that was changed', () => {
    const broken = (change: (one: Clearance) => void): string[] => {
      const copy = structuredClone(clearance);
      change(copy);
      return validateClearance(copy);
    };
    const inner = clearance.twin.findIndex((h) => h >= 0);
    expect(broken((one) => (one.width[inner] *= 2))).not.toEqual([]);
    expect(broken((one) => (one.twin[inner] = -1))).not.toEqual([]);
    expect(broken((one) => (one.corner[0] = -1))).not.toEqual([]);
    expect(broken((one) => (one.xs[one.corner[0]] += 1e9))).not.toEqual([]);
    const child = clearance.parent.findIndex((t) => t >= 0);
    expect(broken((one) => (one.parentWidth[child] += 1))).not.toEqual([]);
  });

  it('the tree of passages has the width of a search over all edges', () => {
    // The widest route between two triangles, by growing a set of triangles over edges of at least a width.
    const { twin, width, triangleCount } = clearance;
    const joined = (from: number, to: number, least: number): boolean => {
      const seen = new Set([from]);
      for (const t of seen) {
        for (let h = 3 * t; h < 3 * t + 3; h++) {
          if (twin[h] >= 0 && width[h] >= least) seen.add(Math.floor(twin[h] / 3));
        }
      }
      return seen.has(to);
    };
    for (let a = 0; a < triangleCount; a++) {
      for (let b = 0; b < a; b++) {
        const narrowest = narrowestBetween(clearance, a, b);
        expect(joined(a, b, width[narrowest])).toBe(true);
        expect(joined(a, b, width[narrowest] * UP)).toBe(false);
      }
    }
  });
});
