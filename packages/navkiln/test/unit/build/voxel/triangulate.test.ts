import { describe, expect, it } from 'vitest';
import {
  area2,
  crossProperly,
  isInCone,
  samePlace,
  touch,
} from '../../../../src/build/voxel/contours/integer-geometry.ts';
import { triangulate } from '../../../../src/build/voxel/polymesh/triangulate.ts';

type Ring = readonly (readonly [x: number, z: number])[];

function cut(ring: Ring): { triangles: number[][]; complete: boolean; area: number; ringArea: number } {
  const v = Int32Array.from(ring.flatMap(([x, z]) => [x, 0, z, 0]));
  const out = new Int32Array(3 * ring.length);
  const { count, complete } = triangulate(out, v, 0, ring.length);
  const triangles = Array.from({ length: count }, (_, t) => [...out.subarray(3 * t, 3 * t + 3)]);
  const areas = triangles.map(([a, b, c]) => area2(v, 4 * a!, 4 * b!, 4 * c!));
  // None is turned around.
  for (const area of areas) expect(area).toBeLessThanOrEqual(0);
  let ringArea = 0;
  ring.forEach(([x, z], k) => {
    const [px, pz] = ring[(k + ring.length - 1) % ring.length];
    ringArea += x * pz - px * z;
  });
  return { triangles, complete, area: -areas.reduce((sum, area) => sum + area, 0), ringArea };
}

const square: Ring = [
  [0, 0],
  [0, 4],
  [4, 4],
  [4, 0],
];

describe('triangulate', () => {
  it('returns a triangle as it is', () => {
    expect(
      cut([
        [0, 0],
        [0, 3],
        [3, 0],
      ]).triangles,
    ).toEqual([[0, 1, 2]]);
  });
  it('cuts the ear of the shortest diagonal first, of several the first', () => {
    expect(cut(square).triangles).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
    // The diagonal from 1 to 3 is the shorter one.
    expect(
      cut([
        [0, 0],
        [1, 3],
        [9, 4],
        [4, 0],
      ]).triangles,
    ).toEqual([
      [1, 2, 3],
      [0, 1, 3],
    ]);
  });
  it('takes lines with an end at the z of an edge without length for crossings, as Recast does', () => {
    // A contour of the level `composition 20261127` of the matrix, mirrored. Cutting the spike 33-34-35 leaves an edge from 33 to 35.
    const contour =
      '48,51 58,55 59,53 63,55 62,58 59,58 59,53 63,55 62,58 59,58 59,53 63,56 62,58 59,58 58,55 47,55 49,64 56,69 69,67 73,62 73,49 64,42 57,42 50,46 ' +
      '47,52 48,62 56,69 69,67 73,62 73,49 64,42 57,42 51,45 48,49 48,61 48,49 46,49 46,73 53,74 53,67 56,69 64,69 70,66 74,58 73,49 64,42 57,42 50,46';
    const ring = contour.split(' ').map((point) => point.split(',').map(Number) as [number, number]);
    const { triangles, complete } = cut(ring);
    expect(complete).toBe(false);
    expect(triangles.map(String).join(' ')).toBe(
      '37,38,39 20,21,22 29,30,31 44,45,46 33,34,35 46,47,0 46,0,1 46,1,2 46,2,3 ' +
        '44,46,3 44,3,4 22,23,24 32,33,35 31,32,35 20,22,24 29,31,35 29,35,36',
    );
  });
  it('does not cut across a dent', () => {
    const dent: Ring = [
      [0, 0],
      [0, 4],
      [2, 1],
      [4, 4],
      [4, 0],
    ];
    const { complete, triangles, area, ringArea } = cut(dent);
    expect(complete).toBe(true);
    expect(triangles.length).toBe(3);
    expect(area).toBe(ringArea);
  });
  it('cuts points on a straight side, with no area where there is no other way', () => {
    const { complete, area, ringArea, triangles } = cut([
      [0, 0],
      [0, 2],
      [0, 4],
      [2, 4],
      [4, 4],
      [4, 0],
      [2, 0],
    ]);
    expect(complete).toBe(true);
    expect(triangles.length).toBe(5);
    expect(area).toBe(ringArea);
  });
  it('cuts a ring that runs to a hole and back', () => {
    // Outline, line to the hole at 3,3, around it, and back.
    const ring: Ring = [
      [0, 0],
      [0, 9],
      [9, 9],
      [9, 0],
      [0, 0],
      [3, 3],
      [5, 3],
      [5, 5],
      [3, 5],
      [3, 3],
    ];
    const { complete, triangles, area, ringArea } = cut(ring);
    expect(complete).toBe(true);
    expect(triangles.length).toBe(8);
    expect(area).toBe(ringArea);
    expect(ringArea).toBe(2 * (81 - 4));
  });
  it('cuts a ring that touches itself in a point', () => {
    // Two squares that meet in 4,4.
    const ring: Ring = [
      [0, 0],
      [0, 4],
      [4, 4],
      [4, 8],
      [8, 8],
      [8, 4],
      [4, 4],
      [4, 0],
    ];
    const { complete, triangles, area, ringArea } = cut(ring);
    expect(complete).toBe(true);
    expect(triangles.length).toBe(6);
    expect(area).toBe(ringArea);
  });
  it('cuts a comb, a spiral and a ring of two hundred points', () => {
    const comb: [number, number][] = [[0, 0]];
    for (let k = 0; k < 10; k++) comb.push([2 * k, 9], [2 * k + 1, 2]);
    comb.push([20, 9], [20, 0]);
    const spiral: Ring = [
      [0, 0],
      [0, 9],
      [9, 9],
      [9, 2],
      [3, 2],
      [3, 6],
      [6, 6],
      [6, 5],
      [4, 5],
      [4, 3],
      [8, 3],
      [8, 8],
      [1, 8],
      [1, 0],
    ];
    const round = roundRing(200);
    for (const ring of [comb as Ring, spiral, round]) {
      const { complete, triangles, area, ringArea } = cut(ring);
      expect(complete).toBe(true);
      expect(triangles.length).toBe(ring.length - 2);
      expect(area).toBe(ringArea);
    }
  });
  it('reports that it finds no ear: a ring with reversed winding', () => {
    expect(cut(square.toReversed())).toMatchObject({ triangles: [], complete: false });
  });
});

