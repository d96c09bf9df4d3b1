import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/base/data/random.ts';
import { addLink } from '../../../src/mesh/change/links.ts';
import { NULL_REF, polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { getHeight } from '../../../src/query/height.ts';
import { findRandomPoint, findRandomPointInCircle } from '../../../src/query/random/random-point.ts';
import { findReachable } from '../../../src/query/flood/reachable.ts';
import { bumpTile, gridTile, meshOf, ringMesh, stripMesh, tileOf } from '../meshes.ts';
import { squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

const SEED = 4711;

/** Chi-square of counts that are expected to be in these proportions; throws out bins of no area, which must be empty. */
function chiSquare(counts: number[], areas: number[]): { x: number; limit: number } {
  const total = counts.reduce((a, b) => a + b);
  const area = areas.reduce((a, b) => a + b);
  let x = 0;
  let bins = 0;
  counts.forEach((count, i) => {
    const expected = (total * areas[i]) / area;
    if (areas[i] === 0) expect(count).toBe(0);
    if (areas[i] === 0) return;
    x += (count - expected) ** 2 / expected;
    bins++;
  });
  // Wilson, Hilferty: the value that one of a thousand fair sources exceeds.
  const k = bins - 1;
  return { x, limit: k * (1 - 2 / (9 * k) + 3.09 * Math.sqrt(2 / (9 * k))) ** 3 };
}

function expectUniform(counts: number[], areas: number[]): void {
  const { x, limit } = chiSquare(counts, areas);
  expect(x, `chi-square of ${counts.length} bins`).toBeLessThan(limit);
}

/** Squares of 1 x 1 as bins: area of ground in each, sampled finely by `isGround`. */
function binAreas(size: number, isGround: (x: number, z: number) => boolean): number[] {
  const fine = 60;
  return Array.from({ length: size * size }, (_, bin) => {
    let inside = 0;
    for (let i = 0; i < fine * fine; i++) {
      if (
        isGround((bin % size) + ((i % fine) + 0.5) / fine, Math.floor(bin / size) + (Math.floor(i / fine) + 0.5) / fine)
      )
        inside++;
    }
    return inside / (fine * fine);
  });
}

describe('findRandomPoint', () => {
  it('is uniform over tiles and polygons of all sizes', () => {
    // One tile of 1 square, one of 36, and one with large and small polygons.
    const mesh = tiledMesh();
    addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        6,
        (x, z) => x === 0 && z === 0,
        () => 0,
      ),
    );
    addTile(
      mesh,
      squaresTile(
        1,
        0,
        0,
        6,
        () => true,
        () => 0,
      ),
    );
    addTile(
      mesh,
      squaresTile(
        2,
        0,
        0,
        2,
        (x, z) => x + z > 0,
        () => 0,
      ),
    );
    const random = createRandom(SEED);
    const counts = new Array<number>(40).fill(0);
    let wrong = 0;
    for (let i = 0; i < 40_000; i++) {
      const { point, ref, found } = findRandomPoint(mesh, random);
      counts[polyIndexOf(mesh, ref)]++;
      if (!found || getHeight(mesh, ref, point[0], point[2]) !== point[1]) wrong++;
    }
    expect(wrong).toBe(0);
    expectUniform(
      counts,
      counts.map((_, poly) => (poly < 37 ? 4 : 36)),
    );
  });

  it('is uniform within polygons: triangles, slivers, seven corners', () => {
    const corners = [
      [0, 0, 2],
      [1, 0, 5],
      [3, 0, 6],
      [5, 0, 5.5],
      [6, 0, 3],
      [5, 0, 0.5],
      [2, 0, 0],
    ];
    const mesh = meshOf(tileOf(corners, [{ corners: [0, 1, 2, 3, 4, 5, 6] }]));
    const isInside = (x: number, z: number): boolean =>
      corners.every(([ax, , az], i) => {
        const [bx, , bz] = corners[(i + 1) % 7];
        return (az - z) * (bx - x) - (ax - x) * (bz - z) >= 0;
      });
    const random = createRandom(SEED);
    const counts = new Array<number>(36).fill(0);
    for (let i = 0; i < 30_000; i++) {
      const { point } = findRandomPoint(mesh, random);
      counts[6 * Math.floor(point[2]) + Math.floor(point[0])]++;
    }
    expectUniform(counts, binAreas(6, isInside));
    const strip = stripMesh(40);
    const parts = new Array<number>(40).fill(0);
    for (let i = 0; i < 20_000; i++) parts[polyIndexOf(strip, findRandomPoint(strip, random).ref)]++;
    expectUniform(
      parts,
      parts.map(() => 1),
    );
  });

  it('respects the filter, also when few polygons pass', () => {
    const mesh = meshOf(gridTile(20, 20));
    mesh.polyFlags[123] = 2;
    mesh.polyFlags[7] = 2;
    const random = createRandom(SEED);
    const filter = createFilter({ includeFlags: 2 });
    const counts = [0, 0];
    for (let i = 0; i < 500; i++)
      counts[polyIndexOf(mesh, findRandomPoint(mesh, random, { filter }).ref) === 7 ? 0 : 1]++;
    expectUniform(counts, [1, 1]);
    const nowhere = findRandomPoint(mesh, random, { filter: createFilter({ includeFlags: 8 }) });
    expect(nowhere).toEqual({ found: false, ref: NULL_REF, point: [NaN, NaN, NaN] });
  });

  it('follows added and removed tiles', () => {
    const mesh = tiledMesh();
    const random = createRandom(SEED);
    expect(findRandomPoint(mesh, random).found).toBe(false);
    const a = addTile(
      mesh,
      squaresTile(
        0,
        0,
        0,
        1,
        () => true,
        () => 0,
      ),
    );
    expect(findRandomPoint(mesh, random).point[0]).toBeLessThan(12);
    addTile(
      mesh,
      squaresTile(
        1,
        0,
        0,
        1,
        () => true,
        () => 0,
      ),
    );
    removeTile(mesh, a);
    for (let i = 0; i < 20; i++) expect(findRandomPoint(mesh, random).point[0]).toBeGreaterThan(12);
    addTile(
      mesh,
      squaresTile(
        2,
        0,
        0,
        1,
        () => true,
        () => 0,
      ),
    );
    const places = new Set(Array.from({ length: 50 }, () => Math.floor(findRandomPoint(mesh, random).point[0] / 12)));
    expect([...places].sort()).toEqual([1, 2]);
  });

  it('from a point: is uniform over reachable polygons, through links in their direction', () => {
    const mesh = meshOf(gridTile(8, 3, (x) => x !== 3));
    const random = createRandom(SEED);
    for (let i = 0; i < 300; i++) expect(findRandomPoint(mesh, random, { from: [1, 0, 1] }).point[0]).toBeLessThan(3);
    addLink(mesh, { start: [2.5, 0, 1.5], end: [4.5, 0, 1.5] });
    const counts = new Array<number>(mesh.polyCount).fill(0);
    for (let i = 0; i < 6000; i++) counts[polyIndexOf(mesh, findRandomPoint(mesh, random, { from: [1, 0, 1] }).ref)]++;
    expectUniform(
      counts,
      counts.map(() => 1),
    );
    for (let i = 0; i < 300; i++)
      expect(findRandomPoint(mesh, random, { from: [7, 0, 1] }).point[0]).toBeGreaterThan(4);
    expect(findRandomPoint(mesh, random, { from: [3.5, 0, 9] }).found).toBe(false);
  });

  it('within a walking distance: is uniform inside, with nothing beyond', () => {
    const mesh = ringMesh();
    const from = [0.5, 0, 0.5];
    const reached = findReachable(mesh, from, { maxDistance: 2.2 });
    const random = createRandom(SEED);
    const isWithin = (x: number, z: number): boolean => {
      const poly = Array.from({ length: mesh.polyCount }, (_, p) => p).find((p) => {
        const v = 3 * mesh.edgeVertex[mesh.polyEdgeStart[p]];
        return Math.floor(x) === mesh.vertices[v] && Math.floor(z) === mesh.vertices[v + 2];
      });
      const place = poly === undefined ? -1 : reached.polys.indexOf(refOf(mesh, poly));
      return (
        place >= 0 &&
        reached.costs[place] + Math.hypot(x - reached.points[3 * place], z - reached.points[3 * place + 2]) <= 2.2
      );
    };
    const counts = new Array<number>(9).fill(0);
    let outside = 0;
    for (let i = 0; i < 20_000; i++) {
      const { point } = findRandomPoint(mesh, random, { from, maxDistance: 2.2 });
      if (!isWithin(point[0], point[2])) outside++;
      counts[3 * Math.floor(point[2]) + Math.floor(point[0])]++;
    }
    expect(outside).toBe(0);
    expectUniform(counts, binAreas(3, isWithin));
  });

  it('takes functions and records, and repeats the points of a seed', () => {
    const mesh = meshOf(bumpTile());
    expect(findRandomPoint(mesh, createRandom(5))).toEqual(findRandomPoint(mesh, createRandom(5)));
    const middle = findRandomPoint(mesh, () => 0.5);
    expect(middle.found).toBe(true);
    expect(() => findRandomPoint(mesh, () => 1)).toThrow(/\[0, 1\)/);
    expect(() => findRandomPoint(mesh, createRandom(1), { maxDistance: 3 })).toThrow(
      /options\.from is undefined; must be given/,
    );
    expect(() => findRandomPoint(mesh, createRandom(1), { from: [0, 0, 0], maxDistance: NaN })).toThrow(
      /maxDistance is NaN/,
    );
    expect(() => findRandomPoint(mesh, createRandom(1), { from: [0, 0, 0], maxDistance: 1, maxCost: 1 })).toThrow(
      /options\.maxCost is 1; must be absent/,
    );
    expect(() => findRandomPoint(mesh, createRandom(1), { from: [NaN, 0, 0] })).toThrow(
      /findRandomPoint: options\.from/,
    );
  });
});

