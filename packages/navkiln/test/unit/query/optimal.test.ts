/** Shortest paths with known results: tiles, links, filters, budgets, costs. On levels compared with findPath. */
import { describe, expect, it } from 'vitest';
import { levelScenes } from 'navkiln-scenes';
import { createRandom } from '../../../src/base/data/random.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { findNearestOf } from '../../../src/query/optimal/nearest-of.ts';
import { createOptimalBuffer, findOptimalPath, findOptimalPathInto } from '../../../src/query/optimal/optimal.ts';
import { createOptimalState } from '../../../src/query/optimal/state.ts';
import { tautenPath } from '../../../src/query/optimal/taut.ts';
import { findRandomPoint } from '../../../src/query/random/random-point.ts';
import { buildNavMesh } from '../../../src/build/voxel/build.ts';
import { gridTile, lShapeMesh, meshOf, ringMesh, storeysMesh, tileOf } from '../meshes.ts';

const planar = (points: readonly number[][]): number =>
  points.slice(1).reduce((sum, p, i) => sum + Math.hypot(p[0] - points[i][0], p[2] - points[i][2]), 0);

/** Two squares of 4 x 4, 3 apart in x. */
const twoFloors = (): NavMesh =>
  meshOf(
    tileOf(
      [
        [0, 0, 0],
        [0, 0, 4],
        [4, 0, 4],
        [4, 0, 0],
        [7, 0, 0],
        [7, 0, 4],
        [11, 0, 4],
        [11, 0, 0],
      ],
      [{ corners: [0, 1, 2, 3] }, { corners: [4, 5, 6, 7] }],
    ),
  );

