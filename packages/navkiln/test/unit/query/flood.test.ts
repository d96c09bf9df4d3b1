import { expectNoAllocation } from '../../allocation.ts';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/base/data/random.ts';
import { addLink, removeLink } from '../../../src/mesh/change/links.ts';
import { polyIndexOf, refOf } from '../../../src/mesh/ref.ts';
import { addTile, removeTile } from '../../../src/mesh/change/tiles.ts';
import type { NavMesh } from '../../../src/mesh/types.ts';
import { createFilter } from '../../../src/query/create-filter.ts';
import { DEFAULT_FILTER } from '../../../src/query/filter.ts';
import { createFlood, createFloodBounds, createFloodState, floodInto } from '../../../src/query/flood/flood.ts';
import {
  createGroundSampler,
  createRandomHit,
  drawPointInto,
  sampleFlood,
  sampleMesh,
} from '../../../src/query/random/ground-sampler.ts';
import { findNearest } from '../../../src/query/nearest/nearest.ts';
import { createPolyList, findPolysInBox, findPolysInBoxInto } from '../../../src/query/nearest/polys-in-box.ts';
import { findPolysInCircle } from '../../../src/query/flood/polys-in-circle.ts';
import { findPolysInShape } from '../../../src/query/flood/polys-in-shape.ts';
import { findReachable } from '../../../src/query/flood/reachable.ts';
import { pathTo } from '../../../src/query/flood/reached.ts';
import type { Reached } from '../../../src/query/flood/reached.ts';
import { bumpTile, gridTile, meshOf, movedTile, ringMesh, seeded, storeysMesh, tileOf } from '../meshes.ts';
import { polyName, squaresTile, tiledMesh } from '../mesh/tiled-meshes.ts';

const polysOf = (mesh: NavMesh, reached: Reached): number[] => reached.polys.map((ref) => polyIndexOf(mesh, ref));
const boxPolys = (mesh: NavMesh, center: number[], half: number[]): number[] =>
  findPolysInBox(mesh, center, half)
    .map((ref) => polyIndexOf(mesh, ref))
    .sort((a, b) => a - b);

describe('findPolysInBox', () => {
  it('touching counts, storeys are apart, slanted outlines are not their bounds', () => {
    const mesh = storeysMesh();
    expect(boxPolys(mesh, [0.5, 0, 0.5], [0.5, 1, 0.5])).toEqual([0, 1, 4, 5]);
    expect(boxPolys(mesh, [0.5, 0, 0.5], [0.4999, 1, 0.5])).toEqual([0, 4]);
    expect(boxPolys(mesh, [0.5, 3, 0.5], [0.1, 1, 0.1])).toEqual([16]);
    expect(boxPolys(mesh, [0.5, 1.5, 0.5], [0.1, 1.5, 0.1])).toEqual([0, 16]);
    expect(boxPolys(mesh, [2, 1.5, 2], [9, 1.4, 9])).toEqual([]);
    const slanted = meshOf(
      tileOf(
        [
          [0, 0, 0],
          [0, 0, 1],
          [10, 0, 11],
          [11, 0, 11],
        ],
        [{ corners: [0, 1, 2, 3] }],
      ),
    );
    expect(boxPolys(slanted, [9, 0, 3], [2, 1, 2])).toEqual([]);
    expect(boxPolys(slanted, [6, 0, 5], [0.5, 1, 0.5])).toEqual([0]);
  });

  it('extra heights of the ground count; a point of a box is one', () => {
    const mesh = meshOf(bumpTile());
    expect(boxPolys(mesh, [0.5, 0.8, 0.5], [0.1, 0.1, 0.1])).toEqual([0]);
    expect(boxPolys(mesh, [0.5, 1.2, 0.5], [0.1, 0.1, 0.1])).toEqual([]);
    expect(boxPolys(mesh, [1, 0, 1], [0, 0, 0])).toEqual([0]);
  });

  it('only searches the tiles of the box', () => {
    const mesh = tiledMesh();
    for (let x = 0; x < 30; x++)
      for (let z = 0; z < 30; z++)
        addTile(
          mesh,
          squaresTile(
            x,
            z,
            0,
            2,
            () => true,
            () => 0,
          ),
        );
    expect(boxPolys(mesh, [6, 0, 6], [1, 1, 1])).toHaveLength(4);
    expect(boxPolys(mesh, [12, 0, 12], [1, 1, 1])).toHaveLength(4);
    expect(boxPolys(mesh, [180, 0, 180], [1e9, 1, 1e9])).toHaveLength(3600);
    // Broken boxes of a tile far away are never read.
    mesh.bvBounds.fill(NaN, 6 * mesh.tileNodeStart[899], 6 * mesh.tileNodeStart[899] + 6);
    expect(boxPolys(mesh, [6, 0, 6], [1, 1, 1])).toHaveLength(4);
  });

  it('refuses invalid boxes', () => {
    const mesh = ringMesh();
    expect(() => findPolysInBox(mesh, [NaN, 0, 0], [1, 1, 1])).toThrow(/findPolysInBox: center/);
    expect(() => findPolysInBox(mesh, [0, 0, 0], [1, Infinity, 1])).toThrow(/findPolysInBox: halfExtents/);
    expect(() => findPolysInBox(mesh, [0, 0, 0], [1, -1, 1])).toThrow(/findPolysInBox: halfExtents/);
  });
});