describe('findRandomPointInCircle', () => {
  const inCircle = (mesh: NavMesh, center: number[], radius: number, n: number): number[][] => {
    const random = createRandom(SEED);
    return Array.from({ length: n }, () => findRandomPointInCircle(mesh, random, center, radius).point);
  };

  it('is uniform over the surface strictly inside the circle, across polygon borders', () => {
    for (const [mesh, open] of [
      [meshOf(gridTile(6, 6)), (): boolean => true],
      [
        meshOf(gridTile(6, 6, (x, z) => x !== 2 || z === 0)),
        (x: number, z: number): boolean => x >= 3 || (x >= 2 && z < 1),
      ],
      [
        meshOf(
          tileOf(
            [
              [0, 0, 0],
              [0, 0, 6],
              [6, 0, 6],
              [6, 0, 0],
            ],
            [{ corners: [0, 1, 2, 3] }],
          ),
        ),
        (): boolean => true,
      ],
    ] as [NavMesh, (x: number, z: number) => boolean][]) {
      const isWithin = (x: number, z: number): boolean => open(x, z) && (x - 3.7) ** 2 + (z - 2.2) ** 2 < 4;
      const counts = new Array<number>(36).fill(0);
      let outside = 0;
      for (const [x, , z] of inCircle(mesh, [3.7, 0, 2.2], 2, 20_000)) {
        if (!((x - 3.7) ** 2 + (z - 2.2) ** 2 < 4)) outside++;
        counts[6 * Math.floor(z) + Math.floor(x)]++;
      }
      expect(outside).toBe(0);
      // Behind the wall, at x < 2, there is ground in the circle that is reached only by leaving it.
      expectUniform(counts, binAreas(6, isWithin));
    }
  });

  it('is uniform where it clips polygons, because most of their area is outside the circle', () => {
    // A narrow corridor between two long halls, which the circle only just enters.
    const mesh = meshOf(gridTile(40, 40, (x, z) => x !== 20 || z === 20));
    const halls = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 30],
          [30, 0, 30],
          [30, 0, 0],
          [31, 0, 0],
          [31, 0, 30],
          [60, 0, 30],
          [60, 0, 0],
        ],
        [{ corners: [0, 1, 2, 3] }, { corners: [3, 2, 5, 4] }, { corners: [4, 5, 6, 7] }],
      ),
    );
    for (const [world, center, radius] of [
      [mesh, [20.5, 0, 20.5], 2.5],
      [halls, [30.5, 0, 15], 2],
    ] as [NavMesh, number[], number][]) {
      const sides = [0, 0];
      const points = inCircle(world, center, radius, 4000);
      for (const [x, , z] of points) {
        expect((x - center[0]) ** 2 + (z - center[2]) ** 2).toBeLessThan(radius * radius);
        sides[x < center[0] ? 0 : 1]++;
      }
      // Four standard deviations.
      expect(Math.abs(sides[0] - sides[1])).toBeLessThan(4 * Math.sqrt(4000));
    }
  });

  it('stays on polygons that are reached inside the circle', () => {
    const mesh = meshOf(gridTile(6, 6, (x, z) => x !== 2 || z === 5));
    for (const [x] of inCircle(mesh, [3.5, 0, 1], 2.5, 300)) expect(x).toBeGreaterThan(3);
  });

  it('works for a small circle in a large polygon, and far from the origin', () => {
    const at = 100_000;
    const mesh = meshOf(
      tileOf(
        [
          [at, 0, -at],
          [at, 0, -at + 600],
          [at + 600, 0, -at + 600],
          [at + 600, 0, -at],
        ],
        [{ corners: [0, 1, 2, 3] }],
      ),
    );
    for (const [x, , z] of inCircle(mesh, [at + 300, 0, -at + 10], 1e-3, 100)) {
      expect((x - at - 300) ** 2 + (z + at - 10) ** 2).toBeLessThan(1e-6);
    }
  });

  it('reports when there is no point, and returns the start where numbers are not random', () => {
    const mesh = meshOf(gridTile(2, 2));
    const random = createRandom(SEED);
    expect(findRandomPointInCircle(mesh, random, [2.5, 0, 1], 0.4).found).toBe(false);
    expect(findRandomPointInCircle(mesh, random, [2.5, 0, 1], 0.6).found).toBe(true);
    expect(findRandomPointInCircle(mesh, random, [9, 0, 1], 1).found).toBe(false);
    expect(findRandomPointInCircle(mesh, () => 0, [0.5, 0, 0.5], 0.2).point).toEqual([0.5, 0, 0.5]);
    for (const radius of [0, -1, NaN, Infinity]) {
      expect(() => findRandomPointInCircle(mesh, random, [1, 0, 1], radius)).toThrow(/radius is/);
    }
    const stale = refOf(mesh, 0);
    removeTile(mesh, 0);
    expect(findRandomPointInCircle(mesh, random, [1, 0, 1], 1, { startRef: stale }).found).toBe(false);
    expect(findRandomPoint(mesh, random, { from: [1, 0, 1], startRef: stale }).found).toBe(false);
    expect(() => findRandomPoint(mesh, random, { near: [1, 0, 1] } as never)).toThrow(
      'findRandomPoint: options.near is unknown',
    );
  });
});
