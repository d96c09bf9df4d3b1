import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../../src/entries/build.ts';
import { buildFromPolygons } from '../../../../src/entries/polygon.ts';
import { FLAG_WALK } from '../../../../src/base/constants.ts';
import { addLink, removeLink, setLinkEnabled } from '../../../../src/mesh/change/links.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { refOf } from '../../../../src/mesh/ref.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { addTile, removeTile } from '../../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../../src/mesh/types.ts';
import { buildPathIndex, continuePathIndex, startPathIndex } from '../../../../src/query/index/build.ts';
import { estimatePathIndex } from '../../../../src/query/index/estimate.ts';
import { pathIndexBytes } from '../../../../src/query/index/file/bytes.ts';
import {
  createIndexedBuffer,
  createIndexedState,
  findIndexedPath,
  findIndexedPathInto,
} from '../../../../src/query/index/find.ts';
import { loadPathIndex } from '../../../../src/query/index/file/load.ts';
import { createPathBatch, findDistances, findPaths } from '../../../../src/query/index/many.ts';
import { savePathIndex } from '../../../../src/query/index/file/save.ts';
import type { PathIndex } from '../../../../src/query/index/types.ts';
import { setFlags } from '../../../../src/query/area.ts';
import { createFilter } from '../../../../src/query/create-filter.ts';
import { findRandomPoint } from '../../../../src/query/random/random-point.ts';
import { findOptimalPath } from '../../../../src/query/optimal/optimal.ts';
import { createPathQuery, readPathQuery } from '../../../../src/query/path/find-path.ts';
import { createRandom } from '../../../../src/base/data/random.ts';
import { findLevelScene, findMapScene } from 'navkiln-scenes';
import { expectNoAllocationAtAll } from '../../../allocation.ts';
import { gridTile, meshOf, seeded, tileOf } from '../../meshes.ts';

const scene = findLevelScene('house');
const house = (tileCells = 0): NavMesh =>
  buildNavMesh(scene.create(), { ...scene.options, tileSize: tileCells * scene.options.cellSize! || undefined })
    .navMesh;
/** 5 x 5 squares without the middle one. */
const ring = (): NavMesh => meshOf(gridTile(5, 5, (x, z) => x !== 2 || z !== 2));

/** Faster than `toEqual` on large arrays. */
const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

function placesOn(mesh: NavMesh, count: number): [number, number, number][] {
  const random = createRandom(7);
  return Array.from({ length: count }, () => findRandomPoint(mesh, random)!.point);
}

