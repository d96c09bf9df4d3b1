import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../src/polygon/build.ts';
import { findPath } from '../../../src/query/find-path.ts';
import { findPath2d } from '../../../src/query/path-2d.ts';
import { advancePlayer, createPlayer } from '../../../src/query/player.ts';

const { navMesh } = buildFromPolygons({
  polygons: [{ outline: [[0, 0], [10, 0], [10, 6], [0, 6]], holes: [] }], obstacles: [[[4, -1], [6, -1], [6, 4], [4, 4]]],
});

describe('findPath2d', () => {
  it('[x, y] in, [x, y] out, around the obstacle', () => {
    const path = findPath2d(navMesh, [1, 1], { x: 9, y: 1 });
    expect(path.points).toEqual([[1, 1], [4, 4], [6, 4], [9, 1]]);
    expect(path).toMatchObject({ status: 'complete', reason: '', startDistance: 0, endDistance: 0 });
    expect(path.length).toBeCloseTo(2 + 2 * Math.sqrt(18), 12);
    expect(path.polys).toEqual(findPath(navMesh, [1, 0, 1], [9, 0, 1]).polys);
    const player = createPlayer(path.points, 1);
    expect(advancePlayer(player, 100)).toBeCloseTo(100 - path.length, 9);
    expect([...player.position]).toEqual([9, 1]);
  });

  it('ends off the mesh, half extents, another search', () => {
    expect(findPath2d(navMesh, [-50, 1], [9, 1])).toMatchObject({ status: 'none', reason: 'start-off-mesh', points: [] });
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: 60 }).points[0]).toEqual([0, 1]);
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: [60, 1] })).toMatchObject({ status: 'complete', startDistance: 50 });
    expect(findPath2d(navMesh, [-50, 1], [9, 1], { halfExtents: Infinity }).status).toBe('complete');
    const asked: unknown[] = [];
    findPath2d(navMesh, [1, 2], [3, 4], { search: (...args) => (asked.push(...args.slice(1)), findPath(...args)), maxNodes: 9 });
    expect(asked).toEqual([[1, 0, 2], [3, 0, 4], { maxNodes: 9 }]);
  });

  it.each([
    [[1], 'start is [1]; give [x, y] or { x, y } with two finite numbers'],
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
