import { describe, expect, it } from 'vitest';
import { buildNavMesh } from '../../../src/build.ts';
import { buildFromPolygons } from '../../../src/polygon.ts';
import { addLink } from '../../../src/navmesh/links.ts';
import { loadNavMesh } from '../../../src/navmesh/load.ts';
import { saveNavMesh } from '../../../src/navmesh/save.ts';
import { addTile, removeTile } from '../../../src/navmesh/tiles.ts';
import type { NavMesh } from '../../../src/navmesh/types.ts';
import { buildPathIndex, continuePathIndex, pathIndexBytes, startPathIndex } from '../../../src/path-index/build.ts';
import {
  createIndexedBuffer,
  createIndexedState,
  findIndexedPath,
  findIndexedPathInto,
} from '../../../src/path-index/find.ts';
import { loadPathIndex } from '../../../src/path-index/load.ts';
import { createPathBatch, findDistances, findPaths } from '../../../src/path-index/many.ts';
import { savePathIndex } from '../../../src/path-index/save.ts';
import type { PathIndex } from '../../../src/path-index/types.ts';
import { createFilter } from '../../../src/query/filter.ts';
import { findRandomPoint } from '../../../src/query/random/random-point.ts';
import { findOptimalPath } from '../../../src/query/optimal/optimal.ts';
import { createPathQuery, readPathQuery } from '../../../src/query/path/find-path.ts';
import { createRandom } from '../../../src/data/random.ts';
import { findLevelScene, findMapScene } from 'navkiln-scenes';
import { expectNoAllocation } from '../../allocation.ts';
import { gridTile, meshOf, seeded } from '../meshes.ts';

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
    expect(() => startPathIndex(mesh, { maxbytes: 1 } as object)).toThrow('did you mean maxBytes?');
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

describe('findIndexedPath', () => {
  it('lists polygons on request', () => {
    const mesh = ring();
    const index = buildPathIndex(mesh);
    const [a, b] = [
      [0.5, 0, 2.5],
      [4.5, 0, 2.5],
    ] as const;
    expect(findIndexedPath(index, mesh, a, b).polys).toEqual([]);
    const path = findIndexedPath(index, mesh, a, b, { withPolys: true });
    expect(path.polys.length).toBeGreaterThan(4);
    expect(path.points.length).toBe(4);
    expect(path.length).toBeCloseTo(1 + 2 * Math.hypot(1.5, 0.5), 12);
  });

  it('searches where links lead, and answers again when they are gone', () => {
    const mesh = ring();
    const index = buildPathIndex(mesh);
    const [a, b] = [
      [0.5, 0, 2.5],
      [4.5, 0, 2.5],
    ] as const;
    expect(findIndexedPath(index, mesh, a, b)).toMatchObject({ source: 'index', exact: true });
    addLink(mesh, { start: [1.9, 0, 2.5], end: [3.1, 0, 2.5] });
    const path = findIndexedPath(index, mesh, a, b);
    expect(path.source).toBe('search');
    expect(path.cost).toBeCloseTo(4, 12);
  });

  it('searches with area costs that differ, scales with those that do not', () => {
    const mesh = ring();
    const index = buildPathIndex(mesh);
    const [a, b] = [
      [0.5, 0, 2.5],
      [4.5, 0, 2.5],
    ] as const;
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
    const wasFound = { index: 0, search: 0 };
    Object.assign(mesh, full, { revision: mesh.revision + 1 });
    mesh.tileGeneration[slot]++;
    for (let i = 0; i < 60; i += 2) {
      const path = findIndexedPath(index, mesh, places[i], places[i + 1]);
      const want = findOptimalPath(mesh, places[i], places[i + 1]);
      wasFound[path.source]++;
      expect(path.status).toBe(want.status);
      expect(path.planarLength).toBeGreaterThanOrEqual(want.planarLength * (1 - 1e-9));
      if (path.exact) expect(path.planarLength).toBeCloseTo(want.planarLength, 9);
    }
    expect(wasFound.search).toBeGreaterThan(0);
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
      expectNoAllocation(run, 5000, 2);
    }
  });
});

describe('savePathIndex and loadPathIndex', () => {
  it('give the same index for the mesh saved and loaded, also with holes of removed tiles', () => {
    const mesh = house(32);
    removeTile(mesh, 1);
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
    expect(() => loadPathIndex(newer, mesh)).toThrow('the file has version 9, not 1');
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
