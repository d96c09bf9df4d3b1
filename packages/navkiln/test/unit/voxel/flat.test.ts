/** Polygons without area between others, as masks of sizes leave them: they are dropped, and their neighbors meet. */
import { describe, expect, it } from 'vitest';
import { dropFlatPolys } from '../../../src/voxel/sizes/flat.ts';
import type { PolyMesh } from '../../../src/voxel/types.ts';
import { validatePolyMesh } from '../../../src/voxel/validate/poly-mesh.ts';

/** Returns a mesh of polygons (counter-clockwise seen from above, x right and z down). Outer edges are walls. */
function meshOf(places: [number, number][], polygons: number[][], size: number): PolyMesh {
  const polys = new Int32Array(size * polygons.length).fill(-1);
  const neighbors = new Int32Array(size * polygons.length).fill(-1);
  polygons.forEach((polygon, p) => {
    polys.set(polygon, size * p);
    polygon.forEach((a, k) => {
      const b = polygon[(k + 1) % polygon.length];
      const other = polygons.findIndex((one) => one.some((v, i) => v === b && one[(i + 1) % one.length] === a));
      neighbors[size * p + k] = other;
    });
  });
  return {
    boundsMin: [0, 0, 0],
    boundsMax: [20, 1, 20],
    cellSize: 1,
    cellHeight: 1,
    borderCells: 0,
    maxEdgeErrorCells: 1.3,
    maxVerticesPerPoly: size,
    vertexCount: places.length,
    vertices: Int32Array.from(places.flatMap(([x, z]) => [x, 0, z])),
    polyCount: polygons.length,
    polys,
    neighbors,
    region: new Int32Array(polygons.length).fill(1),
    area: new Uint8Array(polygons.length).fill(1),
  };
}

/** a, b, c on a line; y above it, x and z below, left and right of b. */
const PLACES: [number, number][] = [
  [0, 4],
  [4, 4],
  [8, 4],
  [0, 0],
  [8, 0],
  [0, 8],
  [4, 8],
  [8, 8],
];
const [A, B, C, Y0, Y1, X0, M, Z1] = PLACES.keys();
const Y = [Y0, A, C, Y1];
const FLAT = [A, B, C];
const X = [A, X0, M, B];
const Z = [B, M, Z1, C];

/** Returns the neighbors of each polygon. */
function neighborsOf({ polyCount, neighbors, maxVerticesPerPoly: size }: PolyMesh): number[][] {
  return Array.from({ length: polyCount }, (_, p) =>
    [...new Set(neighbors.subarray(size * p, size * p + size))].filter((one) => one >= 0).sort(),
  );
}

describe('dropFlatPolys', () => {
  it('moves the vertex of a triangle without area into the neighbor beyond its long side', () => {
    const mesh = meshOf(PLACES, [Y, FLAT, X, Z], 6);
    expect(validatePolyMesh(mesh)).toEqual([]);
    const out = dropFlatPolys(mesh);
    expect(validatePolyMesh(out)).toEqual([]);
    expect(neighborsOf(out)).toEqual([
      [1, 2],
      [0, 2],
      [0, 1],
    ]);
    expect([...out.polys.subarray(0, 6)]).toEqual([Y0, A, B, C, Y1, -1]);
  });

  it.each([3, 4])('cuts a neighbor in two that would have more than %i vertices', (size) => {
    const polygons =
      size === 4 ? [Y, FLAT, X, Z] : [[A, C, Y1], [Y0, A, Y1], FLAT, [A, X0, B], [X0, M, B], [B, M, C], [M, Z1, C]];
    const mesh = meshOf(PLACES, polygons, size);
    expect(validatePolyMesh(mesh)).toEqual([]);
    const out = dropFlatPolys(mesh);
    expect(validatePolyMesh(out)).toEqual([]);
    expect(out.polyCount).toBe(polygons.length);
  });

  it('keeps a triangle along a wall, and returns meshes without flat polygons as they are', () => {
    // Nothing lies beyond the long side, so X and Z are connected along it.
    const along = meshOf(PLACES, [FLAT, [A, X0, B], [B, Z1, C]], 6);
    expect(dropFlatPolys(along).polyCount).toBe(3);
    const plain = meshOf(PLACES, [X, Z], 6);
    expect(dropFlatPolys(plain)).toBe(plain);
  });
});
