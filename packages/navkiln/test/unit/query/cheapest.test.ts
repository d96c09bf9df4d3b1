import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../src/build/polygon/build.ts';
import type { PolygonMap } from '../../../src/build/polygon/options.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { findCheapestPath } from '../../../src/query/cheapest/cheapest.ts';
import { findPath2d } from '../../../src/query/map/path-2d.ts';
import { findOptimalPath } from '../../../src/query/optimal/optimal.ts';
import { buildWeighted } from './weighted-maps.ts';

const read = (name: string): never =>
  JSON.parse(readFileSync(new URL(`../../corpus/${name}.json`, import.meta.url), 'utf8')) as never;

const square = (x0: number, y0: number, x1: number, y1: number): [number, number][] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
];

function costOn(map: PolygonMap, from: [number, number], to: [number, number], maxError?: number): number {
  const { navMesh, areaCosts } = buildWeighted(map);
  return findPath2d(navMesh, from, to, { mode: findCheapestPath, filter: createFilter({ areaCosts }), maxError }).cost;
}

/** The least cost across parallel strips: x0 < borders < x1, one weight each, by bisection on the constant of Snell's law. */
function snell(widths: readonly number[], weights: readonly number[], height: number): number {
  let [low, high] = [0, Math.min(...weights)];
  const rise = (constant: number): number =>
    widths.reduce((sum, width, i) => sum + (width * constant) / Math.sqrt(weights[i] ** 2 - constant ** 2), 0);
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2;
    if (rise(middle) < height) low = middle;
    else high = middle;
  }
  return widths.reduce((sum, width, i) => sum + (weights[i] ** 2 * width) / Math.sqrt(weights[i] ** 2 - low ** 2), 0);
}