describe('findOptimalPath', () => {
  it('turns at corners only', () => {
    expect(findOptimalPath(lShapeMesh(), [3.5, 0, 0.5], [0.5, 0, 5]).points).toEqual([
      [3.5, 0, 0.5],
      [2, 0, 2],
      [0.5, 0, 5],
    ]);
    expect(findOptimalPath(lShapeMesh(), [0.5, 0, 0.5], [3, 0, 1]).points).toEqual([
      [0.5, 0, 0.5],
      [3, 0, 1],
    ]);
    const point = findOptimalPath(ringMesh(), [1, 0, 1], [1, 0, 1]);
    expect(point).toMatchObject({ status: 'complete', points: [[1, 0, 1]], length: 0, exact: true });
  });

  it('reports why there is no path', () => {
    expect(findOptimalPath(ringMesh(), [50, 0, 0], [1, 0, 0])).toMatchObject({
      status: 'none',
      reason: 'start-off-mesh',
      points: [],
    });
    expect(findOptimalPath(ringMesh(), [1, 0, 0], [50, 0, 0])).toMatchObject({
      status: 'none',
      reason: 'end-off-mesh',
      points: [],
    });
    const up = findOptimalPath(storeysMesh(), [1, 0, 1], [3, 3, 3]);
    expect(up).toMatchObject({ status: 'partial', reason: 'unreachable' });
    expect(up.points.at(-1)).toEqual([3, 0, 3]);
    const mesh = meshOf(gridTile(12, 12, (x, z) => x % 4 !== 2 || z === (x % 8 === 2 ? 0 : 11)));
    const short = findOptimalPath(mesh, [0.5, 0, 6], [11.5, 0, 6], { maxNodes: 4 });
    expect(short).toMatchObject({ status: 'partial', reason: 'budget', exact: false });
    expect(findOptimalPath(mesh, [0.5, 0, 6], [11.5, 0, 6])).toMatchObject({ status: 'complete', exact: true });
  });

  it('refuses wrong arguments', () => {
    const mesh = ringMesh();
    expect(() => findOptimalPath(mesh, [NaN, 0, 0], [1, 0, 1])).toThrow(/findOptimalPath: start/);
    expect(() => findOptimalPath(mesh, [0, 0, 0], [1, 0, 1], { maxNodes: 0 })).toThrow(
      /findOptimalPath: options.maxNodes is 0; must be/,
    );
    expect(() => findNearestOf(mesh, [0, 0, 0], 3 as never)).toThrow(/findNearestOf: targets/);
    expect(() => findNearestOf(mesh, [0, 0, 0], [[0, 0, NaN]])).toThrow(/findNearestOf: targets\[0\] is/);
  });

  it('has no corner on a straight line where the start is on a wall up to rounding', () => {
    let nearly = 0;
    for (let turn = 1; turn <= 40; turn++) {
      const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
      const at = (x: number, z: number): number[] => [37.3 + cos * x - sin * z, 0, 21.7 + sin * x + cos * z];
      // An L; its inner corner is at (2, 2), and the wall from (4, 2) leads straight to it.
      const corners = [
        [0, 0],
        [2, 0],
        [4, 0],
        [0, 2],
        [2, 2],
        [4, 2],
        [0, 6],
        [2, 6],
      ].map(([x, z]) => at(x, z));
      const mesh = meshOf(
        tileOf(corners, [{ corners: [0, 3, 4, 1] }, { corners: [1, 4, 5, 2] }, { corners: [3, 6, 7, 4] }]),
      );
      for (let i = 1; i < 20; i++) {
        const between = (a: number[], b: number[], t: number): number[] =>
          a.map((value, k) => value + t * (b[k] - value));
        const path = findOptimalPath(
          mesh,
          between(corners[5], corners[4], i / 20),
          between(corners[4], corners[3], 0.7),
        );
        expect(path.status).toBe('complete');
        nearly += path.points.length - 2;
      }
    }
    expect(nearly).toBe(0);
  });

  it('takes links where they are shorter', () => {
    const mesh = twoFloors();
    addLink(mesh, { start: [3.5, 0, 2], end: [7.5, 0, 2] });
    const path = findOptimalPath(mesh, [0.5, 0, 0.5], [10.5, 0, 3.5]);
    expect(path).toMatchObject({ status: 'complete', exact: true });
    expect(path.points).toEqual([
      [0.5, 0, 0.5],
      [3.5, 0, 2],
      [7.5, 0, 2],
      [10.5, 0, 3.5],
    ]);
    expect(path.cost).toBeCloseTo(2 * Math.hypot(3, 1.5) + 4, 12);
    expect(path.planarLength).toBeCloseTo(2 * Math.hypot(3, 1.5), 12);
    expect(findOptimalPath(mesh, [10.5, 0, 3.5], [0.5, 0, 3.5])).toMatchObject({
      status: 'partial',
      reason: 'unreachable',
    });
    // Within one polygon, by a teleporter.
    const field = meshOf(gridTile(1, 1));
    addLink(field, { start: [0.1, 0, 0.1], end: [0.9, 0, 0.9], cost: 0 });
    const jump = findOptimalPath(field, [0.05, 0, 0.05], [0.95, 0, 0.95]);
    expect(jump.points).toEqual([
      [0.05, 0, 0.05],
      [0.1, 0, 0.1],
      [0.9, 0, 0.9],
      [0.95, 0, 0.95],
    ]);
    expect(jump.cost).toBeCloseTo(2 * Math.hypot(0.05, 0.05), 12);
  });

  it('respects the filter, and reports when area costs make it inexact', () => {
    const mesh = meshOf(gridTile(3, 3, undefined, undefined, (x, z) => (x === 1 && z < 2 ? 5 : 63)));
    const passes = (m: NavMesh, poly: number): boolean => m.polyArea[poly] !== 5;
    const around = findOptimalPath(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5], { filter: createFilter({ passes }) });
    expect(around).toMatchObject({ status: 'complete', exact: true });
    expect(around.points).toEqual([
      [0.5, 0, 0.5],
      [1, 0, 2],
      [2, 0, 2],
      [2.5, 0, 0.5],
    ]);
    const dear = findOptimalPath(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5], {
      filter: createFilter({ areaCosts: { 5: 100 } }),
    });
    expect(dear).toMatchObject({ status: 'complete', exact: false });
    expect(dear.points).toEqual(around.points);
    const double = createFilter({ areaCosts: Object.fromEntries(Array.from({ length: 64 }, (_, area) => [area, 2])) });
    const straight = findOptimalPath(mesh, [0.5, 0, 0.5], [2.5, 0, 0.5], { filter: double });
    expect(straight).toMatchObject({ exact: true, length: 2, cost: 4 });
  });

  it('removes corners where area costs differ, with tautenPath alone', () => {
    // Costs differ only in the far corner, so the cheapest line is straight.
    const mesh = meshOf(gridTile(9, 9, undefined, undefined, (x, z) => (x === 8 && z === 8 ? 5 : 63)));
    const filter = createFilter({ areaCosts: { 5: 3 } });
    const [start, end] = [
      [0.5, 0, 7.5],
      [7.5, 0, 4.1],
    ];
    const plain = findOptimalPath(mesh, start, end, { filter });
    expect(plain.points).toEqual(findPath(mesh, start, end, { filter }).points);
    expect(plain.points.length).toBeGreaterThan(2);
    // The cost is the sum along the line, here its length, and no estimate.
    expect(plain.cost).toBeCloseTo(plain.length, 9);
    const taut = findOptimalPath(mesh, start, end, { filter, tauten: tautenPath });
    expect(taut.points).toEqual([start, end]);
    expect(taut.exact).toBe(false);
    expect(taut.cost).toBeCloseTo(Math.hypot(7, 3.4), 9);
    expect(() => findOptimalPath(mesh, start, end, { tauten: 'taut' as never })).toThrow(
      'findOptimalPath: options.tauten is "taut"; must be a function',
    );
  });

  it('is never longer than findPath on levels, tiled or not, and as long in reverse', () => {
    let shorter = 0;
    for (const name of ['dungeon', 'tower', 'islands', 'house']) {
      const scene = levelScenes.find((one) => one.name === name)!;
      for (const tiling of [{}, { tileSize: 12 }]) {
        const { navMesh: mesh } = buildNavMesh(scene.create(1), { ...scene.options, ...tiling });
        const random = createRandom(7);
        for (let i = 0; i < 60; i++) {
          const [a, b] = [0, 1].map(() => findRandomPoint(mesh, random)!.point);
          const what = `${name}, ${JSON.stringify(tiling)}, ${i}: ${a} to ${b}`;
          const path = findOptimalPath(mesh, a, b);
          const other = findPath(mesh, a, b);
          expect(path.status, what).toBe(other.status);
          if (path.status !== 'complete') continue;
          expect(path.exact, what).toBe(true);
          expect(path.planarLength, what).toBeLessThanOrEqual(planar(other.points) * (1 + 1e-9));
          if (path.planarLength < planar(other.points) * (1 - 1e-6)) shorter++;
          // Portals are where they are from each side, up to roundings of what they are cut from.
          const back = findOptimalPath(mesh, b, a);
          expect(Math.abs(back.planarLength - path.planarLength), what).toBeLessThanOrEqual(1e-6 * path.planarLength);
        }
      }
    }
    expect(shorter).toBeGreaterThan(20);
  });

  it('reuses its arrays', () => {
    const mesh = meshOf(gridTile(20, 20, (x, z) => (x * 7 + z * 5) % 6 !== 0));
    const [buffer, state] = [createOptimalBuffer(), createOptimalState()];
    const [a, b, half] = [
      [0.5, 0, 1.5],
      [19.5, 0, 18.5],
      [1, 1, 1],
    ].map((p) => Float64Array.from(p));
    const query = { start: a, end: b, halfExtents: half, filter: DEFAULT_FILTER, maxNodes: Infinity };
    const run = (): void => findOptimalPathInto(buffer, state, mesh, query);
    run();
    const { node, link, heapNode } = state;
    const { points } = buffer.line;
    for (let i = 0; i < 20; i++) run();
    expect([
      state.node === node,
      state.link === link,
      state.heapNode === heapNode,
      buffer.line.points === points,
    ]).toEqual([true, true, true, true]);
  });
});

describe('findNearestOf', () => {
  it('finds the target nearest by walking, not by straight distance', () => {
    const mesh = meshOf(gridTile(3, 3, (x, z) => x !== 1 || z === 2));
    const found = findNearestOf(
      mesh,
      [0.5, 0, 0.5],
      [
        [2.1, 0, 0.5],
        [0.5, 0, 2.9],
        [80, 0, 0],
      ],
    );
    expect(found).toMatchObject({ status: 'complete', target: 1, exact: true });
    expect(findNearestOf(mesh, [0.5, 0, 0.5], [])).toMatchObject({
      status: 'none',
      reason: 'end-off-mesh',
      target: -1,
    });
    expect(findNearestOf(storeysMesh(), [1, 0, 1], [[1, 3, 1]])).toMatchObject({
      status: 'none',
      reason: 'unreachable',
      target: -1,
    });
  });
});
