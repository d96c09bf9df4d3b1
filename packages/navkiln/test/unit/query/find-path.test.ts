import { describe, expect, it } from 'vitest';
import { createFilter } from '../../../src/query/create-filter.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { findPolysInBox } from '../../../src/query/nearest/polys-in-box.ts';
import { findDetailedPath } from '../../../src/query/path/details.ts';
import { findPath } from '../../../src/query/path/find-path.ts';
import { startPathSearch } from '../../../src/query/path/sliced.ts';
import { findSmoothPath } from '../../../src/query/path/smooth.ts';
import { polyIndexOf } from '../../../src/mesh/ref.ts';
import type { PolyRef } from '../../../src/mesh/types.ts';
import { validateNavMesh } from '../../../src/mesh/validate.ts';
import { isOverPoly } from '../../../src/mesh/ground.ts';
import {
  AGENT,
  gridTile,
  lShapeMesh,
  meshOf,
  rampMesh,
  ringMesh,
  seeded,
  storeysMesh,
  stripMesh,
  tileOf,
} from '../meshes.ts';
import { createNavMesh } from '../../../src/mesh/create.ts';
import { removeTile } from '../../../src/mesh/change/tiles.ts';

describe('findPath', () => {
  it('goes straight where nothing is in the way', () => {
    const path = findPath(meshOf(gridTile(6, 6)), [0.3, 0, 0.2], [5.1, 0, 0.7]);
    expect(path.status).toBe('complete');
    expect(path.reason).toBe('');
    expect(path.points).toEqual([
      [0.3, 0, 0.2],
      [5.1, 0, 0.7],
    ]);
    expect(path.length).toBeCloseTo(Math.sqrt(4.8 ** 2 + 0.5 ** 2), 12);
  });

  it('turns at the inner corner of an L', () => {
    const path = findPath(lShapeMesh(), { x: 3.5, y: 0, z: 0.5 }, new Float32Array([0.5, 0, 5.5]));
    expect(path.points).toEqual([
      [3.5, 0, 0.5],
      [2, 0, 2],
      [0.5, 0, 5.5],
    ]);
    expect(path.polys.length).toBe(3);
  });

  it('goes around a hole, equally in both directions', () => {
    const mesh = ringMesh();
    const there = findPath(mesh, [0.5, 0, 1.2], [2.5, 0, 1.2]);
    const back = findPath(mesh, [2.5, 0, 1.2], [0.5, 0, 1.2]);
    expect(there.points).toEqual([
      [0.5, 0, 1.2],
      [1, 0, 1],
      [2, 0, 1],
      [2.5, 0, 1.2],
    ]);
    expect(back.points).toEqual(there.points.toReversed());
  });

  it('stays on its storey and ends below or above an end that it cannot reach', () => {
    const mesh = storeysMesh();
    expect(findPath(mesh, [0.5, 0, 0.5], [3.5, 0, 3.5]).points[1]).toEqual([3.5, 0, 3.5]);
    expect(findPath(mesh, [0.5, 3.1, 0.5], [3.5, 2.9, 3.5]).points).toEqual([
      [0.5, 3, 0.5],
      [3.5, 3, 3.5],
    ]);
    const path = findPath(mesh, [0.5, 0, 0.5], [3.5, 3, 3.5]);
    expect([path.status, path.reason]).toEqual(['partial', 'unreachable']);
    expect(path.points[1]).toEqual([3.5, 0, 3.5]);
  });

  it('measures along a ramp', () => {
    const path = findPath(rampMesh(), [0, 0, 1], [8, 4, 1]);
    expect(path.length).toBeCloseTo(Math.sqrt(80), 12);
  });

  it('reports why there is no path', () => {
    const mesh = ringMesh();
    expect(findPath(mesh, [90, 0, 0], [0, 0, 0])).toMatchObject({
      status: 'none',
      reason: 'start-off-mesh',
      points: [],
    });
    expect(findPath(mesh, [0, 0, 0], [0, 90, 0])).toMatchObject({ status: 'none', reason: 'end-off-mesh', polys: [] });
    const short = findPath(mesh, [0.5, 0, 0.5], [2.5, 0, 2.5], { maxNodes: 2 });
    expect([short.status, short.reason]).toEqual(['partial', 'budget']);
    expect(findPath(createNavMesh({ agent: AGENT }), [0, 0, 0], [0, 0, 0]).reason).toBe('start-off-mesh');
  });

  it('refuses bad positions, options and costs', () => {
    const mesh = ringMesh();
    expect(() => findPath(mesh, [0, NaN, 0], [0, 0, 0])).toThrow(/findPath: start is \[0, NaN, 0\]/);
    expect(() => findPath(mesh, [0, 0, 0], { x: 1, y: Infinity, z: 0 })).toThrow(/findPath: end is/);
    expect(() => findPath(mesh, [0, 0, 0], [1, 2] as number[])).toThrow(/findPath: end/);
    expect(() => findPath(mesh, [0, 0, 0], [1, 0, 1], { maxNodes: 0 })).toThrow('findPath: options.maxNodes is 0');
    expect(() => findPath(mesh, [0, 0, 0], [1, 0, 1], { halfExtents: [0, -2, 0] })).toThrow(
      'findPath: options.halfExtents[1] is -2; must be a number >= 0',
    );
    expect(() => createFilter({ areaCosts: { 5: 0 } })).toThrow('createFilter: options.areaCosts[5] is 0; must be');
    expect(() => createFilter({ areaCosts: { 64: 1 } })).toThrow('createFilter: a key of options.areaCosts is "64"');
    expect(() => createFilter({ includeFlags: -1 })).toThrow(
      'createFilter: options.includeFlags is -1; must be 16 bits',
    );
    const broken = createFilter();
    broken.areaCosts[3] = NaN;
    expect(() => findPath(mesh, [0, 0, 0], [1, 0, 1], { filter: broken })).toThrow(
      'QueryFilter: areaCosts[3] is NaN; must be a number > 0',
    );
  });

  it('refuses unknown keys, under the name of the function called', () => {
    const mesh = ringMesh();
    const calls: [string, (options: never) => unknown][] = [
      ['findPath', (options) => findPath(mesh, [0, 0, 0], [1, 0, 1], options)],
      ['findDetailedPath', (options) => findDetailedPath(mesh, [0, 0, 0], [1, 0, 1], options)],
      ['findSmoothPath', (options) => findSmoothPath(mesh, [0, 0, 0], [1, 0, 1], options)],
      ['startPathSearch', (options) => startPathSearch(mesh, [0, 0, 0], [1, 0, 1], options)],
      ['findNearest', (options) => findNearest(mesh, [0, 0, 0], options)],
      ['findPolysInBox', (options) => findPolysInBox(mesh, [0, 0, 0], [1, 1, 1], options)],
      ['createFilter', createFilter],
    ];
    for (const [name, call] of calls) {
      expect(() => call({ maxnodez: 1 } as never), name).toThrow(`${name}: options.maxnodez is unknown; known keys: `);
      expect(() => call(7 as never), name).toThrow(`${name}: options is 7; must be an object`);
    }
  });

  it('starts anywhere: on a vertex, on an edge, at its end', () => {
    const mesh = meshOf(gridTile(4, 4, (x, z) => !(x === 1 && z === 1)));
    const spots = [
      [1, 0, 1],
      [2, 0, 2],
      [0, 0, 0],
      [4, 0, 4],
      [2, 0, 1.5],
      [1.5, 0, 1],
      [0.5, 0, 3],
      [2, 0, 3],
      [3.5, 0, 0],
    ];
    for (const a of spots) {
      for (const b of spots) {
        const there = findPath(mesh, a, b);
        const back = findPath(mesh, b, a);
        expect(there.status).toBe('complete');
        expect(there.points[0]).toEqual(a);
        expect(there.points.at(-1)).toEqual(b);
        expect(there.length, `${a} to ${b}`).toBeCloseTo(back.length, 1);
        for (let i = 1; i < there.points.length; i++) expect(there.points[i]).not.toEqual(there.points[i - 1]);
      }
    }
    expect(findPath(mesh, [1, 0, 1], [1, 0, 1]).points).toEqual([[1, 0, 1]]);
    expect(findPath(mesh, [0.2, 0, 0.2], [0.4, 0, 0.2])).toMatchObject({
      points: [
        [0.2, 0, 0.2],
        [0.4, 0, 0.2],
      ],
    });
  });

  it('crosses a corridor of a thousand thin triangles', () => {
    const path = findPath(stripMesh(1000), [0.02, 0, 0.3], [49.9, 0, 1.7]);
    expect(path.points.length).toBe(2);
    expect(path.polys.length).toBeGreaterThan(990);
  });

  it('obeys flags and costs', () => {
    const mesh = meshOf(gridTile(5, 3, undefined, undefined, (x, z) => (x === 2 && z > 0 ? 5 : 63)));
    expect(findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5]).points.length).toBe(2);
    const dear = findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 2.5], { filter: createFilter({ areaCosts: { 5: 20 } }) });
    expect(dear.points).toEqual([
      [0.5, 0, 2.5],
      [2, 0, 1],
      [3, 0, 1],
      [4.5, 0, 2.5],
    ]);
    mesh.polyFlags.fill(2, 0, 5);
    const closed = findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 0.5], {
      filter: createFilter({ excludeFlags: 2 }),
      halfExtents: [0.1, 1, 0.1],
    });
    expect(closed.reason).toBe('end-off-mesh');
    removeTile(mesh, 0);
    expect(findPath(mesh, [0.5, 0, 2.5], [4.5, 0, 0.5]).reason).toBe('start-off-mesh');
  });

  it('stays in its corridor and is no longer than the line over midpoints, on random grids', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seeded(seed);
      const size = 3 + Math.floor(random() * 12);
      const tile = gridTile(size, size, () => random() < 0.75);
      if (tile.polyCount < 2) continue;
      const mesh = meshOf(tile);
      const spot = (): number[] => [random() * size, 0, random() * size];
      for (let i = 0; i < 20; i++) {
        const path = findPath(mesh, spot(), spot());
        if (path.status === 'none') continue;
        const message = `seed ${seed}, pair ${i}`;
        const polys = path.polys.map((ref: PolyRef) => polyIndexOf(mesh, ref));
        if (path.status === 'complete') expect(path.length, message).toBeLessThanOrEqual(path.cost + 1e-9);
        for (let k = 1; k < path.points.length; k++) {
          for (let s = 0; s <= 10; s++) {
            const x = path.points[k - 1][0] + ((path.points[k][0] - path.points[k - 1][0]) * s) / 10;
            const z = path.points[k - 1][2] + ((path.points[k][2] - path.points[k - 1][2]) * s) / 10;
            const isInside = polys.some((p) => isOverNearly(mesh, p, x, z));
            expect(isInside, `${message}: (${x}, ${z}) of ${JSON.stringify(path.points)}`).toBe(true);
          }
        }
      }
    }
  });

  it('works on a single triangle, with an end beside it', () => {
    const mesh = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 4],
          [4, 0, 0],
        ],
        [{ corners: [0, 1, 2] }],
      ),
    );
    expect(findPath(mesh, [0.5, 0, 0.5], [2, 0, 1]).points).toEqual([
      [0.5, 0, 0.5],
      [2, 0, 1],
    ]);
    expect(findPath(mesh, [0.5, 0, 0.5], [2.2, 0, 2.2]).endDistance).toBeCloseTo(0.2 * Math.SQRT2, 12);
  });
});