/** A convex ring of n whole points: the sides of a polygon sorted by direction. */
function roundRing(n: number): Ring {
  const steps: [number, number][] = [];
  for (let a = 0; steps.length * 4 < n; a++)
    for (let b = 1; b <= 30 && steps.length * 4 < n; b++) if (isCoprime(a, b)) steps.push([a, b]);
  steps.sort(([ax, az], [bx, bz]) => ax * bz - bx * az);
  const ring: [number, number][] = [];
  let x = 0,
    z = 1000;
  // Quarter by quarter, each a quarter turn on.
  for (let quarter = 0; quarter < 4; quarter++) {
    for (const [a, b] of steps) {
      ring.push([x, z]);
      const [dx, dz] = [
        [a, b],
        [b, -a],
        [-a, -b],
        [-b, a],
      ][quarter] as [number, number];
      x += dx;
      z += dz;
    }
  }
  return ring;
}

function isCoprime(a: number, b: number): boolean {
  return b === 0 ? a === 1 : isCoprime(b, a % b);
}

describe('integer geometry', () => {
  const v = Int32Array.from(
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [2, 2],
      [8, 8],
      [2, 0],
      [0, 0],
    ].flatMap(([x, z]) => [x!, 0, z!, 0]),
  );
  const [o, e, ne, n, middle, far, onSide, again] = [0, 4, 8, 12, 16, 20, 24, 28] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  it('tells sides of a line and equal positions', () => {
    expect(area2(v, o, e, ne)).toBe(16);
    expect(area2(v, o, ne, e)).toBe(-16);
    expect(area2(v, o, middle, far)).toBe(0);
    expect(samePlace(v, o, again)).toBe(true);
    expect(samePlace(v, o, e)).toBe(false);
  });
  it('tells crossing from touching', () => {
    expect(crossProperly(v, o, ne, e, n)).toBe(true);
    expect(crossProperly(v, o, middle, e, n)).toBe(false);
    expect(touch(v, o, middle, e, n)).toBe(true);
    expect(touch(v, o, e, ne, n)).toBe(false);
    expect(touch(v, o, e, onSide, ne)).toBe(true);
    expect(touch(v, o, middle, ne, far)).toBe(false);
    expect(touch(v, o, far, middle, ne)).toBe(true);
  });
  it('tells which points a corner sees', () => {
    // The corner 0,0 of the square 0,0 - 0,4 - 4,4 - 4,0: inside is the quarter of both positive.
    expect(isInCone(v, e, o, n, middle)).toBe(true);
    expect(isInCone(v, e, o, n, onSide)).toBe(false);
    expect(isInCone(v, e, o, n, onSide, 1)).toBe(true);
    // The other way round the corner is a dent, and sees all but that quarter.
    expect(isInCone(v, n, o, e, middle)).toBe(false);
    expect(isInCone(v, e, ne, n, middle)).toBe(false);
  });
});
