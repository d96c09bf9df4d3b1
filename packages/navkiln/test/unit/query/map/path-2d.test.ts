import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { findPath } from '../../../../src/query/path/find-path.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { advancePathWalker, createPathWalker } from '../../../../src/query/path/path-walker.ts';
import { ROOM } from './room.ts';

const { navMesh } = buildFromPolygons(ROOM);

describe('shortest', () => {
  it('is the default, also where A* and a funnel miss the shortest path', () => {
    // A wide room whose obstacle is a little nearer on one side: polygon midpoints mislead.
    const { navMesh: wide } = buildFromPolygons({
      polygons: [
        {
          outline: [
            [0, 0],
            [100, 0],
            [100, 60],
            [0, 60],
          ],
        },
      ],
      obstacles: [
        [
          [20, 10],
          [80, 10],
          [80, 48],
          [20, 48],
        ],
        [
          [85, 20],
          [95, 20],
          [95, 59],
          [85, 59],
        ],
        [
          [5, 1],
          [15, 1],
          [15, 30],
          [5, 30],
        ],
      ],
    });
    for (let i = 0; i < 200; i++) {
      const from = [(i * 37) % 100, (i * 17) % 60],
        to = [(i * 53 + 9) % 100, (i * 29 + 31) % 60];
      const [best, fast] = (['optimal', 'funnel'] as const).map((mode) =>
        findPath2d(wide, from, to, { mode, halfExtents: Infinity }),
      );
      expect(best!.length).toBeLessThanOrEqual(fast!.length + 1e-9);
    }
  });
});

describe('findPath2d', () => {
  it('takes and returns [x, y], around an obstacle', () => {
    const path = findPath2d(navMesh, [1, 1], { x: 9, y: 1 });
    expect(path.points).toEqual([
      [1, 1],
      [4, 4],
      [6, 4],
      [9, 1],
    ]);
    expect(path).toMatchObject({ status: 'complete', reason: '', startDistance: 0, endDistance: 0 });
    expect(path.length).toBeCloseTo(2 + 2 * Math.sqrt(18), 12);
    expect(path.exact).toBe(true);
    expect(findPath2d(navMesh, [1, 1], [9, 1], { mode: 'funnel' })).toMatchObject({
      points: path.points,
      exact: false,
    });
    expect(path.polys).toEqual(findPath(navMesh, [1, 0, -1], [9, 0, -1]).polys);
    const player = createPathWalker(path.points, 1);
    expect(advancePathWalker(player, 100)).toBeCloseTo(100 - path.length, 9);
    expect([...player.position]).toEqual([9, 1]);
  });

  it('handles ends off the mesh and half extents', () => {
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: 0.5 })).toMatchObject({
      status: 'none',
      reason: 'start-off-mesh',
      points: [],
    });
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: 60 }).points[0]).toEqual([0, 1]);
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: [60, 1] })).toMatchObject({
      status: 'complete',
      startDistance: 50,
    });
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: Infinity }).status).toBe('complete');
    expect(findPath2d(navMesh, [1, 1], [9, 1], { maxNodes: 1, mode: 'funnel' })).toMatchObject({
      status: 'partial',
      reason: 'budget',
    });
    expect(() => findPath2d(navMesh, [1, 1], [9, 1], { mode: 'best' as never })).toThrow(
      new RangeError(
        "findPath2d: options.mode is \"best\"; must be 'optimal', 'funnel' or the function findMidpointPath",
      ),
    );
  });

  it.each([
    [[1], 'start is [1]; must be [x, y] or { x, y }, both finite'],
    [[NaN, 1], 'start is [NaN, 1]'],
    [undefined, 'start is undefined'],
    [{ x: 1, y: Infinity }, 'start is { x: 1, y: Infinity }'],
    [['1', '2'], 'start is [1, 2]'],
  ])('%j is refused', (point, message) => {
    expect(() => findPath2d(navMesh, point as never, [0, 0])).toThrow(TypeError);
    expect(() => findPath2d(navMesh, point as never, [0, 0])).toThrow(`findPath2d: ${message}`);
    expect(() => findPath2d(navMesh, [0, 0], point as never)).toThrow('findPath2d: end is ');
  });
});
