import { describe, expect, it } from 'vitest';
import { buildPolyMesh } from '../../../../src/build/voxel/polymesh/polymesh.ts';
import type { ContourSet, PolyMesh } from '../../../../src/build/voxel/types.ts';
import { countCorners, validatePolyMesh } from '../../../../src/build/voxel/validate/poly-mesh.ts';
import { unitConfig } from './fields.ts';

type Point = readonly [x: number, y: number, z: number];

function meshOf(rings: readonly (readonly Point[])[], maxVerticesPerPoly: number, borderCells = 0): PolyMesh {
  const start = Int32Array.from([
    0,
    ...rings.map((_, c) => rings.slice(0, c + 1).reduce((sum, ring) => sum + ring.length, 0)),
  ]);
  const set: ContourSet = {
    boundsMin: [0, 0, 0],
    boundsMax: [20, 20, 20],
    width: 20,
    depth: 20,
    cellSize: 1,
    cellHeight: 1,
    borderCells,
    maxEdgeErrorCells: 1,
    count: rings.length,
    region: Int32Array.from(rings, (_, c) => c + 1),
    area: new Uint8Array(rings.length).fill(63),
    start,
    vertices: Int32Array.from(rings.flat().flatMap(([x, y, z]) => [x, y, z, 0])),
    rawStart: start,
    raw: new Int32Array(0),
  };
  const problems = { contoursNotTriangulated: 0 };
  const mesh = buildPolyMesh(set, unitConfig(20, 20, { maxVerticesPerPoly }), problems);
  expect(validatePolyMesh(mesh)).toEqual([]);
  expect(problems.contoursNotTriangulated).toBe(0);
  return mesh;
}

const polysOf = (mesh: PolyMesh): number[][] =>
  Array.from({ length: mesh.polyCount }, (_, p) => [
    ...mesh.polys.subarray(p * mesh.maxVerticesPerPoly, p * mesh.maxVerticesPerPoly + countCorners(mesh, p)),
  ]);
const square = (x: number, z: number, size: number, y = 0): Point[] => [
  [x, y, z],
  [x, y, z + size],
  [x + size, y, z + size],
  [x + size, y, z],
];

/** Twelve corners, convex. */
const round: Point[] = [
  [4, 0, 0],
  [1, 0, 1],
  [0, 0, 4],
  [0, 0, 7],
  [1, 0, 10],
  [4, 0, 11],
  [7, 0, 11],
  [10, 0, 10],
  [11, 0, 7],
  [11, 0, 4],
  [10, 0, 1],
  [7, 0, 0],
];

describe('buildPolyMesh', () => {
  it('makes one polygon of a square', () => {
    const mesh = meshOf([square(2, 3, 4)], 6);
    expect([...mesh.vertices]).toEqual([2, 0, 3, 2, 0, 7, 6, 0, 7, 6, 0, 3]);
    expect(polysOf(mesh)).toEqual([[0, 1, 2, 3]]);
    expect([...mesh.neighbors]).toEqual([-1, -1, -1, -1, -1, -1]);
    expect([[...mesh.region], [...mesh.area]]).toEqual([[1], [63]]);
  });

  it('leaves triangles when a polygon may have three vertices, and connects them', () => {
    const mesh = meshOf([square(0, 0, 4)], 3);
    expect(polysOf(mesh)).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
    expect([...mesh.neighbors]).toEqual([-1, -1, 1, 0, -1, -1]);
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('merges triangles up to %i vertices', (size) => {
    const mesh = meshOf([round], size);
    const counts = polysOf(mesh).map((poly) => poly.length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(size);
    // Each merge takes two vertices: what polygons have above 2 stays the same.
    expect(counts.reduce((sum, n) => sum + n - 2, 0)).toBe(10);
    expect(counts.length).toBeGreaterThanOrEqual(Math.ceil(10 / (size - 2)));
    // One grows along the longest common edges; what is left over are triangles at its rim.
    expect(counts.length).toBe({ 3: 10, 4: 5, 5: 5, 6: 5, 7: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1 }[size]);
    // No two neighbours could still be merged: their common vertices would not fit.
    for (let p = 0; p < mesh.polyCount; p++) {
      for (const q of mesh.neighbors.subarray(p * size, p * size + counts[p])) {
        if (q >= 0) expect(counts[p] + counts[q] - 2).toBeGreaterThan(size);
      }
    }
  });

  it('does not merge polygons into one that is not convex', () => {
    const corner: Point[] = [
      [0, 0, 0],
      [0, 0, 8],
      [4, 0, 8],
      [4, 0, 4],
      [8, 0, 4],
      [8, 0, 0],
    ];
    const mesh = meshOf([corner], 12);
    expect(mesh.polyCount).toBe(2);
  });

  it('does not merge over straight corners, nor across regions', () => {
    const mesh = meshOf([square(0, 0, 4), square(4, 0, 4)], 6);
    expect(polysOf(mesh).length).toBe(2);
    expect(mesh.vertexCount).toBe(6);
    expect([...mesh.neighbors].filter((other) => other >= 0)).toEqual([1, 0]);
  });

  it('welds vertices of heights up to two apart, no more', () => {
    expect(meshOf([square(0, 0, 4, 3), square(4, 0, 4, 5)], 6).vertexCount).toBe(6);
    const apart = meshOf([square(0, 0, 4, 3), square(4, 0, 4, 6)], 6);
    expect(apart.vertexCount).toBe(8);
    expect([...apart.neighbors].every((other) => other === -1)).toBe(true);
  });

  it('leaves out empty rings: holes that were merged', () => {
    const mesh = meshOf([square(0, 0, 4), [], square(8, 8, 4)], 6);
    expect(mesh.polyCount).toBe(2);
    expect([...mesh.region]).toEqual([1, 3]);
  });

  it('names the sides of a tile', () => {
    const mesh = meshOf([square(0, 0, 20)], 4, 3);
    const sides: Record<string, number> = {};
    const [poly] = polysOf(mesh);
    poly!.forEach((a, k) => {
      const b = poly![(k + 1) % 4];
      sides[[a, b].map((v) => `${mesh.vertices[3 * v]},${mesh.vertices[3 * v + 2]}`).join(' ')] = mesh.neighbors[k];
    });
    // 0 = -x, 1 = +z, 2 = +x, 3 = -z.
    expect(sides).toEqual({ '0,0 0,20': -2, '0,20 20,20': -3, '20,20 20,0': -4, '20,0 0,0': -5 });
    expect([...meshOf([square(0, 0, 20)], 4).neighbors]).toEqual([-1, -1, -1, -1]);
  });

  it('makes an empty mesh without contours', () => {
    const mesh = meshOf([], 6);
    expect([mesh.polyCount, mesh.vertexCount, mesh.polys.length]).toEqual([0, 0, 0]);
  });
});
