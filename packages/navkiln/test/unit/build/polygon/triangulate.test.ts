/**
 * The triangulation against brute force in big integers: segments that cross, touch and overlap; winding
 * numbers.
 */
import { describe, expect, it } from 'vitest';
import { signOfProducts } from '../../../../src/base/math/predicates.ts';
import { ringsOf } from '../../../../src/base/plane/overlay.ts';
import { findWindings, triangulateRings } from '../../../../src/base/plane/triangulate.ts';
import type { Rings, Triangulation } from '../../../../src/base/plane/types.ts';
import { seeded } from '../../meshes.ts';

const rings = (...paths: number[][][]): Rings => ringsOf(paths.map((path) => path.map(([x, y]) => ({ x, y }))));

function big(mesh: Triangulation, v: number): [bigint, bigint] {
  return [BigInt(mesh.xs[v]), BigInt(mesh.ys[v])];
}

function corners(mesh: Triangulation, h: number): number[] {
  return [mesh.origin[h], mesh.origin[mesh.next[h]], mesh.origin[mesh.next[mesh.next[h]]]];
}

function area(mesh: Triangulation, [a, b, c]: number[]): bigint {
  const [[ax, ay], [bx, by], [cx, cy]] = [big(mesh, a), big(mesh, b), big(mesh, c)];
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function isInCircle(mesh: Triangulation, abc: number[], d: number): boolean {
  const [dx, dy] = big(mesh, d);
  const [[ax, ay], [bx, by], [cx, cy]] = abc.map((v) => big(mesh, v)).map(([x, y]) => [x - dx, y - dy]);
  const square = (x: bigint, y: bigint): bigint => x * x + y * y;
  return (
    square(ax, ay) * (bx * cy - by * cx) + square(bx, by) * (cx * ay - cy * ax) + square(cx, cy) * (ax * by - ay * bx) >
    0n
  );
}

/**
 * Checks the structure, positive areas, the Delaunay condition of free edges, and weights that match the
 * windings.
 */
function check(mesh: Triangulation, name: string): Int32Array {
  const winding = findWindings(mesh);
  for (let h = 0; h < 2 * mesh.edgeCount; h++) {
    if (mesh.next[h] < 0) continue;
    const abc = corners(mesh, h);
    if (mesh.next[mesh.next[mesh.next[h]]] !== h || abc[1] !== mesh.origin[h ^ 1])
      throw new Error(`${name}: half-edge ${h} leads astray`);
    if (area(mesh, abc) <= 0n) throw new Error(`${name}: triangle of half-edge ${h} has no area`);
    const t = h ^ 1,
      e = h >> 1;
    const difference = winding[h] - (mesh.next[t] < 0 ? 0 : winding[t]);
    if (difference !== ((h & 1) === 0 ? mesh.weight[e] : -mesh.weight[e]))
      throw new Error(`${name}: winding at edge ${e}`);
    if (mesh.fixed[e] === 0 && isInCircle(mesh, abc, corners(mesh, t)[2]))
      throw new Error(`${name}: edge ${e} is not Delaunay`);
  }
  for (let v = 0; v < mesh.vertexCount; v++) expect(mesh.origin[mesh.vertexEdge[v]]).toBe(v);
  return winding;
}

const enclosed = (mesh: Triangulation, winding: Int32Array): bigint => {
  let sum = 0n;
  for (let h = 0; h < winding.length; h++)
    if (mesh.next[h] >= 0) sum += BigInt(winding[h]) * area(mesh, corners(mesh, h));
  return sum / 3n;
};

describe('signOfProducts', () => {
  it('is exact up to 2^53', () => {
    const random = seeded(3),
      most = 2 ** 53;
    for (let i = 0; i < 2000; i++) {
      const f = Float64Array.from({ length: 6 }, () => Math.round((random() * 2 - 1) * most));
      // The last product nearly cancels the first.
      if (i % 2 === 0) f.set([f[0], f[1], -f[0], f[1] + (i % 3) - 1, i % 5, 1]);
      const sum = BigInt(f[0]) * BigInt(f[1]) + BigInt(f[2]) * BigInt(f[3]) + BigInt(f[4]) * BigInt(f[5]);
      expect(signOfProducts(f)).toBe(sum > 0n ? 1 : sum < 0n ? -1 : 0);
    }
  });
});

describe('triangulateRings', () => {
  it('makes two triangles inside a square', () => {
    const mesh = triangulateRings(
      rings([
        [0, 0],
        [4, 0],
        [4, 4],
        [0, 4],
      ]),
    );
    const winding = check(mesh, 'square');
    expect(winding.filter((w) => w === 1).length).toBe(6);
    expect(mesh.splitCount).toBe(0);
  });

  it('bends two segments that cross between grid points, and keeps windings valid', () => {
    const mesh = triangulateRings(
      rings([
        [0, 0],
        [9, 4],
        [9, 0],
        [0, 5],
      ]),
    );
    check(mesh, 'bow tie');
    expect(mesh.splitCount).toBeGreaterThan(0);
  });

  it('terminates where rounding to the nearest point would loop forever', () => {
    const ring = [
      [-2097152, 19922944],
      [-9437184, 2097152],
      [-17825792, 14680064],
      [13631488, 15728640],
      [-16777216, 1048576],
      [17825792, -9437184],
      [13631488, -19922944],
      [-13631488, -10485760],
      [-1048576, -14680064],
      [-12582912, -12582912],
      [10485760, -16777216],
      [7340032, 14680064],
    ];
    check(triangulateRings(rings(ring)), 'endless');
  });

  it.each([3, 6, 20, 1000, 2 ** 26 - 40])('triangulates random rings in a square of %i', (size) => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const paths = Array.from({ length: 1 + Math.floor(3 * random()) }, () =>
        Array.from({ length: 3 + Math.floor(12 * random()) }, () => [
          Math.floor(random() * size),
          Math.floor(random() * size),
        ]),
      );
      const given = rings(...paths),
        name = `size ${size}, seed ${seed}`;
      const mesh = triangulateRings(given),
        winding = check(mesh, name);
      let sum = 0n;
      for (const path of paths) {
        path.forEach(([x, y], i) => {
          const [u, v] = path[(i + 1) % path.length];
          sum += BigInt(x) * BigInt(v) - BigInt(u) * BigInt(y);
        });
      }
      // Snapping moves a segment by less than a cell.
      const slack = BigInt(4 * mesh.splitCount * size);
      const difference = enclosed(mesh, winding) - sum;
      expect(difference <= slack && difference >= -slack, name).toBe(true);
    }
  });

  it('does not depend on the order of rings and their first points', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seeded(seed);
      const paths = Array.from({ length: 4 }, () =>
        Array.from({ length: 6 }, () => [Math.floor(random() * 12), Math.floor(random() * 12)]),
      );
      const turned = paths.map((path) => [...path.slice(2), ...path.slice(0, 2)]).reverse();
      const one = triangulateRings(rings(...paths)),
        two = triangulateRings(rings(...turned));
      for (const key of ['xs', 'ys', 'origin', 'next', 'weight'] as const)
        expect(two[key], `seed ${seed}: ${key}`).toEqual(one[key]);
    }
  });
});
