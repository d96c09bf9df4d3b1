/** The benches of 2D maps run, agree and print, each on one small map. */
import { expect, it } from 'vitest';
import { formatTable } from '../src/harness.ts';
import { benchOptimal, optimalScenes, optimalTables } from '../src/optimal.ts';
import { benchPolygons, polygonMaps, polygonTable } from '../src/polygons.ts';

it('compares shortest paths with A* and three-pathfinding, with correct lengths', () => {
  const row = benchOptimal('twenty-five-corners', { rounds: 1, pairs: 100, seed: 1 });
  expect(row.complete).toBe(100);
  // 24 of 100 when this test was written. Some of them are where a map with holes has two routes.
  expect(row.longer).toBeGreaterThan(10);
  expect(row.worst).toBeGreaterThan(1.1);
  const { three } = row;
  expect(three.asked).toBe(100);
  expect(three.missed).toBeLessThan(5);
  expect(three.wrong).toBeLessThan(5);
  // The number of triangles follows from corners and holes, for any triangulation.
  expect(three.triangles).toBeGreaterThan(row.polygons);
  expect(three.lengthToOptimal).toBeGreaterThan(1.02);
  expect(three.lengthToOptimal).toBeGreaterThan(three.lengthToPath);
  for (const table of optimalTables([row]).map(formatTable)) expect(table).not.toMatch(/NaN|undefined|Infinity/);
});

it('compares the triangulation with earcut and cdt2d, with equal areas', () => {
  const row = benchPolygons('twenty-five-corners', 1);
  expect(row.polygons).toBeLessThan(0.55 * row.triangles);
  expect(formatTable(polygonTable([row]))).not.toMatch(/NaN|undefined|Infinity/);
  expect(Object.keys(row.ratios)).toEqual(['earcut', 'cdt2d']);
});

it('selects benches by name and refuses unknown names', () => {
  expect(optimalScenes([])).toEqual(expect.arrayContaining(['rectangle', 'coast-map', 'dungeon', 'courtyard']));
  expect(optimalScenes(['grid-map', 'city'])).toEqual(['grid-map', 'city']);
  expect(polygonMaps(['grid-map', 'city'])).toEqual(['grid-map']);
  expect(() => benchOptimal('nowhere', { rounds: 1, pairs: 1, seed: 1 })).toThrow(RangeError);
  expect(() => benchPolygons('nowhere', 1)).toThrow(RangeError);
});