describe('buildPathIndex', () => {
  it('spreads lines of sight along two edges between the same polygons that are straight within rounding', () => {
    // Five pieces that buildFromSurface made of a random field 1,000 units from the origin. A vertex on the border of two of them is
    // 1.5e-5 off the straight line, and in line with the corner at 9: cones went from one to the other and back without end.
    const vertices = [
      [-0.99359130859375, -2.159423828125],
      [-1.0211375027575968, -1],
      [-0.10609326127246277, -1],
      [-0.13189697265625, -1.1893310546875],
      [-0.25537109375, -2.0947265625],
      [0.38423938819585146, -1],
      [0.9548762977339038, -1],
      [0.82269287109375, -2.0596923828125],
      [0.98223876953125, -0.7806396484375],
      [0.05010986328125, 0.1461181640625],
      [0.8204345703125, -0.2501220703125],
      [-1.02337646484375, -0.90576171875],
      [-1.0166015625, 0.0296630859375],
      [-0.25341796875, 1.0760498046875],
      [-0.22955322265625, 2.0360107421875],
      [0.934814453125, 2.1610107421875],
      [1.0552978515625, 0.832763671875],
    ].map(([x, z]) => [709 + x, 0, 1153 + z]);
    const polys = [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 5, 6, 7],
      [8, 6, 5, 9, 10],
      [1, 11, 12, 9, 5, 2],
      [9, 13, 14, 15, 16, 10],
    ].map((corners) => ({ corners }));
    const mesh = meshOf(tileOf(vertices, polys));
    const index = buildPathIndex(mesh);
    expect(index).toMatchObject({ tier: 'table', reason: '' });
    const [a, b] = [
      [708.2, 0, 1151.2],
      [708.9, 0, 1154.9],
    ] as const;
    const corner = vertices[9];
    const length = Math.hypot(corner[0] - a[0], corner[2] - a[2]) + Math.hypot(corner[0] - b[0], corner[2] - b[2]);
    const path = findIndexedPath(index, mesh, a, b);
    expect(path).toMatchObject({ source: 'index', status: 'complete' });
    expect(path.planarLength).toBeCloseTo(length, 9);
  });

  it('finds the four corners of a square obstacle', () => {
    const index = buildPathIndex(ring());
    expect(index).toMatchObject({ tier: 'table', reason: '', cornerCount: 4 });
    const corners = Array.from({ length: 4 }, (_, k) => `${index.points[2 * k]},${index.points[2 * k + 1]}`);
    expect(corners.sort()).toEqual(['2,2', '2,3', '3,2', '3,3']);
    expect([...index.edgeLength]).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('has no corners on a mesh without obstacles, and answers with straight lines', () => {
    const mesh = meshOf(gridTile(4, 4));
    const index = buildPathIndex(mesh);
    expect(index.cornerCount).toBe(0);
    const path = findIndexedPath(index, mesh, [0.5, 0, 0.5], [3.5, 0, 2.5]);
    expect(path).toMatchObject({ status: 'complete', exact: true, source: 'index' });
    expect(path.points).toEqual([
      [0.5, 0, 0.5],
      [3.5, 0, 2.5],
    ]);
  });

  it('takes the tier that fits into maxBytes, and reports it', () => {
    const mesh = house();
    const table = buildPathIndex(mesh);
    const labels = buildPathIndex(mesh, { tier: 'labels' });
    const graph = buildPathIndex(mesh, { tier: 'graph' });
    expect([table.tier, labels.tier, graph.tier]).toEqual(['table', 'labels', 'graph']);
    expect(buildPathIndex(mesh, { maxBytes: pathIndexBytes(table) })).toMatchObject({ tier: 'table', reason: '' });
    expect(buildPathIndex(mesh, { maxBytes: pathIndexBytes(table) - 1 })).toMatchObject({ tier: 'labels', reason: '' });
    expect(buildPathIndex(mesh, { maxBytes: pathIndexBytes(labels) - 1 })).toMatchObject({ tier: 'graph', reason: '' });
    const none = buildPathIndex(mesh, { maxBytes: 1000 });
    expect(none).toMatchObject({ tier: 'none', reason: 'max-bytes', cornerCount: 0 });
    const [a, b] = placesOn(mesh, 2);
    expect(findIndexedPath(none, mesh, a, b).source).toBe('search');
  });

  it('refuses options that are out of range', () => {
    const mesh = ring();
    expect(() => buildPathIndex(mesh, { maxBytes: 0 })).toThrow(
      'buildPathIndex: options.maxBytes is 0; must be a number > 0',
    );
    expect(() => buildPathIndex(mesh, { tier: 'fast' as 'table' })).toThrow('buildPathIndex: options.tier is "fast"');
    expect(() => startPathIndex(mesh, { maxbytes: 1 } as object)).toThrow('known keys: ');
    expect(() => continuePathIndex(startPathIndex(mesh), 0)).toThrow('continuePathIndex: maxCorners is 0');
  });

  it('gives the same index in slices, and starts again when the mesh changes in between', () => {
    const mesh = house();
    const whole = buildPathIndex(mesh);
    const build = startPathIndex(mesh);
    let slices = 0;
    let progress = 0;
    while (!continuePathIndex(build, 20)) {
      slices++;
      expect(build.progress).toBeGreaterThanOrEqual(progress);
      progress = build.progress;
    }
    expect(slices).toBeGreaterThan(10);
    expect(build.progress).toBe(1);
    expect(areEqual(savePathIndex(build.index), savePathIndex(whole))).toBe(true);
    const other = ring();
    const restarted = startPathIndex(other);
    continuePathIndex(restarted, 1);
    removeTile(other, 0);
    addTile(other, gridTile(4, 4));
    while (!continuePathIndex(restarted, 1));
    expect(restarted.index.cornerCount).toBe(0);
  });
});

describe('estimatePathIndex', () => {
  it('names the tier that is built, the corners, and bytes within a factor of two', () => {
    const city = findLevelScene('city');
    const meshes = [house(), house(32), buildNavMesh(city.create(), city.options).navMesh];
    for (const mesh of meshes) {
      const estimate = estimatePathIndex(mesh);
      expect(estimate.tier).toBe(buildPathIndex(mesh).tier);
      for (const tier of ['table', 'labels', 'graph', 'overlay'] as const) {
        const index = buildPathIndex(mesh, { tier });
        if (tier !== 'overlay') expect(estimate.corners).toBe(index.cornerCount);
        const ratio = estimate[tier].bytes / pathIndexBytes(index);
        expect(ratio, tier).toBeGreaterThan(1 / 2);
        expect(ratio, tier).toBeLessThan(tier === 'overlay' ? 4 : 2);
        expect(estimate[tier].seconds).toBeGreaterThan(0);
      }
    }
  });

  it('follows maxBytes and tier, and refuses what the build refuses', () => {
    const mesh = house();
    expect(estimatePathIndex(mesh, { tier: 'graph' }).tier).toBe('graph');
    expect(estimatePathIndex(mesh, { maxBytes: 1000 }).tier).toBe('overlay');
    expect(estimatePathIndex(mesh, { tier: 'labels', maxBytes: 1000 }).tier).toBe('labels');
    expect(() => estimatePathIndex(mesh, { maxBytes: 0 })).toThrow('estimatePathIndex: options.maxBytes is 0');
  });
});

describe('findIndexedPath', () => {
  /** Ends of a path around the hole of `ring`. */
  const a = [0.5, 0, 2.5] as const;
  const b = [4.5, 0, 2.5] as const;

  it('lists polygons on request', () => {
    const mesh = ring();
    const index = buildPathIndex(mesh);
    expect(findIndexedPath(index, mesh, a, b).polys).toEqual([]);
    const path = findIndexedPath(index, mesh, a, b, { withPolys: true });
    expect(path.polys.length).toBeGreaterThan(4);
    expect(path.points.length).toBe(4);
    expect(path.length).toBeCloseTo(1 + 2 * Math.hypot(1.5, 0.5), 12);
  });

  it('takes links in their direction, with their cost, and is not exact when one was added', () => {
    const mesh = ring();
    const before = buildPathIndex(mesh);
    const around = 1 + 2 * Math.hypot(1.5, 0.5);
    const link = addLink(mesh, { start: [1.9, 0, 2.5], end: [3.1, 0, 2.5], cost: 1.25 });
    expect(findIndexedPath(before, mesh, a, b)).toMatchObject({ source: 'index', exact: false });
    for (const tier of ['table', 'labels', 'graph'] as const) {
      const index = buildPathIndex(mesh, { tier });
      // Labels have one distance for both directions.
      expect(index.tier).toBe(tier === 'labels' ? 'graph' : tier);
      const path = findIndexedPath(index, mesh, a, b, { withPolys: true });
      expect(path).toMatchObject({ source: 'index', exact: true });
      expect(path.points.map(([x]) => x)).toEqual([0.5, 1.9, 3.1, 4.5]);
      expect([path.cost, path.planarLength, path.length]).toEqual(
        [4.05, 2.8, 4].map((v) => expect.closeTo(v, 12)) as number[],
      );
      expect(path.polys).toEqual(findOptimalPath(mesh, a, b).polys);
      expect(findIndexedPath(index, mesh, b, a).cost).toBeCloseTo(around, 12);
      setLinkEnabled(mesh, link, false);
      expect(findIndexedPath(index, mesh, a, b)).toMatchObject({ exact: true, cost: expect.closeTo(around, 12) });
      expect(findIndexedPath(index, mesh, b, a)).toMatchObject({ source: 'index', exact: true });
      setLinkEnabled(mesh, link, true);
      const filter = createFilter({ excludeFlags: FLAG_WALK });
      expect(findIndexedPath(index, mesh, a, b, { filter }).status).toBe('none');
    }
  });

  it('does not take a removed link when another one has its slot', () => {
    for (const tier of ['table', 'labels', 'graph'] as const) {
      for (const [end, cost] of [
        [[0.9, 0, 0.1], 5],
        [[0.9, 0, 0.9], 0.5],
      ] as const) {
        const mesh = meshOf(gridTile(1, 1));
        const link = addLink(mesh, { start: [0.1, 0, 0.1], end: [0.9, 0, 0.9], bothWays: true, cost: 0 });
        const index = buildPathIndex(mesh, { tier });
        expect(findIndexedPath(index, mesh, [0.1, 0, 0.1], [0.9, 0, 0.9]).cost).toBe(0);
        removeLink(mesh, link);
        addLink(mesh, { start: [0.1, 0, 0.1], end: [...end], bothWays: true, cost });
        const path = findIndexedPath(index, mesh, [0.1, 0, 0.1], [0.9, 0, 0.9]);
        expect(path.cost).toBe(findOptimalPath(mesh, [0.1, 0, 0.1], [0.9, 0, 0.9]).cost);
      }
    }
  });

  it('does not enter a link on an edge when its polygon was closed', () => {
    const mesh = meshOf(gridTile(9, 1));
    addLink(mesh, { start: [1, 0, 0.5], end: [8, 0, 0.5], cost: 1 });
    const index = buildPathIndex(mesh);
    // The link begins on the edge between two polygons, and belongs to one of them.
    setFlags(mesh, refOf(mesh, mesh.linkPoly[0]), 0);
    const [a, b] = [
      [mesh.linkPoly[0] === 0 ? 1.5 : 0.5, 0, 0.5],
      [8.5, 0, 0.5],
    ] as const;
    const want = findOptimalPath(mesh, a, b);
    expect(findIndexedPath(index, mesh, a, b)).toMatchObject({ status: want.status, cost: want.cost });
  });

  it('takes links that are shorter than a straight line', () => {
    const mesh = meshOf(gridTile(9, 1));
    addLink(mesh, { start: [1, 0, 0.5], end: [8, 0, 0.5], bothWays: true, cost: 1 });
    for (const tier of ['table', 'labels', 'graph'] as const) {
      const index = buildPathIndex(mesh, { tier });
      expect(index.tier).toBe(tier);
      for (const [from, to] of [
        [0.5, 8.5],
        [8.5, 0.5],
      ]) {
        const path = findIndexedPath(index, mesh, [from, 0, 0.5], [to, 0, 0.5]);
        expect(path).toMatchObject({ source: 'index', exact: true, cost: expect.closeTo(2, 12) });
      }
      expect(findIndexedPath(index, mesh, [0.5, 0, 0.5], [4, 0, 0.5]).cost).toBeCloseTo(3.5, 12);
    }
  });

  it('searches where links have segments as ends', () => {
    const mesh = ring();
    addLink(mesh, {
      start: [
        [1.9, 0, 2.1],
        [1.9, 0, 2.9],
      ],
      end: [3.1, 0, 2.5],
    });
    const path = findIndexedPath(buildPathIndex(mesh), mesh, [0.5, 0, 2.5], [4.5, 0, 2.5]);
    expect(path).toMatchObject({ source: 'search', exact: false });
  });

  it('sees along a wall where a ray does so in one direction only, by rounding', () => {
    const mesh = buildFromPolygons(findMapScene('shapes-map').create()).navMesh;
    const [from, to] = [
      [3.6541183899290557, 0, -30.714693026941784],
      [32.60506071168216, 0, -32.379217961261915],
    ];
    const options = { halfExtents: [0.3, 3, 0.3] };
    const path = findIndexedPath(buildPathIndex(mesh), mesh, from, to, options);
    expect(path).toMatchObject({ source: 'index', exact: true });
    expect(path.planarLength).toBeCloseTo(findOptimalPath(mesh, from, to, options).planarLength, 9);
  });

  it('is exact where the search is: not near a polygon without area', () => {
    const polys = [{ corners: [0, 1, 2, 3] }, { corners: [1, 4, 2] }];
    const square = [
      [0, 0, 0],
      [0, 0, 4],
      [4, 0, 4],
      [4, 0, 0],
    ];
    for (const [tip, source] of [
      [[6, 0, 4], 'search'],
      [[2, 0, 6], 'index'],
    ] as const) {
      const mesh = meshOf(tileOf([...square, [...tip]], polys));
      const index = buildPathIndex(mesh);
      const path = findIndexedPath(index, mesh, [1, 0, 1], tip);
      expect(path.source).toBe(source);
      expect(path.exact).toBe(findOptimalPath(mesh, [1, 0, 1], tip).exact);
      const overlay = buildPathIndex(mesh, { tier: 'overlay' });
      expect(findIndexedPath(overlay, mesh, [1, 0, 1], tip).exact).toBe(path.exact);
      const loaded = loadPathIndex(savePathIndex(index), mesh);
      expect(findIndexedPath(loaded, mesh, [1, 0, 1], tip).source).toBe(source);
    }
  });

  it('answers for paths that pass no triangle without area between polygons, and only for them', () => {
    // One such triangle on the island made all queries a search. Here they lie between long sides and two short ones each.
    let answered = 0;
    let asked = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const random = seeded(seed);
      const [width, depth] = [8, 7];
      const isOpen = Array.from({ length: width * depth }, () => random() > 0.25);
      // The row of long sides lies below row 4: pairs of squares there are one polygon.
      const row = 3;
      for (let x = 0; x < width; x += 2) isOpen[row * width + x + 1] = isOpen[row * width + x];
      const vertices = Array.from({ length: (width + 1) * (depth + 1) }, (_, v) => [
        v % (width + 1),
        0,
        Math.floor(v / (width + 1)),
      ]);
      const at = (x: number, z: number): number => z * (width + 1) + x;
      const square = (x: number, z: number): number[] => [at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)];
      const make = (withTriangles: boolean): NavMesh => {
        const polys: { corners: number[] }[] = [];
        isOpen.forEach((open, k) => {
          const [x, z] = [k % width, Math.floor(k / width)];
          if (!open) return;
          if (z !== row) polys.push({ corners: square(x, z) });
          else if (x % 2 === 0) {
            const middle = withTriangles ? [] : [at(x + 1, z + 1)];
            const below = [at(x + 1, z)];
            polys.push({ corners: [at(x, z), at(x, z + 1), ...middle, at(x + 2, z + 1), at(x + 2, z), ...below] });
            if (withTriangles) polys.push({ corners: [at(x, z + 1), at(x + 1, z + 1), at(x + 2, z + 1)] });
          }
        });
        return meshOf(tileOf(vertices, polys));
      };
      const mesh = make(true);
      const whole = make(false);
      for (const tier of ['table', 'labels', 'graph'] as const) {
        const index = buildPathIndex(mesh, { tier });
        const places = placesOn(whole, 40);
        for (let i = 0; i < 40; i += 2) {
          const path = findIndexedPath(index, mesh, places[i], places[i + 1]);
          const want = findOptimalPath(whole, places[i], places[i + 1]);
          expect(path.status, `seed ${seed}`).toBe(want.status);
          if (want.status !== 'complete') continue;
          asked++;
          answered += +(path.source === 'index');
          if (path.source === 'index' || path.exact)
            expect(path.planarLength, `seed ${seed}, pair ${i}`).toBeCloseTo(want.planarLength, 9);
        }
      }
    }
    expect(answered).toBeGreaterThan(asked / 5);
    expect(answered).toBeLessThan(asked);
  });

  it('answers on levels with triangles without area along a wall, also where an obstacle touches it', () => {
    // One such triangle on the island made all queries a search.
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const [width, depth] = [8, 5];
      const isOpen = Array.from({ length: width * depth }, () => random() > 0.25);
      const grid = gridTile(width, depth, (x, z) => isOpen[z * width + x]);
      const vertices = Array.from({ length: grid.vertices.length / 3 }, (_, v) =>
        Array.from(grid.vertices.slice(3 * v, 3 * v + 3)),
      );
      const at = (x: number, z: number): number => vertices.findIndex((v) => v[0] === x && v[2] === z);
      const polys = isOpen.flatMap((open, k) => {
        const [x, z] = [k % width, Math.floor(k / width)];
        return open ? [{ corners: [at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x + 1, z)] }] : [];
      });
      const squares = polys.length;
      for (let x = 0; x < width; x += 2) {
        if (isOpen[x] || isOpen[x + 1]) polys.push({ corners: [at(x, 0), at(x + 1, 0), at(x + 2, 0)] });
      }
      const mesh = meshOf(tileOf(vertices, polys));
      const without = meshOf(tileOf(vertices, polys.slice(0, squares)));
      for (const tier of ['table', 'labels', 'graph'] as const) {
        const index = buildPathIndex(mesh, { tier });
        for (const [k, from] of placesOn(without, 12).entries()) {
          const to = placesOn(without, 24)[12 + k];
          const path = findIndexedPath(index, mesh, from, to);
          const want = findOptimalPath(mesh, from, to);
          expect(path.status).toBe(want.status);
          if (want.status !== 'complete') continue;
          expect(path, `seed ${seed}`).toMatchObject({ source: 'index', exact: true });
          expect(path.planarLength, `seed ${seed}`).toBeCloseTo(want.planarLength, 9);
          const aside = findOptimalPath(without, from, to);
          if (aside.status === 'complete') expect(path.planarLength).toBeLessThan(aside.planarLength + 1e-9);
        }
      }
    }
  });

  it('searches with area costs that differ, scales with those that do not', () => {
    const mesh = ring();
    const index = buildPathIndex(mesh);
    const uneven = findIndexedPath(index, mesh, a, b, { filter: createFilter({ areaCosts: { 5: 2 } }) });
    expect(uneven).toMatchObject({ source: 'search', exact: false });
    const costs = Object.fromEntries(Array.from({ length: 64 }, (_, area) => [area, 3]));
    const even = findIndexedPath(index, mesh, a, b, { filter: createFilter({ areaCosts: costs }) });
    expect(even).toMatchObject({ source: 'index', exact: true });
    expect(even.cost).toBeCloseTo(3 * even.planarLength, 12);
  });

  it('is not exact once surface was added, and never stale', () => {
    const mesh = house(32);
    const index = buildPathIndex(mesh);
    const places = placesOn(mesh, 60);
    const slot = mesh.polyTile[0];
    removeTile(mesh, slot);
    for (let i = 0; i < 60; i += 2) {
      const path = findIndexedPath(index, mesh, places[i], places[i + 1]);
      const want = findOptimalPath(mesh, places[i], places[i + 1]);
      expect([path.status, path.exact, path.planarLength.toFixed(9)]).toEqual([
        want.status,
        want.exact,
        want.planarLength.toFixed(9),
      ]);
    }
    const full = house(32);
    let inexact = 0;
    Object.assign(mesh, full, { revision: mesh.revision + 1 });
    mesh.tileGeneration[slot]++;
    for (let i = 0; i < 60; i += 2) {
      const path = findIndexedPath(index, mesh, places[i], places[i + 1]);
      const want = findOptimalPath(mesh, places[i], places[i + 1]);
      if (!path.exact) inexact++;
      expect(path.status).toBe(want.status);
      expect(path.planarLength).toBeGreaterThanOrEqual(want.planarLength * (1 - 1e-9));
      if (path.exact) expect(path.planarLength).toBeCloseTo(want.planarLength, 9);
    }
    expect(inexact).toBeGreaterThan(0);
  });

  it('does not use an index of another mesh', () => {
    const index = buildPathIndex(ring());
    const other = meshOf(gridTile(5, 5, (x, z) => x !== 2 || z > 2));
    const path = findIndexedPath(index, other, [0.5, 0, 0.5], [4.5, 0, 0.5]);
    expect(path).toMatchObject({ source: 'search', exact: true });
  });

  it('allocates nothing in the kernel', () => {
    const mesh = house();
    for (const tier of ['table', 'labels', 'graph'] as const) {
      const index = buildPathIndex(mesh, { tier });
      const out = createIndexedBuffer();
      const state = createIndexedState();
      const queries = placesOn(mesh, 200)
        .map((place, i, all) => {
          const query = createPathQuery();
          readPathQuery(query, mesh, place, all[(i + 1) % all.length], {}, 'test');
          return query;
        })
        .filter((query) => findIndexedPath(index, mesh, query.start, query.end).source === 'index');
      const run = (count: number): void => {
        for (let i = 0; i < count; i++) findIndexedPathInto(out, state, index, mesh, queries[i % queries.length]);
      };
      expectNoAllocationAtAll(run, 5000, 2);
    }
  });
});