describe('findPolysInCircle', () => {
  it('walks around a wall only inside the circle', () => {
    const mesh = meshOf(gridTile(5, 5, (x, z) => x !== 2 || z === 4));
    const left = polysOf(mesh, findPolysInCircle(mesh, [1.5, 0, 1.5], 2));
    expect(left.every((poly) => mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]]] < 2)).toBe(true);
    const all = findPolysInCircle(mesh, [1.5, 0, 1.5], 4);
    expect(polysOf(mesh, all).some((poly) => mesh.vertices[3 * mesh.edgeVertex[mesh.polyEdgeStart[poly]]] > 2)).toBe(
      true,
    );
    expect(all.costs[0]).toBe(0);
    expect(all.parents[0]).toBe(-1);
  });

  it('enters a polygon whose edge the circle touches', () => {
    const mesh = meshOf(gridTile(3, 1));
    expect(polysOf(mesh, findPolysInCircle(mesh, [0.5, 0, 0.5], 0.5))).toEqual([0, 1]);
    expect(polysOf(mesh, findPolysInCircle(mesh, [0.5, 0, 0.5], 0.4999999))).toEqual([0]);
  });

  it('takes a start and reports when there is none', () => {
    const mesh = storeysMesh();
    const upstairs = findPolysInCircle(mesh, [0.5, 1.2, 0.5], 0.9, { startRef: refOf(mesh, 16) });
    expect(polysOf(mesh, upstairs).every((poly) => poly >= 16)).toBe(true);
    expect(upstairs.start).toEqual([0.5, 3, 0.5]);
    expect(findPolysInCircle(mesh, [90, 0, 0], 1)).toMatchObject({ status: 'none', polys: [], start: [90, 0, 0] });
    expect(() => findPolysInCircle(mesh, [0, 0, 0], 0)).toThrow(/findPolysInCircle: radius is 0/);
    expect(findPolysInCircle(mesh, [0, 0, 0], 1, { startRef: 1 as never })).toMatchObject({
      status: 'stale-ref',
      polys: [],
    });
    expect(findReachable(mesh, [0, 0, 0], { startRef: 1 as never }).status).toBe('stale-ref');
    expect(() => findPolysInCircle(mesh, [0, 0, 0], 1, { radius: 1 } as never)).toThrow(
      'findPolysInCircle: options.radius is unknown',
    );
  });
});

describe('findPolysInShape', () => {
  const mesh = meshOf(gridTile(6, 6));

  it('accepts both directions; touching a corner counts', () => {
    const corners = [
      [1.5, 0, 1.5],
      [1.5, 0, 3],
      [4.5, 0, 3],
      [4.5, 0, 1.5],
    ];
    const there = polysOf(mesh, findPolysInShape(mesh, corners)).sort((a, b) => a - b);
    const back = polysOf(mesh, findPolysInShape(mesh, [...corners].reverse())).sort((a, b) => a - b);
    expect(back).toEqual(there);
    // Columns 1 .. 4, rows 1 .. 3: row 3 begins where the shape ends.
    expect(there).toEqual([7, 8, 9, 10, 13, 14, 15, 16, 19, 20, 21, 22]);
  });

  it('returns the same polygons at 100 km', () => {
    const far = tiledMesh([1e5, 0, -1e5]);
    addTile(
      far,
      squaresTile(
        0,
        0,
        0,
        6,
        () => true,
        () => 0,
        [1e5, 0, -1e5],
      ),
    );
    const near = tiledMesh();
    addTile(
      near,
      squaresTile(
        0,
        0,
        0,
        6,
        () => true,
        () => 0,
      ),
    );
    const corners = [
      [3.01, 0, 3.3],
      [4, 0, 7.7],
      [9.99, 0, 3.2],
    ];
    const moved = corners.map(([x, y, z]) => [x + 1e5, y, z - 1e5]);
    expect(polysOf(far, findPolysInShape(far, moved))).toEqual(polysOf(near, findPolysInShape(near, corners)));
  });

  it('refuses concave shapes', () => {
    const bad = [
      [
        [0, 0, 0],
        [1, 0, 1],
      ],
      [
        [0, 0, 0],
        [1, 0, 1],
        [2, 0, 2],
      ],
      [
        [0, 0, 0],
        [0, 0, 4],
        [1, 0, 1],
        [4, 0, 0],
      ],
      // A star: it turns one way only, but twice around.
      [0, 2, 4, 1, 3].map((k) => [Math.cos((2 * Math.PI * k) / 5), 0, Math.sin((2 * Math.PI * k) / 5)]),
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ];
    for (const corners of bad)
      expect(() => findPolysInShape(mesh, corners), JSON.stringify(corners)).toThrow(/findPolysInShape/);
    expect(() =>
      findPolysInShape(mesh, [
        [0, 0, 0],
        [0, 0, 1],
        [NaN, 0, 0],
      ]),
    ).toThrow(/corners\[2\] is/);
    // Corners in a line, and twice the same, are convex enough.
    const plain = polysOf(
      mesh,
      findPolysInShape(
        mesh,
        [
          [1, 0, 1],
          [1, 0, 3],
          [3, 0, 3],
          [3, 0, 1],
        ],
        { startRef: refOf(mesh, 7) },
      ),
    );
    const dotted = [
      [1, 0, 1],
      [1, 0, 2],
      [1, 0, 3],
      [3, 0, 3],
      [3, 0, 3],
      [3, 0, 1],
    ];
    expect(polysOf(mesh, findPolysInShape(mesh, dotted, { startRef: refOf(mesh, 7) })).sort()).toEqual(plain.sort());
  });
});

