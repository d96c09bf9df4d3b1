/** Paths over midpoints compared with a plain search over crossings and with other paths, and lines of corridors. */
import { describe, expect, it } from 'vitest';
import { addLink } from '../../../src/mesh/change/links.ts';
import { removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import type { PathSegment } from '../../../src/query/filter.ts';
import { findOptimalPath } from '../../../src/query/optimal/optimal.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { getCorridorLine } from '../../../src/query/path/corridor-line.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { findMidpointPath } from '../../../src/query/path/midpoints.ts';
import { cheapestWays, searchWorld, segmentCost } from '../agents/crowd/search-worlds.ts';
import { gridTile, lShapeMesh, meshOf, ringMesh } from '../meshes.ts';

const SEED = Number(process.env.NAVKILN_SEED ?? 1);

const methods = {
  areas: undefined,
  method: (mesh: NavMesh, { poly, previous, next, from, to, length }: PathSegment): number =>
    length * (1 + (mesh.polyArea[poly] & 1)) +
    2 * Math.max(0, to[1] - from[1]) +
    (previous >= 0 && next >= 0 && (previous + next) % 4 === 0 ? 0.5 : 0),
  discount: (_: NavMesh, { poly, length }: PathSegment): number => length * (poly % 4 === 0 ? 0.05 : 1),
};

describe('findMidpointPath', () => {
  for (const [name, cost] of Object.entries(methods)) {
    it(`costs what a plain search over crossings finds: ${name}`, () => {
      let reached = 0;
      let unreached = 0;
      for (let seed = SEED; seed < SEED + 25; seed++) {
        const world = searchWorld(seed);
        const { mesh, spot } = world;
        const filter = { ...world.filter, cost, heuristicScale: name === 'discount' ? 0 : 0.999 };
        const open = (poly: number): boolean =>
          (mesh.polyFlags[poly] & filter.includeFlags) !== 0 && (mesh.polyFlags[poly] & filter.excludeFlags) === 0;
        for (let i = 0; i < 4; i++) {
          const start = spot();
          if (!open(start.poly)) continue;
          const cheapest = cheapestWays({ ...world, filter }, start);
          for (let k = 0; k < 6; k++) {
            const goal = spot();
            if (!open(goal.poly)) continue;
            const direct =
              start.poly === goal.poly
                ? segmentCost(filter, mesh, [-1, start.poly, -1], start.point, goal.point)
                : Infinity;
            const best = Math.min(direct, cheapest(goal));
            const path = findMidpointPath(mesh, start.point, goal.point, { filter, halfExtents: 1e-6 });
            const what = `seed ${seed}, start ${i}, goal ${k}`;
            expect(path.status === 'complete', what).toBe(best < Infinity);
            if (best < Infinity) expect(path.cost, what).toBeCloseTo(best, 9);
            if (best < Infinity) reached++;
            else unreached++;
          }
        }
      }
      console.log(`Midpoints beside a plain search, ${name}, seed ${SEED}: ${reached} reached, ${unreached} not`);
      expect(reached).toBeGreaterThan(100);
      expect(unreached).toBeGreaterThan(20);
    });
  }

  it('has the statuses, reasons and ends of findPath', () => {
    for (let seed = SEED + 40; seed < SEED + 60; seed++) {
      const { mesh, spot, filter } = searchWorld(seed);
      for (let i = 0; i < 10; i++) {
        const [start, end] = [spot().point, i === 9 ? [1e3, 0, 0] : spot().point];
        const theirs = findPath(mesh, start, end, { filter });
        const ours = findMidpointPath(mesh, start, end, { filter });
        const { status, reason, startDistance, endDistance } = ours;
        expect({ status, reason, startDistance, endDistance }).toEqual({
          status: theirs.status,
          reason: theirs.reason,
          startDistance: theirs.startDistance,
          endDistance: theirs.endDistance,
        });
        if (status === 'complete') expect(ours.points[0]).toEqual(theirs.points[0]);
        if (status === 'complete' && filter.areaCosts.every((cost) => cost === 1)) {
          expect(ours.cost).toBeLessThanOrEqual(theirs.cost * (1 + 1e-9));
        }
      }
    }
    const mesh = meshOf(gridTile(20, 20));
    expect(findMidpointPath(mesh, [0.5, 0, 0.5], [19.5, 0, 19.5], { maxNodes: 10 })).toMatchObject({
      status: 'partial',
      reason: 'budget',
    });
    // @ts-expect-error An unknown key.
    expect(() => findMidpointPath(mesh, [0, 0, 0], [1, 0, 1], { mode: 'x' })).toThrow(
      'findMidpointPath: options.mode is unknown',
    );
  });

  it('is a mode of findPath2d, on average between the shortest path and that of A* over polygons', () => {
    // Scattered squares in a room.
    const squares = [
      [10, 12],
      [25, 30],
      [40, 8],
      [55, 35],
      [70, 15],
      [15, 50],
      [45, 55],
      [75, 60],
    ].map(([x, y]) => [
      [x, y],
      [x + 9, y + 2],
      [x + 7, y + 11],
      [x - 2, y + 8],
    ]);
    const outline = [
      [0, 0],
      [95, 0],
      [95, 80],
      [0, 80],
    ] as [number, number][];
    const { navMesh } = buildFromPolygons({ polygons: [{ outline, holes: squares as [number, number][][] }] });
    const excess = { midpoints: 0, funnel: 0 };
    let count = 0;
    for (let i = 0; i < 400; i++) {
      const [start, end] = [
        [(37 * i) % 95, (53 * i) % 80],
        [(71 * i + 20) % 95, (29 * i + 40) % 80],
      ];
      const best = findPath2d(navMesh, start, end);
      if (best.status !== 'complete' || best.polys.length < 2) continue;
      count++;
      for (const name of ['midpoints', 'funnel'] as const) {
        const mode = name === 'midpoints' ? findMidpointPath : name;
        const path = findPath2d(navMesh, start, end, { mode });
        expect(path.exact).toBe(false);
        expect(path.length).toBeGreaterThan(best.length * (1 - 1e-9));
        excess[name] += path.length / best.length - 1;
      }
    }
    expect(count).toBeGreaterThan(200);
    console.log(`Mean excess of ${count} paths: ${JSON.stringify(excess)}`);
    expect(excess.midpoints).toBeLessThan(excess.funnel);
    // @ts-expect-error An unknown mode.
    expect(() => findPath2d(navMesh, [1, 1], [2, 2], { mode: 'x' })).toThrow(
      `findPath2d: options.mode is "x"; must be 'optimal', 'funnel' or the function findMidpointPath`,
    );
  });
});

describe('getCorridorLine', () => {
  const lengthOf = (points: readonly number[][]): number =>
    points.reduce(
      (sum, point, i) => (i === 0 ? 0 : sum + Math.hypot(...point.map((value, k) => value - points[i - 1][k]))),
      0,
    );

  it('gives the lines over centers, over midpoints and through the funnel', () => {
    const mesh = lShapeMesh();
    const path = findPath(mesh, [3.5, 0, 0.5], [0.5, 0, 5.5]);
    expect(getCorridorLine(mesh, path, 'centers')).toEqual([
      [3.5, 0, 0.5],
      [1, 0, 1],
      [0.5, 0, 5.5],
    ]);
    expect(getCorridorLine(mesh, path, 'midpoints')).toEqual([
      [3.5, 0, 0.5],
      [2, 0, 1],
      [1, 0, 2],
      [0.5, 0, 5.5],
    ]);
    expect(getCorridorLine(mesh, path, 'funnel')).toEqual(path.points);
    // @ts-expect-error An unknown line.
    expect(() => getCorridorLine(mesh, path, 'x')).toThrow('getCorridorLine: kind is "x"; must be \'centers\'');
  });

  it('agrees with the paths of all functions, over tiles and links', () => {
    let links = 0;
    for (let seed = SEED + 80; seed < SEED + 100; seed++) {
      const { mesh, spot } = searchWorld(seed);
      const filter = createFilter();
      for (let i = 0; i < 10; i++) {
        const [start, end] = [spot().point, spot().point];
        for (const find of [findPath, findMidpointPath]) {
          const path = find(mesh, start, end, { filter });
          const funnel = getCorridorLine(mesh, path, 'funnel')!;
          expect(funnel, `seed ${seed}, pair ${i}`).toEqual(path.points);
          const midpoints = getCorridorLine(mesh, path, 'midpoints')!;
          const walked = path.points.length;
          if (walked > 0) expect([midpoints[0], midpoints.at(-1)]).toEqual([path.points[0], path.points[walked - 1]]);
          if (midpoints.length > path.polys.length + 1) links++;
        }
        const exact = findOptimalPath(mesh, start, end);
        const planar = (points: readonly number[][]): number => lengthOf(points.map(([x, , z]) => [x, z]));
        expect(planar(getCorridorLine(mesh, exact, 'funnel')!)).toBeCloseTo(planar(exact.points), 6);
      }
    }
    expect(links).toBeGreaterThan(10);
  });

  it('takes [x, y] of 2D maps, empty paths and links within a polygon, and reports paths that are gone', () => {
    const ring = ringMesh();
    const path = findPath2d(ring, [0.5, 0.5], [2.5, 2.5]);
    const line = getCorridorLine(ring, path, 'midpoints')!;
    expect(line[0]).toEqual([0.5, 0.5]);
    expect(line.every((point) => point.length === 2)).toBe(true);
    expect(getCorridorLine(ring, { points: [], polys: [] }, 'centers')).toEqual([]);
    const field = meshOf(gridTile(1, 1));
    addLink(field, { start: [0.2, 0, 0.5], end: [0.8, 0, 0.5], cost: 0.01 });
    const jump = findPath(field, [0.1, 0, 0.5], [0.9, 0, 0.5]);
    expect(getCorridorLine(field, jump, 'midpoints')).toEqual(jump.points);
    removeTile(ring, 0);
    expect(getCorridorLine(ring, path, 'midpoints')).toBeNull();
  });
});
