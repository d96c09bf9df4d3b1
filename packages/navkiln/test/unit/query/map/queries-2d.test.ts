/** 2D queries in the coordinates of the map, whichever way its y points. */
import { describe, expect, it } from 'vitest';
import { explainMapPosition } from '../../../../src/show/explain/map.ts';
import { loadNavMesh } from '../../../../src/mesh/file/load.ts';
import { mapToMesh, meshToMap } from '../../../../src/mesh/map-plane.ts';
import { saveNavMesh } from '../../../../src/mesh/file/save.ts';
import { validateNavMesh } from '../../../../src/mesh/validate.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap } from '../../../../src/build/polygon/options.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { findNearest2d } from '../../../../src/query/map/nearest-2d.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { raycast2d } from '../../../../src/query/map/raycast-2d.ts';
import { moveAlongSurface2d } from '../../../../src/query/map/slide-2d.ts';
import { polygonsFromGrid } from '../../../../src/formats/maps/grid-polygons.ts';
import { projectPoint, createProjection, unprojectPoint } from '../../../../src/formats/maps/geojson-projection.ts';
import { createRandom, nextRandom } from '../../../../src/base/data/random.ts';
import { ROOM } from './room.ts';

const AXES = ['up', 'down'] as const;

describe.each(AXES)('a map with y %s', (yAxis) => {
  const build = buildFromPolygons(ROOM, { yAxis });
  const { navMesh } = build;
  const sign = yAxis === 'up' ? -1 : 1;

  it('lies in the mesh as it looks from above, and the mesh knows it', () => {
    expect(validateNavMesh(navMesh)).toEqual([]);
    expect(navMesh.mapYSign).toBe(sign);
    expect(mapToMesh(navMesh, [3, 2])).toEqual([3, 0, 2 * sign]);
    expect(mapToMesh(navMesh, { x: 3, y: 0 })).toEqual([3, 0, 0]);
    expect(meshToMap(navMesh, [3, 0, 2 * sign])).toEqual([3, 2]);
    const zs = [...navMesh.vertices].filter((_, i) => i % 3 === 2 && i < 3 * navMesh.vertexCount);
    expect([Math.min(...zs), Math.max(...zs)]).toEqual(yAxis === 'up' ? [-6, 0] : [0, 6]);
    expect(Object.is(Math.max(...zs.map((z) => (z === 0 ? 1 / z : 0))), -Infinity)).toBe(false);
    const bytes = saveNavMesh(navMesh);
    const loaded = loadNavMesh(bytes.slice());
    expect(loaded.mapYSign).toBe(sign);
    expect(saveNavMesh(loaded)).toEqual(bytes);
    expect(structuredClone(navMesh).mapYSign).toBe(sign);
  });

  it('answers in points of the map, given as [x, y] or { x, y }', () => {
    expect(findPath2d(navMesh, [1, 1], { x: 9, y: 1 }).points).toEqual([
      [1, 1],
      [4, 4],
      [6, 4],
      [9, 1],
    ]);
    const inside = findNearest2d(navMesh, { x: 1, y: 2 });
    expect(inside).toMatchObject({ found: true, point: [1, 2], distance: 0, isInside: true });
    expect(findNearest2d(navMesh, [4.5, 1])).toMatchObject({ point: [4, 1], distance: 0.5, isInside: false });
    expect(raycast2d(navMesh, [1, 1], { x: 9, y: 1 })).toMatchObject({
      status: 'wall',
      point: [4, 1],
      normal: [-1, 0],
      t: 3 / 8,
    });
    expect(raycast2d(navMesh, { x: 1, y: 5 }, [9, 5], { withPolys: true, withCost: true })).toMatchObject({
      status: 'reached',
      point: [9, 5],
      t: 1,
      cost: 8,
    });
    expect(raycast2d(navMesh, [1, 1], [1, 9])).toMatchObject({ point: [1, 6], normal: [0, -1] });
    expect(moveAlongSurface2d(navMesh, [3, 1], { x: 5, y: 2 })).toMatchObject({ status: 'blocked', point: [4, 2] });
    expect(moveAlongSurface2d(navMesh, { x: 3, y: 1 }, [3, 2])).toMatchObject({ status: 'reached', point: [3, 2] });
    expect(explainMapPosition(ROOM, build, { x: 5, y: 1 }).code).toBe('obstacle');
    expect(explainMapPosition(ROOM, build, [1, 1]).code).toBe('walkable');
  });

  it('moves a click outside walkable space to the nearest walkable point, and reports how far', () => {
    const path = findPath2d(navMesh, [1, 1], [10.5, 1]);
    expect(path).toMatchObject({ status: 'complete', reason: '', endDistance: 0.5, startDistance: 0 });
    expect(path.points.at(-1)).toEqual([10, 1]);
    expect(findPath2d(navMesh, [-300, 400], [5, 3.5])).toMatchObject({ status: 'complete', endDistance: 0.5 });
    expect(findPath2d(navMesh, [1, 1], [10.5, 1], { halfExtents: 0.4 }).reason).toBe('end-off-mesh');
    expect(raycast2d(navMesh, [-1, 1], [9, 1])).toMatchObject({ status: 'wall', point: [4, 1] });
    expect(raycast2d(navMesh, [-1, 1], [9, 1], { halfExtents: 0 }).status).toBe('off-mesh');
    expect(moveAlongSurface2d(navMesh, [-1, 1], [9, 1], { halfExtents: [0.5, 9] }).status).toBe('off-mesh');
    expect(moveAlongSurface2d(navMesh, [-1, 1], [3, 1]).point).toEqual([3, 1]);
    expect(findNearest2d(navMesh, [-1, 1], { halfExtents: [2, 0.1] }).point).toEqual([0, 1]);
  });

  it('finds the nearest point that brute force finds', () => {
    const seed = 11;
    const random = createRandom(seed);
    // The outline of what is walkable.
    const ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [6, 4],
      [6, 0],
      [10, 0],
      [10, 6],
      [0, 6],
    ];
    for (let i = 0; i < 300; i++) {
      const [x, y] = [30 * nextRandom(random) - 10, 26 * nextRandom(random) - 10];
      const isInside = x >= 0 && x <= 10 && y >= 0 && y <= 6 && !(x > 4 && x < 6 && y < 4);
      let least = Infinity;
      ring.forEach(([ax, ay], k) => {
        const [bx, by] = ring[(k + 1) % ring.length];
        const t = Math.max(
          0,
          Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
        );
        least = Math.min(least, Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y));
      });
      const found = findNearest2d(navMesh, [x, y]);
      expect(found.isInside, `seed ${seed}, ${i}`).toBe(isInside);
      expect(Math.abs(found.distance - (isInside ? 0 : least)), `seed ${seed}, ${i}`).toBeLessThan(1e-12);
    }
  });

  it('is explained in points of the map', () => {
    const apart = buildFromPolygons(
      {
        polygons: [
          {
            outline: [
              [0, 0],
              [4, 0],
              [4, 4],
              [0, 4],
            ],
          },
          {
            outline: [
              [6, 2],
              [9, 1],
              [9, 4],
            ],
          },
        ],
      },
      { yAxis },
    ).navMesh;
    const { message } = explainPath(apart, mapToMesh(apart, [1, 1]), mapToMesh(apart, [8, 3]));
    expect(message).toContain('between [4, 2] and [6, 2]: 2 apart.');
    const off = explainPath(apart, mapToMesh(apart, [1, 1]), mapToMesh(apart, [2, 9]), { halfExtents: 1 });
    expect(off.message).toContain('the nearest point of the mesh, [2, 4], is 5 away towards -y');
  });
});