describe('findReachable and pathTo', () => {
  it('ignores area costs for distances and respects them for costs', () => {
    const mesh = meshOf(gridTile(6, 1, undefined, undefined, (x) => (x === 2 ? 5 : 63)));
    const filter = createFilter({ areaCosts: { 5: 10 } });
    const at = [0.5, 0, 0.5];
    expect([...findReachable(mesh, at, { filter, maxDistance: 3.5 }).costs]).toEqual([0, 0.5, 1.5, 2.5, 3.5]);
    expect([...findReachable(mesh, at, { filter, maxCost: 11.5 }).costs]).toEqual([0, 0.5, 1.5, 11.5]);
    expect(findReachable(mesh, at, { maxDistance: 0 }).polys).toEqual([refOf(mesh, 0)]);
    for (const bad of [-1, NaN])
      expect(() => findReachable(mesh, at, { maxCost: bad })).toThrow(/findReachable: options\.maxCost is/);
  });

  it('calls the methods of a filter', () => {
    const mesh = meshOf(gridTile(6, 1));
    const filter = createFilter({
      passes: (_, poly) => poly !== 4,
      cost: (_, { poly, length }) => (poly === 1 ? 3 : 1) * length,
    });
    expect([...findReachable(mesh, [0.5, 0, 0.5], { filter }).costs]).toEqual([0, 0.5, 3.5, 4.5]);
    const broken = createFilter({
      passes: () => {
        throw new Error('mine');
      },
    });
    expect(() => findReachable(mesh, [0.5, 0, 0.5], { filter: broken })).toThrow('mine');
    expect(findReachable(mesh, [0.5, 0, 0.5]).polys).toHaveLength(6);
  });

  it('returns the path to each polygon, around corners', () => {
    const mesh = ringMesh();
    const reached = findReachable(mesh, [0.5, 0, 0.5]);
    const corner = reached.polys.find((ref) => polyIndexOf(mesh, ref) === 7)!;
    const path = pathTo(mesh, reached, corner, [2.5, 9, 2.5]);
    expect(path.status).toBe('complete');
    expect(path.points).toHaveLength(3);
    expect(path.points[2]).toEqual([2.5, 0, 2.5]);
    expect(path.polys[0]).toBe(refOf(mesh, 0));
    expect(pathTo(mesh, reached, reached.polys[0])).toMatchObject({
      status: 'complete',
      polys: [reached.polys[0]],
      cost: 0,
    });
    expect(() => pathTo(mesh, reached, corner, [0, NaN, 0])).toThrow(/pathTo: end/);
  });

  it('tells unreached polygons from removed ones, over borders and links', () => {
    const mesh = tiledMesh();
    const slots = [0, 1, 2].map((x) =>
      addTile(
        mesh,
        squaresTile(
          x,
          0,
          0,
          2,
          () => true,
          () => 0,
        ),
      ),
    );
    addTile(
      mesh,
      squaresTile(
        5,
        0,
        0,
        2,
        () => true,
        () => 0,
      ),
    );
    const link = addLink(mesh, { start: [34, 0, 3], end: [62, 0, 3] });
    const reached = structuredClone(findReachable(mesh, [1, 0, 1]));
    const end = refOf(mesh, 12);
    const near = refOf(mesh, 4);
    expect(pathTo(mesh, reached, end)).toMatchObject({ status: 'complete' });
    const short = findReachable(mesh, [1, 0, 1], { maxDistance: 10 });
    expect(pathTo(mesh, short, end)).toEqual({
      status: 'none',
      reason: 'unreachable',
      points: [],
      polys: [],
      length: 0,
      cost: 0,
    });
    removeLink(mesh, link);
    expect(pathTo(mesh, reached, end)).toMatchObject({ status: 'none', reason: 'stale' });
    removeTile(mesh, slots[2]);
    expect(pathTo(mesh, reached, end)).toMatchObject({ status: 'none', reason: 'stale' });
    // Compacting moves all dense indices; what is still there still has its way.
    for (let i = 0; i < 40; i++)
      removeTile(
        mesh,
        addTile(
          mesh,
          squaresTile(
            9,
            i,
            0,
            6,
            () => true,
            () => 0,
          ),
        ),
      );
    const path = pathTo(mesh, reached, near);
    expect(path).toMatchObject({ status: 'complete', cost: reached.costs[reached.polys.indexOf(near)] });
    expect(path.points[0]).toEqual([1, 0, 1]);
  });

  it('does not depend on the order of tiles where many paths have equal length', () => {
    const tiles = Array.from({ length: 16 }, (_, i) =>
      squaresTile(
        i % 4,
        i >> 2,
        0,
        4,
        (x, z) => (x * z) % 5 !== 4,
        () => 0,
      ),
    );
    const flat = (order: typeof tiles): string => {
      const mesh = tiledMesh();
      for (const tile of order) addTile(mesh, tile);
      const reached = findReachable(mesh, [20, 0, 21]);
      return JSON.stringify([
        polysOf(mesh, reached).map((poly) => polyName(mesh, poly)),
        [...reached.costs],
        [...reached.parents],
      ]);
    };
    const expected = flat(tiles);
    const random = seeded(6);
    for (let i = 0; i < 6; i++) {
      expect(
        flat(
          tiles
            .map((tile) => ({ tile, key: random() }))
            .sort((a, b) => a.key - b.key)
            .map(({ tile }) => tile),
        ),
      ).toBe(expected);
    }
  });

  it('starts on polygons that do not pass but does not enter them', () => {
    const mesh = meshOf(gridTile(3, 1));
    mesh.polyFlags[0] = 0;
    expect(polysOf(mesh, findReachable(mesh, [0.5, 0, 0.5], { startRef: refOf(mesh, 0) }))).toEqual([0, 1, 2]);
    expect(polysOf(mesh, findReachable(mesh, [2.5, 0, 0.5]))).toEqual([2, 1]);
  });
});