describe('savePathIndex and loadPathIndex', () => {
  it('give the same index for the mesh saved and loaded, also with holes of removed tiles', () => {
    const mesh = house(32);
    removeTile(mesh, 1);
    const [a, b] = placesOn(mesh, 2);
    addLink(mesh, { start: a, end: b, bothWays: true, cost: 1 });
    for (const tier of ['table', 'labels', 'graph'] as const) {
      const bytes = savePathIndex(buildPathIndex(mesh, { tier }));
      const loaded = loadNavMesh(saveNavMesh(mesh));
      const index = loadPathIndex(bytes, loaded);
      expect(index.tier).toBe(tier);
      expect(areEqual(savePathIndex(index), bytes)).toBe(true);
      expect(savePathIndex(buildPathIndex(loaded, { tier })).length).toBe(bytes.length);
      expect(areEqual(savePathIndex(loadPathIndex(bytes, mesh)), bytes)).toBe(true);
      const places = placesOn(loaded, 100);
      const sources = { index: 0, search: 0 };
      for (let i = 0; i < 100; i += 2) {
        const path = findIndexedPath(index, loaded, places[i], places[i + 1]);
        const want = findOptimalPath(loaded, places[i], places[i + 1]);
        sources[path.source]++;
        expect(Math.abs(path.planarLength - want.planarLength)).toBeLessThan(1e-9);
      }
      expect(sources.index).toBeGreaterThan(10);
    }
  });

  it('refuse other meshes, later states, other versions and damaged bytes', () => {
    const mesh = house(32);
    const bytes = savePathIndex(buildPathIndex(mesh));
    expect(() => loadPathIndex(bytes, ring())).toThrow('loadPathIndex: the index is not of this mesh');
    expect(() => loadPathIndex(bytes.subarray(0, 100), mesh)).toThrow('cut off or added to');
    expect(() => loadPathIndex(saveNavMesh(mesh), mesh)).toThrow('do not begin with "nkindex"');
    const newer = bytes.slice();
    newer[8] = 9;
    expect(() => loadPathIndex(newer, mesh)).toThrow('the file has version 9, not 3');
    const random = seeded(3);
    for (let i = 0; i < 200; i++) {
      const damaged = bytes.slice();
      damaged[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8);
      expect(() => loadPathIndex(damaged, mesh)).toThrow(/^loadPathIndex: /);
    }
    removeTile(mesh, 0);
    expect(() => loadPathIndex(bytes, mesh)).toThrow('tile 0 has changed since');
  });
});