describe('a start on the line of a portal, but beside it', () => {
  it('goes around the end of the portal', () => {
    // A rectangle whose upper side is wall for x < 2 and open for x > 2.
    const mesh = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 2],
          [2, 0, 2],
          [4, 0, 2],
          [4, 0, 0],
          [2, 0, 4],
          [4, 0, 4],
        ],
        [{ corners: [0, 1, 2, 3, 4] }, { corners: [2, 5, 6, 3] }],
      ),
    );
    expect(findPath(mesh, [1, 0, 2], [3, 0, 3]).points).toEqual([
      [1, 0, 2],
      [2, 0, 2],
      [3, 0, 3],
    ]);
    expect(findPath(mesh, [3, 0, 3], [1, 0, 2]).points).toEqual([
      [3, 0, 3],
      [2, 0, 2],
      [1, 0, 2],
    ]);
  });
});

function isOverNearly(mesh: Parameters<typeof isOverPoly>[0], poly: number, x: number, z: number): boolean {
  const e = 1e-9;
  return [0, e, -e].some((dx) => [0, e, -e].some((dz) => isOverPoly(mesh, poly, Float64Array.of(x + dx, 0, z + dz))));
}

describe('far from the origin', () => {
  it('gives a path with the same corners to a millimeter, 100 km away', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seeded(seed);
      const tile = gridTile(
        12,
        12,
        () => random() < 0.8,
        () => random(),
      );
      const near = meshOf(tile);
      for (const [x, z] of [
        [1e5, 1e5],
        [-1e5, 99_999.7],
      ]) {
        const moved = tile.vertices.map((value, i) => value + (i % 3 === 0 ? x : i % 3 === 2 ? z : 0));
        const far = meshOf({ ...tile, vertices: moved });
        for (let i = 0; i < 20; i++) {
          const [a, b] = [0, 1].map(() => [random() * 12, 0.5, random() * 12]);
          const here = findPath(near, a, b);
          const there = findPath(far, [a[0] + x, a[1], a[2] + z], [b[0] + x, b[1], b[2] + z]);
          expect(there.status).toBe(here.status);
          expect(there.points.length, `seed ${seed}`).toBe(here.points.length);
          there.points.forEach((point, k) => {
            const d = [point[0] - x, point[1], point[2] - z].map((value, axis) =>
              Math.abs(value - here.points[k][axis]),
            );
            expect(Math.max(...d), `seed ${seed}`).toBeLessThan(1e-3);
          });
        }
      }
    }
  });
});