describe('findCheapestPath', () => {
  it('walks around the mud of the yard, where the shortest path goes through it', () => {
    const yard = read('weighted-yard') as {
      map: PolygonMap;
      from: [number, number];
      to: [number, number];
      cheapest: number;
    };
    expect(costOn(yard.map, yard.from, yard.to)).toBeCloseTo(yard.cheapest, 3);
  });

  it("bends at a border by Snell's law", () => {
    const { halfPlane } = read('weighted-yard') as {
      halfPlane: { map: PolygonMap; from: [number, number]; to: [number, number]; snell: number };
    };
    expect(costOn(halfPlane.map, halfPlane.from, halfPlane.to)).toBeCloseTo(halfPlane.snell, 4);
    expect(snell([40, 40], [1, 3], 80)).toBeCloseTo(halfPlane.snell, 4);
  });

  it('finds the worst path of the spike, 2.8 times as expensive by default before', () => {
    const worst = read('weighted-worst') as {
      map: PolygonMap;
      from: [number, number];
      to: [number, number];
      cheapest: number;
    };
    expect(costOn(worst.map, worst.from, worst.to) / worst.cheapest).toBeLessThan(1.0005);
  });

  it.each([
    { weights: [1, 3, 1, 0.5], height: 30 },
    { weights: [1, 20, 0.2, 1], height: 60 },
    { weights: [5, 2, 4, 3], height: 10 },
  ])('crosses strips of costs $weights as Snell does', ({ weights, height }) => {
    const map: PolygonMap = {
      polygons: [{ outline: square(0, -400, 80, 400) }],
      areas: weights.map((cost, i) => ({ name: `a${i}`, cost, outline: square(20 * i, -400, 20 * i + 20, 400) })),
    };
    // The ends lie in the middle of the first and last strip.
    const least = snell([10, 20, 20, 10], weights, height);
    const runsAlong = costOn(map, [10, -height / 2], [70, height / 2], 0.001);
    expect(runsAlong).toBeLessThan(least * 1.001);
    expect(runsAlong).toBeGreaterThan(least * (1 - 1e-9));
  });

  it('follows a road and leaves it at the critical angle', () => {
    const map: PolygonMap = {
      polygons: [{ outline: square(0, 0, 200, 100) }],
      areas: [{ name: 'road', cost: 0.5, outline: square(0, 0, 200, 2) }],
    };
    // Down to the road and up from it, each at the angle whose sine is 0.5.
    const height = 18;
    const down = height / Math.sqrt(1 - 0.25);
    const least = 2 * down + 0.5 * (160 - 2 * down * 0.5);
    expect(costOn(map, [20, 2 + height], [180, 2 + height])).toBeCloseTo(least, 3);
  });

  it('reports the bound, and never a path as exact where costs differ', () => {
    const yard = read('weighted-yard') as { map: PolygonMap; from: [number, number]; to: [number, number] };
    const { navMesh, areaCosts } = buildWeighted(yard.map);
    const filter = createFilter({ areaCosts });
    const mode = findCheapestPath;
    const path = findPath2d(navMesh, yard.from, yard.to, { filter, mode });
    expect(path).toMatchObject({ status: 'complete', exact: false, bound: 0.01 });
    expect(findPath2d(navMesh, yard.from, yard.to, { mode })).toMatchObject({ exact: true, bound: 0 });
    expect(findPath2d(navMesh, yard.from, yard.to)).not.toHaveProperty('bound');
    expect(findPath2d(navMesh, yard.from, yard.to, { filter, mode, maxError: 1 }).cost).toBeLessThan(84.2);
    expect(findPath2d(navMesh, yard.from, yard.to, { filter, mode, maxError: 1e-6 }).cost).toBeCloseTo(83.38641, 4);
  });

  it('refuses costs and errors that have no meaning', () => {
    const { navMesh } = buildFromPolygons({ polygons: [{ outline: square(0, 0, 10, 10) }] });
    for (const maxError of [0, -1, 1.5, NaN, Infinity, '1' as never]) {
      expect(() => findCheapestPath(navMesh, [1, 0, -1], [9, 0, -9], { maxError })).toThrow(
        /findCheapestPath: options.maxError is .*; must be a number > 0, at most 1/,
      );
      expect(() => findPath2d(navMesh, [1, 1], [9, 9], { mode: findCheapestPath, maxError })).toThrow(/maxError/);
      expect(() => findPath2d(navMesh, [1, 1], [9, 9], { maxError })).toThrow(/must be the function findCheapestPath/);
    }
    for (const cost of [0, -1, NaN]) {
      expect(() => createFilter({ areaCosts: { 2: cost } })).toThrow(RangeError);
      const filter = createFilter({ areaCosts: { 3: 2 } });
      filter.areaCosts[2] = cost;
      expect(() => findCheapestPath(navMesh, [1, 0, -1], [9, 0, -9], { filter })).toThrow(/areaCosts\[2\]/);
    }
  });

  it('leaves out closed areas and takes costs of any size', () => {
    const map: PolygonMap = {
      polygons: [{ outline: square(0, 0, 30, 10) }],
      areas: [{ name: 'wall', cost: 5, outline: square(10, 0, 20, 8) }],
    };
    const { navMesh, areaCosts } = buildWeighted(map);
    const wall = Number(Object.keys(areaCosts).find((id) => areaCosts[Number(id)] === 5));
    const ask = (cost: number, from: [number, number] = [1, 1]): ReturnType<typeof findPath2d> =>
      findPath2d(navMesh, from, [29, 1], {
        mode: findCheapestPath,
        filter: createFilter({ areaCosts: { [wall]: cost, 9: 7 } }),
      });
    const around = 2 * Math.hypot(9, 7) + 10;
    expect(ask(Infinity).cost).toBeCloseTo(around, 9);
    expect(ask(1e9).cost).toBeCloseTo(around, 6);
    expect(ask(1e-9).cost).toBeCloseTo(18, 5);
    // A start in a closed area is moved out of it.
    const moved = ask(Infinity, [11, 3]);
    expect(moved.status).toBe('complete');
    expect(moved.startDistance).toBeCloseTo(1, 9);
  });

  it('takes areas smaller than an edge into account', () => {
    const map: PolygonMap = {
      polygons: [{ outline: square(0, 0, 100, 100) }],
      areas: [{ name: 'puddle', cost: 20, outline: square(50, 49.99, 50.02, 50.01) }],
    };
    const cost = costOn(map, [0, 50], [100, 50]);
    expect(cost).toBeGreaterThan(100);
    expect(cost).toBeLessThan(100.001);
  });

  it('takes costs of a method from the search that knows them, and says that it has no bound', () => {
    const { navMesh } = buildFromPolygons({ polygons: [{ outline: square(0, 0, 10, 10) }] });
    const filter = createFilter({ cost: (_, { length }) => 3 * length });
    const path = findCheapestPath(navMesh, [1, 0, -1], [9, 0, -1], { filter });
    expect(path).toEqual({ ...findOptimalPath(navMesh, [1, 0, -1], [9, 0, -1], { filter }), bound: Infinity });
    expect(path.cost).toBeCloseTo(24, 9);
  });
});