describe('many queries at once', () => {
  it('findPaths equals findIndexedPath', () => {
    const mesh = buildFromPolygons(findMapScene('rubble-map').create()).navMesh;
    const index = buildPathIndex(mesh);
    const places = placesOn(mesh, 80);
    const out = createPathBatch();
    findPaths(out, index, mesh, places.flat());
    expect(out.count).toBe(40);
    for (let pair = 0; pair < 40; pair++) {
      const want = findIndexedPath(index, mesh, places[2 * pair], places[2 * pair + 1]);
      expect(out.planarLength[pair]).toBe(want.planarLength);
      expect([...out.points.subarray(3 * out.pointStart[pair], 3 * out.pointStart[pair + 1])]).toEqual(
        want.points.flat(),
      );
      expect([out.status[pair], out.exact[pair]]).toEqual([2, 1]);
    }
    expect(() => findPaths(out, index, mesh, [1, 2, 3])).toThrow(
      'findPaths: ends.length is 3; must be a multiple of 6',
    );
    expect(() => findPaths(out, index, mesh, [1, 2, 3, 4, NaN, 6])).toThrow(TypeError);
  });

  it('findDistances equals single queries, and finds the nearest', () => {
    const mesh = buildFromPolygons(findMapScene('rubble-map').create()).navMesh;
    const index = buildPathIndex(mesh);
    const [start, ...targets] = placesOn(mesh, 101);
    const all = findDistances(index, mesh, start, targets);
    const wants = targets.map((target) => findOptimalPath(mesh, start, target).planarLength);
    expect(all.exact).toBe(true);
    expect(all.order.length).toBe(100);
    all.lengths.forEach((length, i) => expect(Math.abs(length - wants[i])).toBeLessThan(1e-9));
    const few = findDistances(index, mesh, start, targets, { nearest: 5 });
    expect(few.order).toEqual(all.order.slice(0, 5));
    expect(few.lengths.filter((length) => length < Infinity).length).toBe(5);
    expect(() => findDistances(index, mesh, start, targets, { nearest: 0 })).toThrow('options.nearest is 0');
    expect(() => findDistances(index, mesh, start, {} as never[])).toThrow('must be an array of points');
  });
});

it('an index is a plain record: a structured clone answers the same', () => {
  const mesh = house();
  const index: PathIndex = buildPathIndex(mesh);
  const [a, b] = placesOn(mesh, 2);
  expect(findIndexedPath(structuredClone(index), mesh, a, b)).toEqual(findIndexedPath(index, mesh, a, b));
});