describe('2D functions', () => {
  it('take rings, paths and origins of { x, y } as well', () => {
    const objects = (ring: readonly (readonly number[])[]): { x: number; y: number }[] =>
      ring.map(([x, y]) => ({ x, y }));
    const own: PolygonMap = {
      polygons: [
        {
          outline: objects([
            [0, 0],
            [10, 0],
            [10, 6],
            [0, 6],
          ]),
        },
      ],
      obstacles: [
        objects([
          [4, -1],
          [6, -1],
          [6, 4],
          [4, 4],
        ]),
      ],
    };
    expect(saveNavMesh(buildFromPolygons(own).navMesh)).toEqual(saveNavMesh(buildFromPolygons(ROOM).navMesh));
    expect(polygonsFromGrid([1], 1, 1, { origin: { x: 3, y: 4 } })).toEqual(
      polygonsFromGrid([1], 1, 1, { origin: [3, 4] }),
    );
    const projection = createProjection({ x: 8, y: 47 });
    expect(projectPoint(projection, { x: 8.1, y: 47.1 })).toEqual(projectPoint(projection, [8.1, 47.1]));
    expect(unprojectPoint(projection, { x: 5, y: 7 })).toEqual(unprojectPoint(projection, [5, 7]));
  });

  it('take the map for y up, a grid for y down, and the option over both', () => {
    expect(buildFromPolygons(ROOM).navMesh.mapYSign).toBe(-1);
    expect(buildFromPolygons({ ...ROOM, yAxis: 'down' }).report.config.yAxis).toBe('down');
    expect(buildFromPolygons({ ...ROOM, yAxis: 'down' }, { yAxis: 'up' }).navMesh.mapYSign).toBe(-1);
    expect(buildFromPolygons(polygonsFromGrid([1], 1, 1)).navMesh.mapYSign).toBe(1);
    expect(() => buildFromPolygons({ ...ROOM, yAxis: 'north' as never })).toThrow(
      "buildFromPolygons: map.yAxis is \"north\"; must be 'up' or 'down'",
    );
    expect(() => buildFromPolygons(ROOM, { yAxis: 1 as never })).toThrow(/options\.yAxis is 1/);
  });

  it('name themselves in refusals', () => {
    const { navMesh } = buildFromPolygons(ROOM);
    expect(() => raycast2d(navMesh, [1] as never, [2, 2])).toThrow(
      'raycast2d: start is [1]; must be [x, y] or { x, y }, both finite',
    );
    expect(() => findNearest2d(navMesh, [1, NaN])).toThrow('findNearest2d: point is [1, NaN]');
    expect(() => moveAlongSurface2d(navMesh, [1, 1], { x: 1 } as never)).toThrow(
      'moveAlongSurface2d: end is { x: 1, y: undefined }',
    );
    expect(() => raycast2d(navMesh, [1, 1], [2, 2], { halfextents: 1 } as never)).toThrow(/known keys: .*halfExtents/);
    expect(() => findNearest2d(navMesh, [1, 1], { halfExtents: [1, -2] })).toThrow(
      'findNearest2d: options.halfExtents[1] is -2; must be a number >= 0',
    );
    expect(() => mapToMesh(navMesh, 'a' as never)).toThrow('mapToMesh: point is "a"');
  });
});