describe('an end on another island', () => {
  it("leads to the nearest point of the start's island", () => {
    const mesh = meshOf(gridTile(9, 3, (x) => x !== 6));
    const path = findPath(mesh, [0.5, 0, 0.5], [8.5, 0, 2.25]);
    expect(path).toMatchObject({ status: 'partial', reason: 'unreachable' });
    expect(path.points.at(-1)).toEqual([6, 0, 2.25]);
  });
});

describe('polygons without area', () => {
  it('can be crossed and do not widen the mesh', () => {
    // Two rectangles, and between them a triangle that is a line: 4 - 6 - 5 along x = 2.
    const mesh = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 4],
          [4, 0, 4],
          [4, 0, 0],
          [2, 0, 0],
          [2, 0, 4],
          [2, 0, 2],
        ],
        [{ corners: [0, 1, 5, 4] }, { corners: [4, 5, 6] }, { corners: [4, 6, 5, 2, 3] }],
      ),
    );
    expect(validateNavMesh(mesh)).toEqual([]);
    expect(findPath(mesh, [1, 0, 1], [3, 0, 3]).points).toEqual([
      [1, 0, 1],
      [3, 0, 3],
    ]);
    expect(findPath(mesh, [1, 0, 1], [2, 0, 3]).points).toEqual([
      [1, 0, 1],
      [2, 0, 3],
    ]);
    expect(findPath(mesh, [2, 0, 4.5], [3, 0, 3]).points[0]).toEqual([2, 0, 4]);
  });
});
