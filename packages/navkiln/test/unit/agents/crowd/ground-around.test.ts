/**
 * The ground around a point, compared with areas from geometry: circles, parts of circles in corners, corridors, and rooms
 * behind walls, each turned by several angles. Sixteen rays measure corners and walls to a fifth, and less than all of a
 * corridor.
 */
import { describe, expect, it } from 'vitest';
import { measureGround } from '../../../../src/agents/crowd/rest/ground-around.ts';
import { buildFromPolygons } from '../../../../src/build/polygon/build.ts';
import { polyIndexOf } from '../../../../src/mesh/ref.ts';
import { DEFAULT_FILTER } from '../../../../src/query/filter.ts';
import { findNearest } from '../../../../src/query/nearest/nearest.ts';

type Outline = [number, number][];

const rectangle = (x0: number, z0: number, x1: number, z1: number): Outline => [
  [x0, z0],
  [x1, z0],
  [x1, z1],
  [x0, z1],
];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** A corner at the origin. */
const corner = (degrees: number): Outline => [
  [0, 0],
  [40, 0],
  [40 * Math.cos(radians(degrees)), 40 * Math.sin(radians(degrees))],
];
const pieces = Array.from({ length: 100 }, (_, i) => {
  const x = i % 10;
  const z = (i - x) / 10;
  return rectangle(x, z, x + 1, z + 1);
});

/** A name, outlines that are joined, a point, the length of ways, the exact area, and the share that is measured at least. */
const LEVELS: [string, Outline[], [number, number], number, number, number][] = [
  ['a hall', [rectangle(0, 0, 20, 20)], [10, 10], 4, Math.PI * 16, 0.999],
  ['a hall of many pieces', pieces, [5.3, 5.4], 4, Math.PI * 16, 0.999],
  ['a wall', [rectangle(0, 0, 20, 20)], [10, 0.01], 5, (Math.PI * 25) / 2, 0.8],
  ['a corner of a hall', [rectangle(0, 0, 20, 20)], [0.1, 0.1], 6, Math.PI * 9, 0.8],
  ['a corner of 30 degrees', [corner(30)], [2, 0.5], 9, (Math.PI * 81) / 12, 0.45],
  ['the end of a corridor', [rectangle(0, 0, 30, 2)], [0.1, 1], 6, Math.sqrt(35) + 36 * Math.asin(1 / 6), 0.3],
  ['a small room', [rectangle(0, 0, 3, 2)], [1, 1], 9, 6, 0.7],
  ['a room behind a wall', [rectangle(0, 0, 4, 4), rectangle(4.2, 0, 8, 4)], [2, 2], 9, 16, 0.8],
];

describe.each([0, 17, 45, 133])('turned by %i degrees, the ground around a point', (turn) => {
  const cos = Math.cos(radians(turn));
  const sin = Math.sin(radians(turn));
  const turned = ([x, z]: [number, number]): [number, number] => [cos * x - sin * z, sin * x + cos * z];

  it.each(LEVELS)('in %s has its area', (_, outlines, at, reach, area, share) => {
    const { navMesh } = buildFromPolygons({ polygons: outlines.map((outline) => ({ outline: outline.map(turned) })) });
    const [x, y] = turned(at);
    const { ref, point } = findNearest(navMesh, [x, 0, -y], { halfExtents: [0.5, 1, 0.5] });
    const measured = measureGround(navMesh, DEFAULT_FILTER, polyIndexOf(navMesh, ref), Float64Array.from(point), reach);
    expect(measured / area).toBeGreaterThan(share);
    expect(measured / area).toBeLessThan(2 - share);
  });
});