describe('kernels', () => {
  it('allocate nothing after warm-up, over meshes of different size', () => {
    const mesh = tiledMesh();
    for (let x = 0; x < 4; x++)
      for (let z = 0; z < 4; z++)
        addTile(
          mesh,
          squaresTile(
            x,
            z,
            0,
            4,
            (i, k) => i !== 1 || k !== 2,
            () => 0,
          ),
        );
    addLink(mesh, { start: [1, 0, 1], end: [40, 0, 40], bothWays: true });
    const small = meshOf(movedTile(gridTile(2, 2), 0, 0, 1));
    const random = seeded(5);
    const starts = Array.from({ length: 64 }, () =>
      findNearest(mesh, [48 * random(), 0, 48 * random()], { halfExtents: [9, 1, 9] }),
    );
    const points = starts.map(({ point }) => Float64Array.from(point));
    const half = Float64Array.of(5, 1, 5);
    const flood = createFlood();
    const state = createFloodState();
    const bounds = createFloodBounds();
    const list = createPolyList();
    const sampler = createGroundSampler();
    const hit = createRandomHit();
    const source = createRandom(3);
    const run = (rounds: number): void => {
      for (let i = 0; i < rounds; i++) {
        const point = points[i % 64];
        findPolysInBoxInto(list, mesh, point, half, DEFAULT_FILTER);
        bounds.within = (i & 1) === 0 ? 'circle' : 'all';
        bounds.maxCost = (i & 1) === 0 ? Infinity : 9.5;
        bounds.center.set(point);
        bounds.radius = 6.5;
        floodInto(flood, state, mesh, DEFAULT_FILTER, starts[i % 64].poly, point, bounds);
        sampleFlood(sampler, mesh, flood, bounds, DEFAULT_FILTER);
        drawPointInto(hit, sampler, mesh, DEFAULT_FILTER, source);
        if (i % 16 === 0) sampleMesh(sampler, i % 32 === 0 ? mesh : small, DEFAULT_FILTER);
      }
    };
    expectNoAllocation(run, 2000, 2);
  });
});
