/**
 * Floors and walls that touch along slanted lines, where rounding to the grid leaves gaps of a cell: the smallest maps that
 * fell apart or leaked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import type { PolygonMap, PolygonOptions } from '../../../../src/build/polygon/options.ts';
import { ringsOf } from '../../../../src/base/plane/overlay.ts';
import { findWindings, triangulateRings } from '../../../../src/base/plane/triangulate.ts';
import { explainPath } from '../../../../src/query/explain/explain.ts';
import { findPath2d } from '../../../../src/query/map/path-2d.ts';
import { createMapWorld } from '../../../../src/world/levels/map.ts';
import { addObstacle } from '../../../../src/world/levels/obstacles.ts';
import { updateWorld } from '../../../../src/world/levels/update.ts';
import { seeded } from '../../meshes.ts';

type Point = [number, number];

interface Touching {
  map: PolygonMap;
  tileSize?: number;
  from: Point;
  to: Point;
}

const read = (name: string): Touching =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'touching', `${name}.json`), 'utf8'));

describe.each<[string, PolygonOptions]>([
  ['one tile', { tileSize: 0 }],
  ['tiles', { tileSize: 3 }],
])('what touches along slanted lines, as %s', (_, options) => {
  const pathOf = ({ map, from, to }: Touching): ReturnType<typeof findPath2d> =>
    findPath2d(buildFromPolygons(map, options).navMesh, from, to);

  it('joins two floors where a corner of one lies on a side of the other', () => {
    expect(pathOf(read('floors-share-slanted-side'))).toMatchObject({ status: 'complete' });
  });

  it('joins bricks that were turned: the path is straight', () => {
    const bricks = read('turned-bricks');
    const [dx, dy] = [bricks.to[0] - bricks.from[0], bricks.to[1] - bricks.from[1]];
    expect(pathOf(bricks).length).toBeCloseTo(Math.sqrt(dx * dx + dy * dy), 6);
  });

  it('lets no path through walls that touch', () => {
    expect(pathOf(read('walls-touch-leak'))).toMatchObject({ status: 'partial', reason: 'unreachable' });
  });

  it('gives a turned lattice the length of the lattice', () => {
    expect(pathOf(read('rotated-lattice')).length).toBeCloseTo(21.415814749341674, 5);
  });
});

it('joins bricks in tiles whose common corner lies half a step beside a line of tiles, turned by any angle', () => {
  const { map, tileSize, from, to } = read('bricks-on-tile-line');
  const random = seeded(1);
  for (let i = 0; i < 300; i++) {
    const angle = i === 0 ? 0 : 2 * Math.PI * random();
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const turn = ([x, y]: Point): Point => [cos * x - sin * y, sin * x + cos * y];
    const polygons = map.polygons!.map(({ outline }) => ({ outline: (outline as Point[]).map(turn) }));
    const { navMesh } = buildFromPolygons({ polygons }, { tileSize });
    // The line of sight.
    const { length } = findPath2d(navMesh, turn(from), turn(to));
    expect(length, `angle ${angle}`).toBeCloseTo(Math.hypot(to[0] - from[0], to[1] - from[1]), 6);
  }
});

describe('outlines that nearly touch', () => {
  const nearly = (gap: number, more: object = {}): PolygonMap => ({
    polygons: [
      {
        outline: [
          [0, 0],
          [10, 0.1],
          [10, 10],
          [0, 10],
        ],
      },
      {
        outline: [
          [0, -5],
          [10, -5],
          [10, 0.1 - gap],
          [0, -gap],
        ],
      },
    ],
    ...more,
  });

  it.each([0, 0.25])(
    'are named by the explanation, and joined with the precision that it names (radius %f)',
    (radius) => {
      const { navMesh } = buildFromPolygons(nearly(1e-5), { radius });
      const { message } = explainPath(navMesh, [5, 0, 3], [5, 0, -5]);
      expect(message).toMatch(/Their outlines are (0\.00001|0\.00000\d+|9\.\d+e-6) apart there/);
      expect(message).not.toContain(' 0 apart');
      const precision = Number(/precision: ([\d.e-]+),/.exec(message)![1]);
      const joined = buildFromPolygons(nearly(1e-5, { precision }), { radius }).navMesh;
      expect(findPath2d(joined, [5, 5], [5, -3]).status).toBe('complete');
    },
  );

  it('are not joined otherwise, and a touch in a point is called so', () => {
    expect(findPath2d(buildFromPolygons(nearly(1e-5)).navMesh, [5, 5], [5, -3]).status).toBe('partial');
    const point = buildFromPolygons({
      polygons: [
        {
          outline: [
            [0, 0],
            [1, 0],
            [0, 1],
          ],
        },
        {
          outline: [
            [0, 0],
            [-1, 0],
            [0, -1],
          ],
        },
      ],
    });
    const { message } = explainPath(point.navMesh, [0.2, 0, -0.2], [-0.2, 0, 0.2]);
    expect(message).toContain('touch at [0, 0] in a point');
    expect(message).not.toContain('apart');
  });
});

describe('worlds over maps', () => {
  const pathOf = ({ map, tileSize = 30, from, to }: Touching): ReturnType<typeof findPath2d> => {
    const world = createMapWorld({ polygons: map.polygons }, { tileSize });
    for (const outline of map.obstacles!) {
      addObstacle(world, { type: 'convex', outline, position: [0, 0] } as never);
    }
    updateWorld(world);
    return findPath2d(world.navMesh, from, to);
  };

  it('let no path through obstacles that touch', () => {
    expect(pathOf(read('walls-touch-leak'))).toMatchObject({ status: 'partial', reason: 'unreachable' });
  });

  it('let no path through where a tip ends a cell behind a line of tiles, next to the corner that it touches', () => {
    const tip = read('tip-behind-tile-line');
    const { length } = findPath2d(buildFromPolygons(tip.map).navMesh, tip.from, tip.to);
    expect(pathOf(tip).length).toBeCloseTo(length, 6);
  });
});

describe('triangulateRings with a distance', () => {
  const rings = ringsOf([
    [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 50 },
      { x: 0, y: 50 },
    ],
    [
      { x: 30, y: -1 },
      { x: 10, y: -40 },
      { x: 60, y: -40 },
    ],
    [
      { x: 101, y: 51 },
      { x: 140, y: 60 },
      { x: 130, y: 90 },
    ],
  ]);

  it('bends a side through a corner next to it, and makes corners next to each other one', () => {
    const mesh = triangulateRings(rings, undefined, undefined, 1.5);
    expect(mesh.joinCount).toBe(2);
    const at = (x: number, y: number): number => mesh.xs.findIndex((one, v) => one === x && mesh.ys[v] === y);
    const isFixed = (a: number, b: number): boolean =>
      Array.from({ length: mesh.edgeCount }, (_, e) => e).some(
        (e) =>
          mesh.fixed[e] !== 0 &&
          new Set([mesh.origin[2 * e], mesh.origin[2 * e + 1]]).size === new Set([a, b]).size &&
          [a, b].every((v) => v === mesh.origin[2 * e] || v === mesh.origin[2 * e + 1]),
      );
    expect(isFixed(at(0, 0), at(30, -1))).toBe(true);
    expect(isFixed(at(30, -1), at(100, 0))).toBe(true);
    expect(isFixed(at(0, 0), at(100, 0))).toBe(false);
    expect(mesh.vertexOf[2]).toBe(mesh.vertexOf[7]);
    expect(Math.max(...findWindings(mesh))).toBe(1);
  });

  it('leaves all as it is without one', () => {
    const mesh = triangulateRings(rings);
    expect(mesh.joinCount).toBe(0);
    expect(mesh.vertexOf[2]).not.toBe(mesh.vertexOf[7]);
  });
});
